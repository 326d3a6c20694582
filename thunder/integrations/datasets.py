"""Judgments in a column of a data set of Hugging Face's ``datasets``: a function for ``map``.

    from thunder.integrations.datasets import deidentify
    data = data.map(deidentify("text"), batched=True)
    data = data.map(deidentify("text", cases="case"), batched=True, batch_size=None)

``map`` writes what it makes into a cache; the rows it came from lie in the caches of the data set
that was loaded, originals and all, until they are removed.
"""

from collections.abc import Callable
from typing import Any

from thunder.integrations import columns
from thunder.integrations.foreign import require
from thunder.masking.deidentifier import Deidentifier

require("datasets")

Batch = dict[str, list[Any]]


def deidentify(
    column: str,
    deidentifier: Deidentifier | None = None,
    *,
    cases: str | None = None,
    doubts: str | None = None,
) -> Callable[[Batch], Batch]:
    """Return the function that de-identifies *column* of a batch, for ``map(…, batched=True)``.

    - ``cases``: the column that names the case of each row: one person has one letter in all of it.
      Give ``batch_size=None``, for a case that is cut between two batches is two.
    - ``doubts``: a column of this name is added, with how many places a person should look at.

    What it returns is pickled by ``map(num_proc=…)``, and each process loads its own tagger. Errors
    as for ``thunder.integrations.columns.deidentify``; KeyError for a column that is not there.
    """
    chosen = deidentifier or Deidentifier()

    def of_batch(batch: Batch) -> Batch:
        groups = None if cases is None else batch[cases]
        found = columns.deidentify(batch[column], deidentifier=chosen, cases=groups)
        new: Batch = {column: [None if cell is None else cell.text for cell in found]}
        if doubts is not None:
            new[doubts] = [0 if cell is None else cell.doubts for cell in found]
        return new

    return of_batch
