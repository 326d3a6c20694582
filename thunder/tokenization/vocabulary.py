"""A hybrid tokenizer's vocabulary, written as the Rust library's ``tokenizer.json``.

In this order: special tokens, the 256 bytes, text tokens, and two markers for each label, whose
ids follow the taxonomy's stable ids. A label added later brings markers at the end.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors

from thunder.taxonomy import Taxonomy
from thunder.tokenization.files import Manifest
from thunder.tokenization.pieces import SEPARATOR, SPACE

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, UNK, CLS, SEP, MASK = range(len(SPECIAL))
BYTES = tuple(f"<0x{value:02X}>" for value in range(256))
FIXED = len(SPECIAL) + len(BYTES)


def pre_tokenizer() -> pre_tokenizers.PreTokenizer:
    """Return what cuts marked text: every separator, and nothing else."""
    return pre_tokenizers.Split(SEPARATOR, "removed")


def markers(taxonomy: Taxonomy) -> list[str]:
    """Return the two markers of each label in order of the ids; a retired label's are numbered."""
    known = {label.id: label.ko for label in taxonomy}
    names = [known.get(number, f"#{number}") for number in range(1, taxonomy.classes)]
    return [mark for name in names for mark in (f"<<<{name}>>>", f"<<</{name}>>>")]


def tokenizer_json(
    texts: Sequence[str], merges: Sequence[tuple[str, str]], *, taxonomy: Taxonomy
) -> str:
    """Return the ``tokenizer.json`` of the text tokens *texts*, built by *merges*."""
    ids = {token: id_ for id_, token in enumerate([*SPECIAL, *BYTES, *texts, *markers(taxonomy)])}
    model = models.BPE(ids, list(merges), unk_token="[UNK]", byte_fallback=True, fuse_unk=False)
    backend = Tokenizer(model)
    backend.pre_tokenizer = pre_tokenizer()
    backend.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", CLS), ("[SEP]", SEP)],
    )
    backend.decoder = decoders.Sequence(
        [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    backend.add_special_tokens([AddedToken(token, normalized=False) for token in SPECIAL])
    return str(backend.to_str())


def extended(text: str, manifest: Manifest, *, taxonomy: Taxonomy) -> tuple[str, Manifest]:
    """Return *text*, a ``tokenizer.json``, with the markers of *taxonomy*, and its manifest.

    Old ids stay, new labels stand at the end; a renamed label's markers are called by its new
    name. ValueError where the taxonomy has fewer classes than the tokenizer.
    """
    labels = taxonomy.classes - 1
    if labels < manifest.labels:
        raise ValueError(
            f"the taxonomy has {labels} labels, the tokenizer {manifest.labels}: ids are never "
            "reused, so this taxonomy is older than the tokenizer"
        )
    content = json.loads(text)
    old: Mapping[str, int] = content["model"]["vocab"]
    vocabulary = {token: id_ for token, id_ in old.items() if id_ < manifest.vocabulary}
    new = {mark: manifest.vocabulary + at for at, mark in enumerate(markers(taxonomy))}
    content["model"]["vocab"] = vocabulary | new
    return json.dumps(content, ensure_ascii=False), replace(manifest, labels=labels)
