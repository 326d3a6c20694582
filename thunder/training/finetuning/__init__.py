"""Fine-tuning: a tagger learnt from a dataset of filled judgments, and its export.

``run`` trains what ``finetune/configs/*.toml`` describe, on the loop of ``thunder.training``;
``export`` writes the best checkpoint as a folder that ``thunder.tagger.Tagger.load`` reads. Paper:
section 4.1 and appendices E.2 and F.
"""

from thunder.training.finetuning.exporting import export
from thunder.training.finetuning.running import run
from thunder.training.finetuning.settings import Finetuning

__all__ = ["Finetuning", "export", "run"]
