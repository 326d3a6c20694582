"""A surname and a title: 홍 과장, 홍씨, or a given name and 언니. The title stays."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from thunder.names.chunks import HANGUL
from thunder.names.given_names import is_unlikely, share, surname_of, surnames
from thunder.names.patterns.signs import sign
from thunder.names.person_context import role_group
from thunder.names.person_lexicon import commonness, ends_in_particle
from thunder.names.person_tails import tails, title_of, titles
from thunder.names.runs import question
from thunder.taxonomy.lexicon import words_of
from thunder.text.spans import Span

_LONGEST_TITLE = 5
_RARE = 1.0  # bearers in 10,000: 학과장, 증권사
_SPACED, _JOINED, _SSI = 0.7, 0.65, 0.85
_COMMON = 10.0  # bearers in 10,000


def find(text: str, *, known: Collection[str] = ()) -> Iterator[Span]:
    """Yield the surname before each title in *text*; ``known``: surnames of persons in it.

    A surname that is also a common word before a title counts only where it is known.
    """
    for start, end, surname, title, spaced in _before_titles(text):
        doubtful = surname in words_of("surname-or-word") and surname not in known
        if doubtful and title != "씨":
            continue
        if _glued(text, start) or sign("of-a-clan").at(text, end):
            continue
        if _ends_role(text, start, surname) or is_former(text, start, start + len(surname)):
            continue
        score = _SSI if title == "씨" else _SPACED if spaced else _JOINED
        yield Span(start, start + len(surname), "내국인이름", score, "names:person")


@lru_cache(maxsize=2)
def _before_titles(text: str) -> Sequence[tuple[int, int, str, str, bool]]:
    """Return where a surname and what is joined to it stand, both, and whether a space is between.

    The last texts are remembered: they are read again when the persons in them are known.
    """
    found = []
    for start, run, (surname, joined) in _DIVIDED(text):
        end = start + len(run)
        if title := joined or _title_after(text, end, surname):
            found.append((start, end, surname, title, not joined))
    return found


def is_former(text: str, start: int, end: int) -> bool:
    """Return whether the stretch is the word for former between a name and a title: 노 전 대통령.

    After a particle or a role it is a surname: 원고는 전 과장에게.
    """
    is_word = text[start : end + 1] == "전 "
    following = HANGUL.match(text, end + 1) if is_word else None
    name = sign("word-before-a-name").match(text, start) if is_word else None
    return (
        following is not None
        and name is not None
        and _is_title_or_office(following[0])
        and _is_called(name["N"])
    )


def _is_title_or_office(run: str) -> bool:
    ends = (end for end in range(2, len(run) + 1) if run[end:] in tails())
    return len(title_of(run)) > 1 or any(role_group(run[:end]) == "office" for end in ends)


def _is_called(word: str) -> bool:
    """Return whether *word* is a surname or a whole name: 노, 홍길동; not 위, 원고, 원고는."""
    if word in surnames():
        return word not in words_of("word-before-a-name")
    is_word = role_group(word) or commonness(word, tailed=False) or ends_in_particle(word)
    return surname_of(word) != "" and not is_word and not is_unlikely(word)


def _divided(run: str) -> tuple[str, str] | None:
    surname, title = _split(run)
    return (surname, title) if surname else None


_DIVIDED = question(_divided)


def _split(run: str) -> tuple[str, str]:
    """Return the surname and the joined title *run* consists of, the title "" for a bare one."""
    length = 2 if run[:2] in surnames() and len(run) > 1 else 1
    surname = run[:length]
    if surname not in surnames():
        return "", ""
    if len(run) == length:
        return surname, ""
    title = _title(run, length, ("joined",))
    ordinary = any(commonness(run[: length + len(title)], tailed=tail) for tail in (False, True))
    if title == "씨" or (title and not ordinary and share(surname) >= _RARE):
        return surname, title
    return "", ""


def _title_after(text: str, end: int, surname: str) -> str:
    """Return the title one space after *surname*, where no name follows it, or ""."""
    following = HANGUL.match(text, end + 1) if text[end : end + 1] == " " else None
    return _title(following[0], 0, _forms_after(surname)) if following else ""


@lru_cache(maxsize=1 << 10)
def _forms_after(surname: str) -> tuple[str, ...]:
    is_clear = surname not in words_of("surname-or-noun") and share(surname) >= _COMMON
    return ("joined", "spaced", "clear") if is_clear else ("joined", "spaced")


@lru_cache(maxsize=1 << 15)
def _title(run: str, start: int, forms: tuple[str, ...]) -> str:
    for end in range(min(len(run), start + _LONGEST_TITLE), start, -1):
        if titles().get(run[start:end]) in forms and run[end:] in tails():
            return run[start:end]
    return ""


def _ends_role(text: str, start: int, surname: str) -> bool:
    """Return whether *surname* is the last letter of a spaced role word: 변 호 인 변호사."""
    letters = sign("spaced-letters").match(text, start)
    return letters is not None and role_group("".join(letters[0].split()) + surname) != ""


def _glued(text: str, start: int) -> bool:
    return start > 0 and (text[start - 1].isalnum() or text[start - 1] in ".,)]’”'\"」』〉》")
