"""LlamaIndex: documents are masked before they are cut into nodes, or nodes as they are retrieved.

    documents = ThunderTransformation()(SimpleDirectoryReader("judgments").load_data())

Masked before, one person has one letter in all nodes and an index holds no original. In an
``IngestionPipeline`` it may stand first, but a pipeline with a ``docstore`` puts the documents into
it before any transformation: call it on them beforehand. ``ThunderPostprocessor`` masks nodes of an
index of originals, which is the weaker way: a node shows less than its document.
"""

from collections.abc import Sequence
from typing import Any

from thunder.integrations import passages
from thunder.integrations.foreign import require
from thunder.integrations.passages import Passage
from thunder.masking.deidentifier import Deidentifier

require("llama-index-core")
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import (
    BaseNode,
    Document,
    Node,
    NodeWithScore,
    QueryBundle,
    TextNode,
    TransformComponent,
)


class ThunderTransformation(TransformComponent):
    """A transformation of LlamaIndex's that masks documents, to be asked before a node parser.

    - ``deidentifier``: whose decisions they are; that of the tagger that ships without one.
    - ``case``: the key of the metadata that names the case of a document: the pages of a file have
      one ``file_path``. One person has one letter in a case; one without the key is one by itself.
    - ``together``: all documents are one case, for a lawsuit in several files.
    - ``keep_metadata``: keys whose values are left as they are. The strings among the others are
      masked with the text, ``file_path`` too.

    ``decides`` is the hash of all by which it decides, so that a pipeline's cache takes no results
    of other settings. The tagger is loaded at once: its errors (a folder of another taxonomy) are
    raised here.
    """

    case: str = "file_path"
    together: bool = False
    keep_metadata: tuple[str, ...] = ()
    decides: str = ""
    _deidentifier: Deidentifier = PrivateAttr()

    def __init__(self, deidentifier: Deidentifier | None = None, **fields: Any) -> None:
        chosen = deidentifier or Deidentifier()
        chosen.load()
        super().__init__(**{**fields, "decides": passages.fingerprint(chosen)})
        self._deidentifier = chosen

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[BaseNode]:
        """Return *nodes* de-identified, in their order; the originals are left alone.

        Embeddings, places in the original and what relations tell of other nodes' metadata go.
        ValueError for a node that holds more than text, and as for
        ``thunder.integrations.passages.deidentify``.
        """

        def case(node: BaseNode) -> object | None:
            return True if self.together else node.metadata.get(self.case)

        groups = passages.by_case(nodes, case)
        return _masked(nodes, groups, self._deidentifier, self.keep_metadata)

    @classmethod
    def class_name(cls) -> str:
        """Return the name by which LlamaIndex knows it."""
        return "ThunderTransformation"


class ThunderPostprocessor(BaseNodePostprocessor):
    """A postprocessor of LlamaIndex's that masks the nodes that were retrieved, as one case.

    One person has one letter in all nodes of one question, and may have another in the next.
    Masking before the nodes are cut (``ThunderTransformation``) finds more: use this only where an
    index must hold originals. The question itself is not masked. Arguments and errors as there.
    """

    keep_metadata: tuple[str, ...] = ()
    _deidentifier: Deidentifier = PrivateAttr()

    def __init__(self, deidentifier: Deidentifier | None = None, **fields: Any) -> None:
        super().__init__(**fields)
        self._deidentifier = deidentifier or Deidentifier()
        self._deidentifier.load()

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        groups = [list(range(len(nodes)))] if nodes else []
        inner = [one.node for one in nodes]
        new = _masked(inner, groups, self._deidentifier, self.keep_metadata)
        return [
            NodeWithScore(node=node, score=one.score) for node, one in zip(new, nodes, strict=True)
        ]

    @classmethod
    def class_name(cls) -> str:
        """Return the name by which LlamaIndex knows it."""
        return "ThunderPostprocessor"


def _masked(
    nodes: Sequence[BaseNode],
    groups: Sequence[Sequence[int]],
    deidentifier: Deidentifier,
    keep_metadata: Sequence[str],
) -> list[BaseNode]:
    for place, node in enumerate(nodes):
        _require_text_alone(node, place)
    cases = (
        [
            Passage(one.get_content(), one.metadata, one.node_id)
            for one in (nodes[place] for place in group)
        ]
        for group in groups
    )
    done = passages.deidentify(cases, deidentifier=deidentifier, keep_metadata=keep_metadata)
    new: list[BaseNode] = list(nodes)
    for group, masked in zip(groups, done, strict=True):
        for place, passage in zip(group, masked, strict=True):
            new[place] = _with(nodes[place], passage)
    return new


def _with(node: BaseNode, passage: Passage) -> BaseNode:
    new = node.model_copy(deep=True)
    new.set_content(passage.text)
    new.metadata = dict(passage.metadata)
    new.embedding = None
    for related in new.relationships.values():
        for one in related if isinstance(related, list) else [related]:
            one.metadata, one.hash = {}, None
    if isinstance(new, TextNode):
        new.start_char_idx = new.end_char_idx = None
    return new


def _require_text_alone(node: BaseNode, place: int) -> None:
    """Raise ValueError for a node that holds more than can be masked: pictures, other objects."""
    others = ("image_resource", "audio_resource", "video_resource")
    if type(node) not in (Document, Node, TextNode) or any(
        getattr(node, name, None) is not None for name in others
    ):
        raise ValueError(
            f"node {place} ({type(node).__name__}) holds more than text, which is not masked: "
            "take it out, or give its text alone"
        )
