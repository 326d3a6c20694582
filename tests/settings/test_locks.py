"""Locks between processes, and ``thunder deid`` where a system has none of POSIX's (Windows)."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from thunder.settings.locks import lock

ROOT = Path(__file__).resolve().parents[2]
TEXT = "피고인 김도윤은 010-2345-6789로 전화하였다.\n"
MASKED = "피고인 A은 (전화번호 1 생략)로 전화하였다.\n"

TRY = """
import sys
from thunder.settings.locks import lock
with open(sys.argv[1], "r+b") as file:
    try:
        lock(file)
    except BlockingIOError:
        sys.exit(3)
"""

WITHOUT_POSIX = """
import errno, os, select, signal, sys, types
import asyncio, multiprocessing.connection, selectors, subprocess  # they ask for msvcrt

locked = set()
def locking(descriptor, mode, number):
    assert (mode, number) == (2, 1) and os.lseek(descriptor, 0, os.SEEK_CUR) == 2**31 - 2
    found = os.fstat(descriptor)
    if (found.st_dev, found.st_ino) in locked:
        raise PermissionError(errno.EACCES, "held")

sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
for of, names in (
    (os, ("fchmod", "getuid", "kill", "O_NOFOLLOW", "O_NONBLOCK", "sched_getaffinity")),
    (select, ("poll",)),
    (signal, ("SIGHUP", "pthread_sigmask")),
):
    for name in names:
        delattr(of, name)
replace = os.replace
def renamed(source, target):
    opened = {os.readlink(f"/proc/self/fd/{one}") for one in os.listdir("/proc/self/fd")
              if os.path.islink(f"/proc/self/fd/{one}")}
    assert os.path.abspath(source) not in opened, "Windows renames nothing that is open"
    replace(source, target)
os.replace = renamed
"""


def _run(code, *words, **options):
    command = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


def test_one_process_has_it_and_the_next_after_it(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"")
    with path.open("r+b") as file:
        lock(file)
        lock(file.fileno())
        assert _run(TRY, path, cwd=ROOT).returncode == 3
    assert _run(TRY, path, cwd=ROOT).returncode == 0


def test_what_windows_says_of_a_held_lock_is_understood(tmp_path):
    code = """
    from thunder.settings.locks import lock
    with open(sys.argv[1], "w+b") as file:
        file.write(b"abc")
        lock(file)
        assert file.tell() == 3
        found = os.fstat(file.fileno())
        locked.add((found.st_dev, found.st_ino))
        try:
            lock(file)
        except BlockingIOError as error:
            assert error.errno == errno.EACCES
        else:
            sys.exit(3)
    """
    done = _run(WITHOUT_POSIX + textwrap.dedent(code), tmp_path / "file", cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", [["a.txt", "-o", "out.txt"], ["in", "-o", "out"]])
@pytest.mark.skipif(sys.platform != "linux", reason="looks at what is open in /proc")
def test_deid_runs_without_them(tmp_path, words):
    for path in (tmp_path / "a.txt", tmp_path / "in" / "b.txt", tmp_path / "in" / "c.txt"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(TEXT, encoding="utf-8")
    left = tmp_path / "out" / ".thunder-999999999-00000000.partial"
    left.parent.mkdir()
    left.write_bytes(b"half")
    code = """
    from thunder.__main__ import main
    sys.argv = ["thunder", "deid", *sys.argv[1:], "--model", "none", "--workers", "1"]
    main()
    """
    done = _run(
        WITHOUT_POSIX + textwrap.dedent(code),
        *words,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin"},
    )
    assert done.returncode == 0, done.stderr
    written = [tmp_path / "out.txt"] if words[0] == "a.txt" else (tmp_path / "out").glob("?.txt")
    assert [path.read_text("utf-8") for path in written][-1] == MASKED
    assert left.exists() == (words[0] == "a.txt")
