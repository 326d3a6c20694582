"""What this machine has: versions, GPUs, the ways its processes talk, compilers, shared memory."""

import os
import platform
import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from thunder.training.doctor.findings import Finding
from thunder.training.doctor.targets import Target
from thunder.training.settings import EngineSettings

# First and last version that the tests have passed with, and what a version must begin with.
KNOWN = {
    "torch": ("2.11", "2.13"),
    "transformers": ("5.17", "5.23"),
    "deepspeed": ("0.19.8", "0.19.8"),
}
_NEEDED = ("torch", "transformers")
_SHM_GB = 1.0


def examine(engine: EngineSettings, *, target: Target | None = None) -> Iterator[Finding]:
    """Yield what is found about the machine for a run with *engine*.

    Of a *target*, which is another machine, only the packages are looked at that it shares.
    """
    yield from versions(engine)
    if target is not None:
        told = f"planned for {target}; this machine's own GPUs and tools are not looked at"
        yield Finding("ok", "machine", told, "there, run it again without --gpu")
        return
    yield from devices(engine)
    yield from talk()
    yield from tools(engine)
    yield shared_memory(Path("/dev/shm"))


def versions(engine: EngineSettings) -> Iterator[Finding]:
    """Yield whether the installed versions are known to work together."""
    needed = (*_NEEDED, "deepspeed") if engine.kind == "deepspeed" else _NEEDED
    yield Finding("ok", "python", platform.python_version())
    for name in needed:
        try:
            yield _version(name, version(name))
        except PackageNotFoundError:
            extra = "cluster" if name == "deepspeed" else "train"
            cure = f"pip install 'thunder-deid[{extra}]'"
            if name == "deepspeed":
                cure += ', or set engine.kind to "plain"'
            yield Finding("fail", name, "is not installed", cure)


def _version(name: str, found: str) -> Finding:
    low, high = KNOWN[name]
    if _numbers(low) <= _numbers(found)[: len(_numbers(low))] and (
        _numbers(found)[: len(_numbers(high))] <= _numbers(high)
    ):
        return Finding("ok", name, found)
    known = low if low == high else f"{low} to {high}"
    cure = f"tested with {known}: run `python -m pytest -m slow tests/training` once with yours"
    return Finding("warn", name, f"{found} is untested", cure)


def _numbers(text: str) -> tuple[int, ...]:
    parts = text.split("+")[0].split(".")
    return tuple(int(part) for part in parts if part.isdigit())


def devices(engine: EngineSettings) -> Iterator[Finding]:
    """Yield the GPUs, or what a CPU can do for *engine*."""
    import torch

    if torch.cuda.is_available():
        for number in range(torch.cuda.device_count()):
            yield _gpu(number, engine)
        return
    if engine.precision == "fp16":
        cure = 'set engine.precision to "bf16" or "fp32"'
        yield Finding("fail", "GPU", 'there is none, and "fp16" needs one', cure)
        return
    cure = "enough for size small; if this machine has a GPU, its driver or a CUDA torch is missing"
    yield Finding("warn", "GPU", "there is none: the run would use the CPU", cure)
    if engine.precision == "bf16" and not _has_bf16(Path("/proc/cpuinfo")):
        cure = 'set engine.precision to "fp32": bf16 would be slower here'
        yield Finding("warn", "CPU", "has neither avx512_bf16 nor amx_bf16", cure)


def _gpu(number: int, engine: EngineSettings) -> Finding:
    import torch

    about = torch.cuda.get_device_properties(number)
    told = f"{about.name}, {about.total_memory / 2**30:.0f} GiB"
    if engine.precision == "bf16" and about.major < 8:
        cure = 'set engine.precision to "fp16"'
        return Finding("fail", f"GPU {number}", f"{told} cannot compute in bf16", cure)
    return Finding("ok", f"GPU {number}", told)


def _has_bf16(cpuinfo: Path) -> bool:
    text = cpuinfo.read_text(encoding="utf-8") if cpuinfo.is_file() else ""
    return "avx512_bf16" in text or "amx_bf16" in text


def talk() -> Iterator[Finding]:
    """Yield by which libraries processes can talk to each other."""
    import torch
    import torch.distributed as dist

    if not torch.cuda.is_available():
        yield Finding("ok", "processes", "gloo")
    elif not dist.is_nccl_available():
        yield Finding("fail", "NCCL", "torch was built without it", "install torch's CUDA wheel")
    else:
        found = ".".join(map(str, torch.cuda.nccl.version()))  # type: ignore[no-untyped-call]
        yield Finding("ok", "NCCL", found)


def tools(engine: EngineSettings) -> Iterator[Finding]:
    """Yield whether what is compiled at the start can be compiled."""
    if engine.compile:
        compiler = shutil.which("g++") or shutil.which("clang++")
        if compiler:
            yield Finding("ok", "compiler", compiler)
        else:
            cure = "install g++, or set engine.compile to false (slower)"
            yield Finding("fail", "compiler", "engine.compile needs g++ or clang++", cure)
    if engine.kind == "deepspeed":
        yield _deepspeed()


def _deepspeed() -> Finding:
    import torch

    # As the engine sets it; left to find one, DeepSpeed warns into this report.
    os.environ.setdefault("DS_ACCELERATOR", "cuda" if torch.cuda.is_available() else "cpu")
    try:
        import deepspeed
    except ModuleNotFoundError:
        return Finding("ok", "DeepSpeed ops", "not looked at")  # told among the versions
    except Exception as error:  # a build for another CUDA fails in many ways at import
        told = f"DeepSpeed {type(error).__name__}: {error}"
        return Finding("fail", "DeepSpeed", told, "DS_BUILD_OPS=0 pip install deepspeed==0.19.8")
    name = deepspeed.accelerator.get_accelerator().device_name()
    told = f"runs on {name}; none has to be built: AdamW is torch's fused one"
    return Finding("ok", "DeepSpeed ops", told)


def shared_memory(place: Path) -> Finding:
    """Return whether workers can hand over their samples (containers often allow 64 MB)."""
    if not place.is_dir():
        return Finding("warn", str(place), "is not there", "set loading.workers to 0")
    free = shutil.disk_usage(place).free / 1e9
    if free < _SHM_GB:
        cure = "start the container with --shm-size=8g, or set loading.workers to 0"
        return Finding("warn", str(place), f"only {free:.2f} GB for samples of workers", cure)
    return Finding("ok", str(place), f"{free:.1f} GB")
