"""The commands of ``thunder``, a module a group; ``thunder/commands/cli.py`` puts them together."""
