"""What is left of a desk whose server and workers are killed at random moments.

    python benchmarks/killed_desk.py --kills 50 --seed 7 [--database postgresql://…]

Reviewers decide, finish and release over HTTP as fast as they are answered, and documents come in;
now the server, now a process that de-identifies is killed (SIGKILL), and the server is started
again. At the end every decision that was answered stands once in the database, none stands there
that nobody made, each document is where its people left it, no import is lost, and
``thunder desk verify`` finds the audit and every released file whole. Without a database it is
SQLite in a folder that vanishes.
"""

import argparse
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from unittest import mock

import _environment  # noqa: F401
import httpx2
from argon2 import PasswordHasher
from sqlalchemy import select

from thunder.desk.desk import Desk
from thunder.desk.models import Decision
from thunder.desk.place import Place
from thunder.desk.states import Role, State

PASSWORD = "a long password"
TEXT = "피고인 강도윤은 {number}번 갔다. 이솔바람은 보았다."
DECISIONS = 4  # of a document before it is finished
DIED = "the process that worked on it died"
_WORKS = {Role.REVIEWER: ("free", "claimed"), Role.CONFIRMER: ("reviewed", "confirming")}
_OFFERED = re.compile(
    r'<tr>(?:(?!</tr>).)*?class="state (\w+)"(?:(?!</tr>).)*?"/documents/([0-9a-f]{32})(/claim)?"',
    re.DOTALL,
)
LONGEST = 1.5  # seconds from an answer to the next kill


@dataclass
class Answered:
    """What people were told that it is done."""

    decided: dict[str, list[str]] = field(default_factory=dict)
    sent: dict[str, set[str]] = field(default_factory=dict)
    released: set[str] = field(default_factory=set)
    brought: set[str] = field(default_factory=set)
    cut: int = 0

    @property
    def deeds(self) -> int:
        """How many decisions and releases there are."""
        return sum(map(len, self.decided.values())) + len(self.released)


class Server:
    """A desk in a process of its own, killed and started again at one address."""

    def __init__(self, place: Place) -> None:
        self._place, self._port = place, _free_port()
        self.address = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and return when it answers."""
        command = [sys.executable, "-m", "thunder", "desk", "--folder", str(self._place.folder)]
        command += [
            "--database",
            self._place.database,
            "--model",
            "none",
            "--port",
            str(self._port),
        ]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        for _ in range(600):
            with suppress(httpx2.HTTPError):
                httpx2.get(f"{self.address}/health")
                return
            time.sleep(0.05)
        raise RuntimeError("the desk does not answer")

    def kill(self, signal_number: int = signal.SIGKILL) -> None:
        """Kill it, and after it its processes that de-identify."""
        assert self._process is not None
        workers = self.workers()
        self._process.send_signal(signal_number)
        self._process.wait()
        for worker in workers:
            _kill(worker)

    def workers(self) -> list[int]:
        """Return its processes that de-identify."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        found: list[int] = []
        with suppress(OSError):
            for task in children.parent.parent.iterdir():
                found += map(int, (task / "children").read_text().split())
        return found


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


class Person:
    """Somebody who works until told to stop, and signs in again after each kill."""

    def __init__(self, name: str, role: Role, server: Server, done: Answered) -> None:
        self.name, self.role, self._server, self._done = name, role, server, done
        self._client = httpx2.Client(base_url=server.address, timeout=20)
        self.ends = threading.Event()
        self._chance = random.Random(name)
        self.failures: list[BaseException] = []

    def work(self) -> None:
        """Do what is there to do, again and again."""
        try:
            while not self.ends.is_set():
                try:
                    if not self._turn():
                        time.sleep(0.05)
                except httpx2.HTTPError as error:  # killed, or not there yet
                    if not isinstance(error, httpx2.ConnectError):
                        self._done.cut += 1
                    time.sleep(0.2)
        except BaseException as error:
            self.failures.append(error)

    def _turn(self) -> bool:
        page = self._page()
        if self.role is Role.ADMINISTRATOR:
            return self._bring()
        states = _WORKS[self.role]
        for id, state, is_own in _documents(page):
            if state not in states:
                continue
            if not is_own:
                claim = {"csrf": self._csrf}
                answer = self._client.post(f"/documents/{id}/claim", data=claim)
                if answer.status_code != 303:
                    continue
            self._decide(id) if self.role is Role.REVIEWER else self._release(id)
            return True
        return False

    def _page(self) -> str:
        """Return the queue, signed in."""
        page = self._client.get("/")
        if page.status_code == 303:
            self._client.post("/sign-in", data={"name": self.name, "password": PASSWORD})
            page = self._client.get("/")
        self._csrf = page.text.partition('name="csrf" value="')[2].partition('"')[0]
        return page.text

    def _post(self, path: str, content: dict[str, object]) -> httpx2.Response:
        headers = {"accept": "application/json", "x-csrf-token": self._csrf}
        return self._client.post(path, json=content, headers=headers)

    def _decide(self, id: str) -> None:
        """Decide until it is enough, and finish; what was cut off is looked up, not sent again."""
        headers = {"accept": "application/json"}
        view = self._client.get(f"/documents/{id}/view", headers=headers)
        if view.status_code != 200:
            return
        version = view.json()["version"]
        while version < DECISIONS:
            words = f"{self.name} {self._chance.random()}"
            self._done.sent.setdefault(id, set()).add(words)
            content = {"kind": "note", "text": words}
            answer = self._post(
                f"/documents/{id}/decisions", {"version": version, "content": content}
            )
            if answer.status_code != 200:
                return
            self._done.decided.setdefault(id, []).append(words)
            version = answer.json()["version"]
        self._post(f"/documents/{id}/steps", {"version": version, "step": "finish"})

    def _release(self, id: str) -> None:
        answer = self._post(f"/documents/{id}/steps", {"version": DECISIONS, "step": "release"})
        if answer.status_code == 200:
            self._done.released.add(id)

    def _bring(self) -> bool:
        """Import a judgment, where few are waiting."""
        words = f"brought {self._chance.random()}"
        files = {"file": (f"{words}.txt", TEXT.format(number=words).encode())}
        answer = self._client.post("/documents", data={"csrf": self._csrf}, files=files)
        if answer.status_code == 200:
            self._done.brought.add(f"{words}.txt")
        time.sleep(0.5)
        return True


def _documents(page: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the documents that a queue offers: id, state, and whether it is one's own already."""
    for state, id, claim in _OFFERED.findall(page):
        yield id, state, not claim


def main() -> None:
    """Let people work, kill, look, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--database", default="")
    given = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder) / "desk", given.database)
        done = Answered()
        server = Server(place)
        people = fill(place, server, done, documents=30 * (given.kills + 1))
        with working(people):
            kinds = kill(server, done, given.kills, random.Random(given.seed))
        server.kill(signal.SIGTERM)
        died = require_whole(place, done)
        released = len(done.released)
    assert not [one for person in people for one in person.failures]
    decided = sum(map(len, done.decided.values()))
    print(f"killed: {kinds['server']} times the server, {kinds['worker']} times a worker")
    print(f"requests cut off: {done.cut}")
    print(f"answered: {decided} decisions, {released} releases, {len(done.brought)} imports")
    print(f"documents whose process was killed twice, to be tried again: {died}")
    print(f"lost: 0, doubled: 0, files and audit whole ({time.monotonic() - begun:.0f} s)")


def fill(place: Place, server: Server, done: Answered, *, documents: int) -> list[Person]:
    """Return the people of a desk with *documents* to review."""
    quick = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    with mock.patch("thunder.desk.accounts.PasswordHasher", quick):  # sign-ins are no question here
        store = place.open()
    people = [Person(f"r{at}", Role.REVIEWER, server, done) for at in range(3)]
    people += [Person(f"c{at}", Role.CONFIRMER, server, done) for at in range(2)]
    people += [Person("admin", Role.ADMINISTRATOR, server, done)]
    for person in people:
        store.add_user(person.name, person.role, PASSWORD, actor="benchmark")
    for number in range(documents):
        text = TEXT.format(number=number)
        store.add(f"{number}", text, profile="court", risk=0, actor="benchmark")
    store.close()
    return people


@contextmanager
def working(people: list[Person]) -> Iterator[None]:
    """Let *people* work while the block runs."""
    threads = [threading.Thread(target=person.work) for person in people]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for person in people:
            person.ends.set()
        for thread in threads:
            thread.join()


def kill(server: Server, done: Answered, times: int, chance: random.Random) -> Counter[str]:
    """Kill the server, or a process that de-identifies, so many *times*; return how often which."""
    kinds: Counter[str] = Counter()
    server.start()
    while sum(kinds.values()) < times:
        at_work(done)
        time.sleep(chance.random() * LONGEST)
        workers = server.workers()
        if workers and chance.random() < 1 / 3:
            _kill(chance.choice(workers))
            kinds["worker"] += 1
        else:
            server.kill()
            kinds["server"] += 1
            server.start()
    at_work(done)
    return kinds


def at_work(done: Answered) -> None:
    """Return once people get answers again."""
    before, end = done.deeds, time.monotonic() + 60
    while done.deeds == before:
        assert time.monotonic() < end, "nobody gets an answer"
        time.sleep(0.05)


def require_whole(place: Place, done: Answered) -> int:
    """Return how many documents lost their process twice; AssertionError where all is not whole.

    Such a one is named in the queue, and the administrator lets it be tried again.
    """
    store = place.open()
    administrator = store.person(store.sign_in("admin", PASSWORD))
    rows = store.queue(administrator, most=10_000)
    desk = Desk(store, place.releases, model="none")
    desk.recover()  # as the next start does
    store.verify()
    assert desk.missing() == desk.changed() == desk.shelf.cut_off() == [], "files are not whole"
    released = set(store.released())
    assert done.released <= released, "a release that was answered is lost"
    noted = Counter(one["document"] for one in store.audited() if one["action"] == "release")
    assert set(noted.values()) <= {1}, "a document was released twice"
    names = {path.stem for path in desk.shelf.all()}
    assert names == released, "a file of what is not released"
    ids = {one["document"] for one in store.audited() if one["action"] == "import"}
    titles = Counter(store.title(id) for id in ids)
    assert done.brought <= set(titles), "an import that was answered is lost"
    assert set(titles.values()) <= {1}, "an import is doubled"
    written: dict[str, list[str]] = {}
    with store.snapshot() as connection:
        for id, content in connection.execute(select(Decision.document_id, Decision.content)):
            written.setdefault(id, []).append(json.loads(content[1:])["text"])  # nothing is sealed
    for id in ids:
        kept = written.get(id, [])
        assert len(set(kept)) == len(kept), "a decision is doubled"
        assert set(done.decided.get(id, ())) <= set(kept), "a decision that was answered is lost"
        assert set(kept) <= done.sent.get(id, set()), "a decision that nobody made"
        assert len(kept) <= DECISIONS, "a decision on a version that was decided on already"
    problems = [row.problem for row in rows if row.state is State.FAILED]
    assert set(problems) <= {DIED}, f"something else made a document fail: {sorted(set(problems))}"
    for row in rows:
        if row.state is State.FAILED:
            store.recall(administrator, row.id, "retry")
    store.close()
    return len(problems)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()
