"""Locks of files between processes: POSIX's where there are, Windows' else.

What ran on Windows: nothing yet. Its way is tried by tests with a stand-in for its module.

A lock ends with the process that holds it, however it ends.
"""

import importlib
import os
from typing import IO, Any

fcntl: Any
msvcrt: Any
try:
    import fcntl
except ImportError:  # Windows
    fcntl, msvcrt = None, importlib.import_module("msvcrt")

IS_POSIX = fcntl is not None
"""Whether files here are POSIX's: renamed while they are open, with modes, folders synced."""

# Windows lets nobody read what is locked: a byte beyond what most files have, as far as its
# module counts.
_FAR = 2**31 - 2


def lock(file: int | IO[Any]) -> None:
    """Return once *file* (a stream, or a descriptor), open for writing, is locked.

    BlockingIOError where another process holds it, another OSError where its disk locks nothing.
    """
    descriptor = file if isinstance(file, int) else file.fileno()
    if IS_POSIX:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    at = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, _FAR, os.SEEK_SET)
    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except PermissionError as error:  # what Windows says of a lock that is held
        raise BlockingIOError(error.errno, error.strerror) from None
    finally:
        os.lseek(descriptor, at, os.SEEK_SET)
