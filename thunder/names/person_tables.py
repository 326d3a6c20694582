"""The tables of cues in ``taxonomy/cues``, which a lawyer may edit."""

from thunder.settings.resources import in_taxonomy


def table(name: str) -> list[list[str]]:
    """Return the tab-separated rows of ``taxonomy/cues/NAME.tsv``, without comments and blanks.

    ValueError names the file and the line whose number of fields differs from the first row's.
    """
    path = in_taxonomy("cues", f"{name}.tsv")
    found: list[list[str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        row = line.split("\t")
        if found and len(row) != len(found[0]):
            raise ValueError(f"{path}:{number}: {len(row)} fields, not {len(found[0])}")
        found.append(row)
    return found
