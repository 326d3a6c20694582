"""Which stretches of a judgment are mentions, where each begins and ends, and who wins.

``finding`` asks all of it in order:

- ``recognising``: what is found without a tagger, and what was found once found everywhere;
- ``shaping``: a tagger's pieces are joined and cut to shape (``trimming``);
- ``generic_words``: seen by a tagger, and leads to nobody; most of that is data
  (``taxonomy/patterns/lookalikes.yaml``);
- ``arbiter``: who wins where finds overlap, one weighted choice by ranks that are data;
- ``boundaries``: a mention's edges, by its name where it stands free;
- ``weighing``: which of them are mentions, by one scorecard (``scorecard``) over the features of
  ``candidates``; a word is one everywhere or nowhere.
"""
