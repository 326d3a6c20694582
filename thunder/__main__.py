"""``python -m thunder``: the same as the command ``thunder``."""

import sys

try:
    from thunder.commands.cli import main
except ModuleNotFoundError as error:
    if not error.name or error.name.partition(".")[0] == "thunder":
        raise
    cure = "run it with the Python of the environment that has it (.venv/bin/python -m thunder)"
    print(f"{error.name} is not installed for {sys.executable}: {cure}", file=sys.stderr)
    sys.exit(2)

if __name__ == "__main__":
    main()
