"""Whether what a sentence says of a word is said of persons: 하루는 갚지 않았다, not 하루가 지났다.

A name may be a word besides. What persons do, have and get is counted from public judgments, whose
persons are numbers (피고인 1은 갚지 않았다): ``taxonomy/cues/told_of_persons.tsv``.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from statistics import fmean

from thunder.names.chunks import HANGUL, hangul_after, hangul_before
from thunder.names.evidence import needed
from thunder.names.person_context import role_group
from thunder.names.person_lexicon import commonness
from thunder.names.person_tails import tails
from thunder.taxonomy.lexicon import table, words_of

Place = tuple[int, int]

BASE = "base -"
"""The weight that every word has."""

_REACH, _MOST_WORDS = 80, 8
_LONGEST_TAIL, _LONGEST_ROLE = 8, 10
_STEM = 2
_ONE_FORM = {"는": "은", "를": "을", "와": "과", "가": "이", "로부터": "으로부터", "로": "으로"}


def of_persons(
    text: str, places: Sequence[Place], named: Sequence[Place], *, asked: str
) -> Iterator[Place]:
    """Yield those of *places* of one word in folded *text* at which a person is meant.

    *named* are places where it is found to be a name. The more all of them speak for a person, the
    less each has to say: *asked* is the row of ``name_evidence.tsv`` for both together. A word that
    many judgments use has to say more.
    """
    places = [place for place in places if not _is_by_the_way(text, *place)]
    if not places:
        return
    word = text[slice(*places[0])]
    level = max(commonness(word, tailed=tailed) for tailed in (False, True))
    said = [odds(text, *place) for place in places]
    least = needed(asked) + level * needed("step of commonness")
    least -= fmean([*said, *(odds(text, *place) for place in named)])
    yield from (place for place, one in zip(places, said, strict=True) if one >= least)


def odds(text: str, start: int, end: int) -> float:
    """Return the log-odds that the word of folded *text* from *start* to *end* is a person.

    Of a word that is as often a person's name as not, by what stands around it in its sentence; a
    role before it is passed over.
    """
    known, said = weights(), set(keys(text, begin_of(text, start), start, end))
    return known[BASE] + sum(known.get(key, 0.0) for key in said)


def _is_by_the_way(text: str, start: int, end: int) -> bool:
    """Return whether the word stands as it does for an adverb: 사실은 그가 때렸다."""
    return text[start:end] + hangul_after(text, end, _LONGEST_TAIL) in words_of("noun-as-adverb")


def begin_of(text: str, start: int) -> int:
    """Return where the role begins behind which a word at *start* stands, or *start*."""
    before = hangul_before(text, start - 1, _LONGEST_ROLE) if text[start - 1 : start] == " " else ""
    return start - 1 - len(before) if before and role_group(before) else start


def keys(text: str, begin: int, start: int, end: int) -> Iterator[str]:
    """Yield what stands around the word of *text* from *start* to *end*, as keys of the table.

    *begin*: where the role before it begins, if there is one.
    """
    run = hangul_after(text, end, _LONGEST_TAIL)
    form = _ONE_FORM.get(run, run) if run in tails() else "?"
    yield f"form {form}"
    yield f"before {_before(text, begin)}"
    at = end + len(run)
    stop = text.find(".", at, at + _REACH)
    runs = HANGUL.finditer(text, at, stop if stop > 0 else at + _REACH)
    words = (run[0][:_STEM] for run in runs if len(run[0]) >= _STEM)
    stems = list(islice(words, _MOST_WORDS))
    if stems and text[at : at + 1 + len(stems[0])].strip() == stems[0]:
        yield f"next {form} {stems[0]}"
    yield from (f"then {form} {stem}" for stem in stems)


def _before(text: str, begin: int) -> str:
    at = begin - 1 if text[begin - 1 : begin] == " " else begin
    last = text[at - 1 : at]
    return "0" if last.isdigit() else last.strip() or "."


@lru_cache(maxsize=1)
def weights() -> Mapping[str, float]:
    """Return the weights of what stands around a word, as the table in use gives them."""
    return {
        f"{place} {stem}": float(weight)
        for place, weight, stems in table("told_of_persons")
        for stem in stems.split(" ")
    }
