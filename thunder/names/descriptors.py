"""Generic nouns that show what a name is (식당, 은행, 아파트), and the name joined to one."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import concat
from pathlib import Path
from typing import NamedTuple

from thunder.names.chunks import is_placeholder, stem_length
from thunder.names.patterns.signs import sign
from thunder.names.runs import Wordings
from thunder.names.well_known import is_station, known_label
from thunder.settings.resources import in_taxonomy
from thunder.settings.yamlfile import Reader, YamlFileError
from thunder.taxonomy import messages as say
from thunder.taxonomy.lexicon import expression
from thunder.taxonomy.own import working
from thunder.text import lazy

ORGANISATION, PLACE = "organisation", "place"
UNKNOWN = "불특정회사명"
"""The label of a name that nothing around it describes."""

_SECTIONS = {"organisations": ORGANISATION, "places": PLACE}
_KINDS_OF_NOUNS = ("inside", "common", "vague", "joined")
_LISTS = ("outside", "never", "apart", "plain", "whole")

# What may stand between a noun and its particle within one word: 국민은행계좌로, 나리식당앞에서.
_AFTER = expression(
    "(?:<follows-noun>|[0-9]{1,3}층|[0-9]{1,4}[호동]|[0-9]단지|제?[0-9](?:관|호점|차))?<tail>?"
)
_LAST_PART = lazy.compile(r"[^ ·․ㆍ/,]+$")
_LONGEST_NAME = 20
_LONGEST_REST = 32  # what follows a noun in its word: a branch or a follower, and particles


class Descriptor(NamedTuple):
    """One generic noun: its label, and how it names (see taxonomy/cues/descriptors.yaml)."""

    noun: str
    label: str
    kind: str
    inside: bool
    common: bool
    vague: bool
    joined: bool
    kinds: frozenset[str]
    kind_endings: tuple[str, ...]


class Lexicon(NamedTuple):
    """All descriptors by noun, those that are looked for in words, and the words that are no names.

    ``single`` are nouns of one character, ``longer`` the others.
    """

    nouns: Mapping[str, Descriptor]
    longer: Wordings[Descriptor]
    single: frozenset[str]
    longest: int
    never: frozenset[str]
    apart: frozenset[str]
    plain: tuple[str, ...]
    outside: re.Pattern[str]
    whole: re.Pattern[str]


class Reading(NamedTuple):
    """A descriptor found in a word: where the noun stands, and where the name before it ends.

    ``name_end`` is 0 where the noun begins the word: the name, if any, stands before the space.
    """

    descriptor: Descriptor
    noun_start: int
    noun_end: int
    name_end: int


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the descriptors of taxonomy/cues/descriptors.yaml."""
    data = _read(in_taxonomy("cues", "descriptors.yaml"))
    inside, common, vague, joined = (frozenset(data.words[key]) for key in _KINDS_OF_NOUNS)
    nouns = {
        noun: Descriptor(
            noun, label, kind, noun in inside, noun in common or noun in vague, noun in vague,
            noun in joined, *_kinds(data.kinds.get(noun, ())),
        )
        for noun, (label, kind) in data.nouns.items()
    }  # fmt: skip
    never, apart = frozenset(data.words["never"]), frozenset(data.words["apart"])
    outside = _longest_first(data.words["outside"])
    return Lexicon(
        nouns=nouns,
        longer=Wordings({noun: one for noun, one in nouns.items() if len(noun) > 1}),
        single=frozenset(noun for noun in nouns if len(noun) == 1),
        longest=max(map(len, nouns)),
        never=never,
        apart=never | apart,
        plain=tuple(data.words["plain"]),
        outside=lazy.compile(rf"(?:{outside})(?={_AFTER.pattern}\Z)"),
        whole=lazy.compile(_longest_first(data.words["whole"])),
    )


class _Written(NamedTuple):
    """What the file says: nouns with label and kind, the kinds before a noun, lists of words."""

    nouns: Mapping[str, tuple[str, str]]
    kinds: Mapping[str, list[str]]
    words: Mapping[str, list[str]]


def _read(path: Path) -> _Written:
    """Return what *path* says; YamlFileError names every fault with file, line and cure."""
    reader, labels = Reader(path), working()
    top = reader.mapping(reader.root, required=(*_SECTIONS, *_KINDS_OF_NOUNS, *_LISTS, "kinds"))
    nouns: dict[str, tuple[str, str]] = {}
    for section, kind in _SECTIONS.items():
        for written, node in reader.mapping(top.get(section)).items():
            if not labels.knows(written):
                reader.refuse(node, say.NO_LABEL_CALLED(written=written))
                continue
            label = labels.label(written).ko
            for item in reader.sequence(node):
                noun = reader.text(item)
                if noun in nouns:
                    reader.refuse(item, say.TWO_LABELS(noun=noun, label=nouns[noun][0]))
                nouns[noun] = (label, kind)
    words: dict[str, list[str]] = {}
    for key in (*_KINDS_OF_NOUNS, *_LISTS):
        items = reader.sequence(top.get(key))
        words[key] = [reader.text(item) for item in items]
        for noun, item in zip(words[key], items, strict=True):
            if key in _KINDS_OF_NOUNS and noun not in nouns:
                reader.refuse(item, say.NO_NOUN(noun=noun))
    kinds = {}
    for noun, node in reader.mapping(top.get("kinds")).items():
        if noun not in nouns:
            reader.refuse(node, say.NO_NOUN(noun=noun))
        kinds[noun] = [reader.text(item) for item in reader.sequence(node)]
    if reader.problems:
        raise YamlFileError(reader.problems)
    return _Written(nouns, kinds, words)


def _longest_first(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def _kinds(words: Sequence[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the whole words of a list of kinds, and the endings ("*의회")."""
    endings = tuple(word[1:] for word in words if word[0] == "*")
    return frozenset(word for word in words if word[0] != "*"), endings


@lru_cache(maxsize=1 << 16)
def read(word: str) -> Reading | None:
    """Return the descriptor that ends *word* (but for particles and 계좌, 앞 …), or None.

    The first from the left whose rest reads so; a branch (국민은행강남지점) only where none does.
    """
    nouns = _nouns_in(word)
    if not nouns:
        return None
    reading = _reading(word, nouns, _AFTER)
    if reading is None or reading.descriptor.noun == "지점":
        return _reading(word, nouns, sign("branch-joined").pattern) or reading
    return reading


def _nouns_in(word: str) -> list[tuple[int, Descriptor]]:
    """Return the nouns near the end of *word*, and where each begins; there the longest first."""
    known = lexicon()
    longer, single = known.longer, known.single
    found: list[tuple[int, Descriptor]] = []
    if single.isdisjoint(word) and longer.heads.keys().isdisjoint(map(concat, word, word[1:])):
        return found  # as nearly all words
    for start in range(max(0, len(word) - known.longest - _LONGEST_REST), len(word)):
        found += ((start, longer.known[noun]) for noun in longer.at(word, start))
        if word[start] in single:
            found.append((start, known.nouns[word[start]]))
    return found


def _reading(
    word: str, nouns: Iterable[tuple[int, Descriptor]], after: re.Pattern[str]
) -> Reading | None:
    for start, descriptor in nouns:
        end = start + len(descriptor.noun)
        if after.fullmatch(word, end):
            return Reading(descriptor, start, end, _name_end(word, start, descriptor))
    return None


def _name_end(word: str, start: int, descriptor: Descriptor) -> int:
    """Return where the name joined before the noun ends, 0 where there is none."""
    if start == 0 or start > _LONGEST_NAME or not is_name(word[:start], descriptor):
        return 0
    return start


@lru_cache(maxsize=1 << 14)
def outside_noun(word: str) -> int | None:
    """Return where the noun begins that *word* ends in and that is no part of any name, or None.

    한빛|대학원에서; not 의학전문대학원, of which all is a kind.
    """
    match = lexicon().outside.search(word)
    if match is None:
        return None
    descriptor = lexicon().nouns.get(match[0])
    before = word[: match.start()]
    if descriptor is None:
        is_no_name = before in lexicon().never
    else:
        is_no_name = is_kind(before, descriptor, apart=False)
    return None if is_no_name else match.start()


def is_name(chunk: str, descriptor: Descriptor, *, apart: bool = False) -> bool:
    """Return whether *chunk* before *descriptor* may be a name and not a kind of the noun.

    *apart* says that a space stands between them, where more words name nothing.
    """
    if descriptor.noun == "역" and len(chunk) > 2 and is_station(chunk):
        return True  # 4.19민주묘지
    known = lexicon()
    last = _LAST_PART.search(chunk)
    part = last[0] if last else chunk
    if is_kind(part, descriptor, apart=apart) or part[: stem_length(part)] in known.never:
        return False
    if sign("unfinished").fits(part) or sign("goes-on-behind-a-figure").fits(part):
        return False
    if is_placeholder(part):
        return known_label(part) == descriptor.label  # GS 편의점, KB은행
    if len(part) == 1 and (apart or descriptor.common):
        return False
    return not _is_made_of(part, known.never | descriptor.kinds, known)


def is_kind(word: str, descriptor: Descriptor, *, apart: bool) -> bool:
    """Return whether *word* before *descriptor* says what kind it is: 유흥|주점, 유령|회사."""
    known = lexicon()
    if word in (known.apart if apart else known.never) or word in descriptor.kinds:
        return True
    if known.whole.fullmatch(f"{word}{' ' * apart}{descriptor.noun}"):
        return True  # 시립|병원, 평생직업 교육|학원
    return word.endswith(descriptor.kind_endings)


def _is_made_of(chunk: str, first: frozenset[str], known: Lexicon) -> bool:
    """Return whether *chunk* is two ordinary words of two syllables or more (일반유흥)."""
    return any(
        chunk[:cut] in first and (chunk[cut:] in known.apart or chunk[cut:] in known.nouns)
        for cut in range(2, len(chunk) - 1)
    )


def is_noun(word: str) -> bool:
    """Return whether *word* is a generic noun by itself: 식당, 은행에서; no 나리식당."""
    reading = read(word)
    return reading is not None and reading.noun_start == 0


def label_of(noun: str) -> str:
    """Return the label of a describing noun (투자회사, 식당), UNKNOWN for one without."""
    reading = read(noun)
    return reading.descriptor.label if reading else UNKNOWN
