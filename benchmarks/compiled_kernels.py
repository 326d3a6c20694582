"""What the fused kernels compile to for a GPU that need not be there: registers, spills, memory.

Triton compiles to a binary without a device; the cuobjdump that ships with it reads it. Figures
are the compiler's, nothing is run.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import _environment  # noqa: F401
import torch

from thunder.encoder.attention import fused, kernels

KERNELS = ("forward", "query", "key")
SHARED_LIMIT = 227 * 1024  # bytes a program may use on an H100
_NAMES = {torch.bfloat16: "bf16", torch.float16: "fp16", torch.float32: "fp32"}
_FLOATS = ("LSE", "DELTA", "BUFFER")
_NUMBERS = ("DOCUMENTS", "START", "END")
_WATCHED = ("wgmma.mma_async", "mma.sync", "shfl.sync", "ld.shared", "st.shared", "ldmatrix")
_MORE_WATCHED = ("stmatrix", "bar.sync", "ex2.approx")


class Compiled(NamedTuple):
    """One kernel as compiled for sm_90: per thread registers and spilled bytes, shared bytes."""

    kernel: str
    dtype: str
    width: int
    far: bool
    launch: fused.Launch
    registers: int
    spilled: int
    shared: int
    instructions: dict[str, int]


def compiled(
    kernel: str,
    *,
    dtype: torch.dtype = torch.bfloat16,
    width: int = 64,
    far: bool = False,
    chance: bool = False,
    launch: fused.Launch | None = None,
) -> Compiled:
    """Return what "forward", "query" or "key" compiles to with *launch* (else the shipped one).

    Raises LookupError where Triton interprets, since then there is nothing to compile.
    """
    if fused.interpreted():
        raise LookupError("unset TRITON_INTERPRET: an interpreted kernel cannot be compiled")
    shape = launch or fused.launch(kernel, dtype, width)
    built = _build(kernel, dtype, width, far, chance, shape)
    registers, spilled = _assembled(built.asm["cubin"])
    watched = (*_WATCHED, *_MORE_WATCHED)
    counts = Counter(re.findall("|".join(map(re.escape, watched)), built.asm["ptx"]))
    name = _NAMES[dtype]
    shared = int(built.metadata.shared)
    return Compiled(kernel, name, width, far, shape, registers, spilled, shared, dict(counts))


def _build(
    kernel: str, dtype: torch.dtype, width: int, far: bool, chance: bool, shape: fused.Launch
) -> Any:
    triton = import_module("triton")
    target = import_module("triton.backends.compiler").GPUTarget("cuda", 90, 32)
    function = getattr(kernels, f"{kernel}_kernel")
    constants = {"N": shape.tile, "D": width, "FAR": far, "CHANCE": chance}
    constants["EXACT"] = int(dtype == torch.float32)
    signature = {name: _type_of(name, _NAMES[dtype]) for name in function.arg_names}
    # As at run time: pointers and strides of whole heads are multiples of 16.
    aligned = {
        (place,): [["tt.divisibility", 16]]
        for place, name in enumerate(function.arg_names)
        if signature[name].startswith("*") or ("_" in name and signature[name] == "i32")
    }
    source = triton.compiler.ASTSource(
        function, signature=signature, constexprs=constants, attrs=aligned
    )
    options = {"num_warps": shape.warps, "num_stages": shape.stages}
    return triton.compile(source, target=target, options=options)


def _type_of(name: str, dtype: str) -> str:
    if name in ("N", "D", "FAR", "CHANCE", "EXACT"):
        return "constexpr"
    if name in ("scale", "plain_scale", "dropout"):
        return "fp32"
    if not name.isupper():
        return "i32"
    if name == "SEED":
        return "*i64"
    return "*i32" if name in _NUMBERS else "*fp32" if name in _FLOATS else f"*{dtype}"


def _assembled(binary: bytes) -> tuple[int, int]:
    """Return registers and bytes of local memory a thread, by cuobjdump."""
    home = str(import_module("triton").__file__)
    tool = Path(home).parent / "backends" / "nvidia" / "bin" / "cuobjdump"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "kernel.cubin")
        source.write_bytes(binary)
        command = [str(tool), "-res-usage", str(source)]
        usage = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"REG:(\d+) STACK:(\d+)", usage)
    if not found:
        raise LookupError(f"cuobjdump said nothing of registers:\n{usage}")
    return int(found[1]), int(found[2])


def main() -> None:
    """Write a table of all shipped kernels to standard output."""
    for dtype in (torch.bfloat16, torch.float32):
        for width in (32, 64, 128):
            for kernel in KERNELS:
                for far in (False, True):
                    sys.stdout.write(f"{compiled(kernel, dtype=dtype, width=width, far=far)}\n")


if __name__ == "__main__":
    main()
