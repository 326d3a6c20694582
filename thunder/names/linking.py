"""Which mentions speak of the same person or company: an entity number for each span."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from thunder.names.chunks import hangul_after, letters_of
from thunder.names.defined import in_turn
from thunder.names.descriptors import read
from thunder.names.given_names import parts_of, surnames
from thunder.names.kinds import is_address, is_name, is_number, is_person
from thunder.names.legal_forms import LEGAL_FORM
from thunder.names.patterns.signs import sign
from thunder.names.person_tails import (
    in_short,
    tails,
    title_behind,
    title_of,
    titles,
    titles_beside,
)
from thunder.taxonomy.lexicon import expression, words_of
from thunder.text import lazy
from thunder.text.spans import Span

Key = tuple[str, ...]
"""What two mentions of one entity have in common."""

PERSON, THING, NUMBER, SHORT, CLAN = "person", "thing", "number", "short", "clan"

_BRACKETED = lazy.compile(r"[(\[][^()\[\]]*[)\]]")
# A thing's generic noun may stand between, and the role of the short name in its quotes:
# '세지빌딩(이하 ‘피고 나루'. Nothing may be closed before it: '세지빌딩(이하 ‘건물’, 주인 홍길동'.
_OPENING, _QUOTES = "'\"‘“`「『<〈´", "'\"‘’“”`「」『』<>〈〉´"
_NAMED = expression(
    rf"(?P<noun>[가-힣]{{1,12}}?)??(?: ?(?:<legal-form>))?(?: ?\([^()\n]{{1,40}}\))? ?"
    r"[(\[](?P<clause>[^()\n]{0,40}, ?)?<hereafter>,? ?(?:<simply> ?)?"
    rf"(?:[{_OPENING}][^()\n,{_QUOTES}]{{1,12}}[{_QUOTES}] ?(?:또는|혹은) ?)?"
    rf"(?:[{_OPENING}](?P<role>[^()\n,{_QUOTES}]{{0,12}}))?"
)
_VILLAGES = frozenset("읍면동리")  # 나래읍 is none of its villages: 나래읍 온누리
_MOST_BETWEEN, _LONGEST_REST, _LONGEST_ALIAS = 140, 14, 16
_LONGEST_NOUN = 12

LOT, BARE_LOT = "lot", "bare lot"
"""The first part of the key of a lot after its place's name, and of a lot that stands alone."""

# 12, 12-3, 12의 3, 12번지, 12번지의 3, 12번지 3호, 산 12.
_LOT = lazy.compile(
    r"(?<![0-9A-Za-z-])(?P<hill>(?<![가-힣])산 ?)?(?P<number>[0-9]{1,4})(?P<unit> ?번지)?"
    r"(?:(?: ?- ?| ?의 ?|(?<=번지) )(?P<branch>[0-9]{1,4}) ?호?)?(?: ?번지)?\Z"
)
_MOST_BETWEEN_LOTS = 20
_CALLED = tuple("이아야")


def entities(text: str, spans: Sequence[Span]) -> list[int]:
    """Return the entity number of each of *spans*: 0, 1, 2 … in order of first appearance.

    Mentions are one entity where their normalised forms agree (spaces, brackets, Hanja and legal
    form removed) and their labels are compatible: persons with persons; things with things;
    numbers only with the same label, but lots of land, which are called by place and number first
    and then by their number alone (위 12-3 토지). A short form (길동이,
    홍 과장) joins the one person it fits; where several fit it is an entity of its own, and so is
    who is only called by a clan (밀양 박씨). The same input gives the same numbers.
    """
    keys = _with_places(text, spans, [_key(text, span) for span in spans])
    one = _Union(keys)
    other_forms = _introduced(text, spans, keys), _continued(text, spans, keys), _one_lot(keys)
    for first, second in chain(*other_forms):
        one.join(first, second)
    full = _FullNames(text, spans, keys, one)
    called = _called(text, spans, keys)
    aliases = {key for span, key in zip(spans, keys, strict=True) if _is_alias(text, span)}
    for span, key in zip(spans, keys, strict=True):
        if key in aliases:
            continue
        if key[0] not in (SHORT, PERSON):
            continue
        whole = full.fitting(key[1], title_behind(text, span.end))
        if whole is None and key in called:
            whole = full.fitting(key[1][:-1], "")
        if whole is not None:
            one.join(key, whole)
    numbers: dict[Key, int] = {}
    return [numbers.setdefault(one.of(key), len(numbers)) for key in keys]


def name_of(text: str, span: Span) -> str:
    """Return by what a mention is known in other texts, too; "" for a short form (김 과장)."""
    key = _key(text, span)
    return "" if key[0] in (SHORT, CLAN) else " ".join(key[1:])


def _key(text: str, span: Span) -> Key:
    surface = text[span.start : span.end]
    if is_address(span.label) and (lot := _lot_key(_BRACKETED.sub("", surface).rstrip())):
        return lot
    family = _family(span.label)
    name = _normal(surface)
    if is_number(span.label) or not any(char.isalpha() for char in name):
        return NUMBER, span.label, name.removesuffix("호") or surface  # 12가3456호, 12가3456
    if family == PERSON and name in surnames() and (title := title_behind(text, span.end)):
        return (CLAN if sign("seat-of-a-clan-before").at(text, span.start) else SHORT), name, title
    return family, name


def _is_alias(text: str, span: Span) -> bool:
    """Return whether *span* is a name somebody only goes by: 성명불상자(일명 ‘김 실장’)."""
    return sign("alias-of").at(text, span.start)


def _called(text: str, spans: Sequence[Span], keys: Sequence[Key]) -> set[Key]:
    """Return the keys of given names that are only said with 이, or called with 아 or 야.

    길동이가, “길동아, …”. One place where it stands as whole names do, and it is a name itself:
    정수아는 is not 정수.
    """
    is_called: dict[Key, bool] = {}
    for span, key in zip(spans, keys, strict=True):
        if key[0] == PERSON and key[1][-1:] in _CALLED:
            is_inside = "가" <= text[span.end : span.end + 1] <= "힣"
            fits = is_inside if key[1].endswith("이") else not is_inside
            is_called[key] = is_called.get(key, True) and fits
    return {key for key, holds in is_called.items() if holds}


def _normal(surface: str) -> str:
    """Return *surface* without spaces, marks, brackets and legal form, in small letters."""
    plain = LEGAL_FORM.sub("", unicodedata.normalize("NFKC", surface).casefold())
    return letters_of(_BRACKETED.sub("", plain)) or letters_of(plain)


def _family(label: str) -> str:
    return PERSON if is_person(label) else THING


def _introduced(text: str, spans: Sequence[Span], keys: Sequence[Key]) -> Iterator[tuple[Key, Key]]:
    """Yield the keys of neighbours of which the second is the first's other form or short name."""
    known = set(keys)
    of = dict(zip(spans, keys, strict=True))
    by_start = {span.start: span for span in spans}
    listed = {short.start: whole for whole, short in in_turn(text, spans)}
    for start, whole in listed.items():
        if start in by_start:
            yield of[whole], of[by_start[start]]
    for (left, key), (right, other) in pairwise(zip(spans, keys, strict=True)):
        if {NUMBER, BARE_LOT} & {key[0], other[0]} or right.start - left.end > _MOST_BETWEEN:
            continue
        if right.start in listed:  # it is of the list, and not its last name's
            continue
        if sign("and-others").at(text, right.end):  # 홍길동(이하 ‘김철수 등 9인’이라 한다)
            continue
        if _family(left.label) == _family(right.label):
            if any(says(text, left, right) for says in (_is_other_form, _is_named, _is_known_as)):
                yield key, other
        elif other[0] == PERSON and _is_slip(text, left, right):
            yield key, other
            if (thing := (THING, other[1])) in known:  # where the tagger read it rightly
                yield key, thing


def _continued(text: str, spans: Sequence[Span], keys: Sequence[Key]) -> Iterator[tuple[Key, Key]]:
    """Yield the keys of a thing masked with what follows it and without: 한빛대학, 한빛|대학의.

    Not where what follows it makes two things of it (한빛건설 and 한빛전자).
    """
    known = {key for key in keys if key[0] == THING}
    wholes: dict[Key, set[Key]] = defaultdict(set)
    for span, key in zip(spans, keys, strict=True):
        if key not in known or len(key[1]) < 2 or key[1][-1] in _VILLAGES:
            continue
        if match := sign("name-goes-on").match(text, span.end):
            rest = letters_of(match[0])[:_LONGEST_REST]
            names = (key[1] + rest[:end] for end in range(1, len(rest) + 1))
            wholes[key] |= known.intersection((THING, name) for name in names)
    for key, found in wholes.items():
        longest = max((name for _, name in found), key=len, default="")
        if all(longest.startswith(name) for _, name in found):
            yield from ((key, whole) for whole in sorted(found))


def _is_other_form(text: str, left: Span, right: Span) -> bool:
    """Return whether brackets right after *left* open with *right*, its Hanja or new name."""
    between = text[left.end : right.start]
    transcribed = _script(text, left) != _script(text, right)
    if transcribed and sign("brackets-another-script").fits(between):
        return True
    return sign("brackets-another-name").fits(between)


def _is_known_as(text: str, left: Span, right: Span) -> bool:
    """Return whether brackets between two mentions say that they are one person's.

    권오준(일명 ‘권 실장’), ‘조 사장’(본명 조병훈): the surname has to be the same.
    """
    before, opening, _ = text[left.end : right.start].partition("(")
    word = before.strip(_QUOTES + " ")
    if not opening or right.start - left.end > _LONGEST_ALIAS or (word and not title_of(word)):
        return False
    whole, short = text[left.start : left.end], text[right.start : right.end]
    if sign("real-name-of").at(text, right.start):
        whole, short = short, whole
    elif not sign("alias-of").at(text, right.start):
        return False
    return (parts_of(whole) or ("",))[0] == short


def _is_named(text: str, left: Span, right: Span) -> bool:
    """Return whether brackets after the thing *left* and its noun define *right* as its name."""
    match = _NAMED.fullmatch(text, left.end, right.start)
    if match is None or _family(left.label) != THING:
        return False
    return not match["noun"] or _is_one_kind(text, left, match["noun"], right)


def _is_slip(text: str, left: Span, right: Span) -> bool:
    """Return whether *right*, labelled a person, is defined as the name of the thing *left*.

    It has to stand in the quotes alone or after a role: ‘대표 홍길동’ and ‘홍길동 건물’ tell of a
    person, and so may a clause before 이하 (대표이사 홍길동, 이하 ‘홍길동’).
    """
    match = _NAMED.fullmatch(text, left.end, right.start)
    if match is None or match["role"] is None or match["clause"] or not is_name(left.label):
        return False
    of_person = title_behind(text, right.end) or any(
        word in titles() for word in match["role"].split()
    )
    is_alone = not of_person and sign("quotation-closes").at(text, right.end)
    return is_alone and _is_named(text, left, right)


def _is_one_kind(text: str, left: Span, noun: str, right: Span) -> bool:
    """Return whether *noun* says what *left* is, and the noun after *right*, if any, agrees.

    A noun the lexicon lacks (노인요양시설) will do where both names begin alike (범도, 범도원).
    """
    if not _is_generic(noun) and (noun in tails() or not _begin_alike(text, left, right)):
        return False
    behind = hangul_after(text, right.end, _LONGEST_NOUN)
    short, long = (read(behind) if len(behind) > 1 else None), read(noun)
    if short is None or short.descriptor.noun in words_of("any-firm"):
        return True
    heads = short.descriptor.noun, long.descriptor.noun if long else noun
    return heads[0].endswith(heads[1]) or heads[1].endswith(heads[0])  # 종합병원, 병원


def _is_generic(word: str) -> bool:
    """Return whether *word* is a generic noun, or a kind of one (노인요양원), without particles."""
    reading = read(word)
    if reading is None or reading.noun_end < len(word):
        return False
    return reading.noun_start == 0 or word[: reading.noun_start] in reading.descriptor.kinds


def _begin_alike(text: str, one: Span, other: Span) -> bool:
    names = (_normal(text[span.start : span.end])[:2] for span in (one, other))
    return len(set(names)) == 1


def _script(text: str, span: Span) -> str:
    first = text[span.start]
    return "hangul" if "가" <= first <= "힣" else "latin" if first.isascii() else "hanja"


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
                    for title in titles_beside(text, span.start, span.end):
                        self._by_title[part, title].add(key)

    def fitting(self, short: str, title: str) -> Key | None:
        """Return the one person *short* fits, or None; of several, the one with the same title."""
        for candidates in (self._by_part.get(short), self._by_title.get((short, in_short(title)))):
            whole = {self._one.of(key) for key in candidates or ()}
            if len(whole) == 1:
                return whole.pop()
        return None


def _parts(surface: str, name: str) -> Iterable[str]:
    """Return what *name* may be shortened to: surname, given name, the parts of a foreign name."""
    if of_a_korean := parts_of(name):
        return of_a_korean
    parts = surface.split()
    is_name = len(parts) > 1 and not any(map(title_of, parts))  # 길동 오빠네 is none
    return [_normal(part) for part in parts if len(part) > 1] if is_name else []


class _Union:
    """Sets of keys that stand for one entity; each set is named by its first key."""

    def __init__(self, keys: Iterable[Key]) -> None:
        self._first = {key: key for key in keys}
        self._order = {key: place for place, key in enumerate(self._first)}

    def of(self, key: Key) -> Key:
        """Return the key that names the set of *key*."""
        while self._first[key] != key:
            self._first[key] = key = self._first[self._first[key]]
        return key

    def join(self, one: Key, other: Key) -> None:
        """Make one set of the two."""
        first, second = sorted((self.of(one), self.of(other)), key=self._order.__getitem__)
        self._first[second] = first


def _lot_key(surface: str) -> Key | None:
    """Return the key of an address that ends in a lot, None of any other."""
    lot = _LOT.search(surface)
    if lot is None:
        return None
    number = "-".join(filter(None, (lot["number"], lot["branch"])))
    place = " ".join(surface[: lot.start()].split())
    number = f"산{number}" if lot["hill"] else number
    return (LOT, place, number) if place else (BARE_LOT, number)


def _with_places(text: str, spans: Sequence[Span], keys: Sequence[Key]) -> list[Key]:
    """Return *keys*, those of lots right after a mention of their 동 or 리 with its name."""
    found = list(keys)
    for at, (left, right) in enumerate(pairwise(spans), start=1):
        if keys[at][0] != BARE_LOT or right.start - left.end > _MOST_BETWEEN_LOTS:
            continue
        place = text[left.start : left.end]
        is_place = is_address(left.label) and sign("place-of-a-lot").fits(place)
        if is_place and not text[left.end : right.start].strip():
            found[at] = LOT, " ".join(place.split()), keys[at][1]
    return found


def _one_lot(keys: Iterable[Key]) -> Iterator[tuple[Key, Key]]:
    """Yield the keys of one lot: with more levels written and with fewer, and alone.

    Where two places have a lot of that number, the number alone is neither of them.
    """
    places: dict[str, dict[str, None]] = defaultdict(dict)
    for key in keys:
        if key[0] == LOT:
            places[key[2]][key[1]] = None
    known = set(keys)
    for number, names in places.items():
        whole = _wholes(names)
        yield from (((LOT, name, number), (LOT, of, number)) for name, of in whole.items())
        if len(set(whole.values())) == 1 and (BARE_LOT, number) in known:
            yield (BARE_LOT, number), (LOT, next(iter(names)), number)


def _wholes(names: Iterable[str]) -> dict[str, str]:
    """Return each place and the one with the most levels that it is: 나래리, 가람면 나래리.

    Itself where it may be two: 가람면 나래리 and 솔빛면 나래리.
    """
    by_end: dict[str, list[str]] = defaultdict(list)
    for name in names:
        levels = name.split()
        for first in range(len(levels)):
            by_end[" ".join(levels[first:])].append(name)
    wholes = {}
    for name in names:
        longest = max(by_end[name], key=len)
        is_one = all(longest.endswith(other) for other in by_end[name])
        wholes[name] = longest if is_one else name
    return wholes
