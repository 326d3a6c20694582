"""Judgments in a column of a pandas frame: ``import thunder.integrations.pandas`` gives accessors.

    import pandas, thunder.integrations.pandas
    frame = frame.thunder.deidentify("text")
    texts = frame["text"].thunder.deidentify(cases=frame["case"])

The index, the other columns and missing cells come back as they are.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Literal

from thunder.integrations import columns
from thunder.integrations.foreign import require
from thunder.masking.deidentifier import Deidentifier

require("pandas")
import pandas as pd

Residue = Literal["error", "stays"]


@pd.api.extensions.register_series_accessor("thunder")
class SeriesAccessor:
    """``series.thunder``: the cells are judgments, or the texts of cases."""

    def __init__(self, series: "pd.Series[str]") -> None:
        self._series = series

    def deidentify(
        self,
        deidentifier: Deidentifier | None = None,
        *,
        cases: Iterable[Hashable] | None = None,
    ) -> "pd.Series[str]":
        """Return the series de-identified, by the tagger that ships without a *deidentifier*.

        *cases* names for each cell the case it belongs to: one person has one letter in all of it.
        Errors as for ``thunder.integrations.columns.deidentify``.
        """
        dtype = self._series.dtype
        return self._of_cells(deidentifier, cases, lambda cell: cell.text, dtype=dtype)

    def entities(
        self,
        deidentifier: Deidentifier | None = None,
        *,
        cases: Iterable[Hashable] | None = None,
    ) -> "pd.Series[str]":
        """Return for each cell the list of what would be masked, as ``Deidentified.entities``."""
        return self._of_cells(deidentifier, cases, lambda cell: list(cell.entities), dtype=object)

    def _of_cells(
        self,
        deidentifier: Deidentifier | None,
        cases: Iterable[Hashable] | None,
        of_cell: Callable[[columns.Cell], object],
        *,
        dtype: Any,
    ) -> "pd.Series[str]":
        series = self._series
        found = columns.deidentify(series, deidentifier=deidentifier or Deidentifier(), cases=cases)
        pairs = zip(series, found, strict=True)
        values = [old if cell is None else of_cell(cell) for old, cell in pairs]
        return pd.Series(values, index=series.index, name=series.name, dtype=dtype)


@pd.api.extensions.register_dataframe_accessor("thunder")
class FrameAccessor:
    """``frame.thunder``: one column holds judgments, the others what belongs to them."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def deidentify(
        self,
        column: str,
        deidentifier: Deidentifier | None = None,
        *,
        cases: str | None = None,
        doubts: str | None = None,
        residue: Residue = "error",
    ) -> pd.DataFrame:
        """Return the frame with its *column* de-identified; the frame itself is left alone.

        - ``cases``: the column that names the case of each row: one letter a person in all of it.
        - ``doubts``: a column of this name is added, with how many places a person should look at.
        - ``residue``: what happens where something that was masked in a row stands in another
          column of that row: ``error``, or it ``stays``.

        KeyError for a column that is not there, ValueError for one that would be overwritten and
        for residue; else as for ``thunder.integrations.columns.deidentify``.
        """
        frame = self._frame
        for name in (column, cases):
            if name is not None and name not in frame.columns:
                raise KeyError(f"the frame has no column {name!r}")
        if doubts in frame.columns:
            raise ValueError(f"the frame has a column {doubts!r} already")
        if residue not in ("error", "stays"):
            raise ValueError(f"residue is 'error' or 'stays', not {residue!r}")
        others = [name for name in frame.columns if name != column]
        beside = {str(name): frame[name].tolist() for name in others if residue == "error"}
        series = frame[column]
        found = columns.deidentify(
            series,
            deidentifier=deidentifier or Deidentifier(),
            cases=None if cases is None else frame[cases].tolist(),
            beside=beside,
        )
        pairs = zip(series, found, strict=True)
        texts = [old if cell is None else cell.text for old, cell in pairs]
        new = frame.assign(**{column: pd.Series(texts, index=frame.index, dtype=series.dtype)})
        if doubts is not None:
            new[doubts] = [0 if cell is None else cell.doubts for cell in found]
        return new
