"""Each line of a policy cites what it restates, and does what its example says."""

import re

import pytest

from thunder.masking.deidentify import deidentify
from thunder.tagger.chosen_tagger import RULES_ALONE
from thunder.taxonomy import load as load_taxonomy
from thunder.taxonomy import profiles
from thunder.text.spans import Span

from ..fake_tagger import FakeTagger

_EXAMPLE = re.compile(r"(?:(?P<label>[^ \[:]+): )?(?P<text>[^→]+?)(?: → (?P<becomes>.+))?")
LINES = [(profile, line) for profile in profiles.names() for line in profiles.lines(profile)]
EXAMPLES = [
    pytest.param(profile, line, example, id=f"{profile} {line.name}: {example}")
    for profile, line in LINES
    for example in line.examples
]


@pytest.mark.parametrize(
    ("profile", "line"), LINES, ids=[f"{profile} {line.name}" for profile, line in LINES]
)
def test_each_line_cites_its_article_or_practice_and_shows_what_it_does(profile, line):
    assert re.search("조|법률|안내|실무|공개 자료", line.source), line.place
    assert line.examples, line.place


def test_the_shipped_policies_have_lines_of_every_kind():
    assert {line.section for _, line in LINES} == {"keep", "roles", "review", "written"}
    assert len(LINES) >= 30


@pytest.mark.parametrize("profile", profiles.names())
def test_each_label_that_a_profile_treats_otherwise_is_cited_with_an_example(profile):
    shown = {
        _label(said): line.name
        for line in profiles.lines(profile)
        if line.section == "written"
        for said in map(_EXAMPLE.fullmatch, line.examples)
        if said["label"]
    }
    own = profiles.load(profile).treatments
    assert {label: shown.get(label) for label in own} == own


@pytest.mark.parametrize(
    ("profile", "example"),
    [
        pytest.param(profile, example, id=f"{profile} {example}")
        for profile, line in LINES
        if profile != "court" and line.section == "written"
        for example in line.examples
    ],
)
def test_an_example_of_another_profile_reads_otherwise_under_court(profile, example):
    said = _EXAMPLE.fullmatch(example)
    text, mention = said["text"], re.search(r"\[(.+)\]", said["text"])[1]
    text = text.replace(f"[{mention}]", mention)
    found = FakeTagger({mention: (_label(said), 0.99)})
    by_court, by_profile = (
        deidentify(text, id="example", profile=name, tagger=found).text
        for name in ("court", profile)
    )
    assert mention in by_court or "생략" in by_court
    assert mention not in by_profile
    assert "생략" not in by_profile


@pytest.mark.parametrize(("profile", "line", "example"), EXAMPLES)
def test_a_line_does_what_its_example_says(profile, line, example):
    said = _EXAMPLE.fullmatch(example)
    before, mention, after = re.fullmatch(r"(.*)\[(.+)\](.*)", said["text"]).groups()
    text = before + mention + after
    if line.section == "written":
        labelled = said["label"]
        found = FakeTagger({mention: (_label(said), 0.99)}) if labelled else RULES_ALONE
        done = deidentify(text, id="example", profile=profile, tagger=found).text
        written = re.fullmatch(re.escape(before) + r"\(?(.+?)\)?" + re.escape(after), done)
        assert written, done
        assert re.sub("^[A-Z]$", "B", written[1]).strip("()") == said["becomes"]
        return
    label = said["label"] or ("URL" if before.startswith("URL") else "불특정회사명")
    span = Span(len(before), len(before) + len(mention), label)
    [decision] = profiles.load(profile).decide(text, [span], load_taxonomy())
    assert decision.treatment == "keep"
    if line.section == "review":
        assert decision.review
    else:
        assert decision.reason == line.name


def _label(said):
    return load_taxonomy().label(said["label"]).ko  # by an alias, too
