"""Whether our masking gives the court's own text back, up to the choice of letters.

The court's text is filled with invented mentions and masked by us; both maskings lie over one
text, so particles cannot differ. Real words that annotators had put back are free: either is
right. Prints Markdown.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

import _environment  # noqa: F401
from material import KEY, Judgment, filled, parser_of_filled
from summaries import table

from thunder.masking.deidentify import deidentify
from thunder.scoring import FORM, SPELLING, Difference, Masking, same_up_to_letters
from thunder.tagger.chosen_tagger import RULES_ALONE
from thunder.taxonomy import load as load_taxonomy
from thunder.training_data.filling import IGNORED, NOUN, QUOTES, kind_of

KINDS = ("missed", "extra", "boundary", "split", "merged", FORM, SPELLING)
_COURT_FORM = re.compile(r"[A-Z]{1,3}|[○□△◇◎●ㅇ]+|[가-힣]{2,8} ?[0-9]{0,3} ?생략")


def main() -> None:
    arguments = parser_of_filled(__doc__ or "")
    arguments.add_argument("--top", type=int, default=25, help="labels in the table")
    given = arguments.parse_args()
    found: dict[str, list[tuple[Difference, ...]]] = defaultdict(list)
    for judgment in filled(given.data, part=given.part, limit=given.limit):
        found[judgment.case_type].append(differences(judgment, profile=given.profile))
    print(f"# Round trip, {given.part}, key {KEY.decode()!r}, {given.profile}\n")
    print(_shares(found), _by_label(found, top=given.top), sep="\n\n")


def differences(judgment: Judgment, *, profile: str) -> tuple[Difference, ...]:
    """Return what distinguishes our masking of the filled text from the court's own."""
    done = deidentify(judgment.text, id=judgment.id, profile=profile, tagger=RULES_ALONE)
    ours = [Masking(change.span, change.replacement) for change in done.changes]
    return same_up_to_letters(court_masking(judgment), ours)


def court_masking(judgment: Judgment) -> list[Masking]:
    """Return the court's placeholders over the filled text; labels the rule keeps are free."""
    published = iter(judgment.published.spans)
    court: list[Masking] = []
    for span in judgment.gold:
        if span.source == NOUN:
            court.append(Masking(span, ""))
            continue
        place = next(published)
        written = judgment.published.text[place.start : place.end].strip(QUOTES)
        free = not _COURT_FORM.fullmatch(written) or _is_kept(span.label)
        span = replace(span, label=IGNORED) if free else span
        court.append(Masking(span, written, kind_of(span.label)))
    return court


def _is_kept(label: str) -> bool:
    return label != IGNORED and load_taxonomy().label(label).treatment == "keep"


def _shares(found: Mapping[str, Sequence[tuple[Difference, ...]]]) -> str:
    """Return how many documents come back equal, and how many differ in which way, by case."""
    header = ("", "equal", "but for spelling", "but for letter or omission", *KINDS, "documents")
    return table(header, (_share(name, found[name]) for name in sorted(found)))


def _share(name: str, documents: Sequence[tuple[Difference, ...]]) -> list[object]:
    kinds = [{difference.kind for difference in document} for document in documents]
    equal = sum(not differ for differ in kinds) / len(kinds)
    spelled = sum(differ <= {SPELLING} for differ in kinds) / len(kinds)
    formed = sum(differ <= {SPELLING, FORM} for differ in kinds) / len(kinds)
    counts = Counter(kind for differ in kinds for kind in differ)
    return [name, equal, spelled, formed, *(counts[kind] for kind in KINDS), len(kinds)]


def _by_label(found: Mapping[str, Sequence[tuple[Difference, ...]]], *, top: int) -> str:
    """Return how often each label differs in which way."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for documents in found.values():
        for difference in chain.from_iterable(documents):
            counts[difference.label][difference.kind] += 1
    most = sorted(counts, key=lambda label: -counts[label].total())[:top]
    rows = ([label, *(counts[label][kind] for kind in KINDS)] for label in most)
    return table(("label", *KINDS), rows)


if __name__ == "__main__":
    main()
