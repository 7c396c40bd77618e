"""Chunks of rows on their way into a new epoch."""

from itertools import islice

import pytest

from runner.spark.slots import choose_slot_ids, hash_as_spark
from runner.spark.stage.seed_rows import BYTES_IN_A_CHUNK, ROWS_IN_A_CHUNK, cut, find_head_key, make_groups
from runner.spark.state import make_head_key

A, B = (0, 0), (0, 1)


def test_a_chunk_has_rows_of_one_place_and_a_limited_number():
    rows = [(A if number % 3 else B, (b"%d" % number, b"")) for number in range(2 * ROWS_IN_A_CHUNK)]

    chunks = list(cut(rows))

    assert sorted(len(chunk) for _, chunk in chunks) == [6_666, 13_334, ROWS_IN_A_CHUNK]
    assert sorted((place, row) for place, chunk in chunks for row in chunk) == sorted(rows)


def test_a_chunk_of_large_rows_has_few():
    large = bytes(BYTES_IN_A_CHUNK // 3)

    chunks = list(cut((A, (b"%d" % number, large)) for number in range(7)))

    assert [len(chunk) for _, chunk in chunks] == [3, 3, 1]


@pytest.mark.parametrize("slots", [1, 3, 8])
def test_groups_go_to_the_partition_of_their_slot_before_its_records(slots: int):
    for partition, slot in enumerate(choose_slot_ids(slots)):
        groups = list(islice(make_groups(head_key := make_head_key(slot, 5), slots), 20))

        assert len(set(groups)) == 20
        assert all(group < 0 and hash_as_spark(group) % slots == partition for group in groups)
        assert {find_head_key(group) for group in groups} == {head_key}
