"""Add the nouns of public judgments to taxonomy/cues/ordinary_words.tsv.

    python benchmarks/build_ordinary_words.py taxonomy/cues/ordinary_words.tsv JUDGMENTS…

JUDGMENTS are JSONL files (or folders of them, .xz, .gz) whose rows have a ``text`` in which the
courts have hidden the names. Counted is in how many judgments a word stands alone (no syllable
beside it), and in how many before a particle. One judgment in 5,000 is level 1, each step twice as
many; a word below that is left out.

Words that the table has keep their levels: they were read, names among them were taken out, and the
weights of persons' names (``person_word_weights.tsv``) were fitted to them. So none is added that
begins like a surname; of the others those of 2 to 4 syllables that Mecab-ko takes for one noun, and
of the rest (verbs, adverbs, a noun with its particle) shorter and commoner ones. What may be a name
elsewhere is left out: what Mecab-ko takes for a person, a place, a proper noun or several nouns
(대성건설), a 시·군·구, and what people, villages or stations are called, unless it is common by far
(재현; not 철근).
"""

import argparse
import io
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import _environment  # noqa: F401

from thunder.names.given_names import given_likeness, surname_of
from thunder.names.naming import is_place_name
from thunder.names.person_lexicon import word_class
from thunder.names.person_tails import tails
from thunder.names.well_known import is_station
from thunder.taxonomy.gazetteer import bare_district, district
from thunder.training_data.corpus.reading import files_in, opened

ONE_IN = 5_000
"""Level 1 is one judgment in so many."""

SHORTEST, LONGEST = 2, 4
LONGEST_OF_OTHERS, LEAST_OF_OTHERS = 3, 2  # syllables, level alone
LIKELY_GIVEN = -5.15
"""Log10 of how many are called so, without a surname."""

LEAST_OF_NAMES = 5
"""How common a word is at least that people, villages or stations are called, too."""

OTHERS = frozenset({"verb", "adverb", "clause", "mixed", "particle", "suffix"})

Levels = tuple[int, int]

_RUN = re.compile("[가-힣]+")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("table", type=Path, help="the table to add to")
    parser.add_argument("judgments", type=Path, nargs="+", help="JSONL files, or folders of them")
    options = parser.parse_args()
    comments, known = read(options.table)
    files = [file for place in options.judgments for file in files_in(place)]
    number, runs = counted(text for file in files for text in texts(file))
    more = {
        word: levels
        for word, levels in levels_of(number, runs).items()
        if word not in known and is_added(word, levels)
    }
    write(options.table, comments, {**known, **more})
    print(f"{options.table}: {len(known):,} words kept, {len(more):,} added ({number:,} judgments)")


def texts(path: Path) -> Iterator[str]:
    """Yield the text of each row of a JSONL file, packed or not."""
    with io.TextIOWrapper(opened(path), encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def counted(judgments: Iterable[str]) -> tuple[int, Counter[str]]:
    """Return the number of *judgments*, and in how many of them each run of Hangul stands."""
    number, runs = 0, Counter[str]()
    for text in judgments:
        number += 1
        runs.update(set(_RUN.findall(text)))
    return number, runs


def levels_of(judgments: int, runs: Mapping[str, int]) -> dict[str, Levels]:
    """Return how common each word of *runs* is alone and before a particle, of so many judgments.

    A judgment that has a word before two particles counts twice.
    """
    tailed: Counter[str] = Counter()
    known = frozenset(tails()) - {""}
    longest = max(map(len, known))
    for run, number in runs.items():
        for end in range(max(SHORTEST, len(run) - longest), min(len(run), LONGEST + 1)):
            if run[end:] in known:
                tailed[run[:end]] += number
    alone = {word: number for word, number in runs.items() if SHORTEST <= len(word) <= LONGEST}
    return {
        word: levels
        for word in {**alone, **tailed}
        if any(levels := (level(alone.get(word, 0), judgments), level(tailed[word], judgments)))
    }


def level(number: int, judgments: int) -> int:
    """Return how common *number* of *judgments* is: 0 for fewer than one in 5,000."""
    share = number * ONE_IN / judgments
    return round(math.log2(share)) + 1 if share >= 1 else 0


def is_added(word: str, levels: Levels) -> bool:
    """Return whether a *word* that the table does not have is one to be added."""
    if surname_of(word[:3]) or district(word) or bare_district(word):
        return False
    may_be_name = given_likeness(word) > LIKELY_GIVEN or is_station(word) or is_place_name(word)
    if may_be_name and max(levels) < LEAST_OF_NAMES:
        return False
    kind = word_class(word)
    is_short = len(word) <= LONGEST_OF_OTHERS and levels[0] >= LEAST_OF_OTHERS
    return kind == "noun" or (is_short and kind in OTHERS)


def read(table: Path) -> tuple[list[str], dict[str, Levels]]:
    """Return the comments above *table*, and its words with their levels."""
    lines = table.read_text(encoding="utf-8").splitlines()
    comments = [line for line in lines if line.startswith("#")]
    known: dict[str, Levels] = {}
    for line in lines[len(comments) :]:
        alone, tailed, words = line.split("\t")
        known |= dict.fromkeys(words.split(), (int(alone), int(tailed)))
    return comments, known


def write(table: Path, comments: Iterable[str], words: Mapping[str, Levels]) -> None:
    """Write *words* below *comments*, a line for those that are equally common, commonest first."""
    table.write_text("\n".join([*comments, *_lines(words)]) + "\n", "utf-8", newline="\n")


def _lines(words: Mapping[str, Levels]) -> Iterator[str]:
    rows: defaultdict[Levels, list[str]] = defaultdict(list)
    for word, levels in words.items():
        rows[levels].append(word)
    for alone, tailed in sorted(rows, reverse=True):
        yield f"{alone}\t{tailed}\t{' '.join(sorted(rows[alone, tailed]))}"


if __name__ == "__main__":
    main()
