"""A whole run with the network off, watched: what ``thunder doctor --offline`` does and says.

The run is ``thunder deid`` over a folder of invented judgments, with two workers, in a network
namespace of its own (Linux, where the system allows one): it has no device but ``lo``, and that is
off. What the run opened is told by the system's calls, where ``strace`` is installed, else by
Python's own audit events, which do not see what libraries in C open.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import typer

from thunder.settings.messages import Message

# --- what is said ---------------------------------------------------------------------------------

_NETWORK = Message(ko="네트워크", en="network")
_RUN = Message(ko="실행", en="run")
_SENT = Message(ko="보낸 것", en="sent")
_WRITTEN = Message(ko="쓴 곳", en="written")
_OPENED = Message(ko="연 파일", en="opened")
_OFF = Message(
    ko="실행하는 동안 꺼짐(따로 만든 네트워크 이름공간, 장치는 꺼진 lo뿐)",
    en="off for the run (a network namespace of its own, with lo alone, which is down)",
)
_NONE_HERE = Message(
    ko="이 컴퓨터에는 연결이 없음(lo뿐)", en="this machine has none (lo alone is up)"
)
_ON = Message(
    ko="끌 수 없음: 네트워크 이름공간을 만들 수 없고 이 컴퓨터는 연결되어 있음",
    en="not off: no network namespace is allowed here, and this machine is connected",
)
_ON_CURE = Message(
    ko="root로 실행하거나 연결을 끊고 다시 하십시오",
    en="run it as root, or disconnect the machine, and do it again",
)
_DONE = Message(
    ko="{documents}건(txt, jsonl, csv), 프로세스 {workers}개, {seconds:.1f}초. 지어낸 이름이 모두 "
    "가려짐",
    en="{documents} documents (txt, jsonl, csv), {workers} processes, {seconds:.1f} s; every "
    "invented name is masked",
)
_FAILED = Message(ko="종료 상태 {status}: {said}", en="ended with {status}: {said}")
_LEAKED = Message(
    ko="가려지지 않은 이름이나 바뀐 말이 있음: {names}", en="not masked, or changed: {names}"
)
_REINSTALL = Message(ko="다시 설치하십시오", en="install it again")
_NOTHING_SENT = Message(
    ko="아무것도 없음: 주소를 묻지도 연결하지도 않음 ({by})",
    en="nothing: no address asked for, no connection tried ({by})",
)
_TRIED = Message(ko="나가려 한 일 {count}번 ({by}): {first}", en="{count} tries ({by}): {first}")
_BY_CALLS = Message(
    ko="strace: 프로세스 {processes}개의 시스템 호출", en="strace: calls of {processes} processes"
)
_BY_EVENTS = Message(
    ko="프로세스 {processes}개에서 Python이 연 것만 봄. strace가 있으면 모두 봄",
    en="what Python did in {processes} processes; with strace installed all is seen",
)
_INSIDE = Message(ko="결과 폴더뿐", en="the folder of results alone")
_OUTSIDE = Message(ko="결과 폴더 밖: {paths}", en="outside the folder of results: {paths}")
_COUNT = Message(ko="{count}개", en="{count} files")
_PROVED = Message(
    ko="확인됨: 네트워크 없이 모두 실행됩니다.", en="Proved: all of it runs without a network."
)
_NOT_PROVED = Message(
    ko="확인되지 않음: [fail] 줄을 보십시오.", en="Not proved: see the lines with [fail]."
)

# --- the invented judgments -----------------------------------------------------------------------

INVENTED = """\
피  고  인    강도윤 (870314-1234568), 자영업
              주거  서울 강남구 역삼동 648-23, 301호
변  호  인    변호사 문정우
주       문
피고인 강도윤을 징역 1년에 처한다.
이       유
피고인 강도윤은 2022. 9. 7. 피해자 배수아에게 010-0482-1196번으로 전화하여 거짓말하였다.
"""
MASKED = ("강도윤", "870314", "역삼동", "배수아", "010-0482-1196")
KEPT = ("문정우", "징역 1년에 처한다", "2022. 9. 7.", "서울 강남구")
_ROWS = 24
_WORKERS = 2

# --- the run --------------------------------------------------------------------------------------

_NAMESPACE = r"""
import ctypes, os, sys
NEWUSER, NEWNET = 0x10000000, 0x40000000
user, group = os.getuid(), os.getgid()
libc = ctypes.CDLL(None, use_errno=True)
unshare = getattr(libc, "unshare", None)
if unshare is None or unshare(NEWNET):
    if unshare is None or unshare(NEWUSER | NEWNET):
        sys.exit(77)
    for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"),
                       ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(line)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Runs a command in a network namespace of its own; 77 where the system allows none."""

_DEVICES = "print(open('/proc/net/dev').read())"

_AUDIT = r"""
import os, sys
_file = os.open(os.environ["THUNDER_WATCHED"], os.O_WRONLY | os.O_APPEND)
_NETWORK = ("socket.__new__", "socket.connect", "socket.getaddrinfo", "socket.sendto",
            "socket.gethostbyname", "socket.gethostbyaddr")
def _told(event, args):
    if event == "open" and isinstance(args[0], (str, bytes)):
        mode = args[1] if isinstance(args[1], str) else ""
        flags = args[2] if isinstance(args[2], int) else 0
        writes = set(mode) & set("wax+") or flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        line = ("write" if writes else "read", os.path.abspath(os.fsdecode(args[0])))
    elif event in _NETWORK and not (event == "socket.__new__" and args[1] not in (2, 10)):
        line = ("network", event)
    elif event == "ctypes.dlopen" and args[0]:
        line = ("read", str(args[0]))
    else:
        return
    os.write(_file, f"{os.getpid()}\t{line[0]}\t{line[1]}\n".encode("utf-8", "backslashreplace"))
sys.addaudithook(_told)
"""
"""A sitecustomize that notes, in every process of the run, what Python opens."""

_CALLS = (
    "%network,open,openat,openat2,creat,mkdir,mkdirat,mknod,mknodat,link,linkat,symlink,symlinkat,"
    "rename,renameat,renameat2,unlink,unlinkat,truncate"
)
_CALL = re.compile(r"^(\d+) +([a-z0-9_]+)\((.*)$")
_PATH = re.compile(r'"((?:[^"\\]|\\.)*)"')
_WRITING = re.compile(r"\bO_(?:WRONLY|RDWR|CREAT|TRUNC)\b")
_ABROAD = re.compile(r"\bAF_INET6?\b")
_REFUSED = re.compile(r"\) += -1 ")
_PACKAGE = re.compile(r".*/(?:site|dist)-packages/[^/]+(?=/|$)")
_RESOLVING = ("/etc/resolv.conf", "/etc/hosts")


class Seen(NamedTuple):
    """What a run did: the paths it read and wrote, its tries to go out, and its processes."""

    read: frozenset[str]
    written: frozenset[str]
    tries: tuple[str, ...]
    processes: int


def prove() -> Iterator[str]:
    """Yield the lines of the examination, and of what was opened; the last says whether it is
    proved.

    Nothing of it stays on the disk. typer.Exit(1) at the end where it is not proved.
    """
    with tempfile.TemporaryDirectory(prefix="thunder-offline-") as name:
        work = Path(os.path.realpath(name))
        cut, strace = _cut(), _strace(work)
        off = Finding(cut is not _ON, _NETWORK(), cut(), _ON_CURE() if cut is _ON else "")
        yield str(off)
        ran = _ran(work, in_namespace=cut is _OFF, strace=strace)
        yield str(ran)
        seen = _seen(work / "watched", by_calls=strace)
        sent, written = _sent(seen, strace=strace), _kept_inside(seen, work)
        yield from (str(sent), str(written), f"       {_OPENED()}:")
        for place, count in _grouped(seen.read, work):
            yield f"         {place}" + (f"  ({_COUNT(count=count)})" if count > 1 else "")
    if not all(one.good for one in (off, ran, sent, written)):
        yield _NOT_PROVED()
        raise typer.Exit(1)
    yield _PROVED()


class Finding(NamedTuple):
    """One matter of the examination: whether it is as it has to be, what was found, its cure."""

    good: bool
    matter: str
    found: str
    cure: str = ""

    def __str__(self) -> str:
        line = f"[{'ok  ' if self.good else 'fail'}] {self.matter}: {self.found}"
        return line + (f"\n       -> {self.cure}" if self.cure else "")


def _ran(work: Path, *, in_namespace: bool, strace: bool) -> Finding:
    began = time.monotonic()
    documents = _write_inputs(work)
    done = _deid(work, in_namespace=in_namespace, strace=strace)
    seconds = time.monotonic() - began
    if done.returncode:
        said = " ".join(done.stderr.split())[-500:]
        return Finding(False, _RUN(), _FAILED(status=done.returncode, said=said), _REINSTALL())
    if wrong := _wrong(work / "out"):
        return Finding(False, _RUN(), _LEAKED(names=", ".join(wrong)), _REINSTALL())
    said = _DONE(documents=documents, workers=_WORKERS, seconds=seconds)
    return Finding(True, _RUN(), said)


def _sent(seen: Seen, *, strace: bool) -> Finding:
    by = (_BY_CALLS if strace else _BY_EVENTS)(processes=seen.processes)
    if seen.tries:
        tried = _TRIED(count=len(seen.tries), by=by, first=seen.tries[0])
        return Finding(False, _SENT(), tried)
    return Finding(True, _SENT(), _NOTHING_SENT(by=by))


def _kept_inside(seen: Seen, work: Path) -> Finding:
    own = (f"{work}/out", f"{work}/watched", "/dev/", "/proc/")
    outside = sorted(one for one in seen.written if not one.startswith(own))
    outside = [one for one in outside if "__pycache__" not in one]
    if outside:
        return Finding(False, _WRITTEN(), _OUTSIDE(paths=", ".join(outside[:5])))
    return Finding(True, _WRITTEN(), _INSIDE())


def _cut() -> Message:
    """Return how the network is off for the run, or that it is not."""
    if sys.platform != "linux":
        return _ON
    command = [sys.executable, "-I", "-c", _NAMESPACE, sys.executable, "-I", "-c", _DEVICES]
    tried = subprocess.run(command, capture_output=True, text=True)
    if tried.returncode == 0 and _devices(tried.stdout) <= {"lo"}:
        return _OFF
    connected = [one for one in Path("/sys/class/net").iterdir() if _is_up(one)]
    return _NONE_HERE if {one.name for one in connected} <= {"lo"} else _ON


def _devices(table: str) -> set[str]:
    return {line.partition(":")[0].strip() for line in table.splitlines() if ":" in line}


def _is_up(device: Path) -> bool:
    try:
        return bool(int((device / "flags").read_text(), 16) & 1)  # IFF_UP
    except (OSError, ValueError):
        return False


def _strace(work: Path) -> bool:
    """Return whether strace is here and may watch."""
    if not shutil.which("strace"):
        return False
    command = ["strace", "-f", "-qq", "-o", str(work / "tried"), sys.executable, "-c", ""]
    return subprocess.run(command, capture_output=True).returncode == 0


def _write_inputs(work: Path) -> int:
    """Write the judgments, and return how many they are."""
    folder = work / "in"
    folder.mkdir()
    (folder / "judgment.txt").write_text(INVENTED, encoding="utf-8")
    rows = [json.dumps({"id": n, "text": INVENTED}, ensure_ascii=False) for n in range(_ROWS)]
    (folder / "rows.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "table.csv").write_text(f'id,text\r\n1,"{INVENTED}"\r\n', encoding="utf-8")
    return _ROWS + 2


def _deid(work: Path, *, in_namespace: bool, strace: bool) -> "subprocess.CompletedProcess[str]":
    for name in ("home", "out", "site"):
        (work / name).mkdir()
    watched = work / "watched"
    watched.touch()
    command = [sys.executable, "-m", "thunder", "deid", "-q", str(work / "in")]
    command += ["-o", str(work / "out" / "public"), "--workers", str(_WORKERS)]
    command += ["--audit", str(work / "out" / "audit.jsonl")]
    keep = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "VIRTUAL_ENV")
    environment = {name: os.environ[name] for name in keep if name in os.environ}
    environment |= {"HOME": str(work / "home"), "TMPDIR": str(work / "out")}
    path = [os.environ["PYTHONPATH"]] if os.environ.get("PYTHONPATH") else []
    if strace:
        trace = ["strace", "-f", "-qq", "-s", "4096", "-e", f"trace={_CALLS}", "-o", str(watched)]
        command = [*trace, *command]
    else:
        (work / "site" / "sitecustomize.py").write_text(_AUDIT, encoding="utf-8")
        path.insert(0, str(work / "site"))
        environment["THUNDER_WATCHED"] = str(watched)
    if path:
        environment["PYTHONPATH"] = os.pathsep.join(path)
    if in_namespace:
        command = [sys.executable, "-I", "-c", _NAMESPACE, *command]
    return subprocess.run(
        command, cwd=work, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


def _wrong(out: Path) -> list[str]:
    """Return what of the invented judgments is in the results though it has to be masked, and what
    is missing though it has to stay."""
    texts = [
        path.read_text("utf-8", "replace")
        for path in sorted((out / "public").rglob("*"))
        if path.is_file()
    ]
    leaked = [word for word in MASKED if any(word in text for text in texts)]
    lost = [word for word in KEPT if not texts or any(word not in text for text in texts)]
    return [*leaked, *lost]


# --- what it opened -------------------------------------------------------------------------------


def _seen(watched: Path, *, by_calls: bool) -> Seen:
    lines = watched.read_text("utf-8", "replace").splitlines()
    return _of_calls(lines) if by_calls else _of_events(lines)


def _of_calls(lines: list[str]) -> Seen:
    """Return what strace's lines tell; a call that was refused opened nothing."""
    read: set[str] = set()
    written: set[str] = set()
    processes: set[str] = set()
    tries = []
    for line in lines:
        processes.add(line.partition(" ")[0])
        if not (call := _CALL.match(line)):
            continue
        name, rest = call[2], call[3]
        failed = _REFUSED.search(rest)
        paths = _PATH.findall(rest)
        if _ABROAD.search(rest) or any(one in _RESOLVING for one in paths):
            tries.append(f"{name}({rest}"[:100])
        elif name.startswith("open"):
            if not paths or failed or "O_DIRECTORY" in rest:
                continue
            (written if _WRITING.search(rest) else read).add(paths[0])
        elif not failed and "AF_" not in rest and "socket" not in name:
            written.update(one for one in paths if one.startswith("/"))
    return Seen(frozenset(read), frozenset(written), tuple(tries), len(processes))


def _of_events(lines: list[str]) -> Seen:
    rows = [line.split("\t", 2) for line in lines]
    return Seen(
        frozenset(row[2] for row in rows if row[1] == "read"),
        frozenset(row[2] for row in rows if row[1] == "write"),
        tuple(row[2] for row in rows if row[1] == "network"),
        len({row[0] for row in rows}),
    )


def _grouped(paths: frozenset[str], work: Path) -> list[tuple[str, int]]:
    """Return where the files lie: packages by name, the system's libraries as one, others each."""
    found: Counter[str] = Counter(_place(path, work) for path in paths)
    return sorted((place, count) for place, count in found.items() if place)


def _place(path: str, work: Path) -> str:
    import sysconfig

    import thunder

    if package := _PACKAGE.match(path):
        return package[0]
    own = str(Path(thunder.__file__).parents[1])
    if path.startswith(f"{own}/"):
        return f"{own}/{_first(path, own)}"
    if path.startswith(f"{work}/"):
        return "" if path.startswith(f"{work}/site") else f"{work}/{_first(path, str(work))}"
    for folder in (sysconfig.get_path("stdlib"), "/lib", "/usr/lib", "/proc", "/sys"):
        if path.startswith(f"{folder}/"):
            return folder
    return path if path.startswith("/") else ""


def _first(path: str, folder: str) -> str:
    return path[len(folder) + 1 :].split("/")[0]
