"""Training: one loop, its schedule, its engines, its checkpoints; for pre-training and tagging.

The loop (``thunder.training.loop.train``) is a generator that knows neither disk nor printing;
an engine moves the weights (``plain``: PyTorch, alone or with DDP; ``zero``: DeepSpeed ZeRO 0-3);
an act (``thunder.training.pretraining``) stands around the loop and saves, measures and writes.
Chance is keyed: dropout and masking follow from the seed and the samples' numbers, so that no
random state is ever saved, and a run goes on exactly wherever it stopped.
"""
