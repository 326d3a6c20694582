"""Letters kept over the instances of a case: who keeps which, who is asked, what a ledger tells."""

import hashlib
import hmac
import itertools
import json
import multiprocessing
import os
import sqlite3
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.masking import case_ledger
from thunder.masking.case_families import read_families
from thunder.masking.case_ledger import (
    PERSON,
    CaseLetters,
    Entity,
    Judgment,
    Ledger,
    LedgerError,
    destroy,
)
from thunder.masking.deidentifier import Deidentifier

FIRST, APPEAL, LAST = "서울중앙지방법원 2020고단1", "서울고등법원 2021노2", "대법원 2022도3"
FAMILIES = f"""id,case,below
1.txt,{FIRST},
2.txt,{APPEAL},{FIRST}
3.txt,{LAST},{APPEAL}
"""
TEXTS = {
    "1.txt": "피고인 김도윤은 피해자 박서준을 때렸다. 증인 이하준은 이를 보았다.\n",
    "2.txt": "증인 이하준의 진술이 있다. 피해자 박서준은 피고인 김도윤을 용서하였다. "
    "피해자 최지후도 있다.\n",
    "3.txt": "피해자 최지후와 피해자 박서준의 진술에 따른다. 상고인 겸 피고인 김도윤.\n",
}


@pytest.fixture
def places(tmp_path) -> tuple[Path, Path]:
    """Return where a ledger and its keys are to be."""
    return tmp_path / "court" / "letters.ledger", tmp_path / "safe" / "letters.keys"


def write(folder: Path, texts: dict[str, str] = TEXTS, families: str = FAMILIES) -> Path:
    (folder / "in").mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / "in" / name).write_text(text, encoding="utf-8")
    (folder / "families.csv").write_text(families, encoding="utf-8")
    return folder / "in"


def invoke(*words: object):
    return CliRunner().invoke(app, list(map(str, words)))


def assign(folder: Path, places, *more: object):
    ledger, keys = places
    words = ("--families", folder / "families.csv", "--keys", keys, "--model", "none", *more)
    return invoke("letters", "assign", ledger, folder / "in", *words)


def masked(places, text: str, **options):
    act = Deidentifier(model="none", letters=CaseLetters(*places), **options)
    return act.deidentify(text)


def letter_of(result) -> dict[str, str]:
    return {
        result.original[one.span.start : one.span.end]: one.replacement for one in result.changes
    }


# --- who keeps which letter -----------------------------------------------------------------------


def test_a_person_keeps_the_letter_over_three_instances(tmp_path, places):
    write(tmp_path)
    said = assign(tmp_path, places)
    assert said.exit_code == 0, said.output
    found = {name: letter_of(masked(places, text)) for name, text in TEXTS.items()}
    assert found["1.txt"] == {"김도윤": "A", "박서준": "B", "이하준": "C"}
    assert found["2.txt"] == {"이하준": "C", "박서준": "B", "김도윤": "A", "최지후": "D"}
    assert found["3.txt"] == {"최지후": "D", "박서준": "B", "김도윤": "A"}
    assert not any(masked(places, text).doubts for text in TEXTS.values())


def test_a_judgment_of_no_family_begins_with_a(tmp_path, places):
    write(tmp_path)
    assign(tmp_path, places)
    assert letter_of(masked(places, "피해자 최지후를 피고인 김도윤이 보았다.\n")) == {
        "최지후": "A",
        "김도윤": "B",
    }


@pytest.mark.parametrize(
    ("before", "after", "letter", "asked"),
    [
        ("피고인 김도윤", "피고인 김도윤", "A", False),
        ("피고인 김도윤", "항소인 겸 피고인 김도윤", "A", False),
        ("피고인 김도윤", "증인 김도윤", "B", True),
        ("피고인 김도윤", "그리고 김도윤 씨", "B", True),
        ("피고인 김도윤(1970. 1. 2.생)", "증인 김도윤(1970. 1. 2.생)", "A", False),
        ("피고인 김도윤(700102-1234567)", "증인 김도윤(1970. 1. 2.생)", "A", False),
        ("피고인 김도윤(1970. 1. 2.생)", "피고인 김도윤(1985. 3. 4.생)", "B", False),
        ("피고인 주식회사 나래솜", "원고 주식회사 나래솜", "A", False),
    ],
)
def test_namesakes(tmp_path, places, before, after, letter, asked):
    """Standing or date of birth tells; where they do not, a person is asked, and nobody guesses."""
    texts = {"1.txt": f"{before}은 그곳에 있었다.\n", "2.txt": f"{after}은 다시 왔다.\n"}
    write(tmp_path, texts, f"id,case,below\n1.txt,{FIRST},\n2.txt,{APPEAL},{FIRST}\n")
    said = assign(tmp_path, places)
    assert (said.exit_code, "물음 1" in said.output) == (int(asked), asked), said.output
    result = masked(places, texts["2.txt"])
    assert next(iter(letter_of(result).values())) == letter
    assert [one.kind for one in result.doubts if one.kind == "namesake"] == ["namesake"] * asked


def test_what_a_person_decides_holds(tmp_path, places):
    texts = {"1.txt": "피고인 김도윤은 갔다.\n", "2.txt": "증인 김도윤은 왔다.\n"}
    texts["3.txt"] = "증인 김도윤은 또 왔다.\n"
    write(tmp_path, texts)
    ledger, keys = places
    assert assign(tmp_path, places).exit_code == 1
    assert letter_of(masked(places, texts["3.txt"])) == {"김도윤": "B"}
    before = CaseLetters(*places).state()
    said = invoke("letters", "questions", ledger, "--keys", keys)
    assert "B(증인)와 앞 심급의 A(피고인)" in said.output
    assert "김도윤" not in said.output
    assert invoke("letters", "same", ledger, 1, "--keys", keys).exit_code == 0
    for text in texts.values():
        assert letter_of(masked(places, text)) == {"김도윤": "A"}
        assert masked(places, text).doubts == ()
    assert CaseLetters(*places).state() != before, "what was planned before is refused"
    assert "없습니다" in invoke("letters", "questions", ledger, "--keys", keys).output
    assert invoke("letters", "same", ledger, 1, "--keys", keys).exit_code == 2


def test_two_persons_stay_two(tmp_path, places):
    texts = {"1.txt": "피고인 김도윤은 갔다.\n", "2.txt": "증인 김도윤은 왔다.\n"}
    write(tmp_path, texts, FAMILIES.rpartition("3.txt")[0])
    assign(tmp_path, places)
    assert invoke("letters", "different", places[0], 1, "--keys", places[1]).exit_code == 0
    assert letter_of(masked(places, texts["2.txt"])) == {"김도윤": "B"}
    assert masked(places, texts["2.txt"]).doubts == ()


def test_joined_cases_are_one_family(tmp_path, places):
    texts = {"1.txt": "피고인 김도윤은 갔다.\n", "2.txt": "피고인 박서준은 왔다.\n"}
    texts["3.txt"] = "피고인 박서준과 피고인 김도윤이다.\n"
    families = f"id,case,below\n1.txt,가 2020고단1,\n2.txt,나 2020고단2,\n3.txt,{APPEAL},"
    write(tmp_path, texts, families + "가 2020고단1; 나 2020고단2\n")
    assert assign(tmp_path, places).exit_code == 0
    assert letter_of(masked(places, texts["2.txt"])) == {"박서준": "B"}
    assert letter_of(masked(places, texts["3.txt"])) == {"박서준": "B", "김도윤": "A"}


def test_cases_joined_too_late_are_refused(tmp_path, places):
    write(tmp_path, TEXTS, "id,case,below\n1.txt,가 1,\n2.txt,나 2,\n")
    assign(tmp_path, places)
    write(tmp_path, TEXTS, "id,case,below\n3.txt,다 3,가 1;나 2\n")
    said = assign(tmp_path, places)
    assert (said.exit_code, "이미 따로 글자를 준 사건들" in said.output) == (2, True), said.output
    for case in ("가 1", "나 2"):
        assert invoke("letters", "close", places[0], case, "--keys", places[1]).exit_code == 0
    families = "id,case,below\n1.txt,가 1,\n2.txt,나 2,\n3.txt,다 3,가 1;나 2\n"
    write(tmp_path, TEXTS, families)
    assert assign(tmp_path, places).exit_code == 0


def test_letters_of_a_judgment_never_clash(tmp_path, places):
    """A letter that a later original has already is not given to a person there."""
    texts = {"1.txt": "피고인 김도윤은 갔다.\n", "2.txt": "A동 앞에서 피고인 김도윤이 왔다.\n"}
    write(tmp_path, texts, f"id,case,below\n1.txt,{FIRST},\n")
    assign(tmp_path, places)
    write(tmp_path, texts, f"id,case,below\n2.txt,{APPEAL},{FIRST}\n")
    assign(tmp_path, places)
    result = masked(places, texts["2.txt"])
    assert letter_of(result) == {"김도윤": "B"}
    assert [one.kind for one in result.doubts] == ["letter"]
    together = tmp_path / "together"
    write(together, texts, f"id,case,below\n1.txt,{FIRST},\n2.txt,{APPEAL},{FIRST}\n")
    other = together / "court" / "ledger", together / "safe" / "keys"
    assign(together, other)
    assert {*letter_of(masked(other, texts["1.txt"])).values()} == {"B"}, "seen before it is given"


@pytest.mark.parametrize("seed", range(20))
def test_no_two_of_a_judgment_have_one_letter(seed):
    import random
    import tempfile

    rng = random.Random(seed)
    names = ["김도윤", "박서준", "이하준", "최지후", "정시우"]
    words = ["accused", "victim", "witness", ""]
    with tempfile.TemporaryDirectory() as folder:
        places = Path(folder) / "a" / "ledger", Path(folder) / "b" / "keys"
        judgments = []
        for at in range(6):
            chosen = rng.sample(names, rng.randint(1, 5))
            entities = tuple(
                Entity(PERSON, (name,), frozenset({rng.choice(words)} - {""})) for name in chosen
            )
            standing = frozenset(rng.sample("ABCDEF", rng.randint(0, 2)))
            digest = hashlib.sha256(f"{seed} {at}".encode()).digest()
            judgments.append(Judgment("가", str(at), digest, standing, entities))
        with Ledger(*places, may_create=True) as ledger:
            ledger.assign(["가"], judgments)
        for judgment in judgments:
            of = _of_digest(places, judgment.digest)
            given = [of.find(one)[0] for one in judgment.entities]
            assert len(set(given)) == len(given)
            assert "" not in given


def _of_digest(places, digest: bytes):
    """Return what a ledger has for a text of which only the SHA-256 is known."""
    kept = case_ledger.digest_of
    case_ledger.digest_of = lambda _: digest
    try:
        return CaseLetters(*places).of("")
    finally:
        case_ledger.digest_of = kept


def test_one_who_is_not_in_the_ledger_is_said(tmp_path, places):
    """Read with other options, a judgment may mask more than was assigned."""
    write(tmp_path)
    assign(tmp_path, places)
    text = TEXTS["1.txt"]
    from thunder.masking.known import Known, Name

    result = Deidentifier(
        model="none", letters=CaseLetters(*places), known=Known((Name(("이를",)),))
    ).deidentify(text)
    assert letter_of(result)["이를"] == "E", "none of the family's letters"
    assert [one.kind for one in result.doubts] == ["unassigned"]


# --- the same bytes -------------------------------------------------------------------------------


def test_deid_and_bulk_write_the_same_with_any_number_of_workers(tmp_path, places):
    source = write(tmp_path)
    assign(tmp_path, places)
    ledger, keys = places
    letters = ("--letters", ledger, "--letter-keys", keys, "--model", "none")
    for name, more in (("one", ()), ("two", ("--workers", 2))):
        said = invoke("deid", source, "-o", tmp_path / name, *letters, *more)
        assert said.exit_code == 0, said.output
    run = tmp_path / "run"
    said = invoke("bulk", "plan", source, "-o", run, *letters, "--shard-documents", 1)
    assert said.exit_code == 0, said.output
    for share in ("2/2", "1/2"):
        assert invoke("bulk", "run", run, "--shard", share).exit_code == 0
    written = [
        {path.name: path.read_bytes() for path in (tmp_path / one).glob("*.txt")}
        for one in ("one", "two", "run/out")
    ]
    assert written[0] == written[1] == written[2]
    assert written[0]["3.txt"].decode().startswith("피해자 D와 피해자 B의")


def test_a_bulk_run_goes_on_with_the_same_letters_alone(tmp_path, places):
    source = write(tmp_path, TEXTS, FAMILIES.rpartition("3.txt")[0])
    assign(tmp_path, places)
    letters = ("--letters", places[0], "--letter-keys", places[1], "--model", "none")
    assert invoke("bulk", "plan", source, "-o", tmp_path / "run", *letters).exit_code == 0
    write(tmp_path)
    assign(tmp_path, places)
    said = invoke("bulk", "run", tmp_path / "run")
    assert (said.exit_code, "letters" in said.output) == (2, True), said.output


def test_to_assign_twice_changes_nothing(tmp_path, places):
    write(tmp_path)
    assign(tmp_path, places)
    before = CaseLetters(*places).state()
    said = assign(tmp_path, places)
    assert "판결 0건" in said.output
    assert CaseLetters(*places).state() == before


def _assign_family(places, number: int) -> None:
    with Ledger(*places) as ledger:
        for at in range(5):
            entity = Entity(PERSON, (f"이름{at}",), frozenset({"accused"}))
            digest = hashlib.sha256(f"{number} {at}".encode()).digest()
            judgment = Judgment(f"사건{number}", f"{at}", digest, frozenset(), (entity,))
            ledger.assign([f"사건{number}"], [judgment])


def test_runs_side_by_side_wait_for_each_other(places):
    Ledger(*places, may_create=True).close()
    context = multiprocessing.get_context("fork")
    both = [context.Process(target=_assign_family, args=(places, at % 2)) for at in range(4)]
    for one in both:
        one.start()
    for one in both:
        one.join(60)
    assert [one.exitcode for one in both] == [0] * 4
    with sqlite3.connect(places[0]) as db:
        assert db.execute("SELECT count(*) FROM judgment").fetchone() == (10,)
        rows = db.execute("SELECT family, letter FROM entry").fetchall()
    assert len(rows) == len(set(rows)) == 10


# --- what a ledger tells --------------------------------------------------------------------------

SURNAMES = "김이박최정강조윤장임"
SYLLABLES = "도윤서준하지후시우민재현주"


def names(count: int):
    """Yield as many names as are asked for, those of the judgments among them."""
    pool = [chr(0xAC00 + at) for at in range(0, 11172, 24)]
    given = itertools.chain(
        (a + b for a in SYLLABLES for b in SYLLABLES), (a + b for a in pool for b in pool)
    )
    every = (surname + rest for rest in given for surname in SURNAMES)
    return itertools.islice(every, count)


def tags_in(path: Path) -> set[bytes]:
    """Return every value of 32 bytes in a ledger."""
    found = set()
    with sqlite3.connect(path) as db:
        for (table,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
        ).fetchall():
            for row in db.execute(f"SELECT * FROM {table}"):
                found |= {bytes(one) for one in row if isinstance(one, bytes)}
    return found


def found_by(tags: set[bytes], keys: list[bytes | None], count: int) -> int:
    """Return how many of *count* names lead to one of *tags*, unkeyed (None) or with a key."""
    hits = 0
    for name in names(count):
        said = b"person\0" + name.encode()
        for key in keys:
            one = hmac.digest(key, said, "sha256") if key else hashlib.sha256(said).digest()
            hits += one in tags
    return hits


@pytest.mark.parametrize("count", [1_500, pytest.param(2_000_000, marks=pytest.mark.slow)])
def test_a_dictionary_finds_nothing_without_the_key(tmp_path, places, count):
    write(tmp_path)
    assign(tmp_path, places)
    tags = tags_in(places[0])
    assert len(tags) > 10
    guessed = [None, min(tags)]
    assert found_by(tags, guessed, count) == 0
    with sqlite3.connect(places[1]) as db:
        held = [bytes(one) for (one,) in db.execute("SELECT key FROM family")]
    assert found_by(tags, list(held), 1_500) == 4, "with the key it finds all: the test can fail"


def test_a_ledger_holds_no_name_no_case_and_no_id(tmp_path, places):
    write(tmp_path)
    assign(tmp_path, places)
    for path in places:
        content = path.read_bytes()
        for word in ("김도윤", "박서준", "2020고단1", "1.txt", "서울고등법원"):
            for codec in ("utf-8", "utf-16-le", "cp949"):
                assert word.encode(codec) not in content, (path.name, word)


def test_one_name_has_another_tag_in_every_family(tmp_path, places):
    entity = Entity(PERSON, ("김도윤",), frozenset({"accused"}))
    with Ledger(*places, may_create=True) as ledger:
        for case in ("가", "나"):
            digest = hashlib.sha256(case.encode()).digest()
            ledger.assign([case], [Judgment(case, case, digest, frozenset(), (entity,))])
    with sqlite3.connect(places[0]) as db:
        tags = [tag for (tag,) in db.execute("SELECT tag FROM name")]
    assert len(set(tags)) == 2


def test_without_its_keys_a_ledger_says_nothing_any_more(tmp_path, places):
    write(tmp_path)
    assign(tmp_path, places)
    said = invoke("letters", "destroy", "--keys", places[1])
    assert said.exit_code == 0, said.output
    assert not places[1].exists()
    with pytest.raises(LedgerError, match="열쇠 파일이 없습니다"):
        CaseLetters(*places).of(TEXTS["1.txt"])
    assert assign(tmp_path, places).exit_code == 2


def test_a_family_that_is_closed_leaves_nothing(tmp_path, places):
    write(tmp_path)
    assign(tmp_path, places)
    with sqlite3.connect(places[1]) as db:
        key = bytes(db.execute("SELECT key FROM family").fetchone()[0])
    before = tags_in(places[0])
    assert key in places[1].read_bytes(), "the test can fail"
    assert invoke("letters", "close", places[0], APPEAL, "--keys", places[1]).exit_code == 0
    assert key not in places[1].read_bytes()
    assert len(before & tags_in(places[0])) == 1, "what tells whose keys these are"
    assert not any(one in places[0].read_bytes() for one in sorted(before - tags_in(places[0])))
    assert invoke("letters", "close", places[0], APPEAL, "--keys", places[1]).exit_code == 2


def test_ledger_and_keys_are_their_owners_alone(tmp_path, places):
    write(tmp_path)
    assign(tmp_path, places)
    for path in places:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    os.chmod(places[1], 0o640)
    with pytest.raises(LedgerError, match="chmod 600"):
        CaseLetters(*places).state()


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", ["strict"])
def test_sexual_offences_and_children_are_refused(tmp_path, places, profile):
    source = write(tmp_path)
    assert assign(tmp_path, places, "--profile", profile).exit_code == 2
    assert not places[0].exists()
    assign(tmp_path, places)
    letters = ("--letters", places[0], "--letter-keys", places[1], "--model", "none")
    for words in (("deid",), ("bulk", "plan")):
        said = invoke(*words, source, "-o", tmp_path / "x", *letters, "--profile", profile)
        assert said.exit_code == 2, said.output
        assert "성폭력" in said.output
    with pytest.raises(ValueError, match="성폭력"):
        masked(places, "", profile=profile)


@pytest.mark.parametrize(
    ("families", "said"),
    [
        ("id,case\n1.txt,가\n", "열이 없습니다(below)"),
        ("id,case,below\n1.txt,,\n", "families.csv:2: id나 case가 비었습니다"),
        ("id,case,below\n1.txt,가,\n1.txt,나,\n", "families.csv:3: 앞에 나온 id"),
        ("id,case,below\n1.txt,가,나\n2.txt,나,가\n", "서로가 서로의 원심"),
        ("id,case,below\n", "판결이 하나도 없습니다"),
        ("id,case,below\n9.txt,가,\n", "입력에 없는 id가 1건 있습니다"),
    ],
)
def test_a_table_of_families_that_cannot_be(tmp_path, places, families, said):
    write(tmp_path, TEXTS, families)
    done = assign(tmp_path, places)
    assert (done.exit_code, said in done.output) == (2, True), done.output
    assert not places[0].exists()


def test_ledger_and_keys_that_do_not_fit(tmp_path, places):
    write(tmp_path)
    assign(tmp_path, places)
    ledger = places[0]
    with pytest.raises(LedgerError, match="같은 폴더"):
        Ledger(ledger, ledger.parent / "keys")
    other = tmp_path / "other" / "ledger", tmp_path / "elsewhere" / "keys"
    Ledger(*other, may_create=True).close()
    with pytest.raises(LedgerError, match="이 장부의 열쇠가 아닙니다"):
        CaseLetters(ledger, other[1]).state()
    (tmp_path / "text").write_text("아무 글")
    os.chmod(tmp_path / "text", 0o600)
    with pytest.raises(LedgerError, match="열쇠 파일이 아닙니다"):
        destroy(tmp_path / "text")
    assert (tmp_path / "text").exists()
    said = invoke("deid", tmp_path / "in", "-o", tmp_path / "out", "--letters", ledger)
    assert (said.exit_code, "--letter-keys" in said.output) == (2, True)


def test_the_order_of_a_family_is_that_of_its_instances(tmp_path):
    path = tmp_path / "families.csv"
    path.write_text("id,case,below\nz,다,나\na,나,가\nm,가,\nb,라,\n", encoding="utf-8")
    families, case_of = read_families(path)
    assert [(one.cases, one.ids) for one in families] == [
        (("가", "나", "다"), ("m", "a", "z")),
        (("라",), ("b",)),
    ]
    assert case_of["z"] == "다"


def test_tables_are_read_by_their_ids(tmp_path, places):
    rows = [{"id": name[0], "text": text} for name, text in TEXTS.items()]
    lines = [json.dumps(row, ensure_ascii=False) for row in reversed(rows)]
    write(tmp_path, {}, FAMILIES.replace(".txt", ""))
    (tmp_path / "in" / "all.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")
    assert assign(tmp_path, places).exit_code == 0
    assert letter_of(masked(places, TEXTS["1.txt"]))["김도윤"] == "A"
