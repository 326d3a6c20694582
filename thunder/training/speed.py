"""How fast a run is: tokens a second, the share of the machine used, the share spent waiting."""

from typing import NamedTuple

import torch

from thunder.training.loop import Step

# Dense bf16 TFLOP/s from the makers' data sheets (without sparsity); the first match counts.
PEAKS = {
    "B200": 2250.0,
    "H200": 989.0,
    "H100 PCIe": 756.0,
    "H100 NVL": 835.0,
    "H100": 989.0,
    "A100": 312.0,
    "L40S": 362.0,
    "RTX 4090": 165.0,
}


class Speed(NamedTuple):
    """Over some steps. *mfu* is the share of the devices' peak that useful work took, or None."""

    tokens_per_second: float
    mfu: float | None
    waited: float
    seconds_per_step: float


def peak(device: torch.device, stated: float | None = None) -> float | None:
    """Return a device's peak in TFLOP/s: what the configuration states, else a GPU's known one."""
    if stated is not None or device.type != "cuda":
        return stated
    name = torch.cuda.get_device_name(device)
    return next((tflops for known, tflops in PEAKS.items() if known in name), None)


def over(
    steps: list[Step], *, flops_per_token: float, devices: int, peak_tflops: float | None
) -> Speed:
    """Return the speed over *steps*; tokens that are padding count for nothing.

    The time is that of the steps: what measuring and saving take is not in it. Attention is
    counted as if each row were one document, as is usual, also where several are packed into it.
    """
    seconds = sum(step.seconds for step in steps)
    rate = sum(step.tokens for step in steps) / seconds
    mfu = None
    if peak_tflops is not None:
        mfu = rate * flops_per_token / (devices * peak_tflops * 1e12)
    waited = sum(step.waited * step.seconds for step in steps) / seconds
    return Speed(rate, mfu, waited, seconds / len(steps))
