"""Records pass between Kafka and columns as they do through confluent-kafka's messages."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from typing import Any

import pyarrow as pa
import pytest
from confluent_kafka import KafkaError, KafkaException

from runner import kernel
from runner.spark import librdkafka
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
    return [(each.partition, *record) for each, records in found for record in zip(*records, strict=True)]


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


def test_a_broker_that_is_away_does_not_end_the_process_of_a_reader() -> None:
    script = (
        "from runner.spark.source import reading\n"
        "reading.SILENCE_SECONDS = 1.0\n"
        "try:\n"
        "    list(reading.read({'bootstrap.servers': '127.0.0.1:1'}, [reading.Range(0, 'orders', 0, 0, 1)]))\n"
        "except Exception as error:\n"
        "    print(type(error).__name__)\n"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() != ""


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
