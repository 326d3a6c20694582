"""How a training process ends: its exit status, and what is said of an error, once."""

import os
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

from thunder.settings.config import ConfigError
from thunder.training.processes import Together, explained, leave

_INTERRUPTED = 130  # 128 + SIGINT, as shells have it


def end_with(main: Callable[[], int]) -> NoReturn:
    """End this process with the status that *main* returns, or 1 after saying what went wrong.

    Ctrl-C where nothing notes it (before the first step, or a second time) gives 130.
    """
    try:
        status = main()
    except KeyboardInterrupt:
        print("interrupted; what was saved last stays: start it again", file=sys.stderr)
        status = _INTERRUPTED
    except Exception as error:  # whatever it is: this process must end, and so the others
        status = _fail(error)
    leave(status)


def _numbered(*names: str) -> str:
    return next((os.environ[name] for name in names if name in os.environ), "0")


def _fail(error: Exception) -> int:
    """Say what went wrong: what all processes know once, what one of them met by itself there."""
    rank = _numbered("RANK", "SLURM_PROCID")
    if isinstance(error, Together):
        if rank == "0":
            print(f"error: {error}", file=sys.stderr)
        return 1
    if isinstance(error, ConfigError):  # read before the processes know of each other: by node
        if _numbered("LOCAL_RANK", "SLURM_LOCALID") == "0":
            print(f"error: {error}", file=sys.stderr)
        return 1
    known = explained(error)
    if known is None and not isinstance(error, ValueError | LookupError | FileNotFoundError):
        traceback.print_exc()
    where = f" in process {rank}" if _numbered("WORLD_SIZE", "SLURM_NTASKS") != "0" else ""
    print(f"error{where}: {known or error}", file=sys.stderr)
    return 1
