"""Tables that people edit: the tab-separated files of ``taxonomy/cues`` and ``taxonomy/gazetteer``.

What each column of a table may hold stands here once, so that a wrong row is refused with its file,
its line and the cure before any judgment is read; a taxonomy of one's own may hold others of the
same columns.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from thunder.settings.resources import in_taxonomy, own_taxonomy, unread_files
from thunder.settings.yamlfile import Problem, YamlFileError, decoded
from thunder.taxonomy import messages as say
from thunder.taxonomy.own import working

CUES, GAZETTEER = "cues", "gazetteer"
TEXT, ONCE, MAYBE, NUMBER, LABEL, LAYOUTS = "text", "once", "maybe", "number", "label", "layouts"
"""A word or words; the same, in one row only; the same, or nothing; a number; a label by its id and
name (645 주식회사); how many digits each group of a number has (3-2-6), one after the other."""

_GROUPS = ("party", "kin", "office", "official", "counsel", "relation")
_SOUNDS = ("any", "consonant", "vowel", "light")
_TAILS = ("particle", "copula", "list", "pet", "noun")
_STANDINGS = (
    *("accused", "any", "deceased", "defendant", "expert", "guarantor", "intervener", "outsider"),
    *("plaintiff", "victim", "witness"),
)
Column = str | tuple[str, ...]
"""TEXT, ONCE, MAYBE, NUMBER, LABEL, LAYOUTS, or the words of which one must stand there."""

COLUMNS: Mapping[str, Mapping[str, Column]] = {
    "cues/account_layouts": {"bank": ONCE, "layouts": LAYOUTS},
    "cues/behind_roles": {"words": TEXT},
    "cues/defined_words": {
        "kind": ("party", "role", "kin", "body", "thing", "scope", "none"),
        "words": TEXT,
    },
    "cues/foreign_syllables": {"level": NUMBER, "syllables": TEXT},
    "cues/given_syllables": {"syllable": ONCE, "first": NUMBER, "second": NUMBER, "alone": NUMBER},
    "cues/instance_roles": {"word": ONCE, "standing": _STANDINGS},
    "cues/legal_forms": {"form": ONCE, "label": LABEL, "where": ("anywhere", "apart")},
    "cues/mention_labels": {"group": TEXT, "label": LABEL},
    "cues/name_evidence": {"evidence": ONCE, "weight": NUMBER, "reason": TEXT},
    "cues/nationalities": {"word": ONCE, "label": LABEL},
    "cues/no_names": {"kind": ("role", "procedure", "office", "word"), "words": TEXT},
    "cues/ordinary_words": {"alone": NUMBER, "before a particle": NUMBER, "words": TEXT},
    "cues/party_bodies": {"noun": ONCE, "label": LABEL},
    "cues/person_roles": {"word": ONCE, "group": _GROUPS},
    "cues/placeholder_divisions": {"division": ONCE, "label": LABEL},
    "cues/placeholder_endings": {"noun": ONCE, "label": LABEL},
    "cues/placeholder_labels": {"group": TEXT, "label": LABEL},
    "cues/placeholder_nouns": {"noun": ONCE, "label": LABEL},
    "cues/said_numbers": {"word": ONCE, "label": LABEL},
    "cues/surnames": {"surname": ONCE, "per_10000": NUMBER},
    "cues/tails": {
        "whose": ("person", "thing", "both"),
        "after": _SOUNDS,
        "kind": _TAILS,
        "words": TEXT,
        "endings": TEXT,
    },
    "cues/told_of_persons": {"place": TEXT, "weight": NUMBER, "stems": TEXT},
    "cues/titles": {"title": ONCE, "after_surname": ("joined", "spaced", "clear", "never")},
    "cues/cc-by-nc-sa-4.0/person_place_weights": {"evidence": TEXT, "weight": NUMBER},
    "cues/cc-by-nc-sa-4.0/person_word_weights": {
        "evidence": TEXT,
        "free": NUMBER,
        "cued": NUMBER,
        "sure": NUMBER,
    },
    "gazetteer/changes": {"name": ONCE, "successors": TEXT},
    "gazetteer/companies": {
        "name": ONCE,
        "label": LABEL,
        "when": ("account", "alone", "bank", "bank's", "brand", "latin"),
    },
    "gazetteer/divisions": {"province": TEXT, "district": TEXT, "town": MAYBE, "names": TEXT},
    "gazetteer/political_parties": {"name": ONCE, "when": ("alone", "cue", "post")},
    "gazetteer/roads": {"road": ONCE},
    "gazetteer/stations": {"name": ONCE},
}
"""The columns of each table, in order."""

_LABEL = re.compile(r"([0-9]+) (.+)")
_LAYOUT = re.compile(r"[1-9][0-9]?(?:-[1-9][0-9]?)+")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?")


def table(name: str) -> list[list[str]]:
    """Return the rows of ``cues/NAME`` or ``gazetteer/NAME``, a label as its name.

    Comments (#), empty lines and a line that names the columns are left out. YamlFileError names
    every wrong row with file, line and cure; KeyError a table that has no columns here.
    """
    path = file_of(name)
    return rows_of(path, COLUMNS[name])


def file_of(name: str) -> Path:
    """Return the file of the table *name*: one's own before the shipped one."""
    return in_taxonomy(*f"{name}.tsv".split("/"))


def problems() -> Iterator[Problem]:
    """Yield everything wrong with the tables in use."""
    for name, columns in COLUMNS.items():
        try:
            rows_of(file_of(name), columns)
        except YamlFileError as error:
            yield from error.problems


def unread() -> Iterator[Problem]:
    """Yield the data files of a taxonomy of one's own that nothing reads."""
    own = own_taxonomy()
    for path, name in unread_files(own).items() if own else ():
        meant = say.MEANT(name=name) if name else ""
        yield Problem(path, 1, say.UNREAD(meant=meant))


def rows_of(path: Path, columns: Mapping[str, Column]) -> list[list[str]]:
    """Return the rows of the table *path* that has *columns*; errors as in ``table``."""
    found: list[list[str]] = []
    wrong: list[Problem] = []
    checks = [(at, kind) for at, kind in enumerate(columns.values()) if kind is not MAYBE]
    once = [at for at, kind in enumerate(columns.values()) if kind is ONCE]
    first: dict[str, int] = {}
    labels = _labels() if LABEL in columns.values() else {}
    text = decoded(path, path.read_bytes())
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        row = line.split("\t")
        if len(row) != len(columns):
            needed = ", ".join(columns)
            said = say.FIELDS(found=len(row), needed=len(columns), columns=needed)
            wrong.append(Problem(path, number, said))
            continue
        if row == [*columns]:
            continue
        for at, kind in checks:
            said = _fault(row, at, kind, labels)
            if said:
                wrong.append(Problem(path, number, said))
        for at in once:
            stands = first.setdefault(row[at], number)
            if stands != number:
                wrong.append(Problem(path, number, say.ROW_TWICE(written=row[at], first=stands)))
        found.append(row)
    if wrong:
        raise YamlFileError(wrong)
    if not found:
        raise YamlFileError([Problem(path, 1, say.NO_ROWS())])
    return found


def _fault(row: list[str], at: int, kind: Column, labels: Mapping[str, str]) -> str:
    """Return what is wrong with a field of *row*, "" if nothing; a label becomes its name."""
    field = row[at]
    if kind is LABEL:
        name = label_called(field, labels)
        if not name:
            return say.NO_LABEL_THERE(written=field, meant=meant(field))
        row[at] = name
    elif not field.strip():
        return say.EMPTY_FIELD(column=at + 1)
    elif kind is NUMBER:
        return "" if _NUMBER.fullmatch(field) else say.NO_NUMBER(written=field)
    elif kind is LAYOUTS:
        wrong = next((one for one in field.split() if not _LAYOUT.fullmatch(one)), None)
        return say.NO_LAYOUT(written=wrong) if wrong else ""
    elif not isinstance(kind, str) and field not in kind:
        return say.NO_CHOICE(written=field, choices=", ".join(kind))
    return ""


def label_called(written: str, labels: Mapping[str, str] | None = None) -> str:
    """Return the name of the label that is *written* with its id, "" for one that is unknown.

    Its name may have been changed; the name that is another label's now is none of its. *labels*
    are the names by id, for who asks of many; those in use without.
    """
    read = _LABEL.fullmatch(written)
    known = _labels() if labels is None else labels
    name = known.get(str(int(read[1])), "") if read else ""
    is_others = read is not None and read[2] != name and read[2] in known.values()
    return "" if is_others else name


def meant(written: str) -> str:
    """Return the label, with its id, whose name is *written* (with another id or none); else one
    as an example.
    """
    name = written.split(" ", 1)[-1].strip()
    number = next((number for number, known in _labels().items() if known == name), None)
    return f"{number} {name}" if number else "645 주식회사"


def _labels() -> dict[str, str]:
    return {str(one.id): one.ko for one in working()}
