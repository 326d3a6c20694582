"""How much of what should be masked was masked, by every measure the field reads.

By characters, mentions and documents (``characters``), by tokens as the paper does (``tokens``),
by boundaries (``boundaries``), by entities as the Text Anonymization Benchmark does
(``mentions``); ``evaluation`` puts them together for any system's output.
"""

from thunder.scoring.characters import Counts, Mentions, Report, Scored, beside, measure
from thunder.scoring.round_trip import FORM, SPELLING, Difference, Masking, same_up_to_letters

__all__ = [
    "FORM",
    "SPELLING",
    "Counts",
    "Difference",
    "Masking",
    "Mentions",
    "Report",
    "Scored",
    "beside",
    "measure",
    "same_up_to_letters",
]
