"""Names that a court left in a masked judgment: who of them may stay, and who must not."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from thunder.names import defined, legal_forms, persons
from thunder.names.patterns.signs import sign
from thunder.taxonomy.own import ruling as load_taxonomy
from thunder.taxonomy.policy import Decision
from thunder.taxonomy.profiles import load as load_policy
from thunder.text.spans import Span, heaviest
from thunder.training_data.placeholders.nouns import is_body, is_business
from thunder.training_data.placeholders.record import Doubt, Mark

PERSON_LEFT, COMPANY_LEFT, OFFICER_MASKED = "person left", "company left", "officer masked"
SHORT_LEFT = "short name left"
_SURE = 0.7
_HEADING = re.compile(r"(?:^|\n)[ \t]*【(?P<title>[^【】\n]{1,60})】[^\n]{0,240}$")


def find(text: str, marks: Sequence[Mark]) -> Iterator[Doubt]:
    """Yield the persons and companies of *text* that stand unmasked beside the placeholders.

    Judges, prosecutors, counsel and public bodies stay readable by the court rule and are none.
    """
    people = [span for span in persons.find(text) if span.score >= _SURE and _person(text, span)]
    firms = [
        span
        for span in legal_forms.find(text)
        if not sign("form-in-brackets").at(text, span.start)
        and not _form_is_of_a_mark(text, span, marks)
    ]
    both = heaviest([*people, *firms])
    named = [span for span in both if not _is_marked(span, marks)]
    sources = set(people)
    for decision in load_policy("court").decide(text, named, load_taxonomy()):
        if not _may_stay(text, decision):
            span = decision.span
            reason = PERSON_LEFT if span in sources else COMPANY_LEFT
            yield Doubt(span.start, span.end, reason, span.label)


def short_names(text: str, spans: Sequence[Span]) -> Iterator[Doubt]:
    """Yield the names that *text* has for masked bodies for short: 소외 3 회사(이하 ‘금강’)."""
    bodies = [span for span in spans if is_body(span.label) or is_business(span.label)]
    for name in defined.find(text, bodies):
        if all(name.end <= span.start or span.end <= name.start for span in spans):
            yield Doubt(name.start, name.end, SHORT_LEFT)


def masked_officers(text: str, marks: Sequence[Mark]) -> Iterator[Doubt]:
    """Yield the placeholders of judges and counsel: filled, they would be masked for nothing."""
    for mark in marks:
        if sign("officer-of-a-court").at(text, mark.start):
            yield Doubt(mark.start, mark.end, OFFICER_MASKED)
    for match in sign("numbered-officer").all(text):
        yield Doubt(match.start(), match.end(), OFFICER_MASKED)


def _person(text: str, span: Span) -> bool:
    name = text[span.start : span.end]
    return not (sign("office-or-clan").fits(name) or sign("behind-a-clan").at(text, span.end))


def _form_is_of_a_mark(text: str, span: Span, marks: Sequence[Mark]) -> bool:
    """Return whether the legal form behind *span* is a placeholder's: 파산자 주식회사 ○○○."""
    form = sign("form-then-a-mark").match(text, span.end)
    if form is None:
        return False
    at = bisect_right(marks, form.end() - 1, key=lambda mark: mark.start)
    return at < len(marks) and marks[at].start == form.end()


def _may_stay(text: str, decision: Decision) -> bool:
    """Return whether the court rule keeps the name, or it stands under a heading of officers."""
    if decision.treatment == "keep":
        return True
    start = decision.span.start
    heading = _HEADING.search(text, max(0, start - 300), start)
    return heading is not None and sign("heading-of-officers").fits(
        "".join(heading["title"].split())
    )


def _is_marked(span: Span, marks: Sequence[Mark]) -> bool:
    """Return whether one of the sorted, disjoint *marks* shares a character with *span*."""
    at = bisect_right(marks, span.end - 1, key=lambda mark: mark.start)
    return at > 0 and marks[at - 1].end > span.start
