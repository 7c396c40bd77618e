import random

from runner.engine.records.merge import merge
from runner.engine.records.record import Row


def row(target: int, origin: int, seq: int, timestamp: int) -> Row:
    return (target, b"key", b"value", timestamp, None, origin, seq)


def test_rows_of_one_partition_go_by_offset_whatever_their_times():
    rows = [row(0, 0, 2, 5), row(0, 0, 0, 9), row(0, 0, 1, 1)]

    assert [each[6] for each in merge(rows)] == [0, 1, 2]


def test_across_partitions_the_lowest_head_goes_first():
    first = [row(0, 0, 0, 10), row(0, 0, 1, 30)]
    second = [row(1, 0, 0, 20), row(1, 0, 1, 5)]

    assert list(merge(first + second)) == [first[0], second[0], second[1], first[1]]


def test_heads_of_one_time_go_by_target_then_origin():
    rows = [row(1, 0, 0, 7), row(0, 1, 0, 7), row(0, 0, 0, 7)]

    assert [(each[0], each[5]) for each in merge(rows)] == [(0, 0), (0, 1), (1, 0)]


def test_the_order_is_that_of_taking_the_lowest_head_again_and_again():
    chance = random.Random(2)
    for _ in range(200):
        queues = [[row(p, 0, s, chance.randrange(8)) for s in range(chance.randrange(1, 6))] for p in range(3)]
        rows = [each for queue in queues for each in queue]

        merged = merge(rows)

        taken = []
        while queues := [queue for queue in queues if queue]:
            taken.append(min(queues, key=lambda queue: queue[0][3]).pop(0))
        assert merged == taken


def test_no_rows_are_no_rows():
    assert list(merge([])) == []


def test_any_order_of_rows_gives_the_same_order():
    chance = random.Random(1)
    rows = [row(t, o, s, chance.randrange(50)) for t in range(3) for o in range(4) for s in range(20)]
    expected = list(merge(rows))

    for _ in range(20):
        chance.shuffle(rows)

        assert list(merge(rows)) == expected
