"""Which way the attention is computed: by name, or the best that device and shape allow.

Where the named way cannot take a call, another is taken and said once per reason, at WARNING on
the logger "thunder.encoder.attention"; the numbers stay the same to rounding.
"""

from __future__ import annotations

import importlib.util
import logging
import os
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from thunder.encoder.attention import dense
from thunder.encoder.attention.distances import Distances
from thunder.encoder.attention.layout import Layout

NAMES = ("reference", "shift", "sdpa", "flex", "triton")
_WIDTHS = (16, 32, 64, 128)
_LONGEST = 46_340  # i * S + j must stay a 32-bit number in the fused kernels
_KINDS = (torch.float32, torch.bfloat16, torch.float16)
_log = logging.getLogger("thunder.encoder.attention")
_said: set[str] = set()


class Need(NamedTuple):
    """What a call asks of a backend: *width* of a head, *gradient* if one is wanted."""

    device: str
    dtype: torch.dtype
    length: int
    width: int
    gradient: bool
    dropout: float = 0.0


def backends() -> tuple[str, ...]:
    """Return the names that can be used on this machine."""
    usable = {
        "reference": True,
        "shift": True,
        "sdpa": True,
        "flex": True,
        "triton": _has_triton() and (torch.cuda.is_available() or _interpreted()),
    }
    return tuple(name for name in NAMES if usable[name])


def choose(need: Need, *, backend: str = "auto") -> str:
    """Return the backend for a call: *backend*, or what to fall back to (said once per reason).

    "auto" is the fused kernel on a GPU and the shift elsewhere (on a CPU, with torch's own fused
    attention behind it where no weights are dropped). Raises ValueError for an unknown name.
    """
    if backend != "auto" and backend not in NAMES:
        raise ValueError(f"unknown attention {backend!r}; known are auto, {', '.join(NAMES)}")
    wanted = _best(need) if backend == "auto" else backend
    reason = _obstacle(need, backend=wanted)
    if reason is None:
        return wanted
    spare = "sdpa" if need.device == "cuda" else "shift"
    _say(f"attention {wanted!r} cannot take {reason}; {spare!r} is used instead")
    return spare


def disentangled_attention(
    query_BHSD: Tensor,
    key_BHSD: Tensor,
    value_BHSD: Tensor,
    position_key_HRD: Tensor,
    position_query_HRD: Tensor,
    *,
    layout: Layout,
    distances: Distances,
    backend: str = "auto",
    dropout: float = 0.0,
) -> Tensor:
    """Return the context [B,H,S,D]; a token that sees nothing gets zeros.

    *dropout* is the share of attention weights dropped; the caller passes 0 outside training.
    Raises ValueError for distances without buckets and for position rows that do not fit them.
    """
    distances.check()
    if position_key_HRD.shape[1] != distances.rows or position_query_HRD.shape[1] != distances.rows:
        raise ValueError(
            f"{distances.buckets} position buckets need {distances.rows} relative rows, got "
            f"{position_key_HRD.shape[1]} and {position_query_HRD.shape[1]}"
        )
    tensors = (query_BHSD, key_BHSD, value_BHSD, position_key_HRD, position_query_HRD)
    need = _need(*tensors, dropout=dropout)
    way = _way(choose(need, backend=backend))
    return way(*tensors, layout=layout, distances=distances, dropout=dropout)


def _need(*tensors: Tensor, dropout: float) -> Need:
    query_BHSD = tensors[0]
    gradient = torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)
    length, width = query_BHSD.shape[-2:]
    return Need(query_BHSD.device.type, query_BHSD.dtype, length, width, gradient, dropout)


def _way(name: str) -> Callable[..., Tensor]:
    if name == "triton":
        from thunder.encoder.attention import fused

        return fused.attention
    if name == "flex":
        from thunder.encoder.attention import flex

        return flex.attention
    return {"reference": dense.reference, "shift": dense.shift, "sdpa": dense.sdpa}[name]


def _best(need: Need) -> str:
    if torch.compiler.is_exporting():
        return "shift"
    if need.device == "cuda":
        return "triton" if _has_triton() else "sdpa"
    return "shift"


def _obstacle(need: Need, *, backend: str) -> str | None:
    """Return what *backend* cannot take of the call, None if nothing."""
    if backend == "triton":
        return _obstacle_to_triton(need)
    if backend == "flex":
        if need.dropout:
            return "attention dropout"
        if need.device != "cuda" and need.gradient:
            return "gradients off CUDA"
    return None


def _obstacle_to_triton(need: Need) -> str | None:
    if not _has_triton():
        return "any call without the triton package"
    if need.device != "cuda" and not _interpreted():
        return f"the device {need.device!r}"
    if need.dtype not in _KINDS:
        return f"{need.dtype}"
    if need.width not in _WIDTHS:
        return f"heads {need.width} wide (only {', '.join(map(str, _WIDTHS))})"
    if need.length > _LONGEST:
        return f"more than {_LONGEST} tokens"
    return None


# These three are run, not traced, when a model is compiled.
@torch.compiler.assume_constant_result  # type: ignore[untyped-decorator]
def _has_triton() -> bool:
    return importlib.util.find_spec("triton") is not None


@torch.compiler.assume_constant_result  # type: ignore[untyped-decorator]
def _interpreted() -> bool:
    return os.environ.get("TRITON_INTERPRET", "0") not in ("", "0")


@torch.compiler.assume_constant_result  # type: ignore[untyped-decorator]
def _say(message: str) -> None:
    """Log *message* unless it was logged before in this process."""
    if message not in _said:
        _said.add(message)
        _log.warning(message)
