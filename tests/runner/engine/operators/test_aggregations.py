"""group_by_key, windowed_by, count and aggregate."""

from typing import Any

import pytest

from designer.reasons import Reason
from designer.values.schemas import ANY, DOUBLE, INTEGER, STRING, Type, struct
from designer.values.tuples import Windowed
from tests.runner.graph_builder import GraphBuilder

HOUR = 3_600_000
FUNCTIONS = [
    {"name": "records", "function": "count"},
    {"name": "known", "function": "count", "expression": "delay"},
    {"name": "total", "function": "sum", "expression": "delay"},
    {"name": "average", "function": "avg", "expression": "delay"},
    {"name": "least", "function": "min", "expression": "delay"},
    {"name": "most", "function": "max", "expression": "delay"},
]


def counting(**window: int) -> GraphBuilder:
    builder = GraphBuilder().stream("orders").add("grouped", "group_by_key", stream="orders")
    if not window:
        return builder.add("counts", "count", grouped="grouped").updates_to("out", "counts")
    builder.add("windowed", "windowed_by", window, grouped="grouped")
    return builder.add("counts", "count", grouped="windowed").updates_to("out", "counts")


def aggregating(delay: Type, functions: list[dict[str, str]]) -> GraphBuilder:
    builder = GraphBuilder().stream("flights", struct(delay=delay)).add("grouped", "group_by_key", stream="flights")
    return builder.add("delays", "aggregate", {"functions": functions}, grouped="grouped").updates_to("out", "delays")


def test_each_update_of_a_count_is_forwarded():
    driver = counting().driver()

    driver.pipe("orders", key="US-WEST", value="a")
    driver.pipe("orders", key="US-EAST", value="b")
    driver.pipe("orders", key="US-WEST", value="c")

    assert driver.read("out") == [("US-WEST", 1), ("US-EAST", 1), ("US-WEST", 2)]


def test_a_count_drops_null_keys_and_null_values():
    driver = counting().driver()

    driver.pipe("orders", key=None, value="a")
    driver.pipe("orders", key="x", value=None)

    assert driver.read("out") == []
    assert driver.counters()["counts"] == {"in": 2, "out": 0, "dropped": 2, "errors": 0}


def test_a_windowed_count_drops_null_keys_but_counts_null_values():
    driver = counting(size_ms=HOUR).driver()

    driver.pipe("orders", key=None, value="a")
    driver.pipe("orders", key="x", value=None)

    assert driver.read("out") == [({"key": "x", "start": 0, "end": HOUR}, 1)]
    assert driver.dropped_records == 1


def test_the_time_of_an_aggregate_is_the_greatest_of_its_records():
    driver = counting().driver()

    for timestamp in (10, 5, 12):
        driver.pipe("orders", key="x", value="a", timestamp=timestamp)

    assert [record.timestamp for record in driver.records("out")] == [10, 10, 12]


def test_windows_are_aligned_to_the_epoch_and_exclude_their_end():
    driver = counting(size_ms=10).driver()

    for timestamp in (9, 10, 19, 20):
        driver.pipe("orders", key="x", value="a", timestamp=timestamp)

    assert [(key["start"], count) for key, count in driver.read("out")] == [(0, 1), (10, 1), (10, 2), (20, 1)]


@pytest.mark.parametrize(("now", "counted"), [(14, True), (15, False)])
def test_a_window_takes_records_until_stream_time_is_its_end_plus_grace(now: int, counted: bool):
    driver = counting(size_ms=10, grace_ms=5).driver()

    driver.pipe("orders", key="y", value="a", timestamp=now)
    driver.pipe("orders", key="x", value="late", timestamp=9)

    assert [key["key"] for key, _ in driver.read("out")] == (["y", "x"] if counted else ["y"])
    assert driver.dropped_records == (0 if counted else 1)


def test_a_record_without_key_does_not_move_stream_time():
    driver = counting(size_ms=10).driver()

    driver.pipe("orders", key=None, value="a", timestamp=1_000)
    driver.pipe("orders", key="x", value="a", timestamp=5)

    assert [key["key"] for key, _ in driver.read("out")] == ["x"]


def test_functions_leave_out_nulls_as_in_sql():
    driver = aggregating(INTEGER, FUNCTIONS).driver()

    for delay in (None, 4, 1):
        driver.pipe("flights", key="JFK", value={"delay": delay})

    nothing = {"total": None, "average": None, "least": None, "most": None}
    assert [value for _, value in driver.read("out")] == [
        {"records": 1, "known": 0} | nothing,
        {"records": 2, "known": 1, "total": 4, "average": 4.0, "least": 4, "most": 4},
        {"records": 3, "known": 2, "total": 5, "average": 2.5, "least": 1, "most": 4},
    ]


def test_text_has_a_least_and_a_greatest():
    chosen = [each for each in FUNCTIONS if each["function"] in ("min", "max")]
    driver = aggregating(STRING, chosen).driver()

    for delay in ("b", "a", "c"):
        driver.pipe("flights", key="JFK", value={"delay": delay})

    assert driver.read("out")[-1] == ("JFK", {"least": "a", "most": "c"})


def test_a_sum_beyond_64_bits_is_a_record_error_and_the_average_goes_on():
    driver = aggregating(INTEGER, FUNCTIONS[2:4]).driver()
    average = aggregating(INTEGER, FUNCTIONS[3:4]).driver()

    for each in (driver, average):
        each.pipe("flights", key="JFK", value={"delay": 2**63 - 1})
        each.pipe("flights", key="JFK", value={"delay": 2**63 - 1})

    assert len(driver.read("out")) == 1
    assert driver.counters()["delays"] == {"in": 2, "out": 1, "dropped": 0, "errors": 1}
    assert average.read("out")[-1] == ("JFK", {"average": float(2**63)})


@pytest.mark.parametrize(("function", "second"), [("sum", "text"), ("avg", True), ("min", "text"), ("max", [1])])
def test_what_a_function_cannot_take_is_a_record_error(function: str, second: object):
    driver = aggregating(ANY, [{"name": "it", "function": function, "expression": "delay"}]).driver()

    driver.pipe("flights", key="JFK", value={"delay": 1})
    driver.pipe("flights", key="JFK", value={"delay": second})
    driver.pipe("flights", key="JFK", value={"delay": 1})

    assert len(driver.read("out")) == 2
    assert driver.counters()["delays"]["errors"] == 1


def test_an_aggregate_that_is_infinite_survives_in_state():
    driver = aggregating(DOUBLE, [{"name": "total", "function": "sum", "expression": "delay"}]).driver()

    for delay in (1e308, 1e308, -1e308):
        driver.pipe("flights", key="JFK", value={"delay": delay})

    assert driver.read("out") == [("JFK", {"total": 1e308})]
    assert driver.counters()["out"]["errors"] == 2


def test_a_windowed_key_is_written_as_the_sink_says():
    builder = counting(size_ms=10)
    builder.to("kafka", "counts-updates", windowed_key="kafka").to("key", "counts-updates", windowed_key="key")
    driver = builder.driver()

    driver.pipe("orders", key="x", value="a", timestamp=12)

    assert driver.read("out") == [({"key": "x", "start": 10, "end": 20}, 1)]
    assert driver.read("kafka") == [(Windowed("x", 10, 20), 1)]
    assert driver.read("key") == [("x", 1)]


def test_a_changed_key_moves_records_to_the_task_of_the_new_one():
    builder = GraphBuilder().stream("orders", struct(city=STRING))
    builder.add("by-city", "select_key", {"key": "city"}, stream="orders")
    builder.add("grouped", "group_by_key", stream="by-city")
    driver = builder.add("counts", "count", grouped="grouped").updates_to("out", "counts").driver()

    for city in ("x", None, "x"):
        driver.pipe("orders", key="a", value={"city": city})

    assert driver.read("out") == [("x", 1), ("x", 2)]
    assert driver.dropped_records == 0
    assert driver.counters()["grouped"] == {"in": 3, "out": 2, "dropped": 1, "errors": 0}
    assert driver.drops()["grouped"][Reason.NULL_KEY_BEFORE_SHUFFLE]["count"] == 1


@pytest.mark.parametrize(
    ("function", "results"),
    [
        ("collect", ["[NaN]", "[NaN, 2.0]", "[2.0, 3.0]"]),
        ("first", ["NaN", "NaN", "2.0"]),
        ("max", ["NaN", "NaN", "3.0"]),
    ],
)
def test_a_row_without_a_number_leaves_its_group_as_others_do(function: str, results: list[str]):
    builder = GraphBuilder().table("rows", struct(group=STRING, size=DOUBLE))
    fields = [{"name": "group", "expression": "group"}, {"name": "root", "expression": "sqrt(size)"}]
    builder.add("roots", "map_values", {"fields": fields}, records="rows")
    builder.add("grouped", "group_by", {"key": "group"}, records="roots")
    functions = [{"name": "found", "function": function, "expression": "root"}]
    builder.add("found", "aggregate", {"functions": functions}, grouped="grouped").add(
        "all", "to_stream", table="found"
    )
    builder.add("shown", "map_values", {"value": "replace(to_json(value), '\"', '')"}, records="all")
    driver = builder.to("out", "shown").driver()

    for key, size in (("a", -1.0), ("b", 4.0), ("a", 9.0)):
        driver.pipe("rows", key=key, value={"group": "g", "size": size})

    assert [value for _, value in driver.read("out")] == [f"{{found:{each.replace(' ', '')}}}" for each in results]


@pytest.mark.parametrize("function", ["min", "max", "top_n"])
@pytest.mark.parametrize("values", [(b'{"delay":14.70}', b'{"delay":"x"}'), (b'{"delay":"x"}', b'{"delay":14.70}')])
def test_a_text_beside_a_number_with_its_digits_is_a_dead_letter(function: str, values: tuple[bytes, bytes]):
    functions: list[dict[str, Any]] = [{"name": "found", "function": function, "expression": "delay"}]
    if function == "top_n":
        functions[0]["n"] = 2
    driver = aggregating(ANY, functions).driver()

    for value in values:
        driver.pipe_bytes("flights", b"a", value)

    assert len(driver.read("out")) == 1
    (letter,) = driver.dead_letters()
    assert "it has no order with" in str(dict(letter.headers)["__streams.errors.message"])
