"""LangChain: documents are masked before they are cut, and an agent's messages before they go out.

    documents = ThunderTransformer().transform_documents(loader.load())
    chunks = splitter.split_documents(documents)

Cut first and masked afterwards, a name may lie on the cut, and what shows that it is one in
another chunk; masked first, one person has one letter in all chunks.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from thunder.integrations import passages
from thunder.integrations.foreign import require
from thunder.integrations.passages import Passage
from thunder.masking.deidentifier import Deidentifier

require("langchain-core")
from langchain_core.documents import BaseDocumentTransformer, Document


class ThunderTransformer(BaseDocumentTransformer):
    """A transformer of LangChain's that masks documents, to be asked before they are split.

    - ``deidentifier``: whose decisions they are; that of the tagger that ships without one.
    - ``case``: the key of the metadata that names the case of a document: the pages of a file have
      one ``source``. One person has one letter in a case; one without the key is a case by itself.
    - ``together``: all documents are one case, for a lawsuit in several files.
    - ``keep_metadata``: keys whose values are left as they are. The strings among the others are
      masked with the text, ``source`` too.

    The tagger is loaded at once: its errors (a folder of another taxonomy) are raised here.
    """

    def __init__(
        self,
        deidentifier: Deidentifier | None = None,
        *,
        case: str = "source",
        together: bool = False,
        keep_metadata: Iterable[str] = (),
    ) -> None:
        self._deidentifier = deidentifier or Deidentifier()
        self._deidentifier.load()
        self._case, self._together = case, together
        self._keep = tuple(keep_metadata)

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """Return *documents* de-identified, in their order; the originals are left alone.

        ValueError as for ``thunder.integrations.passages.deidentify``.
        """
        groups = passages.by_case(documents, self._case_of)
        cases = (
            [
                Passage(one.page_content, one.metadata, one.id or "")
                for one in (documents[place] for place in group)
            ]
            for group in groups
        )
        done = passages.deidentify(cases, deidentifier=self._deidentifier, keep_metadata=self._keep)
        new: list[Document] = list(documents)
        for group, masked in zip(groups, done, strict=True):
            for place, passage in zip(group, masked, strict=True):
                changed = {"page_content": passage.text, "metadata": passage.metadata}
                new[place] = documents[place].model_copy(update=changed)
        return new

    def _case_of(self, document: Document) -> object | None:
        return True if self._together else document.metadata.get(self._case)


def detector(deidentifier: Deidentifier | None = None) -> Callable[[str], list[dict[str, Any]]]:
    """Return a detector for LangChain's ``PIIMiddleware``.

        PIIMiddleware("judgment", detector=detector(), strategy="hash")

    The type of a match is our label. A message is read by itself, which tells less than a
    judgment; the middleware's strategies write no letters: ``hash`` writes one word for one
    wording. The tagger is loaded at once.
    """
    chosen = deidentifier or Deidentifier()
    chosen.load()

    def detect(content: str) -> list[dict[str, Any]]:
        return [
            {
                "type": change.span.label,
                "value": content[change.span.start : change.span.end],
                "start": change.span.start,
                "end": change.span.end,
            }
            for change in chosen.deidentify(content).changes
        ]

    return detect
