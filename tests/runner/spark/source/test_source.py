"""What a batch reads, and that it is read whole: real topics, without Spark."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest
from confluent_kafka import Producer

from runner.plan import TopicFacts
from runner.spark.ends import FIRST, TICK_MS, find_batch_end, limit_ends
from runner.spark.failures import RunFailed
from runner.spark.program import without_secrets
from runner.spark.source import quiet, reading
from runner.spark.source.prefetch import MAX_BYTES
from runner.spark.source.reading import Range, read
from runner.spark.source.source import (
    NEW_PARTITIONS_SECONDS,
    SHARE,
    KafkaReader,
    Limits,
    Reading,
    ReadTopic,
    choose_limits,
    distribute,
)
from runner.spark.stage.rows import unpack_records
from tests.patience import PATIENCE_SECONDS, wait_until
from tests.runner.spark.runs import World, counting, filtered

Read = Callable[[Iterable[Range]], dict[int, list[int]]]


@pytest.fixture
def offsets_of(world: World) -> Read:
    """The offsets that come of ranges, by partition."""

    def found(ranges: Iterable[Range]) -> dict[int, list[int]]:
        came: dict[int, list[int]] = {}
        for each, records in read({"bootstrap.servers": world.servers}, list(ranges)):
            came.setdefault(each.partition, []).extend(records.lists.offsets)
        return came

    return found


def reader(
    world: World,
    topic: str,
    limit: int | None = None,
    *,
    ticks: Sequence[int] = (),
    idles: Sequence[int] = (),
    called_once: Sequence[int] = (),
    bytes_per_batch: int = 1 << 30,
    look_ms: int | None = None,
) -> KafkaReader:
    found = world.cluster.topic(topic)
    reading = Reading(
        kafka={"bootstrap.servers": world.servers},
        facts={topic: TopicFacts(id=found.id, partitions=2, start=[-2, -2])},
        topics=[ReadTopic(input=0, group="streams", topic=topic)],
        limits={"streams": limit},
        bytes_per_batch=bytes_per_batch,
        slots=2,
        ticks=list(ticks),
        idles=list(idles),
        called_once=list(called_once),
        look_ms=look_ms,
    )
    return KafkaReader(reading, b"")


def prefetching(world: World, topic: str, *, called_once: Sequence[int] = ()) -> KafkaReader:
    """The reader of a run that counts the topic, as Spark's driver makes it."""
    made = reader(world, topic, called_once=called_once)
    plan = world.plan(counting(topic, topic), [topic])
    return KafkaReader(made.reading.model_copy(update={"prefetches": True}), without_secrets(plan))


def records_of(packs: Iterable[pa.RecordBatch] | None) -> list[tuple[int, int, int]]:
    """Partition, offset and timestamp of all records of packs."""
    assert packs is not None
    rows = [row for each in packs for row in each.to_pylist() if row["depth"] > 0]
    records = unpack_records(row["pack"] for row in rows)
    return sorted(zip(*(records.column(name).to_pylist() for name in ("origin", "offset", "timestamp")), strict=True))


def test_a_batch_takes_a_share_of_each_partition_by_its_backlog():
    starts, ends = {"a": [0, 10], "b": [5]}, {"a": [100, 310], "b": [5]}

    assert find_batch_end(starts, ends, 40) == {"a": [10, 40], "b": [5]}
    assert find_batch_end(starts, ends, 400) == find_batch_end(starts, ends, None) == ends
    assert find_batch_end(starts, ends, 0) == starts


def test_a_new_partition_is_read_from_its_start():
    assert find_batch_end({"a": [10]}, {"a": [10, 4]}, 2) == {"a": [10, 2]}


def test_a_batch_ends_where_results_are_written_again():
    until, ends = {"a": [5, 5], "b": [2]}, {"a": [9, 9, 9], "b": [7], "names": [4]}

    assert limit_ends(until, {"time": 1, "streams": {"a": [5, 4], "b": [2]}}, ends) == {
        "a": [5, 5, 0],
        "b": [2],
        "names": [4],
    }
    assert limit_ends(until, {"time": 1, "streams": {"a": [5, 5], "b": [2]}}, ends) == ends
    assert limit_ends({}, {"time": 1, "streams": {"a": [0, 0]}}, ends) == ends


def test_batches_that_are_carried_out_again_end_where_they_ended(world: World):
    topic = world.topic("orders")
    again = [{"time": 10 * n, "streams": {topic: [n, n]}} for n in (1, 2)]
    made = reader(world, topic)
    made.reading = made.reading.model_copy(update={"again": again})

    first = made.latestOffset({"time": 0, "streams": {topic: [0, 0]}}, None)
    second = made.latestOffset(first, None)

    assert [first, second] == again
    assert made.latestOffset(second, None)["streams"] == again[-1]["streams"]


def test_streams_wait_for_a_global_table_that_is_larger_than_a_batch(world: World):
    table, orders = world.topic("table"), world.topic("orders")
    world.produce(table, [(f"k{n}", "x" * 2_000, 1) for n in range(1_000)])
    world.produce(orders, [(f"k{n}", "{}", 1) for n in range(10)])
    of_orders, facts = reader(world, orders, 5_000, bytes_per_batch=1_500_000), reader(world, table).reading.facts
    reading = of_orders.reading.model_copy(
        update={
            "topics": [*of_orders.reading.topics, ReadTopic(input=1, group="first", topic=table)],
            "facts": of_orders.reading.facts | facts,
            "limits": {"first": None, "streams": 5_000},
        }
    )
    made = KafkaReader(reading, b"")

    ends = [made.initialOffset()]
    for _ in range(2):
        ends.append(made.latestOffset(ends[-1], None))

    assert [sum(end["streams"][orders]) for end in ends] == [0, 0, 10]
    assert 500 < sum(ends[1]["first"][table]) < 1_000 == sum(ends[2]["first"][table])
    assert ends[1]["is_cut"] and "is_cut" not in ends[2]


def test_a_batch_of_large_records_takes_fewer_of_them(world: World):
    topic = world.topic("orders")
    world.produce(topic, [(f"k{n}", "v" * 10_000, n) for n in range(1_000)])
    ends = world.cluster.end_offsets([world.cluster.topic(topic)])[topic]
    made = reader(world, topic, 5_000, idles=[1], bytes_per_batch=1_000_000)
    start = {"time": 0, "streams": {topic: [0, 0]}}

    batches = list(batches_of(made, start))

    counts = [sum(end["streams"][topic]) - sum(at["streams"][topic]) for at, end in pairwise([start, *batches])]
    assert all(90 <= count <= 110 for count in counts[:-1]), counts
    assert batches[-1]["streams"][topic] == ends
    assert [each.get("is_cut", False) for each in batches] == [*[True] * (len(batches) - 1), False]


def test_a_batch_that_leaves_large_records_has_not_read_all_also_when_it_is_done_again(world: World):
    topic = world.topic("orders")
    world.produce(topic, [(f"k{n}", "v" * 10_000, n) for n in range(1_000)])
    start = {"time": 0, "streams": {topic: [0, 0]}}
    end = reader(world, topic, 5_000, idles=[1], bytes_per_batch=1_000_000).latestOffset(start, None)

    again = reader(world, topic, 5_000, idles=[1], bytes_per_batch=1_000_000)

    assert {call for share in again.partitions(start, end) for call in share.calls} == set()


def test_tables_that_load_first_take_several_batches_if_their_rows_are_large(world: World):
    topic = world.topic("names")
    world.produce(topic, [(f"k{n}", "v" * 10_000, n) for n in range(400)])
    made = reader(world, topic, bytes_per_batch=1_000_000)
    first = {"topics": [ReadTopic(input=0, group="first", topic=topic)], "limits": {"first": None, "streams": 0}}
    made = KafkaReader(made.reading.model_copy(update=first), b"")

    end = made.latestOffset({"time": 0, "first": {topic: [0, 0]}}, None)

    assert 90 <= sum(end["first"][topic]) <= 110


def batches_of(made: KafkaReader, start: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The ends of batches until one takes nothing."""
    while (end := made.latestOffset(start, None))["streams"] != start["streams"]:
        made.partitions(start, end)
        yield end
        start = end


def test_few_records_are_one_task_and_many_are_spread():
    few = [Range(0, "a", n, 0, 10) for n in range(8)]
    many = [Range(0, "a", n, 0, SHARE * (n + 1)) for n in range(8)]

    assert [len(each) for each in distribute(few, 4)] == [8]
    shares = distribute(many, 4)
    assert sorted(each for share in shares for each in share) == many
    assert {sum(each.end - each.start for each in share) for share in shares} == {SHARE * 9}
    assert distribute([], 4) == []


def test_ranges_come_whole_and_in_order(world: World, offsets_of: Read):
    topic = world.topic("records", 2)
    world.produce(topic, [(f"k{n}", "v", n) for n in range(500)])
    ends = world.cluster.end_offsets([world.cluster.topic(topic)])[topic]
    cuts = [end // 3 for end in ends]

    first = offsets_of(Range(0, topic, number, 0, cut) for number, cut in enumerate(cuts))
    rest = offsets_of(Range(0, topic, number, *pair) for number, pair in enumerate(zip(cuts, ends, strict=True)))

    assert {number: first[number] + rest[number] for number in first} == {n: list(range(e)) for n, e in enumerate(ends)}


def test_one_topic_may_feed_two_inputs(world: World):
    topic = world.topic("records", 1)
    world.produce(topic, [("k", "v", n) for n in range(10)])
    ranges = [Range(0, topic, 0, 0, 10), Range(1, topic, 0, 4, 6)]

    found = {
        (each.input, offset)
        for each, records in read({"bootstrap.servers": world.servers}, ranges)
        for offset in records.lists.offsets
    }

    assert found == {(0, n) for n in range(10)} | {(1, 4), (1, 5)}


def test_a_range_may_end_with_marks_and_aborted_records(world: World, offsets_of: Read):
    topic = world.topic("records", 1)
    producer = Producer({"bootstrap.servers": world.servers, "transactional.id": world.name("writer")})
    producer.init_transactions(10)
    for commits in (True, False):
        producer.begin_transaction()
        producer.produce(topic, b"v", b"k")
        producer.flush(10)
        producer.commit_transaction(10) if commits else producer.abort_transaction(10)
    (end,) = world.settled_ends(topic)

    assert end == 4
    assert offsets_of([Range(0, topic, 0, 0, end)]) == {0: [0]}


def test_records_that_are_gone_end_the_run(world: World, offsets_of: Read):
    topic = world.topic("records", 1)
    world.produce(topic, [("k", "v", n) for n in range(10)])
    world.delete_records(topic, 5)

    with pytest.raises(
        RunFailed, match=f"offset 2 of partition 0 of topic {topic}, which begins with offset 5 now"
    ) as raised:
        offsets_of([Range(0, topic, 0, 2, 10)])
    assert (raised.value.code, raised.value.retriable) == ("offsets.lost", False)


def test_a_broker_that_is_silent_is_tried_again(world: World, offsets_of: Read, monkeypatch: pytest.MonkeyPatch):
    topic = world.topic("records", 1)
    world.produce(topic, [("k", "v", n) for n in range(10)])
    monkeypatch.setattr(reading, "SILENCE_SECONDS", 1.0)

    with pytest.raises(RunFailed, match="did not answer") as raised:
        offsets_of([Range(0, topic, 0, 0, 11)])
    assert (raised.value.code, raised.value.retriable) == ("kafka.unreachable", True)


def test_a_range_that_is_read_again_is_the_same_whatever_was_fetched_ahead(world: World, offsets_of: Read):
    topic = world.topic("records", 1)
    world.produce(topic, [("k", "v" * 100, n) for n in range(20_000)])

    for start, end in [(0, 100), (0, 100), (5_000, 5_100), (100, 5_000), (90, 110), (0, 20_000), (0, 10)] * 3:
        assert offsets_of([Range(0, topic, 0, start, end)]) == {0: list(range(start, end))}


def test_headers_and_nulls_come_as_they_are(world: World):
    topic = world.topic("records", 1)
    world.produce(topic, [(None, None, 7, [("a", b"\xff"), ("a", None)]), ("k", "v", 8)])

    ((_, records),) = read({"bootstrap.servers": world.servers}, [Range(0, topic, 0, 0, 2)])

    assert list(zip(*records, strict=True)) == [
        (0, 7, None, None, '[{"key":"a","value":"/w=="},{"key":"a","value":null}]'),
        (1, 8, b"k", b"v", None),
    ]


def test_nothing_new_is_no_batch(world: World):
    topic = world.topic("records", 2)
    source = reader(world, topic)
    start = source.initialOffset()
    source.latestOffset(start, None)
    started = int(time.monotonic() * 1_000)
    assert source.latestOffset(start, None) == start
    world.produce(topic, [("k", "v", 1)])

    end = source.latestOffset(start, None)

    assert sum(start["streams"][topic]) == 0
    assert sum(end["streams"][topic]) == 1
    assert end["time"] > start["time"]
    assert source.latestOffset(end, None) == end
    shares = source.partitions(start, end)
    assert [each.ranges for each in shares] == [
        [Range(0, topic, each, 0, 1)] for each in (0, 1) if end["streams"][topic][each]
    ]
    looked_at = time.monotonic() * 1_000
    assert [started <= each.since <= looked_at for each in shares if each.since] == [True]


def test_a_quiet_source_waits_for_a_record_before_it_answers(world: World, monkeypatch: pytest.MonkeyPatch):
    topic = world.topic("orders", 2)
    source = reader(world, topic, look_ms=20)
    start = source.initialOffset()
    monkeypatch.setattr(quiet, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(quiet, "WAIT_SECONDS", PATIENCE_SECONDS)
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(source.latestOffset, start, None)
        wait_until(lambda: len(source.looks.looks) == 2)
        quiet_until = source.looks.looks[-1].at
        wait_until(lambda: source.looks.looks[-1].at > quiet_until)
        assert not answer.done()

        world.produce(topic, [("k", "v", 1)])

        assert answer.result(PATIENCE_SECONDS) == start
    end = source.latestOffset(start, None)
    assert sum(end["streams"][topic]) == 1
    (share,) = [each for each in source.partitions(start, end) if each.ranges]
    assert share.since is not None and share.since > quiet_until


def test_a_quiet_source_answers_when_a_punctuator_is_due(world: World, monkeypatch: pytest.MonkeyPatch):
    source = reader(world, world.topic("orders", 2), ticks=[1], look_ms=20)
    monkeypatch.setattr(quiet, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(quiet, "WAIT_SECONDS", PATIENCE_SECONDS)
    end = source.latestOffset(source.initialOffset(), None)

    assert source.latestOffset(end, None) == end
    wait_until(lambda: source.latestOffset(end, None)["time"] >= end["time"] + TICK_MS)


def test_a_small_batch_is_read_while_spark_plans_it(world: World):
    topic = world.topic("orders", 2)
    source = prefetching(world, topic)
    start = source.initialOffset()
    world.produce(topic, [(f"c{n}", '{"city": "a"}', n) for n in range(100)])
    end = source.latestOffset(start, None)

    (share,) = source.partitions(start, end)

    prefetched, read_by_a_task = (records_of(packs) for packs in (source.getCache(start, end), source.read(share)))
    assert len(prefetched) == 100
    assert prefetched == read_by_a_task


def test_a_batch_that_calls_a_stage_is_prefetched_with_the_call(world: World):
    topic = world.topic("orders", 2)
    source = prefetching(world, topic, called_once=[1])
    start = source.initialOffset()

    end = source.latestOffset(start, None)

    assert [(each.calls, each.ranges) for each in source.partitions(start, end)] == [([1], [])]
    packs = source.getCache(start, end)
    assert packs is not None
    assert [depth for each in packs for depth in each.column("depth").to_pylist()] == [1, 1]


def test_tasks_read_a_batch_that_was_planned_before_a_restart(world: World):
    topic = world.topic("orders", 2)
    before = prefetching(world, topic)
    start = before.initialOffset()
    world.produce(topic, [("c1", '{"city": "a"}', 1)])
    end = before.latestOffset(start, None)
    before.partitions(start, end)  # it has read the batch, and this process has one consumer
    restarted = prefetching(world, topic)

    (share,) = restarted.partitions(start, end)

    assert restarted.getCache(start, end) is None
    assert len(records_of(restarted.read(share))) == 1


def test_tasks_read_batches_of_large_records(world: World):
    topic = world.topic("orders", 2)
    source = prefetching(world, topic)
    offsets = [source.initialOffset()]
    for size in (MAX_BYTES // 8, 1):
        world.produce(topic, [("c1", json.dumps({"city": "a" * size}), n) for n in range(10)])
        offsets.append(source.latestOffset(offsets[-1], None))
        (share,) = source.partitions(*offsets[-2:])

        assert source.getCache(*offsets[-2:]) is None
        assert len(records_of(source.read(share))) == 10


def test_a_batch_that_cannot_be_processed_fails_in_its_tasks(world: World):
    topic = world.topic("orders", 2)
    plan = world.plan(filtered(topic, topic), [topic], deserialization="fail")
    source = KafkaReader(prefetching(world, topic).reading, without_secrets(plan))
    start = source.initialOffset()
    world.produce(topic, [("c1", "{not json", 1)])
    end = source.latestOffset(start, None)

    (share,) = source.partitions(start, end)

    assert source.getCache(start, end) is None
    with pytest.raises(RuntimeError, match=r"record\.failed"):
        list(source.read(share))


def test_a_run_after_a_lack_of_memory_reads_parts(world: World):
    topic = world.topic("records", 2)
    plan = world.plan(filtered(topic, topic), [topic], records_per_batch=100)

    assert choose_limits(plan.model_copy(update={"batch_divisor": 16})) == Limits(6, 6)
    assert choose_limits(plan.model_copy(update={"batch_divisor": 256})) == Limits(1, 1)


def test_the_first_batch_is_small(world: World):
    topic = world.topic("records", 2)
    world.produce(topic, [(f"k{n}", "v", n) for n in range(FIRST + 2_000)])
    source = reader(world, topic, limit=1_000_000)

    first = source.latestOffset(source.initialOffset(), None)
    second = source.latestOffset(first, None)

    assert FIRST <= sum(first["streams"][topic]) <= FIRST + 2
    assert sum(second["streams"][topic]) == FIRST + 2_000


def test_a_batch_says_what_it_leaves_unread(world: World):
    topic = world.topic("records", 2)
    world.produce(topic, [(None, "v", 1_000)] * 30)
    source = reader(world, topic, limit=20)
    start = source.initialOffset()

    first = source.latestOffset(start, None)
    unread = [each.unread for each in source.partitions(start, first)]
    second = source.latestOffset(first, None)

    assert unread == [{topic: 30 - sum(first["streams"][topic])}]
    assert [each.unread for each in source.partitions(first, second)] == [{}]
    assert [each.unread for each in reader(world, topic).partitions(first, second)] == [None]  # after a restart


def test_a_second_is_a_batch_where_punctuators_wait(world: World):
    topic = world.topic("records", 2)
    source = reader(world, topic, ticks=[2])
    start = source.initialOffset()

    first = source.latestOffset(start, None)
    second = source.latestOffset(first, None)

    assert first["time"] > start["time"]
    assert second == first
    assert [(each.calls, each.ranges) for each in source.partitions(start, first)] == [([2], [])]


def test_tasks_may_be_idle_only_in_batches_that_read_all_there_is(world: World):
    topic = world.topic("records", 2)
    world.produce(topic, [(None, "v", 1_000)] * 30)
    source = reader(world, topic, limit=20, idles=[2])
    start = source.initialOffset()

    first = source.latestOffset(start, None)
    second = source.latestOffset(first, None)

    for _ in range(2):  # Spark may plan a batch again
        assert [each.idle for each in source.partitions(start, first) if not each.ranges] == []
        assert [each.idle for each in source.partitions(first, second) if not each.ranges] == [[2]]


@pytest.mark.parametrize("held", [True, False])
def test_tasks_are_idle_in_a_batch_that_is_done_again_if_they_were(world: World, held: bool):
    """A run reads smaller batches after failures and holds records back without their schema, the next may not."""
    topic = world.topic("records", 2)
    world.produce(topic, [(None, "v", 1_000)] * 30)
    before, again = (
        reader(world, topic, limit=100 if held else 20, idles=[2]),
        reader(world, topic, limit=100, idles=[2]),
    )
    if held:
        before.reading = before.reading.model_copy(update={"held": {topic: {0: 5}}})
    start = before.initialOffset()

    end = json.loads(json.dumps(before.latestOffset(start, None)))

    assert [each.idle for made in (before, again) for each in made.partitions(start, end) if not each.ranges] == []


def test_the_first_batch_of_a_life_begins_without_records_where_tables_are_asked(world: World):
    topic = world.topic("records", 2)
    source = reader(world, topic, called_once=[1, 2])
    start = source.initialOffset()

    first = source.latestOffset(start, None)

    assert first["time"] > start["time"]
    for _ in range(2):  # Spark may plan a batch again
        assert [(each.calls, each.ranges) for each in source.partitions(start, first)] == [([1, 2], [])]
    assert source.latestOffset(first, None) == first


def test_tables_are_called_once(world: World):
    topic = world.topic("records", 2)
    source = reader(world, topic, called_once=[1])
    first = source.latestOffset(source.initialOffset(), None)
    source.partitions(source.initialOffset(), first)
    world.produce(topic, [("k", "v", 1)])

    second = source.latestOffset(first, None)

    assert [each.calls for each in source.partitions(first, second)] == [()]


def test_an_end_that_goes_back_for_a_moment_is_no_loss():
    assert find_batch_end({"a": [7, 3]}, {"a": [5, 4]}, None) == {"a": [7, 4]}


def test_a_topic_that_is_deleted_ends_the_run(world: World):
    topic = world.topic("records", 2)
    source = reader(world, topic)
    start = source.initialOffset()

    world.cluster.delete(topic)
    while world.cluster.find([topic]):
        time.sleep(0.05)

    with pytest.raises(RuntimeError, match=rf"topic\.missing.*{topic}"):
        wait_until(lambda: source.latestOffset(start, None) != start)  # its leader may still answer for a moment


def test_a_topic_that_is_made_again_ends_the_run(world: World, monkeypatch: pytest.MonkeyPatch):
    topic = world.topic("records", 2)
    source = reader(world, topic)
    start = source.initialOffset()
    before = world.cluster.topic(topic).id
    world.cluster.delete(topic)
    monkeypatch.setattr(source, "looked_at", -NEW_PARTITIONS_SECONDS)
    # a broker shows a deleted topic for a while
    while (made := world.cluster.find([topic]).get(topic)) is None or made.id == before:
        world.topic("records", 2)

    with pytest.raises(RuntimeError, match=r"topic\.recreated"):
        source.latestOffset(start, None)
