"""Where personal data hides beside the text, and what is done there, by lists.

Each format has a file of rules beside this module (``hwpx.yaml`` …). ``parts`` says of each part,
by the first pattern that fits its name, what it is:

- ``text``, ``markup``: XML that is kept and cleaned by the rules below; ``text`` is also read.
- ``keep``: kept as it is. ``drop``: left out, what refers to it mended.
- ``picture``: as the line ``pictures`` says: ``cleaned`` (its metadata is taken out), ``kept``,
  or ``dropped`` (one transparent point takes its place).
- ``refuse``: the file is not taken; ``why`` and ``cure`` say so.

A part that no pattern fits is dropped if nothing needs it, else the file is refused.

``markup`` are rules for elements, by name: ``remove`` (with all in it), ``unwrap`` (its tags
alone), ``empty`` (what is in it); with ``attribute``, ``remove`` that, or ``set`` it to
``value``, in which ``#`` becomes a number, the same one for the same name. ``part`` narrows a rule
to parts of a name, ``only`` to values in which an expression is found, ``where`` and ``unless``
to elements whose attributes match expressions.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from thunder.documents import pictures
from thunder.documents.markup import Attribute, Edit, Markup, Token, What
from thunder.documents.segments import Action, Scrubbed

TEXT, MARKUP, KEEP, DROP, PICTURE, REFUSE = "text", "markup", "keep", "drop", "picture", "refuse"
_PART_ACTS = {TEXT, MARKUP, KEEP, DROP, PICTURE, REFUSE}
_MARKUP_ACTS = {"remove", "unwrap", "empty", "set"}
_LOOK = "도장·서명·얼굴·글이 보이는지 사람이 확인하십시오"
_FOREIGN = "[^ -~]"  # the expression of rules for values that are not plain Latin
_COMMENTS = "XML 주석과 처리 명령"


@dataclass(frozen=True, slots=True)
class PartRule:
    """What a part is whose name fits ``match``."""

    match: str
    do: str
    why: str = ""
    cure: str = ""


@dataclass(frozen=True, slots=True)
class MarkupRule:
    """What is done with an element, or with one of its attributes."""

    element: str
    do: str
    why: str
    attribute: str = ""
    value: str = ""
    part: str = "*"
    where: dict[str, str] = field(default_factory=dict)
    unless: dict[str, str] = field(default_factory=dict)
    only: str = ""

    def fits(self, attributes: dict[str, Attribute]) -> bool:
        """Return whether an element with *attributes* is meant."""
        if not self.where and not self.unless:
            return True

        def matches(name: str, pattern: str) -> bool:
            return name in attributes and bool(re.fullmatch(pattern, attributes[name].value))

        return all(matches(*one) for one in self.where.items()) and not any(
            matches(*one) for one in self.unless.items()
        )


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one format."""

    parts: tuple[PartRule, ...]
    markup: tuple[MarkupRule, ...]
    pictures: str

    def part(self, name: str) -> PartRule | None:
        """Return the rule for a part, None where it is unknown."""
        return next((rule for rule in self.parts if fnmatchcase(name, rule.match)), None)


@lru_cache
def load(format: str) -> Rules:
    """Return the rules of *format*; ValueError for a file that holds anything else."""
    from ruamel.yaml import YAML

    path = Path(__file__).with_name(f"{format}.yaml")
    content: dict[str, Any] = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    try:
        parts = tuple(PartRule(**rule) for rule in content.pop("parts"))
        markup = tuple(MarkupRule(**rule) for rule in content.pop("markup"))
        rules = Rules(parts, markup, content.pop("pictures"))
    except (TypeError, KeyError) as error:
        raise ValueError(f"{path.name}: {error}") from None
    wrong = {rule.do for rule in parts} - _PART_ACTS | {rule.do for rule in markup} - _MARKUP_ACTS
    wrong |= {rules.pictures} - {"cleaned", "kept", "dropped"} | content.keys()
    if wrong:
        raise ValueError(f"{path.name}: {', '.join(sorted(wrong))}")
    return rules


class Report:
    """What was done, each thing once for each part."""

    def __init__(self) -> None:
        self._done: dict[Scrubbed, None] = {}

    def add(self, part: str, action: Action, reason: str) -> None:
        self._done[Scrubbed(part, action, reason)] = None

    def __iter__(self) -> Iterator[Scrubbed]:
        return iter(self._done)


def clean_picture(part: str, data: bytes, policy: str, report: Report) -> bytes:
    """Return the picture that stands in a part, as *policy* (``Rules.pictures``) has it."""
    if policy == "kept":
        report.add(part, Action.KEPT, f"그림: {_LOOK}")
        return data
    try:
        if policy == "dropped":
            raise pictures.Unknown
        new = pictures.cleaned(data)
    except pictures.Unknown:
        report.add(part, Action.DROPPED, "그림 대신 빈 그림을 넣었습니다")
        return pictures.blank(part)
    if new != data:
        report.add(part, Action.CLEANED, "그림에 든 촬영·작성 정보")
    report.add(part, Action.KEPT, f"그림: {_LOOK}")
    return new


class Cleaner:
    """Cleans the parts of one document; names that get numbers keep them over all parts."""

    def __init__(self, rules: Rules, report: Report) -> None:
        self._rules, self._report = rules, report
        self._numbers: dict[str, dict[str, int]] = {}

    def edits(self, markup: Markup) -> list[Edit]:
        """Return what cleans one part."""
        return list(_Cleaning(self, markup).run())

    def rules_for(self, part: str) -> dict[str, list[MarkupRule]]:
        """Return the rules that may fit in *part*, by element."""
        found: dict[str, list[MarkupRule]] = {}
        for rule in self._rules.markup:
            if fnmatchcase(part, rule.part):
                found.setdefault(rule.element, []).append(rule)
        return found

    def note(self, part: str, action: Action, why: str) -> None:
        self._report.add(part, action, why)

    def value(self, rule: MarkupRule, old: str) -> str:
        """Return what an attribute says instead of *old*."""
        if "#" not in rule.value:
            return rule.value
        numbers = self._numbers.setdefault(rule.value, {})
        number = numbers.setdefault(old, len(numbers) + 1)
        return rule.value.replace("#", str(number))


class _Cleaning:
    def __init__(self, cleaner: Cleaner, markup: Markup) -> None:
        self._cleaner, self._markup = cleaner, markup
        self._rules = cleaner.rules_for(markup.part)
        self._everywhere = self._rules.pop("*", [])
        self._by_attribute: dict[str, list[MarkupRule]] = {}
        # Most elements are passed over by one look at their bytes.
        words = {
            re.escape(rule.attribute.rpartition(":")[2].strip("*"))
            for rule in self._everywhere
            if rule.only != _FOREIGN
        }
        self._anywhere = re.compile("|".join(sorted(words)).encode()) if words else None
        self._has_foreign = any(rule.only == _FOREIGN for rule in self._everywhere)

    def run(self) -> Iterable[Edit]:
        """Yield the edits of one part."""
        data, part = self._markup.data, self._markup.part
        depth, gone_at, start = 0, 0, 0  # how deep the walk is, and since where all is taken out
        unwrapped = set[int]()
        emptied: dict[int, tuple[int, MarkupRule]] = {}
        for token in self._markup.tokens():
            what = token.what
            if what is What.OPEN:
                depth += 1
                if gone_at:
                    continue
                rules = self._rules.get(token.name)
                if not rules and not self._may_fit(data, token):
                    continue
                for rule, edit in self._fitting(token, rules or []):
                    if edit is not None:
                        yield edit
                    elif rule.do == "remove":
                        gone_at, start = depth, token.start
                        self._cleaner.note(part, Action.CLEANED, rule.why)
                        break
                    elif rule.do == "unwrap":
                        unwrapped.add(depth)
                        yield Edit(token.start, token.end, b"")
                        self._cleaner.note(part, Action.CLEANED, rule.why)
                    elif rule.do == "empty":
                        emptied[depth] = token.end, rule
            elif what is What.CLOSE:
                if gone_at == depth:
                    gone_at = 0
                    yield Edit(start, token.end, b"")
                elif not gone_at:
                    if depth in unwrapped:
                        unwrapped.remove(depth)
                        yield Edit(token.start, token.end, b"")
                    if depth in emptied:
                        begin, rule = emptied.pop(depth)
                        if begin < token.start:
                            yield Edit(begin, token.start, b"")
                            self._cleaner.note(part, Action.CLEANED, rule.why)
                depth -= 1
            elif what is What.OTHER and not gone_at:
                yield Edit(token.start, token.end, b"")
                self._cleaner.note(part, Action.CLEANED, _COMMENTS)

    def _may_fit(self, data: bytes, token: Token) -> bool:
        if self._anywhere and self._anywhere.search(data, token.start, token.end):
            return True
        return self._has_foreign and not data[token.start : token.end].isascii()

    def _fitting(
        self, token: Token, rules: list[MarkupRule]
    ) -> Iterable[tuple[MarkupRule, Edit | None]]:
        """Yield the rules that fit an element; with an edit where it is of an attribute."""
        attributes = {one.name: one for one in self._markup.attributes(token)}
        for rule in rules:
            if rule.fits(attributes):
                if not rule.attribute:
                    yield rule, None
                for name, attribute in attributes.items():
                    if rule.attribute and fnmatchcase(name, rule.attribute):
                        yield from self._edits(rule, attribute)
        for name, attribute in attributes.items():
            for rule in self._anywhere_on(name):
                if rule.fits(attributes):
                    yield from self._edits(rule, attribute)

    def _anywhere_on(self, attribute: str) -> list[MarkupRule]:
        """Return the rules for an attribute of any element."""
        if attribute not in self._by_attribute:
            self._by_attribute[attribute] = [
                rule for rule in self._everywhere if fnmatchcase(attribute, rule.attribute)
            ]
        return self._by_attribute[attribute]

    def _edits(self, rule: MarkupRule, attribute: Attribute) -> Iterable[tuple[MarkupRule, Edit]]:
        if edit := self._edit(rule, attribute):
            self._cleaner.note(self._markup.part, Action.CLEANED, rule.why)
            yield rule, edit

    def _edit(self, rule: MarkupRule, attribute: Attribute) -> Edit | None:
        if rule.only and not re.search(rule.only, attribute.value):
            return None
        if rule.do == "remove":
            return Edit(attribute.start, attribute.value_end + 1, b"")
        new = self._cleaner.value(rule, attribute.value) if attribute.value else ""
        if new == attribute.value:
            return None
        return Edit(attribute.value_start, attribute.value_end, new.encode())
