"""Replacement rules put together: what two labels were filled with, for the one they are now.

A rule file is data of the form that ``thunder.training_data.lists.reading`` reads; a list becomes a
part of it.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap

from thunder.editing import messages as say
from thunder.settings.yamlblocks import dumped, flow, node_at, replaced
from thunder.settings.yamlfile import Problem, Reader, YamlFileError, round_trip

_NAMED = re.compile(r"\{([^{}.]*)")
_JOINED = ("source", "licence", "note")


def merged_rule(first: tuple[Path, str], second: tuple[Path, str], label: str) -> str:
    """Return the rule file of *label* that makes what two files make; each a path and its text.

    Parts of one name that differ get a number. A list, or what a maker makes, gets the weight of
    all patterns of the other file. YamlFileError for a file that is no rule.
    """
    one, other = (_rule(path, text) for path, text in (first, second))
    weights = [_weight(rule["patterns"]) for rule in (one, other)]
    names = _part_names(one["parts"], other["parts"])
    for name, part in other["parts"].items():
        one["parts"][names[name]] = part
    patterns = [_renamed(item, names) for item in other["patterns"]]
    _outweigh(one["patterns"], weights[1])
    _outweigh(patterns, weights[0])
    one["patterns"] += [item for item in patterns if item not in one["patterns"]]
    for key in _JOINED:
        if key in other:
            said = dict.fromkeys(filter(None, (one.get(key), other[key])))
            one[key] = "; ".join(said)
    one["label"] = label
    return dumped(one)


def with_label(path: Path, text: str, label: str) -> str:
    """Return a rule file's text with the name of its label; as it is where it has none."""
    _require_yaml(path, text)
    try:
        return replaced(text, node_at(text, ("label",)), label)
    except LookupError:
        return text


def headers(text: str) -> dict[str, str]:
    """Return what the header lines of a list say: ``# source: …`` and so on."""
    lines = (line[1:].partition(":") for line in text.splitlines() if line.startswith("#"))
    return {key.strip(): value.strip() for key, sign, value in lines if sign}


def _rule(path: Path, text: str) -> CommentedMap:
    """Return a rule with parts and patterns: of a rule file, of a maker, or of a list."""
    if path.suffix == ".txt":
        return _listed(text)
    _require_yaml(path, text)
    data = round_trip().load(text)
    if isinstance(data, CommentedMap) and "maker" in data:
        data["parts"] = CommentedMap(made=CommentedMap(maker=data.pop("maker")))
        data["patterns"] = ["{made}"]
    if not isinstance(data, CommentedMap) or not {"parts", "patterns"} <= data.keys():
        raise YamlFileError([Problem(path, 1, say.RULE_NEEDS())])
    return data


def _listed(text: str) -> CommentedMap:
    said = headers(text)
    data = CommentedMap(label="", source=said.get("source", ""), licence=said.get("licence", ""))
    lines = (line.strip() for line in text.removeprefix("\ufeff").splitlines())
    mentions = flow(line for line in lines if line and not line.startswith("#"))
    data["parts"] = CommentedMap(listed=mentions)
    data["patterns"] = ["{listed}"]
    return data


def _require_yaml(path: Path, text: str) -> None:
    problems = Reader(path, text=text).problems
    if problems:
        raise YamlFileError(problems)


def _part_names(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, str]:
    """Return what each part of *second* is to be called beside those of *first*."""
    names: dict[str, str] = {}
    for name, part in second.items():
        choice, number = name, 1
        while choice in names.values() or (choice in first and first[choice] != part):
            number += 1
            choice = f"{name}_{number}"
        names[name] = choice
    return names


def _renamed(item: Any, names: Mapping[str, str]) -> Any:
    """Return a pattern, with or without a weight, with the new names of its parts."""
    if isinstance(item, dict):
        item["pattern"] = _renamed(item["pattern"], names)
        return item
    return _NAMED.sub(lambda found: "{" + names.get(found[1], found[1]), item)


def _weight(patterns: list[Any]) -> int:
    return sum(item.get("weight", 1) if isinstance(item, dict) else 1 for item in patterns)


def _outweigh(patterns: list[Any], weight: int) -> None:
    """Give the one pattern of a list or a maker the *weight* of all those of the other file."""
    if len(patterns) == 1 and isinstance(patterns[0], str) and weight > 1:
        pattern = CommentedMap(pattern=patterns[0], weight=weight)
        pattern.fa.set_flow_style()
        patterns[0] = pattern
