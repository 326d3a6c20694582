"""The invented texts of other domains are marked as their README says; a fault names ids alone."""

import json
import re
from pathlib import Path

import pytest

from thunder.taxonomy import load

FOLDER = Path(__file__).parent / "data" / "other_domains"
DOMAINS = ["decision", "indictment", "legal_advice", "news", "petition", "pleading"]
MARK = re.compile(r"<<<([^<>/]+)>>>(.+?)<<</\1>>>", re.S)
PERSONS = {"내국인이름", "외국인이름"}  # granular categories of 인명


def _texts(domain: str) -> list[dict]:
    lines = (FOLDER / f"{domain}.jsonl").read_text("utf-8").rstrip("\n").split("\n")
    return [json.loads(line) for line in lines]


def _unmarked(text: str) -> str:
    return MARK.sub("\0", text)


def test_as_many_texts_of_each_domain():
    assert sorted(path.stem for path in FOLDER.glob("*.jsonl")) == DOMAINS
    assert {len(_texts(domain)) for domain in DOMAINS} == {40}
    ids = [record["id"] for domain in DOMAINS for record in _texts(domain)]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("domain", DOMAINS)
def test_marks_are_whole_and_of_the_taxonomy(domain):
    known = {label.ko for label in load()}
    wrong = []
    for record in _texts(domain):
        labels = {label for label, _ in MARK.findall(record["text"])}
        if not labels <= known or re.search("<<<|>>>", _unmarked(record["text"])):
            wrong.append(record["id"])
    assert not wrong


@pytest.mark.parametrize("domain", DOMAINS)
def test_what_stays_readable_stands_outside_the_marks(domain):
    wrong = [
        record["id"]
        for record in _texts(domain)
        if not all(kept in _unmarked(record["text"]) for kept in record["keep"])
    ]
    assert not wrong


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_marked_person_is_named_outside_a_mark(domain):
    persons = {label.ko for label in load() if label.category in PERSONS}
    wrong = []
    for record in _texts(domain):
        rest = _unmarked(record["text"])
        for kept in sorted(record["keep"], key=len, reverse=True):
            rest = rest.replace(kept, "\0")
        names = {words for label, words in MARK.findall(record["text"]) if label in persons}
        if any(name in rest for name in names if len(name) > 1):
            wrong.append(record["id"])
    assert not wrong
