"""How long reviewers wait where many decide at once, each every five seconds.

    python benchmarks/desk.py --database postgresql://… --documents 10000 --reviewers 50

The load generator runs on the same machine. Without a database it is SQLite in a folder that
vanishes. Judgments are tests/data/criminal-judgment.txt, numbered; the rules alone unless --model.
"""

import argparse
import asyncio
import random
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from unittest import mock

import _environment  # noqa: F401
import httpx2
from argon2 import PasswordHasher

from thunder.desk.place import Place
from thunder.desk.states import Role

ROOT = Path(__file__).resolve().parent.parent
PASSWORD = "a long password"
PAUSE = 5.0


def main() -> None:
    """Fill a desk, start it, let people decide, and print how long they waited."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", default="")
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--reviewers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--model", default="none")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder), given.database)
        ids = fill(place, given.documents, given.reviewers)
        command = [sys.executable, "-m", "thunder", "desk", "--folder", folder]
        command += ["--database", given.database, "--model", given.model]
        port = free_port()
        with subprocess.Popen([*command, "--port", str(port)], stderr=subprocess.DEVNULL) as server:
            try:
                waits = asyncio.run(everybody(port, ids, given.seconds))
            finally:
                server.terminate()
        store = place.open()
        decided = sum(line["action"] == "decide" for line in store.audited())
        whole = store.verify()
        store.close()
    waits.sort()
    print(f"{given.reviewers} reviewers, {given.documents} documents, {len(waits)} decisions")
    print(f"median {statistics.median(waits) * 1000:.0f} ms")
    print(
        f"95 % under {waits[int(len(waits) * 0.95)] * 1000:.0f} ms, longest {waits[-1] * 1000:.0f}"
    )
    print(f"decisions in the audit: {decided}, {whole.lines} lines, whole")
    assert decided == len(waits), "a decision was lost or doubled"


def fill(place: Place, documents: int, reviewers: int) -> dict[str, str]:
    """Return a document for each reviewer's name, of all that were added."""
    text = (ROOT / "tests" / "data" / "criminal-judgment.txt").read_text(encoding="utf-8")
    quick = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    with mock.patch("thunder.desk.accounts.PasswordHasher", quick):  # sign-ins are no question here
        store = place.open()
    ids = [
        store.add(f"{at}", f"{at}\n{text}", profile="court", risk=at % 9, actor="benchmark")
        for at in range(max(documents, reviewers))
    ]
    names = {f"r{secrets.token_hex(4)}": ids[at] for at in range(reviewers)}
    for name, id in names.items():
        store.add_user(name, Role.REVIEWER, PASSWORD, actor="benchmark")
        store.claim(store.person(store.sign_in(name, PASSWORD)), id)
    store.close()
    return names


async def everybody(port: int, ids: dict[str, str], seconds: float) -> list[float]:
    """Return how long each decision of all reviewers took."""
    address = f"http://127.0.0.1:{port}"
    async with httpx2.AsyncClient(base_url=address) as client:
        for _ in range(600):
            try:
                await client.get("/health")
                break
            except httpx2.HTTPError:
                await asyncio.sleep(0.1)
    signed_in = [await sign_in(address, at, name) for at, name in enumerate(ids)]
    for client, id in zip(signed_in, ids.values(), strict=True):
        (await client.get(f"/documents/{id}/view")).raise_for_status()
    end = time.monotonic() + seconds
    people = zip(signed_in, ids.values(), strict=True)
    found = await asyncio.gather(*(reviewer(client, id, end) for client, id in people))
    for client in signed_in:
        await client.aclose()
    return [wait for waits in found for wait in waits]


async def sign_in(address: str, at: int, name: str) -> httpx2.AsyncClient:
    """Return a browser in which *name* is signed in, with the session's token."""
    own = {"x-forwarded-for": f"10.0.0.{at}", "accept": "application/json"}
    client = httpx2.AsyncClient(base_url=address, headers=own, timeout=60)
    await client.post("/sign-in", data={"name": name, "password": PASSWORD})
    page = (await client.get("/password")).text
    client.headers["x-csrf-token"] = page.partition('name="csrf" value="')[2].partition('"')[0]
    return client


async def reviewer(client: httpx2.AsyncClient, id: str, end: float) -> list[float]:
    """Decide every five seconds until *end*; return how long each took."""
    waits: list[float] = []
    version = 0
    await asyncio.sleep(random.random() * PAUSE)
    while time.monotonic() < end:
        start = 5 * version
        content = {"kind": "open place", "start": start, "end": start + 2}
        begun = time.monotonic()
        asked = {"version": version, "content": content}
        answer = await client.post(f"/documents/{id}/decisions", json=asked)
        waits.append(time.monotonic() - begun)
        version = answer.raise_for_status().json()["version"]
        await asyncio.sleep(max(0.0, PAUSE - waits[-1]))
    return waits


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()
