"""Commands that change the taxonomy, and bring along all that stores its labels' names.

``edit`` is what the command calls: planned in memory, checked whole, written all or not at all.
"""
