"""Persons, companies and places found by the words around them, beside a trained tagger.

Which module to open:

- a person is not found, or a word is taken for one: ``persons`` (weighs each reading of a word,
  and what the rest of the judgment says of the same name); its evidence is ``given_names`` (how
  names are built), ``person_evidence`` (the word) and ``person_context`` (what stands beside it);
  names in lists and signatures are ``person_lists``, foreign ones ``person_foreign``, a surname
  with a title and whatever else somebody is called ``short_forms``;
- a firm, a shop or a place: ``organisations`` asks ``legal_forms``,
  ``latin_firms``, ``described`` (a generic noun of ``descriptors``, with what ``naming`` says of
  the words around it), ``listed`` (names that everybody knows, of ``well_known``), and
  ``parties`` (of a judgment's heading); ``lost_spaces`` cuts off what ran into a name;
- a context, for either: no module, but a rule in ``taxonomy/patterns`` (``contexts`` finds
  them, ``patterns`` reads them), and what a finder asks of a word's surroundings is a sign there;
- where a word or a name ends: ``chunks`` and ``person_tails``;
- what is found once is found again by ``propagation`` and ``kind_repeats``, a short name that
  the judgment defines by ``defined``; ``linking`` says what is the same entity, ``court_marks``
  what a court has masked already;
- how sure a find is: ``taxonomy/cues/name_evidence.tsv``, a row for each kind of evidence.
- what is said of persons and not of things: ``taxonomy/cues/told_of_persons.tsv``, weights of the
  words around a name that is a word besides.

All read folded text and yield spans in its code points. The words they go by are in
``taxonomy/cues``, ``taxonomy/patterns`` and ``taxonomy/gazetteer``.
"""
