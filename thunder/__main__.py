"""``python -m thunder``: the same as the command ``thunder``."""

from thunder.commands.cli import main

if __name__ == "__main__":
    main()
