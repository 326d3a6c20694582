"""Edits of the taxonomy, and what they carry with them: migrations of all that stores names.

``edit`` is what the command calls: planned in memory, checked whole, written all or not at all.
"""
