"""The learning rate of every step: linear warm-up, then half a cosine."""

import math


def learning_rate(
    step: int, *, steps: int, peak: float, warmup: float = 0.1, floor: float = 0.0
) -> float:
    """Return the rate of optimizer step *step*, counted from 0, of *steps*.

    It rises to *peak* over the first *warmup* share of the steps and falls to *floor* along half
    a cosine (paper, section E.2). The first step's rate is above 0 and the last one's above
    *floor*: no step is wasted.
    """
    if not 0 <= step < steps:
        raise ValueError(f"step {step} is outside a schedule of {steps} steps")
    warm = math.ceil(warmup * steps)
    if step < warm:
        return peak * (step + 1) / warm
    done = (step - warm) / (steps - warm)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2
