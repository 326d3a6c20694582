"""Names that a bracket or a word marks as such: 달봉(가명), 일명 '김 실장', (가명 홍길동)."""

import re
from collections.abc import Iterator

from thunder.names.given_names import likeness, surname_of
from thunder.names.person_context import before, role_group, says_person
from thunder.names.person_foreign import label_for
from thunder.names.person_lexicon import commonness, ends_in_particle, word_class
from thunder.names.person_tails import tails, titles
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

SOURCE = "names:person"
LABEL = "내국인이름"
BRACKETED, ALIAS, HIDDEN = 0.8, 0.85, 0.99

_BRACKET = lazy.compile(r" ?\(")
_BEFORE_BRACKET = lazy.compile(r"(?<![가-힣A-Za-z0-9])[가-힣]{2,6}\Z")
_LONGEST = 6
_GIVEN_NAME = lazy.compile(r" ?\( ?(?:가명|일명|예명|별명|개명)")
_NO_NAME = frozenset({"noun", "nouns", "verb", "adverb", "clause", "place", "particle"})
_QUOTED = r"[‘'“\"] ?(?P<{}>[가-힣A-Za-z][가-힣A-Za-z ]{{0,11}}?) ?[’'”\"]"
_OR = r"(?: ?(?:또는|혹은|,) ?" + _QUOTED.format("second") + ")?"
_ALIAS = expression(
    r"(?P<open>\(|\[)?(?P<cue><alias>|개명 ?전(?: ?이름)?|개명 ?후)"
    rf" ?[:：]? ?(?:{_QUOTED.format('first')}{_OR}|"
    r"(?P<bare>[가-힣]{2,4})(?: 또는 (?P<other>[가-힣]{2,4}))?(?=[,)\]]))",
    needs=("<alias>", "개명"),
)
_CALLED = expression(
    rf"{_QUOTED.format('first')}"
    r"(?:이?라는|이?라고 ?(?:불리|부르|하)는|을 ?사칭|를 ?사칭|이?라 ?칭하는) ?"
    r"<called-person>?"
)
_PERSON_BEFORE = lazy.compile(
    r"(?:불상(?:자|의 ?[가-힣 ]{0,12})?|조직원|상담원|사기범|공범|[가-힣]{1,3}책|"
    r"[가-힣]{1,8}(?:[자인원]|직원)) ?\Z"
)
# One syllable of a name hidden, 윤○혁, or the name cut by the sign for a line's end: 구\\n본석.
_HIDDEN = lazy.compile(
    r"(?<![가-힣A-Za-z0-9])(?P<name>[가-힣]{1,2}[○〇◯□●△◎*ㅇXxOo][가-힣])(?P<tail>[가-힣]*)"
)
_CUT = lazy.compile(
    r"(?<![가-힣])(?P<head>[가-힣]{1,3})-?(?:(?:\\r)?\\n|<br ?/?>)(?P<rest>[가-힣]{1,8})",
    needs=("\\n", "<br"),
)
_ENDS_NO_NAME = frozenset(
    "동면리구시군로길호역교읍도은는이가을를의층항조목번등각및와과에점팀부반식"
)


def find(text: str) -> Iterator[Span]:
    """Yield what brackets, words and hidden syllables mark as a person, and aliases in quotes."""
    yield from _half_hidden(text)
    yield from _cut(text)
    for bracket in _BRACKET.finditer(text):
        at = bracket.start()
        match = _BEFORE_BRACKET.search(text, max(0, at - _LONGEST), at)
        if match and says_person(text, match.end(), of_latin=True) and _may_be_name(text, match):
            label = label_for(text, match.start(), match.end()) or LABEL
            yield Span(match.start(), match.end(), label, BRACKETED, SOURCE)
    for match in _ALIAS.finditer(text):
        if match["cue"] not in ("일명", "속칭") or _is_of_person(text, match):
            yield from _aliases(text, match)
    for match in _CALLED.finditer(text):
        if _untitled(match["first"]) != match["first"] or match[0].endswith(("사람", "조직원")):
            yield from _aliases(text, match)


def _half_hidden(text: str) -> Iterator[Span]:
    for match in _HIDDEN.finditer(text):
        is_no_name = match["name"][-1] in _ENDS_NO_NAME and not match["tail"]
        if surname_of(match["name"]) and match["tail"] in tails() and not is_no_name:
            yield Span(*match.span("name"), LABEL, HIDDEN, SOURCE)


def _cut(text: str) -> Iterator[Span]:
    for match in _CUT.finditer(text):
        surname = surname_of(match["head"] + match["rest"])
        end = len(surname) + 2 - len(match["head"])
        if surname and 0 < end <= len(match["rest"]) and match["rest"][end:] in tails():
            yield Span(match.start(), match.start("rest") + end, LABEL, HIDDEN, SOURCE)


def _aliases(text: str, match: re.Match[str]) -> Iterator[Span]:
    for group in ("first", "second", "bare", "other"):
        name = match.groupdict().get(group)
        if not name or not _reads_as_alias(name):
            continue
        stem = _untitled(name)
        word = stem.rsplit(" ", 1)[-1] if stem != name else stem  # ‘한빛은행 홍길동 대리’
        start = match.start(group) + len(stem) - len(word)
        yield Span(start, start + len(word), LABEL, ALIAS, SOURCE)


def _untitled(name: str) -> str:
    """Return *name* without the title at its end: '김 실장' → '김', '나비 팀장' → '나비'."""
    for cut in range(1, len(name)):
        if name[cut:].lstrip() in titles():
            stem = name[:cut].rstrip()
            if len(stem) > 1 or surname_of(stem):
                return stem
    return name


def _reads_as_alias(name: str) -> bool:
    first = name.split()[0]
    if _untitled(name).rsplit(" ", 1)[-1] in titles():
        return False
    return (
        len(name) > 1
        and not role_group(first)
        and commonness(first, tailed=False) <= 6
        and "불상" not in first
    )


def _may_be_name(text: str, match: re.Match[str]) -> bool:
    """Return whether the word before a bracket can be a name: after a role word, almost any."""
    word = match[0]
    if role_group(word) or "불상" in word or ends_in_particle(word):
        return False
    aliased = _GIVEN_NAME.match(text, match.end()) is not None
    if aliased or before(text, match.start())[1] == "party":
        return commonness(word, tailed=False) <= 6
    return commonness(word, tailed=False) <= 2 and word_class(word) not in _NO_NAME


def _ends_in_name(left: str) -> bool:
    match = re.search(r"(?<![가-힣])[가-힣]{2,4}\Z", left)
    if match is None:
        return False
    return likeness(match[0]) > -8 and not commonness(match[0], tailed=False)


def _is_of_person(text: str, match: re.Match[str]) -> bool:
    """Return whether a person stands before a bracket with 일명, which things have too."""
    left = text[max(0, match.start() - 16) : match.start()]
    name = match["first"] or match["bare"] or ""
    titled = _untitled(name) != name
    if match["open"] is None:
        return titled
    return titled or bool(_PERSON_BEFORE.search(left)) or _ends_in_name(left)
