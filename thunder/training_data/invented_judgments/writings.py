"""The facts of invented writings that are no judgments: from the indictment to the newspaper."""

import csv
import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from thunder.taxonomy import load
from thunder.text.spans import Span, replace_spans
from thunder.training_data.invented_judgments import civil, criminal, parties
from thunder.training_data.invented_judgments.cases import PIECES, Case, invented_name

_ASIDES = 20
_WRITERS = (
    "by_victim",
    "by_mother",
    "by_spouse",
    "by_neighbour",
    "by_colleague",
    "by_friend",
    "by_pastor",
)
_QUESTIONS = ("is_lease", "is_loan", "is_wage", "is_harm", "is_online", "is_family")
_POLITE = frozenset({"pleading", "petition", "advice"})
"""The kinds whose sentences end politely: they are written in plain form and turned."""


def decision(case: Case) -> None:
    """Return once *case* is one that a court orders without a judgment (결정)."""
    if case.rng.random() < 0.7:
        _told(case, civil.KINDS, family="civil")
        actors: tuple[str, ...] = ("{plaintiff}", "{defendant}")
        code = case.rng.choice(("카단", "카합"))
        case.set(decision_name=case.rng.choice(("부동산가압류", "채권가압류", "처분금지가처분")))
        year = case.facts["filed_year"]
    else:
        _told(case, criminal.KINDS, family="criminal", without=("drunk_driving",))
        actors, code = ("{accused}",), "초보"
        case.sum("sum_small", case.rng.randrange(10, 300) * 100_000)
        case.set(decision_name=case.rng.choice(("보석허가청구", "구속취소", "정식재판청구")))
        year = case.facts["indicted_year"]
    case.set(decision_number=f"{year}{code}{case.rng.randint(101, 29_999)}")
    case.flag("attached", 0.6)
    _asides(case, actors=actors)


def indictment(case: Case) -> None:
    """Return once *case* is one that a prosecutor brings (공소장)."""
    _told(case, criminal.KINDS, family="criminal")
    office = re.sub("법원(?= |$)", "검찰청", case.court.court)
    case.set(prosecution=office)
    _asides(case, actors=("피고인",))


def pleading(case: Case) -> None:
    """Return once *case* is one that a party writes about to the court (소장, 준비서면)."""
    _told(case, civil.KINDS, family="civil")
    case.entity("corporate_number", "법인등록번호", omission="법인등록번호")
    case.flag("is_complaint", 0.5)
    case.set(by_plaintiff=bool(case.facts["is_complaint"]) or case.rng.random() < 0.5)
    case.facts.setdefault("argued", case.facts["decided"])
    _asides(case, actors=("원고", "피고"))


def petition(case: Case) -> None:
    """Return once *case* is one about which somebody writes to the court (탄원서, 진술서)."""
    _told(case, criminal.KINDS, family="criminal", without=("drunk_driving",))
    case.one_of(*_WRITERS, weights=(3, 2, 2, 2, 2, 2, 1))
    case.set(writer="{victim}" if case.facts["by_victim"] else "{petitioner}")
    case.entity("petitioner", "내국인이름")
    case.sum("sum_small", case.rng.randrange(2, 90) * 100_000)
    hurt = bool(case.facts["by_victim"])
    _asides(case, actors=("저",) if hurt else ("{accused}", "{accused}", "저"))


def advice(case: Case) -> None:
    """Return once *case* is a question to legal aid, and its answer (법률상담)."""
    case.start("contracted", years=(2016, 2023))
    case.one_of(*_QUESTIONS)
    for key in ("debtor", "writer", "child"):
        parties.person(case, key)
    case.sum("sum_small", case.rng.randrange(3, 200) * 10_000)
    case.sum("sum_large", case.rng.randrange(3, 260) * 1_000_000)
    for side in ("p", "d"):
        case.set(**{f"{side}_lawyer": invented_name(case.rng)})
    before = case.days[-1]
    case.set(precedent=parties.precedent(case.rng, before=before, code="다"))
    _asides(case, actors=("저", "{debtor}"))


def news(case: Case) -> None:
    """Return once *case* is one that a newspaper tells (뉴스)."""
    _told(case, criminal.KINDS, family="criminal", without=("drunk_driving",))
    case.set(news_writer=invented_name(case.rng))
    case.set(years=str(case.rng.randint(2, 9)))
    _asides(case, actors=("{accused}씨", "{victim}씨", "그"))


WRITINGS: Mapping[str, Callable[[Case], None]] = {
    "decision": decision,
    "indictment": indictment,
    "pleading": pleading,
    "petition": petition,
    "advice": advice,
    "news": news,
}


def worded(kind: str, text: str, spans: tuple[Span, ...]) -> tuple[str, tuple[Span, ...]]:
    """Return a text with the words and endings that a *kind* of writing has, its spans moved.

    What is told in the words of judgments has 채권자 and 채무자 in a decision, and ends politely
    where somebody writes to a court.
    """
    changed: Callable[[str], str]
    if kind in _POLITE:
        pattern, changed = _PLAIN_END, _polite
    elif kind == "decision":
        pattern, changed = _PARTY, _PARTIES.__getitem__
    else:
        return text, spans
    marks = [Span(found.start(), found.end(), _WORDED) for found in pattern.finditer(text)]

    def written(span: Span) -> str:
        own = text[span.start : span.end]
        return changed(own) if span.label == _WORDED else own

    new, changes = replace_spans(text, sorted([*spans, *marks]), written)
    kept = [change for change in changes if change.span.label != _WORDED]
    return new, tuple(Span(one.new_start, one.new_end, one.span.label) for one in kept)


_WORDED = "worded"
_PLAIN_END = re.compile(r"(?:[가-힣](?<!니)|(?<=아)니)다(?=[.?!](?:\s|$|”|\))|\(이하 )")
_PARTIES = {"원고": "채권자", "피고": "채무자"}
_PARTY = re.compile("(?<![가-힣])(?:원고|피고(?!인))")
_JONG_N, _JONG_B = 4, 17


def _polite(ending: str) -> str:
    """Return the polite form of a plain one's last two syllables: 했다, 한다, 이다, 않는다."""
    stem = ending[0]
    if stem == "는":  # 않는다: 않습니다
        return "습니다"
    open_syllable, final = divmod(ord(stem) - ord("가"), 28)
    if final == _JONG_N or final == 0:
        return chr(ord("가") + open_syllable * 28 + _JONG_B) + "니다"
    return f"{stem}습니다"


def _told(
    case: Case,
    kinds: Mapping[str, Callable[[Case], None]],
    *,
    family: str,
    without: tuple[str, ...] = (),
) -> None:
    """Return once *case* has the facts of an invented judgment of one of *kinds*."""
    kind = case.rng.choice([name for name in kinds if name not in without])
    kinds[kind](case)
    case.facts |= {f"is_{family}": True, f"k_{kind}": True}
    case.facts.setdefault("is_civil", False)


def _asides(case: Case, *, actors: tuple[str, ...]) -> None:
    """Return once the case has sentences that hold labels drawn evenly from all that have any."""
    labels = sorted(_told_of())
    for number, label in enumerate(case.rng.sample(labels, _ASIDES), 1):
        sentence = case.rng.choice(_told_of()[label])
        for slot in ("x", "x2"):
            case.entity(f"aside{number}_{slot}", label)
            sentence = sentence.replace(f"{{{slot}}}", f"{{aside{number}_{slot}}}")
        said = {"n": label, "actor": case.rng.choice(actors)}
        for slot, words in said.items():  # facts of their own: particles behind them agree
            case.facts[f"aside{number}_{slot}"] = words
            sentence = sentence.replace(f"{{{slot}}}", f"{{aside{number}_{slot}}}")
        case.facts[f"aside{number}"] = sentence


@lru_cache(maxsize=1)
def _told_of() -> Mapping[str, tuple[str, ...]]:
    """Return what can be said of each label: its own sentences, else those of its category.

    ValueError for a row of ``asides.tsv`` that names neither.
    """
    with (PIECES / "asides.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    taxonomy = load()
    categories = {f"{one.subcategory}/{one.category}" for one in taxonomy}
    known = {one.ko for one in taxonomy} | categories
    for number, row in enumerate(rows, 2):
        if row["of"] not in known and row["of"] not in {c.partition("/")[0] for c in categories}:
            raise ValueError(f"asides.tsv:{number}: '{row['of']}' is no label and no category")
    found: dict[str, tuple[str, ...]] = {}
    for label in taxonomy:
        for name in (label.ko, f"{label.subcategory}/{label.category}", label.subcategory):
            sentences = tuple(row["sentence"] for row in rows if row["of"] == name)
            if sentences:
                found[label.ko] = sentences
                break
    return found
