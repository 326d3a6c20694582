"""Which mentions speak of the same person or company: an entity number for each span."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from thunder.names.given_names import surname_of, surnames
from thunder.names.kinds import is_person
from thunder.names.person_tails import tails, titles
from thunder.spans import Span

Key = tuple[str, ...]
"""What two mentions of one entity have in common."""

PERSON, THING, NUMBER, SHORT = "person", "thing", "number", "short"

_LEGAL_FORM = re.compile(
    r"㈜|\(주\)|\(유\)|\(합\)|\(株\)|\(사\)|\(재\)|(?:유한책임|주식|유한|합자|합명)회사|"
    r"(?:사단|재단|의료|학교|사회복지|종교)법인|주식회사"
)
_BRACKETED = re.compile(r"[(\[][^()\[\]]*[)\]]")
_NOISE = re.compile(r"[^0-9a-z가-힣\u3400-\u9fff]+")
_HANGUL_NAME = re.compile(r"[가-힣]{3,4}")
# One entity, two forms: '홍길동(洪吉東', '주식회사 한빛전자(이하 ‘한빛'.
_OTHER_SCRIPT = re.compile(r" ?[(\[] ?(?:영문(?:명|성명|이름)?|한자)? ?[:：]? ?\Z")
_RENAMED = re.compile(
    rf"(?: ?(?:{_LEGAL_FORM.pattern}))?(?: ?\([^()\n]{{1,40}}\))? ?"
    r"[(\[](?:[^()\n]{0,40}, ?)?(?:이하|다음부터|아래에서|개명 ?[전후]|본명|약칭)[^()\n]{0,12}\Z"
)
_ALIAS = re.compile(r"(?:일명|가명|예명|별칭|속칭) ?[:：]? ?[‘'“\"]?\Z")
_MOST_BETWEEN = 60
_WORD = re.compile(r" ?([가-힣]+)")


def entities(text: str, spans: Sequence[Span]) -> list[int]:
    """Return the entity number of each of *spans*: 0, 1, 2 … in order of first appearance.

    Mentions are one entity where their normalised forms agree (spaces, brackets, Hanja and legal
    form removed) and their labels are compatible: persons with persons; things with things;
    numbers only with the same label. A short form (길동이, 홍 과장) joins the one person it
    fits; where several fit it is an entity of its own. The same input gives the same numbers.
    """
    keys = [_key(text, span) for span in spans]
    one = _Union(keys)
    for first, second in _introduced(text, spans, keys):
        one.join(first, second)
    full = _FullNames(text, spans, keys, one)
    aliases = {key for span, key in zip(spans, keys, strict=True) if _is_alias(text, span)}
    for span, key in zip(spans, keys, strict=True):
        if key in aliases:
            continue
        if key[0] in (SHORT, PERSON) and (whole := full.fitting(key[1], _title(text, span))):
            one.join(key, whole)
    numbers: dict[Key, int] = {}
    return [numbers.setdefault(one.of(key), len(numbers)) for key in keys]


def _key(text: str, span: Span) -> Key:
    surface = text[span.start : span.end]
    family = _family(span.label)
    name = _normal(surface)
    if not any(char.isalpha() for char in name):
        return NUMBER, span.label, name or surface
    if family == PERSON and name in surnames() and (title := _title(text, span)):
        return SHORT, name, title
    return family, name


def _is_alias(text: str, span: Span) -> bool:
    """Return whether *span* is a name somebody only goes by: 성명불상자(일명 ‘김 실장’)."""
    return _ALIAS.search(text, max(0, span.start - 12), span.start) is not None


def _normal(surface: str) -> str:
    """Return *surface* without spaces, marks, brackets and legal form, in small letters."""
    plain = _LEGAL_FORM.sub("", unicodedata.normalize("NFKC", surface).casefold())
    outside = _NOISE.sub("", _BRACKETED.sub("", plain))
    return outside or _NOISE.sub("", plain)


def _family(label: str) -> str:
    return PERSON if is_person(label) else THING


def _introduced(text: str, spans: Sequence[Span], keys: Sequence[Key]) -> Iterator[tuple[Key, Key]]:
    """Yield the keys of neighbours of which the second is the first's other form or short name."""
    for index in range(len(spans) - 1):
        left, right = spans[index], spans[index + 1]
        numbered = NUMBER in (keys[index][0], keys[index + 1][0])
        if numbered or _family(left.label) != _family(right.label):
            continue
        between = text[left.end : right.start][: _MOST_BETWEEN + 1]
        transcribed = _script(text, left) != _script(text, right)
        if (transcribed and _OTHER_SCRIPT.fullmatch(between)) or _RENAMED.fullmatch(between):
            yield keys[index], keys[index + 1]


def _script(text: str, span: Span) -> str:
    first = text[span.start]
    return "hangul" if "가" <= first <= "힣" else "latin" if first.isascii() else "hanja"


def _title(text: str, span: Span) -> str:
    """Return the title right after *span* ('과장' of '홍 과장은'), or ""."""
    match = _WORD.match(text, span.end, span.end + 8)
    if match is None:
        return ""
    word = match[1]
    ends = range(len(word), 0, -1)
    return next(
        (word[:end] for end in ends if word[:end] in titles() and word[end:] in tails()), ""
    )


class _FullNames:
    """The persons named in full, by what a short form of them would be."""

    def __init__(
        self, text: str, spans: Sequence[Span], keys: Sequence[Key], one: "_Union"
    ) -> None:
        self._one = one
        self._by_part: dict[str, set[Key]] = defaultdict(set)
        self._by_title: dict[tuple[str, str], set[Key]] = defaultdict(set)
        for span, key in zip(spans, keys, strict=True):
            if key[0] == PERSON:
                for part in _parts(text[span.start : span.end], key[1]):
                    self._by_part[part].add(key)
                    self._by_title[part, _title(text, span)].add(key)

    def fitting(self, short: str, title: str) -> Key | None:
        """Return the one person *short* fits, or None; of several, the one with the same title."""
        for candidates in (self._by_part.get(short), self._by_title.get((short, title))):
            whole = {self._one.of(key) for key in candidates or ()}
            if len(whole) == 1:
                return whole.pop()
        return None


def _parts(surface: str, name: str) -> Iterable[str]:
    """Return what *name* may be shortened to: surname, given name, the parts of a foreign name."""
    if _HANGUL_NAME.fullmatch(name) and (surname := surname_of(name)):
        return surname, name[len(surname) :]
    parts = surface.split()
    return [_normal(part) for part in parts if len(part) > 1] if len(parts) > 1 else []


class _Union:
    """Sets of keys that stand for one entity; each set is named by its first key."""

    def __init__(self, keys: Iterable[Key]) -> None:
        self._parent: dict[Key, Key] = {key: key for key in keys}
        self._order = {key: place for place, key in enumerate(self._parent)}

    def of(self, key: Key) -> Key:
        """Return the key that names the set of *key*."""
        while self._parent[key] != key:
            self._parent[key] = self._parent[self._parent[key]]
            key = self._parent[key]
        return key

    def join(self, one: Key, other: Key) -> None:
        """Make one set of the two."""
        first, second = sorted((self.of(one), self.of(other)), key=self._order.__getitem__)
        self._parent[second] = first
