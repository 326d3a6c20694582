"""What law reports add to a judgment when they number its persons: notes, and ranges of numbers.

No court writes 원고 3(항소심판결의 원고 2), nor a range of persons, 원고 3 내지 10. A note right
behind a number stands in the place of the name with it; a judgment with any other is left out.
"""

from collections.abc import Iterator, Sequence

from thunder.taxonomy.lexicon import expression
from thunder.training_data.placeholders.record import Doubt, Mark

NOTE_LEFT, RANGE_LEFT = "note of the publisher", "range of persons"
_OTHER = (
    r"(?:이하 ?)?(?:이 사건 )?(?:대판 ?[:：]?|<other-instance>(?:[가-힣0-9 ]{0,16}?(?:판결|결정)문?"
    r"(?:상|에서)?의?|[:：])) ?"
)
_PERSON = (
    r"(?:망 )?(?:(?:<instance-of-a-party> ?)?(?:공동 ?|상)?<numbered-role>(?: ?[0-9]{1,3}"
    r"(?:-[0-9]{1,2})?)?|<sole-person>)(?: ?(?:<legal-form>|회사))?"
)
_NOTE = rf"\s{{0,40}}\({_OTHER}{_PERSON}(?:(?: 및|,|/) ?{_OTHER}{_PERSON})*\)"
_WITHIN = r"\([^()\n]{1,60}<other-instance> ?판결의 ?<numbered-role> ?[0-9]+[,)]"
_LOOSE = rf"\({_OTHER}{_PERSON}[,)]|{_WITHIN}"
_RANGE = (
    r"(?<![가-힣])<numbered-role>\s{0,40}[0-9]{1,3}(?:-[0-9]{1,2})?(?:\([^()\n]{0,40}\))?"
    r" ?(?:<range-of-numbers>|~)\s{0,40}(?:<numbered-role>\s{0,40})?"
    r"[0-9]{1,3}(?![0-9.]|<counted-of-a-party>)"
)


def with_notes(text: str, marks: Sequence[Mark]) -> list[Mark]:
    """Return the marks, each with the note behind it; what is marked in a note is gone."""
    found: list[Mark] = []
    for mark in marks:
        if found and mark.start < found[-1].end:
            continue
        note = expression(_NOTE).match(text, mark.end) if mark.style in _STYLES else None
        found.append(mark._replace(end=note.end()) if note else mark)
    return found


_STYLES = ("role", "circle", "letter")


def doubts(text: str, marks: Sequence[Mark]) -> Iterator[Doubt]:
    """Yield the notes that stand elsewhere (소외 2 회사(대법원판결의 …)) and ranges of persons."""
    ends = {mark.end for mark in marks}
    for match in expression(_LOOSE).finditer(text):
        if match.end() not in ends:
            yield Doubt(match.start(), match.end(), NOTE_LEFT)
    for match in expression(_RANGE).finditer(text):
        yield Doubt(match.start(), match.end(), RANGE_LEFT)
