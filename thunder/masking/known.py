"""What is decided of a judgment before it is read: certain names, words that stay, letters.

A case system knows the parties; a clerk has corrected a result; an earlier instance has given
out letters. Nothing overrides such a decision.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from thunder.masking import messages as say
from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span, require_disjoint

PERSON = "내국인이름"
_COLUMNS = "말[탭]분류[탭]글자"


@dataclass(frozen=True, slots=True)
class Name:
    """Somebody or something that is masked wherever it stands.

    - ``forms``: its wordings (강도윤, 도윤); at least one, none empty, else ValueError.
    - ``label``: what it is, a name of the taxonomy.
    - ``letter``: what it is written as; without one it gets the next.
    """

    forms: tuple[str, ...] = field(repr=False)
    label: str = PERSON
    letter: str = ""

    def __post_init__(self) -> None:
        if not self.forms or not all(form.strip() for form in self.forms):
            raise ValueError(say.NO_FORM())


@dataclass(frozen=True, slots=True)
class Known:
    """Decisions that are taken already; what they do not speak of is decided as ever.

    - ``names``: masked wherever they stand.
    - ``kept``: wordings that stay readable wherever they stand.
    - ``masked``, ``readable``: places of this one text, in its code points. A place counts more
      than a wording.
    - ``same``: groups of wordings, each of which is one person or thing.
    - ``letters``: wordings, and the letter that each has already.

    ValueError where two of them contradict each other.
    """

    names: tuple[Name, ...] = ()
    kept: tuple[str, ...] = field(default=(), repr=False)
    masked: tuple[Span, ...] = ()
    readable: tuple[tuple[int, int], ...] = ()
    same: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    letters: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        forms = [form for name in self.names for form in name.forms]
        if set(forms) & set(self.kept):
            raise ValueError(say.BOTH())
        if len(set(forms)) < len(forms):
            raise ValueError(say.ONE_NAME())
        places = [*self.masked, *(Span(start, end, "") for start, end in self.readable)]
        require_disjoint(sorted(places), length=max((one.end for one in places), default=0))

    def __bool__(self) -> bool:
        return any((self.names, self.kept, self.masked, self.readable, self.same, self.letters))

    def one(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield the wordings that are one person or thing, and its letter ("" for any)."""
        yield from ((name.forms, name.letter) for name in self.names)
        yield from ((wordings, "") for wordings in self.same)
        yield from (((wording,), letter) for wording, letter in self.letters.items())


NOTHING_KNOWN = Known()


def read_names(path: Path, taxonomy: Taxonomy) -> tuple[Name, ...]:
    """Return the names listed in the file *path*: a line each, in UTF-8.

    The columns are parted by tabulators: the wording, forms of one name parted by ``|``; its
    label (내국인이름 without one); its letter (the next without one). Blank lines and lines that
    begin with ``#`` do not count. ValueError names the file and the line, and quotes nothing.
    """
    names: list[Name] = []
    seen: set[str] = set()
    for number, line in _lines(path):
        cells = [cell.strip() for cell in line.split("\t")]
        wording, label, letter = (*cells, "", "")[:3]
        forms = tuple(form.strip() for form in wording.split("|"))
        if len(cells) > 3 or not all(forms):
            raise ValueError(say.COLUMNS(place=f"{path}:{number}", columns=_COLUMNS))
        try:
            label = taxonomy.label(label or PERSON).ko
        except LookupError as error:
            raise ValueError(f"{path}:{number}: {error.args[0]}") from None
        if len(set(forms)) < len(forms) or seen & set(forms):
            raise ValueError(say.NAMED_BEFORE(place=f"{path}:{number}"))
        seen.update(forms)
        names.append(Name(forms, label, letter))
    return tuple(names)


def read_kept(path: Path) -> tuple[str, ...]:
    """Return the wordings listed in the file *path*, a line each: they stay readable.

    Blank lines and lines that begin with ``#`` do not count.
    """
    return tuple(dict.fromkeys(line.strip() for _, line in _lines(path)))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(say.NO_UTF_8(path=path)) from error
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line
