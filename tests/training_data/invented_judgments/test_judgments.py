"""Invented judgments: whole, consistent, labelled, and the same on every machine."""

import re
from datetime import date

import pytest

from thunder.taxonomy import load
from thunder.taxonomy.gazetteer import district_names
from thunder.training_data.annotation import parse, serialise
from thunder.training_data.diversity import OFTEN, legal_formulas, passage_shares
from thunder.training_data.filling import fill
from thunder.training_data.invented_judgments import (
    FAMILIES,
    KINDS,
    WRITINGS,
    family_of,
    grammar,
    judgment,
    judgments,
)
from thunder.training_data.invented_judgments.cases import PIECES, dotted, in_man
from thunder.training_data.invented_judgments.judgments import invented_case
from thunder.training_data.invented_judgments.layout import letter

NUMBERS = range(12)
EACH = [(kind, number) for kind in KINDS for number in NUMBERS]
DATE = re.compile(r"(?<![0-9])([12][0-9]{3})\. ([0-9]{1,2})\. ([0-9]{1,2})\.")
SUM = r"((?:[0-9,]+억 ?)?(?:[0-9,]+만 )?[0-9,]*원)"


def won(written):
    """Return a sum in won: 1억 2,000만 원, 120,000,000원."""
    if "만" in written or "억" in written:
        eok, _, rest = written.removesuffix("원").strip().rpartition("억")
        man = rest.strip().removesuffix("만").replace(",", "") or "0"
        return int(eok.replace(",", "") or 0) * 10**8 + int(man) * 10**4
    return int(written.removesuffix("원").replace(",", ""))


def days(text):
    return [date(*map(int, match.groups())) for match in DATE.finditer(text)]


def slots(nodes):
    """Yield the name of every slot in *nodes*, at any depth."""
    for node in nodes:
        if isinstance(node, grammar.Slot):
            yield node.name
        elif isinstance(node, grammar.Choice):
            for option in node.options:
                yield from slots(option)
        elif isinstance(node, grammar.Test):
            yield from slots(node.yes)
            yield from slots(node.no)


@pytest.fixture(scope="module")
def documents():
    return {(kind, number): judgment(kind, seed=5, number=number) for kind, number in EACH}


@pytest.mark.parametrize("kind", KINDS)
def test_a_judgment_is_whole_and_nothing_of_the_pieces_shows(documents, kind):
    for number in NUMBERS:
        one = documents[kind, number]
        compact = re.sub(r"[\s【】]", "", one.text)
        assert re.search(r"[{}<>|§\\@]", one.text) is None, one.id
        assert "  " not in one.text.replace("    ", ""), one.id
        assert re.search(r"\n\n\n| \n|\n ", one.text) is None, one.id
        heads = ["피고인", "검사", "변호인", "범죄사실", "증거의요지", "법령의적용", "양형의이유"]
        civil = ["원고", "피고", "변론종결", "판결선고", "청구취지", "결론"]
        for head in ["주문", "이유", *(heads if family_of(kind) == "criminal" else civil)]:
            assert head in compact, (one.id, head)
        assert "판사" in compact[-60:], one.id


@pytest.mark.parametrize("kind", KINDS)
def test_the_marks_come_back_and_all_labels_are_the_taxonomys(documents, kind):
    taxonomy = load()
    for number in NUMBERS:
        one = documents[kind, number]
        read_again = parse(serialise(one.text, one.spans), taxonomy=taxonomy)
        assert (read_again.text, len(read_again.spans)) == (one.text, len(one.spans))
        for span in one.spans:
            assert taxonomy.label(span.label).ko == span.label


@pytest.mark.parametrize("kind", KINDS)
def test_one_letter_is_one_entity_and_letters_come_in_order(documents, kind):
    for number in NUMBERS:
        one = documents[kind, number]
        labels = {}
        for span in one.spans:
            written = one.text[span.start : span.end]
            assert labels.setdefault(written, span.label) == span.label, (one.id, written)
        letters = [written for written in labels if written.isalpha() and written.isascii()]
        assert letters == [letter(at) for at in range(len(letters))]
        outside = list(one.text)
        for span in one.spans:
            outside[span.start : span.end] = " " * len(span)
        assert not re.search(r"(?<![A-Za-z0-9])[A-JL-Z](?![A-Za-z0-9])", "".join(outside)), one.id


@pytest.mark.parametrize("kind", KINDS)
def test_days_come_in_order_and_none_lies_after_the_judgment(documents, kind):
    for number in NUMBERS:
        case = invented_case(kind, seed=5, number=number)
        assert case.days == sorted(case.days)
        decided = case.days[-1]
        assert case.facts["decided"] == dotted(decided)
        late = [day for day in days(documents[kind, number].text) if day > decided]
        assert not late, documents[kind, number].id


@pytest.mark.parametrize("kind", ["traffic", "assault_damages", "medical"])
def test_a_loss_adds_up(kind):
    for number in range(40):
        sums = invented_case(kind, seed=5, number=number).sums
        parts = sums["lost_income"] + sums["past_care"] + sums["later_care"]
        assert parts == sums["property_sum"]
        assert sums["net_loss"] == sums["limited_loss"] - sums["given"] > 0
        assert sums["award"] in (0, sums["net_loss"] + sums["pain"])
        assert sums["claim"] >= sums["award"]


def test_deposits_deliveries_and_defects_add_up():
    for number in range(40):
        lease = invented_case("deposit", seed=5, number=number).sums
        assert lease["first_payment"] + lease["rest_payment"] == lease["deposit"]
        assert lease["award"] in (0, lease["deposit"] - lease["arrears"] - lease["cleaning"])
        sale = invented_case("price", seed=5, number=number).sums
        assert sum(sale[f"invoice{n}"] for n in range(1, 5)) == sale["total"]
        assert sale["total"] - sale["paid"] == sale["rest"]
        works = invented_case("construction", seed=5, number=number).sums
        assert sum(works[f"defect{n}"] for n in range(1, 5)) == works["property_sum"]


def test_payments_of_a_fraud_add_up_in_the_text(documents):
    for number in NUMBERS:
        one = documents["fraud", number]
        taken = re.search(rf"((?:[0-9]{{4}}\. [0-9. ]+ {SUM}(?:, )?){{4}}).*합계 {SUM}", one.text)
        parts = [won(found) for found in re.findall(rf"\. {SUM}", taken[1])]
        assert len(parts) == 4
        assert sum(parts) == won(taken.groups()[-1])


def test_the_order_and_the_reasons_name_one_sum(documents):
    for (kind, _), one in documents.items():
        if family_of(kind) == "civil" and kind != "eviction" and "지급하라" in one.text:
            order = re.search(rf"1\. 피고는 원고에게 {SUM}", one.text)
            if order:
                assert one.text.count(order[1]) >= 2, one.id


def test_number_n_is_the_same_everywhere_and_alone():
    together = list(judgments(6, kinds=("fraud", "deposit"), seed=9))
    assert together[3] == judgment("deposit", seed=9, number=3)
    assert judgment("fraud", seed=9, number=4) == together[4]
    assert judgment("fraud", seed=9, number=4) != judgment("fraud", seed=10, number=4)
    assert len({one.text for one in together}) == 6


def test_an_unknown_kind_is_named_with_the_known_ones():
    with pytest.raises(LookupError, match="unknown kind 'murder'; known are traffic"):
        judgment("murder")


def test_every_kind_belongs_to_one_family():
    assert [*KINDS, *WRITINGS] == [kind for kinds in FAMILIES.values() for kind in kinds]
    assert len(set(KINDS)) == len(KINDS) == 19


def test_the_pieces_name_only_what_exists():
    cases = [
        invented_case(kind, number=number) for kind in (*KINDS, *WRITINGS) for number in range(25)
    ]
    facts = {name for case in cases for name in case.facts}
    pieces = grammar.read(PIECES)
    for piece in pieces.values():
        for line in piece.alternatives:
            unknown = set(slots(line.nodes)) - facts - set(pieces)
            assert not unknown, f"{line.place}: {unknown}"


def test_no_piece_is_left_over():
    pieces = grammar.read(PIECES)
    used = {"judgment", *WRITINGS} | {f"{kind}_body" for kind in KINDS}
    for piece in pieces.values():
        for line in piece.alternatives:
            used |= set(slots(line.nodes))
    assert set(pieces) <= used


def test_districts_are_real_ones():
    known = {name.partition(" ")[2] for name in district_names()}
    for line in (PIECES / "courts.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        assert set(line.split("\t")[-1].split(",")) <= known


def test_a_judgment_can_be_filled(documents):
    for kind in KINDS:
        one = documents[kind, 0]
        text, spans = fill(one.text, one.spans, key=b"test", document_id=one.id)
        assert len([span for span in spans if span.source != "noun"]) == len(one.spans)
        assert text != one.text


@pytest.mark.parametrize(
    ("sum_in_won", "written"),
    [(120_000_000, "1억 2,000만 원"), (300_000_000, "3억 원"), (50_000, "5만 원"), (0, "0 원")],
)
def test_sums_in_ten_thousands(sum_in_won, written):
    assert in_man(sum_in_won) == written


def test_no_passage_but_legal_formulas_is_in_more_than_one_judgment_of_twenty():
    texts = [one.text for one in judgments(16 * len(KINDS), seed=6)]
    shares = passage_shares(texts, formulas=legal_formulas())
    often = {passage: share for passage, share in shares.items() if share > OFTEN}
    assert often == {}


def test_two_hundred_judgments_hold_so_many_labels_that_none_is_learnt_by_heart():
    labels = {span.label for one in judgments(200, seed=3) for span in one.spans}
    assert len(labels) >= 140
    assert labels <= {label.ko for label in load()}


def test_this_case_never_becomes_a_particle():
    for one in judgments(200, seed=3):
        assert not re.search(r"(?<![가-힣A-Z0-9])가 사건", one.text), one.id
