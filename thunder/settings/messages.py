"""Messages to people, in Korean and in English: a ``Message`` holds both, side by side.

A room's messages stand in a table of their own (``thunder/commands/deid_messages.py``), and are
said where they are needed: ``NO_SUCH_FILE(names="a.txt")``. Which language is the user's settings'
(``THUNDER_LANGUAGE``, ``language`` in thunder.toml); Korean without.
"""

from dataclasses import dataclass
from typing import Literal

Language = Literal["ko", "en"]

_chosen: list[Language] = []


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
    if not _chosen:
        from thunder.settings import user
        from thunder.settings.config import ConfigError

        try:
            _chosen.append(user.read().settings.language)
        except ConfigError:
            return "ko"  # the command says what is wrong with the settings, in a moment
    return _chosen[0]


def choose(language: Language) -> None:
    """Say messages in *language* from now on."""
    _chosen[:] = [language]
