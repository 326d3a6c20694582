"""Standard output and error that can say Korean, whatever the terminal's locale is."""

import codecs
import sys
from io import TextIOWrapper


def speak_korean() -> None:
    """Write UTF-8 where a stream's own encoding has no Hangul (LANG=C, POSIX, Latin-1).

    A terminal shows UTF-8 nearly always, whatever its locale says, and a file can be read; \\uXXXX
    is read by nobody. An encoding with Hangul (EUC-KR) stays, and what it lacks is escaped: a word
    that cannot be shown ends no run.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and codecs.lookup(stream.encoding).name != "utf-8":
            encoding = stream.encoding if _has_hangul(stream.encoding) else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _has_hangul(encoding: str) -> bool:
    try:
        "판결".encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
