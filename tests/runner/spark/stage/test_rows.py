import random

import numpy as np
import pyarrow as pa
import pytest

from runner import kernel
from runner.engine.records.merge import merge
from runner.engine.records.record import PARTITIONS
from runner.spark.murmur2 import hash_keys
from runner.spark.slots import choose_slot_ids, hash_as_spark
from runner.spark.stage.outbox import find_slots, find_tasks
from runner.spark.stage.rows import (
    IN_PARTS,
    RECORD,
    make_engine_rows,
    pack_records,
    sort_records,
    unpack_in_parts,
    unpack_records,
)


@pytest.fixture(params=["kernel", "numpy"])
def hasher(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "numpy":
        monkeypatch.setenv(kernel.SWITCH, "off")


@pytest.mark.usefixtures("hasher")
def test_keys_hash_as_kafka_hashes_them():
    """The expected numbers are those of Kafka's own UtilsTest.testMurmur2."""
    keys = [b"21", b"foobar", b"a-little-bit-long-string", b"a-little-bit-longer-string", b"abc"]
    expected = [-973932308, -790332482, -985981536, -1486304829, 479470107]

    hashed = hash_keys(pa.array(keys, pa.binary()))

    assert hashed.tolist() == [number & 0x7FFFFFFF for number in expected]


@pytest.mark.usefixtures("hasher")
def test_a_slice_of_a_column_hashes_like_its_elements_alone():
    keys = [random.Random(7).randbytes(length % 23) for length in range(200)]
    column = pa.array(keys, pa.binary())

    hashed = hash_keys(column[50:150])

    assert hashed.tolist() == [hash_keys(pa.array([key], pa.binary()))[0] for key in keys[50:150]]


@pytest.mark.usefixtures("hasher")
def test_an_empty_column_has_no_hashes():
    assert hash_keys(pa.array([], pa.binary())).tolist() == []


@pytest.mark.usefixtures("hasher")
def test_a_null_key_stays_with_the_partition_it_came_from():
    keys = pa.array([None, b"21", None], pa.binary())
    origins = np.array([3, 3, 2 * PARTITIONS + 5], np.int32)

    tasks = find_tasks(keys, origins, 4)

    assert tasks.tolist() == [3, (-973932308 & 0x7FFFFFFF) % 4, 1]


def test_no_two_slots_share_a_partition_of_spark():
    for slots in (1, 2, 3, 4, 8, 200):
        ids = choose_slot_ids(slots)

        assert [hash_as_spark(number) % slots for number in ids] == list(range(slots))


def test_every_task_has_one_slot():
    ids = choose_slot_ids(3)

    assert find_slots(np.arange(7), ids).tolist() == [ids[task % 3] for task in range(7)]


def records(count: int, seed: int) -> pa.RecordBatch:
    chance = random.Random(seed)
    rows = [
        {
            "target": chance.randrange(3),
            "task": 0,
            "origin": (origin := chance.randrange(3)),
            "seq": seq,
            "timestamp": chance.randrange(20),
            "key": None if seq % 7 == 0 else b"k%d" % seq,
            "value": b"v%d" % seq,
            "headers": None if seq % 5 else '[{"key":"h","value":"eA=="}]',
            "input": origin,
            "offset": seq,
        }
        for seq in range(count)
    ]
    return pa.RecordBatch.from_pylist(rows, schema=RECORD)


def test_the_processing_order_is_that_of_the_engine_whatever_order_rows_come_in():
    for seed in range(30):
        batch = records(60, seed)
        expected = list(merge(make_engine_rows(batch)))
        shuffled = batch.take(pa.array(random.Random(seed + 1).sample(range(60), 60)))

        assert list(make_engine_rows(sort_records(shuffled))) == expected


def test_records_come_out_of_packs_as_they_went_in():
    batch = records(50, 1)

    found = unpack_records([pack_records(batch.slice(0, 20)), pack_records(batch.slice(20))])

    assert found.equals(batch)


def test_packs_are_unpacked_together_until_they_are_enough():
    small, large = records(10, 1), records(IN_PARTS, 2)
    packs = [pack_records(batch) for batch in (small, small, large, small)]

    parts = [*unpack_in_parts(packs)]

    assert [part.num_rows for part in parts] == [IN_PARTS + 20, 10]
    assert pa.concat_batches(parts).equals(unpack_records(packs))


def test_no_packs_are_no_records():
    assert unpack_records([]).num_rows == 0
