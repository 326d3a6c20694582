"""What brackets right after a masked mention say of it: a short form, a spelling, a birth date."""

from collections.abc import Sequence

from thunder.identifiers import birth_date
from thunder.names import defined, person_foreign
from thunder.names.kinds import is_person
from thunder.text.spans import Span


def find(text: str, masked: Sequence[Span]) -> list[Span]:
    """Return further mentions that *masked* ones vouch for; they may overlap others.

    주식회사 한빛테크(이하 ‘한빛’이라 한다), 이케다 에리(IKEDA ERI), 홍길동(1967. 2. 10.). The same
    brackets after what stays readable say nothing that has to be masked.
    """
    persons = [span for span in masked if is_person(span.label)]
    return [
        *defined.find(text, masked),
        *person_foreign.other_forms(text, persons),
        *birth_date.after_names(text, (span.end for span in persons)),
    ]
