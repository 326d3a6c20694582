"""What a rule looks for, read into parts: words, classes of words, digits, and words it tests.

    <place>에 있는 [X:name]<spot>

Letters stand for themselves, a space for one space, ``~`` for a space or none. ``(a|b)`` is one of
several, ``?`` after a sign, a group or a class makes it optional. ``<class>`` is one word of a list
(``classes.yaml``) or one of ``BUILT_IN``; ``{digits 2-4}``, ``{hangul 2-4}`` and ``{any 1-20}`` are
so many signs of a kind. ``!(a|b)`` is a place behind which none of these stands, ``&(a|b)`` one
behind which one of them does, ``^(a|b)`` one before which none does. ``[X:name]`` and ``[X:word]``
are the mention, ``{R:word}`` is another word that the rule tests or takes its label from;
``[X=다음]`` is a mention that is one of those words, and ``[X:quoted]`` a quotation with its marks,
of which the mention is what stands in it.
``(a|b){2-4}`` is one of them so many times.
Nothing repeats without end, so that no rule can take more than linear time.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from thunder.taxonomy import pattern_messages as say
from thunder.taxonomy.lexicon import LEGAL_FORM, expression
from thunder.taxonomy.lexicon import TAIL as TAIL_CLASS
from thunder.text import lazy

TAIL = expression("<tail>?")
"""What may follow a name within its word."""

OPENING = "'\"‘“`「『<〈《´"
CLOSING = "'\"’”`」』>〉》´"

JOIN = r" {0,2}-{1,2} {0,2}"
"""One hyphen as people type it; ``fold`` makes every dash a hyphen."""

HIDDEN = "*○●◯×xX#■□"
"""What stands for a digit that somebody hid."""

Classes = Mapping[str, "Sequence[str] | Piece"]
"""Lists of words by name, and phrases: parts that several rules share."""

BUILT_IN = {
    "edge": "(?![가-힣])",
    "start": "(?<![가-힣])",
    "no-latin": "(?<![A-Za-z])",
    "no-digit": "(?<![0-9])",
    "end": r"\Z",
    "pause": r"[ ,.)']|\Z",
    "space": " ",
    "tilde": "~",
    "apart": "(?<![0-9A-Za-z가-힣])",
    "blank": r"[ \t\n]{1,40}",
    "until": "[-~]",
    "spread": r"[ \t]{1,8}",
    "line-start": r"(?:\A|\n) {0,40}",
    "open": r"[(\[]",
    "round": r"\(",
    "closed": r"\)",
    "close": r"[)\]]",
    "star": r"\*",
    "digit": "[0-9]",
    "hangul": "[가-힣]",
    "latin": "[A-Za-z]",
    "quote": "['\"‘“’”`´]",
    "opening": f"[{OPENING}]",
    "closing": f"[{CLOSING}]",
    "gap": f"[ {CLOSING}]{{0,4}}",
    "shut": r"[)\]]",
    "bracketed": r"\([^()\n]{0,12}\)",
    "spaces": " {0,2}",
    "break": r"\r?\n",
    "cut": r"-?(?:(?:\\r)?\\n|<br ?/?>)",
    "join": JOIN,
    "to-number": r" {0,2}(?:\r?\n {0,2})?[:=#]? ?[(\[‘“'\"]{0,2}",
}
"""Classes that are no lists: a particle or none, the end and the start of Hangul, a sign …"""

_WIDEST = {
    "edge": 0,
    "start": 0,
    "no-latin": 0,
    "no-digit": 0,
    "end": 0,
    "space": 1,
    "pause": 1,
    "blank": 40,
    "until": 1,
    "open": 1,
    "round": 1,
    "digit": 1,
    "hangul": 1,
    "latin": 1,
    "closed": 1,
    "quote": 1,
    "opening": 1,
    "closing": 1,
    "gap": 4,
}  # of the others it is not known

SIGN_CLASSES = {
    "bar": "|\u2502\u2503/",
    "hidden": "\u25cb\u3007\u25ef\u25a1\u25cf\u25b3\u25ce*\u3147Xx",
    "file-joint": "_\\\u2192",
}
"""Classes of single signs, by some of which a rule is found: borders, hidden letters, joints."""

SHAPES = "○〇◯△□◇☆▽◎◁▷♤♡♧⊙◈▣◐◑●▲■◆★▼◀▶♠♥♣▤▥▨▧▦▩☊◍☉⊕⊗"
"""What stands for a syllable of a name each."""

MASKING = "○△□◇☆▽◎"
_MARKS = "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
_FOREIGN = (
    "\u0400-\u052f\u0531-\u0587\u0590-\u06ff\u0750-\u077f"  # Cyrillic, Armenian, Hebrew, Arabic
    "\u0900-\u10ff\u1200-\u137f\u1780-\u17ff\u1820-\u18aa"  # of India to Georgian, Ethiopic, Khmer
    "\u3041-\u3096\u30a1-\u30fa\u30fc\uff66-\uff9f"  # kana
)
_SIGNS = {
    "digits": "0-9",
    "hangul": "가-힣",
    "latin": "A-Za-z",
    "alnum": "A-Za-z0-9",
    "capital": "A-Z",
    "mixed": "0-9A-Z가-힣",
    "dotted": "0-9. ",
    "listed": "가-힣 ,",
    "circles": MASKING,
    "shapes": SHAPES,
    "veiled": f"{MASKING}가-힣 ",
    "colon": ":：(",
    "hanja": "\u3400-\u9fff\uf900-\ufaff",
    "code": "A-Za-z0-9*#@_:/-",
    "hidable": f"0-9{HIDDEN}",
    "hiding": HIDDEN,
    "upper": "A-Z0-9",
    "serial": "A-Z0-9-",
    "joint": "-.·/",
    "loose-joint": "- .()",
    "starred": "0-9*",
    "stars": "*",
    "sum": "0-9,만억원 ",
    "from-two": "2-9",
    "parting": "/·_~",
    "spelt": "0-9A-Za-z가-힣",
    "unnumbered": "^0-9 ._~/·()\n\r-",
    "unsure": "?*○",
    "half-known": "0-9?*○",
    "handle": "A-Za-z0-9_",
    "handled": "A-Za-z0-9._",
    "of-a-path": "A-Za-z0-9/=_&%@.-",
    "base32": "A-Z2-7",
    "base58": "1-9A-HJ-NP-Za-km-z",
    "bech32": "02-9ac-hj-np-z",
    "great-bech32": "02-9AC-HJ-NP-Z",
    "glue": "A-Za-z{%",
    "hex": "0-9A-Fa-f",
    "hexes": "0-9A-Fa-f:",
    "letters": "A-Za-z가-힣",
    "nick": "A-Za-z가-힣0-9_",
    "no-hangul": "^가-힣",
    "no-letters": r"\W\d_",
    "small": "a-z",
    "number-of-an-item": "0-9.,제-",
    "numerals": "일이삼사오육칠팔구십백천만억조",
    "any": "^\n",
    "clause": "^\n.",
    "undated": "^\n.0-9",
    "aside": "^()\n",
    "unquoted": "^'’\"”`>〉‘“<〈\n",
    "foreign": _FOREIGN,
    "marked": _MARKS,
    "great": "A-Z\u00c0-\u00de\u0110\u1e00-\u1eff",
    "latin-like": f"A-Za-z{_MARKS}'-",
    "in-latin": "A-Za-z0-9&.'’-",
    "latin-name": "A-Za-z'’-",
    "numbered": "0-9,.·-",
    "any-letters": "가-힣A-Za-z0-9",
    "worded": "가-힣0-9 ",
    "ox": "OX",
    "figures": "0-9,",
    "blanks": " \t",
    "between-cases": " ,ㆍ·()0-9\r\n",
}
_COUNTED = re.compile(rf"({'|'.join(_SIGNS)}) (\d{{1,2}})(?:-(\d{{1,2}}))?")
NAMED = re.compile(r"\(\?P<([A-Z])>")
"""How what a letter marks begins in an expression."""

_TIMES = re.compile(r"\{(\d{1,2})(?:-(\d{1,2}))?\}")
_WORD = re.compile(r"([A-Z]):(name|word|quoted)")
_GIVEN = re.compile(r"([A-Z])=(.+)", re.DOTALL)
_SPECIAL = "()|?[]{}<>~*!&^"
_PLAIN = re.compile(rf"[^{re.escape(_SPECIAL)}]+(?!\?|\{{[0-9])")
"""Signs that stand for themselves, but for one that may be missing or is told how often."""
_QUOTATION = 2.5  # how rare one is, in letters of a word that is as rare
_SIGN = 0.25  # one that hides a letter or joins parts of a file's name: rarer than a particle
_RARE_SIGNS = frozenset(SIGN_CLASSES["hidden"] + SIGN_CLASSES["file-joint"])
MOST = 64
_MOST_TIMES = 16
UNKNOWN_WIDTH = 1_000


_IN_BRACKETS = (
    "[X:name], [X:word], [X:quoted], [X=words], {R:word}, {digits 2-4}, {hangul 2-4}, {latin 1-3}, "
    "{any 1-20}, {clause 1-20}"
)


class PatternError(ValueError):
    """What is wrong with a pattern, and what to do."""


class Word(NamedTuple):
    """A word to be tested: its letter, whether a particle at its end is left out, and if it is X's.

    ``kind`` is name (without its particle), word (as it stands between other signs) or quoted (what
    stands between quotation marks).
    """

    letter: str
    kind: str
    masked: bool


class Piece(NamedTuple):
    """A stretch that can be looked for: a regular expression without repetition, its literals.

    ``literals`` are the words one of which it begins with, empty where it may begin with anything;
    ``group`` is the letter that names it, if it is a mention itself; ``choices`` are the parts of
    each alternative, the longest first; ``width`` is how many signs it covers at most; it
    ``is_words`` if it is one of its literals and nothing else.
    """

    regex: str
    literals: tuple[str, ...]
    optional: bool = False
    group: str = ""
    masked: bool = False
    choices: tuple[tuple["Part", ...], ...] = ()
    width: int = UNKNOWN_WIDTH
    is_words: bool = False


Part = Word | Piece


def parsed(pattern: str, classes: Classes) -> list[Part]:
    """Return the parts of *pattern* in order. PatternError says what is wrong, and the cure."""
    parser = _Parser(pattern, classes)
    parts = parser.sequence(closing="")
    if not parts:
        raise PatternError(say.EMPTY())
    for one, other in pairwise(parts):
        if isinstance(one, Word) and isinstance(other, Word):
            raise PatternError(say.RUN_TOGETHER(one=one.letter, other=other.letter))
        if isinstance(one, Piece) and one == other and one.optional:
            raise PatternError(say.OPTIONAL_TWICE())
    return parts


def word_test(pattern: str, classes: Classes) -> Callable[[str], bool]:
    """Return what says of a word whether *pattern* stands for it, as ``word_pattern`` reads that.

    Words, and words behind or before ``*``, need no expression.
    """
    first, *rest = pattern.split("*")
    of_first, *of_rest = (_words_of(part, classes) for part in (first, *rest))
    if of_first and not rest:
        return frozenset(of_first).__contains__
    if of_first and rest == [""]:
        return lambda word: word.startswith(of_first)
    if not first and len(rest) == 1 and (ends := of_rest[0]):
        return lambda word: word.endswith(ends)
    expression = word_pattern(pattern, classes)
    return lambda word: expression.fullmatch(word) is not None


def _words_of(pattern: str, classes: Classes) -> tuple[str, ...]:
    """Return the words of a *pattern* that is nothing else, none for another."""
    part, *rest = parsed(pattern, classes) if pattern else (None,)
    return part.literals if isinstance(part, Piece) and part.is_words and not rest else ()


def word_pattern(pattern: str, classes: Classes) -> re.Pattern[str]:
    """Return the expression for a whole word, in which ``*`` is any signs or none: *역."""
    regex = "".join(
        ".*" if part == "*" else regex_of(parsed(part, classes))
        for part in re.split(r"(\*)", pattern)
        if part
    )
    return lazy.compile(regex, re.DOTALL)


def regex_of(parts: Sequence[Part]) -> str:
    """Return the expression of *parts* that hold no tested word."""
    for part in parts:
        if isinstance(part, Word):
            raise PatternError(say.NO_WORD_HERE(letter=part.letter))
    return "".join(part.regex for part in parts if isinstance(part, Piece))


def width_of(parts: Sequence[Part]) -> int:
    """Return how many signs *parts* that hold no tested word cover at most."""
    return sum(part.width for part in parts if isinstance(part, Piece))


def required_literals(part: Part) -> tuple[str, ...]:
    """Return the words one of which *part* always begins with; none where it may be missing."""
    return part.literals if isinstance(part, Piece) and not part.optional else ()


def beginnings(part: Part) -> list[tuple[tuple[str, ...], tuple[Part, ...]]]:
    """Return the words with which *part* begins and what of it stands behind them, each way.

    None of them is what is longer than its words; empty where they are not known.
    """
    if isinstance(part, Word) or part.optional:
        return []
    if not part.choices:
        return [(part.literals, ())] if part.literals and not part.group else []
    found = []
    for first, *rest in part.choices:
        some = beginnings(first)
        if not some:
            return []
        found += [(words, (*inside, *rest)) for words, inside in some]
    return found


def phrase(pattern: str, classes: Classes) -> Piece:
    """Return the part that a phrase stands for, wherever its name is written."""
    parts = parsed(pattern, classes)
    if len(parts) == 1 and isinstance(parts[0], Piece):
        return parts[0]
    return Piece(
        f"(?:{regex_of(parts)})",
        _literals(parts),
        choices=(tuple(parts),),
        width=width_of(parts),
    )


def triggered(parts: Sequence[Part]) -> list[tuple[tuple[Part, ...], int]]:
    """Return *parts*, each time with the number of the part that triggers them.

    That is a quotation, or the one whose shortest word is the longest, a particle counting least.
    The alternatives of one part are taken apart where each then has a better one. Empty if nothing
    of it must stand in a text.
    """
    weight, at = _best(parts)
    best = [(tuple(parts), at)] if at >= 0 else []
    for number in range(_before_name(parts)):
        part = parts[number]
        if isinstance(part, Piece) and part.choices and not (part.optional or part.group):
            apart = [triggered(choice) for choice in part.choices]
            least = min(map(_weight_of_variants, apart))
            if least > weight:
                head, rest = parts[:number], parts[number + 1 :]
                weight = least
                best = [
                    ((*head, *choice, *rest), number + at) for some in apart for choice, at in some
                ]
    return best


def _weight_of_variants(variants: Sequence[tuple[tuple[Part, ...], int]]) -> float:
    return min((_weight_of_part(one[at]) for one, at in variants), default=0.0)


def _before_name(parts: Sequence[Part]) -> int:
    """Return how many parts may trigger the others.

    Where a name ends is read from its beginning on, so that what triggers it stands before.
    """
    names = [at for at, part in enumerate(parts) if isinstance(part, Word) and part.kind == "name"]
    return min(names, default=len(parts))


def _best(parts: Sequence[Part]) -> tuple[float, int]:
    weights = [_weight_of_part(part) for part in parts[: _before_name(parts)]]
    best = max(weights, default=0.0)
    return (best, weights.index(best)) if best > 0 else (0.0, -1)


def _weight_of_part(part: Part) -> float:
    is_quoted = isinstance(part, Word) and part.kind == "quoted"
    return _QUOTATION if is_quoted else _weight(required_literals(part))


@lru_cache(maxsize=1 << 12)
def _weight(words: tuple[str, ...]) -> float:
    return min(map(_weight_of, words), default=0.0)


@lru_cache(maxsize=1 << 14)
def _weight_of(word: str) -> float:
    letters = sum(map(str.isalnum, word))
    if letters and TAIL.fullmatch(word):
        return 0.5
    return float(letters) or _SIGN * (word in _RARE_SIGNS)


class _Parser:
    def __init__(self, pattern: str, classes: Classes) -> None:
        self._text, self._classes, self._at = pattern, classes, 0

    def sequence(self, closing: str) -> list[Part]:
        parts: list[Part] = []
        while self._at < len(self._text) and self._text[self._at] not in ("|" + closing):
            if word := _PLAIN.match(self._text, self._at):
                self._at = word.end()
                parts.append(_plain(word[0]))
            else:
                parts.append(self._optional(self._one()))
        if self._at < len(self._text) and not closing:
            raise PatternError(say.STANDS_ALONE(sign=self._text[self._at]))
        return parts

    def _optional(self, part: Part) -> Part:
        times = _TIMES.match(self._text, self._at)
        if times is None and self._text[self._at : self._at + 1] != "?":
            return part
        self._at += len(times[0]) if times else 1
        if isinstance(part, Word) or part.group:
            raise PatternError(say.OPTIONAL_MENTION())
        if self._text[self._at : self._at + 1] == "?":
            raise PatternError(say.TWICE_OPTIONAL())
        if times:
            return self._repeated(part, int(times[1]), int(times[2] or times[1]))
        return Piece(f"(?:{part.regex})?", part.literals, optional=True, width=part.width)

    def _repeated(self, part: Piece, least: int, most: int) -> Piece:
        if part.optional or least > most or most > _MOST_TIMES:
            raise PatternError(say.WRONG_COUNT(written=f"{least}-{most}", most=_MOST_TIMES))
        if lazy.runs_into_itself(part.regex):
            raise PatternError(say.RUNS_INTO_ITSELF())
        is_class = part.regex[0] == "[" and part.regex.find("]") == len(part.regex) - 1
        regex = f"{part.regex if is_class else f'(?:{part.regex})'}{{{least},{most}}}"
        return Piece(regex, part.literals, optional=not least, width=part.width * most)

    def _one(self) -> Part:
        sign = self._text[self._at]
        if sign == "(":
            return self._alternatives()
        if sign in "!&^":
            return self._place(sign)
        if sign in "[{<":
            return self._bracketed(sign)
        if sign == "~":
            self._at += 1
            return Piece(" ?", (), optional=True, width=1)
        if sign in _SPECIAL:
            raise PatternError(say.NOT_HERE(sign=sign))
        self._at += 1
        return _plain(sign)

    def _alternatives(self) -> Piece:
        self._at += 1
        found: list[list[Part]] = [self.sequence(closing=")")]
        while self._text[self._at : self._at + 1] == "|":
            self._at += 1
            found.append(self.sequence(closing=")"))
        if self._text[self._at : self._at + 1] != ")":
            raise PatternError(say.NOT_CLOSED(opening="(", closing=")"))
        self._at += 1
        of_regex = {regex_of(parts): tuple(parts) for parts in found}
        if "" in of_regex:
            raise PatternError(say.EMPTY_ALTERNATIVE())
        if len(of_regex) < len(found):
            raise PatternError(say.ALTERNATIVE_TWICE())
        regexes = sorted(of_regex, key=len, reverse=True)  # 지점 before 점
        choices = tuple(map(of_regex.__getitem__, regexes))
        literals = [_literals(parts) for parts in choices]
        known = tuple(word for one in literals for word in one) if all(literals) else ()
        width = max(map(width_of, choices))
        are_words = all(len(one) == 1 and getattr(one[0], "is_words", False) for one in choices)
        regex = f"(?:{'|'.join(regexes)})"
        return Piece(regex, known, choices=choices, width=width, is_words=are_words)

    def _place(self, sign: str) -> Piece:
        """Return what takes no sign itself: a place beside which something stands, or does not."""
        self._at += 1
        if self._text[self._at : self._at + 1] != "(":
            raise PatternError(say.NEEDS_BRACKETS(sign=sign))
        inside = self._alternatives()
        if sign == "^":
            regex = "".join(f"(?<!{regex_of(one)})" for one in inside.choices)
            try:
                re.compile(regex)
            except re.error as error:
                raise PatternError(say.BEFORE_OF_ONE_WIDTH(why=error)) from error
            return Piece(regex, (), width=0)
        kind = "!" if sign == "!" else "="
        return Piece(f"(?{kind}{inside.regex})", (), width=inside.width)

    def _bracketed(self, opening: str) -> Part:
        closing = {"[": "]", "{": "}", "<": ">"}[opening]
        end = self._text.find(closing, self._at)
        if end < 0:
            raise PatternError(say.NOT_CLOSED(opening=opening, closing=closing))
        inside = self._text[self._at + 1 : end]
        self._at = end + 1
        if opening == "<":
            return self._class(inside)
        if word := _WORD.fullmatch(inside):
            return Word(word[1], word[2], opening == "[")
        if given := _GIVEN.fullmatch(inside):
            piece = _Parser(f"({given[2]})", self._classes)._alternatives()
            return Piece(
                f"(?P<{given[1]}>{piece.regex})",
                piece.literals,
                group=given[1],
                masked=opening == "[",
                choices=piece.choices,
                width=piece.width,
            )
        named, _, kind = inside.rpartition(":")
        counted = _COUNTED.fullmatch(kind)
        if counted is None or (opening == "[" and not named) or (named and not _is_letter(named)):
            raise PatternError(
                say.UNKNOWN_BRACKETS(written=f"{opening}{inside}{closing}", known=_IN_BRACKETS)
            )
        least, most = int(counted[2]), int(counted[3] or counted[2])
        if least > most or most > MOST:
            raise PatternError(say.WRONG_COUNT(written=kind, most=MOST))
        regex = f"[{_SIGNS[counted[1]]}]" + f"{{{least},{most}}}" * ((least, most) != (1, 1))
        if named:
            is_masked = opening == "["
            return Piece(f"(?P<{named}>{regex})", (), False, named, is_masked, width=most)
        return Piece(regex, (), optional=not least, width=most)

    def _class(self, name: str) -> Piece:
        if name in (TAIL_CLASS, LEGAL_FORM):
            regex = expression(f"<{name}>" + "?" * (name == TAIL_CLASS)).pattern
            return Piece(f"(?:{regex})", (), optional=name == TAIL_CLASS)
        if name in BUILT_IN:
            return Piece(
                f"(?:{BUILT_IN[name]})",
                (),
                optional=name == "gap",
                width=_WIDEST.get(name, UNKNOWN_WIDTH),
            )
        if name in SIGN_CLASSES:
            signs = SIGN_CLASSES[name]
            return Piece(f"[{re.escape(signs)}]", tuple(signs), width=1)
        if name not in self._classes:
            near = ", ".join(get_close_matches(name, self._classes, n=5, cutoff=0.6))
            raise PatternError(
                say.UNKNOWN_CLASS_MEANT(name=name, meant=near)
                if near
                else say.UNKNOWN_CLASS(name=name)
            )
        known = self._classes[name]
        return known if isinstance(known, Piece) else _of_class(tuple(known))


@lru_cache(maxsize=1 << 10)  # rules name the same classes, some of them of hundreds of words
def _of_class(known: tuple[str, ...]) -> Piece:
    words = tuple(sorted(known, key=len, reverse=True))
    if all(len(word) == 1 for word in words):
        return Piece(f"[{re.escape(''.join(words))}]", words, width=1, is_words=True)
    longest = max(map(len, words), default=0)
    return Piece(f"(?:{lazy.any_of(words)})", words, width=longest, is_words=True)


def _plain(word: str) -> Piece:
    return Piece(re.escape(word), (word,), width=len(word), is_words=True)


def _is_letter(name: str) -> bool:
    return len(name) == 1 and "A" <= name <= "Z"


def _literals(parts: Sequence[Part]) -> tuple[str, ...]:
    return required_literals(parts[0]) if parts else ()
