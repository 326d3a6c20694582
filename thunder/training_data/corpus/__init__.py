"""Corpora for pre-training: files to tokenised shards, shards to packed rows.

``prepare`` makes a folder from a ``CorpusSettings``, ``PackedRows.open`` reads it, ``verify``
checks every byte of it. Paper: section 4.1 and appendix E.2.
"""

from thunder.training_data.corpus.manifest import Manifest, verify
from thunder.training_data.corpus.preparing import prepare
from thunder.training_data.corpus.rows import PackedRows, Row
from thunder.training_data.corpus.settings import CorpusSettings, Source

__all__ = ["CorpusSettings", "Manifest", "PackedRows", "Row", "Source", "prepare", "verify"]
