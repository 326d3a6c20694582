"""Messages to people, in Korean and in English: a ``Message`` holds both, side by side.

A room's messages stand in a table of their own (``thunder/commands/deid_messages.py``), and are
said where they are needed: ``NO_SUCH_FILE(names="a.txt")``. Which language is the user's settings'
(``THUNDER_LANGUAGE``, ``language`` in thunder.toml); Korean without.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Language = Literal["ko", "en"]

_chosen: list[Language] = []
_being_asked: list[Language] = []
_settings: list[Callable[[], tuple[Language, bool]]] = []


@dataclass(frozen=True, slots=True)
class Message:
    """One message in both languages; ``{name}`` stands for a fact, formatted as str.format does."""

    ko: str
    en: str

    def __call__(self, **facts: object) -> str:
        """Return the message in the language of messages, with *facts* in their places."""
        return (self.en if language() == "en" else self.ko).format(**facts)


def language() -> Language:
    """Return the language of messages: what was chosen last, else the settings', else Korean."""
    if not _chosen and not _being_asked:
        _being_asked.append("ko")  # what is said while the settings are read
        try:
            said = [ask() for ask in _settings]
            _chosen[:] = [one for one, is_sure in said if is_sure]
            return said[0][0] if said else "ko"
        finally:
            _being_asked.clear()
    return (_chosen or _being_asked)[0]


def ask_settings(ask: Callable[[], tuple[Language, bool]]) -> None:
    """Ask *ask* which language the settings want, and whether that is sure, when it is needed."""
    _settings[:] = [ask]


def choose(language: Language) -> None:
    """Say messages in *language* from now on."""
    _chosen[:] = [language]
