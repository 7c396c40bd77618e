"""Rows after shuffles, in the order of Kafka Streams' own test driver."""

from __future__ import annotations

from runner.engine.queues import PartitionGroup
from runner.engine.records.record import Row


def row(target: int, timestamp: int) -> Row:
    return (target, None, None, timestamp, None, 0, 0)


def taken(group: PartitionGroup) -> list[tuple[int, int]]:
    found = []
    while (each := group.take()) is not None:
        found.append((each[0], each[3]))
    return found


def test_the_queue_whose_head_has_the_lowest_time_goes_first() -> None:
    group = PartitionGroup(frozenset())
    for each in (row(1, 5), row(2, 3), row(2, 9), row(3, 4)):
        group.add(each)

    assert taken(group) == [(2, 3), (3, 4), (1, 5), (2, 9)]


def test_of_equal_heads_the_order_is_that_of_javas_priority_queue() -> None:
    group = PartitionGroup(frozenset())
    for target in (1, 2, 3, 4):
        group.add(row(target, 0))

    assert [target for target, _ in taken(group)] == [1, 4, 3, 2]


def test_what_must_be_heard_at_once_goes_before_all_else() -> None:
    group = PartitionGroup(frozenset({7}))
    for each in (row(1, 0), row(7, 9)):
        group.add(each)

    assert taken(group) == [(7, 9), (1, 0)]
