"""The lexicon: lists of words and legal forms, each written once, for whoever reads text.

A class is a list of ``taxonomy/patterns/classes.yaml`` that rules, signs and expressions name in
< >, a group of ``taxonomy/cues/person_roles.tsv`` (party, kin …), or the words of
the banks of ``account_layouts.tsv``; the legal forms are
``taxonomy/cues/legal_forms.tsv``, a tail what may follow the name of a thing within its word
(``taxonomy/cues/tails.tsv``), a district any 시·군·구 of today without that syllable, and a town
any 시·도·군·구 so written, former ones, too. A taxonomy of one's own may hold others.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, product
from pathlib import Path
from typing import NamedTuple

from thunder.settings.resources import in_taxonomy
from thunder.settings.yamlfile import Reader, YamlFileError
from thunder.taxonomy import gazetteer, tables
from thunder.taxonomy import pattern_messages as say
from thunder.text import lazy

PATTERNS, CLASSES, FORMATS = "patterns", "classes.yaml", "formats.yaml"
LEGAL_FORM, DISTRICT, TAIL = "legal-form", "district", "tail"
BANK, TOWN = "bank", "town"
PERSON, THING = "person", "thing"
"""Behind whose name a tail stands."""

_WORD_OF_CLASS = re.compile(r"[^<>(){}\[\]|?~*\n]+")
_NAMED = re.compile(r"(?<!\?P)<([a-z][a-z-]*)>")
_APART = "apart"


def file_of(place: Path | None, name: str) -> Path:
    """Return the file *name* of the folder *place* of patterns; without one the file in use."""
    return place / name if place else in_taxonomy(PATTERNS, name)


@lru_cache(maxsize=4)
def classes_of(place: Path | None) -> Mapping[str, tuple[str, ...]]:
    """Return the words of each class of the folder *place* (or in use), by the class's name.

    YamlFileError names every fault with file, line and cure.
    """
    reader = Reader(file_of(place, CLASSES))
    found: dict[str, tuple[str, ...]] = {}
    for name, node in reader.mapping(reader.root).items():
        words: dict[str, None] = {}
        for item in reader.sequence(node):
            word = reader.text(item)
            if word.startswith("<") and word.endswith(">"):  # the words of a class above
                if word[1:-1] in found:
                    words |= dict.fromkeys(found[word[1:-1]])
                else:
                    reader.refuse(item, say.NOT_ABOVE(word=word))
                continue
            spellings = dict.fromkeys(_spellings(word) if "~" in word else (word,))
            if not words.keys().isdisjoint(spellings):
                reader.refuse(item, say.WORD_TWICE(word=word, name=name))
            elif not _WORD_OF_CLASS.fullmatch(next(iter(spellings))):
                reader.refuse(item, say.SIGN_OF_LANGUAGE(word=word))
            else:
                words |= spellings
        if not words:
            reader.refuse(node, say.NO_WORDS(name=name))
        found[name] = tuple(words)
    for group, of_group in (*role_groups().items(), *_of_tables()):
        if group in found:
            said = say.GROUP_ALREADY if group in role_groups() else say.TABLE_ALREADY
            reader.refuse(1, said(name=group))
        found[group] = of_group
    found[BANK] = tuple(account_layouts())
    found[DISTRICT] = tuple(gazetteer.district_stems())
    found[TOWN] = tuple(sorted(gazetteer.bare_names()))
    if reader.problems:
        raise YamlFileError(reader.problems)
    return found


def _spellings(word: str) -> Iterator[str]:
    """Yield *word* with a space or none wherever it has a ``~``: 계좌번호, 계좌 번호."""
    pieces = word.split("~")
    for gaps in product(("", " "), repeat=len(pieces) - 1):
        yield "".join(chain.from_iterable(zip(pieces, (*gaps, ""), strict=True)))


def _of_tables() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the words of tables that rules name: of surnames, nations, titles, tails."""
    yield "surname", tuple(row[0] for row in table("surnames"))
    yield "nation", tuple(row[0] for row in table("nationalities"))
    yield "title", tuple(row[0] for row in table("titles"))
    defined = (words.split() for _, words in table("defined_words"))
    yield "defined-word", tuple(word for one in defined for word in one if len(word) > 1)
    tails = tails_of(PERSON)
    yield "person-tail", tuple(dict.fromkeys(one.text for one in tails if one.kind != "noun"))
    yield "title-tail", tuple(dict.fromkeys(one.text for one in tails if one.kind == "noun"))


@lru_cache(maxsize=1)
def role_groups() -> Mapping[str, tuple[str, ...]]:
    """Return the words before a name by their group: party, kin, office, official, counsel …"""
    groups: dict[str, tuple[str, ...]] = {}
    for word, group in table("person_roles"):
        groups[group] = (*groups.get(group, ()), word)
    return groups


def table(name: str) -> list[list[str]]:
    """Return the rows of ``taxonomy/cues/NAME.tsv``; errors as in ``taxonomy.tables``."""
    return tables.table(f"{tables.CUES}/{name}")


@lru_cache(maxsize=1)
def account_layouts() -> Mapping[str, tuple[str, ...]]:
    """Return how each bank groups the digits of an account ("3-2-6")."""
    return {bank: tuple(layouts.split()) for bank, layouts in table("account_layouts")}


class Tail(NamedTuple):
    """What may follow a name within its word, behind which sound, and its kind."""

    text: str
    after: str
    kind: str


@lru_cache(maxsize=2)
def tails_of(whose: str) -> tuple[Tail, ...]:
    """Return the tails of the names of a person or of things (PERSON, THING), in the table's order.

    Those of the kind noun stand behind a noun or a title only.
    """
    rows = table("tails")
    nouns = [word for *_, kind, words, _ in rows if kind == "noun" for word in words.split()]
    return tuple(
        Tail(word + ending, after, kind)
        for who, after, kind, words, endings in rows
        if who in (whose, "both")
        for word in words.split()
        for ending in (["-", *nouns] if endings == "*" else endings.split())
        for ending in (ending.strip("-"),)
    )


@lru_cache(maxsize=1)
def legal_forms() -> Mapping[str, str]:
    """Return the label of what bears each legal form, by the form without spaces."""
    return {form: label for form, label, _ in table("legal_forms")}


@lru_cache(maxsize=8)
def labels_of(name: str) -> Mapping[str, str]:
    """Return the label of each word of ``taxonomy/cues/NAME.tsv``: rows of word and label."""
    return {word: label for word, label in table(name)}


@lru_cache(maxsize=8)
def label_groups(name: str) -> Mapping[str, frozenset[str]]:
    """Return the labels of each group of ``taxonomy/cues/NAME.tsv``: rows of group and label."""
    groups: dict[str, set[str]] = {}
    for group, label in table(name):
        groups.setdefault(group, set()).add(label)
    return {group: frozenset(labels) for group, labels in groups.items()}


@lru_cache(maxsize=512)
def expression(written: str, flags: int = 0, *, needs: Sequence[str] = ()) -> re.Pattern[str]:
    """Return *written*, in which <party> is any word of that class, compiled when first asked.

    <legal-form> is any legal form; a space may stand within its brackets. The longest word comes
    first. *needs* as in ``lazy.compile``, "<party>" for each of its words. Once asked, KeyError
    names a class that the lexicon lacks.
    """
    asked = partial(_each, needs) if needs and not isinstance(needs, str) else needs
    return lazy.compile(written, flags, needs=asked, read=_read)


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of the class *name*; KeyError names one that the lexicon lacks."""
    if name == TAIL:
        return tuple(one.text for one in tails_of(THING))
    found = classes_of(None).get(name)
    if found is None:
        raise KeyError(f"{file_of(None, CLASSES)} has no class <{name}>, which the finders read")
    return found


def _each(needs: Sequence[str]) -> list[str]:
    return [word for need in needs for word in (words_of(need[1:-1]) if need[0] == "<" else [need])]


def _read(written: str) -> str:
    return _NAMED.sub(lambda match: _class(match[1]), written)


def _class(name: str) -> str:
    if name == LEGAL_FORM:
        longest_first = sorted(table("legal_forms"), key=lambda row: -len(row[0]))
        return f"(?:{'|'.join(_form(form, where) for form, _, where in longest_first)})"
    return f"(?:{lazy.any_of(words_of(name))})"


def _form(form: str, where: str) -> str:
    if form.startswith("("):
        return rf"\( ?{re.escape(form[1:-1])} ?\)"
    return rf"(?<![가-힣]){re.escape(form)}" if where == _APART else re.escape(form)
