"""A mention ends before a date that was glued to it."""

import pytest

from thunder.mentions.glued_dates import without_year

from ..found_spans import tagger


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("역삼동 [12-341997]. 12. 14.", "12-34"),
        ("[역삼동 8002004].  9.  5.", "역삼동 800"),
        ("㈜[나래종합이2011]. 5. 24.", "나래종합"),
        ("㈜[나래전자가 2011]. 5. 24.", "나래전자"),
        ("㈜[한아이2011]. 5. 24.", "한아이"),  # 이 stands after consonants only
        # No date follows, or there is nothing but its year.
        ("[역삼동 12-341997], 12", "역삼동 12-341997"),
        ("[역삼동 12-341997]. 13. 40.", "역삼동 12-341997"),
        ("[1997]. 12. 14.생", "1997"),
        ("[한빛2000]. 그는", "한빛2000"),
    ],
)
def test_the_year_of_a_date_after_a_mention(sentence: str, left: str) -> None:
    text = sentence.replace("[", "").replace("]", "")
    (span,) = tagger(sentence)
    found = without_year(text, span)
    assert text[found.start : found.end] == left
