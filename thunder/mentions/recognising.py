"""What is found without a tagger: identifiers by their form, names by the words beside them."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path

from thunder import identifiers
from thunder.identifiers.lookalikes import is_case
from thunder.mentions import arbiter
from thunder.mentions.arbiter import arbitrated
from thunder.mentions.scorecard import of_rules
from thunder.mentions.trimming import without_sum
from thunder.names import (
    descriptors,
    disguised,
    evidence,
    organisations,
    persons,
    propagation,
)
from thunder.names.court_marks import unmarked, without_omissions
from thunder.names.patterns import rules
from thunder.settings import resources
from thunder.settings.yamlfile import Problem, YamlFileError
from thunder.taxonomy import tables
from thunder.taxonomy.own import working as load_taxonomy
from thunder.text.korean import Folded
from thunder.text.spans import Span

Again = Callable[[str, Sequence[Span]], Iterable[Span]]
"""Text and spans to spans that mention the same elsewhere."""


def recognised_in(folded: Folded) -> list[Span]:
    """Return what each recogniser finds in a folded text, and what words its folding shows."""
    return [*recognised(folded.text), *disguised.find(folded)]


def recognised(plain: str) -> list[Span]:
    """Return what each recogniser finds in folded text, in its code points; they may overlap."""
    judgment = without_omissions(plain)
    found = identifiers.find(Folded(judgment))
    found += persons.find(judgment)
    found += organisations.find(judgment)
    found += organisations.places(judgment)
    found = [name for span in found if (name := _whole(plain, span)) is not None]
    return list(unmarked(plain, found))


def load() -> None:
    """Load the lists now, which the first judgment would wait for."""
    recognised("피고인 김도윤은 서울 종로구에 있는 한빛은행에 갔다.")


def problems_of_data() -> tuple[Problem, ...]:
    """Return what is wrong with the tables, rules and ranks in use, each with file and line."""
    found = [*tables.problems(), *tables.unread()]
    for read in (descriptors.lexicon, partial(rules.load, None), evidence.weights, arbiter.ranks):
        try:
            read()
        except YamlFileError as error:
            found += error.problems
    return tuple(dict.fromkeys(found))


def require_own_in_order() -> None:
    """Return where a taxonomy of one's own can be worked with; ValueError says what is wrong.

    Asked before the first judgment is read: a broken table or rule never means unmasked text.
    """
    own = resources.own_taxonomy()
    if own:
        _require_in_order(own)


@lru_cache(maxsize=1)
def _require_in_order(own: Path) -> None:
    problems = problems_of_data()
    if problems:
        raise YamlFileError(problems)
    of_rules()


def _whole(plain: str, span: Span) -> Span | None:
    """Return *span* without a sum glued to it, or None where no name is left, or a case number."""
    is_name = not span.source.startswith("rule:")
    return None if is_name and is_case(plain[span.start : span.end]) else without_sum(plain, span)


def settled(plain: str, found: Sequence[Span], *, also: Again | None = None) -> list[Span]:
    """Return *found* made disjoint and sorted, with what was found once found everywhere.

    *also* gives more repeats of what is disjoint by then.
    """
    taxonomy = load_taxonomy()
    merged = arbitrated(plain, found, taxonomy=taxonomy)
    repeats = [*propagation.spread(plain, merged), *(also(plain, merged) if also else ())]
    return arbitrated(plain, [*merged, *repeats], taxonomy=taxonomy)
