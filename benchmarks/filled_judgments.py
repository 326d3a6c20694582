"""How well judgments are de-identified: annotated ones, filled with invented mentions.

Every placeholder of the annotated judgments is filled (key fixed), the text is de-identified,
and what was masked is compared with what the court had masked. Prints Markdown.
"""

import argparse
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

import _environment  # noqa: F401
from material import KEY, Judgment, filled, parser_of_filled
from summaries import groups, leaking, leaks, summary

from thunder.masking.deidentify import deidentify
from thunder.masking.records import Deidentified
from thunder.scoring import Scored, beside, measure
from thunder.scoring.documents import ruled
from thunder.tagger.chosen_tagger import RULES_ALONE
from thunder.taxonomy import load as load_taxonomy
from thunder.text.spans import Span

UNPLACED = "(name without a label)"


class Result(NamedTuple):
    """A filled judgment and what became of it."""

    judgment: Judgment
    done: Deidentified

    def scored(self, *, by_rule: bool) -> Scored:
        """Return its spans; *by_rule* leaves out the labels that the court rule keeps readable."""
        text, taxonomy = self.judgment.text, load_taxonomy()
        gold = list(self.judgment.gold)
        if by_rule:
            gold = [part for span in gold for part in ruled(span, text, taxonomy)]
        predicted = tuple(change.span for change in self.done.changes)
        return Scored(len(text), tuple(gold), predicted)


def main() -> None:
    arguments = _arguments()
    results = [
        Result(
            judgment,
            deidentify(
                judgment.text, id=judgment.id, profile=arguments.profile, tagger=RULES_ALONE
            ),
        )
        for judgment in filled(arguments.data, part=arguments.part, limit=arguments.limit)
    ]
    print(f"# Filled judgments, {arguments.part}, key {KEY.decode()!r}, {arguments.profile}\n")
    print("\n\n".join(_tables(results, top=arguments.top)))
    misses = _misses(results, label=arguments.label)
    print("", *islice(misses, arguments.show_misses), sep="\n")


def _tables(results: list[Result], *, top: int) -> Iterator[str]:
    everything = [result.scored(by_rule=False) for result in results]
    ruled = [result.scored(by_rule=True) for result in results]
    yield "## All annotated mentions, and those the court rule does not keep"
    yield summary({"all": measure(everything), "by the rule": measure(ruled)})
    yield "## By case type (by the rule)"
    yield summary({case_type: measure(found) for case_type, found in _by_case_type(results)})
    yield "## Direct and quasi-identifiers (by the rule)"
    yield groups(measure(ruled, group=_group(lambda name: load_taxonomy().label(name).main)))
    yield "## By subcategory (by the rule)"
    yield groups(measure(ruled, group=_group(lambda name: load_taxonomy().label(name).subcategory)))
    yield f"## By label, the {top} most frequent (by the rule)"
    yield groups(by_label := measure(ruled), top=top)
    yield "## What leaks most (by the rule)"
    yield leaks(by_label)


def _by_case_type(results: list[Result]) -> Iterator[tuple[str, list[Scored]]]:
    for case_type in sorted({result.judgment.case_type for result in results}):
        chosen = [result for result in results if result.judgment.case_type == case_type]
        yield case_type, [result.scored(by_rule=True) for result in chosen]


def _group(tier: Callable[[str], str]) -> Callable[[str], str]:
    """Return *tier* for every label that the taxonomy knows, in its own words for the others."""
    return lambda name: tier(name) if load_taxonomy().knows(name) else UNPLACED


def _misses(results: list[Result], *, label: str) -> Iterator[str]:
    """Yield leaking and over-masked places of the invented text with what stands around them."""
    for result in results:
        scored = result.scored(by_rule=True)
        found = [("missed", span) for span in leaking(scored)]
        found += [("extra", span) for span in beside(scored)]
        for kind, span in found:
            if label in ("", span.label):
                place = _around(result.judgment.text, span)
                yield f"{kind} {span.label}: {place} ({result.judgment.id})"


def _around(text: str, span: Span) -> str:
    before, after = text[max(0, span.start - 25) : span.start], text[span.end : span.end + 20]
    return f"{before}[{text[span.start : span.end]}]{after}".replace("\n", "/")


def _arguments() -> argparse.Namespace:
    arguments = parser_of_filled(__doc__ or "")
    arguments.add_argument("--top", type=int, default=40, help="labels in the table")
    arguments.add_argument("--show-misses", type=int, default=0, help="so many places, in context")
    arguments.add_argument("--label", default="", help="only misses of this label")
    return arguments.parse_args()


if __name__ == "__main__":
    main()
