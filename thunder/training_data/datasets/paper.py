"""Table 1 of the Thunder-DeID paper: documents and entities of each case type."""

from collections.abc import Mapping
from typing import NamedTuple


class Row(NamedTuple):
    """One row of the table."""

    domain: str
    case_type: str
    documents: int
    entities: int

    @property
    def density(self) -> float:
        """Entities a document."""
        return self.entities / self.documents


TABLE_1 = (
    Row("Civil", "Compensation for damage", 901, 9_223),
    Row("Civil", "Security deposit disputes", 696, 5_187),
    Row("Civil", "Payment of purchase price", 557, 4_983),
    Row("Civil", "Eviction", 846, 6_816),
    Row("Criminal", "Bodily injury", 600, 2_562),
    Row("Criminal", "Violence", 600, 2_583),
    Row("Criminal", "Sexual misconduct", 600, 2_732),
    Row("Criminal", "Property theft & deception", 600, 4_376),
    Row("Criminal", "Drunk driving", 600, 2_354),
    Row("Administrative", "Administrative litigation", 700, 7_490),
)

DOMAINS = tuple(dict.fromkeys(row.domain for row in TABLE_1))


def subtotal(domain: str) -> Row:
    """Return the sum of the rows of a domain, under the domain's own name."""
    rows = [row for row in TABLE_1 if row.domain == domain]
    documents, entities = sum(row.documents for row in rows), sum(row.entities for row in rows)
    return Row(domain, domain, documents, entities)


_CRIMINAL = {
    "bodily_injury": "Bodily injury",
    "injury": "Bodily injury",
    "crime_of_violence": "Violence",
    "violence": "Violence",
    "indecent_act_by_compulsion": "Sexual misconduct",
    "sexual": "Sexual misconduct",
    "fraud": "Property theft & deception",
    "theft": "Property theft & deception",
    "property": "Property theft & deception",
    "drunk_driving": "Drunk driving",
}
_CIVIL = {
    **dict.fromkeys(
        ("traffic", "assault_damages", "medical", "construction"), "Compensation for damage"
    ),
    "deposit": "Security deposit disputes",
    "price": "Payment of purchase price",
    "eviction": "Eviction",
}
_ADMINISTRATIVE = dict.fromkeys(
    ("suspension", "licence", "industrial", "penalty", "disclosure", "discipline", "일반행정"),
    "Administrative litigation",
)
_WHOLE = {"민사": "Civil", "형사": "Criminal"}
_NEAREST: Mapping[str, str] = _CRIMINAL | _CIVIL | _ADMINISTRATIVE | _WHOLE


def nearest(case_type: str) -> Row | None:
    """Return the row that a case type of ours is to be compared with, None where there is none.

    The released annotations are of three kinds: fraud counts as property. The invented ones have
    each their row (``invented_judgments.KINDS``). Whole judgments are told by domain only (민사,
    형사, 일반행정), and compared with its subtotal.
    """
    name = _NEAREST.get(case_type)
    rows = (*TABLE_1, *map(subtotal, DOMAINS))
    return next((row for row in rows if row.case_type == name), None)
