"""A component of spaCy's pipelines, which spaCy finds by its name once this package is installed.

    nlp = spacy.blank("xx")
    nlp.add_pipe("thunder_deid")
    nlp(text)._.thunder_deid["text"]

spaCy's Korean wants Mecab on the system for its tokenizer; ``blank`` gives Korean without it. A
mention need not be a token (홍길동 in 홍길동이), so that what counts is in characters:
``doc._.thunder_deid``. ``doc.spans["thunder_deid"]`` has the tokens in which they lie.
"""

from collections.abc import Iterable, Iterator
from itertools import tee
from typing import Any

from thunder.integrations.foreign import require
from thunder.masking.deidentifier import Deidentifier
from thunder.masking.records import Deidentified
from thunder.tagger.chosen_tagger import DEFAULT

require("spacy")
import spacy
from spacy.language import Language
from spacy.tokens import Doc

NAME = "thunder_deid"

if not Doc.has_extension(NAME):
    Doc.set_extension(NAME, default=None)


class ThunderDeid:
    """A component of spaCy's: it reads the text of a document, whatever its tokens are.

    ``doc._.thunder_deid`` has the ``text`` without personal data, and ``entities`` and ``doubts``
    in characters of the document's own text, all of them plain, so that ``doc.to_bytes`` keeps
    them. The document's own text is the original: hand on ``text``, not the document.
    """

    def __init__(self, deidentifier: Deidentifier) -> None:
        self._deidentifier = deidentifier
        deidentifier.load()

    def __call__(self, doc: Doc) -> Doc:
        """Return *doc* with what was found."""
        return _marked(doc, self._deidentifier.deidentify(doc.text))

    def pipe(self, docs: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Yield each of *docs* with what was found; they are read some at a time."""
        docs, read = tee(docs)
        results = self._deidentifier.deidentify_many(doc.text for doc in read)
        yield from map(_marked, docs, results)


@Language.factory(NAME, default_config={"profile": "court", "model": DEFAULT, "recall": None})
def make(nlp: Language, name: str, profile: str, model: str, recall: float | None) -> ThunderDeid:
    """Return the component; its arguments are ``Deidentifier``'s, whose errors are raised here."""
    return ThunderDeid(Deidentifier(profile=profile, model=model, recall=recall))


def blank(**config: Any) -> Language:
    """Return a Korean pipeline of spaCy's with this component alone, without Mecab on the system.

    *config* is the component's: ``profile``, ``model``, ``recall``.
    """
    nlp = spacy.blank("ko", config={"nlp": {"tokenizer": {"@tokenizers": "spacy.Tokenizer.v1"}}})
    nlp.add_pipe(NAME, config=config)
    return nlp


def _marked(doc: Doc, result: Deidentified) -> Doc:
    doc._.set(
        NAME,
        {
            "text": result.text,
            "entities": result.entities,
            "doubts": [
                {"start": one.start, "end": one.end, "kind": one.kind, "message": one.message}
                for one in result.doubts
            ],
        },
    )
    spans = [
        doc.char_span(
            change.span.start, change.span.end, change.span.label, alignment_mode="expand"
        )
        for change in result.changes
    ]
    doc.spans[NAME] = [span for span in spans if span is not None]
    return doc
