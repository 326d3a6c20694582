"""Which of what was found is a mention: one scorecard decides, where nobody is sure.

What a tagger saw and what the recognisers take for names is a candidate with features
(``thunder.mentions.candidates``); the scorecard of the way of running adds up their points
(``thunder.mentions.scorecard``), and what it gives less than its ``masked`` says is no mention: a
readable word, which may be shown to a person (``thunder.masking.doubts``). A word is a mention
everywhere in a judgment or nowhere, however it is spaced: one place where it is one suffices, also
for a repeat of a part of it.

What is known by its form (an account, an address), a name of which a recogniser is certain and a
person of whom a tagger is sure are mentions whatever the scorecard says: in a slot that only a name
can fill any word may be one, and few such persons stand in the judgments that it was fitted on.
"""

from collections.abc import Collection, Iterator, Sequence

from thunder.mentions.arbiter import Finder, finder
from thunder.mentions.candidates import Candidate, Evidence, candidates, parts_of
from thunder.mentions.scorecard import Scorecard
from thunder.names.given_names import parts_of as name_parts
from thunder.names.kinds import is_person
from thunder.text.spans import Span


def likely(text: str, spans: Sequence[Span], evidence: Evidence, card: Scorecard) -> list[Span]:
    """Return disjoint, sorted *spans* of folded text without what *card* holds for no mention.

    *evidence* is what was proposed, as it was proposed. What stays readable by the rule is among
    *spans*: the rule is asked later.
    """
    if not any(card.masked.values()):
        return list(spans)
    stand = {
        _letters(text, span)
        for span, one in weighed(text, spans, evidence)
        if _is_certain(span, card) or card.probability(one) >= card.least(one)
    }
    parts, given = set(parts_of(stand)), _given_names(text, spans, stand)

    def stands(span: Span) -> bool:
        word = _letters(text, span)
        if word in stand or (finder(span) is Finder.REPEAT and word in parts):
            return True
        return word in given and is_person(span.label)

    return [span for span in spans if stands(span)]


def _given_names(text: str, spans: Sequence[Span], stand: Collection[str]) -> set[str]:
    """Return the given names of the persons among *spans* whose letters *stand*."""
    names = {_letters(text, span) for span in spans if is_person(span.label)}
    return {given for name in names & set(stand) for _, given in filter(None, [name_parts(name)])}


def weighed(
    text: str, spans: Sequence[Span], evidence: Evidence
) -> Iterator[tuple[Span, Candidate]]:
    """Yield *spans*, as for ``likely``, each with the candidate that is weighed."""
    found = candidates(text, evidence, masked=spans, only_masks=True)
    return zip(spans, found, strict=True)


def _letters(text: str, span: Span) -> str:
    """Return what *span* covers without spaces: 강 다 온 is 강다온."""
    return "".join(text[span.start : span.end].split())


def _is_certain(span: Span, card: Scorecard) -> bool:
    """Return whether *span* is known by its form, or who found it is certain of it.

    Where a sure tagger agrees with a recogniser, its score counts for the recogniser's find.
    """
    by = finder(span)
    if by is Finder.SURE_TAGGER:
        return is_person(span.label) and span.score >= card.certain.get("person", 1.0)
    return by is Finder.IDENTIFIER or (
        by is Finder.NAME and span.score >= card.certain.get("name", 1.0)
    )
