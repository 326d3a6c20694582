"""The shipped lists are tested like code: every label has one, and none holds what it must not."""

import re
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from thunder.settings import resources
from thunder.settings.yamlfile import Problem
from thunder.taxonomy import gazetteer
from thunder.taxonomy import load as load_taxonomy
from thunder.text.spans import Span
from thunder.training_data import mention_makers
from thunder.training_data.annotation import parse
from thunder.training_data.filling import NOUN, fill
from thunder.training_data.lists import load, part_of
from thunder.training_data.lists.checking import check
from thunder.training_data.lists.reading import MentionList, Source
from thunder.training_data.mention_makers.names import MALE, MIXED, NameForms, _cohorts

LISTS = load()
FOLDER = resources.folder("replacement_lists")
PRESENT = [label.ko for label in load_taxonomy() if LISTS.path(label.ko).is_file()]


@lru_cache(maxsize=1)
def _readable() -> dict[str, Source]:
    """Return the lists and rules that are in order; the others fail the first test."""
    bad = {problem.path for problem in _problems()}
    return {label: LISTS.source(label) for label in PRESENT if LISTS.path(label) not in bad}


@lru_cache(maxsize=1)
def _problems() -> tuple[Problem, ...]:
    return tuple(check(LISTS))


def _missing(problem: Problem) -> bool:
    return "there is no list or rule" in problem.message


def test_nothing_is_wrong_with_any_list_or_rule():
    assert [str(problem) for problem in _problems() if not _missing(problem)] == []


def test_files_are_plain_utf_8_with_unix_line_ends():
    for path in sorted(path for path in FOLDER.rglob("*") if path.is_file()):
        content = path.read_bytes()
        assert not content.startswith(b"\xef\xbb\xbf"), path
        assert b"\r" not in content, path
        assert content.endswith(b"\n"), path
        assert not content.endswith(b"\n\n"), path


@pytest.mark.parametrize("part", ["train", "held-out"])
def test_every_list_gives_mentions_of_either_part(part):
    for label, source in _readable().items():
        chosen = LISTS.choose(label, key=b"test", document_id="1", entity="A", part=part)
        few = isinstance(source, MentionList) and len(source.mentions) < 40
        assert chosen
        assert few or part_of(chosen) == part


def test_a_document_of_many_entities_gets_different_mentions():
    entities = [(label, entity) for label in _readable() for entity in "BC"]
    chosen = LISTS.assign(entities, key=b"test", document_id="1")
    with_letters = [mention for mention in chosen.values() if re.search("[^0-9-]", mention)]
    assert len(set(with_letters)) == len(with_letters) > len(_readable())


def test_no_mention_is_longer_than_a_line_or_empty():
    for label, source in _readable().items():
        if isinstance(source, MentionList):
            mentions = source.mentions
        else:
            mentions = tuple(source.at(number * 2**96 + 12345) for number in range(50))
        assert all(1 <= len(mention) <= 90 for mention in mentions), label
        assert all(mention == mention.strip() for mention in mentions), label


def test_every_part_file_is_used():
    used = set(re.findall(r"parts/[\w.-]+", "".join(_texts("*.yaml"))))
    by_makers = {
        "parts/korean_given_names.tsv",
        "parts/korean_hanja.tsv",
        "parts/public_figures.txt",
        "parts/building_names.txt",
        "parts/station_facts.tsv",
        "parts/bank_facts.tsv",
        "parts/kin_facts.tsv",
        "parts/name_facts.tsv",
        "parts/register_facts.tsv",
        "parts/trade_facts.tsv",
        "parts/context_facts.tsv",
        "parts/court_facts.tsv",
        "parts/drawn_facts.tsv",
        "parts/manner_facts.tsv",
        "parts/body_fields.txt",
        "parts/body_clan_heads.txt",
        "parts/body_clan_seats.txt",
        "parts/body_physicians.txt",
        "parts/area_code_facts.tsv",
        "parts/around_facts.tsv",
        "parts/expressways.txt",
        "parts/labour_hospitals.txt",
        "parts/public_agencies.txt",
        "parts/public_corporations.txt",
        "parts/universities_of_women.txt",
        "parts/compensation_committees.txt",
        "parts/court_districts_facts.tsv",
        "parts/damage_insurers.txt",
        "parts/division_facts.tsv",
        "parts/listed_facts.tsv",
        "parts/product_brands.txt",
        "parts/product_models.txt",
        "parts/universities_of_korean_medicine.txt",
        "parts/universities_of_medicine.txt",
    }
    there = {f"parts/{path.name}" for path in (FOLDER / "parts").iterdir()}
    assert there - used - by_makers == set()


def _texts(pattern: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(Path(FOLDER).rglob(pattern))]


# --- divisions are those of the gazetteer -------------------------------------------------------


def _divisions(last: str) -> set[str]:
    names: set[str] = set()
    for full in gazetteer.district_names():
        names |= {level for level in full.split()[1:] if level != "세종특별자치시"}
        for town, villages in gazetteer.below(full).items():
            names |= {town, *villages}
    return {name for name in names if name.endswith(last)}


@pytest.mark.parametrize("last", list("구군시동읍면리"))
def test_administrative_units_are_those_of_the_gazetteer(last):
    listed = set(LISTS.mentions(f"행정{last}"))
    homonyms = {f"행정{last}", f"정{last}"}  # 행정동 in 천안 reads as the generic noun
    assert listed == _divisions(last) - homonyms


# --- names of persons ---------------------------------------------------------------------------


def test_given_names_cover_every_year_for_both_sexes():
    for cohorts in _cohorts().values():
        assert [cohort.last_year for cohort in cohorts][-1] >= 2020
        assert all(len(cohort.syllables.first) > 15 for cohort in cohorts)
        assert all(len(cohort.whole) >= 15 and cohort.alone for cohort in cohorts)
    assert len(_cohorts()[MALE]) == 8


def test_public_figures_are_hashes_only():
    text = (FOLDER / "parts/public_figures.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) > 20_000
    assert all(re.fullmatch("[0-9a-f]{10}", line) for line in lines)
    assert lines == sorted(set(lines))


def test_hanja_and_hangul_go_together():
    text = (FOLDER / "parts/korean_hanja.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    for hangul, surname, given in rows:
        assert re.fullmatch("[가-힣]{1,2}", hangul)
        assert all(re.fullmatch("[一-龥]+|-", hanja) for hanja in (surname, given))
        assert len({*surname}) == len(surname) and len({*given}) == len(given), hangul


@pytest.mark.parametrize("label", [label.ko for label in load_taxonomy() if label.code == "D.1.1"])
def test_names_of_persons_are_made_not_listed(label):
    """Saints' names, which nobody bears alone, are the one list."""
    source = LISTS.source(label)
    assert isinstance(source, MentionList) == (label == "세례명")


def test_a_rule_names_a_maker_that_there_is():
    named = set(re.findall(r"maker: ([a-z-]+)", "".join(_texts("*.yaml"))))
    assert named <= set(mention_makers.maker_names())
    assert {"korean-name", "address", "account"} <= named


# --- judgments filled with them -------------------------------------------------------------------

SEEDS = [str(seed) for seed in range(25)]


def filled(marked: str, seed: str, **more: Any) -> tuple[str, list[Span]]:
    annotated = parse(marked)
    return fill(annotated.text, annotated.spans, key=b"test", document_id=seed, **more)


def mark(label: str, placeholder: str) -> str:
    return f"<<<{label}>>>{placeholder}<<</{label}>>>"


JUDGMENT = (
    f"피고인은 제주시 {mark('시아래주소', 'B')}에 있는 '{mark('식당', 'C')}' 식당에서 피해자 "
    f"{mark('내국인이름', 'D')}(여, 81세) 명의 {mark('은행', 'E')}은행 "
    f"계좌({mark('계좌번호', 'F')})로, "
    f"{mark('베트남이름', 'G')}과 {mark('내국인이름', 'H')}은 {mark('행정동', 'I')} 소재 창고에서"
)


@pytest.mark.parametrize("part", ["train", "held-out"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_judgment_is_filled_from_one_part_only(part, seed):
    text, spans = filled(JUDGMENT, seed, part=part, forms=MIXED)
    named = [text[span.start : span.end] for span in spans if span.source != NOUN]
    assert len(set(named)) == len(named) == 8
    assert {part_of(mention) for mention in named} == {part}


def test_whoever_stands_in_the_judgment_already_is_not_named_again():
    first = filled(f"피고인 {mark('내국인이름', 'B')}은", "1")[0]
    name = first.removeprefix("피고인 ")[:-1]
    text, (span,) = filled(f"피고인 {mark('내국인이름', 'B')}은 증인 {name}에게", "1")
    assert text[span.start : span.end] != name


def test_given_names_fit_the_age_behind_them():
    old = Counter(
        filled(f"{mark('내국인이름', 'B')}(여, 81세)", str(seed))[0][1:3] for seed in range(300)
    )
    syllables = Counter("".join(old.elements()))
    assert syllables["자"] + syllables["순"] > 100 > 5 * syllables["빈"]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_stands_in_brackets_behind_a_name_is_written_once(seed):
    person = mark("내국인이름", "B")
    text, (first, second) = filled(f"{person}과 {person}은", seed, forms=NameForms(hanja=1))
    plain = text[second.start : second.end]
    assert re.fullmatch(re.escape(plain) + r"(?:\([一-龥]+\))?", text[first.start : first.end])
    assert "(" not in plain


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("marked", "shape"),
    [
        (f"제{mark('선박번호', 'B')}호 선박에서", r"제[0-9]* ?[가-힣]+호 선박에서"),
        (f"{mark('행정시', 'B')}시 관련 사업", r"(?!.*시시)[가-힣]+시 관련 사업"),
        (f"울산 남구 {mark('행정동', 'B')} 소재", r"울산 남구 [가-힣0-9]+동 소재"),
        (f"지하철 {mark('호선', 'B')}호선", r"지하철 [1-9]호선"),
    ],
)
def test_mentions_fit_the_words_around_them(marked, shape, seed):
    text, spans = filled(marked, seed)
    assert re.fullmatch(shape, text)
    assert len(spans) == 1


@pytest.mark.parametrize("part", ["all", "train", "held-out"])
def test_a_document_may_need_more_than_a_small_world_has(part):
    marked = " 그리고 ".join(f"{mark('호선', chr(65 + at))}호선" for at in range(14))
    text, spans = filled(marked, "1", part=part)
    assert len({text[span.start : span.end] for span in spans}) == 14


# --- coverage: the last of all ------------------------------------------------------------------


def test_every_label_has_a_list_or_a_rule():
    missing = [label.ko for label in load_taxonomy() if label.ko not in PRESENT]
    assert missing == []
