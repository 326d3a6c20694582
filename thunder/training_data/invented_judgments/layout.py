"""The page of an invented judgment: letters for names, numbered headings, agreed particles."""

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from thunder.text import particles
from thunder.text.spans import Span, replace_spans


class Entity(NamedTuple):
    """Somebody or something that the court hides: its label, and how the court writes it.

    ``sound`` ends as the hidden name did (한 with a final consonant, 하 without): the particles
    behind the court's letter still follow the name that stood there. An ``omission`` is written
    as the kind of what was left out, 계좌번호 1 생략, in place of a letter.
    """

    label: str
    sound: str = "하"
    omission: str = ""


class Mention(NamedTuple):
    """An entity where it is written."""

    key: str
    entity: Entity


class Seam:
    """The end of what a slot or choice became: here a particle may have to agree."""


SEAM = Seam()
Token = str | Mention | Seam

_LETTERS = "가나다라마바사아자차카타파하"
_STYLES = (("{}.", "{}.", "{})"), ("{}.", "{}.", "({})"), ("{}.", "{})", "({})"))
_HEADING = re.compile("§([123])")


class _Headings:
    """The numbers of a document's headings; a new one starts those below it anew."""

    def __init__(self, style: Sequence[str]) -> None:
        self._style = style
        self._counts = [0, 0, 0]

    def numbered(self, text: str) -> str:
        return _HEADING.sub(self._next, text)

    def _next(self, match: re.Match[str]) -> str:
        level = int(match[1]) - 1
        self._counts[level] += 1
        self._counts[level + 1 :] = [0] * (2 - level)
        number = self._counts[level]
        return self._style[level].format(_LETTERS[(number - 1) % 14] if level == 1 else number)


def joined(tokens: Sequence[Token], rng: Random) -> tuple[str, tuple[Span, ...]]:
    """Return the text with letters by order of first appearance, particles agreed.

    *rng* draws the style of the numbers before headings.
    """
    names = _names(tokens)
    headings = _Headings(rng.choice(_STYLES))
    page = _Page()
    for token in tokens:
        if isinstance(token, Seam):
            page.seams.append(page.length)
        elif isinstance(token, Mention):
            page.mention(names[token.key], token.entity)
        else:
            page.add(headings.numbered(token))
    return _agreed("".join(page.pieces), page.spans, page.seams, page.sounds)


class _Page:
    """A text as it grows, with its placeholders, seams, and the sounds of hidden names by end."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.spans: list[Span] = []
        self.seams: list[int] = []
        self.sounds: dict[int, str] = {}
        self.length = 0

    def mention(self, name: str, entity: Entity) -> None:
        self.spans.append(Span(self.length, self.length + len(name), entity.label))
        self.add(name)
        self.sounds[self.length] = entity.sound

    def add(self, text: str) -> None:
        """Add *text*, without the space or line that an optional piece which stayed out left."""
        if text.startswith(("\n", ",", ".")):
            self._trim()
        text = _fitted(text, self.pieces[-1][-1] if self.pieces else "")
        if text:
            self.pieces.append(text)
            self.length += len(text)

    def _trim(self) -> None:
        while self.pieces and self.pieces[-1].endswith(" "):
            kept = self.pieces.pop()[:-1]
            self.length -= 1
            self.pieces += [kept] if kept else []
        self.seams = [min(seam, self.length) for seam in self.seams]


def _fitted(text: str, before: str) -> str:
    """Return *text* without the space or new line that stands *before* it already.

    An optional piece that stays out leaves its space twice.
    """
    if before in ("", " ", "\n") and text.startswith(" "):
        return text[1:]
    return text[1:] if before == "\n" and text.startswith("\n") else text


def _names(tokens: Sequence[Token]) -> dict[str, str]:
    """Return what each entity is called: A, B … AA, or 계좌번호 1 생략, counted by kind."""
    names: dict[str, str] = {}
    letters = 0
    omitted: dict[str, int] = {}
    for token in tokens:
        if not isinstance(token, Mention) or token.key in names:
            continue
        kind = token.entity.omission
        if kind:
            omitted[kind] = omitted.get(kind, 0) + 1
            names[token.key] = f"{kind} {omitted[kind]} 생략"
        else:
            names[token.key] = letter(letters)
            letters += 1
    return names


def letter(number: int) -> str:
    """Return the court's letter of the entity *number* from 0: A … Z, AA, AB …"""
    name = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        name = chr(ord("A") + digit) + name
    return name


def _agreed(
    text: str, spans: Sequence[Span], seams: Sequence[int], sounds: Mapping[int, str]
) -> tuple[str, tuple[Span, ...]]:
    edits: dict[int, tuple[Span, str]] = {}
    starts = {span.start for span in spans}
    for seam in seams:
        if text[max(0, seam - 1) : seam].strip() == "":
            continue  # 이 사건: a word of its own begins here, no particle
        particle = particles.find(text, seam)
        if particle is None or particle.start in starts or particle.start in edits:
            continue
        before = sounds.get(seam) or text[max(0, seam - 40) : seam]
        place = Span(particle.start, particle.end, "particle", source=_PARTICLE)
        edits[particle.start] = (place, particle.form(before))
    kept = [(span, text[span.start : span.end]) for span in spans]
    ordered = sorted([*kept, *edits.values()])
    replacements = iter([replacement for _, replacement in ordered])
    new, changes = replace_spans(text, [span for span, _ in ordered], lambda _: next(replacements))
    moved = [change for change in changes if change.span.source != _PARTICLE]
    return new, tuple(Span(one.new_start, one.new_end, one.span.label) for one in moved)


_PARTICLE = "particle"
