"""Kept batches executed again, without Spark and Kafka."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from designer.topology.graph import Graph
from runner.spark.program import make_program
from runner.spark.replay import KeptState, Replay
from runner.spark.sink.results import Results
from runner.spark.stage.rows import RECORD
from runner.spark.state.copy_file import _open
from tests.conformance.kept import graphs
from tests.conformance.product.cases import Case
from tests.runner.spark.past.test_following import Job, _program
from tests.runner.spark.runs import shops
from tests.runner.spark.stage.test_counters import program_for


def run_three_batches(folder: Path) -> Job:
    """Orders are counted by city: in Rome 1, then 3, then 4."""
    plan = program_for(shops("orders", "names", "counts"), "orders", "names").plan
    made = Job(make_program(plan.model_copy(update={"state_dir": str(folder / "job")})))
    made.run(names=[(name, {"name": name.upper()}) for name in ("ann", "bob")], orders=[("ann", {"city": "Rome"})])
    made.run(orders=[("bob", {"city": "Rome"}), ("ann", {"city": "Oslo"}), ("bob", {"city": "Rome"})])
    made.run(orders=[("ann", {"city": "Rome"})], names=[("eve", {"name": "EVE"})])
    return made


@pytest.fixture
def job(tmp_path: Path) -> Iterator[Job]:
    made = run_three_batches(tmp_path)
    yield made
    made.close()


def replay(job: Job, folder: Path, first: int) -> list[str]:
    """The checksums of batches from that one on."""
    forget()
    again = Replay(job.program, folder)
    again.begin(KeptState(job.program, job.batches[first].time).rows())
    checksums = [again.run(each).checksum() for each in job.batches[first:]]
    again.close()
    forget()
    return checksums


def forget() -> None:
    for known in list(_open):
        _open.pop(known).close()  # another process opens them


@pytest.mark.parametrize("first", range(3))
def test_batches_give_the_same_bytes_again_from_each_kept_one_on(job: Job, tmp_path: Path, first: int) -> None:
    assert replay(job, tmp_path / "again", first) == job.checksums[first:]


def test_the_state_that_a_replay_began_with_is_not_changed_by_it(job: Job, tmp_path: Path) -> None:
    before = replay(job, tmp_path / "one", 1)
    job.run(orders=[("ann", {"city": "Rome"})])

    assert replay(job, tmp_path / "two", 1)[:2] == before
    assert replay(job, tmp_path / "two", 1) == job.checksums[1:]


def test_a_checksum_tells_each_part_of_a_record() -> None:
    def results(*rows: dict[str, object]) -> str:
        blank = dict.fromkeys(("task", "origin", "seq", "input", "offset", "target"), 0)
        return Results(pa.RecordBatch.from_pylist([blank | row for row in rows], schema=RECORD), []).checksum()

    row = {"key": b"a", "value": b"bc", "timestamp": 1, "headers": None}
    others = [
        row | {"key": b"ab", "value": b"c"}, row | {"key": None}, row | {"value": None}, row | {"value": b""},
        row | {"timestamp": 2}, row | {"headers": "[]"}, row | {"target": 1},
    ]  # fmt: skip

    assert results(row) == results(dict(row))
    assert len({results(row), results(row, row), results(), *map(results, others)}) == len(others) + 3


@pytest.mark.parametrize(("case", "graph"), graphs()[::40], ids=[case["name"] for case, _ in graphs()[::40]])
def test_each_batch_of_a_kept_case_is_replayed(case: Case, graph: Graph, tmp_path: Path) -> None:
    job = Job(_program(graph, tmp_path / "job"))
    for start in range(0, len(case["inputs"]), 5):
        job.run_rows(case["inputs"][start : start + 5])

    middle = len(job.batches) // 2
    found = replay(job, tmp_path / "again", middle)
    job.close()

    assert found == job.checksums[middle:]
