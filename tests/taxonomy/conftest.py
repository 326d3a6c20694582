"""Messages are read in English here; what they say in Korean is read in tests/editing."""

import pytest


@pytest.fixture(autouse=True)
def _in_english(english, folders_alone):
    return None
