"""Every filling of the annotated judgments: does the particle after it fit, by Mecab-ko's tags?

What follows a mention is analysed behind a common noun that ends in the same sound. Where Mecab-ko
takes it for a particle of two forms, the form has to be the one for that sound.
"""

import re
import sys
from collections import Counter
from pathlib import Path

import _environment  # noqa: F401

sys.path.insert(0, str(Path(__file__).parent))
import material

from thunder.text.korean import final_sound
from thunder.text.morphology import analyse

STAND_INS = {"": "나라", "ㄹ": "서울"}
AFTER_VOWEL = {"은": "는", "이": "가", "을": "를", "과": "와", "으로": "로", "으로부터": "로부터"}
TAGS = ("JKS", "JKO", "JX", "JC", "JKB")


def particle(ending: str, following: str) -> str:
    """Return the particle of two forms that *following* begins with, "" where there is none."""
    if following.startswith("은행"):  # Mecab-ko reads 나라은행의 as 나라 + 은
        return ""
    noun = STAND_INS.get(ending, "사람")
    for morpheme in analyse(noun + following):
        if morpheme.start == len(noun) and morpheme.tag.startswith(TAGS):
            found = following[: morpheme.end - morpheme.start]
            return found if found in {*AFTER_VOWEL, *AFTER_VOWEL.values()} else ""
    return ""


def fits(ending: str, found: str) -> bool:
    """Return whether the particle is the form for *ending*: a final consonant, ㄹ or a vowel."""
    if found.startswith(("으로", "로")):
        return found.startswith("로") is (ending in ("", "ㄹ"))
    return (found in AFTER_VOWEL.values()) is (ending == "")


def main() -> int:
    arguments = material.parser(__doc__ or "").parse_args()
    material.require(arguments.data, "annotated", "mentions")
    counts: Counter[str] = Counter()
    for part in material.PARTS:
        for judgment in material.filled(arguments.data, part=part):
            for span in judgment.gold:
                following = re.match(r"[가-힣]*", judgment.text[span.end : span.end + 12])
                mention = judgment.text[span.start : span.end]
                ending = final_sound(re.sub(r"\([^()]*\)$", "", mention))  # brackets are skipped
                found = particle(ending, following[0]) if following and following[0] else ""
                if found:
                    counts["fit" if fits(ending, found) else f"{ending or 'vowel'} + {found}"] += 1
    print(f"{sum(counts.values()):,} particles of two forms after a mention")
    print("\n".join(f"- {what}: {count:,}" for what, count in counts.most_common()))
    return 0 if set(counts) == {"fit"} else 1


if __name__ == "__main__":
    sys.exit(main())
