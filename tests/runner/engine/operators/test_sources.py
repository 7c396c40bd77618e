"""Which topics a stream reads, from where on, and which times their records have."""

from typing import Any

import pytest

from designer.checks import check
from designer.streams.starting import find_start_ms
from designer.topology.forms import CENTURY_MS
from designer.values.exact_json import JsonNumber
from designer.values.schemas import ANY, DOUBLE, INTEGER, STRING, Kind, Type, decimal, struct
from runner.engine.driver import Driver
from tests.runner.graph_builder import GraphBuilder

EVENT = struct(at=ANY)


def test_several_topics_are_one_stream():
    builder = GraphBuilder().stream("orders", topics=["returns", "orders"]).to("out", "orders")
    driver = builder.driver()

    driver.pipe("orders", key="a", value=1)
    driver.pipe("returns", key="a", value=2)

    assert check(builder.graph) == []
    assert driver.read("out") == [("a", 1), ("a", 2)]
    assert driver.counters()["orders"]["in"] == 2


def test_a_topic_of_several_is_read_by_no_other_source():
    builder = GraphBuilder().stream("orders", topics=["returns"]).table("returns").to("out", "orders")
    issues = check(builder.updates_to("rows", "returns").graph)

    assert [(issue.code, issue.node) for issue in issues] == [("topic.read_twice", "returns")]


def test_a_pattern_takes_no_topic_that_another_source_names():
    builder = GraphBuilder().stream("all", topic=None, pattern="order.*").table("orders").to("out", "all")
    issues = check(builder.updates_to("rows", "orders").graph)

    assert [(issue.code, issue.node) for issue in issues] == [("topic.read_twice", "all")]


@pytest.mark.parametrize(
    ("config", "code"),
    [
        ({"topic": None}, "field.missing"),
        ({"pattern": "o.*"}, "pattern.and_names"),
        ({"topic": None, "pattern": "("}, "pattern.wrong"),
        ({"start": "yesterday"}, "start.unknown"),
        ({"timestamp_from": "field"}, "timestamp_field.missing"),
        ({"timestamp_field": "at"}, "field.unused"),
    ],
)
def test_a_source_that_cannot_read_is_an_issue(config, code):
    graph = GraphBuilder().stream("orders", EVENT, **config).to("out", "orders").graph

    assert code in [issue.code for issue in check(graph)]


def test_a_start_is_an_end_of_the_topic_or_a_time():
    assert find_start_ms("earliest") is None
    assert find_start_ms("2013-01-01T05:00:00Z") == find_start_ms("1357016400000") == 1357016400000
    assert check(GraphBuilder().stream("orders", start=1357016400000).to("out", "orders").graph) == []


@pytest.mark.parametrize("start", [1357016400, "1357016400", "2013", 10**11 - 1])
def test_a_start_in_seconds_is_pointed_out(start: int | str):
    (issue,) = check(GraphBuilder().stream("orders", start=start).to("out", "orders").graph)

    assert (issue.code, issue.node, issue.field) == ("start.seconds", "orders", "start")
    assert issue.hint.startswith("This looks like seconds; times are milliseconds since 1970, or ISO 8601")


@pytest.mark.parametrize(
    ("unit", "at", "timestamp"),
    [
        ("ms", 1357016400000, 1357016400000),
        ("ms", "1357016400000", 1357016400000),
        ("s", 1357016400, 1357016400000),
        ("s", 1357016400.25, 1357016400250),
        ("s", "1357016400.25", 1357016400250),
        ("s", JsonNumber("1357016400.250"), 1357016400250),
        ("s", JsonNumber("1357016400.250000001"), 1357016400250),
        ("ms", JsonNumber("1357016400250.00"), 1357016400250),
        ("s", "1357016400", 1357016400000),
        ("ms", 1357016400000.4, 1357016400000),
        ("ms", "1357016400000.4", 1357016400000),
        ("iso", "2013-01-01T05:00:00Z", 1357016400000),
    ],
)
def test_a_field_may_hold_the_time_of_a_record(unit, at, timestamp):
    config: dict[str, Any] = {"timestamp_from": "field", "timestamp_field": "at", "timestamp_unit": unit}
    driver = GraphBuilder().stream("orders", EVENT, **config).to("out", "orders").driver()

    driver.pipe("orders", key="a", value={"at": at}, timestamp=-1)

    assert [record.timestamp for record in driver.records("out")] == [timestamp]


def test_a_field_of_exact_decimals_may_hold_the_time_of_a_record():
    config: dict[str, Any] = {"timestamp_from": "field", "timestamp_field": "at", "timestamp_unit": "s"}
    driver = GraphBuilder().stream("orders", struct(at=decimal(16, 6)), **config).to("out", "orders").driver()

    driver.pipe_bytes("orders", b"a", b'{"at": 1357016400.250000}')

    assert [record.timestamp for record in driver.records("out")] == [1357016400250]


@pytest.mark.parametrize("at", [None, -1, "-1.5", "1.", "soon", [1]])
def test_a_time_that_cannot_be_read_or_is_negative_is_a_deserialization_error(at):
    config: dict[str, Any] = {"timestamp_from": "field", "timestamp_field": "at"}
    builder = GraphBuilder().stream("orders", EVENT, **config).to("out", "orders")
    driver = builder.driver(deserialization="dead_letter", processing="fail")

    driver.pipe("orders", key="a", value={"at": at})

    (letter,) = driver.dead_letters()
    assert driver.read("out") == []
    assert "The timestamp cannot be decoded." in str(dict(letter.headers)["__streams.errors.message"])
    assert driver.counters()["orders"] == {"in": 1, "out": 0, "dropped": 0, "errors": 1}


@pytest.mark.parametrize("config", [{}, {"timestamp_from": "field", "timestamp_field": "at"}])
def test_a_time_behind_which_no_window_could_end_is_a_dead_letter(config: dict[str, Any]):
    builder = GraphBuilder().stream("orders", EVENT, **config).add("grouped", "group_by_key", stream="orders")
    builder.add("windows", "windowed_by", {"size_ms": 10}, grouped="grouped").add("counts", "count", grouped="windows")
    builder.add("held", "suppress", table="counts").updates_to("out", "held")
    driver = builder.driver(deserialization="dead_letter", processing="fail")

    for time in (5, 2**63 - 1, 2**62 + 1, 25):
        driver.pipe("orders", key="a", value={"at": time}, timestamp=time)

    assert driver.read("out") == [({"key": "a", "start": 0, "end": 10}, 1)]
    messages = [dict(letter.headers)["__streams.errors.message"] or b"" for letter in driver.dead_letters()]
    assert [b"expected at most 4611686018427387904" in message for message in messages] == [True, True]


def test_the_last_time_of_a_record_has_windows():
    builder = GraphBuilder().stream("orders", EVENT).add("grouped", "group_by_key", stream="orders")
    windows = {"size_ms": CENTURY_MS, "grace_ms": CENTURY_MS}
    builder.add("windows", "windowed_by", windows, grouped="grouped").add("counts", "count", grouped="windows")
    builder.add("held", "filter", {"predicate": "true", "store": "held"}, records="counts").updates_to("out", "held")
    driver = builder.driver(processing="fail")

    driver.pipe("orders", key="a", value={"at": 1}, timestamp=2**62)

    ((key, count),) = driver.read("out")
    assert key["start"] <= 2**62 < key["end"] == key["start"] + CENTURY_MS and count == 1


def test_the_time_of_the_field_is_stream_time():
    builder = GraphBuilder().stream("orders", EVENT, timestamp_from="field", timestamp_field="at")
    builder.add("grouped", "group_by_key", stream="orders")
    builder.add("windows", "windowed_by", {"size_ms": 10}, grouped="grouped").add("counts", "count", grouped="windows")
    driver = builder.updates_to("out", "counts").driver()

    driver.pipe("orders", key="a", value={"at": 25}, timestamp=1)
    driver.pipe("orders", key="a", value={"at": 5}, timestamp=2)

    assert driver.read("out") == [({"key": "a", "start": 20, "end": 30}, 1)]
    assert driver.dropped_records == 1


def test_the_wall_clock_may_be_the_time_of_records():
    clock = iter((100, 200))
    builder = GraphBuilder().stream("orders", timestamp_from="wall_clock").to("out", "orders")
    driver = builder.driver(wall_clock=lambda: next(clock))

    driver.pipe("orders", key="a", value=1, timestamp=-1)
    driver.pipe("orders", key="a", value=2, timestamp=5)

    assert [record.timestamp for record in driver.records("out")] == [100, 200]


def test_the_rows_of_a_table_take_their_time_from_a_field_too():
    builder = GraphBuilder().table("rows", EVENT, timestamp_from="field", timestamp_field="at")
    driver = builder.updates_to("out", "rows").driver()

    driver.pipe("rows", key="a", value={"at": 25}, timestamp=1)

    assert [record.timestamp for record in driver.records("out")] == [25]


MICROS = Type(Kind.INTEGER, logical="timestamp-micros")
DATE = Type(Kind.INTEGER, logical="date")


@pytest.mark.parametrize(
    ("unit", "type_", "at", "time", "cure"),
    [
        ("ms", INTEGER, 1_700_000_000_250, 1_700_000_000_250, "coalesce(at, timestamp)"),
        ("s", DOUBLE, 1_700_000_000.25, 1_700_000_000_250, "coalesce(at, timestamp / 1000)"),
        (
            *("iso", STRING, "2023-11-14T22:13:20.25Z", 1_700_000_000_250),
            "coalesce(at, date_format(timestamp, 'yyyy-MM-dd HH:mm:ss.SSS'))",
        ),
        ("ms", MICROS, 1_700_000_000_250_999, 1_700_000_000_250, "coalesce(at DIV 1000, timestamp)"),
        ("ms", DATE, 19_675, 1_699_920_000_000, "coalesce(at * 86400000, timestamp)"),
    ],
)
def test_a_dead_letter_without_a_value_says_how_it_takes_its_time_from_the_topic(
    unit: str, type_: Type, at: Any, time: int, cure: str
):
    def read(field: str) -> Driver:
        config: dict[str, Any] = {"timestamp_from": "field", "timestamp_field": field, "timestamp_unit": unit}
        driver = GraphBuilder().stream("rows", struct(at=type_), **config).to("out", "rows").driver()
        for value in ({"at": at}, None):
            driver.pipe("rows", key="a", value=value, timestamp=1_234_567)
        return driver

    before, after = read("at"), read(cure)

    assert [record.timestamp for record in before.records("out")] == [time]
    (letter,) = before.dead_letters()
    assert f"Write `{cure}` there" in str(dict(letter.headers)["__streams.errors.message"])
    assert [record.timestamp for record in after.records("out")] == [time, 1_234_567]


def test_the_field_may_be_asked_of_a_topic_of_which_nothing_is_known():
    config: dict[str, Any] = {"timestamp_from": "field", "timestamp_field": "cast(key AS BIGINT)", "key_type": None}
    driver = GraphBuilder().stream("orders", STRING, **config).to("out", "orders").driver()

    driver.pipe("orders", key="25", value="x")

    assert [record.timestamp for record in driver.records("out")] == [25]


NOW = 1_774_740_600_000
YEAR_9999 = 253_402_300_799_000
HOUR = 3_600_000


def hourly(**source: Any) -> Driver:
    """Counts by key and hour, at a clock that stands."""
    builder = GraphBuilder().stream("orders", **source).add("grouped", "group_by_key", stream="orders")
    builder.add("windows", "windowed_by", {"size_ms": HOUR}, grouped="grouped").add(
        "counts", "count", grouped="windows"
    )
    return builder.updates_to("out", "counts").driver(wall_clock=lambda: NOW)


def test_one_record_of_the_year_9999_makes_all_behind_it_late():
    driver = hourly()

    for timestamp in (YEAR_9999, NOW, NOW + 1):
        driver.pipe("orders", key="a", value=1, timestamp=timestamp)

    assert len(driver.read("out")) == 1
    assert driver.drops()["counts"]["late"]["count"] == 2


def test_with_a_guard_it_is_a_dead_letter_and_moves_no_time():
    driver = hourly(max_ahead_ms=HOUR)

    for timestamp in (YEAR_9999, NOW, NOW + HOUR, NOW + HOUR + 1):
        driver.pipe("orders", key="a", value=1, timestamp=timestamp)

    first, second = (dict(letter.headers)["__streams.errors.message"] for letter in driver.dead_letters())
    assert [count for _, count in driver.read("out")] == [1, 1]
    assert driver.dropped_records == 0
    assert first == (
        b"The timestamp cannot be decoded. The time of the record is 9999-12-31T23:59:59Z (253402300799000), and the "
        b"wall clock says 2026-03-28T23:30:00Z (1774740600000); expected at most 3600000 ms ahead (`max_ahead_ms`)."
    )
    assert second is not None and b"2026-03-29T00:30:00Z (1774744200001)" in second
    assert driver.counters()["orders"] == {"in": 4, "out": 2, "dropped": 0, "errors": 2}


def test_the_guard_judges_the_time_of_the_field_and_leaves_negative_times_to_their_rule():
    config: dict[str, Any] = {"timestamp_from": "field", "timestamp_field": "at", "max_ahead_ms": 0}
    by_field = GraphBuilder().stream("orders", EVENT, **config).to("out", "orders").driver(wall_clock=lambda: NOW)
    by_record = GraphBuilder().table("rows", max_ahead_ms=0).updates_to("out", "rows").driver(wall_clock=lambda: NOW)

    for at in (NOW, NOW + 1, 2**63 - 1):
        by_field.pipe("orders", key="a", value={"at": at}, timestamp=-1)
    for timestamp in (-1, NOW, NOW + 1):
        by_record.pipe("rows", key="a", value=1, timestamp=timestamp)

    assert [record.timestamp for record in by_field.records("out")] == [NOW]
    assert [record.timestamp for record in by_record.records("out")] == [NOW]
    assert len(by_record.dead_letters()) == 2


def test_times_that_are_hardly_meant_are_counted_and_pass():
    config: dict[str, Any] = {"timestamp_from": "field", "timestamp_field": "at"}
    driver = GraphBuilder().stream("orders", EVENT, **config).to("out", "orders").driver(wall_clock=lambda: NOW)

    for at in (NOW // 1_000, 946_684_799_999, 946_684_800_000, NOW, NOW + 24 * HOUR, NOW + 24 * HOUR + 1, NOW):
        driver.pipe("orders", key="a", value={"at": at})

    assert len(driver.read("out")) == 7
    assert driver.counters()["orders"]["unlikely_times"] == 3
