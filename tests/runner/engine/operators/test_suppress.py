"""suppress: updates of a table held back."""

from __future__ import annotations

from typing import Any

import pytest

from designer.checks import check
from designer.values.schemas import DOUBLE
from runner.engine.driver import Driver
from runner.engine.operators.suppress import BufferFull
from tests.runner.graph_builder import GraphBuilder


def limited(is_one_life: bool = True, **config: Any) -> Driver:
    builder = GraphBuilder().table("t").add("held", "suppress", {"until": "time_limit"} | config, table="t")
    return builder.updates_to("out", "held").driver(is_one_life=is_one_life)


def windowed(kind: str = "tumbling", **config: Any) -> GraphBuilder:
    sizes = {"tumbling": {"size_ms": 10}, "sliding": {"difference_ms": 10}, "session": {"gap_ms": 10}}
    builder = GraphBuilder().stream("s").add("g", "group_by_key", stream="s")
    builder.add("w", "windowed_by", {"type": kind, "grace_ms": 5} | sizes[kind] | config, grouped="g")
    builder.add("counts", "count", grouped="w").add("final", "suppress", {"until": "window_close"}, table="counts")
    return builder.updates_to("out", "final")


def early(kind: str, max_bytes: int) -> Driver:
    builder = windowed(kind)
    config = {"until": "time_limit", "max_bytes": max_bytes, "buffer_full": "emit_early"}
    builder.nodes[4] = type(builder.nodes[4])("final", "suppress", config)
    return builder.driver()


@pytest.mark.parametrize("one_life", [True, False])
def test_an_update_waits_for_the_time_limit_and_a_later_one_takes_its_place(one_life: bool) -> None:
    driver = limited(one_life, wait_ms=10)

    driver.pipe("t", key="a", value=1, timestamp=0)
    driver.pipe("t", key="a", value=2, timestamp=9)
    before = driver.read("out")
    driver.pipe("t", key="b", value=3, timestamp=10)

    assert before == []
    assert [record[:3] for record in driver.records("out")] == [("a", 2, 9)]


def test_what_is_due_goes_on_in_order_of_buffer_time_and_key() -> None:
    driver = limited(wait_ms=10)

    for key, time in (("c", 1), ("b", 0), ("a", 1), ("z", 50)):
        driver.pipe("t", key=key, value=time, timestamp=time)

    assert driver.read("out") == [("b", 0), ("a", 1), ("c", 1)]


def test_deletions_go_on_with_a_time_limit() -> None:
    driver = limited(wait_ms=0)

    driver.pipe("t", key="a", value=None)

    assert driver.read("out") == [("a", None)]


@pytest.mark.parametrize("one_life", [True, False])
def test_a_full_buffer_lets_the_oldest_go_early(one_life: bool) -> None:
    driver = limited(one_life, max_records=2)

    for time, key in enumerate("abac"):
        driver.pipe("t", key=key, value=time, timestamp=time)

    assert driver.read("out") == [("a", 2)]


def test_bytes_are_counted_as_kafka_streams_counts_them() -> None:
    entry = 28 + len("a") + len("1") + len("t")
    fits, full = limited(max_bytes=entry), limited(max_bytes=entry - 1)

    fits.pipe("t", key="a", value=1)
    full.pipe("t", key="a", value=1)

    assert fits.read("out") == []
    assert full.read("out") == [("a", 1)]


@pytest.mark.parametrize(("kind", "bounds", "values"), [("tumbling", 8, 16), ("sliding", 8, 16), ("session", 16, 8)])
def test_only_of_a_session_the_end_of_the_window_counts(kind: str, bounds: int, values: int) -> None:
    """The count of a new window has the old value 0, that of a new session none."""
    entry = 28 + len("a") + bounds + values + len("s")
    fits, full = early(kind, entry), early(kind, entry - 1)

    for driver in (fits, full):
        driver.pipe("s", key="a", value=1, timestamp=20)

    assert fits.read("out") == []
    assert [value for _, value in full.read("out")] == [1]


def test_a_row_whose_bytes_cannot_be_counted_is_a_dead_letter() -> None:
    builder = GraphBuilder().table("t", DOUBLE).add("large", "map_values", {"value": "value * 1e300"}, records="t")
    config = {"until": "time_limit", "max_bytes": 10, "buffer_full": "emit_early"}
    driver = builder.add("held", "suppress", config, table="large").updates_to("out", "held").driver()

    driver.pipe("t", key="a", value=1e300)
    driver.pipe("t", key="b", value=1.0)

    assert driver.read("out") == [("b", 1e300)]
    (letter,) = driver.dead_letters()
    assert "The bytes of the row cannot be counted. JSON cannot hold a number that is infinite" in str(letter)


def test_a_full_buffer_that_may_not_emit_early_fails_the_run() -> None:
    driver = limited(max_records=1, buffer_full="shut_down")
    driver.pipe("t", key="a", value=1)

    with pytest.raises(BufferFull, match="held"):
        driver.pipe("t", key="b", value=1)


@pytest.mark.parametrize(
    ("kind", "too_early", "late_enough"), [("tumbling", 14, 15), ("sliding", 14, 15), ("session", 15, 16)]
)
def test_each_window_goes_on_once_when_it_has_closed(kind: str, too_early: int, late_enough: int) -> None:
    driver = windowed(kind).driver()

    driver.pipe("s", key="a", value=1, timestamp=1)
    driver.pipe("s", key="b", value=1, timestamp=too_early)
    before = driver.read("out")
    driver.pipe("s", key="c", value=1, timestamp=late_enough)

    assert before == []
    assert [(key["key"], value) for key, value in driver.read("out")] == [("a", 1)]


def test_windows_that_were_deleted_are_swallowed() -> None:
    builder = windowed("session")
    driver = builder.driver()

    driver.pipe("s", key="a", value=1, timestamp=0)
    driver.pipe("s", key="a", value=1, timestamp=8)
    driver.pipe("s", key="b", value=1, timestamp=99)

    assert [(key["start"], key["end"], value) for key, value in driver.read("out")] == [(0, 8, 2)]


def test_a_join_sees_of_a_key_held_back_what_went_on_last() -> None:
    builder = GraphBuilder().table("t").add("held", "suppress", {"until": "time_limit", "wait_ms": 10}, table="t")
    builder.stream("asks").add("answers", "left_join", {"value": "right"}, left="asks", right="held").to(
        "out", "answers"
    )
    driver = builder.driver()

    driver.pipe("t", key="a", value=1, timestamp=0)
    driver.pipe("asks", key="a", value="?")
    driver.pipe("t", key="b", value=1, timestamp=10)
    driver.pipe("asks", key="a", value="?")
    driver.pipe("t", key="a", value=2, timestamp=11)
    driver.pipe("asks", key="a", value="?")

    assert driver.read("out") == [("a", None), ("a", 1), ("a", 1)]


def test_what_cannot_be_suppressed_is_an_issue() -> None:
    plain = GraphBuilder().table("t").add("held", "suppress", {"until": "window_close"}, table="t")
    versioned = GraphBuilder().table("t", history_ms=10).add("held", "suppress", {"until": "time_limit"}, table="t")
    early = windowed()
    early.nodes[4] = type(early.nodes[4])("final", "suppress", {"until": "window_close", "buffer_full": "emit_early"})

    codes = [[issue.code for issue in check(each.graph)] for each in (plain, versioned, early)]

    found = ("suppress.no_window", "suppress.versioned", "suppress.early")
    assert all(code in issues for code, issues in zip(found, codes, strict=True))


@pytest.mark.parametrize(
    ("config", "codes"),
    [
        ({}, ["suppress.never"]),
        ({"max_bytes": 99, "buffer_full": "shut_down"}, ["suppress.never"]),
        ({"wait_ms": 0}, []),
        ({"max_records": 1}, []),
        ({"max_bytes": 99}, []),
    ],
)
def test_a_time_limit_without_a_time_or_a_size_would_hold_back_for_ever(
    config: dict[str, Any], codes: list[str]
) -> None:
    builder = GraphBuilder().table("t").add("held", "suppress", {"until": "time_limit"} | config, table="t")

    issues = check(builder.updates_to("out", "held").graph)

    assert [issue.code for issue in issues] == codes
    assert all((issue.node, issue.field) == ("held", "wait_ms") for issue in issues)


def test_a_time_to_wait_has_no_use_until_a_window_closes() -> None:
    builder = windowed()
    builder.nodes[4] = type(builder.nodes[4])("final", "suppress", {"until": "window_close", "wait_ms": 10})

    (issue,) = check(builder.graph)

    assert (issue.code, issue.node, issue.field) == ("field.unused", "final", "wait_ms")
    assert issue.message == "`wait_ms` is not read while `until` is window_close."
