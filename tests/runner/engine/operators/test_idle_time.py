"""Idle time: windows that close by the wall clock once no more records come."""

from typing import Any

import pytest

from designer.checks import check
from designer.values.tuples import Windowed
from runner.engine.driver import Driver
from runner.engine.tasks.punctuation import find_idling, is_due
from tests.runner.graph_builder import GraphBuilder

NOW = 1_774_740_600_000
MINUTE = 60_000
TUMBLING = {"type": "tumbling", "size_ms": MINUTE}


class Hands:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


def closing(windows: dict[str, Any], clock: Hands, *, idle_ms: int | None = 10 * MINUTE, **options: Any) -> Driver:
    """Counts by key and window, each emitted on close."""
    builder = GraphBuilder().stream("orders").add("grouped", "group_by_key", stream="orders")
    more = {"emit": "on_close"} | ({} if idle_ms is None else {"idle_ms": idle_ms})
    builder.add("windowed", "windowed_by", windows | more, grouped="grouped")
    builder.add("counts", "count", grouped="windowed").add("updates", "to_stream", table="counts")
    return builder.to("out", "updates", windowed_key="kafka").driver(wall_clock=clock, **options)


def suppressing(config: dict[str, Any], clock: Hands, **options: Any) -> Driver:
    """Counts by key and window, of which only the last update goes on."""
    builder = GraphBuilder().stream("orders").add("grouped", "group_by_key", stream="orders")
    builder.add("windowed", "windowed_by", TUMBLING, grouped="grouped").add("counts", "count", grouped="windowed")
    builder.add("final", "suppress", {"idle_ms": 10 * MINUTE} | config, table="counts")
    builder.add("updates", "to_stream", table="final")
    return builder.to("out", "updates", windowed_key="kafka").driver(wall_clock=clock, **options)


def tick(driver: Driver, clock: Hands, ms: int) -> list[tuple[Any, Any]]:
    """What leaves by a batch without records so much later."""
    clock.now += ms
    driver.flush()
    return driver.read("out")


@pytest.mark.parametrize("one_life", [True, False])
@pytest.mark.parametrize(
    ("windows", "window"),
    [
        (TUMBLING, (NOW, NOW + MINUTE)),
        ({"type": "hopping", "size_ms": MINUTE, "advance_ms": MINUTE}, (NOW, NOW + MINUTE)),
        ({"type": "sliding", "difference_ms": MINUTE}, (NOW - MINUTE, NOW)),
        ({"type": "session", "gap_ms": MINUTE}, (NOW, NOW)),
        ({"type": "calendar", "zone": "Asia/Kolkata", "start_hour": 5}, (NOW - 24 * 60 * MINUTE, NOW)),
    ],
)
def test_the_last_window_closes_once_no_record_has_come_for_that_long(
    windows: dict[str, Any], window: tuple[int, int], one_life: bool
):
    clock = Hands()
    driver = closing(windows, clock, is_one_life=one_life)
    driver.pipe("orders", key="a", value="v", timestamp=NOW - (windows["type"] == "calendar"))

    early = tick(driver, clock, 10 * MINUTE - 1)
    later = tick(driver, clock, 5 * MINUTE)
    again = tick(driver, clock, 60 * MINUTE)

    assert (early, later, again) == ([], [(Windowed("a", *window), 1)], [])
    assert driver.counters()["counts"]["closed_idle"] == 1


def test_without_the_option_the_last_window_waits_for_the_next_record():
    clock = Hands()
    driver = closing(TUMBLING, clock, idle_ms=None)
    driver.pipe("orders", key="a", value="v", timestamp=NOW)

    assert tick(driver, clock, 1_000 * MINUTE) == []
    assert "closed_idle" not in driver.counters()["counts"]
    assert find_idling(driver.layout) == []


def test_stream_time_advances_to_so_long_before_now_and_no_further():
    clock = Hands()
    driver = closing(TUMBLING | {"grace_ms": 5 * MINUTE}, clock)
    driver.pipe("orders", key="a", value="v", timestamp=NOW)

    assert tick(driver, clock, 16 * MINUTE - 1) == []
    assert tick(driver, clock, 1) == [(Windowed("a", NOW, NOW + MINUTE), 1)]


def test_a_record_of_a_window_that_closed_so_is_dropped_as_late():
    clock = Hands()
    driver = closing(TUMBLING, clock)
    driver.pipe("orders", key="a", value="v", timestamp=NOW)
    tick(driver, clock, 20 * MINUTE)

    driver.pipe("orders", key="a", value="v", timestamp=NOW + 1)
    driver.pipe("orders", key="a", value="v", timestamp=NOW + 30 * MINUTE)

    assert driver.read("out") == []
    assert driver.drops()["counts"]["late"]["count"] == 1


def test_records_that_keep_coming_keep_windows_open():
    clock = Hands()
    driver = closing(TUMBLING, clock)
    for _ in range(5):
        driver.pipe("orders", key="a", value="v", timestamp=NOW)
        clock.now += 9 * MINUTE

    assert driver.read("out") == []


@pytest.mark.parametrize("one_life", [True, False])
def test_suppress_lets_its_last_windows_go(one_life: bool):
    clock = Hands()
    driver = suppressing({}, clock, is_one_life=one_life)
    for timestamp in (NOW, NOW + 1, NOW + MINUTE):
        driver.pipe("orders", key="a", value="v", timestamp=timestamp)
    assert driver.read("out") == [(Windowed("a", NOW, NOW + MINUTE), 2)]

    assert tick(driver, clock, 11 * MINUTE) == []
    assert tick(driver, clock, MINUTE) == [(Windowed("a", NOW + MINUTE, NOW + 2 * MINUTE), 1)]
    assert driver.counters()["final"]["closed_idle"] == 1

    driver.pipe("orders", key="a", value="v", timestamp=NOW + MINUTE + 5)

    assert driver.read("out") == []
    assert driver.drops()["final"]["late"]["count"] == 1


def test_suppress_until_a_time_limit_lets_updates_go_too():
    clock = Hands()
    driver = suppressing({"until": "time_limit", "wait_ms": 5 * MINUTE}, clock)
    driver.pipe("orders", key="a", value="v", timestamp=NOW)

    assert tick(driver, clock, 15 * MINUTE - 1) == []
    assert tick(driver, clock, 1) == [(Windowed("a", NOW, NOW + MINUTE), 1)]


def test_headers_of_another_record_do_not_travel_with_what_closed_idle():
    clock = Hands()
    driver = closing(TUMBLING, clock)
    driver.pipe("orders", key="a", value="v", timestamp=NOW, headers={"trace": b"1"})
    clock.now += 20 * MINUTE
    driver.flush()

    (record,) = driver.records("out")

    assert record.headers == ()


def test_a_batch_without_records_calls_a_task_only_when_something_is_due():
    clock = Hands()
    driver = closing(TUMBLING, clock)
    driver.pipe("orders", key="a", value="v", timestamp=NOW)
    number = find_idling(driver.layout)[0]
    due = NOW + 11 * MINUTE

    assert not is_due(driver.layout, number, 0, driver.state, due - 1)
    assert is_due(driver.layout, number, 0, driver.state, due)
    assert is_due(driver.layout, number, 1, driver.state, NOW)  # a task that never kept idle time begins to


def test_idle_time_is_not_read_where_each_update_is_forwarded():
    builder = GraphBuilder().stream("orders").add("grouped", "group_by_key", stream="orders")
    builder.add("windowed", "windowed_by", TUMBLING | {"idle_ms": MINUTE}, grouped="grouped")
    builder.add("counts", "count", grouped="windowed").add("updates", "to_stream", table="counts").to("out", "updates")

    (issue,) = [each for each in check(builder.graph) if each.node == "windowed"]

    assert issue.message == "`idle_ms` is not read while `emit` is on_update."
