"""What may be said of an error about a document: never its words."""

import re
import traceback
import unicodedata
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_WORD = re.compile(r"[^\x00-\x7f]+|[0-9][0-9._-]{3,}|[A-Za-z][\w@.+-]*[A-Za-z][\w@.+-]*", re.ASCII)
_NOT_PLAIN = re.compile("[^0-9a-z]")


def describe(error: Exception, *, text: str) -> str:
    """Return an exception's type, place in this package, and message without *text*'s words.

    Of the message only ASCII words and short numbers stay, and of those none that the text
    holds: an exception often quotes what it stumbled over.
    """
    message = _without_words_of(text, str(error).partition("\n")[0])
    return place_of(error) + (f": {message[:120]}" if message else "")


def place_of(error: Exception) -> str:
    """Return an exception's type and where in this package it was met: nothing of its message."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f for f in frames if _PACKAGE in Path(f.filename).parents]
    last = places[-1] if places else None
    where = f" ({Path(last.filename).relative_to(_PACKAGE)}:{last.lineno})" if last else ""
    return f"{type(error).__name__}{where}"


def _without_words_of(text: str, message: str) -> str:
    if "\\" in message:  # escapes spell words that no comparison would find
        return ""
    held = _NOT_PLAIN.sub("", unicodedata.normalize("NFKC", text).casefold())

    def hidden(word: re.Match[str]) -> str:
        plain = _NOT_PLAIN.sub("", word[0].casefold())
        return "…" if not plain or plain in held else word[0]

    return _WORD.sub(hidden, message)
