"""Print how varied the invented judgments are, beside the public annotated ones, in one run.

    python benchmarks/diversity.py --documents 600

Both corpora give the same number of documents; then each pair of documents is cut to the shorter
one, as the public texts are fact sections of some 100 words and the invented ones whole judgments
of some 300. The divergence of the public corpus is that of its one half against the other. Shares
of repeated passages follow by family and by kind, formulas of law left out.
"""

import hashlib
import re
import time
from collections.abc import Iterator, Sequence

import _environment  # noqa: F401
import material
from rich.console import Console

from thunder.commands.invented import table
from thunder.settings.data import Data
from thunder.training_data.annotation import Annotated, read_jsonl
from thunder.training_data.diversity import OFTEN, legal_formulas, measure, passage_shares
from thunder.training_data.invented_judgments import FAMILIES, KINDS, WRITINGS, judgment, judgments

_FIRM = re.compile(r"법무법인(?:\(유한\))? ([가-힣 ]+?)(?= 담당|\n)")
_COURT = re.compile(r"\A[【\s]*(\S*법원(?: \S+지원)?)")
_SENTENCE = re.compile(r"(?:(?<=다\. )|^)\S[^\n]*?다\.(?=\s|$)", re.MULTILINE)


def main() -> None:
    parser = material.parser((__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, default=600)
    parser.add_argument("--per-kind", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    count(options.documents, seed=options.seed)
    material.require(options.data, "annotated", "judgments")
    invented = list(invent(options.documents, seed=options.seed))
    sections = drawn(annotated(options.data), 2 * options.documents)
    compare("whole documents", invented, sections)
    ours, theirs = cut_alike(invented, sections)
    compare("cut to the same number of words", ours, theirs + sections[options.documents :])
    whole = drawn(list(material.whole(options.data)), 2 * options.documents)
    compare("beside whole public judgments", invented[: len(whole) // 2], whole)
    by_kind(options.per_kind, seed=options.seed)


def count(documents: int, *, seed: int) -> None:
    """Print how many different labels, law firms, courts and sentences invented judgments hold."""
    made = list(judgments(documents, seed=seed))
    labels = {span.label for one in made for span in one.spans}
    firms = {name for one in made for name in _FIRM.findall(one.text)}
    courts = {name for one in made for name in _COURT.findall(one.text)}
    sentences = [found for one in made for found in _SENTENCE.findall(one.text)]
    print(
        f"{documents:,} invented judgments: {len(labels)} labels, {len(firms)} law firms, "
        f"{len(courts)} courts, {len(set(sentences)):,} different of {len(sentences):,} sentences"
    )


def invent(documents: int, *, seed: int) -> Iterator[str]:
    started = time.perf_counter()
    for number in range(documents):
        yield judgment(KINDS[number % len(KINDS)], seed=seed, number=number).text
    print(f"{documents / (time.perf_counter() - started):.0f} invented judgments a second")


def compare(title: str, invented: Sequence[str], public: Sequence[str]) -> None:
    """Print both measured: the public one against its other half, the invented one likewise."""
    half = len(public) // 2
    formulas = legal_formulas()
    found = {
        "invented": measure(invented, reference=public[half:], formulas=formulas),
        "public": measure(public[:half], reference=public[half:], formulas=formulas),
    }
    print(f"\n{title}")
    Console(highlight=False, markup=False).print(table(found))


def by_kind(per_kind: int, *, seed: int) -> None:
    """Print the shares of repeated passages of all, of each family and of each kind."""
    texts = {
        kind: [judgment(kind, seed=seed, number=number).text for number in range(per_kind)]
        for kind in (*KINDS, *WRITINGS)
    }
    print(f"\npassages of 8 words, {per_kind} texts a kind")
    show("all kinds of judgments", [text for kind in KINDS for text in texts[kind]])
    for family, kinds in FAMILIES.items():
        show(family, [text for kind in kinds for text in texts[kind]])
    for kind in texts:
        show(f"  {kind}", texts[kind])


def show(name: str, texts: Sequence[str]) -> None:
    shares = passage_shares(texts, formulas=legal_formulas())
    often = sum(share > OFTEN for share in shares.values())
    print(
        f"{name:20} {len(texts):5,} documents, most repeated {max(shares.values()):6.1%}, "
        f"in over 5 %: {often:4,} of {len(shares):,} ({often / len(shares):.2%})"
    )


def annotated(data: Data) -> list[tuple[str, str]]:
    found = read_jsonl(data.path("annotated"))
    return [(name, one.text) for name, one in found if isinstance(one, Annotated)]


def drawn(texts: Sequence[tuple[str, str]], size: int) -> list[str]:
    """Return *size* texts chosen by the hash of their ids."""
    ranked = sorted(texts, key=lambda one: hashlib.blake2b(one[0].encode()).digest())
    return [text for _, text in ranked[:size]]


def cut_alike(one: Sequence[str], other: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return both with each pair of texts cut to the words of the shorter one."""
    pairs = [(first.split(), second.split()) for first, second in zip(one, other, strict=False)]
    sizes = [min(map(len, pair)) for pair in pairs]
    first, second = zip(*pairs, strict=True)
    return _joined(first, sizes), _joined(second, sizes)


def _joined(texts: Sequence[list[str]], sizes: Sequence[int]) -> list[str]:
    return [" ".join(words[:size]) for words, size in zip(texts, sizes, strict=True)]


if __name__ == "__main__":
    main()
