"""Foreign persons' names: 응웬 반 뚜언, 왕웨이, 존 스미스, JOHN SMITH, beside what says so."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from thunder.names.chunks import HANGUL, hangul_after, hangul_at, hangul_before, is_unfamiliar
from thunder.names.evidence import score
from thunder.names.kinds import is_person
from thunder.names.patterns.signs import sign
from thunder.names.person_context import COMPANY, role_group, says_person
from thunder.names.person_lexicon import commonness, ends_in_particle, is_ordinary, word_class
from thunder.names.person_tails import ends_before_tail, tails, title_of
from thunder.names.runs import question
from thunder.taxonomy.lexicon import table, words_of
from thunder.text import lazy
from thunder.text.spans import Span

SOURCE = "names:person"
LABEL = "외국인이름"
LATIN_LABEL = "영어이름"
_GAP = frozenset(" ·ㆍ・")
_MOST_PARTS = 5
_FOREIGN, _FOREIGN_OF_NATION = 0.8, -0.5
_BESIDE = 0.4  # of a word beside what is known as a foreign name
_BESIDE_GAP = _GAP | {"-"}
NO_PART = frozenset({"noun", "nouns", "verb", "adverb", "clause", "particle", "place"})
_UNSEEN = 2
_LATIN_REST = r"(?:[A-Za-z]|['’-](?=[A-Za-z])){0,40}\.?"
_LATIN_WORD = f"[A-Z]{_LATIN_REST}"
_LATIN = lazy.compile(
    rf"[A-Z](?<![A-Za-z0-9.&].){_LATIN_REST}(?:,? {_LATIN_WORD}){{1,5}}(?![A-Za-z0-9&])"
)
_PERSONAL = ("nation", "party", "kin", "relation")

_PART = r"[A-Z][A-Za-z.'’-]*(?: [A-Za-z][A-Za-z.'’-]*){0,2}"
_IN_PARTS = lazy.compile(
    r"(?<![가-힣])(?P<hangul>(?:[가-힣]{1,8}, ?){1,4}[가-힣]{1,8}) ?"
    rf"\((?P<latin>{_PART}(?:, ?{_PART}){{1,3}})\)",
    needs="[A-Z]",
)
_LONGEST_CUE = 8
_LONGEST_PART = 12
_NO_NAMES = frozenset({"place", "proper", "person+", "surname+given"})
_FEW = 3
_STRANGE, _FOREIGN_PARTICLE = 0.0, 2.0


def find(text: str) -> Iterator[Span]:
    """Yield foreign names that follow a role word or a nationality, or precede '(여, 31세)'."""
    for start, word, cue in _CUES(text):
        end = start + len(word)
        if text[end : end + 1] != " " or not "가" <= text[end + 1 : end + 2] <= "힣":
            continue
        if span := _hangul_name(text, end + 1, nation=cue == "nation"):
            yield span
    yield from _by_their_parts(text)
    yield from _latin_names(text)
    yield from _with_commas(text)
    for match in sign("vietnamese-name").all(text):
        if _is_telling(match):
            yield _vietnamese(text, match)
    for match in sign("vietnamese-name-joined").all(text):
        end = match.start("G") + _without_tail(match["G"])
        yield Span(match.start(), end, "베트남이름", score("foreign name announced"), SOURCE)


def label_for(text: str, start: int, end: int) -> str:
    """Return the label that a nationality beside the name asks for, or "" where none is named."""
    found = sign("nation-in-brackets").match(text, end) or sign("of-a-nation").match(text, start)
    return nationalities()[found["N"]] if found else ""


def is_foreign(word: str, *, least: float = _FOREIGN) -> bool:
    """Return whether the syllables of *word* are those of foreign names written in Hangul."""
    return _foreignness(word) >= least and commonness(word, tailed=False) <= 1


@lru_cache(maxsize=1)
def nationalities() -> dict[str, str]:
    """Return the words for nationalities, each with the label of its people's names."""
    return dict(table("nationalities"))


class _Part(NamedTuple):
    """A word, or what of it stands before a particle, that may be part of a foreign name.

    ``knows``: whether the dictionary has it, or a run of what it has, as a person's name, or its
    syllables are Chinese or those of Japanese surnames; ``is_one``: one word of the dictionary.
    """

    length: int
    weight: float
    knows: bool = False
    is_one: bool = False


@lru_cache(maxsize=1 << 14)
def _may_go_along(run: str) -> bool:
    """Return whether *run*, or what stands in it before a particle, may be part of a name."""
    return len(run) <= _LONGEST_PART and any(
        len(word) == 1 or not _is_known_word(word) for word in _with_stems(run)
    )


def _is_foreign_enough(run: str) -> bool:
    """Return whether *run*, or what stands in it before a particle, is foreign enough for a name.

    It is asked of each word, so that Mecab is not: where no word of a row is foreign enough, the
    row is not, whatever the dictionary says of them.
    """
    if len(run) > _LONGEST_PART:
        return False
    least, known = min(_FOREIGN, _STRANGE), tails()
    for end in range(len(run), min(1, len(run) - 1), -1):
        word = run[:end]
        if end < len(run) and run[end:] not in known:
            continue
        if end > 1 and _is_known_word(word):
            continue
        if _foreignness(word) >= least or _is_by_syllables(word):
            return True
    return False


_FOREIGN_ENOUGH = question(_is_foreign_enough)


def _with_stems(run: str) -> list[str]:
    return [run, *(run[:cut] for cut in _cuts(run))]


def _cuts(run: str) -> list[int]:
    """Return where a tail of *run* may begin: right behind the ending of a foreign name, if any."""
    ends = words_of("foreign-name-ending")
    cuts = [cut for cut in range(len(run) - 1, 1, -1) if run[cut:] in tails()]
    if cuts and run.endswith(ends):
        return []
    return [cut for cut in cuts if run[:cut].endswith(ends)] or cuts


def _is_by_syllables(word: str) -> bool:
    return bool(sign("chinese-name").fits(word) or sign("japanese-name").fits(word))


@lru_cache(maxsize=1 << 14)
def _foreign_part(run: str) -> tuple[_Part | None, _Part | None] | None:
    """Return what the whole of *run* may be, and what of it before a particle, if anything."""
    cuts = _cuts(run)
    stems = [part for cut in cuts if (part := _as_part(run[:cut]))]
    stem = next((part for part in stems if part.knows), stems[0] if stems else None)
    whole = _as_part(run)
    if whole and not whole.is_one and any(_is_known_word(run[:cut]) for cut in cuts):
        whole = None  # 메르스|와
    return (whole, stem) if whole or stem else None


def _as_part(word: str) -> _Part | None:
    weight = _foreignness(word)
    if len(word) == 1:  # between two others: 마리아 델 로사리오
        return _Part(1, weight) if weight > _FOREIGN_PARTICLE else None
    if _is_known_word(word):
        return None
    kind = word_class(word)
    if kind == "person" or (kind == "person+" and len(word) > _FEW):
        return _Part(len(word), weight, knows=True, is_one=kind == "person")
    if kind != "place" and _is_by_syllables(word):
        return _Part(len(word), max(weight, _FOREIGN), knows=True, is_one=True)
    is_one = kind == "noun"
    least = _STRANGE if is_one else _FOREIGN
    is_strange = weight >= least and kind not in _NO_NAMES
    return _Part(len(word), weight, is_one=is_one) if is_strange else None


def _is_known_word(word: str) -> bool:
    """Return whether *word* is a loanword or a role, or judgments write it and mean no name."""
    return is_ordinary(word) or word in words_of("loanword") or role_group(word) != ""


def _by_their_parts(text: str) -> Iterator[Span]:
    """Yield foreign names that nothing announces: two words and more that are hardly Korean.

    One of them at least has to be known as a person's name.
    """
    held: list[_Part] = []
    start = end = 0
    for at, whole, stem in [*_parts_in(text), (len(text) + 2, None, None)]:
        if held and (at != end + 1 or text[end] not in _GAP):
            yield from _held(text, start, end, held)
            held = []
        if whole and (whole.is_one or not stem or (whole.knows and not stem.knows)):
            if not held:
                start = at
            held.append(whole)
            end = at + whole.length
        elif stem:
            start = start if held else at
            yield from _held(text, start, at + stem.length, [*held, stem])
            held = []
        else:
            held = []


def _parts_in(text: str) -> Iterator[tuple[int, _Part | None, _Part | None]]:
    """Yield where parts of names may stand, in rows of words of which one is foreign enough."""
    end = 0
    for at, run, _ in _FOREIGN_ENOUGH(text):
        if at < end:
            continue
        row = [*_row_before(text, at, end), (at, run), *_row_behind(text, at + len(run))]
        end = row[-1][0] + len(row[-1][1])
        found = ((start, _foreign_part(one)) for start, one in row)
        yield from ((start, *both) for start, both in found if both)


def _row_before(text: str, start: int, least: int) -> list[tuple[int, str]]:
    """Return the words right before *start*, none before *least*, that may go along with it."""
    row: list[tuple[int, str]] = []
    while start - 1 > least and text[start - 1] in _GAP:
        run = hangul_before(text, start - 1, _LONGEST_PART + 1)
        if not run or not _may_go_along(run):
            break
        start -= 1 + len(run)
        row.append((start, run))
    return row[::-1]


def _row_behind(text: str, end: int) -> Iterator[tuple[int, str]]:
    """Yield the words right after *end* that may go along with it."""
    while text[end : end + 1] in _GAP:
        run = hangul_at(text, end + 1, _LONGEST_PART + 1)
        if not run or not _may_go_along(run):
            return
        yield end + 1, run
        end += 1 + len(run)


def _held(text: str, start: int, end: int, parts: list[_Part]) -> Iterator[Span]:
    """Yield *parts* as a name, where they weigh enough; one alone where more speaks for it."""
    if parts[0].length == 1 or parts[-1].length == 1:
        return
    nation = label_for(text, start, end)
    weight = sum(part.weight * part.length for part in parts) / sum(part.length for part in parts)
    is_known = any(part.knows and part.is_one for part in parts) or all(p.knows for p in parts)
    if len(parts) == 1:
        title = (
            title_of(hangul_after(text, end, _LONGEST_CUE)) if text[end : end + 1] == " " else ""
        )
        is_titled = title and not title_of(text[start:end])  # 간호사와 조무사
        if is_known and weight >= _FOREIGN and (is_titled or nation):
            yield Span(start, end, nation or LABEL, score("foreign name announced"), SOURCE)
        elif is_known and sign("chinese-name").fits(text[start:end]):
            label = nationalities()["중국"]
            yield Span(start, end, label, score("foreign name by its syllables"), SOURCE)
    elif (is_known and weight >= _FOREIGN) or (nation and weight >= _STRANGE):
        shown = "known parts" if all(part.knows for part in parts) else "its parts"
        yield Span(start, end, nation or LABEL, score(f"foreign name by {shown}"), SOURCE)


def _cue(word: str) -> str:
    """Return "nation" or the group of the role *word* names, "" where it is no cue."""
    if _nation(word):
        return "nation"
    is_foreigner = word.removesuffix("인") in words_of("foreigner")
    return "relation" if is_foreigner else role_group(word)


_CUES = question(_cue)


def _nation(word: str) -> str:
    """Return the nationality *word* says of the next word: 베트남인, 중국, 국적의; or ""."""
    endings = words_of("of-that-nation")
    for ending in endings if word.endswith(endings) else ():
        if word.endswith(ending):
            stem = word[: -len(ending)]
            if stem in nationalities() or (not stem and ending.startswith("국적")):
                return word
    return ""


def _hangul_name(text: str, start: int, *, nation: bool) -> Span | None:
    if match := sign("vietnamese-name").match(text, start):
        return _vietnamese(text, match)
    least = _FOREIGN_OF_NATION if nation else _FOREIGN
    parts, end, tail = _parts(text, start, least)
    if not any(is_foreign(part, least=least) and len(part) > 1 for part in parts):
        return None
    sure = not tail and says_person(text, end)
    if not (sure or _suffice(parts, nation=nation)):
        return None
    label = label_for(text, start, end) or LABEL
    is_plain = any(_is_by_syllables(part) or _is_plainly_foreign(part) for part in parts)
    of_nation = "of its nation" if is_plain else "announced"
    shown = "of somebody" if sure else of_nation if nation else "by its syllables"
    return Span(start, end, label, score(f"foreign name {shown}"), SOURCE)


def _vietnamese(text: str, match: re.Match[str]) -> Span:
    start, end = match.start(), match.start("G") + _without_tail(match["G"])
    goes_on = end == match.end("G") and text[end : end + 1] == " "
    further = HANGUL.match(text, end + 1) if goes_on else None
    is_middle = len(match["G"]) == 1 or match["G"] in words_of("vietnamese-middle")
    if further and is_middle:  # 쩐 티 뀐 응아: of one syllable another goes with it
        end = further.start() + _without_tail(further[0])
    shown = "of somebody" if says_person(text, end) else "announced"
    if _is_telling(match):
        shown = "by known parts"
    label = label_for(text, start, end) or "베트남이름"
    return Span(start, end, label, score(f"foreign name {shown}"), SOURCE)


def _is_telling(match: re.Match[str]) -> bool:
    """Return whether it is a name whatever stands beside it: 응우옌 …, 레 티 …; no 도 안 되는."""
    return len(match["S"]) > 1 or match["M"] in words_of("vietnamese-telling")


def _without_tail(word: str) -> int:
    """Return the length of the shortest name *word* may be before a tail."""
    cuts = range(1, len(word))
    return next((cut for cut in cuts if ends_before_tail(word, cut)), len(word))


def _suffice(parts: list[str], *, nation: bool) -> bool:
    """Return whether *parts* read as a name after a nationality or a role word alone."""
    if len(parts[-1]) == 1:
        return False
    if len(parts) > 2 or (nation and len(parts) > 1):
        return not any(ends_in_particle(part) for part in parts[:-1] if len(part) > 2)
    return (nation or len(parts) > 1) and _reads_as_names(parts)


def _reads_as_names(parts: list[str]) -> bool:
    """Return whether Mecab takes none of *parts* for a common word, with or without a particle."""
    longer = [part for part in parts if len(part) > 1 and not _is_plainly_foreign(part)]
    return not any(word_class(part) in NO_PART or ends_in_particle(part) for part in longer)


def _is_plainly_foreign(part: str) -> bool:
    """Return whether *part* is of syllables that Korean words are not made of: 알하시미, 메이르."""
    return len(part) > _UNSEEN and _foreignness(part) > 1 and is_unfamiliar(part)


def _parts(text: str, start: int, least: float) -> tuple[list[str], int, str]:
    """Return the parts of the foreign name at *start*, where it ends, and the tail after it."""
    parts: list[str] = []
    at = end = start
    while len(parts) < _MOST_PARTS and (match := HANGUL.match(text, at)):
        part, tail = _part(match[0], least, last=not _goes_on(text, match.end(), least))
        if not part:
            break
        parts.append(part)
        end = match.start() + len(part)
        if tail or text[end : end + 1] not in _GAP:
            return parts, end, tail
        at = end + 1
    return parts, end, ""


def _part(word: str, least: float, *, last: bool) -> tuple[str, str]:
    """Return the part of a name *word* is and the tail it has, both "" where it is none."""
    for cut in range(2, len(word) - 1) if last else ():  # 맥앨리스터|와의, whatever its class
        if ends_before_tail(word, cut) and _is_plainly_foreign(word[:cut]):
            return word[:cut], word[cut:]
    for cut in range(len(word) - 1, 0, -1) if last and word_class(word) != "person" else ():
        stem = word[:cut]
        if ends_before_tail(word, cut) and (is_foreign(stem, least=least) or _is_syllable(stem)):
            return stem, word[cut:]
    return (word, "") if is_foreign(word, least=least) or _is_syllable(word) else ("", "")


def _is_syllable(word: str) -> bool:
    return len(word) == 1 and _syllables().get(word, _UNSEEN) >= -1


def _goes_on(text: str, end: int, least: float) -> bool:
    """Return whether another part of a foreign name, or a bracket or comma, follows at *end*."""
    if text.startswith(("(", ","), end):
        return True
    following = HANGUL.match(text, end + 1) if text[end : end + 1] in _GAP else None
    if following is None:
        return False
    part, tail = _part(following[0], least, last=True)
    return len(part) > 1 or (part != "" and not tail)


def whole(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return disjoint, sorted *spans*, foreign persons' with the words that go along.

    These are the words of foreign syllables beside a name, a surname of one syllable before it,
    initials, and what stands between two parts: [쵸르니] 알렉세이, [마리셀] D. [빌라누에바].
    """
    parts: list[Span] = []
    for span in spans:
        if parts and _is_one_name(text, parts[-1], span):
            parts[-1] = replace(span, start=parts[-1].start)
        else:
            parts.append(span)
    found: list[Span] = []
    for at, span in enumerate(parts):
        if is_person(span.label) and _is_foreign_name(text, span):
            least = found[-1].end if found else 0
            most = parts[at + 1].start if at + 1 < len(parts) else len(text)
            span = _with_words_beside(text, span, least, most)
        found.append(span)
    return found


def _is_one_name(text: str, one: Span, other: Span) -> bool:
    """Return whether two mentions are parts of one foreign name, by what stands between them."""
    between = text[one.end : other.start]
    if not (is_person(one.label) and is_person(other.label)):
        return False
    if between == " " and text[one.start : one.end] in words_of("surname-before-foreign-name"):
        return _is_foreign_name(text, other)
    if between == " " and "가" <= text[other.start] <= "힣":  # 아흐메드 하산|엘사예드
        goes_along = _goes_along(text[other.start : other.end].split(" ")[0])
        return goes_along and _is_foreign_name(text, one) and _is_foreign_name(text, other)
    if not sign("between-foreign-parts").fits(between):
        return False
    return _is_foreign_name(text, one) or _is_foreign_name(text, other)


def _is_foreign_name(text: str, span: Span) -> bool:
    name = text[span.start : span.end]
    if name.isascii():
        return name.replace(" ", "").isalpha() and not _is_no_person(name)
    return is_foreign("".join(filter(str.isalpha, name)))


def _with_words_beside(text: str, span: Span, least: int, most: int) -> Span:
    start, end, before = span.start, span.end, words_of("surname-before-foreign-name")
    while end + 1 < most and text[end] in _BESIDE_GAP:
        length = _beside(hangul_at(text, end + 1, _LONGEST_PART + 1))
        if not length or end + 1 + length > most:
            break
        end += 1 + length
    if (initials := sign("initials-behind").match(text, end)) and initials.end() <= most:
        end = initials.end()
    while start - 1 > least and text[start - 1] in _BESIDE_GAP:
        run = hangul_before(text, start - 1, _LONGEST_PART + 1)
        is_surname = len(run) == 1 and text[start - 1] == " " and run in before
        if not run or start - 1 - len(run) < least or not (is_surname or _goes_before(run)):
            break
        start -= 1 + len(run)
        if is_surname:
            break
    return replace(span, start=start, end=end)


def _beside(run: str) -> int:
    """Return how many letters of *run* are a part of the foreign name beside it."""
    if not 2 <= len(run) <= _LONGEST_PART:
        return 0
    ends = [end for end in (len(run), *_cuts(run)) if _goes_along(run[:end])]
    sure = [end for end in ends if len(run) - end > 1]  # before a particle of two letters
    if not sure and word_class(run) in ("person", "person+", "noun"):
        return max(ends, default=0)
    return max(sure or ends, key=lambda end: _foreignness(run[:end]), default=0)


def _goes_before(run: str) -> bool:
    """Return whether all of *run* is a part of the foreign name behind it, and no 드미트리와."""
    is_one = word_class(run) in ("person", "noun")
    return _beside(run) == len(run) and (
        is_one or not any(_goes_along(run[:cut]) for cut in _cuts(run))
    )


@lru_cache(maxsize=1 << 12)
def _goes_along(word: str) -> bool:
    """Return whether *word* may be a part of a foreign name because it stands beside one."""
    if _is_known_word(word) or commonness(word, tailed=False) or _cue(word) or title_of(word):
        return False
    if word in words_of("foreign-form") or word in words_of("foreign-form-apart"):
        return False
    kind = word_class(word)
    if kind in ("adverb", "particle", "place", "verb"):
        return False
    return _foreignness(word) >= (_FOREIGN if kind == "noun" else _BESIDE)


def readings(text: str, names: Iterable[Span]) -> Iterator[Span]:
    """Yield how a name in other letters is read, in brackets behind it: HSU CHIA-LING(쉬자링)."""
    for span in names:
        name = text[span.start : span.end]
        is_in_parts = " " in name or not name.isascii()  # no MD(굿즈)
        if not (is_in_parts and is_person(span.label)) or "가" <= name[-1] <= "힣":
            continue
        match = sign("reading-in-hangul").match(text, span.end)
        if match and is_foreign(match["F"].replace(" ", "")) and not _cue(match["F"]):
            yield Span(*match.span("F"), span.label, span.score, SOURCE)


def other_forms(text: str, names: Iterable[Span]) -> Iterator[Span]:
    """Yield the Latin or Hanja form in brackets right after each of *names*: 홍길동(洪吉東)."""
    for span in names:
        match = sign("other-form").match(text, span.end)
        if match and not _is_no_person(match["F"]):
            yield Span(*match.span("F"), span.label, span.score, SOURCE)


def _is_no_person(latin: str) -> bool:
    """Return whether *latin* is a firm's name, or a post: 홍길동(Senior Manager)."""
    words = latin.replace(",", " ").replace(".", " ").split()
    return COMPANY.search(latin) is not None or all(
        map(words_of("post-in-english").__contains__, words)
    )


def _latin_names(text: str) -> Iterator[Span]:
    for match in _LATIN.finditer(text):
        start, end = match.span()
        if _is_no_person(match[0]):
            continue
        word = (
            hangul_before(text, start - 1, _LONGEST_CUE) if text[start - 1 : start] == " " else ""
        )
        cued = word and _cue(word) in _PERSONAL
        if cued or sign("named-in-latin").at(text, start) or says_person(text, end, of_latin=True):
            label = label_for(text, start, end) or LATIN_LABEL
            yield Span(start, end, label, score("foreign name announced"), SOURCE)


def _with_commas(text: str) -> Iterator[Span]:
    """Yield foreigners as patents name them: [빌즈, 로버트]([BILLS, Robert])."""
    for match in _IN_PARTS.finditer(text):
        hangul, latin = (_parts_at_commas(match[group]) for group in ("hangul", "latin"))
        if len(hangul) < len(latin) or not _is_person(hangul[-len(latin) :], latin):
            continue
        before = match["hangul"].split(",")[: -len(latin)]  # what is listed before the name
        listed = len("".join(f"{one}," for one in before))
        start = match.start("hangul") + listed + (text[match.start("hangul") + listed] == " ")
        yield Span(start, match.end("hangul"), LABEL, score("foreign name in both scripts"), SOURCE)
        yield Span(*match.span("latin"), LABEL, score("foreign name in both scripts"), SOURCE)


def _parts_at_commas(name: str) -> list[str]:
    return [part.strip() for part in name.split(",")]


def _is_person(hangul: list[str], latin: list[str]) -> bool:
    """Return whether the parts are a person's: BEAMS, Richard; no USA, Canada, no firm."""
    surname, *given = latin
    if COMPANY.search(", ".join(latin)) or nationalities().keys() & set(hangul):
        return False
    is_cased = surname.isupper() and not any(map(str.isupper, given))
    return is_cased and any(map(is_foreign, hangul))


@lru_cache(maxsize=1 << 14)
def _foreignness(word: str) -> float:
    """Return how typical the syllables of *word* are of foreign names, from -4 to 4."""
    return sum(_syllables().get(syllable, _UNSEEN) for syllable in word) / max(1, len(word))


@lru_cache(maxsize=1)
def _syllables() -> dict[str, int]:
    rows = table("foreign_syllables")
    return {syllable: int(level) for level, syllables in rows for syllable in syllables}
