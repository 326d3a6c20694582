"""Looked for together, the rows of the formats find what each finds by itself."""

from thunder.identifiers.format_index import Index
from thunder.identifiers.formats import formats
from thunder.taxonomy.pattern_file import MARKED


def test_together_rows_find_what_each_finds_alone() -> None:
    rows = formats(None)
    written = [one.text for row in rows for one in (*row.examples, *row.near_misses)]
    texts = [MARKED.sub(r"\1", text) for text in written]
    texts += ["", "판결", "\n".join(texts), "1-2" * 300, "경기북부 12가3456" * 40]
    index, found = Index(rows), 0
    for text in texts:
        standing = index.standing(text)
        places = {row.id: at for of_one in standing.values() for row, at in of_one}
        for row in rows:
            alone = list(row.find(text))
            together = list(row.find(text, places[row.id])) if row.id in places else []
            assert together == alone, (row.id, text[:80])
            found += len(alone)
    assert found > len(rows)


def test_rows_keep_their_order() -> None:
    rows = formats(None)
    text = "\n".join(MARKED.sub(r"\1", one.text) for row in rows for one in row.examples)
    for of_one in Index(rows).standing(text).values():
        numbers = [rows.index(row) for row, _ in of_one]
        assert numbers == sorted(numbers)
