"""The commands ``thunder patterns …``: check, test, explain and count the contexts of names."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from thunder.commands import patterns_messages as say
from thunder.editing.pattern_examples import failing
from thunder.identifiers.formats import Format
from thunder.names.patterns.conditions import NAMED
from thunder.names.patterns.edges import Edge
from thunder.names.patterns.lookalikes import Lookalike
from thunder.names.patterns.matching import Match, Matcher
from thunder.names.patterns.rules import Described, Patterns, load
from thunder.names.patterns.signs import Sign
from thunder.names.patterns.tracing import Acted, watched
from thunder.settings import resources
from thunder.settings.yamlfile import YamlFileError
from thunder.tagger.chosen_tagger import DEFAULT, RULES_ALONE, choose
from thunder.taxonomy import tables
from thunder.taxonomy.lexicon import CLASSES
from thunder.taxonomy.pattern_file import Row
from thunder.text.korean import fold
from thunder.text.spans import Span
from thunder.training_data.placeholders import contexts as placeholders

app = typer.Typer(
    help="The contexts that show a name: check, test, explain, count.", no_args_is_help=True
)

Folder = Annotated[
    Path | None, typer.Option("--folder", help="A folder of rules to read instead of the shipped.")
]
Taxonomy = Annotated[
    Path | None,
    typer.Option("--taxonomy", help="A taxonomy of your own, laid over the shipped one."),
]


@app.command()
def check(
    place: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FOLDER]", help="A folder of rules to read instead of the shipped."
        ),
    ] = None,
    *,
    taxonomy: Taxonomy = None,
) -> None:
    """Read all rules and run their examples; list what is wrong by file and line, end with 1."""
    with _problems_shown():
        patterns = _loaded(place, taxonomy)
        problems = [*tables.unread(), *failing(patterns)]
        problems += () if place else placeholders.failing()
    for problem in problems:
        typer.echo(str(problem))
    if problems:
        typer.echo(say.FAILING(number=len(problems)))
        raise typer.Exit(1)
    sentences = sum(len(one.examples) + len(one.near_misses) for one in patterns.described)
    sentences += sum(len(one.examples) + len(one.near_misses) for one in patterns.signs.values())
    sentences += sum(len(one.examples) + len(one.near_misses) for one in patterns.lookalikes)
    sentences += sum(len(one.examples) + len(one.near_misses) for one in patterns.edges)
    rules, signs, alike = map(len, (patterns.described, patterns.signs, patterns.lookalikes))
    edges = len(patterns.edges)
    typer.echo(
        say.IN_ORDER(rules=rules, signs=signs, lookalikes=alike, edges=edges, sentences=sentences)
    )


@app.command()
def test(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[RULE]…", help="Rules by name; without, all.")
    ] = None,
    *,
    folder: Folder = None,
    taxonomy: Taxonomy = None,
) -> None:
    """Show every sentence of the rules named (of all without one), and whether the rule holds."""
    with _problems_shown():
        patterns = _loaded(folder, taxonomy)
    chosen = _chosen(patterns, names or [])
    wrong = 0
    for one in chosen:
        typer.echo(f"{one.id} ({one.path.name}:{one.line}): {one.reason}")
        for sign, examples in (("+", one.examples), ("-", one.near_misses)):
            for example in examples:
                wanted, other = ((example,), ()) if sign == "+" else ((), (example,))
                alone = _only(replace(one, examples=wanted, near_misses=other))
                typer.echo(f"  {sign} {example.text}")
                for problem in failing(alone):
                    typer.echo(f"    ✗ {problem.message}")
                    wrong += 1
    if wrong:
        typer.echo(say.FAILING(number=wrong))
        raise typer.Exit(1)


@app.command()
def explain(
    text: Annotated[str, typer.Argument(help="A sentence, in quotes.")],
    *,
    folder: Folder = None,
    taxonomy: Taxonomy = None,
    at: Annotated[
        str, typer.Option("--at", help="Words with this in them alone, proposed or not.")
    ] = "",
    model: Annotated[
        str, typer.Option(help="The tagger asked besides; none: the rules alone.")
    ] = DEFAULT,
    profile: Annotated[str, typer.Option(help="The profile that decides.")] = "court",
) -> None:
    """Say which rules fire in TEXT, where and why; then what is masked of it, what is not, and why.

    What stays readable is told where something was proposed, or --at asks for it. With a folder of
    other rules only those are told.
    """
    with _problems_shown():
        patterns = _loaded(folder, taxonomy)
    described = {one.rule.id: one for one in patterns.described}
    plain, asked = fold(text).text, fold(at).text
    if asked not in plain:
        raise typer.BadParameter(say.NOT_IN_TEXT(word=at), param_hint="--at")

    def is_asked(start: int, end: int) -> bool:
        return not asked or any(
            one.start() < end and start < one.end() for one in re.finditer(re.escape(asked), plain)
        )

    found = sorted(Matcher(patterns.rules).find(plain), key=lambda one: one.mention.start)
    found = [one for one in found if is_asked(one.mention.start, one.mention.end)]
    for match in found:
        typer.echo(_told(match, described[match.rule.id]))
    numbers = [
        (one, span)
        for one in patterns.formats
        for span in one.find(plain)
        if is_asked(span.start, span.end)
    ]
    for row, span in sorted(numbers, key=lambda each: each[1].start):
        typer.echo(_row(f"[{plain[span.start : span.end]}] {span.label} {span.score}", row))
    if not found and not numbers:
        typer.echo(say.NOTHING_FIRES())
    alike = [
        (one, start, end)
        for one in patterns.lookalikes
        for start, end in one.find(plain)
        if is_asked(start, end)
    ]
    for one, start, end in sorted(alike, key=lambda each: each[1:]):
        typer.echo(_row(_alike(plain[start:end], one), one))
    with watched() as acted:
        told = [] if folder else _decided(text, at, model, profile)
    for line in (*_acted(plain, acted), *told):
        typer.echo(line)
    if not (found or numbers or alike or told):
        raise typer.Exit(1)


def _row(said: str, one: Row) -> str:
    """Return what is *said* of a row, its name and reason, and where and how it is written."""
    return f"{said} ← {one.id}: {one.reason}\n  {one.path.name}:{one.line}  {one.written}"


def _alike(what: str, one: Lookalike) -> str:
    """Return that *what* stands there is a look-alike, of which labels and for whose finds."""
    kinds = (say.KINDS[kind]() for kind in one.whose.kinds)
    of = ", ".join((*kinds, *sorted(one.whose.labels)))
    who = say.ALL_FINDERS if one.rules else say.FINDERS_OF_NAMES if one.whoever else say.TAGGER
    return say.LOOKALIKE(what=what, of=of, who=who())


def _acted(plain: str, acted: Sequence[Acted]) -> Iterator[str]:
    """Yield what the rows did to what was found, each once: what one dropped, what one cut off."""
    once = {(*one[1:], one.row.id): one for one in acted}
    for one in sorted(once.values(), key=lambda one: one[1:]):
        what = plain[one.start : one.end]
        if one.left_start == one.left_end:
            yield _row(say.DROPPED(what=what), one.row)
        else:
            yield _row(say.CUT(what=what, left=plain[one.left_start : one.left_end]), one.row)


def _decided(text: str, at: str, model: str, profile: str) -> list[str]:
    """Return what becomes of the stretches of *text*, a line each, and why."""
    from thunder.masking.explaining import explained

    try:
        chosen = choose(model)
        every = explained(text, chosen.load() if chosen else RULES_ALONE, profile=profile)
    except (LookupError, OSError, ValueError) as error:
        typer.echo(say.ERROR(error=error), err=True)
        raise typer.Exit(2) from None
    if at:
        every = [one for one in every if at in text[one.start : one.end]]
    else:
        every = [one for one in every if one.is_masked or one.is_proposed]
    return [
        f"[{text[one.start : one.end]}] {(say.KEPT, say.MASKED)[one.is_masked]()}: {one.sentence}"
        for one in every
    ]


@app.command()
def coverage(
    corpus: Annotated[
        Path, typer.Argument(help="JSON lines: text, and entities where gold is there.")
    ],
    *,
    folder: Folder = None,
    taxonomy: Taxonomy = None,
) -> None:
    """Count how often each rule fires in CORPUS, and how often rightly where gold is there."""
    with _problems_shown():
        patterns = _loaded(folder, taxonomy)
    matcher = Matcher(patterns.rules)
    fired: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for text, gold in _rows(corpus):
        folded = fold(text)
        for match in matcher.find(folded.text):
            fired[match.rule.id] += 1
            if gold is not None:
                mention = Span(match.mention.start, match.mention.end, match.label)
                span = folded.original(mention)
                judged[match.rule.id] += 1
                right[match.rule.id] += any(a < span.end and span.start < b for a, b in gold)
    table = Table(say.RULE(), say.FIRED(), say.RIGHT(), box=SIMPLE_HEAD)
    for one in sorted(patterns.described, key=lambda one: (-fired[one.rule.id], one.rule.id)):
        id_ = one.rule.id
        share = f"{right[id_] / judged[id_]:.3f}" if judged[id_] else "–"
        table.add_row(id_, f"{fired[id_]:,}", share)
    Console().print(table)


def _loaded(folder: Path | None, taxonomy: Path | None) -> Patterns:
    """Return the rules of *folder*, without it those of the taxonomy that this process works with.

    A taxonomy that is not there ends the command, and a folder without classes of words.
    """
    if folder and not (folder / CLASSES).is_file():
        typer.echo(say.NO_RULES(folder=folder, file=CLASSES), err=True)
        raise typer.Exit(2)
    try:
        resources.choose_taxonomy(taxonomy or resources.own_taxonomy())
    except (OSError, ValueError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    return load(folder)


def _told(match: Match, one: Described) -> str:
    shown = f"[{match.mention.text}] {match.label} {match.rule.score}"
    lines = [_row(shown, one)]
    for condition in match.rule.where:
        told = NAMED.get(condition.written)
        lines.append(
            f"  {condition.letter}: {condition.written}" + (f" ({told()})" if told else "")
        )
    lines += [f"  {say.NOT(letter=one.letter, test=one.written)}" for one in match.rule.unless]
    return "\n".join(lines)


def _chosen(patterns: Patterns, names: list[str]) -> list[Row]:
    every: list[Row] = [*patterns.described, *patterns.formats, *patterns.signs.values()]
    every += (*patterns.lookalikes, *patterns.edges)
    known = {one.id for one in every}
    for name in names:
        if name not in known:
            near = ", ".join(sorted(one for one in known if one[:3] == name[:3])) or "-"
            typer.echo(say.NO_RULE(name=name, near=near), err=True)
            raise typer.Exit(2)
    return [one for name in names for one in every if one.id == name] if names else every


def _only(one: Row) -> Patterns:
    """Return *one* by itself, so that only its sentences are tried."""
    if isinstance(one, Lookalike):
        return Patterns((), {}, {}, lookalikes=(one,))
    if isinstance(one, Edge):
        return Patterns((), {}, {}, edges=(one,))
    if isinstance(one, Format):
        return Patterns((), {}, {}, formats=(one,))
    if isinstance(one, Sign):
        return Patterns((), {}, {one.id: one})
    assert isinstance(one, Described)
    return Patterns((one,), {}, {})


def _rows(path: Path) -> Iterator[tuple[str, list[tuple[int, int]] | None]]:
    """Yield texts with the places of their gold, None without one."""
    try:
        lines = path.open("rb")
    except OSError as error:
        typer.echo(say.NO_CORPUS(path=path, why=error.strerror), err=True)
        raise typer.Exit(2) from None
    with lines:
        for number, line in enumerate(lines, 1):
            try:
                row: Any = json.loads(line)
                gold = row.get("entities")
                places = None if gold is None else [(one["start"], one["end"]) for one in gold]
                if not all(0 <= start < end <= len(row["text"]) for start, end in places or ()):
                    raise ValueError("a place outside the text")
                yield row["text"], places
            except (ValueError, KeyError, TypeError, AttributeError):
                typer.echo(say.NO_ROW(path=path, number=number), err=True)
                raise typer.Exit(2) from None


@contextmanager
def _problems_shown() -> Iterator[None]:
    """Say what is wrong with the rules' files, a line each, and end with 1."""
    try:
        yield
    except YamlFileError as error:
        for problem in error.problems:
            typer.echo(str(problem))
        typer.echo(say.TO_MEND(number=len(error.problems)))
        raise typer.Exit(1) from None
