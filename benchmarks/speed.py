"""How fast, and in how much memory, judgments are de-identified on one core.

Each measurement runs in a fresh process: nothing is warm but what it warms itself. Texts are
whole public judgments, read before the clock starts. Prints Markdown.
"""

import argparse
import importlib
import json
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import _environment  # noqa: F401
from material import parser, require, whole

from thunder.settings.data import Data

SIZES = (125_000, 250_000, 500_000, 1_000_000)
STAGES = {
    "thunder.mentions.recognising": (
        "rules.find persons.find organisations.find places.find propagation.spread combined"
    ),
    "thunder.masking.deidentify": ("fold load_policy linking.entities assign replace_spans"),
}
"""What is timed by itself: names in the modules that call them."""


def main() -> None:
    arguments = _arguments()
    require(arguments.data, "judgments")
    if arguments.measure:
        print(json.dumps(_measured(arguments)))
        return
    many = _child(arguments, "thunder", documents=arguments.documents)
    print(f"# Speed on one core\n\n{arguments.documents} judgments: {_line(many)}\n")
    for stage, spent in sorted(many["stages"].items(), key=lambda item: -item[1]):
        print(f"- {stage}: {spent:.1f} s, {spent / many['seconds']:.0%}")
    previous = 0.0
    for size in SIZES:
        one = _child(arguments, "thunder", characters=size)
        ratio = f", {one['seconds'] / previous:.2f} times the half" if previous else ""
        print(f"\nOne document: {_line(one)}{ratio}")
        previous = one["seconds"]
    peer = _child(arguments, "presidio", documents=arguments.documents)
    print("\nPresidio's Korean recognisers:", _line(peer) if peer else "not installed, skipped")


def _line(measured: dict[str, Any]) -> str:
    speed = measured["characters"] / measured["seconds"]
    return (
        f"{measured['characters']:,} characters in {measured['seconds']:.1f} s, "
        f"{speed:,.0f} characters/s, peak {measured['peak_mib']:,.0f} MiB "
        f"({measured['before_mib']:,.0f} MiB before the first document)"
    )


def _child(arguments: argparse.Namespace, what: str, **size: int) -> dict[str, Any]:
    options = [f"--{name}={number}" for name, number in size.items()]
    command = [sys.executable, __file__, f"--data={arguments.data.root}"]
    command += [f"--measure={what}", *options]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def _measured(arguments: argparse.Namespace) -> dict[str, Any]:
    texts = _texts(arguments.data, arguments.documents, arguments.characters)
    stages: defaultdict[str, float] = defaultdict(float)
    run = _thunder(stages) if arguments.measure == "thunder" else _presidio()
    if run is None:
        return {}
    before, start = _peak_mib(), time.perf_counter()
    for text in texts:
        run(text)
    seconds = time.perf_counter() - start
    rest = {"policy and the rest": seconds - sum(stages.values())} if stages else {}
    size = sum(map(len, texts))
    memory = {"before_mib": before, "peak_mib": _peak_mib()}
    return {"seconds": seconds, "characters": size, "stages": {**stages, **rest}, **memory}


def _texts(data: Data, documents: int, characters: int) -> list[str]:
    if not characters:
        return [text for _, text in islice(whole(data), documents)]
    return ["\n".join(text for _, text in islice(whole(data), 1000))[:characters]]


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _thunder(spent: defaultdict[str, float]) -> Callable[[str], object]:
    """Return the de-identifier, its stages wrapped so that they add their seconds to *spent*."""
    for caller, stages in STAGES.items():
        module = importlib.import_module(caller)
        for stage in stages.split():
            owner, _, name = stage.rpartition(".")
            place = getattr(module, owner) if owner else module
            setattr(place, name, _timed(getattr(place, name), stage, spent))
    whole = importlib.import_module("thunder.masking.deidentify").deidentify
    alone = importlib.import_module("thunder.tagger.chosen_tagger").RULES_ALONE
    return partial(whole, tagger=alone)


def _timed(inner: Callable[..., Any], stage: str, spent: defaultdict[str, float]) -> Any:
    def timed(*args: Any, **kwargs: Any) -> object:
        start = time.perf_counter()
        result = inner(*args, **kwargs)
        result = list(result) if isinstance(result, Iterator) else result
        spent[stage] += time.perf_counter() - start
        return result

    return timed


def _presidio() -> Callable[[str], object] | None:
    try:
        from presidio_analyzer import predefined_recognizers
    except ImportError:
        return None
    names = [name for name in dir(predefined_recognizers) if name.startswith("Kr")]
    found = [getattr(predefined_recognizers, name)() for name in names]
    return lambda text: [each.analyze(text, each.supported_entities) for each in found]


def _arguments() -> argparse.Namespace:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--documents", type=int, default=1000)
    arguments.add_argument("--characters", type=int, default=0, help=argparse.SUPPRESS)
    arguments.add_argument("--measure", choices=("thunder", "presidio"), help=argparse.SUPPRESS)
    return arguments.parse_args()


if __name__ == "__main__":
    main()
