"""Shorter forms of persons: 홍 과장, 홍씨; of those named in full 길동이, 길동 씨, 뚜언.

``titled`` finds a surname before its title in any text, ``find`` what persons that are known are
called besides. The title stays.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from thunder.names.chunks import HANGUL, next_run
from thunder.names.evidence import score
from thunder.names.given_names import parts_of, share, surnames
from thunder.names.kinds import is_person
from thunder.names.patterns.signs import sign
from thunder.names.person_context import role_group
from thunder.names.person_foreign import LABEL as FOREIGN
from thunder.names.person_foreign import LATIN_LABEL, NO_PART, is_foreign
from thunder.names.person_lexicon import is_common, is_ordinary, word_class
from thunder.names.person_tails import (
    agreement,
    in_short,
    tails,
    title_of,
    titles,
    titles_beside,
)
from thunder.names.runs import Wordings, beginning_with, question
from thunder.taxonomy.lexicon import words_of
from thunder.text import lazy
from thunder.text.spans import Span

SOURCE = "names:repeat"
LABEL = "내국인이름"

_GIVEN_AS_NAME = frozenset({"person", "unknown"})
_NOUNS = frozenset({"noun", "nouns", "proper", "place", "pieces", "mixed", "person+"})
_HIDDEN = lazy.compile("[^가-힣]")
_LONGEST_TITLE = 5
_GIVEN = 2  # syllables
_ANY_FORM = ("joined", "spaced", "clear", "never")
_RARE = 1.0  # bearers in 10,000: 학과장, 증권사
_COMMON = 10.0  # bearers in 10,000


def find(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield short forms in *text* of the persons among *spans*: a foreign one's are its parts.

    A form that fits two persons is yielded too, with a low score: it is a name all the same,
    and whose it is a person must say.
    """
    yield from _parts(text, spans)
    yield from _written_out(text, spans)
    yield from _syllables(text, spans)
    names = {text[span.start : span.end] for span in spans if span.label == LABEL}
    by_surname, by_given = _by_part(sorted(names))
    if not by_given:
        return
    for span in titled(text, known=by_surname.keys(), borne=_borne(text, spans)):
        fitting = by_surname.get(text[span.start : span.end], ())
        if fitting:
            yield Span(span.start, span.end, LABEL, _score(fitting), SOURCE)
    yield from _given_names(text, by_given)
    yield from _with_surname(text, spans, by_surname.keys())


def _parts(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the parts of foreign names by themselves: 뚜언은, of 응우옌 반 뚜언."""
    label_of: dict[str, str] = {}
    for span in spans:
        parts = text[span.start : span.end].split()
        if len(parts) > 1 and is_person(span.label):
            label_of |= {one: span.label for one in parts if _is_foreign_part(one, span.label)}
    for match in HANGUL.finditer(text) if label_of else ():
        for length in range(len(match[0]), 1, -1):
            label, tail = label_of.get(match[0][:length]), match[0][length:]
            if label and (not tail or tail in tails()):
                yield Span(match.start(), match.start() + length, label, _score([label]), SOURCE)
                break


def _written_out(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the names that one with a hidden syllable stands for: 홍길동, beside 홍○동."""
    persons = {text[span.start : span.end] for span in spans if is_person(span.label)}
    hidden = {_HIDDEN.sub("○", one) for one in filter(sign("syllable-hidden").fits, persons)}
    lengths = sorted({len(name) for name in hidden}, reverse=True)
    for run in HANGUL.finditer(text) if hidden else ():
        for length in lengths:
            name, tail = run[0][:length], run[0][length:]
            forms = (f"{name[:at]}○{name[at + 1 :]}" for at in range(len(name)))
            if (not tail or tail in tails()) and not hidden.isdisjoint(forms):
                end = run.start() + len(name)
                yield Span(run.start(), end, LABEL, score("written out"), "names:person")
                break


def _syllables(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the syllable that a judgment says somebody goes by, with its particle: 란은."""
    label_of = {
        text[span.start : span.end]: span.label
        for span in spans
        if len(span) == 1 and span.source.endswith(":defined") and is_person(span.label)
    }
    for run in HANGUL.finditer(text) if label_of else ():
        name, tail = run[0][:1], run[0][1:]
        kind = tails().get(tail) if tail and name in label_of else None
        if kind == "particle" and agreement(name, tail) in ("fits", "free"):
            yield Span(run.start(), run.start() + 1, label_of[name], score("written out"), SOURCE)


def _is_foreign_part(part: str, label: str) -> bool:
    """Return whether *part* of a name is one by itself; of a nation's what is no word here."""
    if HANGUL.fullmatch(part) is None or len(part) == 1:
        return False
    if is_foreign(part) and word_class(part) not in NO_PART:
        return True
    if label in (LABEL, FOREIGN, LATIN_LABEL):
        return False  # 소프트웨어, of whom nobody says where he is from
    return not (is_ordinary(part) or any(is_common(part, tailed=one) for one in (False, True)))


def _by_part(names: Sequence[str]) -> tuple[Mapping[str, list[str]], Mapping[str, list[str]]]:
    by_surname: dict[str, list[str]] = defaultdict(list)
    by_given: dict[str, list[str]] = defaultdict(list)
    for name in names:
        surname, given = parts_of(name) or ("", "")
        if surname:
            by_surname[surname].append(name)
        if len(given) > 1:
            by_given[given].append(name)
    return by_surname, by_given


def _given_names(text: str, by_given: Mapping[str, list[str]]) -> Iterator[Span]:
    known = Wordings(by_given)
    for start, run in beginning_with(text, known.heads):
        for given in known.at(run, 0):
            end = start + len(given)
            titled = given == run and _has_title_next(text, end)
            if titled or _reads_as_given_name(given, run[len(given) :]):
                yield Span(start, end, LABEL, _score(by_given[given]), SOURCE)
                break


def _with_surname(text: str, spans: Sequence[Span], known: Collection[str]) -> Iterator[Span]:
    """Yield who is called by a given name elsewhere, behind a surname that others have: 홍나경."""
    persons = (text[span.start : span.end] for span in spans if span.label == LABEL)
    givens = {one for one in persons if len(one) == _GIVEN and HANGUL.fullmatch(one)}
    for run in HANGUL.finditer(text) if givens else ():
        for end in (1 + _GIVEN, 2 + _GIVEN):
            name, tail = run[0][:end], run[0][end:]
            is_one = name[:-_GIVEN] in known and name[-_GIVEN:] in givens and len(name) == end
            if is_one and (not tail or tail in tails()) and not is_ordinary(name):
                start = run.start()
                yield Span(start, start + end, LABEL, score("written out"), "names:person")
                break


def _reads_as_given_name(given: str, tail: str) -> bool:
    """Return whether *given* is no word, or is called as only persons are (길동이가).

    What the dictionary has for a noun is none where judgments hardly ever write it: 판구, 태술.
    """
    kind = tails().get(tail)
    if kind is None or agreement(given, tail) == "clashes":
        return False
    word = word_class(given)
    if kind in ("pet", "title") or tail in ("아", "야"):
        return word not in ("verb", "adverb")
    if word == "clause":  # 지은, 하은: only before what follows no verb
        return tail in words_of("behind-no-verb")
    return word in _GIVEN_AS_NAME or (word in _NOUNS and not is_common(given, tailed=bool(tail)))


def _has_title_next(text: str, end: int) -> bool:
    """Return whether 씨 or another title follows one space after *end*."""
    return title_of(next_run(text, end)) != ""


def _score(fitting: Sequence[str]) -> float:
    return score("short form of one" if len(fitting) == 1 else "short form of several")


def _borne(text: str, spans: Sequence[Span]) -> frozenset[tuple[str, str]]:
    """Return each surname with the titles its bearers have: 도, 소장 of 현장소장 도균현."""
    return frozenset(
        (parts[0], title)
        for span in spans
        if span.label == LABEL and (parts := parts_of(text[span.start : span.end]))
        for title in titles_beside(text, span.start, span.end)
    )


def titled(
    text: str,
    *,
    known: Collection[str] = (),
    borne: Collection[tuple[str, str]] = frozenset(),
) -> Iterator[Span]:
    """Yield the surname before each title in *text*.

    ``known``: surnames of persons in it; a surname that is also a common word before a title, and
    one joined to a title that usually stands apart (왕이사), counts only there. ``borne``: surnames
    with the titles of those who have them; before such a title the surname counts whatever words
    the two are.
    """
    for start, end, surname, title, spaced in _before_titles(text):
        if (surname, in_short(title)) not in borne:
            doubtful = surname in words_of("surname-or-word") and surname not in known
            if doubtful and title != "씨":
                continue
            if spaced and titles()[title] not in _forms_after(surname):
                continue
            if not (spaced or surname in known or _is_joined(surname, title)):
                continue
        if _glued(text, start) or sign("of-a-clan").at(text, end):
            continue
        if _ends_role(text, start, surname):
            continue
        shown = (
            "before 씨" if title == "씨" else "before a title" if spaced else "joined to a title"
        )
        yield Span(start, start + len(surname), LABEL, score(f"surname {shown}"), "names:person")


@lru_cache(maxsize=2)
def _before_titles(text: str) -> Sequence[tuple[int, int, str, str, bool]]:
    """Return where a surname and what is joined to it stand, both, and whether a space is between.

    The last texts are remembered: they are read again when the persons in them are known.
    """
    found = []
    for start, run, (surname, joined) in _DIVIDED(text):
        end = start + len(run)
        if title := joined or _title(next_run(text, end), 0, _ANY_FORM):
            found.append((start, end, surname, title, not joined))
    return found


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
    title = _title(run, length, _ANY_FORM)
    word = run[: length + len(title)]
    is_word = word in titles() or is_ordinary(word)  # 지점장 is no 지
    is_open = _is_joined(surname, title) or word_class(word) != "noun"
    if title == "씨" or (title and not is_word and is_open):
        return surname, title
    return "", ""


def _is_joined(surname: str, title: str) -> bool:
    """Return whether the two are written in one word as a matter of course: 홍과장, 홍씨."""
    return title == "씨" or (titles().get(title) == "joined" and share(surname) >= _RARE)


@lru_cache(maxsize=1 << 10)
def _forms_after(surname: str) -> tuple[str, ...]:
    is_clear = surname not in words_of("surname-or-noun") and share(surname) >= _COMMON
    return ("joined", "spaced", "clear") if is_clear else ("joined", "spaced")


@lru_cache(maxsize=1 << 15)
def _title(run: str, start: int, forms: tuple[str, ...]) -> str:
    for end in range(min(len(run), start + _LONGEST_TITLE), start, -1):
        is_whole = run[end:] in tails() or run[start:] in tails()  # 원장은, 원장네
        if titles().get(run[start:end]) in forms and is_whole:
            return run[start:end]
    return ""


def _ends_role(text: str, start: int, surname: str) -> bool:
    """Return whether *surname* is the last letter of a spaced role word: 변 호 인 변호사."""
    letters = sign("spaced-letters").match(text, start)
    return letters is not None and role_group("".join(letters[0].split()) + surname) != ""


def _glued(text: str, start: int) -> bool:
    return start > 0 and (text[start - 1].isalnum() or text[start - 1] in ".,)]’”'\"」』〉》")
