"""A keyed sample of a corpus, and BPE vocabularies trained on it (paper, section 3.7)."""

import hashlib
import heapq
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from tokenizers import Tokenizer, models, trainers

from thunder.taxonomy import Taxonomy
from thunder.tokenization import HybridTokenizer
from thunder.tokenization.files import CorpusFile, manifest_of_today
from thunder.tokenization.pieces import SEPARATOR, SPACE, parts, readable, words
from thunder.tokenization.vocabulary import FIXED, pre_tokenizer, tokenizer_json
from thunder.training_data.corpus.reading import DAMAGED, files_in, kind_of, opened, parquet

_SENTENCE_END = re.compile(r"(?<=[.?!])\s+|\n+")
_KINDS = (".jsonl", ".parquet")
_HELD_OUT = 20  # one document in twenty is never trained on
_SHORTEST, _LONGEST = 8, 1000  # characters of a sentence
_ROOM_FOR_HANJA = 64_000
_ALPHABET = {False: 4_500, True: 14_000}  # single characters, without and with that room


@dataclass(frozen=True, slots=True)
class Source:
    """A file or folder of the corpus (JSON lines, packed or plain, or Parquet), and how many
    sentences to take."""

    path: Path
    sentences: int


def is_held_out(source: str, document: str) -> bool:
    """Return whether a document is kept for comparison and never trained on."""
    return _keyed("held-out", source, document) % _HELD_OUT == 0


def files(place: Path) -> list[Path]:
    """Return the files of a corpus, a file or a folder; ValueError where none can be read."""
    found = [path for path in files_in(place) if kind_of(path) in _KINDS]
    if not found:
        state = "holds no" if place.exists() else "does not exist: there is no"
        raise ValueError(
            f"{place} {state} .jsonl or .parquet file (.jsonl also with .xz, .gz, .bz2 or .zst)"
        )
    return found


def documents(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (id, text) of each line or row of a file; its number stands in for a missing id.

    ValueError names the file and the line that cannot be read.
    """
    return _rows(path) if kind_of(path) == ".parquet" else _lines(path)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    with opened(path) as file:
        number = 0
        try:
            for number, line in enumerate(file, 1):
                record = json.loads(line)
                yield str(record.get("id", number)), record["text"]
        except (AttributeError, KeyError, TypeError, ValueError, *DAMAGED) as error:
            kind = type(error).__name__  # its message may hold a piece of the text
            raise ValueError(f"{path}:{number}: no JSON object with a text ({kind})") from None


def _rows(path: Path) -> Iterator[tuple[str, str]]:
    table = parquet(path)
    columns = [name for name in ("id", "text") if name in table.schema_arrow.names]
    if "text" not in columns:
        raise ValueError(f"{path}: there is no column 'text'")
    number = 0
    for batch in table.iter_batches(batch_size=256, columns=columns):
        for row in batch.to_pylist():
            number += 1
            if isinstance(row["text"], str):
                yield str(row.get("id", number)), row["text"]


def sample(source: Source, *, seed: int) -> list[str]:
    """Return the sentences of *source* with the smallest keyed numbers, in the order of the file.

    The choice depends on the seed, the document and the sentence, never on what came before.
    """
    chosen: list[tuple[int, int, str]] = []
    numbered = (one for path in files(source.path) for one in _numbered(path, seed))
    for order, (number, sentence) in enumerate(numbered):
        item = (-number, order, sentence)
        if len(chosen) < source.sentences:
            heapq.heappush(chosen, item)
        elif chosen and item > chosen[0]:
            heapq.heapreplace(chosen, item)
    return [sentence for _, _, sentence in sorted(chosen, key=lambda item: item[1])]


def _numbered(path: Path, seed: int) -> Iterator[tuple[int, str]]:
    """Yield every sentence that may be trained on with its keyed number."""
    for document, text in documents(path):
        if not is_held_out(path.name, document):
            for at, sentence in enumerate(_sentences(text)):
                yield _keyed(str(seed), path.name, document, str(at)), sentence


def _sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(text):
        stripped = sentence.strip()
        if len(stripped) >= _SHORTEST:
            yield stripped[:_LONGEST]


def _keyed(*names: str) -> int:
    message = "\0".join(names).encode("utf-8", "replace")
    return int.from_bytes(hashlib.blake2b(message, digest_size=8).digest(), "big")


def train_on(
    sources: Sequence[Source], *, vocabulary: int, seed: int, taxonomy: Taxonomy
) -> HybridTokenizer:
    """Return a tokenizer trained on a sample of *sources*; its manifest says which, exactly."""
    sentences: list[str] = []
    corpus: list[CorpusFile] = []
    for source in sources:
        found = sample(source, seed=seed)
        sentences += found
        corpus.append(CorpusFile(source.path.name, _sha256(source.path), len(found)))
    made = train(sentences, vocabulary=vocabulary, taxonomy=taxonomy)
    manifest = replace(made.manifest, seed=seed, corpus=tuple(corpus))
    return HybridTokenizer(made.to_json(), manifest)


def _sha256(place: Path) -> str:
    """Return the SHA-256 of a file; of a folder, that of the names and hashes of its files."""
    if place.is_dir():
        lines = (f"{path.relative_to(place)}\0{_sha256(path)}\n" for path in files(place))
        return hashlib.sha256("".join(lines).encode()).hexdigest()
    with place.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def train(sentences: Sequence[str], *, vocabulary: int, taxonomy: Taxonomy) -> HybridTokenizer:
    """Return a hybrid tokenizer trained on *sentences*, the same for the same sentences.

    *vocabulary* counts the special, byte and text tokens; the two markers of each label follow.
    ValueError where the sentences do not give as many tokens.
    """
    plain = [readable(sentence).text for sentence in sentences]
    alphabet = _alphabet(plain, vocabulary)
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary - FIXED,
        min_frequency=2,
        show_progress=False,
        # Chosen here: the trainer's own choice among equally frequent ones is not reproducible.
        initial_alphabet=alphabet,
        limit_alphabet=len(alphabet),
        max_token_length=16,
    )
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizer()
    backend.train_from_iterator(_marked(plain), trainer)
    model = json.loads(backend.to_str())["model"]
    texts = sorted(model["vocab"], key=model["vocab"].__getitem__)
    if len(texts) != vocabulary - FIXED:
        raise ValueError(
            f"the sentences give {len(texts) + FIXED} tokens, not {vocabulary}: train on more "
            f"sentences, or ask for a vocabulary between {len(alphabet) + FIXED} and that"
        )
    merges = [tuple(pair) for pair in model["merges"]]
    manifest = manifest_of_today(vocabulary=vocabulary, labels=taxonomy.classes - 1)
    return HybridTokenizer(tokenizer_json(texts, merges, taxonomy=taxonomy), manifest)


def _marked(plain: Iterable[str]) -> Iterator[str]:
    """Yield each text with separators round its parts; frequent words are cut once."""

    @lru_cache(maxsize=1 << 18)
    def marked(piece: str) -> str:
        return SEPARATOR + SEPARATOR.join(parts(piece)) + SEPARATOR

    for text in plain:
        yield "".join(map(marked, words(text)))


def _alphabet(plain: Iterable[str], vocabulary: int) -> list[str]:
    """Return the characters that get a token of their own: KS X 1001, then the most frequent."""
    hanja = vocabulary > _ROOM_FOR_HANJA
    fixed = dict.fromkeys([SPACE, "\n", *ks_x_1001(hanja=hanja)])
    counts: Counter[str] = Counter()
    for text in plain:
        counts.update(text)
    others = sorted(set(counts).difference(fixed, " "), key=lambda char: (-counts[char], char))
    room = min(_ALPHABET[hanja], vocabulary // 2) - len(fixed)
    return [*fixed, *(char for char in others[: max(room, 0)] if not char.isspace())]


def ks_x_1001(*, hanja: bool) -> list[str]:
    """Return the 2,350 Hangul syllables of KS X 1001, with *hanja* its 4,888 too."""
    rows = [*range(0xB0, 0xC9), *(range(0xCA, 0xFE) if hanja else ())]
    cells = (bytes((row, cell)) for row in rows for cell in range(0xA1, 0xFF))
    return sorted({cell.decode("euc-kr", "ignore") for cell in cells} - {""})
