"""Peers on filled judgments, in the form that ``thunder evaluate`` scores: Presidio is the first.

``python benchmarks/peers.py gold gold.jsonl`` writes filled judgments as gold documents, with
the courts' placeholders, and ``… presidio gold.jsonl presidio.jsonl`` what Presidio's Korean
recognisers find in them (no CI installs it: ``pip install presidio-analyzer==2.2.366`` into an
environment of its own; nothing of this package is needed there). Then

    thunder evaluate gold.jsonl rules deid presidio.jsonl --by-rule

``… prompt gold.jsonl prompt.jsonl --server http://localhost:8000/v1 --model NAME`` asks a language
model instead, by a server of yours that speaks OpenAI's chat completions: ``prompting.py``.

``benchmarks/taggers.py --presidio PYTHON`` does the same on a dataset's filled texts.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import _environment  # noqa: F401

LABELS: Mapping[str, str] = {
    "KR_RRN": "주민등록번호",
    "KR_FRN": "주민등록번호",
    "KR_PASSPORT": "관리번호",
    "KR_DRIVER_LICENSE": "면허번호",
    "KR_BRN": "사업자등록번호",
    "PHONE_NUMBER": "전화번호",
    "EMAIL_ADDRESS": "이메일주소",
    "CREDIT_CARD": "카드번호",
    "URL": "URL",
    "IP_ADDRESS": "URL",
}
"""Presidio's entity types and our labels, where there is none of its own the one our rules give.

A phone number that begins with 01 is a mobile's. Dates are left out: courts leave them readable.
"""
MOBILE = "휴대폰번호"

MISSING = "presidio is not installed: pip install presidio-analyzer==2.2.366 (see the top of this)"


def main() -> None:
    arguments = _arguments()
    if arguments.act == "gold":
        _write(arguments.output, _gold(arguments))
    elif arguments.act == "prompt":
        _prompt(arguments)
    else:
        _write(arguments.output, _presidio(_read(arguments.gold)))


def _prompt(arguments: argparse.Namespace) -> None:
    """Write what a language model marks, and say how much of the texts it changed."""
    import prompting

    documents = _read(arguments.gold)
    where = {"server": arguments.server, "model": arguments.model}
    try:
        rows = list(prompting.asked(documents, key=os.environ.get("API_KEY", ""), **where))
    except prompting.ServerError as error:
        sys.exit(str(error))
    _write(arguments.output, iter(rows))
    total = sum(row["characters"] for row in rows)
    changed = [row["unfaithful"]["lost"] + row["unfaithful"]["added"] for row in rows]
    print(
        f"{len(rows)} documents, {sum(map(bool, changed))} of them changed: {sum(changed)} "
        f"characters lost or added, of {total}"
    )


def _gold(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield filled judgments as gold documents; a placeholder of one kind is one entity."""
    from material import data_under, filled
    from round_trip import court_masking

    from thunder.training_data.filling import IGNORED, kind_of

    data = data_under(arguments.data)
    for judgment in filled(data, part=arguments.part, limit=arguments.limit):
        entities = []
        for span, masking in zip(judgment.gold, court_masking(judgment), strict=True):
            one = {"start": span.start, "end": span.end, "label": span.label}
            if masking.written:
                one["entity"] = f"{kind_of(span.label)} {masking.written}"
            if masking.span.label != IGNORED:
                one["written"] = masking.written
            entities.append(one)
        yield {
            "id": judgment.id,
            "case_type": judgment.case_type,
            "text": judgment.text,
            "entities": entities,
        }


def _presidio(documents: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield what Presidio finds, of two overlapping entities the surer, then the longer one."""
    analyzer = _analyzer()
    for document in documents:
        found = analyzer.analyze(document["text"], language="ko", entities=list(LABELS))
        yield {
            "id": document["id"],
            "characters": len(document["text"]),
            "entities": [
                {
                    "start": one.start,
                    "end": one.end,
                    "label": _label(one.entity_type, document["text"][one.start : one.end]),
                    "score": round(one.score, 4),
                    "source": f"presidio:{one.entity_type}",
                }
                for one in _disjoint(found)
            ],
        }


def _label(entity_type: str, mention: str) -> str:
    digits = "".join(filter(str.isdigit, mention)).removeprefix("82")
    is_mobile = entity_type == "PHONE_NUMBER" and digits.startswith(("01", "1"))
    return MOBILE if is_mobile and len(digits) > 8 else LABELS[entity_type]


def _disjoint(found: Sequence[Any]) -> list[Any]:
    chosen: list[Any] = []
    for one in sorted(found, key=lambda one: (-one.score, one.start - one.end, one.start)):
        if all(one.end <= other.start or other.end <= one.start for other in chosen):
            chosen.append(one)
    return sorted(chosen, key=lambda one: one.start)


def _analyzer() -> Any:
    """Return an analyzer with the Korean recognisers and the general ones, told to read Korean.

    Its NLP engine has no model: there is none for Korean but spaCy's, which its recognisers of
    patterns do not need; they get words cut at white space, for the words of their contexts.
    """
    try:
        from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
        from presidio_analyzer import predefined_recognizers as recognizers
    except ImportError:
        sys.exit(MISSING)
    _stay_offline()
    engine = _engine()
    korean = [getattr(recognizers, f"Kr{name}Recognizer") for name in _KOREAN]
    general = [getattr(recognizers, f"{name}Recognizer") for name in _GENERAL]
    made = [one(supported_language="ko") for one in (*korean, *general)]
    made.append(recognizers.PhoneRecognizer(supported_language="ko", supported_regions=["KR"]))
    registry = RecognizerRegistry(recognizers=made, supported_languages=["ko"])
    return AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=["ko"])


_KOREAN = ("Rrn", "Frn", "Passport", "DriverLicense", "Brn")
_GENERAL = ("Email", "CreditCard", "Url", "Ip")


def _stay_offline() -> None:
    """Let the recognisers of addresses read the list of domains they ship, and no network."""
    import tldextract

    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=())


def _engine() -> Any:
    import spacy
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine

    class Blank(SpacyNlpEngine):
        def __init__(self) -> None:
            super().__init__(ner_model_configuration=NerModelConfiguration(labels_to_ignore=[]))
            options = {"nlp": {"tokenizer": {"@tokenizers": "spacy.Tokenizer.v1"}}}
            self.nlp = {"ko": spacy.blank("ko", config=options)}

        def load(self) -> None: ...

        def is_loaded(self) -> bool:
            return True

    return Blank()


def _read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _write(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _arguments() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description=__doc__)
    acts = arguments.add_subparsers(dest="act", required=True)
    gold = acts.add_parser("gold", help="write filled judgments as gold documents")
    gold.add_argument("--data", default="", help="the root of [data] (thunder.toml)")
    gold.add_argument("--part", choices=("dev", "test"), default="dev")
    gold.add_argument("--limit", type=int, help="so many documents, spread over the part")
    presidio = acts.add_parser("presidio", help="write what Presidio finds in gold documents")
    presidio.add_argument("gold", type=Path)
    prompt = acts.add_parser("prompt", help="write what a language model marks, asked by prompt")
    prompt.add_argument("gold", type=Path)
    prompt.add_argument(
        "--server", required=True, help="http://localhost:8000/v1; a key in $API_KEY"
    )
    prompt.add_argument("--model", required=True, help="what the server calls it")
    for act in (gold, presidio, prompt):
        act.add_argument("output", type=Path)
    return arguments.parse_args()


if __name__ == "__main__":
    main()
