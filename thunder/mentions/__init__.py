"""Which stretches of a judgment are mentions, where each begins and ends, and who wins.

``finding`` asks all of it in order:

- ``recognising``: what is found without a tagger, and what was found once found everywhere;
- ``credibility``: what one side, or the words, refute; a tagger's pieces are joined and cut to
  shape (``trimming``, ``number_kinds``, ``glued_dates``, ``glued_columns``) and its slips dropped
  (``slips``);
- ``nameless``, ``official_numbers``, ``figures``: seen by a tagger, and leads to nobody;
- ``combining``: who wins where two finders disagree;
- ``anchoring``: a mention's edges, by its name where it stands free;
- ``constancy``: a word is a mention everywhere or nowhere.
"""
