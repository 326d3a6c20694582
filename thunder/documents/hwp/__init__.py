"""HWP 5, the binary files of Hancom's word processor: read, masked and scrubbed record by record.

``records`` says what a stream is made of, ``paragraphs`` and ``strings`` what text in a record is,
``sections`` in which order a person reads it, ``document`` what a file is and gives back.
"""

from thunder.documents.hwp.document import open

__all__ = ["open"]
