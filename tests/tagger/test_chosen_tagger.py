"""The tagger that was asked for: shipped or in a folder, refused with a cure, named in records."""

import hashlib
import json
import pickle
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from thunder import taxonomy
from thunder.masking.deidentifier import Deidentifier
from thunder.masking.deidentify import deidentify
from thunder.settings import resources
from thunder.tagger import chosen_tagger, folder
from thunder.tagger.chosen_tagger import DEFAULT, NONE, RULES_ALONE, SHIPPED, Chosen, choose, entry
from thunder.tagger.folder import Manifest
from thunder.taxonomy.migrations import names_digest

from ..fake_tagger import FakeTagger

pytestmark = pytest.mark.usefixtures("english")

KNOWN = taxonomy.load()


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """Return a folder that stands for the shipped taggers'."""
    place, real = tmp_path / "taggers", resources.folder
    place.mkdir()
    monkeypatch.setattr(
        "thunder.settings.resources.folder", lambda name: place if name == SHIPPED else real(name)
    )
    return place


def written(place, **changes):
    """Return a tagger's folder that says what it says, without weights worth the name."""
    place.mkdir(parents=True)
    (place / "model.onnx").write_bytes(b"weights")
    values = {"architecture": "onnx", "scheme": "classes", "classes": KNOWN.classes}
    values |= {"labels": names_digest(KNOWN), "tokenizer": "hybrid", "tokenizer_sha256": ""}
    folder.write(place, Manifest(**values, length=32, overlap=8, about={}, **changes))
    return place


def test_none_is_no_tagger():
    assert choose(NONE) is None
    assert entry(None) is None


def test_a_name_is_a_shipped_tagger_and_a_path_a_folder(shipped, tmp_path, monkeypatch):
    place = written(shipped / DEFAULT)
    assert choose(DEFAULT, recall=0.995) == Chosen(DEFAULT, place, 0.995)
    monkeypatch.chdir(tmp_path)
    own = written(tmp_path / "own")
    assert choose(str(own)).place == own
    assert choose("own").place.resolve() == own
    written(tmp_path / DEFAULT)  # a folder of the shipped one's name is given as ./name
    assert choose(DEFAULT).place == place
    assert choose(f"./{DEFAULT}").place.resolve() == tmp_path / DEFAULT


@pytest.mark.parametrize("name", ["no-such", "no/such", DEFAULT])
def test_a_tagger_that_is_not_here_is_said_with_what_to_do(shipped, name):
    with pytest.raises(FileNotFoundError, match="--model none") as said:
        choose(name)
    assert name in str(said.value)
    written(shipped / "mini-free")
    with pytest.raises(FileNotFoundError, match="mini-free"):
        choose(name)


def test_a_copy_without_the_shipped_taggers_says_so(monkeypatch):
    def missing(name):
        raise FileNotFoundError(name)

    monkeypatch.setattr("thunder.settings.resources.folder", missing)
    with pytest.raises(FileNotFoundError, match="install thunder-deid again"):
        choose(DEFAULT)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda place: (place / "tagger.json").unlink(), "no folder of a tagger"),
        (lambda place: (place / "tagger.json").write_text("{"), "damaged"),
        (lambda place: (place / "model.onnx").write_bytes(b"other"), "altered"),
        (lambda place: (place / "model.onnx").unlink(), "is missing"),
    ],
)
def test_a_folder_that_is_not_whole_is_refused(tmp_path, spoil, said):
    place = written(tmp_path / "own")
    spoil(place)
    with pytest.raises((FileNotFoundError, ValueError), match=said):
        Chosen("own", place).load()


def test_weights_in_a_pickle_are_refused_and_never_opened(tmp_path):
    place = tmp_path / "own"
    place.mkdir()
    (place / "pytorch_model.bin").write_bytes(pickle.dumps({}))
    with pytest.raises(ValueError, match="pickle are refused"):
        Chosen("own", place).load()


def test_labels_of_another_taxonomy_are_refused(tmp_path):
    place = written(tmp_path / "own")
    table = json.loads((place / "tagger.json").read_text())
    (place / "tagger.json").write_text(json.dumps(table | {"labels": "0" * 64}))
    with pytest.raises(ValueError, match="its labels are not those of the taxonomy"):
        Chosen("own", place).load()


def test_processes_share_the_cores(monkeypatch):
    monkeypatch.setattr(chosen_tagger, "cores", lambda: 5)
    one = Chosen("own", "place")
    assert [one.shared(workers).threads for workers in (1, 2, 3, 9)] == [5, 2, 1, 1]


def test_an_audit_names_the_tagger_by_digest(tmp_path, monkeypatch):
    place = written(tmp_path / "own")
    monkeypatch.setattr(Chosen, "load", lambda self: FakeTagger({}))
    assert entry(Chosen("own", place, 0.99)) == {
        "name": "own",
        "sha256": hashlib.sha256((place / "tagger.json").read_bytes()).hexdigest(),
        "thresholds_sha256": None,
        "scorecard_sha256": None,
        "licence": "CC BY-NC-SA 4.0",
        "recall": 0.99,
    }


def test_a_deidentifier_is_deidentify_with_the_tagger(shipped, monkeypatch):
    written(shipped / "own")
    monkeypatch.setattr(Chosen, "load", lambda self: FakeTagger({"다온": ("내국인이름", 0.9)}))
    act = Deidentifier(model="own", agree_particles=True)
    for one in (act, pickle.loads(pickle.dumps(act))):
        assert one.deidentify("다온은", id="1").text == "A는"
        assert [done.id for done in one.deidentify_many([("1", "다온은"), ""])] == ["1", ""]


def test_a_text_alone_is_read_by_the_tagger_that_ships_too(monkeypatch):
    asked = []

    def load(self):
        asked.append(self.name)
        return FakeTagger({"다온": ("내국인이름", 0.9)})

    monkeypatch.setattr(Chosen, "load", load)
    assert deidentify("다온은").text == "A은"
    assert asked == [DEFAULT]
    assert deidentify("다온은", tagger=RULES_ALONE).text == "다온은"
    assert asked == [DEFAULT]


def test_threads_that_ask_at_once_get_one_tagger(shipped, monkeypatch):
    written(shipped / DEFAULT)
    loads = []

    def load(place, **_options):
        loads.append(place)
        time.sleep(0.05)
        return object()

    monkeypatch.setattr("thunder.tagger.tagger.Tagger.load", load)
    chosen_tagger.forget()
    with ThreadPoolExecutor(4) as threads:
        found = {id(one) for one in threads.map(lambda _: chosen_tagger.default(), range(8))}
    chosen_tagger.forget()
    assert (len(found), loads) == (1, [shipped / DEFAULT])
