"""What is dropped is counted by reason, and a few of the records are kept to be shown."""

import pytest

from designer.values.schemas import INTEGER, STRING, struct
from runner.engine.counts.drops import MAX_KEY_LENGTH, SAMPLES, Drops, add
from runner.engine.driver import Driver
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(amount=INTEGER)


@pytest.fixture(params=[True, False], ids=["one life", "a task a batch"])
def counting(request: pytest.FixtureRequest) -> Driver:
    builder = GraphBuilder().stream("orders", ORDER).add("grouped", "group_by_key", stream="orders")
    window = {"type": "tumbling", "size_ms": 10, "grace_ms": 0}
    builder.add("windows", "windowed_by", window, grouped="grouped").add("counts", "count", grouped="windows")
    return builder.updates_to("out", "counts").driver(is_one_life=request.param)


def test_nothing_is_kept_where_nothing_is_dropped(counting: Driver) -> None:
    counting.pipe("orders", key="a", value={}, timestamp=5)

    assert counting.drops() == {}


def test_drops_are_told_by_reason_with_the_records_they_come_from(counting: Driver) -> None:
    counting.pipe("orders", key="a", value={}, timestamp=100)
    counting.pipe("orders", key="b", value={}, timestamp=7)
    counting.pipe("orders", key=None, value={}, timestamp=101)

    place = {"topic": "orders", "partition": 0}
    assert counting.drops() == {
        "counts": {
            "late": {"count": 1, "samples": [place | {"offset": 1, "timestamp": 7, "key": "b", "late_ms": 91}]},
            "null key": {"count": 1, "samples": [place | {"offset": 2, "timestamp": 101, "key": None}]},
        }
    }


def test_of_many_only_the_first_are_kept(counting: Driver) -> None:
    counting.pipe("orders", key="a", value={}, timestamp=100)
    with counting.batch():
        for number in range(50):
            counting.pipe("orders", key=f"{number}" * 80, value={}, timestamp=1)

    late = counting.drops()["counts"]["late"]
    assert (late["count"], len(late["samples"])) == (50, SAMPLES)
    assert all(len(sample["key"] or "") <= MAX_KEY_LENGTH + 1 for sample in late["samples"])
    assert counting.counters()["counts"]["dropped"] == 50


def test_behind_a_shuffle_the_place_in_the_topic_is_not_known() -> None:
    builder = GraphBuilder().stream("orders", ORDER).add("by", "select_key", {"key": "key || '!'"}, stream="orders")
    builder.add("grouped", "group_by_key", stream="by").add("counts", "count", grouped="grouped")
    driver = builder.updates_to("out", "counts").driver()

    driver.pipe_bytes("orders", b"a", None, timestamp=3)

    (sample,) = driver.drops()["counts"]["null value"]["samples"]
    assert sample == {"topic": "grouped-repartition", "partition": None, "offset": None, "timestamp": 3, "key": "a!"}


def test_a_row_of_a_global_table_without_a_key_is_told() -> None:
    builder = GraphBuilder().stream("orders", ORDER).global_table("cities", STRING)
    builder.add("named", "left_join", {"key": "key", "value": "right"}, left="orders", right="cities")
    driver = builder.to("out", "named").driver()

    driver.pipe_bytes("cities", None, b'"Bern"')

    assert driver.drops()["cities"]["null key"]["count"] == 1


def test_drops_of_many_tasks_add_up() -> None:
    sample = {"topic": "orders", "partition": 0, "offset": 1, "timestamp": 2, "key": "a"}
    one: Drops = {"counts": {"late": {"count": 5, "samples": [sample, sample]}}}  # type: ignore[list-item]
    total: Drops = {}

    for _ in range(3):
        add(total, one)

    assert total["counts"]["late"]["count"] == 15
    assert len(total["counts"]["late"]["samples"]) == SAMPLES
    assert len(one["counts"]["late"]["samples"]) == 2
