"""On real Spark: whatever dies, and whatever becomes of the local disk, the state is what the batches made it."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import lmdb
import pytest

from tests.runner.spark.state.query import digest

ROOT = Path(__file__).resolve().parents[4]
JARS = Path(os.environ.get("STREAMWRIGHT_JARS") or ROOT / ".run" / "jars" / "spark")
SLOTS = range(3)
Operation = tuple[str, str, str]


class Query:
    """The query of `query.py`, and dicts that execute the same operations."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.model: dict[int, dict[bytes, bytes]] = {slot: {} for slot in SLOTS}
        self.expected: list[dict[int, str]] = []
        for name in ("in", "out"):
            (folder / name).mkdir()

    def add_batch(self, operations: dict[int, list[Operation]]) -> None:
        lines: list[str] = []
        for slot, asked in operations.items():
            for name, key, argument in asked:
                carry_out(self.model[slot], name, key.encode(), argument.encode())
                line = {"seq": len(lines), "slot": slot, "operation": name, "key": key, "argument": argument}
                lines.append(json.dumps(line))
        number = len(self.expected)
        path = self.folder / "in" / f"{number:03d}.json"
        path.write_text("\n".join(lines))
        os.utime(path, (1_000_000 + number, 1_000_000 + number))
        self.expected.append(self.digests())

    def digests(self) -> dict[int, str]:
        return {slot: digest(sorted(rows.items())) for slot, rows in self.model.items()}

    def run(self) -> int:
        """Runs until all files are taken in; the exit code."""
        command = [sys.executable, "-m", "tests.runner.spark.state.query", str(self.folder), str(JARS)]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        return subprocess.run(command, cwd=self.folder, env=environment, timeout=120).returncode

    def order(self, name: str) -> None:
        (self.folder / name).touch()

    def copy_of(self, slot: int) -> Path:
        return self.folder / "state" / str(slot)

    def seen(self) -> list[dict[int, str]]:
        """Each batch's digests by slot."""
        outputs = [json.loads((self.folder / "out" / str(number)).read_text()) for number in range(len(self.expected))]
        return [{row["slot"]: row["digest"] for row in rows} for rows in outputs]

    def checkpointed(self) -> dict[int, str]:
        content = json.loads((self.folder / "content").read_text())
        return {int(slot): found for slot, found in content.items()}


def carry_out(rows: dict[bytes, bytes], name: str, key: bytes, argument: bytes) -> None:
    if name == "put":
        rows[key] = argument
    for gone in [row for row in rows if (row == key if name == "delete" else key <= row < argument)]:
        if name != "put":
            del rows[gone]


def some_operations(chance: random.Random) -> Iterator[Operation]:
    for _ in range(40):
        yield "put", f"{chance.randrange(600):03d}", str(chance.random()) * 5
        yield "delete", f"{chance.randrange(600):03d}", ""
    start = chance.randrange(590)
    yield "delete_range", f"{start:03d}", f"{start + 9:03d}"
    yield "put", f"{start + 1:03d}", "after the range delete"


@pytest.mark.spark
def test_state_survives_dead_workers_dead_queries_and_lost_stale_or_forged_copies(tmp_path: Path) -> None:
    query, chance = Query(tmp_path), random.Random(7)
    query.add_batch({slot: [("put", f"{row:03d}", "first" * 20) for row in range(500)] for slot in SLOTS})
    query.add_batch({slot: list(some_operations(chance)) for slot in SLOTS})
    assert query.run() == 0

    sparse_copy(query.copy_of(1), tmp_path / "aside")
    for _ in range(2):
        query.add_batch({slot: list(some_operations(chance)) for slot in SLOTS})
    query.order("die-after-commit")
    query.order("die-before-batch-ends")
    assert query.run() == 9
    assert not (tmp_path / "die-after-commit").exists()

    shutil.rmtree(query.copy_of(0))
    shutil.rmtree(query.copy_of(1))
    (tmp_path / "aside").rename(query.copy_of(1))
    forge(query.copy_of(2))
    query.add_batch({slot: list(some_operations(chance)) for slot in SLOTS})
    query.order("tell-content")
    assert query.run() == 0

    assert query.seen() == query.expected
    assert query.checkpointed() == query.digests()


def sparse_copy(directory: Path, to: Path) -> None:
    subprocess.run(["cp", "-a", "--sparse=always", directory, to], check=True)


def forge(directory: Path) -> None:
    """A copy that claims to be ahead, and holds a row no one wrote."""
    with lmdb.open(str(directory), max_dbs=2) as env, env.begin(write=True) as txn:
        place = b"\x01" + (999).to_bytes(8, "big") + os.urandom(16)
        txn.put(b"at", place, db=env.open_db(b"facts", txn))
        txn.put(b"forged", b"row", db=env.open_db(b"rows", txn))
