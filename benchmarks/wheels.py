"""Which dependency has a wheel where: asked of the package index, nothing is downloaded or run.

    python benchmarks/wheels.py [--extras documents,parquet]

For every system and Python, ``pip install --dry-run --only-binary :all:`` is asked for each direct
dependency with what that needs in turn. pip reads conditions (``sys_platform == …``) for the
machine that it runs on: what a package needs on Windows alone is not among them. The table is
Markdown.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = {
    "Linux x86-64": [
        f"{kind}_x86_64" for kind in ("manylinux_2_28", "manylinux_2_27", "manylinux2014")
    ],
    "Linux arm64": [
        f"{kind}_aarch64" for kind in ("manylinux_2_28", "manylinux_2_27", "manylinux2014")
    ],
    "macOS 14 arm64": [f"macosx_{major}_0_arm64" for major in (14, 13, 12, 11)],
    "macOS 14 x86-64": [f"macosx_{major}_0_x86_64" for major in (14, 13, 12, 11)]
    + [f"macosx_10_{minor}_x86_64" for minor in (15, 14, 13, 12, 9)],
    "Windows x86-64": ["win_amd64"],
}


def requirements(extras: list[str]) -> list[str]:
    parser = ConfigParser()
    parser.read(ROOT / "setup.cfg", encoding="utf-8")
    lines = parser["options"]["install_requires"].splitlines()
    for extra in extras:
        lines += parser["options.extras_require"][extra].splitlines()
    return [line.replace(" ", "") for line in lines if line.strip() and line[0] != "#"]


def found(requirement: str, platforms: list[str], python: str, report: Path) -> dict[str, str]:
    """Return the wheels that pip would install, by package; none where one of them is missing."""
    alone = ["--no-deps"] if requirement.startswith("mecab") else []
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "-q", "--dry-run", "--ignore-installed"),
            *("--only-binary", ":all:", "--target", str(report.parent / "target"), *alone),
            *(word for platform in platforms for word in ("--platform", platform)),
            *("--python-version", python, "--report", str(report), requirement),
        ],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        if "No matching distribution" not in done.stderr + done.stdout:
            sys.exit(done.stderr)
        return {}
    installed = json.loads(report.read_text())["install"]
    return {one["metadata"]["name"]: one["download_info"]["url"] for one in installed}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--extras", default="documents,parquet")
    asked = requirements([one for one in parser.parse_args().extras.split(",") if one])
    print(f"| dependency | {' | '.join(SYSTEMS)} |")
    print("|---|" + "---|" * len(SYSTEMS))
    with tempfile.TemporaryDirectory() as name:
        for requirement in asked:
            cells = []
            for platforms in SYSTEMS.values():
                have = [
                    python
                    for python in PYTHONS
                    if found(requirement, platforms, python, Path(name) / "report.json")
                ]
                whole = have == list(PYTHONS)
                cells.append("yes" if whole else ", ".join(have) or "no")
            print(f"| `{requirement}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
