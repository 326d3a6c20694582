"""What the formats share that are a ZIP of XML parts: HWPX, DOCX, ODT, XLSX."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from thunder.documents import cleaning
from thunder.documents.cleaning import Cleaner, PartRule, Report
from thunder.documents.markup import Edit, Markup, What, edited, require_well_formed
from thunder.documents.package import Package
from thunder.documents.passages import Passages
from thunder.documents.segments import Action, Mask, Refused, Segment, Written

_MARKUP_ENDINGS = (".xml", ".hpf", ".rdf", ".rels", ".vml", ".svg")
_OUTSIDE = "ZIP의 설명과 덧붙은 자료"
_UNKNOWN = "모르는 부분"


class Packaged:
    """An opened document; a format says how its parts are read and how they refer to each other.

    It overrides ``read``, which walks through the parts of text, and ``mended``, which takes
    references to dropped parts away.
    """

    format: str
    prefixes: Mapping[str, str]
    """Namespace → the prefix that rules and code call it by."""

    def __init__(self, data: bytes) -> None:
        self.package = Package(data)
        self._rules = cleaning.load(self.format)
        self.check()
        self.removed: dict[str, list[tuple[Edit, str]]] = defaultdict(list)
        """What scrubbing takes out of the parts of text beside what the rules say, and why."""
        self._kinds = {name: self._kind(name) for name in self.package}
        self.leading: list[Segment] = []
        """Segments that the format itself keeps the places of; they come before the passages."""
        passages = Passages()
        self.read(passages)
        self._passages = passages.read()
        self.segments: Sequence[Segment] = [
            *self.leading,
            *(Segment(p.text, p.kind, p.part, p.after) for p in self._passages),
        ]

    # What a format says.

    def check(self) -> None:
        """Return nothing; Refused for a package that is not what this format takes."""

    def read(self, passages: Passages) -> None:
        """Walk through the parts of text and begin a passage for each paragraph."""
        raise NotImplementedError

    def needed(self) -> Collection[str]:
        """Return the parts without which the document does not open."""
        return ()

    def part_rule(self, name: str) -> PartRule | None:
        """Return the rule for a part; None for one that nobody knows."""
        return self._rules.part(name)

    def masked(self, masks: Sequence[Mask]) -> Iterable[tuple[str, Edit]]:
        """Yield part and edit for the masks of the leading segments."""
        return ()

    def told_apart(self, masks: Sequence[Mask]) -> Sequence[Mask]:
        """Return *masks*, and those that tell names apart which would become one."""
        return masks

    def orphans(self, dropped: Collection[str]) -> Collection[str]:
        """Return the parts that are nothing without the *dropped* ones."""
        return ()

    def mended(self, dropped: Collection[str], report: Report) -> Iterable[tuple[str, Edit]]:
        """Yield part and edit for every reference to the *dropped* parts."""
        return ()

    # What is the same for all.

    def markup(self, part: str) -> Markup:
        """Return a part read as XML; Refused where it is damaged."""
        return Markup(part, self.package.read(part), self.prefixes)

    def parts(self, act: str) -> list[str]:
        """Return the parts that the rules call *act*."""
        return [name for name, rule in self._kinds.items() if rule.do == act]

    def written(self, masks: Sequence[Mask], *, scrub: bool = True) -> Written:
        """Return the file with *masks* in place; see thunder.documents.segments."""
        self._require_fit(masks)
        edits: dict[str, list[Edit]] = defaultdict(list)
        for part, edit in self._masking(self.told_apart(masks)):
            edits[part].append(edit)
        report, contents, dropped = Report(), dict[str, bytes](), set[str]()
        if scrub:
            dropped = self._scrub(edits, contents, report)
        for part in edits:
            if part not in dropped and edits[part]:
                contents[part] = self._edited(part, edits[part])
        data = self.package.written(contents, dropped, bare=scrub)
        return Written(data, tuple(report))

    def _edited(self, part: str, edits: list[Edit]) -> bytes:
        """Return a part with *edits*; Refused where elements stand in each other that must not."""
        try:
            data = edited(self.package.read(part), edits)
            require_well_formed(part, data)
        except ValueError:
            reason = "요소가 뒤섞여 있어 고쳐 쓸 수 없습니다"
            raise Refused(part, reason, "만든 프로그램에서 열어 다시 저장하십시오") from None
        return data

    def strings(self) -> Iterator[tuple[str, bytes]]:
        """Yield every part's name and strings; see thunder.documents.segments."""
        for name in self.package:
            data = self.package.read(name)
            if name.lower().endswith(_MARKUP_ENDINGS) or data.startswith(b"<?xml"):
                yield name, "\n".join(_strings(Markup(name, data, self.prefixes))).encode()
            else:
                yield name, data

    def _kind(self, name: str) -> PartRule:
        rule = self.part_rule(name)
        if rule is None and self.package.members[name].is_folder:
            act = cleaning.DROP if self.package.members[name].size else cleaning.KEEP
            return PartRule(name, act, "폴더 이름에 붙은 자료")
        if rule is None:
            if name in self.needed():
                reason = "문서에 꼭 있어야 하지만 무엇인지 모르는 부분입니다"
                raise Refused(name, reason, "만든 프로그램에서 다른 이름으로 저장해 보십시오")
            return PartRule(name, cleaning.DROP, _UNKNOWN)
        if rule.do == cleaning.REFUSE:
            raise Refused(name, rule.why, rule.cure)
        if rule.do == cleaning.MARKUP:
            self.markup(name)
        return rule

    def _require_fit(self, masks: Sequence[Mask]) -> None:
        last = None
        for mask in masks:
            length = len(self.segments[mask.segment].text)
            if not 0 <= mask.start < mask.end <= length:
                raise ValueError("a mask is empty or lies outside its segment")
            if last and (last.segment, last.end) > (mask.segment, mask.start):
                raise ValueError("masks overlap or are not sorted")
            last = mask

    def _masking(self, masks: Sequence[Mask]) -> Iterator[tuple[str, Edit]]:
        first = len(self.leading)
        yield from self.masked([mask for mask in masks if mask.segment < first])
        part, data = "", b""
        by_segment = groupby(
            (m for m in masks if m.segment >= first), key=lambda mask: mask.segment
        )
        all_masks = [(self._passages[number - first], list(group)) for number, group in by_segment]
        for passage, group in sorted(all_masks, key=lambda one: one[0].part):
            if passage.part != part:
                part, data = passage.part, self.package.read(passage.part)
            for edit in passage.edits(data, group):
                yield part, edit

    def _scrub(
        self, edits: dict[str, list[Edit]], contents: dict[str, bytes], report: Report
    ) -> set[str]:
        dropped, cleaner = set[str](), Cleaner(self._rules, report)
        for name, rule in self._kinds.items():
            if rule.do == cleaning.DROP:
                dropped.add(name)
                report.add(name, Action.DROPPED, rule.why)
            elif rule.do == cleaning.PICTURE:
                data = self.package.read(name)
                new = cleaning.clean_picture(name, data, self._rules.pictures, report)
                if new != data:
                    contents[name] = new
            elif rule.do in (cleaning.TEXT, cleaning.MARKUP):
                edits[name] += cleaner.edits(self.markup(name))
                for edit, why in self.removed.get(name, ()):
                    edits[name].append(edit)
                    report.add(name, Action.CLEANED, why)
                if rule.why:
                    report.add(name, Action.KEPT, rule.why)
        for name in self.orphans(dropped):
            dropped.add(name)
            report.add(name, Action.DROPPED, "없앤 부분에 딸린 부분")
        for name, edit in self.mended(dropped, report):
            if name not in dropped:
                edits[name].append(edit)
        if self.package.has_hidden_bytes():
            report.add("", Action.CLEANED, _OUTSIDE)
        return dropped


def _strings(markup: Markup) -> Iterator[str]:
    """Yield what texts, attributes and comments say."""
    for token in markup.tokens():
        if token.what is What.OPEN:
            yield from (a.value for a in markup.attributes(token) if a.value)
        elif token.what is What.OTHER:
            yield markup.data[token.start : token.end].decode()
        elif token.what in (What.TEXT, What.CDATA):
            text = markup.text(token)
            if not text.isspace():
                yield text


def references(
    markup: Markup, element: str, attribute: str, is_dropped: Collection[str]
) -> Iterator[tuple[Edit, str]]:
    """Yield edits that take out each *element* whose *attribute* is one of *is_dropped*.

    With each comes the ``id`` that the element has.
    """
    if not is_dropped or element.rpartition(":")[2].encode() not in markup.data:
        return
    depth, gone_at, start, own = 0, 0, 0, ""
    for token in markup.tokens():
        if token.what is What.OPEN:
            depth += 1
            if not gone_at and token.name == element:
                values = {one.name: one.value for one in markup.attributes(token)}
                if values.get(attribute) in is_dropped:
                    gone_at, start, own = depth, token.start, values.get("id", "")
        elif token.what is What.CLOSE:
            if gone_at == depth:
                gone_at = 0
                yield Edit(start, token.end, b""), own
            depth -= 1
