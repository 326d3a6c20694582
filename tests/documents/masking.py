"""Masks for the words of a document, and what has to hold of a document with them."""

from thunder.documents.segments import Document, Mask


def masks(document: Document, replacements: dict[str, str]) -> list[Mask]:
    """Return a mask for every place of every word."""
    found = []
    for number, segment in enumerate(document.segments):
        for word, replacement in replacements.items():
            at = segment.text.find(word)
            while at >= 0:
                found.append(Mask(number, at, at + len(word), replacement))
                at = segment.text.find(word, at + 1)
    return sorted(found)


def texts(document: Document) -> list[str]:
    return [segment.text for segment in document.segments]


def masked_texts(document: Document, replacements: dict[str, str]) -> list[str]:
    """Return what the segments say once each word is replaced."""
    found = []
    for text in texts(document):
        for word, replacement in replacements.items():
            text = text.replace(word, replacement)
        found.append(text)
    return found


def read_as_one(document: Document) -> str:
    return "".join(segment.text + segment.after for segment in document.segments)
