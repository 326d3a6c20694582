"""What holds for all tests: thunder is there before any library that it keeps silent."""

from importlib.util import find_spec

import pytest

import thunder  # noqa: F401
from thunder.settings import messages

if find_spec("hypothesis"):  # an environment of other packages may be without
    import hypothesis

    # A busy machine draws slowly, and that is no fault of what is tested.
    slow = [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile("thunder", deadline=None, suppress_health_check=slow)
    hypothesis.settings.load_profile("thunder")


@pytest.fixture(autouse=True)
def _own_language():
    """Let no test say in which language the next one's messages are."""
    before = messages._chosen[:]
    messages.choose("ko")
    yield
    messages._chosen[:] = before


@pytest.fixture
def english(monkeypatch):
    """Have messages said in English in one test, and in the commands that it runs."""
    monkeypatch.setenv("THUNDER_LANGUAGE", "en")
    messages.choose("en")


@pytest.fixture
def folders_alone(monkeypatch):
    """Have ``taxonomy check`` read labels only: a process works with the data of one taxonomy."""
    monkeypatch.setattr("thunder.commands.taxonomy._require_data_in_order", lambda where: None)
