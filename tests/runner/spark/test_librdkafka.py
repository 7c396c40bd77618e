"""Records pass between Kafka and columns as they do through confluent-kafka's messages."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from typing import Any

import pyarrow as pa
import pytest
from confluent_kafka import KafkaError, KafkaException, Producer

from runner import kernel
from runner.spark import librdkafka
from runner.spark.columns import ArrowRecords
from runner.spark.sink.producer import RecordProducer
from runner.spark.source.reading import Range, read
from runner.spark.stage.rows import RECORD
from tests.runner.spark.runs import World, counting

RECORDS = [
    (b"a", b"1", 1_000),
    (None, b"no key", 2_000, [("h", b"1"), ("h", None), ("n\u00e4me", b"\xff\x00")]),
    (b"", b"", 3_000),
    (b"gone", None, 4_000, [("empty", b"")]),
    (b"\xff\x00", b"x" * 100_000, 5_000),
]


@pytest.fixture(params=["kernel", "messages"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "messages":
        monkeypatch.setenv(kernel.SWITCH, "off")
    return str(request.param)


def read_all(world: World, ranges: list[Range]) -> list[tuple[Any, ...]]:
    found = [(each, records) for each, records in read({"bootstrap.servers": world.servers}, ranges)]
    return [(each.partition, *record) for each, records in found for record in zip(*records.lists, strict=True)]


def test_the_pinned_confluent_kafka_is_known():
    assert version("confluent-kafka") in librdkafka.KNOWN


def test_records_are_read_to_the_ends_of_ranges(world: World, way: str):
    topic = world.topic("read", 1)
    world.produce(topic, RECORDS * 2)

    found = read_all(world, [Range(0, topic, 0, 1, 7)])

    assert [offset for _, offset, *_ in found] == [1, 2, 3, 4, 5, 6]
    assert [(key, value, time) for _, _, time, key, value, _ in found[:5]] == [
        (key, value, time) for key, value, time, *_ in [*RECORDS[1:], RECORDS[0]]
    ]
    assert [headers for *_, headers in found[:4]] == [
        '[{"key":"h","value":"MQ=="},{"key":"h","value":null},{"key":"n\u00e4me","value":"/wA="}]',
        None,
        '[{"key":"empty","value":""}]',
        None,
    ]


def test_the_kernel_gives_columns_and_messages_give_lists(world: World, way: str):
    topic = world.topic("read", 2)
    world.produce(topic, RECORDS)

    found = [records for _, records in read({"bootstrap.servers": world.servers}, [Range(0, topic, 0, 0, 1)])]

    assert all(isinstance(records, ArrowRecords) == (way == "kernel") for records in found)


@pytest.mark.usefixtures("way")
def test_a_range_may_end_with_the_marker_of_a_transaction(world: World):
    topic = world.topic("written", 1)
    producer = Producer({"bootstrap.servers": world.servers, "transactional.id": f"writer-{world.tag}"})
    producer.init_transactions(30)
    for ends in (producer.commit_transaction, producer.abort_transaction, producer.commit_transaction):
        producer.begin_transaction()
        producer.produce(topic, ends.__name__)
        assert producer.flush(30) == 0  # an aborted record is not even sent otherwise
        ends(30)

    found = read_all(world, [Range(0, topic, 0, 0, 6)])

    assert [(offset, value) for _, offset, _, _, value, _ in found] == [
        (0, b"commit_transaction"),
        (4, b"commit_transaction"),
    ]


@pytest.mark.usefixtures("way")
def test_a_consumer_reads_the_same_partitions_again_from_elsewhere(world: World):
    topic = world.topic("read", 2)
    world.produce(topic, [(f"key {number}", str(number).encode(), 1_000) for number in range(400)])
    ends = world.cluster.end_offsets([world.cluster.topic(topic)])[topic]

    for start in (0, 7, 3):
        ranges = [Range(0, topic, partition, start, end) for partition, end in enumerate(ends)]
        found = read_all(world, ranges)

        for partition, end in enumerate(ends):
            assert [offset for each, offset, *_ in found if each == partition] == list(range(start, end))


def read_elsewhere(servers: str, topic: str) -> subprocess.CompletedProcess[str]:
    """Asks a process for a record that does not come."""
    script = (
        "from runner.spark.source import reading\n"
        "reading.SILENCE_SECONDS = 1.0\n"
        "try:\n"
        f"    list(reading.read({{'bootstrap.servers': {servers!r}}}, [reading.Range(0, {topic!r}, 0, 0, 1)]))\n"
        "except Exception as error:\n"
        "    print(type(error).__name__)\n"
    )
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)


@pytest.mark.usefixtures("way")
def test_a_broker_that_is_away_does_not_end_the_process_of_a_reader() -> None:
    done = read_elsewhere("127.0.0.1:1", "orders")

    assert (done.returncode, done.stdout.strip()) == (0, "RunFailed"), done.stderr


@pytest.mark.usefixtures("way")
def test_a_topic_that_is_gone_does_not_end_the_process_of_a_reader(world: World) -> None:
    done = read_elsewhere(world.servers, world.name("gone"))

    assert (done.returncode, done.stdout.strip()) == (0, "RunFailed"), done.stderr


def make_records(rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
    numbers = {"target": 0, "task": 0, "origin": 0, "seq": 0, "input": 0, "offset": 0, "headers": None}
    return pa.RecordBatch.from_pylist(
        [{**numbers, "key": key, "value": value, "timestamp": at} for key, value, at, *_ in rows], schema=RECORD
    )


def test_records_are_written_with_keys_values_and_times(world: World, way: str):
    topic = world.topic("written", 1)
    producer = RecordProducer(world.plan(counting(topic, topic), [topic]), {})

    producer.begin()
    producer.send(topic, make_records([(b"before", b"", 9), *RECORDS]).slice(1))
    producer.flush()
    producer.commit()
    producer.close()

    found = read_all(world, [Range(0, topic, 0, 0, len(RECORDS))])
    assert [(key, value, time) for _, _, time, key, value, _ in found] == [
        (key, value, time) for key, value, time, *_ in RECORDS
    ]


def test_a_record_that_is_too_large_is_refused_before_the_broker(world: World, way: str):
    topic = world.topic("written", 1)
    producer = RecordProducer(world.plan(counting(topic, topic), [topic]), {topic: 2_000})

    producer.begin()
    with pytest.raises(KafkaException) as refused:
        producer.send(topic, make_records([(b"a", b"x" * 5_000, 1)]))

    producer.close()
    assert refused.value.args[0].code() == KafkaError.MSG_SIZE_TOO_LARGE
