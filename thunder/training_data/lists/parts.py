"""The two parts of every list: four in five mentions to train on, one in five held out."""

import hashlib
import re
from typing import Literal

Part = Literal["all", "train", "held-out"]
PARTS: tuple[Part, ...] = ("all", "train", "held-out")

HELD_OUT = 5
"""One in so many mentions is held out."""

_BESIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\s+")


def part_of(mention: str) -> Part:
    """Return the part that *mention* belongs to, in whichever of its forms and lists it stands."""
    return "train" if hashed(mention) % HELD_OUT else "held-out"


def hashed(mention: str) -> int:
    """Return the number by which *mention* and its other written forms are told into parts."""
    digest = hashlib.blake2b(bare(mention).encode(), digest_size=8, person=b"part").digest()
    return int.from_bytes(digest, "big")


def bare(mention: str) -> str:
    """Return *mention* without spaces, brackets and capitals: what its written forms share."""
    if mention.isalpha():
        return mention.casefold()
    return _BESIDE.sub("", mention).casefold() or mention
