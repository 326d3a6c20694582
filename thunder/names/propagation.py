"""A mention found once is found everywhere in the document, in the forms it takes there."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from thunder.names import kind_repeats, person_context, short_forms, told
from thunder.names.chunks import HANGUL, TAIL, next_run
from thunder.names.given_names import likeness, surname_of
from thunder.names.person_context import may_begin_with_role, role_group
from thunder.names.person_lexicon import commonness, is_common, word_class
from thunder.names.person_tails import tails
from thunder.names.runs import Wordings, beginning_with, beginnings, question
from thunder.taxonomy.gazetteer import bare_district, district
from thunder.taxonomy.lexicon import words_of
from thunder.text import lazy
from thunder.text.spans import Span, heaviest

SOURCE = "names:repeat"
PERSON = "내국인이름"
LEAST_SCORE = 0.5
LEAST_OF_BODIES = 0.75
"""A mention less sure than this is not looked for elsewhere."""
SLOT = 0.99
"""From this score on a name stood where only a name can, whatever word it is."""
SLOT_OF_A_ROLE = 0.96
"""From this score on a word is somebody's name: elsewhere what is said of it has to tell."""

_LOWER = 0.95
_SURE_OF_PERSON, _UNLIKE_A_NAME = 0.9, -10.0
_LONGEST, _LONGEST_PERSON = 60, 4
_SPACED = lazy.compile(
    r"(?<![가-힣])(?=([가-힣](?:[ \t]{1,3}[가-힣]){1,3})(?![ \t]{1,3}[가-힣](?![가-힣])))"
)
_NEXT_LINE = lazy.compile(r"\n[ \t]{0,12}([가-힣]+)")
_LAST_OF_LINE = lazy.compile(r"(?<![가-힣])([가-힣]{1,3})[ \t]{0,2}\r?\Z")
_LONGEST_END = 6
_NO_NAME = frozenset({"noun", "adverb", "verb", "particle"})


def spread(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return further occurrences in *text* of what *spans* mention: disjoint, sorted, new.

    The same surface with a free left side and a particle, a mark or a space after it; a person
    also as 홍 길 동, cut by the end of a line, right after a role word (피해자홍길동), and in the
    short forms of ``short_forms``. Numbers are left out (the rules find each by itself), and
    so are common nouns and single syllables. Time is linear in the text.
    """
    everything = _known(text, spans, persons_only=False)
    persons = _known(text, spans, persons_only=True)
    found = [
        *_repeats(text, everything, spans),
        *short_forms.find(text, spans),
        *kind_repeats.find(text, spans, source=SOURCE),
    ]
    if persons.known:
        found += [*_joined(text, persons), *_spaced(text, persons), *_broken(text, persons)]
    taken = bytearray(len(text))
    for span in spans:
        taken[span.start : span.end] = b"\1" * len(span)
    new = (span for span in found if not any(taken[span.start : span.end]))
    return heaviest(new, weight=lambda span: len(span) ** 2 + span.score)


def _known(text: str, spans: Iterable[Span], *, persons_only: bool) -> Wordings[Span]:
    best: dict[str, Span] = {}
    for span in spans:
        surface = text[span.start : span.end]
        least = LEAST_SCORE if span.label == PERSON else LEAST_OF_BODIES
        if span.score < least or (persons_only and not _is_person(span, surface)):
            continue
        if (surface not in best or span.score > best[surface].score) and _is_spread(span, surface):
            best[surface] = span
    return Wordings(best)


def _is_person(span: Span, surface: str) -> bool:
    is_short = 2 <= len(surface) <= _LONGEST_PERSON
    return span.label == PERSON and is_short and HANGUL.fullmatch(surface) is not None


def _is_spread(span: Span, surface: str) -> bool:
    """Return whether *surface* names one thing wherever it stands: no number, no common word."""
    family, _, finder = span.source.partition(":")
    if family == "rule" and finder != "user_id":
        return False
    letters = sum(char.isalpha() for char in surface)
    if letters < 2 or len(surface) > _LONGEST or letters * 2 < len(surface) or "\n" in surface:
        return False
    if _is_defined(span):
        return True
    if not HANGUL.fullmatch(surface):
        return len(surface) > 2
    if _is_person(span, surface):
        return not _is_unlike_a_name(span, surface)
    if commonness(surface, tailed=False) > 1:
        return False
    if finder == "user_id":  # said to be what somebody is called, whatever it is made of
        return True
    word = word_class(surface)
    return word not in _NO_NAME and not (word == "clause" and len(surface) == 2)


def _is_defined(span: Span) -> bool:
    """Return whether the judgment says that the word is a name."""
    return span.source.endswith(":defined")


def _is_unlike_a_name(span: Span, surface: str) -> bool:
    """Return whether a tagger was in doubt of a surname with syllables that no name has (조특법).

    Of 599 names of three syllables none is that unlikely.
    """
    doubtful = span.source.startswith("tagger") and span.score < _SURE_OF_PERSON
    return doubtful and surname_of(surface) != "" and likeness(surface) < _UNLIKE_A_NAME


def _repeats(text: str, known: Wordings[Span], spans: Sequence[Span]) -> Iterator[Span]:
    words: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for start in beginnings(text, known.heads):
        surface = next(known.at(text, start), "")
        end = start + len(surface)
        if not surface or not ends_freely(text, end) or _is_region(text, surface, end):
            continue
        span = known.known[surface]
        is_sure = _is_defined(span) or _is_behind_its_role(text, start, span)
        if is_sure or not _is_common_here(text, surface, end):
            yield _again(known, surface, start, end)
        elif span.label == PERSON and span.score >= SLOT_OF_A_ROLE:
            words[surface].append((start, end))
    for surface, places in words.items():
        named = [(one.start, one.end) for one in spans if text[one.start : one.end] == surface]
        asked = "name in its slot" if known.known[surface].score >= SLOT else "name behind a role"
        for start, end in told.of_persons(text, places, named, asked=asked):
            yield _again(known, surface, start, end)


def _is_region(text: str, surface: str, end: int) -> bool:
    """Return whether *surface* is a city or province before its 시·군·구: no bank, 대구 수성구."""
    if bare_district(surface) is None:
        return False
    behind = next_run(text, end)
    return any(district(behind[:length]) for length in range(len(behind), 1, -1))


def _is_behind_its_role(text: str, start: int, span: Span) -> bool:
    """Return whether who bears a word for a name is meant: 피고인 배우자는, if one is called so."""
    if span.label != PERSON or span.score < SLOT:
        return False
    return person_context.before(text, start)[1] == person_context.PARTY


def _is_common_here(text: str, surface: str, end: int) -> bool:
    """Return whether *surface* is rather an ordinary word in the form in which it ends at *end*."""
    return is_common(surface, tailed="가" <= text[end : end + 1] <= "힣")


def _joined(text: str, known: Wordings[Span]) -> Iterator[Span]:
    """Yield persons written right after a role word or 및, 위: 피해자홍길동."""
    for at, run, joints in _JOINTS(text):
        for cut in joints:
            surface = next(known.at(run, cut), "")
            if len(surface) > 2 and ends_freely(text, at + cut + len(surface)):
                yield _again(known, surface, at + cut, at + cut + len(surface))


def _joints(run: str) -> tuple[int, ...]:
    """Return how long the roles are that *run* begins with, and that a name may be joined to."""
    if not (run.startswith(words_of("joined-before-a-name")) or may_begin_with_role(run)):
        return ()
    cuts = range(1, min(len(run) - 2, 7))
    words = words_of("joined-before-a-name")
    return tuple(cut for cut in cuts if run[:cut] in words or role_group(run[:cut]))


_JOINTS = question(_joints)


def _spaced(text: str, known: Wordings[Span]) -> Iterator[Span]:
    starts = (at for at, _ in beginning_with(text, {name[0] for name in known.known}))
    for match in filter(None, (_SPACED.match(text, at) for at in starts)):
        syllables = match[1].split()
        for length in range(len(syllables), 1, -1):
            surface = "".join(syllables[:length])
            end = match.start() + _end_of(match[1], length)
            if surface in known.known and ends_freely(text, end):
                yield _again(known, surface, match.start(), end)
                break


def _end_of(spaced: str, count: int) -> int:
    """Return where the *count*-th syllable of *spaced* ends."""
    return [place for place, char in enumerate(spaced) if not char.isspace()][count - 1] + 1


def _broken(text: str, known: Wordings[Span]) -> Iterator[Span]:
    """Yield persons whose name is cut by the end of a line."""
    for start, head, at, rest in _breaks(text):
        for length in range(1, min(3, len(rest)) + 1):
            surface = head + rest[:length]
            end = at + length
            if len(surface) > 2 and surface in known.known and ends_freely(text, end):
                yield _again(known, surface, start, end)


@lru_cache(maxsize=1)
def _breaks(text: str) -> Sequence[tuple[int, str, int, str]]:
    """Return where up to three syllables end a line, and others begin the next."""
    found = []
    done = 0
    for match in _NEXT_LINE.finditer(text):
        last = _LAST_OF_LINE.search(text, max(done, match.start() - _LONGEST_END), match.start())
        if last:
            found.append((last.start(), last[1], match.start(1), match[1]))
            done = match.end()
    return found


def ends_freely(text: str, end: int) -> bool:
    """Return whether a word may end at *end*: what follows is a tail, or no letter at all."""
    following = text[end : end + 1]
    if "가" <= following <= "힣":
        run = HANGUL.match(text, end)
        return run is not None and (run[0] in tails() or TAIL.fullmatch(run[0]) is not None)
    goes_on = following.isascii() and following.isalnum() and text[end - 1].isascii()
    return not goes_on


def _again(known: Wordings[Span], surface: str, start: int, end: int) -> Span:
    first = known.known[surface]
    return Span(start, end, first.label, round(first.score * _LOWER, 3), SOURCE)
