"""Presidio: what is found, under which name, and the letters that its anonymizer writes."""

import re
import shutil
from pathlib import Path

import pytest

from thunder import Deidentifier, taxonomy
from thunder.settings import resources

presidio_analyzer = pytest.importorskip(
    "presidio_analyzer", reason="needs pip install '.[presidio]'"
)
pytest.importorskip("presidio_anonymizer", reason="needs pip install '.[presidio]'")

from presidio_analyzer import AnalyzerEngineProvider, RecognizerResult  # noqa: E402
from presidio_analyzer.recognizer_registry import RecognizerRegistryProvider  # noqa: E402

from thunder.integrations import presidio  # noqa: E402

PAGE = Path(__file__).resolve().parents[2] / "docs/how-to/integrations/presidio.md"
RULES = Deidentifier(model="none")
TEXT = (
    "피고인 김도윤(800101-1234567)은 서하린에게 한빛은행 계좌(110-482-660153)로 돈을 보냈다. "
    "증인 한지우 서하린은 김도윤의 전화(010-0482-1196)를 받았다.\n\n판사 최한결"
)


@pytest.fixture(scope="module")
def analyzer():
    return presidio.analyzer(presidio.ThunderRecognizer(deidentifier=RULES))


def found(analyzer, text, **options):
    results = analyzer.analyze(text, language="ko", **options)
    return sorted(results, key=lambda one: (one.start, one.end))


def test_all_that_is_masked_is_found_and_no_more(analyzer):
    results = found(analyzer, TEXT)
    changes = RULES.deidentify(TEXT).changes
    assert [(r.start, r.end, r.score) for r in results] == [
        (c.span.start, c.span.end, c.span.score) for c in changes
    ]
    kept = [one.recognition_metadata for one in results]
    assert [(one["label"], one["replacement"]) for one in kept] == [
        (change.span.label, change.replacement) for change in changes
    ]


@pytest.mark.parametrize(
    ("text", "mention", "name"),
    [
        ("피고인 김도윤은", "김도윤", "PERSON"),
        ("주민등록번호 800101-1234567", "800101-1234567", "KR_RRN"),
        ("외국인등록번호 800101-5234567", "800101-5234567", "KR_FRN"),
        ("여권번호 M12345678", "M12345678", "KR_PASSPORT"),
        ("사업자등록번호 214-88-00035", "214-88-00035", "KR_BRN"),
        ("휴대전화 010-0482-1196", "010-0482-1196", "PHONE_NUMBER"),
        ("이메일 hong@example.com", "hong@example.com", "EMAIL_ADDRESS"),
        ("한빛은행 계좌(110-482-660153)", "110-482-660153", "ID"),
        ("피해자 주식회사 나래솜은", "나래솜", "ORGANIZATION"),
        ("서울 강남구 역삼동 648-23에서", "역삼동 648-23", "LOCATION"),
    ],
)
def test_what_is_found_has_presidios_name(analyzer, text, mention, name):
    named = {(text[one.start : one.end], one.entity_type) for one in found(analyzer, text)}
    assert (mention, name) in named


def test_every_label_has_a_name():
    labels = taxonomy.load()
    assert {label.subcategory for label in labels} == set(presidio.OF_SUBCATEGORY)
    assert set(presidio.OF_LABEL) <= {label.ko for label in labels}
    assert {presidio.entity(label) for label in labels} <= set(presidio.entities())


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"entities": ["PHONE_NUMBER"]}, ["PHONE_NUMBER"]),
        ({"score_threshold": 1.01}, []),
        ({"allow_list": ["김도윤", "서하린", "한지우"], "entities": ["PERSON"]}, []),
    ],
)
def test_presidios_options_hold(analyzer, options, names):
    assert [one.entity_type for one in found(analyzer, TEXT, **options)] == names


def test_context_words_raise_a_score_and_thresholds_cut():
    text = "증인 한지우는 김도윤을 보았다."
    plain = found(presidio.analyzer(presidio.ThunderRecognizer(deidentifier=RULES)), text)
    unsure = next(one for one in plain if one.score < 0.6)
    with_words = presidio.ThunderRecognizer(deidentifier=RULES, context=["증인"])
    raised = found(presidio.analyzer(with_words), text)
    at = plain.index(unsure)
    assert raised[at].score > unsure.score
    cut = presidio.ThunderRecognizer(deidentifier=RULES, score_thresholds={"default": 0.9})
    assert unsure not in found(presidio.analyzer(cut), text)


@pytest.mark.parametrize("named", [["PERSON"], None])
def test_it_is_loaded_from_a_registry_in_yaml(tmp_path, monkeypatch, named):
    monkeypatch.setattr(presidio.ThunderRecognizer, "deidentifier", RULES)
    wanted = f"\n    supported_entities: {named}" if named else ""
    (tmp_path / "registry.yaml").write_text(
        "supported_languages: [ko]\nglobal_regex_flags: 26\nrecognizers:\n"
        "  - name: ThunderRecognizer\n    type: predefined\n    supported_languages: [ko]\n"
        f"    score_thresholds: {{default: 0.3}}{wanted}\n"
    )
    registry = RecognizerRegistryProvider(
        conf_file=str(tmp_path / "registry.yaml")
    ).create_recognizer_registry()
    [recognizer] = registry.recognizers
    assert isinstance(recognizer, presidio.ThunderRecognizer)
    assert recognizer.score_thresholds == {"default": 0.3}
    assert recognizer.get_supported_entities() == (named or presidio.entities())
    assert {one.entity_type for one in recognizer.analyze(TEXT, named or [])} >= {"PERSON"}


@pytest.mark.skipif(not PAGE.is_file(), reason="needs a checkout with docs")
def test_the_file_in_the_docs_makes_a_whole_analyzer(tmp_path, monkeypatch):
    monkeypatch.setattr(presidio.ThunderRecognizer, "deidentifier", RULES)
    [content] = re.findall(r"^```yaml\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    (tmp_path / "analyzer.yaml").write_text(content, "utf-8")
    made = AnalyzerEngineProvider(
        analyzer_engine_conf_file=str(tmp_path / "analyzer.yaml")
    ).create_engine()
    [recognizer] = made.registry.recognizers
    assert isinstance(recognizer, presidio.ThunderRecognizer)
    changes = RULES.deidentify(TEXT).changes
    assert [(one.start, one.end) for one in found(made, TEXT)] == [
        (change.span.start, change.span.end) for change in changes if change.span.score >= 0.3
    ]


def test_an_entity_that_no_label_becomes_is_refused():
    with pytest.raises(ValueError, match="no label becomes NHS; known are AGE"):
        presidio.ThunderRecognizer(["NHS"], deidentifier=RULES)


def test_a_folder_of_another_taxonomy_is_refused_at_once(tmp_path):
    folder = tmp_path / "tagger"
    shutil.copytree(resources.folder("finetune/taggers") / "mini-free", folder)
    manifest = folder / "tagger.json"
    text = manifest.read_text("utf-8")
    digest = text.split('"labels": "')[1].split('"')[0]
    manifest.write_text(text.replace(digest, "0" * len(digest)), "utf-8")
    with pytest.raises(ValueError, match="분류 체계의 것도"):
        presidio.ThunderRecognizer(deidentifier=Deidentifier(model=str(folder)))


# --- letters --------------------------------------------------------------------------------------

TEXTS = [
    TEXT,
    "피고인 김도윤 서하린은 자백하였다.",  # Presidio makes one of two that a space parts
    "원고 김도윤은 피고 서하린을, 서하린은 김도윤을 고소하였다.",
    "",
    "아무도 없다.",
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_the_anonymizer_writes_the_courts_letters(analyzer, text):
    results = found(analyzer, text)
    operators = presidio.court_letters(text, results)
    done = presidio.anonymizer().anonymize(text, results, operators=operators)
    assert done.text == RULES.deidentify(text).text


def test_what_others_found_has_letters_too():
    text = "A회사의 KIM은 SEO와 KIM의 번호 77-1을 안다."
    others = [
        RecognizerResult("PERSON", 5, 8, 0.9),
        RecognizerResult("PERSON", 10, 13, 0.9),
        RecognizerResult("PERSON", 15, 18, 0.9),
        RecognizerResult("NHS_NUMBER", 23, 27, 0.9),
    ]
    done = presidio.anonymizer().anonymize(
        text, others, operators=presidio.court_letters(text, others)
    )
    assert done.text == "A회사의 B은 C와 B의 번호 (관리번호 1 생략)을 안다."


def test_results_that_overlap_are_refused():
    overlapping = [RecognizerResult("PERSON", 4, 7, 1.0), RecognizerResult("ID", 5, 9, 1.0)]
    with pytest.raises(ValueError, match="overlap"):
        presidio.court_letters(TEXT, overlapping)


def test_letters_are_for_one_text_only(analyzer):
    results = found(analyzer, TEXT)
    operators = presidio.court_letters(TEXT, results)
    other = TEXT.replace("김도윤", "나은별")
    with pytest.raises(ValueError, match="for each text anew") as error:
        presidio.anonymizer().anonymize(other, found(analyzer, other), operators=operators)
    assert "나은별" not in str(error.value)


def test_the_operator_takes_no_other_parameters():
    from presidio_anonymizer import OperatorConfig

    operators = {"DEFAULT": OperatorConfig(presidio.COURT_LETTERS, {})}
    with pytest.raises(ValueError, match="court_letters"):
        presidio.anonymizer().anonymize(
            TEXT, [RecognizerResult("PERSON", 4, 7, 1.0)], operators=operators
        )
