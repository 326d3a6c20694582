"""The benchmarks' own modules can be imported, as scripts beside them do."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "benchmarks"))
