"""A batch executed again over the state before it, while a record is followed. Without Spark and Kafka."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from designer.topology.graph import Graph
from runner.engine.following.follow import Output, describe_record
from runner.engine.formats.sides import make_encoder_of
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.layout import Source
from runner.engine.records.record import KEY, TIME, VALUE, Origin
from runner.plan import JobSettings, Plan, TopicFacts
from runner.spark.checkpoint.batch_log import BatchLog, Manifest
from runner.spark.columns import RecordColumns, make_no_records
from runner.spark.past.following import BatchFollower
from runner.spark.program import Program, make_program, without_secrets
from runner.spark.replay import BatchInputs, find_calls
from runner.spark.sink.results import Results
from runner.spark.source.intake import Intake
from runner.spark.stage.rows import PACK, SINK_DEPTH, Pack, make_engine_rows, pack_batch, unpack_records
from runner.spark.stage.stage import pass_on_and_process
from runner.spark.state.copy_file import _open, remove_file
from tests.conformance.kept import graphs
from tests.conformance.product.cases import Case
from tests.runner.spark.runs import counting, graph, node, shops
from tests.runner.spark.stage.test_counters import program_for
from tests.runner.spark.state.spark_store import SparkStore

Written = list[tuple[bytes | None, bytes | None, int]]


class Job:
    """Executes batches as workers do, and keeps what each read and wrote."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.stores: dict[tuple[int, int], SparkStore] = {}
        self.offsets: Counter[str] = Counter()
        self.batches: list[BatchInputs] = []
        self.written: list[Written] = []
        self.results: list[Results] = []
        self.checksums: list[str] = []

    def run(self, **records: Sequence[tuple[str, Any]]) -> None:
        """A batch that reads these keys and values, by topic."""
        rows = [(topic, key.encode(), json.dumps(value).encode()) for topic, of in records.items() for key, value in of]
        self.run_batch([(*row, number) for number, row in enumerate(rows, 1_000 + self.offsets.total())])

    def run_rows(self, records: Sequence[Mapping[str, Any]]) -> None:
        """A batch that reads these records of a case."""
        self.run_batch([(each["topic"], *self._encode(each), each["timestamp"]) for each in records])

    def run_batch(self, records: Sequence[tuple[str, bytes | None, bytes | None, int]]) -> None:
        """A batch that reads these; its time is ten times its number."""
        time = 10 * (len(self.batches) + 1)
        arrived = [self._arrived(topic, records) for topic in dict.fromkeys(topic for topic, *_ in records)]
        self.run_inputs(BatchInputs(time, arrived))

    def run_inputs(self, inputs: BatchInputs) -> None:
        """A batch that reads these records of topics."""
        intake = Intake(self.program, inputs.time)
        packs = [*intake.calls(find_calls(self.program, inputs))]
        packs += [pack for each in inputs.arrivals for pack in intake.take(*each)]
        packs += [*intake.rest(), *intake.counters()]
        for stage in self.program.stateful:
            packs = [*self._run_stage(stage.depth, packs)]
        self.results.append(Results.read(pa.Table.from_batches([pack_batch(packs)], PACK)))
        self.checksums.append(self.results[-1].checksum())
        finished = unpack_records(pack.pack for pack in packs if pack.depth == SINK_DEPTH)
        self.written.append(sorted(((row[KEY], row[VALUE], row[TIME]) for row in make_engine_rows(finished)), key=repr))
        answers = [each for call in self.results[-1].counters for each in call.get("answers", ())]
        self.batches.append(inputs._replace(answers=answers))
        for known in list(_open):
            _open.pop(known).close()  # the one that follows is another process

    def follower(self, batch: int) -> BatchFollower:
        return BatchFollower(self.program, self.batches[batch])

    def _run_stage(self, depth: int, packs: Sequence[Pack]) -> Iterator[Pack]:
        yield from (pack for pack in packs if pack.depth != depth)
        for slot in self.program.slot_ids:
            own = [pack for pack in packs if (pack.depth, pack.slot) == (depth, slot)]
            store = self.stores.setdefault((depth, slot), SparkStore())
            yield from pass_on_and_process(store.attempt(), without_secrets(self.program.plan), depth, slot, own)
            store.commit()

    def close(self) -> None:
        for depth, slot in self.stores:
            remove_file(self.program.state_directory(depth, slot))

    def _arrived(
        self, topic: str, records: Sequence[tuple[str, bytes | None, bytes | None, int]]
    ) -> tuple[int, int, RecordColumns]:
        number = next(each.number for each in self.program.inputs if each.topic == topic)
        found = make_no_records()
        for _, key, value, timestamp in (each for each in records if each[0] == topic):
            found.append(self.offsets[topic], timestamp, key, value, None)
            self.offsets[topic] += 1
        return number, 0, found

    def _encode(self, record: Mapping[str, Any]) -> list[bytes | None]:
        layout = self.program.layout
        (flow,) = layout.nodes[layout.node_entered(layout.sources_by_topic[record["topic"]][0])].outputs.values()
        sides = ((flow.schema.key, record["key"]), (flow.schema.value, record["value"]))
        return [None if value is None else make_encoder_of(side)(value) for side, value in sides]


@pytest.fixture
def job(tmp_path: Path) -> Iterator[Job]:
    """Three batches of orders, which are counted by the city of their customer."""
    plan = program_for(shops("orders", "names", "counts"), "orders", "names").plan
    program = make_program(plan.model_copy(update={"state_dir": str(tmp_path)}))
    made = Job(program)
    made.run(names=[(name, {"name": name.upper()}) for name in ("ann", "bob")], orders=[("ann", {"city": "Rome"})])
    made.run(orders=[("bob", {"city": "Rome"}), ("ann", {"city": "Oslo"}), ("bob", {"city": "Rome"})])
    made.run(orders=[("ann", {"city": "Rome"})], names=[("eve", {"name": "EVE"})])
    yield made
    made.close()


def order(offset: int) -> Origin:
    return Origin("orders", 0, offset)


def test_each_batch_gives_again_what_it_gave(job: Job) -> None:
    for number, written in enumerate(job.written):
        follower = job.follower(number)
        _, left = follower.run(order(0))
        follower.close()

        assert sorted(((row[KEY], row[VALUE], row[TIME]) for _, row in left), key=repr) == written


def test_tasks_of_a_followed_batch_go_on_without_records_only_if_they_did(tmp_path: Path) -> None:
    drawn = counting("orders", "counts")
    windows = {"type": "tumbling", "size_ms": 1_000, "emit": "on_close", "idle_ms": 1_000}
    windowed = graph(
        [*drawn.nodes, node("windowed", "windowed_by", **windows)],
        "orders.result>grouped.stream",
        "grouped.result>windowed.grouped",
        "windowed.result>counted.grouped",
        "counted.result>updates.table",
        "updates.result>counts.stream",
    )
    plan = program_for(windowed, "orders").plan
    job = Job(make_program(plan.model_copy(update={"state_dir": str(tmp_path)})))
    job.run(orders=[("ann", 1)])
    job.run_inputs(BatchInputs(9_000, [], is_caught_up=False))
    job.run_inputs(BatchInputs(10_000, [], is_caught_up=True))

    again = []
    for number in range(3):
        follower = job.follower(number)
        again.append(len(follower.run(order(0))[1]))
        follower.close()
    job.close()

    assert again == [len(written) for written in job.written] == [0, 0, 1]


def test_a_record_of_an_earlier_batch_is_followed_over_the_state_of_then(job: Job) -> None:
    follower = job.follower(1)
    steps = follower.follow(order(1))
    follower.close()

    (counted,) = [step for step in steps if step.node == "counted"]
    assert counted.record["key"] == '"Rome"'
    (row,) = counted.rows
    assert row["before"] and row["after"]
    assert (row["key"], row["before"]["value"], row["after"]["value"]) == ('"Rome"', "1", "2")
    assert steps[0].node == "orders"
    assert steps[-1].node == "counts"


def test_an_output_leads_back_to_its_input_and_to_those_that_made_it(job: Job) -> None:
    follower = job.follower(1)
    _, left = follower.run(order(0))
    last = max((row for _, row in left), key=lambda row: (row[KEY], row[TIME]))
    found = follower.find_input("counts", last)
    assert found is not None
    steps = follower.follow(found)
    (counted,) = [step for step in steps if step.node == "counted"]
    made = follower.inputs_of(found, Output("counted", "result", describe_record(counted.outputs[0])))
    nothing = follower.find_input("counts", (0, b"none", None, 0, None, 0, 0))
    follower.close()

    assert (found, nothing) == (order(3), None)
    assert (made.inputs, made.unsure) == ([order(3), order(1)], [])


def test_the_newest_record_of_a_node_is_the_last_that_reached_it(job: Job) -> None:
    follower = job.follower(2)
    newest = {node: follower.find_newest(node) for node in ("orders", "counted", "counts", "elsewhere")}
    follower.close()

    assert newest == {"orders": order(4), "counted": order(4), "counts": order(4), "elsewhere": None}


def test_the_log_of_batches_says_which_read_a_record(tmp_path: Path) -> None:
    log = BatchLog(tmp_path / "run")
    for number, end in enumerate([[3, 0], [3, 2], [5, 2]]):
        log.append(number + 7, {"time": number, "streams": {"orders": end}, "tables": {}})
    log.append(9, {"time": 5, "streams": {"orders": [6, 2]}, "tables": {}})

    found = log.read()

    assert found[0] == Manifest(7, 0, None, {"orders": [3, 0]})
    assert found[2] == Manifest(9, 5, {"orders": [3, 2]}, {"orders": [6, 2]})
    places = [("orders", 0, 2), ("orders", 1, 1), ("orders", 0, 5), ("orders", 0, 6), ("orders", 2, 0), ("names", 0, 0)]
    assert [[each.number for each in found if each.start and each.reads(*place)] for place in places] == [
        [], [8], [9], [], [], [],
    ]  # fmt: skip


def test_the_log_keeps_the_newest_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.spark.checkpoint.batch_log.MAX_BYTES", 200)
    log = BatchLog(tmp_path)
    for number in range(50):
        log.append(number, {"time": number, "streams": {"orders": [number]}})

    numbers = [each.number for each in log.read()]

    assert numbers[-1] == 49
    assert 2 < len(numbers) < 20


@pytest.mark.parametrize(("case", "graph"), graphs()[::25], ids=[case["name"] for case, _ in graphs()[::25]])
def test_each_batch_of_a_kept_case_gives_again_what_it_gave(case: Case, graph: Graph, tmp_path: Path) -> None:
    job = Job(_program(graph, tmp_path))
    for start in range(0, len(case["inputs"]), 5):
        job.run_rows(case["inputs"][start : start + 5])

    again = []
    for number in range(len(job.batches)):
        follower = job.follower(number)
        again.append(sorted(((row[KEY], row[VALUE], row[TIME]) for _, row in follower.run(order(0))[1]), key=repr))
        follower.close()
    job.close()

    assert again == job.written


def _program(graph: Graph, folder: Path) -> Program:
    topics = {target.topic for target in lay_out(graph, {}).targets if isinstance(target, Source)}
    facts = {topic: TopicFacts(id=topic, partitions=1, start=[-2]) for topic in topics}
    plan = Plan(
        shared_shuffles=True, application_id="kept", epoch=1, generation=1, graph=graph.to_json(), schemas={},
        tasks=[2] * len(lay_out(graph, {}, shares_shuffles=True).sub_topologies), slots=2,
        settings=JobSettings.model_validate({"cache": False}), kafka={}, topics=facts, marker_topic="marker",
        checkpoint="", state_dir=str(folder),
    )  # fmt: skip
    return make_program(plan)
