"""Make taxonomy/cues/behind_roles.tsv: the words that stand behind a person's role in judgments.

    python benchmarks/build_behind_roles.py data/judgments data/public-judgments behind_roles.tsv

In public judgments names are letters (피고 A은) or circles: a word that stands there behind a role
(피고 명의로, 원고 주장은) is no name. Counts such words, with and without a particle, in how many
judgments each. Names that a court left readable must not get into the table: what Mecab's
dictionary takes for a proper noun or does not know is left out, and what begins like a surname is
taken only where it is one long noun of the dictionary or stands so in three judgments, what people
are called like only if it stands so in two.
"""

import argparse
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path

import _environment  # noqa: F401

from thunder.names.given_names import given_likeness, surname_of
from thunder.taxonomy.lexicon import classes_of
from thunder.text.morphology import analyse

_MARK = re.compile(r"<<</?[^<>]*>>>")
_PARTICLES = (
    "은 는 이 가 을 를 의 에게 에게서 와 과 으로부터 로부터 도 로 으로 만 이나 나 라는 이라는 에 "
    "에서 들 들은 들이 들을 들의 들에게 들과 들도 인 이라 라 이며 이고 하고 한 하여 하는 할 된 되어"
)
_PROPER = ("NNP", "SL", "SH", "UNKNOWN")
_LONGEST = 4
_LIKELY_GIVEN = -5.0  # log10 of how many are called so
_ROLES = "party", "sure-kin", "near-kin", "friend", "signer"  # those of the rule word-behind-a-role
_HEADING = """\
# 원고, 피고인, 친구 같은 말 바로 뒤에 오는, 이름이 아닌 낱말
# Words of two to four syllables that stand directly behind a person's role (피고인 명의로,
# 원고 주장은) in public judgments, whose names are letters. Any other word there, before a
# particle, is taken for a name (피고인 다리는). A word that is masked by mistake goes on a line
# before "# counted"; a name that is missed because it stands here comes off its line. What stands
# behind "# counted" is counted by benchmarks/build_behind_roles.py.
# words
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("judgments", type=Path, help="folder of .jsonl.xz with text")
    parser.add_argument("annotated", type=Path, help="folder of annotated_judgments.jsonl")
    parser.add_argument("target", type=Path)
    options = parser.parse_args()
    found = counted(texts_of(options.judgments, options.annotated))
    by_hand = kept(options.target)
    words = sorted(
        word
        for word, count in found.items()
        if count and word not in by_hand and is_plain(word, count)
    )
    lines = [_HEADING, *rows(by_hand), "# counted\n", *rows(words)]
    options.target.write_text("".join(lines), encoding="utf-8", newline="\n")
    print(f"{len(words):,} words of {len(found):,}")


def rows(words: list[str]) -> Iterator[str]:
    """Yield lines of forty words."""
    for at in range(0, len(words), 40):
        yield " ".join(words[at : at + 40]) + "\n"


def texts_of(judgments: Path, annotated: Path) -> Iterator[str]:
    """Yield the text of every judgment, marks of annotated ones left out."""
    for path in sorted(judgments.glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)["text"]
    with (annotated / "annotated_judgments.jsonl").open(encoding="utf-8") as file:
        for line in file:
            yield _MARK.sub("", json.loads(line)["text"])


def counted(texts: Iterator[str]) -> Counter[str]:
    """Return in how many of *texts* each word stands behind a role before a particle or comma.

    A word that stands there without one counts a fifth: it may begin a compound (원고 이상 2인).
    """
    classes = classes_of(None)
    words = set(chain.from_iterable(classes[name] for name in _ROLES))
    roles = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    behind = re.compile(rf"(?<![가-힣0-9])(?:{roles})\)? ([가-힣]{{2,8}})(?![가-힣])(,?)")
    tailed: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    for text in texts:
        runs = set(behind.findall(text))
        tailed.update(
            {word for run, comma in runs for word in (*readings(run), *[run][: len(comma)])}
        )
        alone.update({run for run, comma in runs if not comma})
    return Counter(
        {
            word: tailed[word] + alone[word] // 5
            for word in (*tailed, *alone)
            if len(word) <= _LONGEST
        }
    )


def readings(run: str) -> Iterator[str]:
    """Yield what *run* is without each particle that it may end in, two to four syllables."""
    for particle in _PARTICLES.split():
        if run.endswith(particle) and 2 <= len(run) - len(particle) <= _LONGEST:
            yield run.removesuffix(particle)


def kept(path: Path) -> list[str]:
    """Return the words of *path* that were not counted: those before its line ``# counted``."""
    lines = path.read_text(encoding="utf-8").partition("# counted\n")[0].splitlines()
    return sorted({word for line in lines if not line.startswith("#") for word in line.split()})


@lru_cache(maxsize=1 << 16)
def is_plain(word: str, judgments: int) -> bool:
    """Return whether *word*, behind a role in so many judgments, is a word and no name."""
    morphemes = tuple(analyse(word))
    if any(part in _PROPER for m in morphemes for part in m.tag.split("+")):
        return judgments >= 20 and not surname_of(word)
    if len(morphemes) > 1 and morphemes[-1].tag.startswith(("J", "E", "VCP")):
        return False  # counted without it, too
    if len(word) == 2 and surname_of(word):
        return judgments >= 3
    if judgments == 1 and len(word) == 2 and given_likeness(word) > _LIKELY_GIVEN:
        return False
    if surname_of(word) and len(word) > 2:
        return (len(morphemes) == 1 and morphemes[0].tag == "NNG") or judgments >= 3
    return True


if __name__ == "__main__":
    main()
