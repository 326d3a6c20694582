"""A process killed in the middle of deciding: no decision is lost, none doubled."""

import random
import subprocess
import sys
import time

import pytest

from thunder.desk.states import Role

DECIDES = """
import sys
from thunder.desk.store import Store
from thunder.desk.vault import Vault
store = Store(sys.argv[1], Vault())
person = store.person(sys.argv[2])
version = store.held(person, sys.argv[3]).version
while True:
    content = {"kind": "note", "text": str(version)}
    version = store.decide(person, sys.argv[3], content, version=version)
    print(version, flush=True)
"""


@pytest.mark.slow
def test_a_killed_process_loses_no_decision_and_doubles_none(url, store, sign_in):
    id = store.add("1", "피고인 강도윤은 갔다.", profile="court", risk=0, actor="x")
    person = sign_in("kim", Role.REVIEWER)
    store.claim(person, id)
    token = store.sign_in("kim", "a long password")
    chance, said = random.Random(7), 0
    for _ in range(5):
        command = [sys.executable, "-c", DECIDES, url, token, id]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline()  # it is at work
            time.sleep(chance.random() / 2)
            process.kill()
            rest = process.stdout.read().splitlines()
        held = store.held(person, id)
        if rest:
            said = int(rest[-1])
        assert said <= held.version <= max(said, held.version)
        numbers = [int(one["text"]) for one in held.decisions]
        assert numbers == list(range(held.version))
    store.verify()
    decided = [one for one in store.audited() if one["action"] == "decide"]
    assert len(decided) == held.version > 5
