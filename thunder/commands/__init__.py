"""The commands of ``thunder``, a module a group; ``thunder/cli.py`` puts them together."""
