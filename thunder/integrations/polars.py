"""Judgments in a column of a Polars frame: a function for ``map_batches``.

from thunder.integrations.polars import deidentify
frame.with_columns(deidentify("text"))
frame.with_columns(deidentify("text", cases="case"))
"""

from collections.abc import Sequence

from thunder.integrations import columns
from thunder.integrations.foreign import require
from thunder.masking.deidentifier import Deidentifier

require("polars")
import polars as pl


def deidentify(
    column: str, deidentifier: Deidentifier | None = None, *, cases: str | None = None
) -> pl.Expr:
    """Return the expression of *column* de-identified, by the tagger that ships without another.

    *cases* is the column that names the case of each row: one person has one letter in all of it,
    for which the frame has to be read whole. Nulls stay null. In the other columns nothing is
    looked for: ``frame.thunder`` of pandas and the command do that. Errors as for
    ``thunder.integrations.columns.deidentify``, within Polars' ComputeError.
    """
    chosen = deidentifier or Deidentifier()

    def masked(series: Sequence[pl.Series]) -> pl.Series:
        groups = series[1].to_list() if len(series) > 1 else None
        found = columns.deidentify(series[0].to_list(), deidentifier=chosen, cases=groups)
        texts = [None if cell is None else cell.text for cell in found]
        return pl.Series(series[0].name, texts, dtype=pl.String)

    names = [column] if cases is None else [column, cases]
    return pl.map_batches([pl.col(name) for name in names], masked, return_dtype=pl.String)
