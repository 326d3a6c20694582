"""Commands that tests start, watch and end."""

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any


@contextmanager
def started(command: Sequence[object], **options: Any) -> Iterator[subprocess.Popen]:
    """Start a command in a session of its own, which is killed at the end whatever happened.

    It hears Ctrl-C though the tests may not (``nohup``, a job in the background): what is ignored
    stays so in what is started, what is handled does not.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(list(map(str, command)), start_new_session=True, **options)
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
