"""What holds for all tests: thunder is there before any library that it keeps silent."""

import pytest

import thunder  # noqa: F401
from thunder.settings import messages


@pytest.fixture
def english(monkeypatch):
    """Have messages said in English in one test, and in the commands that it runs."""
    monkeypatch.setenv("THUNDER_LANGUAGE", "en")
    before = messages._chosen[:]
    messages.choose("en")
    yield
    messages._chosen[:] = before
