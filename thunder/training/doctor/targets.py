"""The machines that a run is planned for, where it is not the one that the doctor stands on."""

from typing import NamedTuple


class Gpu(NamedTuple):
    """A GPU of its maker's data sheet: memory in bytes, dense bf16 TFLOP/s."""

    name: str
    memory: float
    tflops: float


_GPUS = (
    Gpu("h100-80g", 80e9, 989.0),
    Gpu("h200-141g", 141e9, 989.0),
    Gpu("b200-180g", 180e9, 2250.0),
    Gpu("a100-80g", 80e9, 312.0),
    Gpu("a100-40g", 40e9, 312.0),
    Gpu("l40s-48g", 48e9, 362.0),
    Gpu("rtx4090-24g", 24e9, 165.0),
)
H100 = _GPUS[0]


class Target(NamedTuple):
    """So many nodes of so many GPUs each."""

    gpu: Gpu
    nodes: int = 1
    per_node: int = 8

    @property
    def processes(self) -> int:
        """A process a GPU."""
        return self.nodes * self.per_node

    def __str__(self) -> str:
        return f"{self.nodes} x {self.per_node} {self.gpu.name}"


def gpu(name: str) -> Gpu:
    """Return the GPU of this name; LookupError names those that are known."""
    found = next((one for one in _GPUS if one.name == name.lower()), None)
    if found is None:
        known = ", ".join(one.name for one in _GPUS)
        raise LookupError(f"no GPU is called {name!r}; known are {known}")
    return found
