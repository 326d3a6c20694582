"""What one short judgment makes ready: each file of data once, and few expressions."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = """
import json, re, sys
from collections import Counter
from pathlib import Path
from re import _compiler

from thunder.settings import yamlfile

read, compiled = Counter(), []
compose, compile = yamlfile.Reader.__init__, _compiler.compile

def reading(self, path, **given):
    read[Path(path).name] += 1
    compose(self, path, **given)

def compiling(pattern, flags=0):
    compiled.append(len(pattern) if isinstance(pattern, str) else 0)
    return compile(pattern, flags)

yamlfile.Reader.__init__, _compiler.compile = reading, compiling
from thunder.masking.deidentify import deidentify_all
from thunder.tagger.chosen_tagger import RULES_ALONE

text = Path(sys.argv[1]).read_text(encoding="utf-8")
masks = [len(one.changes) for one in deidentify_all([("", text)], tagger=RULES_ALONE)]
print(json.dumps([masks, read, len(compiled), sum(compiled)]))
"""


def test_a_short_judgment_reads_each_file_once_and_compiles_little():
    judgment = ROOT / "tests/data/criminal-judgment.txt"
    done = subprocess.run(
        [sys.executable, "-c", CODE, judgment], capture_output=True, text=True, check=True, cwd=ROOT
    )
    (masks,), read, expressions, signs = json.loads(done.stdout)
    assert masks > 50
    assert {"classes.yaml", "formats.yaml", "signs.yaml", "rolls.yaml"} <= set(read)
    assert {name: often for name, often in read.items() if often > 1} == {}
    # 736 with 197,627 signs on 2026-11-28; 2,555 with 497,064 when rows compiled what they ask.
    assert expressions < 900
    assert signs < 260_000
