"""A tagger's model card: ``README.md`` and ``LICENSE`` in its folder, made of what is known of it.

Everything comes from the tagger's own files, and from figures measured elsewhere and given as
JSON: ``{"Title of a table": [{"column": value, …}, …], …}``. No text of a judgment stands in it.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from thunder.tagger import dial, folder
from thunder.tagger.dial import Dial
from thunder.tagger.folder import Manifest
from thunder.taxonomy import Taxonomy

NAME, LICENCE = "README.md", "LICENSE"
Tables = Mapping[str, Sequence[Mapping[str, Any]]]
_HASHED = 16  # hexadecimal digits of a hash that the card shows


class Licence(NamedTuple):
    """A licence's name and address, and what it means for these weights."""

    name: str
    address: str
    meaning: str


LICENCES = {
    "apache-2.0": Licence(
        "Apache License 2.0",
        "https://www.apache.org/licenses/LICENSE-2.0",
        "The weights learnt from no hand annotation of others; they may be used for any purpose.",
    ),
    "cc-by-nc-sa-4.0": Licence(
        "Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International",
        "https://creativecommons.org/licenses/by-nc-sa/4.0/",
        "The weights learnt from the hand-annotated judgments of the Thunder-DeID project "
        "(mcrl/SNU_Thunder-DeID, derived from lbox-open), which carry this licence: name that "
        "source, use them for no commercial purpose, and pass on what you make of them under the "
        "same terms. The code around them stays under the Apache License 2.0.",
    ),
}


def write(
    place: Path,
    *,
    taxonomy: Path | None = None,
    licence: str | None = None,
    tables: Tables | None = None,
) -> Path:
    """Return the ``README.md`` written into the tagger's folder *place*.

    *licence* is one of LICENCES and goes into ``tagger.json``, too; without, the one that stands
    there. *tables* are figures, by title. ValueError or LookupError name what is wrong.
    """
    manifest = folder.read(place)
    known, _ = folder.taxonomy_of(taxonomy)
    chosen = licence or manifest.about.get("licence")
    if chosen not in LICENCES:
        raise ValueError(f"unknown licence {chosen!r}; known are {', '.join(LICENCES)}")
    if manifest.about.get("licence") != chosen:
        manifest = replace(manifest, about={**manifest.about, "licence": chosen})
        folder.write(place, manifest)
    positions = dial.read(place, known)
    parts = _parts(place, manifest, known, positions, chosen, tables or {})
    (place / NAME).write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    terms = LICENCES[chosen]
    text = f"{terms.name}\n{terms.address}\n\n{terms.meaning}\n"
    (place / LICENCE).write_text(text, encoding="utf-8")
    return place / NAME


def tables_of(path: Path) -> Tables:
    """Return the figures in a JSON file; ValueError names it where it is of another form."""
    try:
        found = json.loads(path.read_text("utf-8"))
        if not all(row.keys() for rows in found.values() for row in rows):
            raise ValueError("a row without columns")
    except (AttributeError, TypeError, ValueError) as error:
        raise ValueError(
            f'{path}: not of the form {{"title": [{{"column": …}}]}}: {error}'
        ) from None
    tables: Tables = found
    return tables


def _parts(
    place: Path,
    manifest: Manifest,
    known: Taxonomy,
    positions: Dial,
    licence: str,
    tables: Tables,
) -> Iterator[str]:
    """Yield the card's paragraphs."""
    terms = LICENCES[licence]
    yield f"---\nlanguage: ko\nlicense: {licence}\npipeline_tag: token-classification\n---"
    yield f"# {place.name}"
    yield (
        "Finds personal and other identifying information in Korean court judgments: "
        f"{len(known)} labels of the Thunder-DeID taxonomy. A part of "
        "[thunder-deid](../../../README.md), which puts recognisers of structured identifiers, "
        "the court's rule of what stays readable, and replacements around it:"
    )
    yield "```sh\nthunder deid judgment.txt --model " + place.name + " --recall 0.99\n```"
    yield f"Licence: [{terms.name}]({terms.address}). {terms.meaning}"
    yield "## What it is\n\n" + _table(_facts(place, manifest))
    yield "## What it learnt from\n\n" + _learnt(manifest.about)
    yield "## The dial\n\n" + _dial(positions)
    yield "## The export\n\n" + _export(manifest.about)
    if tables:
        yield "## Figures"
    for title, rows in tables.items():
        yield f"### {title}\n\n{_table(rows)}"
    yield "## What it can and cannot do\n\n" + _LIMITS
    yield "## Files\n\n" + _table(_files(place, manifest))


def _facts(place: Path, manifest: Manifest) -> list[dict[str, Any]]:
    config = _json(place / "config.json")
    shape = (
        f"{config['num_hidden_layers']} layers of {config['hidden_size']}, "
        f"{config['num_attention_heads']} heads, {config['vocab_size']:,} tokens"
        if "num_hidden_layers" in config
        else manifest.architecture
    )
    return [
        {"": "encoder", "what": shape},
        {"": "classes", "what": f"{manifest.classes} ({manifest.scheme})"},
        {
            "": "windows",
            "what": f"{manifest.length} tokens, {manifest.overlap} shared; texts of any length",
        },
        {"": "runs with", "what": _runtime(manifest)},
        {"": "size", "what": f"{sum(_sizes(place, manifest).values()) / 1e6:.1f} MB in all"},
        {"": "labels", "what": f"taxonomy {manifest.labels[:_HASHED]}"},
        {"": "tokenizer", "what": f"{manifest.tokenizer} {manifest.tokenizer_sha256[:_HASHED]}"},
    ]


def _runtime(manifest: Manifest) -> str:
    if manifest.architecture != "onnx":
        return "torch"
    stored = manifest.about.get("export", {}).get("weights", "float32")
    return f"onnxruntime, without torch; matrices in {stored}, all else in float32"


def _learnt(about: Mapping[str, Any]) -> str:
    """Return data, recipe and development figures, as far as the tagger's folder tells."""
    seed = f", seed {about['seed']}" if "seed" in about else ""
    rows = [{"": "run", "what": f"{about.get('run')}{seed}"}]
    if "step" in about:
        rows.append({"": "step of the best checkpoint", "what": str(about["step"])})
    data, recipe = about.get("data"), about.get("recipe")
    if data:
        counts = ", ".join(f"{part} {number:,}" for part, number in data["documents"].items())
        rows.append({"": "files", "what": ", ".join(data["files"])})
        rows.append({"": "documents", "what": counts})
        rows.append({"": "mentions filled in", "what": data["replacement"]})
        rows.append({"": "dataset", "what": data["fingerprint"][:_HASHED]})
    rows += [{"": key.replace("_", " "), "what": str(one)} for key, one in (recipe or {}).items()]
    names = {"f1": "token F1, masked or not", "label_f1": "token micro F1 by label"}
    rows += [
        {"": f"development: {named}", "what": f"{about[key]:.4f}"}
        for key, named in names.items()
        if key in about
    ]
    return _table(rows)


def _dial(positions: Dial) -> str:
    """Return what the positions of the dial gave on development documents."""
    if not positions.sets:
        return "No thresholds were set for it: it masks from a probability of 0.5 on."
    about = positions.about
    rows = [
        {
            "--recall": f"{one.recall:g}"
            + (" (default)" if one.recall == positions.default else ""),
            "mentions masked whole": f"{one.whole:.2%}",
            "precision, characters": f"{one.precision:.2%}",
            "recall, characters": f"{one.characters:.2%}",
            "note": f"reaches {one.reached:.2%}" if one.falls_short else "",
        }
        for one in positions.consequences()
    ]
    together = "As `thunder deid` masks, rules and policy included."
    alone = "The tagger alone, before rules and policy."
    return (
        f"Measured on {about.get('documents', 0):,} development documents "
        f"({about.get('mentions', 0):,} mentions), on which the thresholds were set: what comes "
        f"from elsewhere will be found less often. {together if about.get('with_rules') else alone}"
        " A recall between two takes the stricter one; beyond the last it is refused.\n\n"
    ) + _table(rows)


def _export(about: Mapping[str, Any]) -> str:
    made, found = about.get("export"), about.get("compared")
    if made is None:
        return "These are the weights as they were trained, for torch."
    said = (
        f"Weights stored as {made['weights']}; scores of the exported graph differ from those of "
        f"the same weights in torch by {made['score_gap']:.0e} at most."
    )
    if not found:
        return f"{said} Spans were not compared with the original's."
    return (
        f"{said} At the same thresholds, its spans equal those of the original in float32 on "
        f"{found['documents'] - found['differing']:,} of {found['documents']:,} documents not "
        f"trained on; of the original's {found['spans']:,} spans {found['lost']:,} are not there "
        f"in the same place with the same label, {found['new']:,} are only here, and "
        f"{found['unlike']:,} characters are masked by one of the two alone (the original masks "
        f"{found['masked']:,}). The thresholds were then set anew on the exported model."
    )


def _files(place: Path, manifest: Manifest) -> list[dict[str, Any]]:
    sizes = _sizes(place, manifest)
    return [
        {"file": name, "bytes": f"{sizes[name]:,}", "SHA-256": f"{digest[:_HASHED]}…"}
        for name, digest in manifest.files.items()
    ] + [
        {
            "file": dial.NAME,
            "bytes": f"{len(content):,}",
            "SHA-256": f"{hashlib.sha256(content).hexdigest()[:_HASHED]}…",
        }
        for content in ([(place / dial.NAME).read_bytes()] if (place / dial.NAME).is_file() else [])
    ]


def _sizes(place: Path, manifest: Manifest) -> dict[str, int]:
    return {name: (place / name).stat().st_size for name in manifest.files}


def _json(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a Markdown table; its columns are those of the first row."""
    head = list(rows[0]) if rows else []
    lines = [head, ["---"] * len(head), *([row.get(name, "") for name in head] for row in rows)]
    return "\n".join("| " + " | ".join(_cell(one) for one in line) + " |" for line in lines)


def _cell(value: Any) -> str:
    text = f"{value:,.4g}" if isinstance(value, float) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")


_LIMITS = """\
- It reads Korean court judgments in today's spelling, as text. Other documents, scans and
  handwriting were not measured.
- It misses mentions: what it gives is a draft that a person releases, never a guarantee of
  anonymity. Who knows the facts may know whom they are about.
- The names in its training texts were put in by machine, from invented names and lists. Expect
  rare surnames, foreign names in unusual spelling and new kinds of accounts to be found less often.
- It marks more than a court masks. What stays readable (courts, judges, counsel, agencies) is the
  policy's to decide: use it through `thunder deid`.
- Labels of rare kinds are guessed. How something is replaced depends on its label, and so does,
  where nobody is sure, from which probability on it is masked."""
