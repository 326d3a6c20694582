"""The commands of ``thunder``, a module a group; ``cli`` puts them together.

A command parses what is asked, calls the room that does it, and says on the screen what came of
it. ``loading`` loads a group when it is named.
"""
