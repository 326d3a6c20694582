"""The processes that train together: who is who, what they sum, and how they fail as one."""

import errno
import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NoReturn

import torch
import torch.distributed as dist

_MESSAGE_BYTES = 2000


class Together(RuntimeError):
    """A failure that every process knows of; the first one's text is shown once."""


@dataclass(frozen=True, slots=True)
class Processes:
    """This process among all: its *rank* of *size*, and the *device* it computes on."""

    rank: int = 0
    size: int = 1
    device: torch.device = torch.device("cpu")  # noqa: RUF009 (a value, not an object that moves)

    @property
    def first(self) -> bool:
        """Whether this is the one that writes and prints."""
        return self.rank == 0

    def total(self, values: Sequence[float]) -> list[float]:
        """Return the sums of *values* over all processes, in fp64."""
        return self._reduced(values, dist.ReduceOp.SUM)

    def most(self, values: Sequence[float]) -> list[float]:
        """Return the largest of each of *values* over all processes, in fp64."""
        return self._reduced(values, dist.ReduceOp.MAX)

    def _reduced(self, values: Sequence[float], how: Any) -> list[float]:
        if self.size == 1:
            return list(map(float, values))
        reduced = torch.tensor(values, dtype=torch.float64)
        dist.all_reduce(reduced, op=how)
        return [float(value) for value in reduced]

    def agree(self, problem: str | None) -> None:
        """Return where no process has a problem; else raise the first one's on all of them."""
        if not self.total([problem is not None])[0]:
            return
        problems = [problem] if self.size == 1 else self._all_texts(problem or "")
        raise Together(next(text for text in problems if text))

    def attempt(self, work: Callable[[], None], *expected: type[Exception]) -> None:
        """Do *work*; where it raises one of *expected* in any process, raise Together in all."""
        problem = None
        try:
            work()
        except expected as error:
            problem = str(error) or type(error).__name__
        self.agree(problem)

    def told(self, text: str) -> str:
        """Return the first process's *text* in all of them."""
        return text if self.size == 1 else self._all_texts(text)[0]

    def _all_texts(self, text: str) -> list[str]:
        # Bytes, not objects: torch's object collectives pickle.
        raw = text.encode()[:_MESSAGE_BYTES]
        mine = torch.zeros(_MESSAGE_BYTES, dtype=torch.uint8)
        mine[: len(raw)] = torch.frombuffer(bytearray(raw or b"\0"), dtype=torch.uint8)[: len(raw)]
        every = [torch.empty_like(mine) for _ in range(self.size)]
        dist.all_gather(every, mine)
        return [bytes(one.tolist()).rstrip(b"\0").decode(errors="ignore") for one in every]


@contextmanager
def joined(*, timeout: float, device: str | None = None) -> Iterator[Processes]:
    """Join the processes that a launcher started (torchrun, deepspeed, srun), or stay alone.

    *timeout* is how many seconds any process waits for the others before it gives up. *device*
    is "cpu" or "cuda"; without it, a GPU where there is one.
    """
    rank, size, local = _place()
    where = device or ("cuda" if torch.cuda.is_available() else "cpu")
    if where == "cuda":
        local %= torch.cuda.device_count()  # a task that Slurm binds to its GPU sees that one only
        torch.cuda.set_device(local)
    chosen = torch.device(where, local) if where == "cuda" else torch.device("cpu")
    if size == 1:
        yield Processes(0, 1, chosen)
        return
    backend = "cpu:gloo,cuda:nccl" if where == "cuda" else "gloo"
    dist.init_process_group(backend, rank=rank, world_size=size, timeout=timedelta(seconds=timeout))
    processes = Processes(rank, size, chosen)
    yield processes
    processes.total([0])  # only after success: after a failure the others may never come


def leave(status: int) -> NoReturn:
    """End this process at once, with what it has printed written out.

    An ordinary exit takes the process groups down, waits for processes that may be gone, and at
    times aborts in a thread of gloo or NCCL after all work is done.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def explained(error: Exception) -> str | None:
    """Return what an error of torch's means where another process or a worker ended, else None."""
    text = str(error)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{error}: the disk is full; make room and start again"
    if "DataLoader worker" in text and ("exited unexpectedly" in text or "killed by" in text):
        return f"a worker that makes samples died (out of memory?): {text.splitlines()[0]}"
    if "DataLoader timed out" in text:
        return f"a worker gave no samples in time ('loading.timeout'): {text.splitlines()[0]}"
    if any(word in text for word in ("Connection closed by peer", "imed out", "Connection reset")):
        return (
            "another process ended or did not answer within 'engine.timeout'; its own message "
            "says why, or its node is gone. The last whole checkpoint is untouched: start again"
        )
    return None


def _place() -> tuple[int, int, int]:
    """Return rank, number and place on the machine, from torchrun's variables or Slurm's."""
    env = os.environ
    if "RANK" in env:
        return int(env["RANK"]), int(env.get("WORLD_SIZE", "1")), int(env.get("LOCAL_RANK", "0"))
    if "SLURM_PROCID" in env and int(env.get("SLURM_NTASKS", "1")) > 1:
        if "MASTER_ADDR" not in env:
            raise ValueError(
                "MASTER_ADDR is not set: under srun, export MASTER_ADDR (the first node's name) "
                "and MASTER_PORT, as pretrain/cluster/slurm.sh does"
            )
        env.setdefault("MASTER_PORT", "29500")
        return int(env["SLURM_PROCID"]), int(env["SLURM_NTASKS"]), int(env["SLURM_LOCALID"])
    return 0, 1, 0


def free_port() -> int:
    """Return a port of this machine that nothing listens on now, for ``--master_port``."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
