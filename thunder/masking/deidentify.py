"""The recipe: text in, de-identified text and the record of every change out, in nine steps."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from thunder.masking import case_letters
from thunder.masking.case_ledger import CaseLetters, Judgment, digest_of
from thunder.masking.deciding import (
    KEEP,
    Rule,
    by_rule,
    edges,
    masked_of,
    pieces,
    with_known,
    within_segments,
)
from thunder.masking.doubts import Ranked, Seen, doubts, ranked, scorecard_of
from thunder.masking.lettering import entities, letter, with_particles, with_told
from thunder.masking.records import Deidentified, Document, Kept, Why
from thunder.mentions.candidates import Evidence
from thunder.mentions.finding import Found, Tagged, find_spans, repeat, together, weigh
from thunder.mentions.recognising import recognised_in
from thunder.mentions.scorecard import Scorecard
from thunder.settings.resources import own_taxonomy
from thunder.tagger.chosen_tagger import RulesAlone, default
from thunder.taxonomy.own import name_of
from thunder.taxonomy.own import ruling as load_taxonomy
from thunder.taxonomy.policy import Decision
from thunder.taxonomy.profiles import load as load_policy
from thunder.text.korean import Folded, fold, require_encodable
from thunder.text.letters import letters_in
from thunder.text.spans import Change, Span, replace_spans

if TYPE_CHECKING:
    from thunder.tagger.tagger import Read, Tagger


def deidentify(
    text: str | Document,
    *,
    id: str = "",
    profile: str = "court",
    agree_particles: bool = False,
    tagger: "Tagger | RulesAlone | None" = None,
) -> Deidentified:
    """Return *text* de-identified by the court rule, with every change, keep and doubt.

    Offsets are code points of the text; outside the changes the new text equals it, character for
    character. A *tagger* is asked besides the recognisers: the one that ships, or another; with
    ``thunder.tagger.chosen_tagger.RULES_ALONE`` none is. ``agree_particles`` also changes 은/는,
    이/가 … to fit how the letter is read, which the courts do not do. ValueError for a text no file
    can hold (lone surrogates), LookupError for an unknown profile or label.
    """
    document = Document(text, id) if isinstance(text, str) else text
    options = {"profile": profile, "agree_particles": agree_particles}
    return next(deidentify_all([document], tagger=tagger, **options))  # type: ignore[arg-type]


def deidentify_all(
    documents: Iterable[tuple[str, str] | Document],
    *,
    profile: str = "court",
    agree_particles: bool = False,
    tagger: "Tagger | RulesAlone | None" = None,
    letters: CaseLetters | None = None,
) -> Iterator[Deidentified]:
    """Yield each of *documents* (pairs of id and text will do), as ``deidentify`` returns it.

    *letters* has those of a case's other instances. By a *tagger* they are read some at a time,
    together: what fails for one ends all.
    """
    load_policy(profile)  # one that is unknown is said before anything is read
    for document, mentioned in mentioned_in(documents, tagger):
        yield decided(
            document, mentioned, profile=profile, agree_particles=agree_particles, letters=letters
        )


def judgments_of(
    documents: Iterable[Document],
    case_of: Mapping[str, str],
    *,
    profile: str = "court",
    tagger: "Tagger | RulesAlone | None" = None,
) -> Iterator[Judgment]:
    """Yield what is masked in each of *documents*, as a ledger of letters takes it.

    *case_of* has the case of each document by its id. Options are as for ``deidentify_all``.
    """
    rule = Rule(load_policy(profile), load_taxonomy())
    for document, mentioned in mentioned_in(documents, tagger):
        plain, text = mentioned.folded.text, document.text
        masked = masked_of(decide(mentioned.folded, mentioned.mentions, document, rule))
        numbers, _ = entities(plain, masked, document.known)
        lettered = [pair for pair in zip(masked, numbers, strict=True) if not pair[0].omission]
        spans, its = [one.span for one, _ in lettered], [number for _, number in lettered]
        found = case_letters.entities_of(text, plain, spans, its, mentioned.mentions)
        case, standing = case_of[document.id], letters_in(plain)
        yield Judgment(case, document.id, digest_of(text), standing, tuple(found.values()))


class Mentioned(NamedTuple):
    """What is mentioned in a text, and what was proposed: whatever is decided of it."""

    folded: Folded
    mentions: Sequence[Span]
    seen: Seen


def mentioned_in(
    documents: Iterable[tuple[str, str] | Document],
    tagger: "Tagger | RulesAlone | None" = None,
    *,
    weighed: bool = True,
) -> Iterator[tuple[Document, Mentioned]]:
    """Yield each of *documents* with what is mentioned in it: the first six steps.

    Not *weighed*: with all that was found, as a scorecard is fitted.
    """
    asked = default() if tagger is None else tagger
    card = scorecard_of(asked) if weighed else None
    for document, found, tagged in _read(documents, asked):  # 1 fold, 2 find, 3 read: see there
        plain, finds = found.folded.text, found.finds
        mentions = together(plain, finds, tagged)  # 4: what a tagger saw gets its shape
        mentions = repeat(plain, mentions, tagged)  # 5: found once is found everywhere
        evidence = Evidence(finds, *((tagged.spans, tagged.reading) if tagged else ()))
        if weighed and tagged:
            mentions = weigh(plain, mentions, evidence, tagged.card)  # 6: likely a mention?
        yield document, Mentioned(found.folded, mentions, Seen(evidence, card))


def decided(
    document: Document,
    mentioned: Mentioned,
    *,
    profile: str = "court",
    agree_particles: bool = False,
    letters: CaseLetters | None = None,
) -> Deidentified:
    """Return *document* de-identified, given what is mentioned in it: the last three steps."""
    rule = Rule(load_policy(profile), load_taxonomy())
    folded = mentioned.folded
    original = folded.original
    decisions = decide(folded, mentioned.mentions, document, rule)  # 7: masked, or left readable?
    masked = masked_of(decisions)
    numbers, fixed = entities(folded.text, masked, document.known)
    given = case_letters.Fixed()
    if letters and (of := letters.of(document.text)):
        its = (masked, numbers, mentioned.mentions)
        given = case_letters.fixed(document.text, folded.text, *its, of, fixed)
    asked = case_letters.doubts_of(folded, masked, numbers, given)
    fixed = fixed | given.letter_of  # 8: one letter for one person
    replacements = letter(folded.text, masked, numbers, fixed, given.taken)
    masked, replacements = _cut(folded, masked, replacements, document)
    text, changes = apply(  # 9
        document.text, folded, masked, replacements, agree_particles=agree_particles
    )
    seen = mentioned.seen
    rows = ranked(folded, decisions, seen)
    asked += doubts(folded, decisions, rows, seen)
    return Deidentified(
        document.id,
        document.text,
        text,
        tuple(replace(change, span=_called(change.span)) for change in changes),
        tuple(Kept(_called(original(d.span)), d.reason) for d in decisions if _is_kept(d)),
        tuple(sorted(asked, key=lambda doubt: doubt.rank)),
        document.segments,
        tuple(_reasons(folded, rows)),
    )


def _reasons(folded: Folded, rows: Iterable[Ranked]) -> Iterator[Why]:
    """Yield why each mask is one, in order of the text."""
    for one, probability, reasons in rows:
        if one.is_masked and reasons:
            span = folded.original(Span(one.start, one.end, ""))
            yield Why(span.start, span.end, probability, reasons)


def _called(span: Span) -> Span:
    """Return *span* under the name that its label has in a taxonomy of one's own."""
    return replace(span, label=name_of(span.label)) if own_taxonomy() and span.label else span


def _is_kept(decision: Decision) -> bool:
    return decision.treatment == KEEP


def _read(
    documents: Iterable[tuple[str, str] | Document], tagger: "Tagger | RulesAlone"
) -> Iterator[tuple[Document, Found, Tagged | None]]:
    """Yield each document: folded, with what the recognisers find and what the tagger reads."""
    waiting: deque[tuple[Document, Found]] = deque()

    def found() -> Iterator[Found]:
        for one in documents:
            document = one if isinstance(one, Document) else Document(one[1], one[0])
            require_encodable(document.text)
            folded = fold(document.text)
            waiting.append((document, Found(folded, recognised_in(folded))))
            yield waiting[-1][1]

    if isinstance(tagger, RulesAlone):
        yield from ((*waiting.popleft(), None) for _ in found())
        return
    for read in tagger.read_found(found()):
        document, its = waiting.popleft()
        plain = read._replace(folded=Folded(read.folded.text))
        yield document, its, Tagged(tagger.spans(plain), read.reading, card=tagger.scorecard)


def decide(
    folded: Folded, mentions: Sequence[Span], document: Document, rule: Rule
) -> list[Decision]:
    """Return what becomes of each of *mentions*: by the rule, and as was decided before."""
    cells = edges(folded, document.text, document.segments)
    decisions = by_rule(folded.text, mentions, rule, cells)
    decisions = with_known(folded, decisions, document.known, rule)
    return within_segments(folded, decisions, document.segments)


def _cut(
    folded: Folded, masked: Sequence[Decision], replacements: Sequence[str], document: Document
) -> tuple[list[Decision], list[str]]:
    """Return *masked* cut where a segment ends, and what stands for each piece."""
    cut = pieces(folded, [decision.span for decision in masked], document.segments)
    return (
        [replace(one, span=span) for one, spans in zip(masked, cut, strict=True) for span in spans],
        [said for said, spans in zip(replacements, cut, strict=True) for _ in spans],
    )


def apply(
    text: str,
    folded: Folded,
    masked: Sequence[Decision],
    replacements: Sequence[str],
    *,
    agree_particles: bool,
) -> tuple[str, tuple[Change, ...]]:
    """Return *text* with each masked stretch of its folded form replaced, and the changes."""
    spans = with_told(folded.text, [decision.span for decision in masked], replacements)
    if agree_particles:
        spans, replacements = with_particles(folded.text, spans, replacements)
    replacement_of: dict[Span, str] = {}
    done = 0
    for plain_span, replacement in zip(spans, replacements, strict=True):
        span = folded.original(plain_span)
        start = max(span.start, done)  # two plain characters may be one cluster of the original
        if start < span.end:
            replacement_of[replace(span, start=start)] = replacement
            done = span.end
    new_text, changes = replace_spans(text, list(replacement_of), replacement_of.__getitem__)
    return new_text, tuple(changes)


def masked_spans(plain: str, *, tagged: Tagged | None = None, profile: str = "court") -> list[Span]:
    """Return what of folded text would be masked: mentions, but for those the rule keeps."""
    rule = Rule(load_policy(profile), load_taxonomy())
    return [one.span for one in masked_of(by_rule(plain, find_spans(plain, tagged=tagged), rule))]


def masked_with(
    read: "Read", spans: Sequence[Span], *, card: Scorecard | None = None
) -> list[Span]:
    """Return what would be masked in a folded text in which a tagger found *spans*.

    By its *card* that is weighed.
    """
    return masked_spans(read.folded.text, tagged=Tagged(spans, read.reading, read.named, card))
