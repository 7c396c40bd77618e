"""The writer alone, on a real broker: a stand-in checkpoint says which batch is next."""

import os
import sys
import time
from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from pathlib import Path
from threading import Semaphore
from typing import Protocol

import orjson
import pyarrow as pa
import pytest
from confluent_kafka import KafkaError, KafkaException

from runner.control.jobs import restart_policy
from runner.engine.records.record import number_input
from runner.kafka.inquiries import open_transaction
from runner.plan import Executors, Follows, Plan
from runner.spark.batches import Batches, Gate
from runner.spark.channel import Events, Orders
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.failures import RunFailed
from runner.spark.program import make_program
from runner.spark.progress import Progress
from runner.spark.sink.marker import Marker
from runner.spark.sink.producer import RecordProducer
from runner.spark.sink.results import Results
from runner.spark.sink.slots import SlotBatch, SlotWriter
from runner.spark.sink.writer import Writer
from runner.spark.stage.rows import RECORD
from tests.patience import PATIENCE_SECONDS
from tests.runner.spark.runs import World, counting
from webapp.local.kafka import Kafka
from webapp.local.parts import JARS, run_part


@pytest.fixture
def plan(world: World) -> Plan:
    return make_counting_plan(world)


def make_counting_plan(world: World) -> Plan:
    orders = world.topic("orders", 2)
    plan = world.plan(counting(orders, world.topic("counts", 1)), [orders])
    folder = Path(plan.checkpoint)
    folder.mkdir(parents=True)
    (folder / "metadata").write_bytes(orjson.dumps({"id": "query"}))
    return plan


def planned(plan: Plan, batch: int, moved: int = 0) -> None:
    """What Spark records before a batch."""
    (topic,) = plan.topics
    offsets = orjson.dumps({"time": 1, "streams": {topic: [batch, 5 * batch + moved]}})
    kept_in(plan, "offsets", batch).write_bytes(b'v1\n{"batchTimestampMs":1}\n' + offsets)


def carried_out(plan: Plan, batch: int) -> None:
    """What Spark records after a batch."""
    kept_in(plan, "commits", batch).touch()


def kept_in(plan: Plan, name: str, batch: int) -> Path:
    folder = Path(plan.checkpoint) / name
    folder.mkdir(exist_ok=True)
    return folder / str(batch)


class Open(Protocol):
    """Opens a writer of a plan."""

    def __call__(self, plan: Plan, kind: type[Writer] = Writer) -> Writer: ...


@pytest.fixture
def writer() -> Iterator[Open]:
    """Opens writers, and closes them in the end."""
    writers: list[Writer] = []

    def opened(plan: Plan, kind: type[Writer] = Writer) -> Writer:
        writers.append(kind(make_program(plan), Checkpoint(plan.checkpoint)))
        writers[-1].open()
        return writers[-1]

    yield opened
    for each in writers:
        each.close()


def write(writer: Writer, batch: int, results: Results) -> None:
    """Writes a batch that Spark has planned and executed."""
    planned(writer.plan, batch)
    carried_out(writer.plan, batch)
    writer.write(batch, results)


def results(plan: Plan, *values: bytes, key: bytes | None = b"k") -> Results:
    (sink,) = make_program(plan).layout.sinks_of["counts"].values()
    rows = [
        {"target": sink, "task": 0, "origin": 0, "seq": n, "timestamp": 1_000 + n, "key": key, "value": value}
        | {"input": number_input(0, 1), "offset": 7 + n}
        for n, value in enumerate(values)
    ]
    return Results(pa.RecordBatch.from_pylist(rows, schema=RECORD), [])


def test_results_offsets_and_marker_become_visible_together(world: World, plan: Plan, writer: Open):
    one = writer(plan)

    write(one, 0, results(plan, b"a", b"b"))

    (counts,) = make_program(plan).layout.sinks_of["counts"]
    assert [message.value() for message in world.read(counts)] == [b"a", b"b"]
    assert [message.timestamp()[1] for message in world.read(counts)] == [1_000, 1_001]
    assert committed(world, plan) == (1, [0, 0])


def forgotten(world: World, plan: Plan) -> None:
    """Deletes what is committed, as a broker does in time."""
    for group in (plan.marker_group, plan.application_id):
        world.cluster.forget(group)


def committed(world: World, plan: Plan) -> tuple[int, list[int]]:
    """The offset of the marker, and those of the input."""
    (topic,) = plan.topics
    marker, *_ = world.cluster.read_committed(plan.marker_group, world.cluster.topic(plan.marker_topic))
    read = world.cluster.read_committed(plan.application_id, world.cluster.topic(topic))
    return marker.offset if marker else -1, [found.offset for found in read if found]


def test_a_quiet_writer_commits_its_marker_and_offsets_again(world: World, plan: Plan, writer: Open):
    one = writer(plan)
    write(one, 0, results(plan, b"a"))
    forgotten(world, plan)

    one.keep()

    assert committed(world, plan) == (1, [0, 0])
    write(one, 1, results(plan, b"b"))
    assert [message.value() for message in world.read(world.name("counts"))] == [b"a", b"b"]


def test_a_marker_that_kafka_deleted_is_put_back_where_the_run_had_ended_in_order(
    world: World, plan: Plan, writer: Open
):
    one = writer(plan)
    write(one, 0, results(plan, b"a"))
    one.leave()
    one.close()
    forgotten(world, plan)

    again = writer(plan)
    kept = committed(world, plan)
    write(again, 1, results(plan, b"b"))

    assert kept == (1, [0, 0])
    assert [message.value() for message in world.read(world.name("counts"))] == [b"a", b"b"]


def test_a_run_that_wrote_nothing_before_it_stopped_starts_after_kafka_deleted_its_marker(
    world: World, plan: Plan, writer: Open
):
    one = writer(plan)
    planned(plan, 0)
    one.leave()
    one.close()
    forgotten(world, plan)

    again = writer(plan)
    write(again, 0, results(plan, b"a"))

    assert [message.value() for message in world.read(world.name("counts"))] == [b"a"]


def test_an_empty_checkpoint_of_an_epoch_that_has_written_is_refused_without_a_marker(plan: Plan, writer: Open):
    """As when the folder of a stopped job was deleted, and Kafka has deleted its marker meanwhile."""
    with pytest.raises(RunFailed, match="The checkpoint is empty") as refusal:
        writer(plan.model_copy(update={"has_begun": True}))

    assert refusal.value.code == "marker.missing"


def test_what_a_run_left_says_nothing_of_the_run_after_it(world: World, plan: Plan, writer: Open):
    one = writer(plan)
    write(one, 0, results(plan, b"a"))
    one.leave()
    following = plan.model_copy(update={"generation": 2})
    again = writer(following)
    write(again, 1, results(plan, b"b"))
    again.close()
    forgotten(world, plan)

    with pytest.raises(RunFailed) as refusal:
        writer(plan)

    assert refusal.value.code == "marker.missing"


def test_a_run_whose_marker_kafka_deleted_does_not_say_that_nothing_is_written(world: World, plan: Plan, writer: Open):
    one = writer(plan)
    write(one, 0, results(plan, b"a"))
    one.close()
    forgotten(world, plan)

    one.keep()

    assert committed(world, plan) == (-1, [])


def test_a_run_that_left_nothing_is_not_gone_on_with_once_kafka_has_deleted_its_marker(
    world: World, plan: Plan, writer: Open
):
    one = writer(plan)
    write(one, 0, results(plan, b"a"))
    one.close()
    forgotten(world, plan)

    with pytest.raises(RunFailed) as refusal:
        writer(plan)

    assert refusal.value.code == "marker.missing"


def test_an_older_run_that_ends_late_says_nothing_of_the_one_after_it(world: World, plan: Plan, writer: Open):
    older = writer(plan)
    write(older, 0, results(plan, b"a"))
    newer = writer(plan.model_copy(update={"generation": 2}))
    older.leave()
    newer.close()
    forgotten(world, plan)

    with pytest.raises(RunFailed) as refusal:
        writer(plan.model_copy(update={"generation": 3}))

    assert refusal.value.code == "marker.missing"


def test_a_first_batch_that_was_planned_but_never_written_is_carried_out(world: World, plan: Plan, writer: Open):
    writer(plan).close()
    planned(plan, 0)
    carried_out(plan, 0)

    again = writer(plan)

    assert again.checkpoint.find_last_committed() is None
    write(again, 0, results(plan, b"a"))
    assert [message.value() for message in world.read(world.name("counts"))] == [b"a"]


class Counting(Writer):
    """Tells how often it has kept its marker."""

    def keep(self) -> None:
        super().keep()
        self.kept.release()

    @cached_property
    def kept(self) -> Semaphore:
        return Semaphore(0)


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> Iterator[Events]:
    """Those of a run in this process, which gets its standard output back."""
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    output = os.dup(1)
    yield Events()
    os.dup2(output, 1)
    os.close(output)


def test_a_run_keeps_its_marker_once_the_hours_are_over(
    plan: Plan, writer: Open, events: Events, monkeypatch: pytest.MonkeyPatch
):
    one = writer(plan, Counting)
    assert isinstance(one, Counting)
    write(one, 0, results(plan, b"a"))
    orders, progress = Orders(BytesIO()), Progress(make_program(plan))
    batches = Batches(Gate(orders), one, progress, Checkpoint(plan.checkpoint), events)

    batches.keep_marker()
    monkeypatch.setattr("runner.spark.batches.KEEP_SECONDS", 0.0)
    batches.keep_marker()

    assert one.kept.acquire(timeout=PATIENCE_SECONDS)
    assert not one.kept.acquire(blocking=False)
    assert batches.failure is None


def test_a_writer_that_another_one_shut_out_keeps_nothing(plan: Plan, writer: Open):
    older = writer(plan)
    write(older, 0, results(plan, b"a"))
    writer(plan)

    with pytest.raises(RunFailed, match="transactional id of this run"):
        older.keep()


def following(plan: Plan, batch: int) -> Plan:
    """A plan of the next epoch, made when the old one had written this batch."""
    follows = [Follows(group=plan.marker_group, batch=batch)]
    new = plan.model_copy(update={"epoch": 2, "checkpoint": f"{plan.checkpoint}-2", "follows": follows})
    (folder := Path(new.checkpoint)).mkdir(parents=True)
    (folder / "metadata").write_bytes(orjson.dumps({"id": "query-2"}))
    return new


def read_marker(world: World, plan: Plan) -> Marker:
    (found, *_) = world.cluster.read_committed(plan.marker_group, world.cluster.topic(plan.marker_topic))
    assert found is not None
    return Marker.read(found.offset, found.metadata)


def test_the_first_marker_of_an_epoch_ends_the_epoch_before_it(world: World, plan: Plan, writer: Open):
    write(writer(plan), 0, results(plan, b"a"))
    assert not read_marker(world, plan).is_closed
    new = following(plan, 0)

    write(writer(new), 0, results(new, b"b"))

    assert (read_marker(world, plan).batch, read_marker(world, plan).is_closed) == (0, True)
    assert (read_marker(world, new).batch, read_marker(world, new).is_closed) == (0, False)
    with pytest.raises(RunFailed, match="Another version has taken over from this one after batch 0"):
        writer(plan)


def test_an_epoch_does_not_begin_if_the_one_before_it_has_written_more(world: World, plan: Plan, writer: Open):
    old = writer(plan)
    write(old, 0, results(plan, b"a"))
    new = following(plan, 0)
    write(old, 1, results(plan, b"b"))

    with pytest.raises(RunFailed, match="after batch 0 of the one before, but that has written batch 1"):
        writer(new)

    write(writer(plan), 2, results(plan, b"c"))
    assert [message.value() for message in world.read(world.name("counts"))] == [b"a", b"b", b"c"]


def test_an_epoch_ends_also_those_that_wrote_nothing(world: World, plan: Plan, writer: Open):
    follows = [Follows(group=f"{plan.application_id}.{epoch}", batch=-1) for epoch in (7, 8)]
    new = plan.model_copy(update={"follows": follows})

    writer(new)

    for epoch in (7, 8):
        former = read_marker(world, plan.model_copy(update={"epoch": epoch}))
        assert (former.is_written, former.is_closed) == (False, True)


def test_a_batch_that_is_in_kafka_is_not_written_again(world: World, plan: Plan, writer: Open):
    write(writer(plan), 0, results(plan, b"a"))

    again = writer(plan)
    write(again, 0, results(plan, b"a"))
    write(again, 1, results(plan, b"b"))

    counts = world.name("counts")
    assert [message.value() for message in world.read(counts)] == [b"a", b"b"]


def test_plans_that_a_killed_repair_has_left_are_forgotten(plan: Plan, writer: Open):
    """Spark would begin with the last of them, and with state that the repair has removed."""
    before = writer(plan)
    for batch in range(5):
        write(before, batch, results(plan, b"a"))
    assert before.marker is not None
    left = {batch: kept_in(plan, "offsets", batch).read_bytes() for batch in (2, 3)}
    checkpoint = Checkpoint(plan.checkpoint)
    checkpoint.carry_out_again(1, 4, before.marker.fingerprint)
    for batch, content in left.items():
        kept_in(plan, "offsets", batch).write_bytes(content)

    writer(plan)

    assert sorted(path.name for path in (checkpoint.folder / "offsets").iterdir()) == ["0", "1"]
    assert (checkpoint.find_last_planned(), checkpoint.find_last_committed()) == (4, 1)


def test_a_batch_planned_with_other_offsets_is_refused(plan: Plan, writer: Open):
    write(writer(plan), 0, results(plan, b"a"))
    planned(plan, 0, moved=3)

    with pytest.raises(RunFailed) as refusal:
        writer(plan).verdict(0)

    assert refusal.value.code == "marker.mismatch"


def test_an_older_writer_is_shut_out(world: World, plan: Plan, writer: Open):
    older = writer(plan)
    write(older, 0, results(plan, b"a"))
    newer = writer(plan)

    with pytest.raises(RunFailed) as refusal:
        write(older, 1, results(plan, b"b"))
    write(newer, 1, results(plan, b"c"))

    assert refusal.value.code == "run.fenced"
    assert [message.value() for message in world.read(world.name("counts"))] == [b"a", b"c"]


class Paused(Writer):
    """Stands still while its transaction is open, until the broker has ended it."""

    def _wait_for_spark(self, batch: int) -> None:
        assert self.producer is not None
        (sink,) = self.program.layout.sinks_of["counts"].values()
        topic = self.program.topic_of(sink)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self.producer.is_overdue or open_transaction(self.cluster, topic, 0) is not None:
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_a_transaction_that_the_broker_ended_for_its_age_is_written_by_the_next_run(
    world: World, plan: Plan, writer: Open, monkeypatch: pytest.MonkeyPatch
):
    """For librdkafka, it is fenced then, as by another run."""
    monkeypatch.setattr("runner.spark.sink.producer.OPEN_MS", 1_000)
    plan = plan.model_copy(update={"settings": plan.settings.model_copy(update={"records_per_batch": 1})})
    paused = writer(plan, Paused)

    with pytest.raises(RunFailed) as refusal:
        write(paused, 0, results(plan, b"a"))
    write(writer(plan), 0, results(plan, b"a"))

    assert refusal.value.code == "transaction.overdue"
    assert refusal.value.retriable
    assert "open for more than 1 seconds" in refusal.value.message
    assert [message.value() for message in world.read(world.name("counts"))] == [b"a"]


class Throttled(Writer):
    """Its brokers take so few records in a second that the transaction is too old before they have all."""

    def _commit(self, batch: int, producer: RecordProducer) -> Marker:
        while not producer.is_overdue:
            time.sleep(0.1)
        raise KafkaException(KafkaError(KafkaError._TIMED_OUT, "7 records were not delivered"))


def test_a_batch_that_takes_longer_than_a_transaction_may_be_open_is_not_tried_again_by_the_same_run(
    plan: Plan, writer: Open, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("runner.spark.sink.producer.OPEN_MS", 1_000)
    plan = plan.model_copy(update={"settings": plan.settings.model_copy(update={"records_per_batch": 1})})

    with pytest.raises(RunFailed) as refusal:
        write(writer(plan, Throttled), 0, results(plan, b"a"))

    assert refusal.value.code == "transaction.overdue"


def test_brokers_that_go_away_in_the_middle_of_a_batch_are_an_outage(
    tmp_path: Path, writer: Open, monkeypatch: pytest.MonkeyPatch
):
    """The job goes on when they are back, however long that takes."""
    monkeypatch.setattr("runner.spark.sink.producer.ANSWER_SECONDS", 1.0)
    monkeypatch.setattr("runner.spark.sink.producer.LOST_SECONDS", 1.0)
    monkeypatch.setattr("runner.spark.sink.writing.ATTEMPTS", 1)
    broker = Kafka(tmp_path, JARS, is_passing=True)
    with run_part(broker):
        plan = make_counting_plan(World(broker.servers, tmp_path))
        left = writer(plan)

    with pytest.raises(RunFailed, match="Batch 0 could not be written: ") as refusal:
        write(left, 0, results(plan, b"a"))

    assert refusal.value.code in restart_policy.OUTAGES


def test_records_the_broker_refuses_after_all_become_dead_letters(world: World, plan: Plan, writer: Open):
    """A broker takes no records from the future."""
    batch = results(plan, b"a", b"early", b"b", b"earlier")
    future = 4_102_444_800_000
    rows = [row | ({"timestamp": future} if b"earl" in row["value"] else {}) for row in batch.records.to_pylist()]

    write(writer(plan), 0, Results(pa.RecordBatch.from_pylist(rows, schema=RECORD), []))

    letters = world.read(plan.dead_letter_topic)
    assert sorted(letter.value() for letter in letters) == [b"earlier", b"early"]
    said = [dict(letter.headers()) for letter in letters]
    assert said[0]["__streams.errors.node"] == b"counts"
    assert {each["__streams.errors.topic"].decode() for each in said} == set(plan.topics)
    assert sorted(each["__streams.errors.offset"] for each in said) == [b"10", b"8"]
    assert {each["__streams.errors.partition"] for each in said} == {b"1"}
    assert [message.value() for message in world.read(world.name("counts"))] == [b"a", b"b"]


def test_dead_letters_of_a_host_whose_clock_is_a_day_ahead_are_dated_so_that_the_broker_takes_them(
    world: World, plan: Plan, writer: Open, monkeypatch: pytest.MonkeyPatch
):
    now, ahead = time.time_ns(), 86_400_000
    monkeypatch.setattr(time, "time_ns", lambda: now + ahead * 1_000_000)
    batch = results(plan, b"a", b"tick")
    rows = [
        row | ({"timestamp": now // 1_000_000 + ahead} if row["value"] == b"tick" else {})
        for row in batch.records.to_pylist()
    ]

    write(writer(plan), 0, Results(pa.RecordBatch.from_pylist(rows, schema=RECORD), []))

    (letter,) = world.read(plan.dead_letter_topic)
    assert (letter.value(), letter.timestamp()[1]) == (b"tick", now // 1_000_000)
    assert [message.value() for message in world.read(world.name("counts"))] == [b"a"]


class HearsLittle(Writer):
    """Only hears that the state of a transaction is wrong, as if a refusal came while offsets are on their way."""

    def _commit(self, batch: int, producer: RecordProducer) -> Marker:
        try:
            producer.wait_for_delivery()
            return super()._commit(batch, producer)
        except KafkaException as error:
            raise KafkaException(KafkaError(KafkaError._STATE)) from error


def test_refused_records_are_found_though_the_transaction_failed_while_offsets_were_added(
    world: World, plan: Plan, writer: Open
):
    batch = results(plan, b"a", b"early")
    rows = [
        row | ({"timestamp": 4_102_444_800_000} if row["value"] == b"early" else {})
        for row in batch.records.to_pylist()
    ]

    write(writer(plan, HearsLittle), 0, Results(pa.RecordBatch.from_pylist(rows, schema=RECORD), []))

    assert [letter.value() for letter in world.read(plan.dead_letter_topic)] == [b"early"]
    assert [message.value() for message in world.read(world.name("counts"))] == [b"a"]


class Hiccup(Writer):
    """Fails once, in the way of a transaction with a refused record."""

    has_failed = False

    def _commit(self, batch: int, producer: RecordProducer) -> Marker:
        if not self.has_failed:
            self.has_failed = True
            raise KafkaException(KafkaError(KafkaError._STATE))
        return super()._commit(batch, producer)


def test_records_are_sent_one_by_one_only_as_long_as_refused_ones_are_looked_for(
    world: World, plan: Plan, writer: Open
):
    one = writer(plan, Hiccup)
    batches = (b"a", b"b")

    for batch, value in enumerate(batches):
        write(one, batch, results(plan, value))

    assert one.producer is not None
    assert not one.producer.has_callbacks
    assert [message.value() for message in world.read(world.name("counts"))] == [*batches]


def test_a_producer_without_a_transaction_is_not_too_late_with_it(plan: Plan, writer: Open):
    one = writer(plan)
    write(one, 0, results(plan, b"a"))
    assert one.producer is not None
    one.producer.timeout_ms = 0

    assert not one.producer.is_overdue


def writing_to(plan: Plan, topic: str) -> Plan:
    """The plan with its sink on another topic."""
    nodes = [n | {"config": {"topic": topic}} if n["id"] == "counts" else n for n in plan.graph["nodes"]]
    return plan.model_copy(update={"graph": {**plan.graph, "nodes": nodes}})


def test_records_for_a_topic_that_is_gone_become_dead_letters(world: World, plan: Plan, writer: Open):
    one = writer(writing_to(plan, world.name("never-made")))

    write(one, 0, results(plan, b"a"))

    (letter,) = world.read(plan.dead_letter_topic)
    headers = dict(letter.headers())
    assert headers["__streams.errors.exception"].endswith(b"UnknownTopicOrPartitionException")
    assert letter.value() == b"a"


def test_at_least_once_writes_the_marker_after_the_results(world: World, plan: Plan, writer: Open):
    loose = plan.model_copy(update={"settings": plan.settings.model_copy(update={"guarantee": "at_least_once"})})

    write(writer(loose), 0, results(loose, b"a"))
    write(writer(loose), 0, results(loose, b"a"))
    write(writer(loose), 1, results(loose, b"b", key=None))

    assert [message.value() for message in world.read(world.name("counts"))] == [b"a", b"b"]


def on_cluster(plan: Plan, generation: int = 1) -> Plan:
    executors = Executors(name="tests", master="spark://nowhere:7077")
    return plan.model_copy(update={"executors": executors, "generation": generation})


def slot_batch(writer: Writer, batch: int) -> SlotBatch:
    planned(writer.plan, batch)
    found = writer.slot_batch(batch)
    assert found is not None
    return found


def test_a_slot_writes_a_batch_once_whichever_attempt_does(world: World, plan: Plan, writer: Open):
    there = on_cluster(plan)
    batch = slot_batch(writer(there), 0)
    first, second = SlotWriter(make_program(there), 1), SlotWriter(make_program(there), 1)

    first.carry_out(batch, results(there, b"a", b"b"))
    second.carry_out(batch, results(there, b"a", b"b"))
    first.carry_out(batch, results(there, b"a", b"b"))

    assert [message.value() for message in world.read(world.name("counts"))] == [b"a", b"b"]


def test_a_slot_says_what_became_dead_letters(world: World, plan: Plan, writer: Open):
    there = on_cluster(writing_to(plan, world.name("never-made")))
    batch = slot_batch(writer(there), 0)

    counters = orjson.loads(SlotWriter(make_program(there), 0).carry_out(batch, results(there, b"a")).pack)

    assert counters["dead_letters"] == 1
    assert counters["nodes"]["counts"]["errors"] == 1
    assert [letter.value() for letter in world.read(plan.dead_letter_topic)] == [b"a"]


def test_an_attempt_of_an_older_run_does_not_write_once_a_newer_one_has_begun(plan: Plan, writer: Open):
    older = on_cluster(plan)
    batch = slot_batch(writer(older), 0)
    writer(on_cluster(plan, generation=2))

    with pytest.raises(RunFailed) as refusal:
        SlotWriter(make_program(older), 0).carry_out(batch, results(older, b"a"))

    assert refusal.value.code == "run.fenced"


@pytest.mark.parametrize("at_home", [True, False])
def test_a_batch_that_slots_have_begun_is_ended_as_it_was_planned(
    world: World, plan: Plan, writer: Open, at_home: bool
):
    there = on_cluster(plan)
    begun = slot_batch(writer(there), 0)
    SlotWriter(make_program(there), 0).carry_out(begun, results(there, b"a"))
    carried_out(plan, 0)
    planned(plan, 1)

    following = (plan if at_home else there).model_copy(update={"generation": 2})
    again = writer(following)

    checkpoint = Checkpoint(plan.checkpoint)
    assert (checkpoint.find_last_planned(), checkpoint.find_last_committed()) == (0, None)
    assert again.slot_batch(0) == begun
    for slot, value in enumerate((b"a", b"b")):
        SlotWriter(make_program(following), slot).carry_out(begun, results(plan, value))
    carried_out(plan, 0)
    again.write(0, Results.make_none())
    assert [message.value() for message in world.read(world.name("counts"))] == [b"a", b"b"]
    planned(plan, 1)
    assert (again.slot_batch(1) is None) == at_home


def test_a_batch_after_one_that_slots_had_begun_is_planned_again_if_it_fails(plan: Plan, writer: Open):
    """As when a registry is away, and its records have to wait for their schema."""
    there = on_cluster(plan)
    begun = slot_batch(writer(there), 0)
    SlotWriter(make_program(there), 0).carry_out(begun, results(there, b"a"))
    again = writer(following_run := there.model_copy(update={"generation": 2}))
    for slot in range(there.slots):
        SlotWriter(make_program(following_run), slot).carry_out(begun, results(plan, b"a"))
    carried_out(plan, 0)
    again.write(0, Results.make_none())
    planned(plan, 1)

    again.open()

    assert again.half is None
    assert Checkpoint(plan.checkpoint).find_last_planned() == 0


def test_other_settings_do_not_end_a_batch_that_slots_have_begun(plan: Plan, writer: Open):
    there = on_cluster(plan)
    SlotWriter(make_program(there), 0).carry_out(slot_batch(writer(there), 0), results(there, b"a"))

    with pytest.raises(RunFailed) as refusal:
        writer(there.model_copy(update={"settings": there.settings.model_copy(update={"cache": True})}))

    assert refusal.value.code == "marker.mismatch"
    assert "settings that began the batch" in refusal.value.hint


def test_more_memory_does(plan: Plan, writer: Open):
    there = on_cluster(plan)
    SlotWriter(make_program(there), 0).carry_out(slot_batch(writer(there), 0), results(there, b"a"))

    more = there.settings.model_copy(update={"memory_mb": 1_024})

    assert writer(there.model_copy(update={"settings": more})).half == 0
