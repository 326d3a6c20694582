"""Processes of bulk runs, as tests have them."""

import multiprocessing
import os

import pytest


class Forking:
    """Processes that are forked: what a test has put in a document's way is there, too, and fast.

    A child lets go of what its parent has open, locks and the pipes of others, as a spawned one
    never has them.
    """

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("fork")
        self.Pipe = self._context.Pipe

    def Process(self, *, target, args, daemon):
        def serve(pipe, *more) -> None:
            os.closerange(3, pipe.fileno())
            os.closerange(pipe.fileno() + 1, 4096)
            target(pipe, *more)

        return self._context.Process(target=serve, args=args, daemon=daemon)


@pytest.fixture
def forked(monkeypatch) -> None:
    context = Forking()
    monkeypatch.setattr(multiprocessing, "get_context", lambda _: context)
