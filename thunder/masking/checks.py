"""Hard checks before release: few and sure, each a question that a person has to answer.

They look at a finished result: what is masked, by which letter, and what stands beside it. What
they ask for is in ``taxonomy/checks.yaml``, their words and patterns with it. A place found is a
``Doubt`` whose kind is one of ``KINDS``. An answer is a decision: what a person masked or left
readable by ``Known`` is not asked again by the checks that a decision settles.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from thunder.masking.deciding import GIVEN, plain_at
from thunder.masking.doubts import Doubt
from thunder.masking.records import Deidentified
from thunder.masking.wordings import key_of
from thunder.names.chunks import is_unfamiliar, stem_length
from thunder.names.descriptors import read
from thunder.names.kinds import is_person
from thunder.names.legal_forms import FORM
from thunder.names.person_context import role_group
from thunder.names.person_tails import tails
from thunder.settings.resources import folder
from thunder.settings.yamlfile import Reader, YamlFileError
from thunder.taxonomy.gazetteer import bare_district, district
from thunder.taxonomy.lexicon import expression
from thunder.text.korean import Folded, fold
from thunder.text.letters import letters_in
from thunder.text.spans import Span

KINDS = (
    *("birth", "open", "spelling", "list", "edge"),
    *("touch", "shared", "profile", "pointer", "taken"),
)
"""The kinds of doubt that block a release; ``open`` is one of ``doubts`` already."""


class Check(NamedTuple):
    """One check as its file has it: its kind, names for people, and its words where it has some."""

    kind: str
    name: str
    message: str
    pattern: re.Pattern[str] | None
    beside: int
    unless: frozenset[str]


def is_hard(doubt: Doubt) -> bool:
    """Return whether a person has to answer *doubt* before the judgment is released."""
    return doubt.kind in KINDS


def checked(result: Deidentified, *, profile: str = "court") -> Deidentified:
    """Return *result* with what the hard checks find added to its doubts, by their rank.

    *profile* is the one it was de-identified by.
    """
    found = [*result.doubts, *find(result, profile=profile)]
    unique = dict.fromkeys(sorted(found, key=lambda one: one.rank))
    return replace(result, doubts=tuple(unique))


def find(result: Deidentified, *, profile: str = "court") -> list[Doubt]:
    """Return what the hard checks find in *result*, in code points of the original.

    A wording that is masked and open (kind ``open``) is among ``result.doubts`` and not found
    again here.
    """
    view = _view(result)
    found: list[Doubt] = []
    for check in checks().values():
        if profile in check.unless:
            continue
        places = _by_pattern(view, check) if check.pattern else _OF_MASKS[check.kind](view)
        for start, end in places:
            span = view.folded.original(Span(start, end, ""))
            found.append(Doubt(span.start, span.end, check.kind, check.message))
    return sorted(found, key=lambda one: (one.start, one.end))


@lru_cache
def checks(path: Path | None = None) -> dict[str, Check]:
    """Return the checks by kind, read strictly from *path*, the shipped file without one.

    YamlFileError lists every mistake with file and line.
    """
    reader = Reader(path or folder("taxonomy") / "checks.yaml")
    items = reader.mapping(reader.root, required=("checks",)).get("checks")
    found: dict[str, Check] = {}
    for item in reader.sequence(items):
        known = ("patterns", "beside", "unless")
        keys = reader.mapping(item, required=("kind", "name", "message"), known=known)
        kind = reader.text(keys.get("kind"), choices=KINDS)
        patterns = reader.texts(keys.get("patterns"))
        pattern = None
        try:
            pattern = re.compile("|".join(f"(?:{one})" for one in patterns)) if patterns else None
        except re.error as error:
            reader.refuse(keys["patterns"], f"is no regular expression: {error}")
        if kind and not patterns and kind not in _OF_MASKS:
            reader.refuse(item, f"the check '{kind}' needs patterns")
        unless = frozenset(reader.texts(keys.get("unless")))
        name, message = reader.text(keys.get("name")), reader.text(keys.get("message"))
        beside = reader.integer(keys.get("beside"))
        found[kind] = Check(kind, name, message, pattern, beside, unless)
    if reader.problems:
        raise YamlFileError(reader.problems)
    return found


# --- what the checks look at ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _View:
    """A result in folded text: what is masked, as what, and what was recognised and is kept."""

    folded: Folded
    masked: tuple[Span, ...]
    replacements: tuple[str, ...]
    kept: tuple[Span, ...]

    @property
    def plain(self) -> str:
        return self.folded.text

    def by_letters(self) -> Iterator[tuple[Span, str]]:
        """Yield what is masked by a letter, and the letter."""
        for span, replacement in zip(self.masked, self.replacements, strict=True):
            if _LETTER.fullmatch(replacement):
                yield span, replacement

    def is_open(self, start: int, end: int) -> bool:
        """Return whether nothing of the stretch is masked, or was decided to stay readable."""
        given = (one for one in self.kept if one.source == GIVEN)
        return not _touches(self.masked, start, end) and not _touches(tuple(given), start, end)


_LETTER = re.compile("[A-Z]{1,3}")


def _touches(spans: tuple[Span, ...], start: int, end: int) -> bool:
    at = bisect_right(spans, start, key=lambda one: one.end)
    return at < len(spans) and spans[at].start < end


def _view(result: Deidentified) -> _View:
    folded = fold(result.original)

    def plain(span: Span) -> Span | None:
        start, end = plain_at(folded, span.start), plain_at(folded, span.end)
        return replace(span, start=start, end=end) if start < end else None

    masked: list[Span] = []
    replacements: list[str] = []
    for change in result.changes:
        span = plain(change.span)
        if span:
            masked.append(span)
            replacements.append(change.replacement)
    kept = [span for one in result.kept if (span := plain(one.span))]
    return _View(folded, tuple(masked), tuple(replacements), tuple(kept))


# --- words and patterns --------------------------------------------------------------------------


def _by_pattern(view: _View, check: Check) -> Iterator[tuple[int, int]]:
    """Yield the first place of each wording that the check's patterns find and that is open."""
    assert check.pattern is not None
    letters = tuple(span for span, _ in view.by_letters())
    seen: set[str] = set()
    for match in check.pattern.finditer(view.plain):
        start, end = match.span()
        key = key_of(match[0])
        if key in seen or not view.is_open(start, end):
            continue
        if check.beside and not _has_beside(view.plain, letters, start, end, check.beside):
            continue
        seen.add(key)
        yield start, end
        if check.unless:
            return  # it is asked of the whole judgment


def _has_beside(plain: str, spans: tuple[Span, ...], start: int, end: int, most: int) -> bool:
    line = plain.rfind("\n", 0, start) + 1
    stop = plain.find("\n", end)
    stop = stop if stop >= 0 else len(plain)
    return _touches(spans, max(line, start - most), min(stop, end + most))


# --- transliterations ----------------------------------------------------------------------------

_BRACKET_AFTER = re.compile(
    r"(?P<rest>[가-힣]{0,10}) ?\( ?"
    r"(?P<other>[A-Za-z][A-Za-z .,&'-]{1,60}|[\u4e00-\u9fff]{2,6}) ?[,)]"
)
_WORD_BEFORE = re.compile(r"(?P<word>[가-힣]{2,20}) ?\( ?\Z")
_LATIN = re.compile("[A-Za-z]+")
_ALIKE = 0.75
_LEAST_CONSONANTS = 2


def _spellings(view: _View) -> Iterator[tuple[int, int]]:
    """Yield the open side of 한빛테크(Hanbit Tech) where the other is masked."""
    for span, _ in view.by_letters():
        word = view.plain[span.start : span.end]
        after = _BRACKET_AFTER.match(view.plain, span.end)
        if after and view.is_open(*after.span("other")):
            whole = word + after["rest"]
            if _is_spelling(whole, after["other"]) or _is_spelling(word, after["other"]):
                yield after.span("other")
        before = _WORD_BEFORE.search(view.plain, max(0, span.start - 24), span.start)
        if before is None or not _LATIN.match(word):
            continue
        if view.is_open(*before.span("word")) and _is_spelling(before["word"], word):
            yield before.span("word")


def _is_spelling(hangul: str, other: str) -> bool:
    """Return whether *other*, in Latin or Chinese letters, says what *hangul* does."""
    if "\u4e00" <= other[0] <= "\u9fff":
        return len(key_of(hangul)) == len(other)
    sound = _consonants(hangul)
    words = _LATIN.findall(other)
    latin = (_consonants(" ".join(words[:many])) for many in range(1, len(words) + 1))
    return len(sound) >= _LEAST_CONSONANTS and any(
        SequenceMatcher(None, sound, one, autojunk=False).ratio() >= _ALIKE for one in latin
    )


_JAMO = str.maketrans(
    dict(zip("ᄀᄁᄂᄃᄄᄅᄆᄇᄈᄉᄊᄌᄍᄎᄏᄐᄑᄒ", "kknttlmppsssssktph", strict=True))
    | dict(zip("ᆨᆩᆫᆮᆯᆷᆸᆺᆻᆼᆽᆾᆿᇀᇁᇂ", "kkntlmpttnttktph", strict=True))
)
_SOUNDS = (("ch", "s"), ("sh", "s"), ("ph", "p"), ("th", "t"), ("ng", "n"), ("ck", "k"))
_LATIN_CLASSES = str.maketrans(
    dict(zip("bcdfghjklmnpqrstvxz", "pktpkhsklmnpklstpss", strict=True))
    | dict.fromkeys("aeiouwy '.,-&", "")
)


def _consonants(word: str) -> str:
    """Return the consonants that *word*, in Hangul or Latin letters, is heard to have."""
    if _LATIN.match(word):
        word = word.lower()
        for letters, sound in _SOUNDS:
            word = word.replace(letters, sound)
        return word.translate(_LATIN_CLASSES)
    spelt = unicodedata.normalize("NFD", word).translate(_JAMO)
    return "".join(char for char in spelt if char.isascii() and char.isalpha())


# --- lists ---------------------------------------------------------------------------------------

_SEPARATOR = r"(?: ?[,·ㆍ․] ?| 및 )"
_ITEM_BETWEEN = re.compile(rf"{_SEPARATOR}(?P<item>[가-힣]{{2,4}}){_SEPARATOR}")
_ITEMS_BEFORE = re.compile(rf"(?:(?<![가-힣])[가-힣]{{2,8}}{_SEPARATOR})+\Z")
_ITEMS_AFTER = re.compile(rf"(?:{_SEPARATOR}[가-힣]{{2,8}})+")
_LEAST_OTHERS = 2
_LONGEST_LIST = 200


def _lists(view: _View) -> Iterator[tuple[int, int]]:
    """Yield the open name between two masked ones, and the masked place among open ones."""
    letters = [span for span, _ in view.by_letters()]
    for first, second in pairwise(letters):
        between = _ITEM_BETWEEN.fullmatch(view.plain, first.end, second.start)
        if between and is_person(first.label) and is_person(second.label):
            item = between["item"]
            is_name = is_unfamiliar(item) and not role_group(item)
            if is_name and view.is_open(*between.span("item")) and not _is_kept(view, between):
                yield between.span("item")
    for span in letters:
        before = _ITEMS_BEFORE.search(view.plain, max(0, span.start - _LONGEST_LIST), span.start)
        after = _ITEMS_AFTER.match(view.plain, span.end)
        others = [*_items(before), *_items(after)]
        if is_person(span.label) or len(others) < _LEAST_OTHERS:
            continue
        if all(map(_is_district, others)):
            yield span.start, span.end


def _is_district(item: str) -> bool:
    word = item[: stem_length(item)]
    return any(district(one) or bare_district(one) for one in (item, word))


def _is_kept(view: _View, item: re.Match[str]) -> bool:
    return _touches(view.kept, *item.span("item"))


def _items(found: re.Match[str] | None) -> list[str]:
    return [one for one in re.split(_SEPARATOR, found[0]) if one] if found else []


# --- edges ---------------------------------------------------------------------------------------

_RUN = re.compile("[가-힣]+")
_RUN_BEFORE = re.compile("[가-힣]+\\Z")


def _edges(view: _View) -> Iterator[tuple[int, int]]:
    """Yield the words of which a person's mask takes a part only."""
    starts = [span.start for span in view.masked]
    for span, _ in view.by_letters():
        if not is_person(span.label):
            continue
        at = bisect_left(starts, span.end)
        stop = starts[at] if at < len(starts) else len(view.plain)
        after = _RUN.match(view.plain, span.end, stop)
        before = _RUN_BEFORE.search(view.plain, max(0, span.start - 12), span.start)
        if after and not _may_follow(after[0]):
            yield span.start, after.end()
        elif before and not _may_precede(before[0]):
            yield before.start(), span.end


def _may_follow(run: str) -> bool:
    """Return whether *run* is a particle, a role with one, or a generic noun."""
    if run in tails() or read(run) is not None or expression(FORM).match(run):
        return True
    return any(role_group(run[:cut]) and run[cut:] in tails() for cut in range(len(run), 0, -1))


def _may_precede(run: str) -> bool:
    return any(role_group(run[cut:]) for cut in range(len(run))) or bool(
        expression(FORM).match(run)
    )


def _touching(view: _View) -> Iterator[tuple[int, int]]:
    """Yield two masks by letters with nothing between them."""
    found = list(view.by_letters())
    for (first, _), (second, _) in pairwise(found):
        if first.end == second.start:
            yield first.start, second.end


# --- letters -------------------------------------------------------------------------------------

_BODY = re.compile(
    r"^[ \t]*(?:주[ \t]*문|이[ \t]*유|범[ \t]*죄[ \t]*사[ \t]*실)[ \t]*$", re.MULTILINE
)
_LONGEST_HEADING = 20_000


def _shared(view: _View) -> Iterator[tuple[int, int]]:
    """Yield the parties of the heading that have the letter of another one above.

    A party is what is masked first in a line; what goes on in its word (한빛|건설) is part of it.
    """
    body = _BODY.search(view.plain)
    if body is None or body.start() > _LONGEST_HEADING:
        return
    named: dict[str, str] = {}
    line: int | None = None
    for span, letter in view.by_letters():
        if span.start >= body.start():
            return
        begins = view.plain.rfind("\n", 0, span.start)
        if begins == line:
            continue
        line = begins
        name = _whole(view.plain, span)
        if named.setdefault(letter, name) != name:
            yield span.start, span.end


def _whole(plain: str, span: Span) -> str:
    """Return what is masked with the rest of its word, without particles and legal forms."""
    name = key_of(plain[span.start : span.end])
    run = _RUN.match(plain, span.end)
    if is_person(span.label) or run is None or run[0] in tails() or expression(FORM).match(run[0]):
        return name
    return name + run[0]


def _taken(view: _View) -> Iterator[tuple[int, int]]:
    """Yield the first place of a letter that stands in the original and is given out, too."""
    given = {letter for _, letter in view.by_letters()}
    for letter in sorted(given & letters_in(view.plain)):
        lone = re.compile(f"(?<![A-Za-z]){letter}(?![A-Za-z])")
        for match in lone.finditer(view.plain):
            if view.is_open(*match.span()):
                yield match.span()
                break


def _nothing(view: _View) -> Iterator[tuple[int, int]]:
    """Yield nothing: ``doubts`` found it already."""
    yield from ()


_OF_MASKS: dict[str, Callable[[_View], Iterator[tuple[int, int]]]] = {
    "open": _nothing,
    "spelling": _spellings,
    "list": _lists,
    "edge": _edges,
    "touch": _touching,
    "shared": _shared,
    "taken": _taken,
}
