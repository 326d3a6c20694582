"""Persons, companies and places found by the words around them, beside a trained tagger.

- ``persons`` finds people; ``person_*`` hold its evidence (roles before a name, titles and
  particles after it, lists, foreign names, the weights of each sign);
- ``organisations`` and ``places`` find companies, shops, buildings and stations by legal forms
  (``legal_forms``), descriptor nouns (``described``), the rules of ``taxonomy/patterns``
  (``contexts``, read by ``patterns``; ``quotations``), lists and known names (``listed``,
  ``well_known``), and those of one kind (``parties`` of a judgment's heading, ``politics``,
  ``clans``, ``latin_firms``);
  ``lost_spaces`` cuts off what ran into a name where spaces are lost;
- ``defined`` reads what brackets after a name tell;
- ``propagation`` and ``kind_repeats`` find again what was found once, ``linking``
  says what is the same entity.

All read folded text and yield spans in its code points. The words they go by are in
``taxonomy/cues``, ``taxonomy/patterns`` and ``taxonomy/gazetteer``.
"""
