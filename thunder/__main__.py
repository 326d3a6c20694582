"""``thunder``, and ``python -m thunder``: the command, loaded so that a key stops it quietly."""

import sys

INTERRUPTED = 130
"""The status of a process that Ctrl-C ended."""


def main() -> None:
    """Run the command line; the process ends with the command's status."""
    try:
        from thunder.commands.cli import main as run
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except ModuleNotFoundError as error:
        if not error.name or error.name.partition(".")[0] == "thunder":
            raise
        cure = "run it with the Python of the environment that has it (.venv/bin/python -m thunder)"
        print(f"{error.name} is not installed for {sys.executable}: {cure}", file=sys.stderr)
        sys.exit(2)
    try:
        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        # Ctrl-C inside a string of code (a dataclass being made, in a module just loaded) marks
        # the whole process: Python would kill it by SIGINT at its end, whatever its own status.
        # The next string of code takes that mark away.
        eval("None")


if __name__ == "__main__":
    main()
