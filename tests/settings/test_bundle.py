"""Bundles: what goes in, what their bytes depend on, and what install.sh refuses before it acts."""

import base64
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

import thunder
from thunder.commands.cli import app
from thunder.settings import bundle, messages
from thunder.settings.bundle.wheels import BundleError, glibc

pytest.importorskip("packaging", reason="needs pip install 'thunder-deid[bundle]'")

ROOT = Path(__file__).resolve().parents[2]
LINUX = sys.platform == "linux"
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
MACHINE = next((one for one, name in bundle.MACHINES.items() if name == platform.machine()), "")
on_linux = pytest.mark.skipif(not (LINUX and MACHINE), reason="install.sh is for Linux")


def wheel(folder: Path, name: str, *asks: str, version: str = "1.0", tag: str = "py3-none-any"):
    """Write a small wheel of no code."""
    stem = f"{name.replace('-', '_')}-{version}"
    extras = sorted({one.partition('extra == "')[2].rstrip('"') for one in asks} - {""})
    metadata = [f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nLicense: MIT"]
    metadata += [f"Requires-Dist: {one}" for one in asks]
    metadata += [f"Provides-Extra: {one}" for one in extras]
    files = {
        f"{stem}.dist-info/METADATA": "\n".join(metadata) + "\n",
        f"{stem}.dist-info/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n",
        f"{stem}.dist-info/LICENSE": f"MIT of {name}\n",
    }
    if name == "thunder-deid":
        about = {"about": {"licence": "cc-by-nc-sa-4.0"}, "files": {"model.onnx": "0" * 64}}
        files["thunder/_data/finetune/taggers/small/tagger.json"] = json.dumps(about)
    rows = []
    for path, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
        rows.append(f"{path},sha256={digest.decode()},{len(text.encode())}\n")
    files[f"{stem}.dist-info/RECORD"] = "".join(rows) + f"{stem}.dist-info/RECORD,,\n"
    with zipfile.ZipFile(folder / f"{stem}-{tag}.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path), text)


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Path:
    """Return a wheelhouse in which tokenizers asks for a hub client, as the real one does."""
    house = tmp_path_factory.mktemp("house")
    asks = ["tokenizers>=0.22", 'lxml; extra == "documents"', 'pywin32; sys_platform == "win32"']
    wheel(house, "thunder-deid", *asks, version=thunder.__version__)
    wheel(house, "tokenizers", "huggingface-hub", version="0.23.3")
    wheel(house, "huggingface-hub", "httpx2")
    wheel(house, "httpx2")
    tag = f"cp{HERE.replace('.', '')}-none-manylinux_2_17_{platform.machine()}"
    wheel(house, "lxml", tag=tag)
    return house


@pytest.fixture(scope="module")
def docs(tmp_path_factory) -> Path:
    docs = tmp_path_factory.mktemp("docs")
    (docs / "index.html").write_text("<p>docs")
    return docs


@pytest.fixture(scope="module")
def key(tmp_path_factory) -> Path:
    if not shutil.which("ssh-keygen"):
        pytest.skip("needs ssh-keygen")
    key = tmp_path_factory.mktemp("key") / "maker"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    return key


@pytest.fixture(scope="module")
def made(house, docs, key, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("made") / "bundle.tar"
    bundle.make(
        out,
        platform=MACHINE or "linux-x86_64",
        python=HERE,
        extras=["documents"],
        wheelhouse=house,
        docs=docs,
        key=key,
    )
    return out


@pytest.fixture
def unpacked(made, tmp_path) -> Path:
    with tarfile.open(made) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / "thunder-deid-bundle"


def install(root: Path, *words: object, path: str = os.environ["PATH"], language: str = "en"):
    command = ["sh", root / "install.sh", *words]
    env = {"PATH": path, "HOME": str(root.parent), "THUNDER_LANGUAGE": language}
    done = subprocess.run(command, cwd=root.parent, env=env, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


# --- what is inside -------------------------------------------------------------------------------


def test_a_bundle_holds_what_is_needed_and_no_hub_client(unpacked):
    names = {path.name.split("-")[0] for path in (unpacked / "wheels").iterdir()}
    assert names == {"thunder_deid", "tokenizers", "lxml"}
    assert (unpacked / "licences" / "lxml-1.0" / "LICENSE").read_text() == "MIT of lxml\n"
    assert (unpacked / "docs" / "index.html").is_file()
    asked = (unpacked / "requirements.txt").read_text().splitlines()
    assert [line.split("==")[0] for line in asked] == ["lxml", "thunder-deid", "tokenizers"]
    assert all("--hash=sha256:" in line for line in asked)


def test_every_file_has_its_hash(unpacked):
    lines = (unpacked / "SHA256SUMS").read_text().splitlines()
    found = {}
    for line in lines:
        digest, _, name = line.partition("  ./")
        found[name] = digest
    present = {p.relative_to(unpacked).as_posix(): p for p in unpacked.rglob("*") if p.is_file()}
    assert present.keys() - found.keys() == {"SHA256SUMS", "SHA256SUMS.sig"}
    for name, digest in found.items():
        assert hashlib.sha256(present[name].read_bytes()).hexdigest() == digest


def test_the_same_wheels_give_the_same_bytes(made, house, docs, key, tmp_path):
    again = bundle.make(
        tmp_path / "other.tar",
        platform=MACHINE or "linux-x86_64",
        python=HERE,
        extras=["documents"],
        wheelhouse=house,
        docs=docs,
        key=key,
    )
    assert again.path.read_bytes() == made.read_bytes()
    assert again.left_out == ("httpx2", "huggingface-hub")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.tar", "other.tar.sig"]


def test_the_bill_of_materials_is_valid_and_whole(unpacked):
    text = (unpacked / "sbom.cdx.json").read_text()
    bill = json.loads(text)
    kinds = {one["name"]: one["type"] for one in bill["components"]}
    assert kinds == {"lxml": "library", "tokenizers": "library", "small": "machine-learning-model"}
    asked = {one["ref"]: one["dependsOn"] for one in bill["dependencies"]}
    assert asked[f"pkg:pypi/thunder-deid@{thunder.__version__}"] == [
        "pkg:pypi/lxml@1.0",
        "pkg:pypi/tokenizers@0.23.3",
    ]
    pytest.importorskip("cyclonedx.validation.json", reason="needs pip install '.[dev]'")
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None


@pytest.mark.parametrize(
    ("names", "minor"),
    [
        (["a-1-py3-none-any.whl"], 0),
        (["a-1-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl"], 17),
        (["a-1-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl"], 27),
        (["a-1-cp311-abi3-manylinux1_x86_64.whl", "b-1-cp311-abi3-manylinux_2_28_x86_64.whl"], 28),
    ],
)
def test_which_c_library_wheels_ask_for(names, minor):
    assert glibc(names) == minor


# --- what is refused when it is made --------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"platform": "linux-riscv64"}, "unknown platform 'linux-riscv64'; known: linux-x86_64"),
        ({"python": "3.10"}, "unknown Python '3.10'; known: 3.11"),
        ({"extras": ["desks"]}, "unknown extra: desks; known: documents"),
        ({"key": Path("no-key")}, "there is no key no-key"),
        ({"wheelhouse": Path("no-house")}, "there is no folder no-house"),
        ({"docs": Path("no-docs")}, "no-docs holds no index.html"),
        (
            {"platform": "linux-aarch64" if MACHINE != "linux-aarch64" else "linux-x86_64"},
            "not every package has a wheel",
        ),
        ({"python": "3.14" if HERE != "3.14" else "3.13"}, "not every package has a wheel"),
    ],
)
def test_what_is_missing_is_said_and_nothing_written(
    wrong, said, house, docs, tmp_path, monkeypatch
):
    monkeypatch.setattr(messages, "_chosen", ["en"])
    asked = {
        "platform": MACHINE or "linux-x86_64",
        "python": HERE,
        "extras": ["documents"],
        "wheelhouse": house,
        "docs": docs,
    }
    with pytest.raises(BundleError, match=said):
        bundle.make(tmp_path / "out.tar", **(asked | wrong))
    assert list(tmp_path.iterdir()) == []


def test_the_command_ends_with_1_and_says_why(tmp_path):
    done = CliRunner().invoke(app, ["bundle", "make", str(tmp_path / "a.tar"), "--python", "2.7"])
    assert (done.exit_code, done.stderr.startswith("Python '2.7': 모르는 값")) == (1, True)


@on_linux
def test_the_command_says_what_it_made_in_both_languages(house, docs, tmp_path, monkeypatch):
    words = ["--wheelhouse", house, "--docs", docs, "--python", HERE, "--for", MACHINE]
    for name, language, told in (
        ("a.tar", "ko", ["휠 2개", "서명하지 않음(--key)", "넣지 않음"]),
        ("b.tar", "en", ["2 wheels", "not signed (--key)", "left out, nothing here uses them"]),
    ):
        monkeypatch.setenv("THUNDER_LANGUAGE", language)
        out = tmp_path / name
        done = CliRunner().invoke(app, ["bundle", "make", str(out), *map(str, words)])
        assert done.exit_code == 0, done.output
        assert [one for one in told if one not in done.stdout] == []


# --- what install.sh refuses ----------------------------------------------------------------------


@on_linux
def test_a_whole_bundle_passes_and_a_check_installs_nothing(unpacked, key):
    code, said = install(unpacked, "--check", "--key", f"{key}.pub", "--python", sys.executable)
    assert (code, f"Python {HERE}" in said, "signature: of" in said) == (0, True, True), said


def _one_byte(root: Path) -> None:
    path = next((root / "wheels").glob("lxml*"))
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)


def _file_and_hash(root: Path) -> None:
    _one_byte(root)
    sums = subprocess.run(
        "find . -type f ! -name 'SHA256SUMS*' -exec sha256sum {} + > SHA256SUMS",
        shell=True, cwd=root,
    )  # fmt: skip
    assert sums.returncode == 0


def _more(root: Path) -> None:
    (root / "wheels" / "more.whl").write_bytes(b"")


def _fewer(root: Path) -> None:
    next((root / "wheels").glob("lxml*")).unlink()


def _unsigned(root: Path) -> None:
    (root / "SHA256SUMS.sig").unlink()


@on_linux
@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_one_byte, "not as it was made: ./wheels/lxml"),
        (_file_and_hash, "the signature is not that of"),
        (_more, "files where SHA256SUMS lists"),
        (_fewer, "not as it was made"),
        (_unsigned, "this bundle is not signed"),
    ],
)
def test_a_bundle_that_was_changed_is_refused(damage, said, unpacked, key):
    damage(unpacked)
    code, out = install(unpacked, "--key", f"{key}.pub", "--python", sys.executable, "env")
    assert (code, said in out, "nothing was installed" in out) == (1, True, True), out
    assert not (unpacked.parent / "env").exists()


@on_linux
@pytest.mark.parametrize(
    ("language", "words", "said"),
    [
        ("", [], "만든 그대로가 아닙니다: ./wheels/lxml"),
        ("ko", [], "아무것도 설치하지 않았습니다"),
        ("ko", ["--lang", "en"], "not as it was made: ./wheels/lxml"),
        ("en", ["--lang", "ko"], "만든 그대로가 아닙니다"),
    ],
)
def test_it_speaks_korean_unless_it_is_told_otherwise(language, words, said, unpacked):
    _one_byte(unpacked)
    asked = [*words, "--unsigned", "--python", sys.executable, "env"]
    code, out = install(unpacked, *asked, language=language)
    assert (code, said in out) == (1, True), out


def test_every_message_of_the_script_stands_in_both_languages():
    script = (ROOT / "thunder" / "settings" / "bundle" / "install.sh").read_text("utf-8")
    pairs = re.findall(r'\b(?:say|fail|undo) "([^"]*)" "([^"]*)"', script)
    said = re.findall(r'\b(?:say|fail|undo) "', script)
    assert len(pairs) == len(said) > 25
    pairs.remove(("$1", "$2"))  # of undo, which passes them on
    assert [ko for ko, _ in pairs if not re.search("[가-힣]", ko)] == []
    assert [en for _, en in pairs if re.search("[가-힣]", en)] == []


@on_linux
def test_a_python_that_does_not_run_is_said(unpacked, tmp_path):
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 127\n")
    broken.chmod(0o755)
    code, out = install(unpacked, "--unsigned", "--python", broken, "env")
    assert (code, "does not run: give --python PROGRAM; nothing was installed" in out) == (1, True)


@on_linux
def test_another_makers_key_is_refused(unpacked, tmp_path):
    other = tmp_path / "other"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", other], check=True)
    code, out = install(unpacked, "--key", f"{other}.pub", "env")
    assert (code, "the signature is not that of" in out) == (1, True)


@on_linux
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["env"], "give --key MAKER.pub, or --unsigned"),
        (["--unsigned"], "name the folder"),
        (["--unsigned", "--fast", "env"], "unknown option --fast"),
        (["--unsigned", "--python", "python-that-is-not", "env"], "there is no python-that-is-not"),
        (["--unsigned", "thunder-deid-bundle"], "is there already"),
    ],
)
def test_wrong_usage_installs_nothing(words, said, unpacked):
    code, out = install(unpacked, *words)
    assert (code, said in out) == (1, True), out
    assert not (unpacked.parent / "env").exists()


@on_linux
@pytest.mark.parametrize(
    ("program", "prints", "said"),
    [
        ("uname", "sparc64", "this one is sparc64"),
        ("getconf", "glibc 2.5", "needs glibc 2.17, this is 2.5"),
        ("getconf", "musl", "needs the GNU C library"),
        (f"python{HERE}", "cpython 3.9", f"is for cpython {HERE}"),
    ],
)
def test_another_machine_or_python_is_said_before_anything_is_installed(
    program, prints, said, unpacked, tmp_path
):
    own = tmp_path / "bin"
    own.mkdir()
    system = 'if [ "$1" = -s ]; then echo Linux; exit; fi\n' if program == "uname" else ""
    (own / program).write_text(f"#!/bin/sh\n{system}echo '{prints}'\n")
    (own / program).chmod(0o755)
    words = [] if program.startswith("python") else ["--python", sys.executable]
    path = f"{own}:{os.environ['PATH']}"
    code, out = install(unpacked, "--unsigned", *words, "env", path=path)
    assert (code, said in out) == (1, True), out
    assert not (tmp_path / "env").exists()
