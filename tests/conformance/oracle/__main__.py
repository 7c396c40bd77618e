"""`python -m tests.conformance.oracle check FILE...`, or `make SEED COUNT FOLDER`: fresh cases, one file per family."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests.conformance.kept import write_family
from tests.conformance.oracle.kafka_streams import command
from tests.conformance.oracle.random_cases import random_cases
from tests.conformance.product.cases import Case


def main(verb: str, *words: str) -> int:
    if verb == "check":
        return subprocess.run(command("check", *words)).returncode
    seed, count, folder = words
    make(seed, int(count), Path(folder))
    return 0


def make(seed: str, count: int, folder: Path) -> None:
    """Writes what Kafka Streams answers to random cases."""
    families: dict[str, list[Case]] = defaultdict(list)
    for case in random_cases(seed, count):
        families[case["name"].rpartition("_")[0]].append(case)
    folder.mkdir(parents=True, exist_ok=True)
    for family, cases in families.items():
        write_family(folder / f"{family}.jsonl", cases)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
