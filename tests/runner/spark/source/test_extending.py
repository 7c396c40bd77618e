"""Small batches take the records that come while Spark plans them: real topics, and a run whose source dies."""

from __future__ import annotations

import json
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from designer.values.schemas import INTEGER, struct
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.columns import RecordColumns, make_no_records
from runner.spark.failures import RunFailed
from runner.spark.program import without_secrets
from runner.spark.source.arrivals import _find_extended
from runner.spark.source.extending import Extender, Newer
from runner.spark.source.intake import take
from runner.spark.source.source import KafkaReader
from runner.spark.stage.newer import TIME, take_newer
from runner.spark.stage.rows import EXTENSION, Pack, pack_batch, unpack_records
from tests.runner.graph_builder import GraphBuilder
from tests.runner.spark.runs import World, counting, started
from tests.runner.spark.source.test_source import prefetching
from tests.runner.spark.stage.test_input_times import program
from tests.runner.spark.test_child import restart, updates

START, END, LATER = ({"time": time, "streams": {"orders": [time]}} for time in (1, 5, 9))
NEWER = Pack(0, 1, 0, 5, b"newer")


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """The checkpoint of a query whose batch 12 ends at `END`."""
    (tmp_path / "offsets").mkdir()
    for batch, end in ((9, START), (12, END)):
        (tmp_path / "offsets" / str(batch)).write_bytes(b"v1\n{}\n" + orjson.dumps(end))
    return tmp_path


def get_packs(asked: Any) -> list[Pack]:
    return list(take_newer(Pack(*row.values()) for row in asked.to_pylist()))


def test_a_worker_gets_newer_records_once_the_later_end_is_recorded(checkpoint: Path) -> None:
    extender = Extender(checkpoint, lambda start, end: Newer(LATER, [pack_batch([NEWER]), pack_batch([NEWER])]))

    packs = get_packs(extender.offer(0, START, END))

    assert packs == [NEWER, NEWER]
    assert Checkpoint(str(checkpoint)).end(12) == LATER
    assert (extender.find_start(END), extender.find_start(LATER), extender.find_start(START)) == (LATER, LATER, START)


def test_a_worker_that_executes_the_batch_once_more_gets_the_same_records(checkpoint: Path) -> None:
    """A lost block of a shuffle has Spark execute a stage again. The batch ends at the later end by then."""
    extender = Extender(checkpoint, lambda start, end: Newer(LATER, [pack_batch([NEWER])]))
    asked = extender.offer(0, START, END)

    assert get_packs(asked) == [NEWER]
    assert get_packs(asked) == [NEWER]


@pytest.mark.parametrize("found", [None, RuntimeError("no broker")])
def test_a_batch_stays_as_it_is_if_nothing_newer_can_be_taken(checkpoint: Path, found: Exception | None) -> None:
    def find_newer(start: Any, end: Any) -> None:
        if found is not None:
            raise found

    extender = Extender(checkpoint, find_newer)

    assert get_packs(extender.offer(0, START, END)) == []
    assert Checkpoint(str(checkpoint)).end(12) == END
    assert extender.find_start(END) == END


def test_only_the_worker_of_the_batch_that_was_planned_last_gets_newer_records(checkpoint: Path) -> None:
    extender = Extender(checkpoint, lambda start, end: Newer(LATER, [pack_batch([NEWER])]))
    before = extender.offer(0, {"time": 0}, START)
    newest = extender.offer(0, START, END)

    assert get_packs(before) == []
    assert get_packs(newest) == []  # the late worker has ended the offer
    assert Checkpoint(str(checkpoint)).end(12) == END


def test_a_batch_that_spark_did_not_record_last_stays_as_it_is(checkpoint: Path) -> None:
    extender = Extender(checkpoint, lambda start, end: Newer(LATER, [pack_batch([NEWER])]))

    assert get_packs(extender.offer(0, END, LATER)) == []
    assert Checkpoint(str(checkpoint)).end(12) == END


def test_a_worker_that_ends_before_it_asks_keeps_no_later_one_from_an_answer(checkpoint: Path) -> None:
    extender = Extender(checkpoint, lambda start, end: Newer(LATER, [pack_batch([NEWER])]))
    asked = extender.offer(0, START, END)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(asked.to_pylist()[0]["pack"])

    assert get_packs(asked) == [NEWER]


@pytest.mark.parametrize("question", [b"", TIME.pack(5)[:3]])
def test_a_worker_that_does_not_go_on_keeps_no_later_one_from_an_answer(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch, question: bytes
) -> None:
    monkeypatch.setattr("runner.spark.source.extending.SILENCE_SECONDS", 0.1)
    monkeypatch.setattr("runner.spark.stage.newer.PATIENCE_SECONDS", 5)
    extender = Extender(checkpoint, lambda start, end: Newer(LATER, [pack_batch([NEWER])]))
    asked = extender.offer(0, START, END)
    with socket.socket(socket.AF_UNIX) as silent:
        silent.connect(asked.to_pylist()[0]["pack"])
        silent.sendall(question)

        assert get_packs(asked) == [NEWER]


def test_a_worker_that_does_not_read_its_answer_keeps_no_later_one_from_it(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.spark.source.extending.SILENCE_SECONDS", 0.1)
    monkeypatch.setattr("runner.spark.stage.newer.PATIENCE_SECONDS", 5)
    large = NEWER._replace(pack=bytes(4_000_000))
    extender = Extender(checkpoint, lambda start, end: Newer(LATER, [pack_batch([large])]))
    asked = extender.offer(0, START, END)
    with socket.socket(socket.AF_UNIX) as silent:
        silent.connect(asked.to_pylist()[0]["pack"])
        silent.sendall(TIME.pack(5))

        assert get_packs(asked) == [large]


def test_a_worker_without_an_answer_fails() -> None:
    with socket.socket(socket.AF_UNIX) as nobody:
        nobody.bind("")
        asked = Pack(0, EXTENSION, 0, 5, nobody.getsockname())
        with pytest.raises(RunFailed, match="did not answer a worker") as failed:
            list(take_newer([NEWER, asked]))
    assert failed.value.retriable


def test_records_of_a_second_part_come_behind_those_of_the_first() -> None:
    builder = GraphBuilder().stream("events", struct(at=INTEGER))
    builder.add("moved", "select_key", {"key": "at"}, stream="events").add("grouped", "group_by_key", stream="moved")
    builder.add("counted", "count", grouped="grouped").add("updates", "to_stream", table="counted").to("out", "updates")
    made = program(builder, "events")

    def make(offsets: range) -> RecordColumns:
        records = make_no_records()
        for offset in offsets:
            records.append(offset, 5, b"a", b'{"at": 1}', None)
        return records

    def number(parts: list[range]) -> list[int]:
        counts: dict[tuple[int, int], dict[int, int]] = {}
        found = [
            row
            for part in parts
            for batch in take(without_secrets(made.plan), 0, [(0, 0, make(part))], {}, emitted_counts=counts)
            for row in batch.to_pylist()
            if row["depth"] > 0
        ]
        seqs: list[int] = unpack_records(row["pack"] for row in found).column("seq").to_pylist()
        return seqs

    assert number([range(3), range(3, 7)]) == number([range(7)])


NUMBERS = """
class Numbers(Processor):
    def init(self, context):
        self.context, self.count = context, 0

    def process(self, record):
        self.count += 1
        self.context.forward(record.with_value(self.count))
"""


@pytest.mark.parametrize(("before", "after", "may_extend"), [(1, 0, False), (0, 1, True), (0, 0, True)])
def test_python_in_front_of_the_first_stage_sees_one_object_for_all_records_of_a_batch(
    tmp_path: Path, before: int, after: int, may_extend: bool
) -> None:
    """A batch that is executed again gives all its records to one object, too."""
    builder, last = GraphBuilder().stream("events", struct(at=INTEGER)), "events"
    if before:
        builder.add(last := "numbered", "process", {"code": NUMBERS}, stream="events")
    builder.add("moved", "map", {"key": "1", "value": "value"}, stream=last).add(
        "grouped", "group_by_key", stream="moved"
    )
    builder.add("counted", "count", grouped="grouped").add(last := "updates", "to_stream", table="counted")
    if after:
        builder.add(last := "numbered", "process", {"code": NUMBERS}, stream="updates")
    builder.to("out", last)
    made = program(builder, "events")

    extended = _find_extended(replace(made, plan=made.plan.model_copy(update={"checkpoint": str(tmp_path)})))

    assert (extended is not None) == may_extend


def extending(world: World, topic: str, folder: Path, **settings: Any) -> KafkaReader:
    """A reader whose batches are extended, after its first batch."""
    made = prefetching(world, topic)
    plan = world.plan(counting(topic, topic), [topic], slots=1)
    reading = made.reading.model_copy(update={"extends": str(folder), "slots": 1} | settings)
    source = KafkaReader(reading, without_secrets(plan))
    source.first = {"time": 0}
    return source


def offer(source: KafkaReader, checkpoint: Path, start: Any) -> tuple[Any, list[Any]]:
    """The end of the next batch, recorded as Spark does it, and its packs."""
    end = source.latestOffset(start, None)
    (checkpoint / "offsets" / "13").write_bytes(b"v1\n{}\n" + orjson.dumps(end))
    source.partitions(start, end)
    packs = source.getCache(start, end)
    assert packs is not None
    return end, list(packs)


def count_records(packs: list[Pack]) -> int:
    return sum(unpack_records([pack.pack]).num_rows for pack in packs if pack.depth > 0)


def test_the_next_batch_begins_where_the_extended_one_ended(world: World, checkpoint: Path) -> None:
    topic = world.topic("orders", 2)
    source = extending(world, topic, checkpoint)
    start = source.initialOffset()
    world.produce(topic, [(f"c{n}", "{}", n) for n in range(10)])
    end, packs = offer(source, checkpoint, start)
    world.produce(topic, [(f"c{n}", "{}", n) for n in range(7)])

    taken = [pack for each in packs for pack in get_packs(each)]

    assert count_records(taken) == 17
    assert sum(Checkpoint(str(checkpoint)).offsets(13)[topic]) == 17
    assert source.latestOffset(end, None) == end
    world.produce(topic, [("c1", "{}", 1)])
    later, packs = offer(source, checkpoint, end)
    assert count_records([pack for each in packs for pack in get_packs(each)]) == 1
    assert sum(later["streams"][topic]) == 18


@pytest.mark.parametrize(("limit", "count"), [(19, 10), (20, 20)])
def test_a_batch_takes_all_newer_records_or_none(world: World, checkpoint: Path, limit: int, count: int) -> None:
    """Some of them could be later than others that it leaves: an order without its customer, who came before it."""
    topic = world.topic("orders", 2)
    source = extending(world, topic, checkpoint, limits={"streams": limit})
    start = source.initialOffset() | {"time": 1}
    world.produce(topic, [(f"c{n}", "{}", n) for n in range(10)])
    _, packs = offer(source, checkpoint, start)
    world.produce(topic, [(f"c{n}", "{}", n) for n in range(10)])

    taken = [pack for each in packs for pack in get_packs(each)]

    assert count_records(taken) == count


@pytest.mark.parametrize(
    "special", [{"ticks": [1]}, {"idles": [1]}, {"held": {"others": {0: 1}}}, {"bytes_per_batch": 1 << 20}]
)
def test_a_batch_whose_end_decides_more_is_not_extended(world: World, checkpoint: Path, special: Any) -> None:
    topic = world.topic("orders", 2)
    source = extending(world, topic, checkpoint, **special)
    start = source.initialOffset()
    world.produce(topic, [("c1", "{}", 1)])

    _, packs = offer(source, checkpoint, start)

    assert EXTENSION not in [depth for each in packs for depth in each.column("depth").to_pylist()]


@pytest.mark.spark
@pytest.mark.slow
def test_a_source_that_dies_once_it_has_extended_a_batch_loses_and_repeats_nothing(
    world: World, tmp_path: Path
) -> None:
    orders, counts = world.topic("orders", 2), world.topic("counts", 1)
    plan = world.plan(counting(orders, counts), [orders], slots=1)
    (file := tmp_path / "failpoint").write_text("extended@2")
    sent = 0

    def send() -> None:
        nonlocal sent
        world.produce(orders, [(f"c{sent % 5}", json.dumps({"city": "a"}), sent)])
        sent += 1

    with started(plan, STREAMWRIGHT_FAILPOINT=str(file)) as child:
        while file.exists():
            send()
        child.died()

    with started(restart(plan)) as child:
        child.wait_for_status("running")
        for _ in range(500):
            send()
        child.wait_for_offsets(orders, sent)
        assert child.stop() == 0

    assert updates(world, counts) == {f"c{n}": list(range(1, len(range(n, sent, 5)) + 1)) for n in range(5)}
