"""What DOCX and XLSX share: parts that know each other by relationships (OPC, ECMA-376-2)."""

import posixpath
from collections.abc import Collection, Iterable, Iterator

from thunder.documents import cleaning
from thunder.documents.cleaning import PartRule, Report
from thunder.documents.markup import Edit, Markup, What
from thunder.documents.packaged import Packaged, references
from thunder.documents.segments import Action, Refused

_OFFICE = "http://schemas.openxmlformats.org"
_STRICT = "http://purl.oclc.org/ooxml"
PREFIXES = {
    f"{_OFFICE}/package/2006/relationships": "rel",
    f"{_OFFICE}/package/2006/content-types": "ct",
    f"{_OFFICE}/officeDocument/2006/math": "m",
    f"{_STRICT}/officeDocument/math": "m",
    f"{_OFFICE}/markup-compatibility/2006": "mc",
    "urn:schemas-microsoft-com:vml": "v",
    "urn:schemas-microsoft-com:office:office": "o",
    "urn:schemas-microsoft-com:office:excel": "x",
    **{
        f"{space}/{name}": prefix
        for name, prefix in {
            "wordprocessingml/2006/main": "w",
            "spreadsheetml/2006/main": "s",
            "officeDocument/2006/relationships": "r",
            "drawingml/2006/main": "a",
            "drawingml/2006/chart": "c",
            "drawingml/2006/diagram": "dgm",
            "drawingml/2006/picture": "pic",
            "drawingml/2006/wordprocessingDrawing": "wp",
            "drawingml/2006/spreadsheetDrawing": "xdr",
        }.items()
        for space, name in ((_OFFICE, name), (_STRICT, name.replace("/2006/", "/")))
    },
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup": "wpg",
    "http://schemas.microsoft.com/office/word/2010/wordml": "w14",
    "http://schemas.microsoft.com/office/word/2012/wordml": "w15",
    "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main": "x14",
    "http://schemas.microsoft.com/office/excel/2006/main": "xm",
}
_TYPES, _RELATIONS = "[Content_Types].xml", "_rels/.rels"
_SAVE_AGAIN = "만든 프로그램에서 열어 다시 저장하십시오"
_REFERENCES = ("r:id", "r:embed", "r:link", "r:pict", "r:href", "r:dm", "r:lo", "r:qs", "r:cs")
_OUTSIDE = "바깥을 가리키는 주소와 경로"
_LOST = "없앤 부분을 가리키던 자리"


class Opc(Packaged):
    """An opened OPC package: relationships to what is dropped or outside are taken out."""

    name: str
    """What the format is called."""
    unwrapped: Collection[str] = ()
    """Elements that refer to others and that the rules unwrap: their content stays."""
    stripped: Collection[str] = ()
    """Elements that lose the attribute alone by which they refer to what is gone."""

    def check(self) -> None:
        if _TYPES not in self.package:
            raise Refused("", f"{self.name}가 아닙니다", f"{self.name}로 다시 저장하십시오")
        if _RELATIONS not in self.package:
            raise Refused(_RELATIONS, "없는 부분입니다", "원본을 다시 받으십시오")
        targets = [
            target
            for _, kind, target in self._relationships(_RELATIONS)
            if kind.endswith("/officeDocument")
        ]
        self.main_part = targets[0] if targets else ""
        if len(targets) != 1 or self.main_part not in self.package:
            raise Refused(_RELATIONS, "본문이 어느 부분인지 알 수 없습니다", _SAVE_AGAIN)

    def needed(self) -> Collection[str]:
        """Return the main part."""
        return (self.main_part,)

    def orphans(self, dropped: Collection[str]) -> Collection[str]:
        return [
            name
            for name in self.package
            if name.endswith(".rels") and name not in dropped and _source(name) in dropped
        ]

    def mended(self, dropped: Collection[str], report: Report) -> Iterable[tuple[str, Edit]]:
        names = {f"/{name}" for name in dropped}
        for edit, _ in references(self.markup(_TYPES), "ct:Override", "PartName", names):
            yield _TYPES, edit
        for part in self.package:
            if part.endswith(".rels") and part not in dropped:
                yield from self._mended(part, dropped, report)

    def _mended(
        self, part: str, dropped: Collection[str], report: Report
    ) -> Iterator[tuple[str, Edit]]:
        """Yield what takes relationships out of one part, and what used them."""
        gone = set[str]()
        for own, _, target in self._relationships(part):
            if not target:
                report.add(part, Action.CLEANED, _OUTSIDE)
            if not target or target in dropped:
                gone.add(own)
        for edit, _ in references(self.markup(part), "rel:Relationship", "Id", gone):
            yield part, edit
        source = _source(part)
        if not gone or source not in self.package or source in dropped:
            return
        markup = self.markup(source)
        for edit in self._referring(markup, gone):
            report.add(source, Action.CLEANED, _LOST)
            yield source, edit

    def _referring(self, markup: Markup, gone: Collection[str]) -> Iterator[Edit]:
        depth, gone_at, start = 0, 0, 0
        for token in markup.tokens():
            if token.what is What.OPEN:
                depth += 1
                if gone_at or token.name in self.unwrapped:
                    continue
                for one in markup.attributes(token):
                    if one.name in _REFERENCES and one.value in gone:
                        if token.name in self.stripped:
                            yield Edit(one.start, one.value_end + 1, b"")
                        else:
                            gone_at, start = depth, token.start
                        break
            elif token.what is What.CLOSE:
                if gone_at == depth:
                    gone_at = 0
                    yield Edit(start, token.end, b"")
                depth -= 1

    def _relationships(self, part: str) -> Iterator[tuple[str, str, str]]:
        """Yield id, type and the part of each relationship: "" for what is outside."""
        markup = self.markup(part)
        folder = posixpath.dirname(posixpath.dirname(part))
        for token in markup.tokens():
            if token.what is What.OPEN and token.name == "rel:Relationship":
                values = {one.name: one.value for one in markup.attributes(token)}
                target = values.get("Target", "").partition("#")[0]
                if values.get("TargetMode") == "External" or not target:
                    target = ""
                else:
                    target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
                yield values.get("Id", ""), values.get("Type", ""), target

    def part_rule(self, name: str) -> PartRule | None:
        """Return the rule for a part: the main part holds text whatever it is called."""
        if name == self.main_part:
            return PartRule(name, cleaning.TEXT)
        return super().part_rule(name)

    def text_parts(self, beginning: str) -> list[str]:
        """Return the parts of text whose names begin so: by their numbers."""
        names = [name for name in self.parts(cleaning.TEXT) if name.startswith(beginning)]
        return sorted(names, key=lambda name: (len(name), name))


def _source(relationships: str) -> str:
    """Return the part whose relationships a part holds."""
    folder, name = posixpath.split(relationships)
    return posixpath.join(posixpath.dirname(folder), name.removesuffix(".rels"))
