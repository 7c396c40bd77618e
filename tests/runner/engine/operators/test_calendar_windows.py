"""Windows of a calendar: days, weeks, months and years of a time zone."""

from typing import Any

import pytest

from designer.checks import check
from designer.values.tuples import Windowed
from runner.engine.queryable import Query, answer, find_queryable
from tests.runner.engine.operators.test_windowed_by import counted, windowed
from tests.runner.graph_builder import GraphBuilder

DAYS = {"type": "calendar", "unit": "day", "zone": "Europe/Copenhagen"}
SPRING = (1_774_738_800_000, 1_774_821_600_000)
"""2026-03-29 in Copenhagen, a day of 23 hours."""
NEXT = (1_774_821_600_000, 1_774_908_000_000)
HOUR = 3_600_000


def by_day(windows: dict[str, Any], **sink: str) -> GraphBuilder:
    """Counts by key and day."""
    return windowed(DAYS | windows, **sink)


def test_a_day_on_which_clocks_change_has_23_hours():
    driver = by_day({}, windowed_key="json").driver()

    counts = counted(driver, [("a", 1_774_740_600_000), ("a", 1_774_819_800_000), ("a", 1_774_823_400_000)])

    assert counts == [
        ({"key": "a", "start": SPRING[0], "end": SPRING[1]}, 1),
        ({"key": "a", "start": SPRING[0], "end": SPRING[1]}, 2),
        ({"key": "a", "start": NEXT[0], "end": NEXT[1]}, 1),
    ]


@pytest.mark.parametrize("one_life", [True, False])
@pytest.mark.parametrize("cache", [False, True])
def test_ends_are_right_from_cache_and_state(cache: bool, one_life: bool):
    driver = by_day({"grace_ms": HOUR}).driver(cache=cache, is_one_life=one_life)

    counts = counted(driver, [("a", SPRING[0]), ("a", NEXT[0]), ("a", SPRING[0] + 1)])

    assert counts == [(Windowed("a", *SPRING), 1), (Windowed("a", *NEXT), 1), (Windowed("a", *SPRING), 2)]


@pytest.mark.parametrize(("grace_ms", "taken"), [(HOUR - 1, False), (HOUR, False), (HOUR + 1, True)])
def test_a_day_takes_late_records_within_its_grace(grace_ms: int, taken: bool):
    driver = by_day({"grace_ms": grace_ms}).driver()

    counts = counted(driver, [("b", SPRING[1] + HOUR), ("a", SPRING[1] - 1)])

    assert (Windowed("a", *SPRING) in dict(counts)) == taken
    assert driver.dropped_records == (0 if taken else 1)


@pytest.mark.parametrize("one_life", [True, False])
def test_each_day_is_emitted_when_its_own_end_and_grace_have_passed(one_life: bool):
    driver = by_day({"emit": "on_close", "grace_ms": HOUR}).driver(is_one_life=one_life)

    before = counted(driver, [("a", SPRING[0]), ("b", SPRING[1] - 1), ("a", SPRING[1] + HOUR - 1)])
    at_close = counted(driver, [("a", SPRING[1] + HOUR)])
    later = counted(driver, [("a", NEXT[1] + HOUR)])

    assert before == []
    assert at_close == [(Windowed("a", *SPRING), 1), (Windowed("b", *SPRING), 1)]
    assert later == [(Windowed("a", *NEXT), 2)]


def test_suppress_lets_a_day_go_on_when_its_own_end_has_passed():
    builder = GraphBuilder().stream("orders").add("grouped", "group_by_key", stream="orders")
    builder.add("windowed", "windowed_by", DAYS, grouped="grouped").add("counts", "count", grouped="windowed")
    builder.add("final", "suppress", {"until": "window_close"}, table="counts")
    driver = builder.add("updates", "to_stream", table="final").to("out", "updates", windowed_key="kafka").driver()

    counts = counted(driver, [("a", SPRING[0]), ("a", SPRING[1] - 1), ("b", SPRING[1])])

    assert counts == [(Windowed("a", *SPRING), 2)]


def test_cogrouped_streams_have_days_too():
    builder = GraphBuilder().stream("orders").stream("refunds")
    builder.add("grouped", "group_by_key", stream="orders").add("returned", "group_by_key", stream="refunds")
    inputs = [{"name": "orders", "add": "agg + 1"}, {"name": "refunds", "add": "agg - 1"}]
    builder.add("both", "cogroup", {"inputs": inputs}, orders="grouped", refunds="returned")
    builder.add("windowed", "windowed_by", DAYS, grouped="both")
    builder.add("net", "aggregate", {"init": "0"}, grouped="windowed").add("updates", "to_stream", table="net")
    driver = builder.to("out", "updates", windowed_key="kafka").driver()

    driver.pipe("orders", key="a", value="v", timestamp=SPRING[0])
    driver.pipe("refunds", key="a", value="v", timestamp=SPRING[1] - 1)
    driver.pipe("orders", key="a", value="v", timestamp=SPRING[1])

    assert driver.read("out") == [
        (Windowed("a", *SPRING), 1),
        (Windowed("a", *SPRING), 0),
        (Windowed("a", *NEXT), 1),
    ]


def test_days_past_retention_leave_the_state():
    driver = by_day({"unit": "day", "grace_ms": 0}).driver()

    counted(driver, [("a", SPRING[0] + 6 * step * HOUR) for step in range(400)])

    assert len(driver.state.values) < 20


def test_days_are_asked_for_with_their_own_ends():
    driver = by_day({"grace_ms": 48 * HOUR}).driver()
    counted(driver, [("a", SPRING[0]), ("b", NEXT[0])])
    store = find_queryable(driver.layout)["counts"]

    rows = answer(driver.layout, store, [(0, driver.state)], Query.model_validate({})).rows
    of_key = answer(driver.layout, store, [(0, driver.state)], Query.model_validate({"key": "a"})).rows

    assert [row["window"] for row in rows] == [
        dict(zip(("start", "end"), each, strict=True)) for each in (SPRING, NEXT)
    ]
    assert of_key == rows[:1]


def test_kafkas_own_keys_hold_the_start():
    driver = by_day({}).driver()

    driver.pipe("orders", key="a", value="v", timestamp=SPRING[0] + 5)

    assert [row[1] for _, row in driver.rows()] == [b"a" + SPRING[0].to_bytes(8)]


@pytest.mark.parametrize(
    ("config", "code", "hint"),
    [
        ({"zone": "Europe/Copenhage"}, "zone.unknown", "Did you mean `Europe/Copenhagen`?"),
        ({"zone": "../../etc/passwd"}, "zone.unknown", "Write one such as Europe/Copenhagen."),
        ({"size_ms": 5}, "field.unused", "Empty it, or choose tumbling or hopping as `type`."),
        ({"week_start": "sunday"}, "field.unused", "Empty it, or choose week as `unit`."),
        ({"retention_ms": HOUR}, "window.retention", "Keep them for at least 111600000 ms."),
    ],
)
def test_what_is_wrong_with_a_calendar_is_said(config: dict[str, Any], code: str, hint: str):
    (issue,) = [each for each in check(by_day(config).graph) if each.node == "windowed"]

    assert (issue.code, issue.hint) == (code, hint)
