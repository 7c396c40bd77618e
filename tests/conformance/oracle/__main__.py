"""`python -m tests.conformance.oracle check FILE...`, or `make SEED COUNT FOLDER [FAMILY...]`: fresh cases.

It writes one file per family.
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from tests.conformance.kept import write_family
from tests.conformance.oracle.candidates import FAMILIES
from tests.conformance.oracle.kafka_streams import command
from tests.conformance.oracle.random_cases import random_cases
from tests.conformance.product.cases import Case


def main(verb: str, *words: str) -> int:
    if verb == "check":
        return subprocess.run(command("check", *words)).returncode
    seed, count, folder, *families = words
    make(seed, int(count), Path(folder), families or FAMILIES)
    return 0


def make(seed: str, count: int, folder: Path, families: Sequence[str]) -> None:
    """Writes what Kafka Streams answers to random cases."""
    found: dict[str, list[Case]] = defaultdict(list)
    for case in random_cases(seed, count, families):
        found[case["name"].rpartition("_")[0]].append(case)
    folder.mkdir(parents=True, exist_ok=True)
    for family, cases in found.items():
        write_family(folder / f"{family}.jsonl", cases)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
