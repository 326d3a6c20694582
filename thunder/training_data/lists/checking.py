"""What is wrong with a folder of replacement lists."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from random import Random

from thunder.settings.yamlfile import Problem
from thunder.taxonomy import Label, gazetteer
from thunder.taxonomy.lexicon import role_groups, table
from thunder.taxonomy.profiles import load as load_policy
from thunder.text.spans import Span
from thunder.training_data import messages as say
from thunder.training_data.lists import ReplacementLists, bare, subfolders
from thunder.training_data.lists.lines import Line, read_lines
from thunder.training_data.lists.reading import (
    ComposedRule,
    MadeRule,
    MentionList,
    Source,
    read,
)
from thunder.training_data.lists.rules import ENOUGH, Words

AT_LEAST = 100
"""A list holds so many mentions, unless its header says that its world is complete."""

_OWN_WORDS = 40  # that a rule gives itself, or more
_WITHOUT = 0.6  # of a rule's draws at most use none of its own words

_EXAMPLES = 5  # mentions of a rule that are shown for one problem
_SAMPLE = 300  # mentions of a rule that are looked at
_SAMPLE_OF_NAMES = 5000  # … of a rule for names of persons, for public figures
_DRAWS = 40 * ENOUGH  # of a maker, to meet more than ENOUGH distinct mentions


def check(
    lists: ReplacementLists,
    *,
    figures: Collection[str] = (),
    watch: Callable[[Sequence[Label]], Iterable[Label]] = iter,
) -> list[Problem]:
    """Return everything wrong with all lists, by file and line; *watch* sees the labels go by.

    *figures* are full names of public figures, none of which a list may hold or a rule make. Names
    of two letters are left out, and so are places: 양양 and 이창동 are nobody's there.
    """
    problems = {*_misplaced(lists), *(one for root in lists.roots for one in _parts(root))}
    inspect = _Inspection(figures)
    for label in watch(list(lists.taxonomy)):
        path = lists.path(label.ko)
        if not path.is_file():
            problems.add(Problem(path, 1, say.NO_LIST(label=label.ko)))
            continue
        source, wrong = read(path, root=lists.root(path))
        problems.update(wrong)
        if source is not None:
            problems.update(inspect.problems(label, source))
    return sorted(problems)


# --- files ----------------------------------------------------------------------------------------


def _misplaced(lists: ReplacementLists) -> Iterator[Problem]:
    """Yield the files that stand where no label's list belongs, and lists beside rules."""
    for number, root in enumerate(lists.roots):
        if lists.own and root == lists.folder:
            continue  # what ships with the package is nobody's to mend
        expected = {_name(lists.stems(label.ko)[number]) for label in lists.taxonomy}
        for path in _files(root):
            if path.suffix not in (".txt", ".yaml"):
                yield Problem(path, 1, say.NEITHER(suffix=path.suffix))
            elif _name(path.with_suffix("")) not in expected:
                yield Problem(path, 1, _stray(path, root, lists))
            elif path.suffix == ".txt" and path.with_suffix(".yaml").is_file():
                yield Problem(path, 1, say.RULE_TOO(name=path.stem))


def _files(folder: Path) -> list[Path]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(
        path
        for path in found
        if (inside := path.relative_to(folder).parts)[0] != "parts"
        and path.name != "README.md"
        and not any(name.startswith(".") for name in inside)
    )


def _name(path: Path) -> str:
    return unicodedata.normalize("NFC", str(path))


def _stray(path: Path, root: Path, lists: ReplacementLists) -> str:
    """Return what is wrong with the place of a file that is no label's."""
    inside = [unicodedata.normalize("NFC", name) for name in path.relative_to(root).parts]
    stem = unicodedata.normalize("NFC", path.stem)
    labels = {label.ko: label for label in lists.taxonomy}
    if stem in labels:
        return say.BELONGS(name=stem, folder=lists.stems(stem)[lists.roots.index(root)].parent)
    folders = set(subfolders(lists.taxonomy_folder).values())
    if inside[0] not in folders:
        return say.UNKNOWN_FOLDER(name=inside[0], near=_near(inside[0], folders))
    return say.UNKNOWN_LABEL(name=stem, near=_near(stem, labels))


def _near(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    return say.NEAR(names=", ".join(near)) if near else ""


def _parts(folder: Path) -> Iterator[Problem]:
    for path in sorted((folder / "parts").glob("*")):
        lines, problems = read_lines(path)
        yield from problems
        for key in ("source", "licence"):
            if not problems and not _has_header(lines, key):
                yield Problem(path, 1, say.NO_HEADER(key=key))


def _has_header(lines: Iterable[Line], key: str) -> bool:
    return any(line.header[0] == key and line.header[1] for line in lines)


# --- mentions -------------------------------------------------------------------------------------


_MARK_UP = re.compile("<<<|>>>|[{}]")
_OF_PERSONS = ("D.2.1",)  # what somebody does: 검사, 근로자
_OF_BODIES = ("D.2.5", "D.2.6", "D.2.7")  # bodies, facilities and firms
_OFFICES = "조직 내"  # categories of a body's offices and duties: 감사(팀), 과장
_LOWER = re.compile(r"[가-힣0-9·]{2,}(?:[시군구]|[읍면동가리])")


class _Inspection:
    """The questions asked of every mention, their answers made ready once."""

    def __init__(self, figures: Collection[str]) -> None:
        self.policy = load_policy("court")
        self.roles = frozenset(role_groups()["party"])
        self.figures = frozenset(bare(name) for name in figures if len(bare(name)) > 2)
        self.no_names = {word: kind for kind, words in table("no_names") for word in words.split()}

    def problems(self, label: Label, source: Source) -> Iterator[Problem]:
        """Yield what is wrong with the mentions of *label*."""
        yield from _too_few(source)
        questions = self._questions(label)
        found: dict[tuple[int, str], list[str]] = defaultdict(list)
        size = _SAMPLE_OF_NAMES if self.figures and label.subcategory == "인명" else _SAMPLE
        looked_at = [*_looked_at(source, size)]
        if self._is_body(label):
            looked_at += _alone(source, self.no_names.keys())
        for line, mention in dict.fromkeys(looked_at):
            said = next(filter(None, (question(mention) for question in questions)), "")
            if said:
                found[line, said].append(mention)
        for (line, said), mentions in found.items():
            shown = ", ".join(f"'{mention}'" for mention in mentions[:_EXAMPLES])
            if len(mentions) > _EXAMPLES:
                shown += say.MORE_MADE(size=size, number=len(mentions) - _EXAMPLES)
            yield Problem(source.path, line, say.SAID(mentions=shown, what=said))

    def _questions(self, label: Label) -> list[Callable[[str], str]]:
        names = (label.ko, *label.aliases)
        found: list[Callable[[str], str]] = [
            lambda mention: say.ONLY_NOUN() if _ends(names, mention) else "",
        ]
        found.append(lambda mention: say.MARK_UP() if _MARK_UP.search(mention) else "")
        if label.main == "quasi" and label.code not in _OF_PERSONS:
            found.append(self._a_role)
        if self._is_body(label):
            found.append(self._means_else)
        found.append(_apart)
        if self.figures and label.subcategory != "지리정보":
            found.append(self._named_after)
        treatment = self.policy.treatments.get(label.ko, label.treatment)
        if treatment == "letter" and label.subcategory != "인명":  # as Policy.decide reads it
            found.append(self._kept)
        return found

    def _is_body(self, label: Label) -> bool:
        return label.code in _OF_BODIES and not label.category.startswith(_OFFICES)

    def _means_else(self, mention: str) -> str:
        kind = self.no_names.get(mention)
        return say.MEANS_ELSE(kind=say.KINDS_OF_WORDS[kind]()) if kind else ""

    def _named_after(self, mention: str) -> str:
        return say.PUBLIC_FIGURE() if bare(mention) in self.figures else ""

    def _a_role(self, mention: str) -> str:
        return say.A_ROLE() if mention in self.roles else ""

    def _kept(self, mention: str) -> str:
        span = Span(0, len(mention), "mention")
        keeps = (keep for keep in self.policy.keeps if keep.labels != {"인명"})  # no body's
        reason = next((keep.reason for keep in keeps if keep.covers(mention, span)), "")
        return say.KEPT(reason=reason) if reason else ""


def _ends(names: Collection[str], mention: str) -> bool:
    """Return whether *mention* is one of *names* or its end: 한식당, 식당."""
    return any(name.endswith(mention) for name in names)


def _apart(mention: str) -> str:
    """Return that two places that follow each other in *mention* do not belong together, or ""."""
    for upper, lower in pairwise(mention.split()):
        lower = lower.rstrip(",.()")
        if _LOWER.fullmatch(lower) and not _belong(upper, lower):
            return say.APART()
    return ""


def _belong(upper: str, lower: str) -> bool:
    """Return whether *lower* may lie in *upper*; True where the gazetteer does not know one."""
    place = _place(upper)
    below = gazetteer.district(lower)
    if place is None or not (below or gazetteer.is_division(lower)) or lower in place.names:
        return True
    today = gazetteer.districts_by_part().get(lower, ()) if below else ()
    within = [part for full in today for part in full.split()[: full.split().index(lower)]]
    known = any(one.startswith(upper) or _place(one) == place for one in within)
    return bool(below) and (known or not today)


def _place(name: str) -> gazetteer.District | None:
    return gazetteer.district(name) or gazetteer.bare_district(name)


def _alone(source: Source, words: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield those of *words* that a rule can make of one item alone, however rarely."""
    if isinstance(source, ComposedRule):
        for pattern in source.composition.patterns:
            if len(pattern.pieces) == 1 and isinstance(pattern.draws[0], Words):
                column = pattern.pieces[0][1]
                items = (item[int(column)] for item in pattern.draws[0].items)
                yield from ((source.line, item) for item in items if item in words)


def _too_few(source: Source) -> Iterator[Problem]:
    if isinstance(source, MentionList):
        if len(source.mentions) < AT_LEAST and not source.complete:
            yield Problem(
                source.path,
                1,
                say.TOO_FEW(number=len(source.mentions), least=AT_LEAST),
            )
        return
    distinct = source.composition.distinct() if isinstance(source, ComposedRule) else _count(source)
    if distinct <= ENOUGH:
        message = say.TOO_FEW_MADE(number=distinct, enough=ENOUGH)
        yield Problem(source.path, source.line, message)
    if isinstance(source, ComposedRule) and not source.shared:
        if source.own < _OWN_WORDS:
            message = say.FEW_OWN(number=source.own, least=_OWN_WORDS)
            yield Problem(source.path, source.line, message)
        if source.without > _WITHOUT:
            message = say.SHARED_ONLY(share=source.without, most=_WITHOUT)
            yield Problem(source.path, source.line, message)


def _count(rule: MadeRule) -> int:
    """Return how many distinct mentions a maker gives; counted up to just above ENOUGH."""
    rng = Random(0)
    made: set[str] = set()
    for _ in range(_DRAWS):
        made.add(rule.make(rng))
        if len(made) > ENOUGH:
            break
    return len(made)


def _looked_at(source: Source, size: int) -> Iterator[tuple[int, str]]:
    """Yield each mention of a list with its line, and some that a rule makes with the rule's."""
    if isinstance(source, MentionList):
        yield from zip(source.lines, source.mentions, strict=True)
        return
    rng = Random(0)
    made = sorted({source.at(rng.getrandbits(128)) for _ in range(size)})
    yield from ((source.line, mention) for mention in made)
