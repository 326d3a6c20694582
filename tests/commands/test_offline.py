"""``thunder doctor --offline``: what is told of a run, by the system's calls or by Python's."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.commands import offline
from thunder.commands.cli import app

ROOT = Path(__file__).resolve().parents[2]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")


@pytest.mark.parametrize(
    ("line", "read", "written", "tries"),
    [
        ('7 openat(AT_FDCWD, "/a/b", O_RDONLY|O_CLOEXEC) = 3', {"/a/b"}, set(), 0),
        ('7 openat(AT_FDCWD, "/a/b", O_RDONLY) = -1 ENOENT (No such file)', set(), set(), 0),
        ('7 openat(AT_FDCWD, "/a", O_RDONLY|O_DIRECTORY) = 3', set(), set(), 0),
        ('7 open("/a/b", O_WRONLY|O_CREAT, 0600)   = 3', set(), {"/a/b"}, 0),
        ('7 rename("/a/b", "/a/c") = 0', set(), {"/a/b", "/a/c"}, 0),
        ('7 mkdir("/a", 0777)      = -1 EEXIST (File exists)', set(), set(), 0),
        ("7 socket(AF_INET, SOCK_STREAM|SOCK_CLOEXEC, IPPROTO_IP) = 3", set(), set(), 1),
        ("7 connect(3, {sa_family=AF_INET6, sin6_port=htons(443)}, 28) = -1", set(), set(), 1),
        ('7 connect(3, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}', set(), set(), 0),
        ('7 openat(AT_FDCWD, "/etc/resolv.conf", O_RDONLY) = 3', set(), set(), 1),
        ("7 socketpair(AF_UNIX, SOCK_STREAM, 0, [3, 4]) = 0", set(), set(), 0),
    ],
)
def test_what_a_system_call_tells(line, read, written, tries):
    seen = offline._of_calls([line])
    assert (seen.read, seen.written, len(seen.tries), seen.processes) == (read, written, tries, 1)


def test_what_pythons_events_tell(tmp_path):
    """The hook itself, in a process that reads, writes and looks an address up."""
    (tmp_path / "sitecustomize.py").write_text(offline._AUDIT)
    watched = tmp_path / "watched"
    watched.touch()
    code = (
        "import socket; open('in').read(); open('out', 'w').write('x')\n"
        "try: socket.getaddrinfo('no-such-host.invalid', 80)\n"
        "except OSError: pass"
    )
    (tmp_path / "in").write_text("x")
    own = {"THUNDER_WATCHED": str(watched), "PYTHONPATH": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=os.environ | own, check=True)
    seen = offline._seen(watched, by_calls=False)
    assert str(tmp_path / "in") in seen.read
    assert {one for one in seen.written if one.startswith(str(tmp_path))} == {str(tmp_path / "out")}
    assert (seen.tries, seen.processes) == (("socket.getaddrinfo",), 1)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("A 변호사 문정우 징역 1년에 처한다 2022. 9. 7. 서울 강남구", []),
        ("강도윤 변호사 문정우 징역 1년에 처한다 2022. 9. 7. 서울 강남구", ["강도윤"]),
        ("A 변호사 B 징역 1년에 처한다 2022. 9. 7. 서울 강남구", ["문정우"]),
    ],
)
def test_a_result_that_is_wrong_is_no_proof(text, wrong, tmp_path):
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "a.txt").write_text(text)
    assert offline._wrong(tmp_path) == wrong


def test_no_result_is_no_proof(tmp_path):
    assert offline._wrong(tmp_path) == list(offline.KEPT)


def test_offline_is_not_of_a_run(tmp_path):
    done = CliRunner().invoke(app, ["doctor", "--offline", str(tmp_path / "run.toml")])
    assert (done.exit_code, "CONFIG를 주지" in done.stderr) == (2, True)


def doctor(tmp_path: Path, **own: str) -> tuple[int, str]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "thunder", "doctor", "--offline"]
    done = subprocess.run(
        command, env=environment | own, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    return done.returncode, done.stdout + done.stderr


@LINUX
@pytest.mark.slow
def test_a_whole_run_with_the_network_off(tmp_path):
    code, said = doctor(tmp_path)
    if "이름공간을 만들 수 없고" in said:
        pytest.skip("no network namespace is allowed here")
    assert (code, said.count("[ok  ]"), said.splitlines()[-1][:3]) == (0, 4, "확인됨"), said
    assert "model.onnx" not in said  # folders, not each file
    assert any("finetune" in line or "thunder" in line for line in said.splitlines()), said
    assert list(tmp_path.iterdir()) == []


@LINUX
@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace, which .ci/run installs")
def test_a_run_that_looks_an_address_up_is_no_proof(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    code = "import socket\ntry: socket.getaddrinfo('no-such-host.invalid', 80)\nexcept OSError: 0\n"
    (site / "sitecustomize.py").write_text(code)
    done, said = doctor(tmp_path, PYTHONPATH=f"{ROOT}{os.pathsep}{site}", THUNDER_LANGUAGE="en")
    assert (done, "Not proved" in said) == (1, True), said
    assert any(line.startswith("[fail] sent") for line in said.splitlines()), said
