"""`make mutants SEED=1 COUNT=300`: changes the code of expressions, checks and planning, and sees whether a test fails.

It draws mutants at random, because all of them take a night. It keeps the score in docs/benchmarks.json and prints the
survivors; `mutmut show NAME` prints the change of one.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

from tests.bench.figures import ROOT, keep

MUTMUT = Path(sys.executable).with_name("mutmut")
MUTANTS = ROOT / "mutants"
SURVIVED = 0
UNTESTED = 33


def main() -> None:
    parser = argparse.ArgumentParser(prog="make mutants")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=300)
    asked = parser.parse_args()
    run("designer.checks.text.*")  # makes all, and finds which test runs which function
    every = sorted(results())
    drawn = random.Random(asked.seed).sample(every, min(asked.count, len(every)))
    run(*drawn)
    survivors = [name for name in drawn if results()[name] in (SURVIVED, UNTESTED)]
    print("\n".join(survivors))
    score = 1 - len(survivors) / len(drawn)
    how = f"{len(drawn) - len(survivors)} of {len(drawn)} drawn from {len(every):,}, seed {asked.seed}; aim ≥ 85%"
    keep([("mutants of expressions, checks and planning that a test kills", f"{score:.0%}", how)])


def run(*names: str) -> None:
    subprocess.run([MUTMUT, "run", *names], cwd=ROOT, check=True)


def results() -> dict[str, int | None]:
    """The exit code of the tests of each mutant, None before they run."""
    kept = (json.loads(file.read_text())["exit_code_by_key"] for file in MUTANTS.rglob("*.py.meta"))
    return {name: code for codes in kept for name, code in codes.items()}


if __name__ == "__main__":
    main()
