"""What came in as a file is released as such a file, with what people decided in its text."""

import shutil
import zlib

import pytest

from thunder.desk import drawing
from thunder.desk.desk import Desk
from thunder.desk.formats import NotWritten
from thunder.desk.states import Role, State
from thunder.desk.store import Store
from thunder.desk.vault import Vault
from thunder.documents.detecting import opener
from thunder.documents.html import HtmlDocument
from thunder.documents.sources import list_sources

from ..documents import docx_files as d
from ..documents.test_commands import PAGE, every_format
from ..documents.test_drawn import written

NAME = "강도윤"
PERSON = "내국인이름"


def imported(desk, folder, name, data):
    """Return the id of a file that was imported and is free to be claimed."""
    path = folder / name
    path.write_bytes(data)
    done = desk.take_in(list_sources([path]).sources, profile="court", actor="x")
    assert done.failures == []
    desk.store.ready(done.added[0], risk=0)
    return done.added[0]


def released(desk, people, id, *decisions):
    """Review a document with *decisions*, and release it."""
    reviewer, confirmer = people[Role.REVIEWER], people[Role.CONFIRMER]
    desk.store.claim(reviewer, id)
    for version, content in enumerate(decisions):
        desk.decide(reviewer, id, content, version=version)
    desk.step(reviewer, id, "finish", version=len(decisions))
    desk.store.claim(confirmer, id)
    desk.step(confirmer, id, "release", version=len(decisions))


def said(document):
    """Return what each segment says, without blanks: a PDF has none but gaps."""
    return ["".join(one.text.split()) for one in document.segments]


LETTER = {"kind": "letter", "wording": NAME, "letter": "Q"}


@pytest.mark.parametrize("format", every_format())
def test_every_format_is_released_as_itself_as_people_decided(desk, people, tmp_path, format):
    data = every_format()[format]
    id = imported(desk, tmp_path, f"판결문.{format}", data)
    released(desk, people, id, LETTER)
    after = opener(format)(desk.place(id, format).read_bytes())
    assert said(after) == [text.replace(NAME, "Q") for text in said(opener(format)(data))]
    assert NAME not in desk.released(id)
    assert desk.released_as(id) == format
    assert NAME not in desk.place(id, "json").read_text("utf-8")
    assert desk.missing() == desk.changed() == []
    desk.place(id, format).write_bytes(data)
    assert desk.changed() == [id]


def test_what_people_leave_and_mask_stands_in_the_file(desk, people, tmp_path):
    data = d.docx(d.paragraph(d.words("피고인 강도윤은 이솔바람을 보았다.")))
    id = imported(desk, tmp_path, "a.docx", data)
    leave = {"kind": "open", "wording": NAME}
    mask = {"kind": "mask", "wording": "이솔바람", "label": PERSON}
    released(desk, people, id, leave, mask)
    after = opener("docx")(desk.place(id, "docx").read_bytes())
    assert said(after) == ["피고인강도윤은A을보았다."]


def test_what_hides_in_a_file_is_cleaned(desk, people, tmp_path):
    id = imported(desk, tmp_path, "a.html", PAGE.encode())
    released(desk, people, id)
    after = desk.place(id, "html").read_text("utf-8")
    assert NAME not in after  # nor in its author and its comment
    assert "서울 종로구" in after


def leaking(monkeypatch):
    """Let HTML be written by something that does not do its work."""
    honest = HtmlDocument.written

    def written(self, masks, *, scrub=True):
        result = honest(self, masks, scrub=scrub)
        return type(result)(result.data.replace(b"<td>A", f"<td>{NAME}".encode()), result.scrubbed)

    monkeypatch.setattr(HtmlDocument, "written", written)


def test_a_file_that_would_leak_is_not_finished_and_not_released(
    desk, people, tmp_path, monkeypatch
):
    id = imported(desk, tmp_path, "a.html", every_format()["html"])
    reviewer, confirmer = people[Role.REVIEWER], people[Role.CONFIRMER]
    desk.store.claim(reviewer, id)
    with monkeypatch.context() as patch:
        leaking(patch)
        with pytest.raises(NotWritten) as error:
            desk.step(reviewer, id, "finish", version=0)
        assert NAME not in str(error.value)
    desk.step(reviewer, id, "finish", version=0)
    desk.store.claim(confirmer, id)
    leaking(monkeypatch)
    with pytest.raises(NotWritten):
        desk.step(confirmer, id, "release", version=0)
    assert desk.store.state(id) is State.CONFIRMING
    assert not desk.shelf.all()


def test_a_file_that_is_read_otherwise_than_before_is_not_released(desk, people, store, tmp_path):
    data = every_format()["html"]
    text = "피고인 다른 글"
    id = store.add("1", text, profile="court", risk=0, actor="x", file=("html", data))
    store.claim(people[Role.REVIEWER], id)
    with pytest.raises(NotWritten, match="다시 읽으니"):
        desk.step(people[Role.REVIEWER], id, "finish", version=0)


def test_a_file_is_sealed_by_the_courts_key(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'd.db'}", Vault(bytes(range(32))))
    desk = Desk(store, tmp_path / "released", model="none")
    data = every_format()["html"]
    imported(desk, tmp_path, "a.html", data)
    (tmp_path / "a.html").unlink()
    store.close()
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert NAME.encode() not in held


def test_a_text_has_no_file_beside_it(desk, people, tmp_path):
    id = imported(desk, tmp_path, "a.txt", "피고인 강도윤은 갔다.".encode())
    released(desk, people, id)
    assert sorted(path.suffix for path in desk.shelf.files(id)) == [".json", ".txt"]
    assert desk.released_as(id) == ""


def test_a_pdf_is_drawn_before_and_after(desk, people, tmp_path):
    reviewer = people[Role.REVIEWER]
    id = imported(desk, tmp_path, "a.pdf", every_format()["pdf"])
    desk.store.claim(reviewer, id)
    sides = desk.drawn(reviewer, desk.open(reviewer, id))
    assert [len(pages) for pages in sides.values()] == [1, 1]
    before, after = (pages[0] for pages in sides.values())
    assert before.startswith(b"\x89PNG")
    assert zlib.crc32(before) != zlib.crc32(after)


@pytest.mark.parametrize("format", ["hwpx", "html", ""])
def test_what_nothing_here_draws_is_said(format, tmp_path):
    assert not drawing.can_draw(format)
    with pytest.raises(drawing.NotDrawn):
        drawing.pictures(format, b"", tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(
    not shutil.which("soffice"), reason="needs soffice (apt-get install libreoffice)"
)
@pytest.mark.parametrize("format", drawing.OFFICE)
def test_office_formats_are_drawn_by_libreoffice(tmp_path, format):
    made = drawing.pictures(format, written(tmp_path, format).read_bytes(), tmp_path / "desk")
    assert made[0].startswith(b"\x89PNG")
    assert not list((tmp_path / "desk").iterdir())
