"""Pre-training: settings in a TOML file, a run over a prepared corpus, and its export.

``run`` trains what ``pretrain/configs/*.toml`` describe, alone or among the processes that a
launcher started; ``export`` writes a checkpoint as a Hugging Face folder. Paper: section 4.1 and
appendix E.2.
"""

from thunder.training.pretraining.exporting import export
from thunder.training.pretraining.running import run
from thunder.training.pretraining.settings import Pretraining

__all__ = ["Pretraining", "export", "run"]
