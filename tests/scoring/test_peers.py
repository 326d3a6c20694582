"""The peers' benchmark: their entity types fit our taxonomy, overlaps are resolved."""

import importlib.util
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

PATH = Path(__file__).resolve().parents[2] / "benchmarks" / "peers.py"


@pytest.fixture(scope="module")
def peers():
    spec = importlib.util.spec_from_file_location("peers", PATH)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:  # a script finds those beside it
        patch.syspath_prepend(str(PATH.parent))
        spec.loader.exec_module(module)
    return module


def test_every_entity_type_has_a_label_of_the_taxonomy(peers, known):
    assert {known.label(label).ko for label in (*peers.LABELS.values(), peers.MOBILE)}


@pytest.mark.parametrize(
    ("kind", "mention", "label"),
    [
        ("PHONE_NUMBER", "010-1234-5678", "휴대폰번호"),
        ("PHONE_NUMBER", "+82 10-1234-5678", "휴대폰번호"),
        ("PHONE_NUMBER", "02-123-4567", "전화번호"),
        ("PHONE_NUMBER", "1588-1234", "전화번호"),
        ("KR_RRN", "900101-1234568", "주민등록번호"),
    ],
)
def test_labels_of_numbers(peers, kind, mention, label):
    assert peers._label(kind, mention) == label


def test_of_two_overlapping_entities_the_surer_stays(peers):
    mail, url, far = (
        SimpleNamespace(start=start, end=end, score=score)
        for start, end, score in ((0, 11, 1.0), (2, 11, 0.5), (20, 24, 0.4))
    )
    assert peers._disjoint([url, far, mail]) == [mail, far]


def test_without_presidio_it_says_how_to_get_it(peers, monkeypatch):
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)
    with pytest.raises(SystemExit, match="pip install presidio-analyzer"):
        peers._analyzer()
