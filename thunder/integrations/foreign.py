"""The packages of other people that an integration needs, and the versions it was tried with."""

from dataclasses import dataclass
from importlib import metadata


@dataclass(frozen=True, slots=True)
class Package:
    """A package by its name on the index: the *extra* that installs it, and what of it fits.

    *tested* is the version that the tests ran with; versions from *least* up to, and not
    including, *below* are taken.
    """

    name: str
    extra: str
    tested: str
    least: str
    below: str


PACKAGES = {
    package.name: package
    for package in (
        Package("pandas", "pandas", tested="3.1.1", least="2.2", below="4"),
        Package("polars", "polars", tested="2.1.0", least="1.0", below="3"),
        Package("datasets", "datasets", tested="5.2.0", least="4.0", below="6"),
        Package("presidio-analyzer", "presidio", tested="2.2.366", least="2.2.360", below="2.3"),
        Package("presidio-anonymizer", "presidio", tested="2.2.366", least="2.2.360", below="2.3"),
        Package("langchain-core", "langchain", tested="1.7.2", least="1.0", below="2"),
        Package("llama-index-core", "llamaindex", tested="0.14.25", least="0.14", below="0.15"),
        Package("spacy", "spacy", tested="3.8.18", least="3.8", below="4"),
        Package("transformers", "transformers", tested="5.23.0", least="5.17", below="6"),
        Package("torch", "train", tested="2.13.0", least="2.11", below="3"),
        Package("starlette", "labelstudio", tested="1.10.0", least="0.40", below="2"),
    )
}


def require(*names: str) -> None:
    """Return nothing if the packages *names* are installed in versions that fit.

    ImportError names the package, what was tested, what is there, and what to install.
    """
    for name in names:
        package = PACKAGES[name]
        fits = f"{name} {package.tested} was tested, {package.least} up to {package.below} fits"
        cure = f"pip install 'thunder-deid[{package.extra}]'"
        try:
            there = metadata.version(name)
        except metadata.PackageNotFoundError:
            raise ImportError(f"{name} is not installed ({fits}): {cure}", name=name) from None
        if not _number(package.least) <= _number(there) < _number(package.below):
            raise ImportError(f"{name} {there} does not fit ({fits}): {cure}", name=name)


def _number(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version: (2, 2, 366) of 2.2.366rc1."""
    found: list[int] = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        found.append(int(digits))
        if digits != part:
            break
    return tuple(found)
