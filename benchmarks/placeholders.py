"""How well placeholders are found and labelled, and how many whole judgments are kept.

First the annotated judgments with their marks removed: every placeholder that a person marked,
found or not, labelled as that person did or not. What was marked of real words that the courts
had left (a bank's name) is no placeholder and counted apart. Then the whole public judgments:
kept, left out and why, at what speed. Prints Markdown.
"""

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import _environment  # noqa: F401
from material import (
    PARTS,
    canonical,
    canonical_label,
    marked,
    parser,
    part_of,
    require,
)

from thunder.settings.data import Data
from thunder.taxonomy import Label
from thunder.taxonomy import load as load_taxonomy
from thunder.text.spans import IGNORED, Span
from thunder.training_data.annotation import Annotated, AnnotationError, parse
from thunder.training_data.corpus.reading import files_in
from thunder.training_data.placeholders import Found, annotate
from thunder.training_data.placeholders.documents import LEAST, Terms, read, run
from thunder.training_data.placeholders.report import Report

_QUOTES = "'\"‘’“”`´ \u00a0<>"
_SIGNS = "○〇◯△□◇☆▽◎●▲■◆★♤♡♧⊙◈▣◍☊☉ㅇ*"
_PLACEHOLDER = re.compile(
    rf"[가-힣]?[A-Z]{{1,3}}[0-9]{{0,2}}|[가-힣]?[{_SIGNS}]+[가-힣]?|주소|[가-힣]+ [0-9]+(?: 생략)?|"
    r"(?!SC|KB|NH|SK|LG|GS|CJ|SH|KT)[A-Z]{1,2}[가-힣]{1,8}"
)
_ADDRESS = re.compile(r"[가-힣]+(?:로|길|동) ?[0-9]+")


class Counts(NamedTuple):
    """What was counted of one part of the annotated judgments, by name; and confusions.

    ``kept`` are the same counts over the judgments that the command keeps: no label in doubt.
    """

    found: Counter[str]
    kept: Counter[str]
    confusions: Counter[tuple[str, str]]
    scores: Counter[tuple[str, bool]]
    seconds: float


def main() -> None:
    arguments = _arguments()
    require(arguments.data, "annotated", "judgments")
    for part in PARTS:
        print(f"\n## Annotated judgments, {part}\n")
        print("\n".join(_table(measured(arguments.data, part), top=arguments.top)))
    print("\n## Whole judgments\n")
    sys.stdout.flush()
    print("\n".join(_whole(arguments)))


def measured(data: Data, part: str) -> Counts:
    """Return the counts over the annotated judgments of *part*."""
    counts, kept = _nothing(), _nothing()
    seconds = 0.0
    for document_id, raw, gold in _annotated(data, part):
        start = time.process_time()
        found = annotate(gold.text, id=document_id, kind="형사")
        seconds += time.process_time() - start
        counts.found["characters"] += len(gold.text)
        counts.found["judgments"] += 1
        _count(raw, gold, found, counts)
        if all(span.score >= LEAST for span in found.spans):
            kept.found["judgments"] += 1
            _count(raw, gold, found, kept)
    return counts._replace(seconds=seconds, kept=kept.found)


def _nothing() -> Counts:
    return Counts(Counter(), Counter(), Counter(), Counter(), 0.0)


def _annotated(data: Data, part: str) -> Iterator[tuple[str, list[str], Annotated]]:
    """Yield id, the labels as the annotators wrote them, and the judgment with canonical ones."""
    for document_id, _, text in marked(data):
        if part_of(document_id) == part:
            try:
                written = parse(text)
                yield document_id, [span.label for span in written.spans], canonical(written)
            except AnnotationError:
                print(f"{document_id}: broken marks, left out", file=sys.stderr)


def _count(raw: list[str], gold: Annotated, found: Found, counts: Counts) -> None:
    counts.found["predicted"] += len(found.spans)
    counts.found["beside"] += sum(
        not any(span.overlaps(one) for one in gold.spans) for span in found.spans
    )
    for name, one in zip(raw, gold.spans, strict=True):
        surface = gold.text[one.start : one.end].strip(_QUOTES)
        if not _PLACEHOLDER.fullmatch(surface) or _ADDRESS.fullmatch(surface):
            counts.found["real words"] += 1
            continue
        counts.found["placeholders"] += 1
        hit = next((span for span in found.spans if span.overlaps(one)), None)
        if hit is not None:
            counts.found["hit"] += 1
            counts.found["exact"] += found.text[hit.start : hit.end] == surface
            _compare(name, one, hit, counts)


def _compare(name: str, gold: Span, hit: Span, counts: Counts) -> None:
    if gold.label == IGNORED:
        return
    taxonomy = load_taxonomy()
    counts.found["labelled"] += 1
    mine, its = taxonomy.label(hit.label), taxonomy.label(gold.label)
    counts.found["label right"] += mine.ko == its.ko
    counts.found["right as mapped"] += mine.ko == _as_mapped(name, gold)
    counts.found["suits"] += mine.ko == its.ko or _suits(name, mine)
    counts.found["category right"] += (mine.code, mine.category) == (its.code, its.category)
    counts.found["subcategory right"] += mine.code == its.code
    band = "≥ 0.8" if hit.score >= 0.8 else "0.5-0.8" if hit.score >= 0.5 else "< 0.5"
    counts.scores[band, mine.ko == its.ko] += 1
    if mine.ko != its.ko:
        counts.confusions[its.ko, mine.ko] += 1


def _as_mapped(name: str, gold: Span) -> str:
    """Return the label that the map of raw names alone gives, wherever the name stands."""
    return canonical_label(name) if name == "구이하주소" else gold.label


_REST_OF_ADDRESS = "아래주소"
_PLACE_OF_ACT = frozenset(("추행장소", "폭행장소", "사기장소"))
_PLACES = frozenset(("D.2.3", "D.2.4", "D.2.6", "D.2.7"))


def _suits(name: str, label: Label) -> bool:
    """Return whether *label* is what an annotator's broader *name* says, whatever it maps to.

    구이하주소 is written for the rest of any address, 소재 for any locality (행정동), 추행장소 for
    any place of the act (불특정회사명).
    """
    if name == "구이하주소":
        return label.ko.endswith(_REST_OF_ADDRESS)
    if name == "소재":
        return label.ko.endswith(_REST_OF_ADDRESS) or label.code == "D.2.4"
    return name in _PLACE_OF_ACT and label.code in _PLACES


def _table(counts: Counts, *, top: int) -> Iterator[str]:
    found = counts.found
    yield "| measure | share | of |"
    yield "|---|---|---|"
    for name, part, whole in (
        ("placeholders found", "hit", "placeholders"),
        ("… with the same extent", "exact", "placeholders"),
        ("labels right", "label right", "labelled"),
        ("… with 구이하주소 always 구아래주소", "right as mapped", "labelled"),
        ("… or within what the annotator's word says", "suits", "labelled"),
        ("… of the granular category (80)", "category right", "labelled"),
        ("… of the subcategory (16)", "subcategory right", "labelled"),
    ):
        yield f"| {name} | {found[part] / found[whole]:.2%} | {found[whole]:,} |"
    kept = counts.kept
    share = f"{kept['judgments'] / found['judgments']:.2%}"
    yield f"| judgments kept (every score ≥ {LEAST}) | {share} | {found['judgments']:,} |"
    for name, part in (
        ("… labels right in these", "label right"),
        ("… with 구이하주소 always 구아래주소", "right as mapped"),
    ):
        yield f"| {name} | {kept[part] / kept['labelled']:.2%} | {kept['labelled']:,} |"
    precision = 1 - found["beside"] / found["predicted"]
    yield f"| precision (marked by a person too) | {precision:.2%} | {found['predicted']:,} |"
    for band in ("≥ 0.8", "0.5-0.8", "< 0.5"):
        right, wrong = counts.scores[band, True], counts.scores[band, False]
        share = f"{right / (right + wrong):.2%}"
        yield f"| labels right at score {band} | {share} | {right + wrong:,} |"
    yield ""
    speed = found["characters"] / counts.seconds
    yield f"{found['characters']:,} characters, {speed:,.0f} a second of one core; "
    yield f"real words marked, no placeholders: {found['real words']:,}."
    yield ""
    confused = (f"{g} → {p} {n}" for (g, p), n in counts.confusions.most_common(top))
    yield f"Most confused (person → machine): {'; '.join(confused)}."


def _whole(arguments: argparse.Namespace) -> Iterator[str]:
    paths = files_in(arguments.data.path("judgments"))
    for companies in (False, True) if arguments.both else (False,):
        report, start = Report(), time.process_time()
        documents = islice(read(paths), 0, None, arguments.every)
        for outcome in run(documents, Terms(companies=companies)):
            report.add(outcome)
        speed = report.characters / (time.process_time() - start)
        yield f"{'With' if companies else 'Without'} --companies, of every {arguments.every}"
        yield f"judgments one: {report.kept:,} of {report.read:,} kept; {speed:,.0f} characters"
        yield "a second of one core."
        yield f"\n```json\n{json.dumps(_short(report), ensure_ascii=False, indent=1)}\n```\n"


def _short(report: Report) -> dict[str, object]:
    counts = report.as_json()
    return {**counts, "labels": dict(islice(counts["labels"].items(), 25))}


def _arguments() -> argparse.Namespace:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--top", type=int, default=20, help="confusions to show")
    arguments.add_argument("--every", type=int, default=20, help="of the whole judgments")
    arguments.add_argument("--both", action="store_true", help="also with company names marked")
    return arguments.parse_args()


if __name__ == "__main__":
    main()
