"""The whole titles of posts and advertisements: '나눔 하실 분'이라는 제목의 글.

Other names in quotation marks are rules: ``taxonomy/patterns/quoted.yaml``.
"""

from collections.abc import Iterator

from thunder.names.chunks import is_placeholder
from thunder.names.quotations import LETTERS, PADDING
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

# A post, whose title may be any words at all; a book's, a statute's and a chapter's stay.
_POST = expression(
    rf"['‘\"“`<〈]{PADDING}([^'’\"”`>〉‘“<〈\n]{{2,40}})['’\"”`>〉]"
    r"이?라는[ \n]{1,12}제목(?:의|으로)[ \n]{1,12}(?:인터넷 )?"
    r"<post>"
    r"<tail>?(?![가-힣])",
    needs=("제목",),
)
# An article has a title as well; what is put up somewhere is a post.
_ONLINE = expression("<online>")
_NEAR = 80
_LEFT_OUT = lazy.compile(r"생략\)?$")


def find(text: str) -> Iterator[Span]:
    """Yield the titles of what was put up somewhere."""
    for match in _POST.finditer(text):
        title = match[1].strip()
        around = text[max(0, match.start() - _NEAR) : match.end() + _NEAR]
        if not _ONLINE.search(around) or is_placeholder(title) or _LEFT_OUT.search(title):
            continue
        if LETTERS.search(title):
            start = match.start(1) + match[1].index(title)
            yield Span(start, start + len(title), "온라인게시글명", 1.0)
