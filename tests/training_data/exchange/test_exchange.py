import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thunder.taxonomy import load
from thunder.text.spans import Span
from thunder.training_data import annotation, exchange
from thunder.training_data.annotation import Annotated
from thunder.training_data.exchange import Tool, Unit, brat, label_studio
from thunder.training_data.exchange.anchoring import Found, anchor, cells, positions
from thunder.training_data.exchange.records import file_name, identifier_of

FILES = {
    Tool.DOCCANO: "documents.jsonl",
    Tool.LABEL_STUDIO: "tasks.json",
    Tool.CONLL: "documents.conll",
}
NAME, ALIAS, ROAD = "내국인이름", "앞 도로", "도로명주소"
MARKED = [
    ("plain", "피고인 <<<내국인이름>>>가나다<<</내국인이름>>>은 걸었다."),
    (
        "emoji",
        "😀 <<<내국인이름>>>가나다😀<<</내국인이름>>>는 😀<<<내국인이름>>>라<<</내국인이름>>>를",
    ),
    (
        "CRLF",
        "1줄\r\n<<<내국인이름>>>가<<</내국인이름>>>은\r\n  <<<내국인이름>>>나<<</내국인이름>>>\r\n",
    ),
    ("NFD", "피고인 <<<내국인이름>>>\u1100\u1161\u1102\u1161<<</내국인이름>>>은"),
    ("astral", "<<<내국인이름>>>𠮷田<<</내국인이름>>>의 𠮷<<<내국인이름>>>田<<</내국인이름>>>"),
    ("line break inside", "<<<내국인이름>>>가나\n다라<<</내국인이름>>>는\n\n갔다"),
    ("tab", "\t성명\t<<<내국인이름>>>가 나\t다<<</내국인이름>>>\t"),
    ("space at the edges", " <<<내국인이름>>> 가나 <<</내국인이름>>> "),
    ("no word between", "<<<내국인이름>>>가<<</내국인이름>>><<<내국인이름>>>나<<</내국인이름>>>"),
    ("escapes", "a\\n_*[1]|;-> <<<앞 도로>>>\\_[2]|B*->;<<</앞 도로>>> # text = 1-1\t0-1\n#Text=x"),
    ("no annotation", "아무도 없다."),
    ("no text", ""),
    ("only space", " \n "),
    ("other separators", "가\u2028<<<내국인이름>>>나\x85다<<</내국인이름>>>\x0b라\r마"),
]
LABELS = (NAME, ALIAS, "사회공헌·자선행사", "(주)", "이메일주소")


@pytest.fixture(scope="module")
def taxonomy():
    return load()


def documents(rows=MARKED):
    return [(name, annotation.parse(text)) for name, text in rows]


def there_and_back(tool, docs, folder, taxonomy, **options):
    problems = exchange.export(docs, folder, tool=tool, taxonomy=taxonomy)
    assert problems == []
    return list(exchange.read(folder / FILES.get(tool, ""), tool=tool, taxonomy=taxonomy))


@pytest.mark.parametrize("tool", Tool)
def test_what_goes_out_comes_back_as_it_was(tool, tmp_path, taxonomy):
    docs = documents()
    back = there_and_back(tool, docs, tmp_path, taxonomy)
    assert {one.id: one.annotated for one in back} == dict(docs)
    assert [problem for one in back for problem in (*one.problems, *one.unknown)] == []


CHARACTERS = st.sampled_from(
    [*"가나B 1\t\n\\_|*[];#", "->", "\r\n", "😀", "𠮷", "\u1100\u1161", "\u2028"]
)


@st.composite
def annotated_texts(draw):
    pieces = draw(st.lists(st.tuples(CHARACTERS, st.sampled_from(["", *LABELS])), max_size=12))
    text, spans = "", []
    for piece, label in pieces:
        if label and piece.strip("\r\n\u2028"):
            spans.append(Span(len(text), len(text) + len(piece), label))
        text += piece
    return Annotated(text, tuple(spans))


@pytest.mark.parametrize("tool", Tool)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(annotated=annotated_texts())
def test_any_text_comes_back_as_it_was(tool, tmp_path_factory, annotated):
    folder = tmp_path_factory.mktemp("out")
    (back,) = there_and_back(tool, [("1/가", annotated)], folder, load())
    assert (back.id, back.annotated, back.problems) == ("1/가", annotated, ())


# --- which unit was counted in -------------------------------------------------------------------

TEXT = "😀머리\r\n피고인 가나다는\r\n😀 라마바를"


@pytest.mark.parametrize("unit", Unit)
def test_offsets_are_anchored_whatever_unit_the_tool_counted_in(unit):
    offsets = positions(TEXT, unit)
    places = [(TEXT.index(name), TEXT.index(name) + 3) for name in ("가나다", "라마바")]
    found = [Found(offsets[s], offsets[e], NAME, TEXT[s:e]) for s, e in places]
    assert anchor(TEXT, found).places == tuple(places)


@pytest.mark.parametrize(
    ("text", "found", "options", "told"),
    [
        # without a surface an emoji before the mention leaves two readings
        ("😀 가나다", Found(2, 4, NAME), {}, "more than one unit"),
        ("😀 가나다", Found(2, 4, NAME), {"units": (Unit.UTF_16,)}, (1, 3)),
        ("😀 가나다", Found(1, 4, NAME), {"units": (Unit.UTF_16,)}, "do not fit"),  # half an emoji
        ("😀 가나다", Found(3, 5, NAME), {"units": (Unit.UTF_16,)}, (2, 4)),
        ("😀 가나다", Found(3, 5, NAME), {"documented": Unit.UTF_16}, (2, 4)),
        ("😀 가나다", Found(2, 4, NAME, ours=True), {}, (2, 4)),
        ("가나다 😀", Found(0, 2, NAME), {}, (0, 2)),  # an emoji after it does not matter
        # the same letters stand at both places
        ("😀가가가", Found(2, 3, NAME, "가"), {}, "more than one unit"),
        ("😀가가가", Found(2, 3, NAME, "가"), {"documented": Unit.CODE_POINTS}, (2, 3)),
        ("가나다", Found(0, 2, NAME, "나다"), {}, "do not fit"),
        ("가나다", Found(1, 9, NAME), {}, "do not fit"),
        ("가나다", Found(-2, 2, NAME), {}, "do not fit"),
        ("가나다", Found(2, 2, NAME), {}, "do not fit"),
    ],
)
def test_an_annotation_has_one_place_or_a_reason(text, found, options, told):
    (place,) = anchor(text, [found], **options).places
    assert place == told if isinstance(told, tuple) else told in place


def test_one_surface_that_does_not_fit_leaves_the_others_their_unit():
    text = "😀 가나다와 라마바"
    found = [Found(3, 6, NAME, "가나다"), Found(8, 11, NAME, "라마바"), Found(0, 2, NAME, "없음")]
    places = anchor(text, found).places
    assert places[:2] == ((2, 5), (7, 10))
    assert "do not fit" in places[2]


@given(annotated=annotated_texts())
@settings(max_examples=50)
def test_words_lose_nothing_but_space_outside_mentions(annotated):
    words = cells(annotated.text, annotated.spans)
    assert words == sorted(words) and all(start < end for start, end in words)
    held = {place for start, end in words for place in range(start, end)}
    lost = set(range(len(annotated.text))) - held
    assert all(annotated.text[place].isspace() for place in lost)
    bounds = {edge for word in words for edge in word}
    assert all({span.start, span.end} <= bounds for span in annotated.spans)


# --- what the tools export -----------------------------------------------------------------------


def imported(tool, path, content, taxonomy, **options):
    path.write_text(content, encoding="utf-8", newline="")
    (one,) = exchange.read(path, tool=tool, taxonomy=taxonomy, **options)
    return one


def marked(one):
    return annotation.serialise(one.annotated)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"label": [[4, 7, NAME]]}, "피고인 <<<내국인이름>>>가나다<<</내국인이름>>>는 😀"),
        (
            {"entities": [{"id": 1, "label": NAME, "start_offset": 4, "end_offset": 7}]},
            "피고인 <<<내국인이름>>>가나다<<</내국인이름>>>는 😀",
        ),
        ({"label": []}, "피고인 가나다는 😀"),
    ],
)
def test_both_forms_of_doccano_are_read(row, expected, tmp_path, taxonomy):
    line = json.dumps({"id": 7, "text": "피고인 가나다는 😀", "Comments": [], **row})
    one = imported(Tool.DOCCANO, tmp_path / "all.jsonl", line, taxonomy)
    assert (one.id, one.problems, marked(one)) == ("7", (), expected)


def test_a_new_mark_behind_an_emoji_is_ambiguous_in_doccano_until_the_unit_is_told(
    tmp_path, taxonomy
):
    row = {"id": 1, "document": "가", "text": "😀 가나다와 라마바", "marks": [[2, 5, NAME]]}
    line = json.dumps({**row, "label": [[2, 5, NAME], [8, 11, NAME]]})
    path = tmp_path / "all.jsonl"
    (problem,) = imported(Tool.DOCCANO, path, line, taxonomy).problems
    assert problem[:4] == ("가", 8, 11, NAME)
    told = imported(Tool.DOCCANO, path, line, taxonomy, unit=Unit.UTF_16)
    assert told.problems == ()
    assert [(span.start, span.end) for span in told.annotated.spans] == [(2, 5), (7, 10)]


def task(result, text="😀 피고인 가나다는 갔다", **more):
    return json.dumps(
        [{"id": 3, "data": {"text": text}, "annotations": [{"result": result}], **more}]
    )


def region(start, end, surface, **value):
    return {"value": {"start": start, "end": end, "text": surface, **value}}


@pytest.mark.parametrize(
    "result",
    [
        [region(6, 9, "가나다", labels=[NAME])],
        [region(7, 10, "가나다", labels=[NAME])],  # UTF-16
        [region(15, 24, "가나다", labels=[NAME])],  # UTF-8
        [region(6, 9, "가나다", taxonomy=[["직접", "D.1.1 인명", NAME]])],
    ],
)
def test_label_studio_regions_are_found_by_their_surface(result, tmp_path, taxonomy):
    one = imported(Tool.LABEL_STUDIO, tmp_path / "x.json", task(result), taxonomy)
    assert one.problems == ()
    assert marked(one) == "😀 피고인 <<<내국인이름>>>가나다<<</내국인이름>>>는 갔다"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (task([region(5, 8, "가나다", labels=[NAME])]), "do not fit"),
        (task([region(6, 9, "가나다", labels=[NAME, ROAD])]), "not exactly one label"),
        (task([region(6, 9, "가나다")]), "not exactly one label"),
        (task([], annotations=[]), "has 0 annotations"),
        (task([], annotations=[{"result": []}, {"result": []}]), "has 2 annotations"),
        ("{}", "no JSON export"),
        ("[{}]", "has no data.text"),
        ("[]", "no document of label-studio"),
    ],
)
def test_what_label_studio_leaves_unclear_is_a_problem(content, reason, tmp_path, taxonomy):
    one = imported(Tool.LABEL_STUDIO, tmp_path / "x.json", content, taxonomy)
    assert [reason in str(problem) for problem in one.problems] == [True]
    assert "가나다" not in str(one.problems)


TSV = """#FORMAT=WebAnno TSV 3.3
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value


#Text=😀 가나다는 갔다.
1-1\t0-2\t😀\t_\t_\t_\t
1-2\t3-7\t가나다는\tN\t_\t_\t
1-2.1\t3-6\t가나다\t_\t*\t내국인이름\t
1-3\t8-11\t갔다.\t_\t_\t_\t

#Text=서울 종로구
2-1\t{0}\t서울\t_\t*[2]\t시도[2]\t
2-2\t{1}\t종로구\t_\t*[2]\t시도[2]\t
"""


def test_inception_sub_words_and_long_mentions_are_read(tmp_path, taxonomy):
    content = TSV.format("11-13", "14-17")
    one = imported(Tool.INCEPTION, tmp_path / "1=2F가.tsv", content, taxonomy)
    assert (one.id, one.problems) == ("1/가", ())
    expected = "😀 <<<내국인이름>>>가나다<<</내국인이름>>>는 갔다.<<<시도>>>서울 종로구<<</시도>>>"
    assert marked(one) == expected


def test_what_inception_lost_between_sentences_comes_from_the_original(tmp_path, taxonomy):
    content, path = TSV.format("13-15", "16-19"), tmp_path / "가.tsv"
    one = imported(Tool.INCEPTION, path, content, taxonomy)
    assert "--originals" in str(one.problems)
    original = "😀 가나다는 갔다.\r\n서울 종로구\r\n"
    one = imported(Tool.INCEPTION, path, content, taxonomy, originals={"가": original})
    assert (one.annotated.text, one.problems) == (original, ())
    assert original[one.annotated.spans[1].start :].startswith("서울")
    other = {"가": "😀 가나라는 갔다.\r\n서울 종로구\r\n"}
    assert imported(Tool.INCEPTION, path, content, taxonomy, originals=other).problems


def test_overlaps_are_refused_and_unknown_labels_reported(tmp_path, taxonomy):
    row = {"id": 1, "text": "피고인 가나다는", "label": [[4, 7, NAME], [4, 6, NAME]]}
    one = imported(Tool.DOCCANO, tmp_path / "a.jsonl", json.dumps(row), taxonomy)
    assert one.annotated is None
    assert "overlaps 내국인이름 at 4:6" in str(one.problems[0])
    row["label"] = [[4, 7, "아무 라벨"]]
    one = imported(Tool.DOCCANO, tmp_path / "a.jsonl", json.dumps(row), taxonomy)
    assert one.problems == () and one.annotated is not None
    assert [problem[:4] for problem in one.unknown] == [("1", 4, 7, "아무 라벨")]


@pytest.mark.parametrize(
    ("ann", "expected"),
    [
        (
            "T1\t내국인이름 4 7\t가나다\n",
            "피고인 <<<내국인이름>>>가나다<<</내국인이름>>>는\r\n갔다",
        ),
        ("T1\t내국인이름 4 8;10 12\t가나다는 갔다\n#1\tNote T1\t?\n", None),
        ("T1\t내국인이름 4 5;6 7\t가 다\n", "do not fit"),
        ("T1\t내국인이름 4 7\t나다는\n", "do not fit"),
        ("T1\t내국인이름 4\t가\n", "line 1"),
        ("T1\t내국인이름\n", "line 1"),
    ],
)
def test_brat_surfaces_decide(ann, expected, tmp_path, taxonomy):
    text = "피고인 가나다는\r\n갔다"
    (tmp_path / "가.txt").write_bytes(text.encode())
    one = imported(Tool.BRAT, tmp_path / "가.ann", ann, taxonomy)
    if expected is None:
        assert [(span.start, span.end) for span in one.annotated.spans] == [(4, 12)]
        assert one.notes
    elif expected.startswith("피고인"):
        assert (marked(one), one.problems) == (expected, ())
    else:
        assert expected in str(one.problems[0]) and "가나" not in str(one.problems[0])


@pytest.mark.parametrize("missing", ["가.txt", "가.ann"])
def test_half_a_brat_document_is_a_problem(missing, tmp_path, taxonomy):
    for name in {"가.txt", "가.ann"} - {missing}:
        (tmp_path / name).write_text("")
    (one,) = exchange.read(tmp_path, tool=Tool.BRAT, taxonomy=taxonomy)
    assert (one.id, one.annotated) == ("가", None)
    assert "needs a .txt and a .ann" in str(one.problems)


def test_a_mention_that_brat_cannot_hold_is_held_back(tmp_path, taxonomy):
    docs = documents([("1", "가<<<내국인이름>>>나\n<<</내국인이름>>>"), ("2", "다")])
    (problem,) = exchange.export(docs, tmp_path, tool=Tool.BRAT, taxonomy=taxonomy)
    assert (problem.document, "나" in str(problem)) == ("1", False)
    assert {path.name for path in tmp_path.glob("*.txt")} == {"2.txt"}


HEAD = '# id = "1"\n# text = "가나다 라"\n'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (HEAD + "가나다\t0\t3\tI-내국인이름\n", "continues no mention"),
        (HEAD + "가나\t0\t2\tB-내국인이름\n다\t2\t3\tI-시도\n", "continues no mention"),
        (HEAD + "가나\t0\t2\tB-시도\n다\t2\t3\tO\n라\t4\t5\tI-시도\n", "continues no mention"),
        (HEAD + "나다\t0\t2\tB-내국인이름\n", "do not fit"),
        (HEAD + "가나다 0 3 O\n", "other columns"),
        ("가나다\t0\t3\tO\n", "one id and one text"),
        ("# id = 1\n# text = 가나다\n", "not JSON"),
    ],
)
def test_a_broken_conll_file_is_never_guessed_at(content, reason, tmp_path, taxonomy):
    one = imported(Tool.CONLL, tmp_path / "x.conll", content, taxonomy)
    assert reason in str(one.problems[0])
    assert "나다" not in str(one.problems[0])


def test_a_document_that_comes_twice_is_a_problem(tmp_path, taxonomy):
    row = json.dumps({"id": 1, "text": "가", "label": []})
    (tmp_path / "a").write_text(f"{row}\n{row}\nnot JSON\n")
    first, second, third = exchange.read(tmp_path / "a", tool=Tool.DOCCANO, taxonomy=taxonomy)
    assert (first.problems, second.annotated) == ((), None)
    assert "comes twice" in str(second.problems)
    assert "line 3: is not JSON" in str(third.problems[0])


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"id": "\ud800", "text": "가", "label": []}, "lone surrogate"),
        ({"id": 1, "text": "가\udc00나", "label": [[0, 1, NAME]]}, "lone surrogate"),
        ({"id": 1, "text": "가나", "label": [[0, 1, "\ud800"]]}, "lone surrogate"),
        ({"id": 1, "text": "<<<가나", "label": [[3, 4, NAME]]}, "itself holds <<<"),
        ({"id": 1, "text": "가나", "label": [[0, 1, "<b>"]]}, "cannot stand in a mark"),
        ({"id": 1, "text": "가나", "label": [[0, 1, ""]]}, "cannot stand in a mark"),
        ({"id": 1, "text": "가나", "label": [[0, "1", NAME]]}, "1 annotations are no [start"),
        ({"id": 1, "text": "가나"}, "has no list of annotations"),
        ({"id": 1, "label": []}, "has no text"),
        ([1], "has no text"),
    ],
)
def test_damaged_rows_are_problems(row, reason, tmp_path, taxonomy):
    one = imported(Tool.DOCCANO, tmp_path / "a.jsonl", json.dumps(row), taxonomy)
    assert reason in str(one.problems[0]).encode().decode()


# --- label sets ----------------------------------------------------------------------------------


def test_every_label_is_offered_in_every_tool(tmp_path, taxonomy):
    names = {label.ko for label in taxonomy}
    for tool in Tool:
        (tmp_path / tool).mkdir()
        exchange.write_labels(tmp_path / tool, tool=tool, taxonomy=taxonomy)
    doccano = json.loads((tmp_path / "doccano/labels.json").read_text(encoding="utf-8"))
    assert {row["text"] for row in doccano} == names
    tags = json.loads((tmp_path / "inception/tagset.json").read_text(encoding="utf-8"))["tags"]
    assert {tag["tag_name"] for tag in tags} == names
    root = ElementTree.parse(tmp_path / "label-studio/config.xml").getroot()
    assert {e.get("value") for e in root.iter("Choice") if len(e) == 0} == names
    lines = (tmp_path / "brat/annotation.conf").read_text(encoding="ascii").splitlines()
    types = [line.strip() for line in lines if line.strip()[0] not in "!["]
    assert {brat.label_of(one) for one in types} == names and len(types) == len(names)
    assert (tmp_path / "conll/labels.txt").read_text(encoding="utf-8").split("\n")[-1] == ""


def test_a_chosen_few_are_buttons_in_label_studio(tmp_path, taxonomy):
    exchange.write_labels(tmp_path, tool=Tool.LABEL_STUDIO, taxonomy=taxonomy, only=[NAME])
    root = ElementTree.parse(tmp_path / "config.xml").getroot()
    assert [label.get("value") for label in root.iter("Label")] == [NAME]
    with pytest.raises(LookupError, match="unknown label"):
        exchange.write_labels(tmp_path, tool=Tool.LABEL_STUDIO, taxonomy=taxonomy, only=["없다"])


def test_names_in_use_are_offered_beside_the_labels(taxonomy):
    assert exchange.label_set(taxonomy, only=[NAME], used=[ALIAS, NAME]) == [NAME, ALIAS]
    assert label_studio.tree_path(ALIAS, taxonomy)[-1] == ALIAS
    assert label_studio.tree_path(NAME, taxonomy)[0] == "사건관계인 특정 정보"


@given(st.text(min_size=1, max_size=12))
def test_names_of_files_and_types_can_be_read_back(name):
    try:
        name.encode()
    except UnicodeEncodeError:
        return
    stem = file_name(name)
    assert identifier_of(stem) == name
    assert not set(stem) & set('/\\:*?"<>| \n') and not stem.startswith(".")
    brat_type = brat.type_of(name)
    assert brat.label_of(brat_type) == name
    assert brat_type.isascii() and brat_type.replace("_", "a").replace("-", "a").isalnum()


# --- the annotated judgments ---------------------------------------------------------------------

SHARED = Path(os.environ.get("THUNDER_SHARED", "nowhere"))
JUDGMENTS = SHARED / "data/public-judgments/annotated_judgments.jsonl"


@pytest.mark.slow
@pytest.mark.skipif(not JUDGMENTS.is_file(), reason="needs the annotated judgments")
@pytest.mark.parametrize("tool", Tool)
def test_the_annotated_judgments_come_back_as_they_were(tool, tmp_path, taxonomy):
    read = [(n, d) for n, d in annotation.read_jsonl(JUDGMENTS) if isinstance(d, Annotated)]
    every = int(os.environ.get("THUNDER_EVERY", max(1, len(read) // 300)))
    docs = read[::every]
    back = there_and_back(tool, docs, tmp_path, taxonomy)
    different = [one.id for one in back if one.problems or one.unknown]
    expected = dict(docs)
    different += [one.id for one in back if one.annotated != expected[one.id]]
    assert (len(back), different) == (len(docs), [])
