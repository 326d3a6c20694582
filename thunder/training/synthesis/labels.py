"""Labels that a model proposes for thin categories, each with mentions; a person approves them.

Source: Thunder-DeID paper, section 3.8: a language model is told a granular category with few
labels and writes more, with mentions. What is proposed lies in ``proposals.jsonl``, the form that
``thunder lists import`` reads, and in ``proposals.sh`` as commands that do nothing until somebody
takes the mark of a remark from the line of a label that is good.
"""

import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from thunder.settings.config import ConfigError
from thunder.taxonomy import Label, Taxonomy
from thunder.training.synthesis.marks import Dropped
from thunder.training_data.mention_makers.names import is_public_figure

REASONS: Mapping[str, str] = {
    "known": "the taxonomy has this label, or it was proposed before",
    "name": "the name is no Korean noun of one word, or the English one is empty",
    "mentions": "fewer than half of the mentions asked for can be mentions",
}
_NAME = re.compile(r"[가-힣][가-힣A-Za-z·]{0,19}")
_ENGLISH = re.compile(r"[A-Za-z][A-Za-z0-9 ,()/&'·-]{1,79}")
_MENTION = re.compile(r"[^<>\n\t]{1,40}")


class Proposal(NamedTuple):
    """A label for the category of *code*, its English name, and mentions of it."""

    name: str
    english: str
    category: str
    code: str
    mentions: tuple[str, ...]

    def row(self) -> dict[str, Any]:
        """Return what stands in ``proposals.jsonl``."""
        return {"label": self.name, "mentions": list(self.mentions), "english": self.english,
                "category": self.category, "code": self.code}  # fmt: skip

    def command(self) -> str:
        """Return the command that adds it to the taxonomy in the folder ``$1``, as a remark."""
        words = ["thunder", "taxonomy", "add", self.name, "--en", self.english,
                 "--category", self.category, "--code", self.code]  # fmt: skip
        return f'# {shlex.join(words)} --taxonomy "$1"'


def category_of(name: str, taxonomy: Taxonomy) -> Sequence[Label]:
    """Return the labels of a category, named by itself or with its code (D.2.7 외식업).

    ConfigError where there is none of the name, or more than one.
    """
    first, _, rest = name.partition(" ")
    code, bare = (first, rest) if first in {one.code for one in taxonomy} else ("", name)
    found = [one for one in taxonomy if one.category == bare and code in ("", one.code)]
    codes = sorted({one.code for one in found})
    if not found:
        raise ConfigError(f"[labels] '{name}' is no category of the taxonomy")
    if len(codes) > 1:
        raise ConfigError(f"[labels] '{name}' is in {', '.join(codes)}: say '{codes[0]} {bare}'")
    return found


def read(
    found: Mapping[str, Any], *, of: Sequence[Label], wanted: int, taxonomy: Taxonomy,
    proposed: Collection[str],
) -> Proposal:  # fmt: skip
    """Return what an answer proposes beside the labels *of* a category; Dropped where it cannot.

    A mention stands once, holds no mark, and is no public figure's name; *wanted* were asked for.
    """
    name, english = found["name"].strip(), found["english"].strip()
    if not _NAME.fullmatch(name) or not _ENGLISH.fullmatch(english):
        raise Dropped("name")
    if taxonomy.knows(name) or name in proposed:
        raise Dropped("known")
    given = dict.fromkeys(one.strip() for one in found["mentions"])
    mentions = [
        one for one in given
        if _MENTION.fullmatch(one) and one != name and not is_public_figure(one)
    ]  # fmt: skip
    if 2 * len(mentions) < wanted:
        raise Dropped("mentions")
    return Proposal(name, english, of[0].category, of[0].code, tuple(mentions))


def script(proposals: Sequence[Proposal]) -> str:
    """Return ``proposals.sh``."""
    lines = [
        "#!/bin/sh",
        "# Usage: sh proposals.sh TAXONOMY-FOLDER, after taking '# ' from the good labels.",
        "set -e",
        *(one.command() for one in proposals),
    ]
    return "\n".join(lines) + "\n"
