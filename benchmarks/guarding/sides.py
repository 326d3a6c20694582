"""A side of the comparison: a commit or a folder, and an environment that has only its package."""

import hashlib
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parents[2]


class NoSide(ValueError):
    """What was named is neither a commit nor a checkout."""


class Side(NamedTuple):
    """A checkout, the Python of its environment, and its commit ("" for a folder as it is)."""

    name: str
    root: Path
    python: Path
    commit: str

    def run(self, script: Path, *arguments: object) -> str:
        """Return what *script* prints in this side's environment; its errors are shown."""
        command = [str(self.python), "-I", str(script), *map(str, arguments)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def opened(name: str, work: Path) -> Side:
    """Return the side called *name*: a folder as it is, or a commit in a worktree below *work*."""
    folder = Path(name)
    if folder.is_dir():
        if not (folder / "thunder" / "__init__.py").is_file():
            raise NoSide(f"{name}: no checkout, it has no thunder/__init__.py")
        root, commit = folder.resolve(), ""
        key = hashlib.blake2b(str(root).encode(), digest_size=6).hexdigest()
    else:
        commit = _commit(name)
        key, root = commit[:12], work / "trees" / commit[:12]
        if not (root / "thunder").is_dir():
            _git("worktree", "prune")
            _git("worktree", "add", "--quiet", "--detach", "--force", str(root), commit)
        if _git("-C", str(root), "status", "--porcelain") or _head(root) != commit:
            raise NoSide(f"{root}: is not {name} as committed; remove this folder")
    return Side(name, root, _environment(work / "environments" / key, root), commit)


def _commit(name: str) -> str:
    try:
        return _git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    except subprocess.CalledProcessError:
        raise NoSide(f"{name}: neither a folder nor a commit here") from None


def _head(root: Path) -> str:
    return _git("-C", str(root), "rev-parse", "HEAD")


def _git(*command: str) -> str:
    done = subprocess.run(["git", *command], cwd=HERE, check=True, stdout=subprocess.PIPE)
    return done.stdout.decode().strip()


def _environment(folder: Path, root: Path) -> Path:
    """Return the Python of an environment with *root*'s package before all that runs here.

    Only the folders of this one's path are taken over, no hook of an editable install.
    """
    if not (folder / "pyvenv.cfg").is_file():
        venv.EnvBuilder(symlinks=True).create(folder)
    sites = [path for path in sys.path if os.path.basename(path) in _SITES]
    place = sysconfig.get_path("purelib", "venv", {"base": folder, "platbase": folder})
    (Path(place) / "guard.pth").write_text("\n".join([str(root), *sites]) + "\n", "utf-8")
    return folder / "bin" / "python"


_SITES = ("site-packages", "dist-packages")
