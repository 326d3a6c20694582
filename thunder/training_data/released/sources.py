"""What ``thunder data`` can get: where each source lies, under which licence, in which shape."""

from dataclasses import dataclass
from typing import Literal

from thunder.training_data.released import messages as say

Shape = Literal["thunder-deid", "precedents", "statutes"]

_NON_COMMERCIAL = (
    "Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International. Name the authors "
    "(Thunder-DeID, mcrl/SNU_Thunder-DeID, which derives from lbox/lbox-open); no commercial use; "
    "what is made of it, trained taggers included, is passed on under the same licence."
)
_PUBLIC = (
    "The texts are in the public domain (저작권법 제7조: statutes and judgments are not "
    "protected). The arrangement and metadata of the repository are under the MIT licence."
)


@dataclass(frozen=True, slots=True)
class Source:
    """A public data source.

    *url* is an ordinary file over HTTPS. *sha256* is the hash that the file must have, "" where
    none is known: then what came is recorded, and ``--sha256`` asks for it the next time.
    """

    name: str
    about: str
    url: str
    licence: str
    terms: str
    licence_url: str
    shape: Shape
    gives: tuple[str, ...]
    sha256: str = ""


SOURCES = (
    Source(
        "thunder-deid",
        "손으로 표시한 형사 판결 범죄사실 4,500건과 라벨별 대체어 목록 (논문이 공개한 자료)",
        "https://codeload.github.com/mcrl/SNU_Thunder-DeID/tar.gz/"
        "1707915610419b2445d838c83b2cb99915321e06",
        "CC BY-NC-SA 4.0",
        _NON_COMMERCIAL,
        "https://creativecommons.org/licenses/by-nc-sa/4.0/legalcode",
        "thunder-deid",
        ("annotated.jsonl", "mentions.jsonl"),
    ),
    Source(
        "judgments",
        "공개 판결 전문 (국가법령정보센터의 판례, legalize-kr/precedent-kr)",
        "https://codeload.github.com/legalize-kr/precedent-kr/tar.gz/refs/heads/main",
        "public domain (저작권법 제7조)",
        _PUBLIC,
        "https://www.law.go.kr/법령/저작권법/제7조",
        "precedents",
        ("judgments.jsonl",),
    ),
    Source(
        "statutes",
        "현행 법령 (국가법령정보센터, legalize-kr/legalize-kr)",
        "https://codeload.github.com/legalize-kr/legalize-kr/tar.gz/refs/heads/main",
        "public domain (저작권법 제7조)",
        _PUBLIC,
        "https://www.law.go.kr/법령/저작권법/제7조",
        "statutes",
        ("statutes.jsonl",),
    ),
)


def source(name: str) -> Source:
    """Return the source of this name; LookupError names those that are known."""
    for one in SOURCES:
        if one.name == name:
            return one
    known = ", ".join(one.name for one in SOURCES)
    raise LookupError(say.NO_SOURCE(name=name, known=known))
