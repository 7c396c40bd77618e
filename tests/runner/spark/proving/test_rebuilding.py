"""State of a candidate that is rebuilt from the topics: equal to that of a run from the beginning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from designer.topology.graph import Graph
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.columns import RecordColumns, make_no_records
from runner.spark.program import Program, make_program
from runner.spark.proving import rebuilding
from runner.spark.proving.proof import Proof
from runner.spark.proving.rebuilding import Backlog
from runner.spark.proving.report import ComparedBatches
from runner.spark.replay import BatchInputs, KeptState, Read
from runner.spark.source.reading import Range
from tests.runner.spark.past.test_following import Job
from tests.runner.spark.proving.test_changes import (
    BATCHES,
    DIFFERENT,
    EDGES,
    MINUTE,
    NODES,
    change,
    draw,
    make,
    name,
    order,
)
from tests.runner.spark.test_replay import forget

FIRST = 4
"""Compared batches begin with this one."""
OTHERS = {"others": ("stream", NODES["orders"][1] | {"topic": "others"}), "copies": ("to", {"topic": "copies"})}


def run_all(program: Program) -> Job:
    """A run from the beginning."""
    job = Job(program)
    for records in BATCHES:
        job.run_batch(records)
    return job


def remember(job: Job) -> Read:
    """Reads what the batches of a job have read."""
    columns: dict[tuple[str, int], RecordColumns] = {}
    for batch in job.batches:
        for number, partition, records in batch.arrivals:
            known = columns.setdefault((job.program.inputs[number].topic, partition), make_no_records())
            for row in zip(*records, strict=True):
                known.append(*row)

    def read(kafka: Mapping[str, str], ranges: Sequence[Range]) -> Iterator[tuple[Range, RecordColumns]]:
        for each in ranges:
            known = columns[each.topic, each.partition]
            yield each, RecordColumns(*(column[each.start : each.end] for column in known))  # type: ignore[arg-type]

    return read


def make_backlog(job: Job, new: Program, first: int = FIRST) -> Backlog:
    """What was read before a batch."""
    ends = {each.topic: [0] for each in new.inputs}
    for batch in job.batches[:first]:
        for number, _, records in batch.arrivals:
            ends[job.program.inputs[number].topic] = [records.offsets[-1] + 1]
    return Backlog(new, {topic: [0] for topic in ends}, ends, 1_000_000)


def prove(job: Job, new: Program, folder: Path, backlog: Backlog, first: int = FIRST) -> ComparedBatches:
    """The report on a candidate with rebuilt state."""
    forget()
    proof = Proof(job.program, new, [], folder)
    proof.begin(KeptState(job.program, job.batches[first].time), is_rebuilt=True)
    for inputs in backlog.read(remember(job)):
        proof.rebuild(inputs)
    for number, inputs in enumerate(job.batches[first:], first):
        proof.run(Manifest(number, inputs.time, None, {}, {"checksum": job.checksums[number]}), inputs)
    report = proof.report()
    proof.close()
    job.close()
    return report


@pytest.mark.parametrize("records_per_batch", [3, 200_000])
@pytest.mark.parametrize("what", DIFFERENT)
def test_it_gives_what_a_run_from_the_beginning_gives(what: str, records_per_batch: int, tmp_path: Path) -> None:
    new = limit(make(DIFFERENT[what].new, tmp_path / "new"), records_per_batch)
    right = run_all(make(DIFFERENT[what].new, tmp_path / "right"))
    backlog = make_backlog(right, new)

    report = prove(right, new, tmp_path / "proof", backlog)

    assert report["equal"], report["first"]
    assert (report["batches"], report["topics_without_records"]) == (len(BATCHES) - FIRST, [])
    assert backlog.done == backlog.count == 12


def limit(program: Program, records_per_batch: int) -> Program:
    settings = program.plan.settings.model_copy(update={"records_per_batch": records_per_batch})
    return make_program(program.plan.model_copy(update={"settings": settings}))


@pytest.mark.parametrize(
    ("what", "grades"),
    [
        ("a store is renamed", {}),
        ("another topic", {"missing": 3, "extra": 3}),
    ],
)
def test_only_the_change_differs_where_an_empty_store_made_everything_differ(
    what: str, grades: dict[str, int], tmp_path: Path
) -> None:
    job = run_all(make(draw(NODES, EDGES), tmp_path / "job"))
    new = make(DIFFERENT[what].new, tmp_path / "new")

    report = prove(job, new, tmp_path / "proof", make_backlog(job, new))

    found: dict[str, int] = {}
    for topic in ("results", "results-2"):
        for grade, count in report["topics"].get(topic, {"grades": {}})["grades"].items():
            found[grade] = found.get(grade, 0) + count
    assert found == grades
    assert report["topics"]["counts"]["grades"] == {}


def test_a_backlog_is_read_as_a_job_with_that_limit_reads_it(tmp_path: Path) -> None:
    job = run_all(make(draw(NODES, EDGES), tmp_path / "job"))
    backlog = make_backlog(job, limit(job.program, 3))

    batches = list(backlog.read(remember(job)))
    job.close()

    read = [[(number, len(records.offsets)) for number, _, records in each.arrivals] for each in batches]
    assert read == [[(0, 2), (1, 3)], [(1, 3)], [(1, 3)], [(1, 1)]]
    assert [each.time for each in batches] == [996_000, 997_000, 998_000, 999_000]
    assert [each.is_caught_up for each in batches] == [False, False, False, True]
    assert backlog.since == {"names": 0, "orders": 1_000}


def test_batches_of_large_records_are_smaller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = run_all(make(draw(NODES, EDGES), tmp_path / "job"))
    monkeypatch.setattr(rebuilding, "MAX_BYTES", 200)
    backlog = make_backlog(job, job.program)

    batches = list(backlog.read(remember(job)))
    job.close()

    counts = [len(records.offsets) for each in batches for _, _, records in each.arrivals]
    assert (max(counts) <= 3, sum(counts), backlog.has_smaller_batches) == (True, 12, True)


def test_a_topic_that_only_the_candidate_reads_gets_its_records_in_compared_batches(tmp_path: Path) -> None:
    job = run_all(make(draw(NODES, EDGES), tmp_path / "job"))
    new = make_with("others", change("others.result>copies.stream", new=OTHERS), tmp_path / "new")
    number = next(each.number for each in new.inputs if each.topic == "others")
    _, key, value, at = order("zoe", "Rome", 33.0, 140_000)
    forget()
    proof = Proof(job.program, new, [], tmp_path / "proof")
    proof.begin(KeptState(job.program, job.batches[5].time), is_rebuilt=True)
    for inputs in make_backlog(job, new, 5).read(remember(job)):
        proof.rebuild(inputs)

    more = RecordColumns([7], [at], [key], [value], [None])
    proof.run(Manifest(5, job.batches[5].time, None, {}), job.batches[5], [(number, 0, more)])
    report = proof.report()
    proof.close()
    job.close()

    (extra,) = [each for each in report["first"] if each["topic"] == "copies"]
    assert (extra["grade"], extra["at"]) == ("extra", "others-0@7")
    assert extra["input"] and extra["input"]["value"]["amount"] == 33.0
    assert report["records"] == 4


def make_with(topic: str, graph: Graph, folder: Path) -> Program:
    plan = make(draw(NODES, EDGES), folder).plan
    tasks = [2] * len(make(graph, folder).layout.sub_topologies)
    topics = plan.topics | {topic: plan.topics["orders"].model_copy(update={"id": topic})}
    return make_program(plan.model_copy(update={"graph": graph.to_json(), "tasks": tasks, "topics": topics}))


def test_a_candidate_that_reads_a_topic_twice_gets_its_records_twice(tmp_path: Path) -> None:
    """As a stream, and as a global table that is looked up."""
    more: dict[str, tuple[str, dict[str, Any]]] = {
        "all": ("global_table", NODES["orders"][1]),
        "found": ("join", {"key": "key", "fields": [{"name": "before", "expression": "right.amount"}], "keep": True}),
        "before": ("to", {"topic": "before"}),
    }
    job = run_all(make(draw(NODES, EDGES), tmp_path / "job"))
    edges = ("known.result>found.left", "all.result>found.right", "found.result>before.stream")
    new = make(change(*edges, new=more), tmp_path / "new")

    report = prove(job, new, tmp_path / "proof", make_backlog(job, new))

    assert len([each for each in new.inputs if each.topic == "orders"]) == 2
    assert report["topics"]["before"]["results"]["new"] == 6
    assert {topic: of["grades"] for topic, of in report["topics"].items() if topic != "before"} == {
        "counts": {}, "results": {}, "shipped": {},
    }  # fmt: skip


def test_nothing_is_rebuilt_from_topics_without_records(tmp_path: Path) -> None:
    job = run_all(make(draw(NODES, EDGES), tmp_path / "job"))
    backlog = make_backlog(job, job.program, 0)

    batches: list[BatchInputs] = list(backlog.read(remember(job)))
    job.close()

    assert (batches, backlog.count) == ([], 0)


def test_a_late_record_counts_as_in_a_job_that_reads_all_at_once(tmp_path: Path) -> None:
    """It comes in the same batch as later ones, so it is sorted before them."""
    records = [[order("ann", "Rome", 20.0, 2 * MINUTE), name("ann", "Ann", 0)], [order("ann", "Rome", 30.0, 1_000)]]
    records.append([order("ann", "Rome", 15.0, 2_000)])
    graph = change(minutes={"size_ms": 10 * MINUTE})
    at_once, job = Job(make(graph, tmp_path / "once")), Job(make(graph, tmp_path / "job"))
    at_once.run_batch([each for batch in records[:2] for each in batch])
    at_once.run_batch(records[2])
    for batch in records:
        job.run_batch(batch)
    new = make(graph, tmp_path / "new")

    report = prove(at_once, new, tmp_path / "proof", make_backlog(job, new, 2), 1)
    job.close()

    assert report["equal"], report["first"]
