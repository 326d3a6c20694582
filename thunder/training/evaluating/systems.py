"""Whatever finds mentions, asked about gold documents: files, taggers, training runs, the rules.

A system is named by a path (a prediction file, a tagger's folder, the folder of a training run),
by the name of a tagger that ships, or by a word: ``rules`` are the recognisers alone, ``deid`` is
what ``thunder deid`` does, ``deid:TAGGER`` the same with another tagger or a run's best checkpoint.
``TAGGER@0.995`` is an exported tagger with the thresholds that were set for this recall, and
``TAGGER@usual`` with one half for every label, ``TAGGER@T0.7`` with 0.7,
and ``TAGGER@argmax`` decides as the paper does.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from thunder.scoring.curves import Setting
from thunder.scoring.documents import Gold, Prediction, ScoringError
from thunder.scoring.reading import read_predictions
from thunder.tagger.chosen_tagger import DEFAULT, RULES_ALONE, RulesAlone
from thunder.taxonomy import Taxonomy
from thunder.text.korean import require_encodable
from thunder.text.spans import Span
from thunder.training.evaluating.tagger_sources import (
    CHOICES,
    Way,
    decision,
    dialled,
    is_tagger,
    opened,
)

if TYPE_CHECKING:
    from thunder.tagger.tagger import Tagger

RULES, DEID = "rules", "deid"
_WITH = f"{DEID}:"


class Answers(NamedTuple):
    """What a system says of each document: all that it finds, and what the court rule masks of it.

    A floor is found, and stays readable by the rule.
    """

    found: dict[str, Prediction]
    by_rule: dict[str, Prediction]


def is_file(source: str) -> bool:
    """Return whether *source* has said already what it finds: it cannot be asked anew."""
    return not (is_ours(source) or is_tagger(source))


def is_ours(source: str) -> bool:
    """Return whether *source* is our own masking: the recognisers, with a tagger or without."""
    return dialled(source)[0] in (RULES, DEID) or source.startswith(_WITH)


def decided(source: str) -> str:
    """Return by which rule a system masks, as far as it is known."""
    if source == RULES:
        return "rules"
    if is_ours(source):
        name = source.removeprefix(_WITH)
        return f"rules and {decision(DEFAULT if dialled(name)[0] == DEID else name)}"
    return decision(source) if is_tagger(source) else "as its file says"


def from_file(
    source: str, golds: Sequence[Gold], way: Way, *, only_predicted: bool = False
) -> Answers:
    """Return the predictions in a file, checked against all gold documents.

    ScoringError lists what does not fit; FileNotFoundError says what may be given instead.
    """
    path = Path(source)
    if not path.is_file():
        raise FileNotFoundError(f"{source}: there is no such file or folder: {CHOICES}")
    found = read_predictions(path, golds, way.taxonomy, only_predicted=only_predicted)
    return Answers(found, {id_: ruled(one, way.taxonomy) for id_, one in found.items()})


def asked(source: str, golds: Sequence[Gold], way: Way) -> Answers:
    """Return what a system that can be asked says of the gold documents.

    ValueError, LookupError or FileNotFoundError say what is wrong with it and what to do.
    """
    _require_readable(golds)
    if is_ours(source):
        return _masked(golds, way, tagger=_beside(source, way))
    spans = opened(source, way).tag_all(gold.text for gold in golds)
    found = {
        gold.id: Prediction(gold.id, _canonical(one, way.taxonomy), (), has_scores=True)
        for gold, one in zip(golds, spans, strict=True)
    }
    return Answers(found, {id_: ruled(one, way.taxonomy) for id_, one in found.items()})


def _beside(source: str, way: Way) -> "Tagger | RulesAlone":
    """Return the tagger that our recognisers are asked together with, if any."""
    if source == RULES:
        return RULES_ALONE
    name, dial = dialled(source)
    shipped = f"{DEFAULT}@{dial}" if dial else DEFAULT
    return opened(shipped if name == DEID else source.removeprefix(_WITH), way)


def swept(
    source: str, golds: Sequence[Gold], way: Way, settings: Iterable[Setting]
) -> dict[str, dict[str, Prediction]]:
    """Return what a tagger finds by each of some *settings* and those of its own dial, by name.

    Documents are read once, and decoded for each.
    """
    from thunder.tagger.thresholds import Thresholds

    _require_readable(golds)
    tagger = opened(source, way)
    reads = list(tagger.read_all(gold.text for gold in golds))
    levels = {one.name: Thresholds({"": one.level}) for one in settings if one.level is not None}
    dialled = (Setting(recall=recall) for recall in tagger.dial.recalls)
    levels |= {one.name: tagger.dial.at(one.recall) for one in dialled}
    found: dict[str, dict[str, Prediction]] = {}
    for name, level in levels.items():
        pairs = zip(golds, reads, strict=True)
        spans = ((gold.id, tagger.spans(read, levels=level)) for gold, read in pairs)
        found[name] = {
            id_: Prediction(id_, _canonical(one, way.taxonomy), (), has_scores=True)
            for id_, one in spans
        }
    return found


def _masked(golds: Sequence[Gold], way: Way, *, tagger: "Tagger | RulesAlone") -> Answers:
    """Return what our own masking finds, and what it masks and how.

    Found is also what it recognised and left readable for its label (a floor), where that is a
    label of gold's; courts, judges and what gold does not mark at all (ages) are no finding.
    """
    from thunder.masking.deidentify import deidentify_all

    marked = {span.label for gold in golds for span in gold.spans}
    answers = Answers({}, {})
    for done in deidentify_all(((gold.id, gold.text) for gold in golds), tagger=tagger):
        spans = [change.span for change in done.changes]
        forms = tuple(change.replacement for change in done.changes)
        masked = Prediction(done.id, _canonical(spans, way.taxonomy), forms, has_scores=True)
        kept = [one.span for one in done.kept if one.span.label in marked]
        kept = [span for span in kept if _is_kept(span, way.taxonomy)]
        found = _canonical(sorted([*spans, *kept]), way.taxonomy)
        answers.by_rule[done.id] = masked
        answers.found[done.id] = masked._replace(spans=found, replacements=()) if kept else masked
    return answers


def ruled(found: Prediction, taxonomy: Taxonomy) -> Prediction:
    """Return the same without what the rule leaves readable for its label.

    Where a system says what it wrote, it masked, whatever the label.
    """
    if found.replacements:
        return found
    return found._replace(spans=tuple(one for one in found.spans if not _is_kept(one, taxonomy)))


def _is_kept(span: Span, taxonomy: Taxonomy) -> bool:
    return taxonomy.label(span.label).treatment == "keep"


def _canonical(spans: Iterable[Span], taxonomy: Taxonomy) -> tuple[Span, ...]:
    """Return the same with the taxonomy's names of labels; LookupError where it has none."""
    return tuple(_with_its_label(span, taxonomy) for span in spans)


def _with_its_label(span: Span, taxonomy: Taxonomy) -> Span:
    return Span(span.start, span.end, taxonomy.label(span.label).ko, span.score, span.source)


def _require_readable(golds: Iterable[Gold]) -> None:
    """Raise ScoringError that lists the documents that no file could hold."""
    if problems := list(_unreadable(golds)):
        raise ScoringError(problems)


def _unreadable(golds: Iterable[Gold]) -> Iterator[str]:
    for gold in golds:
        try:
            require_encodable(gold.text)
        except ValueError as error:
            yield f"document '{gold.id}': {error}"
