"""Wheels by their own metadata: what they ask for on another machine than this."""

import hashlib
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from email.message import Message as Metadata
from email.parser import Parser
from pathlib import Path
from typing import NamedTuple

from thunder.settings.bundle import messages as say
from thunder.settings.licences import PACKAGE, canonical

MACHINES = {"linux-x86_64": "x86_64", "linux-aarch64": "aarch64"}

NOT_NEEDED = frozenset({("tokenizers", "huggingface-hub")})
"""Requirements that are not followed: who asks, and for what."""

_GLIBC = re.compile(r"manylinux_2_(\d+)_")
OLD_TAGS = {"manylinux1": 5, "manylinux2010": 12, "manylinux2014": 17}
"""Tags of wheels from before the version stood in them, with the minor version that they mean."""


class BundleError(Exception):
    """What is missing for a bundle, and what to do."""


class Wheel(NamedTuple):
    """A package's wheel, its name as indexes compare it, and its metadata."""

    path: Path
    name: str
    version: str
    metadata: Metadata
    sha256: str


def wheel_of(path: Path) -> Wheel:
    """Return a wheel's name, version, metadata and hash; BundleError where it is none."""
    try:
        with zipfile.ZipFile(path) as archive:
            inside = next(one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
            metadata = Parser().parsestr(archive.read(inside).decode("utf-8"))
    except (StopIteration, zipfile.BadZipFile, OSError) as error:
        raise BundleError(say.NOT_A_WHEEL(path=path, why=error)) from None
    name, version = metadata["Name"], metadata["Version"]
    return Wheel(path, canonical(name), version, metadata, sha256(path))


def environment(platform: str, python: str) -> dict[str, str]:
    """Return what requirements may ask of the target (PEP 508)."""
    return {
        "implementation_name": "cpython",
        "implementation_version": f"{python}.0",
        "os_name": "posix",
        "platform_machine": MACHINES[platform],
        "platform_python_implementation": "CPython",
        "platform_release": "",
        "platform_system": "Linux",
        "platform_version": "",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": "linux",
    }


def needed(
    wheels: Iterable[Wheel], environment: Mapping[str, str], extras: Sequence[str]
) -> tuple[list[Wheel], list[Wheel]]:
    """Return the wheels that the package with *extras* needs, and those it does not.

    BundleError names a requirement that none of them is.
    """
    by_name = {wheel.name: wheel for wheel in wheels}
    found: set[tuple[str, str]] = set()
    waiting = [(PACKAGE, extra) for extra in ("", *extras)]
    while waiting:
        asking = waiting.pop()
        if asking in found:
            continue
        found.add(asking)
        name, extra = asking
        if name not in by_name:
            raise BundleError(say.NO_WHEEL(name=name))
        for wanted, with_extras in requirements(by_name[name], environment, extra):
            if (name, wanted) not in NOT_NEEDED:
                waiting += [(wanted, one) for one in ("", *with_extras)]
    names = {name for name, _ in found}
    kept = [by_name[name] for name in sorted(names)]
    return kept, [by_name[name] for name in sorted(by_name.keys() - names)]


def requirements(
    wheel: Wheel, environment: Mapping[str, str], extra: str = ""
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names, with extras, of what a wheel asks for on the target."""
    from packaging.requirements import Requirement

    for line in wheel.metadata.get_all("Requires-Dist", []):
        one = Requirement(line)
        if one.marker is None or one.marker.evaluate({**environment, "extra": extra}):
            yield canonical(one.name), tuple(sorted(one.extras))


def glibc(names: Iterable[str]) -> int:
    """Return the minor version of the C library that the wheels of these names ask for."""
    least = 0
    for name in names:
        tags = name.removesuffix(".whl").rpartition("-")[2]
        asked = [int(one) for one in _GLIBC.findall(tags)]
        asked += [minor for old, minor in OLD_TAGS.items() if f"{old}_" in tags]
        least = max(least, min(asked, default=0))
    return least


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
