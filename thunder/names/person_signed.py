"""Names of officers by their rank, and of those who wrote or gave a piece of evidence."""

from collections.abc import Iterator

from thunder.names.given_names import surname_of
from thunder.names.person_lexicon import commonness, word_class
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

SOURCE = "names:person"
LABEL = "내국인이름"
SCORE = 0.75

_END = r"(?=$|[\s,.()]|(?:은|는|이|가|을|를|과|와|의|에게|으로|로|도)(?![가-힣]))"
# 경위 is 'circumstances' too: a station or a unit has to stand before the rank.
_OFFICER = expression(
    r"<police-unit>[가-힣 ]{0,12}?"
    rf"[ ]<police-rank>[ ](?P<name>[가-힣]{{2,4}}?){_END}",
    needs=("<police-rank>",),
)
_AUTHOR = lazy.compile(
    r"(?<![가-힣])(?P<name>[가-힣]{2,4}?)"
    r"(?:[ ]?작성의[ ]|에[ ]?대한[ ](?:경찰|검찰|검사)[ ]|"
    r"의[ ](?:법정|경찰|검찰)?[ ]?진술(?:기재|서|조서))",
    needs=("작성의 ", "대한 경찰", "대한 검찰", "대한 검사", "진술기재", "진술서", "진술조서"),
)
_NO_NAME = frozenset({"noun", "verb", "adverb", "place", "particle"})


def find(text: str) -> Iterator[Span]:
    """Yield officers named after their rank, and the authors and givers of statements."""
    for pattern in (_OFFICER, _AUTHOR):
        for match in pattern.finditer(text):
            if _may_be_name(match["name"]):
                yield Span(match.start("name"), match.end("name"), LABEL, SCORE, SOURCE)


def _may_be_name(word: str) -> bool:
    return (
        bool(surname_of(word))
        and word_class(word) not in _NO_NAME
        and not max(commonness(word, tailed=tailed) for tailed in (True, False))
    )
