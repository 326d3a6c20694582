"""Invented names of Korean persons: surnames at true rates, given names by generation and sex.

Names are recombined from parts; a name that a public figure bears is drawn again. The parts are
``parts/korean_given_names.tsv``, ``parts/korean_hanja.tsv`` and ``parts/public_figures.txt`` of
the replacement lists, and ``cues/surnames.tsv`` of the taxonomy.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import NamedTuple

from thunder.names.person_lexicon import behind_roles, ordinary_words, word_class
from thunder.settings.resources import folder
from thunder.taxonomy.lexicon import table
from thunder.training_data.mention_makers.roman import latin_name

SHARE_OF_ONE_SYLLABLE = 0.015
SHARE_OF_WHOLE_NAMES = 0.35  # of given names that are typical of their generation as they stand
MALE, FEMALE = "남", "여"

SHARE_OF_RARE_NAMES = 0.06  # of given names whose syllables come from all generations

# Years of birth of the grown-up people in judgments, by the cohorts of korean_given_names.tsv.
_COHORT_WEIGHTS = (4, 9, 19, 21, 19, 16, 10, 2)
_SEEN = 60  # of 100,000 names: what is rarer is mostly a stage name
_DIGEST = 5  # bytes of a public figure's hash: one false alarm in 10^8 names


class NameForms(NamedTuple):
    """The shares of names that are written otherwise than plainly (김한환).

    ``spaced``: 김 한 환, 남궁 민수; ``hanja``: 김한환(金漢煥); ``latin``: Kim Han-hwan, also in
    brackets behind the name; ``family``: 김 (before 씨); ``given``: 한환; ``foreign``: a name of
    another country's list; ``random``: a word of the text itself, so that no name can be known by
    heart ("Building a Name Masking System", section 4.4); ``word``: an ordinary word (조건), or one
    that looks like surname and given name (공정한): what it is, the words around it say.
    """

    spaced: float = 0.0
    hanja: float = 0.0
    latin: float = 0.0
    family: float = 0.0
    given: float = 0.0
    foreign: float = 0.0
    random: float = 0.0
    word: float = 0.0


PLAIN = NameForms()
MIXED = NameForms(spaced=0.02, hanja=0.025, latin=0.015)
"""The rates at which lists write names: a tagger trained on one form misses the others."""


class Person(NamedTuple):
    """An invented name in its two parts."""

    surname: str
    given: str

    @property
    def name(self) -> str:
        return self.surname + self.given


def korean_name(rng: Random, *, gender: str = "", born: int | None = None) -> str:
    """Return an invented name, plainly written; *gender* is 남, 여 or unknown."""
    return korean_person(rng, gender=gender, born=born).name


def korean_person(rng: Random, *, gender: str = "", born: int | None = None) -> Person:
    """Return an invented name; given names fit the *gender* (남, 여) and the year of birth."""
    rare = 0.0 if gender else SHARE_OF_RARE_NAMES  # they say little of the sex
    gender = gender or (FEMALE if rng.random() < 0.5 else MALE)
    cohort = _cohort(rng, gender, born)
    surnames, weights = _surnames()
    surname = rng.choices(surnames, cum_weights=weights)[0]
    while True:
        given = _given(rng, cohort, rare)
        # Neither 민민 nor 남남우, and nobody whom everybody knows.
        fits = len({*surname, *given}) == len(surname) + len(given)
        fits = fits and given not in _of_the_other_sex()[gender]
        if fits and not is_public_figure(surname + given):
            return Person(surname, given)


def mixed_name(rng: Random) -> str:
    """Return an invented name in any form, at the rates of MIXED."""
    return written(rng, korean_person(rng), MIXED)


def written(rng: Random, person: Person, forms: NameForms) -> str:
    """Return the name of *person* in one of its *forms*; PLAIN needs no draw."""
    return in_form(rng, person, drawn_form(rng, forms))


def in_form(rng: Random, person: Person, form: str) -> str:
    """Return the name of *person* in *form*; plainly written where only a text can give the form.

    ``foreign`` and ``random`` names are nobody's of our making (``filling.persons``).
    """
    if form == "spaced":
        return _spaced(rng, person)
    if form == "hanja":
        return _with_hanja(rng, person)
    if form == "latin":
        latin = latin_name(rng, *person)
        return f"{person.name}({latin})" if rng.random() < 0.4 else latin
    if form == "word":
        return rng.choice(rng.choice(_words()))
    return {"family": person.surname, "given": person.given}.get(form, person.name)


def drawn_form(rng: Random, forms: NameForms) -> str:
    """Return the name of one of *forms*, drawn at their rates, "" for a plainly written name."""
    if forms == PLAIN:
        return ""
    draw = rng.random()
    shares = accumulate(forms)
    return next(
        (form for form, share in zip(forms._fields, shares, strict=True) if draw < share), ""
    )


def _spaced(rng: Random, person: Person) -> str:
    if len(person.surname) > 1 or rng.random() < 0.4:
        return f"{person.surname} {person.given}"
    return " ".join(person.name)


def _with_hanja(rng: Random, person: Person) -> str:
    """Return 김한환(金漢煥); the plain name where a syllable has no Hanja (김슬기)."""
    surnames, given = _hanja()
    known = surnames.get(person.surname)
    if known is None or not all(char in given for char in person.given):
        return person.name
    chosen = [rng.choice(known), *(rng.choice(given[char]) for char in person.given)]
    return f"{person.name}({''.join(chosen)})"


@lru_cache(maxsize=1)
def _words() -> tuple[Sequence[str], Sequence[str]]:
    """Return ordinary words that a person may be called: nouns, and what looks like a whole name.

    None that stands behind a role by itself (피고 주장): there nobody could tell.
    """
    second = {row[0] for row in table("given_syllables") if float(row[2]) >= _SEEN}
    said = (word for word, (alone, _) in ordinary_words().items() if alone)
    kinds = {word: word_class(word) for word in {*said} - behind_roles()}
    nouns = (word for word, kind in kinds.items() if kind == "noun" and len(word) in (2, 3))
    whole = (
        word
        for word, kind in kinds.items()
        if len(word) == 3 and word[0] in surnames() and word[-1] in second
        if kind in ("nouns", "clause", "adverb")
    )
    return sorted(nouns), sorted(whole)


# --- given names --------------------------------------------------------------------------------


class Syllables(NamedTuple):
    """The syllables of given names by their place; weights are cumulative."""

    first: tuple[str, ...]
    first_weights: tuple[float, ...]
    second: tuple[str, ...]
    second_weights: tuple[float, ...]


class Cohort(NamedTuple):
    """What people of one sex, born up to a year, are called."""

    last_year: int
    sex: str
    syllables: Syllables
    whole: tuple[str, ...]
    alone: tuple[str, ...]


def _given(rng: Random, cohort: Cohort, share_of_rare: float) -> str:
    draw = rng.random()
    if draw < SHARE_OF_ONE_SYLLABLE:
        return rng.choice(cohort.alone)
    if draw < SHARE_OF_ONE_SYLLABLE + SHARE_OF_WHOLE_NAMES:
        return rng.choice(cohort.whole)
    rare = rng.random() < share_of_rare
    # One syllable only: two rare ones make no name (슬름), or another word (소주).
    pools = [cohort.syllables, _rare_syllables()[cohort.sex] if rare else cohort.syllables]
    one, other = pools if rng.random() < 0.5 else reversed(pools)
    first = rng.choices(one.first, cum_weights=one.first_weights)[0]
    return first + rng.choices(other.second, cum_weights=other.second_weights)[0]


def _cohort(rng: Random, gender: str, born: int | None) -> Cohort:
    cohorts = _cohorts()[gender]
    if born is None:
        return rng.choices(cohorts, _COHORT_WEIGHTS)[0]
    fitting = (cohort for cohort in cohorts if born <= cohort.last_year)
    return next(fitting, cohorts[-1])


@lru_cache(maxsize=1)
def _cohorts() -> Mapping[str, tuple[Cohort, ...]]:
    found: dict[str, list[Cohort]] = {MALE: [], FEMALE: []}
    for years, sex, first, second, whole, alone in _rows(_parts() / "korean_given_names.tsv"):
        pools = Syllables(tuple(first), _falling(first), tuple(second), _falling(second))
        last_year = int(years.partition("-")[2])
        found[sex].append(Cohort(last_year, sex, pools, tuple(whole.split()), tuple(alone)))
    return {sex: tuple(sorted(cohorts)) for sex, cohorts in found.items()}


@lru_cache(maxsize=1)
def _of_the_other_sex() -> Mapping[str, frozenset[str]]:
    """Return, for each sex, the whole given names that are typical of the other alone."""
    whole = {
        sex: {name for one in found for name in one.whole} for sex, found in _cohorts().items()
    }
    return {
        MALE: frozenset(whole[FEMALE] - whole[MALE]),
        FEMALE: frozenset(whole[MALE] - whole[FEMALE]),
    }


@lru_cache(maxsize=1)
def _rare_syllables() -> Mapping[str, Syllables]:
    """Return, for each sex, the syllables of all names but those that mark the other sex."""
    rows = table("given_syllables")
    typical = {sex: _typical_syllables(cohorts) for sex, cohorts in _cohorts().items()}
    other = {MALE: typical[FEMALE] - typical[MALE], FEMALE: typical[MALE] - typical[FEMALE]}
    return {sex: _unmarked(rows, marks) for sex, marks in other.items()}


def _typical_syllables(cohorts: Sequence[Cohort]) -> set[str]:
    pools = (cohort.syllables for cohort in cohorts)
    return {syllable for pool in pools for syllable in (*pool.first, *pool.second)}


def _unmarked(rows: Sequence[Sequence[str]], marks: set[str]) -> Syllables:
    first, second = (
        {row[0]: float(row[at]) for row in rows if float(row[at]) >= _SEEN and row[0] not in marks}
        for at in (1, 2)
    )
    return Syllables(
        *(tuple(first), tuple(accumulate(first.values()))),
        *(tuple(second), tuple(accumulate(second.values()))),
    )


def _falling(syllables: Sequence[str]) -> tuple[float, ...]:
    """Return cumulative weights that fall with the rank, as the frequencies of syllables do."""
    return tuple(accumulate(1 / (rank + 6) for rank in range(len(syllables))))


# --- tables -------------------------------------------------------------------------------------


def is_public_figure(name: str) -> bool:
    """Return whether *name* is the full Hangul name of a public figure of the shipped hashes."""
    return figure_hash(name) in _figures()


def figure_hash(name: str) -> str:
    """Return the line that stands for *name* in ``parts/public_figures.txt``."""
    return hashlib.blake2b(name.encode(), digest_size=_DIGEST, person=b"figure").hexdigest()


@lru_cache(maxsize=1)
def _figures() -> frozenset[str]:
    return frozenset(line for (line,) in _rows(_parts() / "public_figures.txt"))


@lru_cache(maxsize=1)
def surnames() -> frozenset[str]:
    """Return the Korean surnames that names are made of."""
    return frozenset(_surnames()[0])


@lru_cache(maxsize=1)
def _surnames() -> tuple[tuple[str, ...], tuple[float, ...]]:
    rows = table("surnames")
    names = tuple(name for name, _ in rows)
    return names, tuple(accumulate(float(bearers) for _, bearers in rows))


@lru_cache(maxsize=1)
def _hanja() -> tuple[Mapping[str, tuple[str, ...]], Mapping[str, str]]:
    """Return the Hanja of surnames, and of syllables in given names."""
    rows = list(_rows(_parts() / "korean_hanja.tsv"))
    surnames = {syllable: chars for syllable, chars, _ in rows if chars != "-"}
    # A surname of two syllables is one word: its Hanja are not chosen one by one.
    whole = {name: (chars,) if len(name) > 1 else tuple(chars) for name, chars in surnames.items()}
    return whole, {syllable: chars for syllable, _, chars in rows if chars != "-"}


def _parts() -> Path:
    return folder("replacement_lists") / "parts"


def _rows(path: Path) -> Iterator[list[str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")
