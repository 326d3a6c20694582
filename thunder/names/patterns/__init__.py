"""Contexts of names as data: ``taxonomy/patterns``, a family a file, each rule with its examples.

``grammar`` reads what a rule looks for, ``conditions`` are the tests on its words, ``rules`` loads
the files (and refuses what is wrong with file, line and cure), ``matching`` finds them all in a
text; ``thunder.editing.pattern_examples`` runs every example. The language is described in
``taxonomy/patterns/README.md``.
"""
