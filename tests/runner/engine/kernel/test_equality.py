"""The kernel gives what the Python engine gives: results, counts, drops, dead letters and state."""

from __future__ import annotations

import logging
from array import array
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from designer.topology.graph import Graph
from designer.values.schemas import ANY, DOUBLE, INTEGER, STRING, struct
from runner import kernel
from runner.engine.driver import Driver
from runner.engine.kernel.planning import plan, write_plan
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.options import Options
from runner.engine.stores.state import MemoryState
from tests.conformance.kept import graphs
from tests.conformance.product.cases import Case
from tests.conformance.product.compare import difference
from tests.conformance.product.on_driver import answer
from tests.runner.graph_builder import GraphBuilder
from tests.runner.kernel_driver import KernelDriver

ORDER = struct(id=STRING, amount=DOUBLE, count=INTEGER)


class PythonDriver(KernelDriver):
    """The same batches in the Python engine."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, engine="python", **options)


every_case = pytest.mark.parametrize(("case", "graph"), [pytest.param(*each, id=each[0]["name"]) for each in graphs()])


@every_case
def test_each_record_has_the_consequences_it_has_in_kafka_streams(case: Case, graph: Graph):
    found = answer(case, graph, kind=KernelDriver)

    assert difference(case, found, "stepwise") is None


@every_case
def test_random_batches_give_what_the_python_engine_gives(case: Case, graph: Graph):
    for cache in (False, True):
        found = answer(case, graph, batches="random", cache=cache, kind=KernelDriver)

        assert found == answer(case, graph, batches="random", cache=cache, kind=PythonDriver)


def observe(driver: Driver) -> dict[str, Any]:
    """Everything that can be seen of a driver."""
    assert isinstance(driver.state, MemoryState)
    return {
        "rows": driver.rows(),
        "dead letters": driver.dead_letters(),
        "counts": driver.count_passed(),
        "drops": driver.drops(),
        "state": driver.state.values,
    }


def pipe_orders(driver: KernelDriver) -> None:
    """Batches of orders: good ones, late ones, some without key or value, and some that are wrong.

    Depths at the limit and bytes that are not UTF-8 are in the last one: they may give a whole batch to Python.
    """
    bad = [b"{", b'{"amount":"x"}', b'{"id":"\\ud800"}', b"\xff", b'{"amount":1e999}', b"[1]", b"null"]
    deep = [b'{"id":"deep","z":%s%s}' % (b"[" * depth, b"]" * depth) for depth in (198, 199, 200, 1_000)]
    for batch in range(5):
        with driver.batch():
            for place in range(40):
                number = batch * 40 + place
                value = b'{"id":"o%d","amount":%d.5,"count":%d}' % (number, number % 7, number % 5)
                value = bad[number % len(bad)] if number % 9 == 4 else value
                key = None if number % 11 == 3 else b"k%d" % (number % 6)
                if batch == 4:
                    value = deep[number % 4] if number % 5 == 0 else value
                    key = b"k\xff" if number % 7 == 2 else key
                sent = None if number % 13 == 5 else value
                driver.pipe_bytes("orders", key, sent, 1_000 * number - 30_000 * (number % 8 == 7) + 60_000)


def compare_engines(builder: GraphBuilder, pipe: Callable[[KernelDriver], None] = pipe_orders, **options: Any) -> None:
    """Runs a topology in both engines and compares all that can be seen."""
    frozen = {"wall_clock": lambda: 5, **options}
    kernel_driver, python_driver = KernelDriver(builder.graph, **frozen), PythonDriver(builder.graph, **frozen)
    for driver in (kernel_driver, python_driver):
        pipe(driver)
    assert observe(kernel_driver) == observe(python_driver)
    assert kernel_driver.list_reasons() == []
    assert kernel_driver.rows_in_kernel > 0


def orders() -> GraphBuilder:
    return GraphBuilder().stream("orders", ORDER)


def fields(**expressions: str) -> list[dict[str, str]]:
    return [{"name": name, "expression": text} for name, text in expressions.items()]


STATELESS = {
    "filter": lambda: orders().add("n", "filter", {"predicate": "amount > 2 AND count <> 1"}, records="orders"),
    "filter_not": lambda: orders().add("n", "filter_not", {"predicate": "amount > 2"}, records="orders"),
    "map_values": lambda: orders().add(
        "n", "map_values", {"keep": True, "fields": fields(twice="amount * 2", id="upper(id)")}, records="orders"
    ),
    "division": lambda: orders().add("n", "map_values", {"fields": fields(q="10 / count")}, records="orders"),
    "select_key": lambda: orders().add("n", "select_key", {"key": "id || '!'"}, stream="orders"),
    "map": lambda: orders().add("n", "map", {"key": "count", "fields": fields(id="id", key="key")}, stream="orders"),
}


@pytest.mark.parametrize("name", STATELESS)
def test_operators_without_state_do_the_same(name: str):
    compare_engines(STATELESS[name]().to("out", "n"))


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize(
    "config",
    [
        {},
        {
            "functions": [
                {"name": "n", "function": "count"},
                {"name": "total", "function": "sum", "expression": "amount"},
                {"name": "mean", "function": "avg", "expression": "count"},
                {"name": "least", "function": "min", "expression": "id"},
                {"name": "most", "function": "max", "expression": "amount"},
                {"name": "first", "function": "first", "expression": "id"},
                {"name": "last", "function": "last", "expression": "count"},
            ]
        },
    ],
)
@pytest.mark.parametrize(
    "window",
    [
        None,
        {"type": "tumbling", "size_ms": 10_000, "grace_ms": 5_000},
        {"type": "hopping", "size_ms": 10_000, "advance_ms": 4_000, "grace_ms": 3_000},
        {"type": "sliding", "difference_ms": 4_000, "grace_ms": 3_000},
        {"type": "session", "gap_ms": 2_000, "grace_ms": 5_000},
        {"type": "tumbling", "size_ms": 10_000, "grace_ms": 5_000, "emit": "on_close"},
        {"type": "hopping", "size_ms": 10_000, "advance_ms": 4_000, "emit": "on_close", "store_type": "in_memory"},
        {"type": "sliding", "difference_ms": 4_000, "emit": "on_close"},
        {"type": "session", "gap_ms": 2_000, "emit": "on_close"},
        {"type": "session", "gap_ms": 2_000, "emit": "on_close", "store_type": "in_memory"},
    ],
)
def test_aggregations_do_the_same(cache: bool, config: dict[str, Any], window: dict[str, Any] | None):
    builder = orders().add("g", "group_by_key", stream="orders")
    if window:
        builder.add("w", "windowed_by", window, grouped="g")
    builder.add("n", "aggregate" if config else "count", config, grouped="w" if window else "g")

    compare_engines(builder.updates_to("out", "n"), cache=cache)


def pipe_days(driver: KernelDriver) -> None:
    """Records of a week in which clocks change, some of them late, and one of the year 2100."""
    for batch in range(4):
        with driver.batch():
            for number in range(batch * 40, batch * 40 + 40):
                late = 30 * 3_600_000 if number % 7 == 5 else 0
                time = 1_743_000_000_000 + number * 3_600_000 - late
                driver.pipe_bytes("orders", b"k%d" % (number % 3), b'{"count":%d}' % number, time)
    driver.pipe_bytes("orders", b"k", b'{"count":1}', 4_102_444_800_000)


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("more", [{}, {"count": 2, "start_hour": 3}, {"emit": "on_close"}, {"unit": "week"}])
def test_windows_of_a_calendar_do_the_same(more: dict[str, Any], cache: bool):
    window = {"type": "calendar", "unit": "day", "zone": "Europe/Berlin", "grace_ms": 5_000_000, **more}
    builder = orders().add("g", "group_by_key", stream="orders").add("w", "windowed_by", window, grouped="g")

    compare_engines(builder.add("n", "count", grouped="w").updates_to("out", "n"), pipe_days, cache=cache)


@pytest.mark.parametrize("cache", [False, True])
def test_a_table_and_its_lookup_do_the_same(cache: bool):
    builder = orders().table("rows", ORDER)
    builder.add("t", "to_table", stream="orders")
    builder.add("j", "left_join", {"fields": fields(a="left.id", b="right.id")}, left="orders", right="t")

    compare_engines(builder.to("out", "j").updates_to("tables", "t"), cache=cache)


@pytest.mark.parametrize("grace_ms", [0, 9_000])
@pytest.mark.parametrize("kind", ["join", "left_join"])
def test_records_that_wait_for_a_versioned_table_do_the_same(kind: str, grace_ms: int):
    builder = GraphBuilder().table("rows", ORDER, history_ms=500_000).stream("orders", ORDER)
    config = {"value": "named_struct('l', left, 'r', right)", "grace_ms": grace_ms}
    builder.add("j", kind, config, left="orders", right="rows")

    def pipe(driver: KernelDriver) -> None:
        for batch in range(4):
            with driver.batch():
                for number in range(batch * 30, batch * 30 + 30):
                    time = 1_000 * number - 4_000 * (number % 8 == 7) + 60_000
                    row = b'{"id":"r","count":%d}' % number
                    driver.pipe_bytes("rows", b"k%d" % (number % 3), row, 10 if number < 3 else time)
                    order = None if number % 13 == 5 else b'{"id":"o","amount":%d.5}' % number
                    key = None if number % 11 == 3 else b"k%d" % (number % 3)
                    driver.pipe_bytes("orders", key, order, time, {"h": b"x"} if number % 5 == 0 else None)

    compare_engines(builder.to("out", "j"), pipe)


def test_parsed_json_is_the_same():
    texts = [b"7", b"7.50", b'[1,{"a":null}]', b" true ", b"{", b"1e400", b'{"a":1,"a":2}', b"-0", b'"\\u00e9"', b""]

    def pipe(driver: KernelDriver) -> None:
        for number, text in enumerate(texts):
            driver.pipe_bytes("orders", b"k", b'{"id":"%s"}' % text.replace(b'"', b'\\"'), number)

    builder = orders().add("n", "map_values", {"fields": fields(v="parse_json(id)")}, records="orders")
    compare_engines(builder.to("out", "n"), pipe)


def test_examples_of_what_the_end_of_a_batch_drops_are_kept():
    builder = orders().add("t", "to_table", {"store": "kept"}, stream="orders").table("rows", ORDER)
    builder.add("s", "to_stream", table="t")
    builder.add("j", "join", {"value": "left"}, left="s", right="rows")

    compare_engines(builder.to("out", "j"), cache=True)


def test_numbers_with_an_exponent_that_no_decimal_holds_are_read_alike():
    def pipe(driver: KernelDriver) -> None:
        for amount in (b"5e-392233720368547758084", b"5e-4", b"5e-400"):
            driver.pipe_bytes("orders", b"k", b'{"amount":%s,"free":1.7976931348623157e+308}' % amount)

    builder = GraphBuilder().stream("orders", struct(amount=DOUBLE, free=ANY))
    compare_engines(builder.add("n", "filter", {"predicate": "amount < 1"}, records="orders").to("out", "n"), pipe)


def test_the_first_records_that_several_edges_into_a_shuffle_drop_are_kept():
    def pipe(driver: KernelDriver) -> None:
        with driver.batch():
            for number in range(12):
                driver.pipe_bytes("orders", None, b'{"amount":%d}' % number, number)

    builder = orders().add("late", "filter", {"predicate": "amount > 3"}, records="orders")
    builder.add("early", "filter", {"predicate": "amount < 9"}, records="orders")
    builder.add("all", "merge", streams=("late", "early")).add("r", "repartition", stream="all")
    compare_engines(builder.to("out", "r"), pipe)


@pytest.mark.parametrize("by", [None, "id", "count"])
@pytest.mark.parametrize("within_ms", [3_000, 40_000])
def test_deduplication_does_the_same(by: str | None, within_ms: int):
    builder = orders().add("d", "deduplicate", {"by": by, "within_ms": within_ms}, stream="orders")

    compare_engines(builder.add("e", "deduplicate", {"within_ms": 5_000}, stream="d").to("out", "e"))


@pytest.mark.parametrize("by", ["tree", "free", "amount"])
def test_a_deduplication_takes_the_same_numbers_as_equal(by: str):
    def pipe(driver: KernelDriver) -> None:
        for number in (b"14.7", b"14.70", b"1.47e1", b"15", b"15.0", b"18446744073709551616", b"-0.0", b"0.0"):
            driver.pipe_bytes("orders", b"k", b'{"tree":{"n":%s},"free":%s,"amount":%s}' % (number, number, number))

    builder = GraphBuilder().stream("orders", struct(tree=struct(), free=ANY, amount=DOUBLE))
    compare_engines(builder.add("d", "deduplicate", {"by": by, "within_ms": 9}, stream="orders").to("out", "d"), pipe)


def test_a_deduplication_forgets_in_a_batch_of_late_records_too():
    def pipe(driver: KernelDriver) -> None:
        for at in ([1, 2], [10_000, 9_000]):
            with driver.batch():
                for time in at:
                    value = b'{"id":null}' if time >= 9_000 else b'{"id":"o%d"}' % time
                    driver.pipe_bytes("orders", b"k", value, time)

    compare_engines(
        orders().add("d", "deduplicate", {"by": "id", "within_ms": 5}, stream="orders").to("out", "d"), pipe
    )


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("store", [None, "joined"])
@pytest.mark.parametrize("kind", ["join", "left_join", "outer_join"])
def test_joins_of_tables_do_the_same(kind: str, store: str | None, cache: bool):
    builder = orders().add("t", "to_table", {"store": "rows"}, stream="orders")
    builder.add("f", "filter", {"predicate": "count > 1", "store": "few"}, records="t")
    builder.add("g", "group_by_key", stream="orders").add("n", "count", grouped="g")
    shape = {"fields": fields(a="left.id", b="right", at="timestamp"), "store": store}
    builder.add("j", kind, shape, left="f", right="n")
    kept = {"fields": fields(c="right.b" if store else "right.id"), "keep": True}
    builder.add("k", kind, kept, left="t", right="j" if store else "f" if kind == "join" else "t")

    compare_engines(builder.updates_to("out", "j").updates_to("again", "k"), cache=cache)


def pipe_two_tables(driver: KernelDriver) -> None:
    """Rows of two tables, some of which name no row, change the row that they name, or go."""
    for batch in range(4):
        with driver.batch():
            for number in range(batch * 40, batch * 40 + 40):
                order = b'{"id":"r%d","amount":%d.5,"count":%d}' % (number * 7 % 5, number, number % 3)
                order = b'{"count":1}' if number % 8 == 5 else b'{"id":7}' if number == 99 else order
                driver.pipe_bytes("orders", b"k%d" % (number % 6), None if number % 9 == 7 else order, number * 100)
                right = None if number % 4 == 2 else b'{"id":"right","count":%d}' % number
                driver.pipe_bytes("rights", b"r%d" % (number % 4), right, number * 100 + 50)


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("store", [None, "joined"])
@pytest.mark.parametrize("kind", ["join", "left_join"])
def test_joins_by_a_foreign_key_do_the_same(kind: str, store: str | None, cache: bool):
    shape = {"fields": fields(a="left.id", b="right.count", at="timestamp"), "store": store}
    builder = GraphBuilder().table("orders", ORDER).table("rights", ORDER)
    builder.add("few", "filter", {"predicate": "count < 2"}, records="orders")
    builder.add("j", kind, {**shape, "foreign_key": "id"}, left="few", right="rights")
    builder.add("k", kind, {"value": "left", "foreign_key": "if(b % 2 = 0, a, NULL)"}, left="j", right="rights")

    compare_engines(builder.updates_to("out", "j").updates_to("again", "k"), pipe_two_tables, cache=cache)


def test_a_batch_whose_right_row_vanishes_after_it_was_found_is_left_to_python():
    builder = GraphBuilder().stream("new", STRING).table("orders", ORDER).stream("gone", STRING)
    builder.add("first", "repartition", stream="new").add("last", "repartition", stream="gone")
    builder.add("all", "merge", streams=("first", "last")).add("rights", "to_table", stream="all")
    config = {"foreign_key": "id", "value": "named_struct('right', right)"}
    builder.add("j", "left_join", config, left="orders", right="rights").updates_to("out", "j")
    driver = KernelDriver(builder.graph, cache=True)

    with driver.batch():
        driver.pipe("new", key="r", value="Ann", timestamp=1)
        driver.pipe("orders", key="a", value={"id": "r"}, timestamp=2)
        driver.pipe("gone", key="r", value=None, timestamp=3)

    assert driver.read("out") == [("a", {"right": "Ann"}), ("a", {"right": None})]
    assert driver.rows_in_python == 3


def test_a_batch_whose_row_vanishes_after_a_versioned_table_met_it_is_left_to_python():
    builder = GraphBuilder().table("lefts", STRING, history_ms=1_000).table("rights", STRING)
    config = {"value": "named_struct('right', right)"}
    builder.add("j", "left_join", config, left="lefts", right="rights").updates_to("out", "j")
    driver = KernelDriver(builder.graph, cache=True)

    with driver.batch():
        driver.pipe("rights", key="a", value="Ann", timestamp=1)
        driver.pipe("lefts", key="a", value="L", timestamp=2)
        driver.pipe("rights", key="a", value=None, timestamp=3)

    assert driver.read("out") == [("a", {"right": "Ann"}), ("a", {"right": None})]
    assert driver.rows_in_python == 3


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("kind", ["join", "left_join"])
def test_a_table_joined_with_itself_by_a_foreign_key_does_the_same(kind: str, cache: bool):
    builder = orders().add("t", "to_table", stream="orders")
    config = {"foreign_key": "'k' || count", "value": "named_struct('l', left, 'r', right)"}
    builder.add("j", kind, config, left="t", right="t")

    compare_engines(builder.updates_to("out", "j"), cache=cache)


def test_windowed_rows_joined_by_a_foreign_key_do_the_same():
    builder = orders().add("g", "group_by_key", stream="orders")
    builder.add("w", "windowed_by", {"size_ms": 10_000}, grouped="g").add("n", "count", grouped="w")
    builder.add("t", "to_table", stream="orders")
    config = {"foreign_key": "'k' || value", "value": "named_struct('l', left, 'r', right)"}
    builder.add("j", "left_join", config, left="n", right="t")

    compare_engines(builder.updates_to("out", "j"))


@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize("kind", ["join", "left_join", "outer_join"])
@pytest.mark.parametrize("grace_ms", [0, 40_000])
def test_joins_of_streams_do_the_same(kind: str, grace_ms: int, eager: bool):
    builder = orders().add("c", "filter", {"predicate": "count < 3"}, records="orders")
    window = {"before_ms": 2_000, "after_ms": 9_000, "grace_ms": grace_ms, "eager": eager and kind != "join"}
    shape = {"fields": fields(a="left.id", b="right.amount", at="timestamp")}
    builder.add("j", kind, {**window, **shape}, left="c", right="orders")
    builder.add("k", kind, {**window, "value": "right"}, left="j", right="c")

    compare_engines(builder.to("out", "j").to("again", "k"))


def test_lines_of_the_log_are_the_same(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO, "record")
    builder = orders().add("n", "peek", stream="orders").to("out", "n").add("g", "group_by_key", stream="n")
    builder.add("w", "windowed_by", {"size_ms": 10_000}, grouped="g").add("c", "count", grouped="w")
    builder.add("u", "to_stream", table="c").add("f", "foreach", {"message": "'w' || value"}, stream="u")
    lines: list[list[str]] = []
    for kind in (KernelDriver, PythonDriver):
        driver = kind(builder.add(f"p{len(lines)}", "print", stream="u").graph)
        with driver.batch():
            for number in range(4):
                value = b'{"id":"o","amount":%d,"count":null}' % number if number else None
                driver.pipe_bytes("orders", b"k", value, number)
        lines.append(sorted(f"{each.name[:8]} {each.getMessage()}" for each in caplog.records))
        caplog.clear()
        if kind is KernelDriver:
            assert driver.rows_in_kernel == 4
            del builder.nodes[-1], builder.edges[-1]

    assert lines[0] == lines[1]
    assert len(lines[0]) == 12


def test_messages_see_the_headers_of_their_records(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO, "record")
    builder = orders().add("n", "peek", {"message": "headers[0].value"}, stream="orders").to("out", "n")
    lines: list[list[str]] = []
    for kind in (KernelDriver, PythonDriver):
        driver = kind(builder.graph)
        with driver.batch():
            for number in range(3):
                driver.pipe_bytes("orders", b"k", b"{}", number, {"h": b"v%d" % number} if number else None)
        assert (driver.rows_in_kernel == 3) == (kind is KernelDriver)
        lines.append([each.getMessage() for each in caplog.records])
        caplog.clear()

    assert lines[0] == lines[1]
    assert lines[0][1:] == ["v1", "v2"]


def test_few_lines_of_many_records_are_written_and_the_others_counted(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO, "record")
    driver = KernelDriver(orders().add("n", "peek", stream="orders").to("out", "n").graph)

    for _ in range(2):
        with driver.batch():
            for number in range(500):
                driver.pipe_bytes("orders", b"k", b"{}", number)

    assert driver.rows_in_kernel == 1_000
    assert 5 <= len(caplog.records) <= 10


COGROUP_WINDOWS: list[dict[str, Any] | None] = [
    None,
    {"type": "hopping", "size_ms": 10_000, "advance_ms": 4_000, "grace_ms": 3_000},
    {"type": "sliding", "difference_ms": 4_000, "emit": "on_close"},
    {"type": "session", "gap_ms": 2_000, "grace_ms": 5_000},
]


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("window", COGROUP_WINDOWS)
def test_cogroups_do_the_same(window: dict[str, Any] | None, cache: bool):
    builder = orders().add("f", "filter", {"predicate": "count > 1"}, records="orders")
    for name, source in (("a", "orders"), ("b", "f"), ("c", "orders")):
        builder.add(f"g{name}", "group_by_key", stream=source)
    adds = [{"name": name, "add": f"agg + {place}"} for place, name in enumerate("abc")]
    builder.add("cogroup", "cogroup", {"inputs": adds}, a="ga", b="gb", c="gc")
    if window:
        builder.add("w", "windowed_by", window, grouped="cogroup")
    merge = {"merge": "agg + other"} if window and window["type"] == "session" else {}
    builder.add("n", "aggregate", {"init": "0", **merge}, grouped="w" if window else "cogroup")

    compare_engines(builder.updates_to("out", "n"), cache=cache)


GROUPED: dict[str, tuple[str, dict[str, Any]]] = {
    "count": ("count", {}),
    "reduce": ("reduce", {"add": "named_struct('count', agg.count + count)", "subtract": "value"}),
    "aggregate": ("aggregate", {"init": "0", "add": "agg + count", "subtract": "if(count = 3, NULL, agg - count)"}),
    "functions": (
        "aggregate",
        {
            "functions": [
                {"name": "n", "function": "count"},
                {"name": "total", "function": "sum", "expression": "count"},
                {"name": "mean", "function": "avg", "expression": "amount"},
            ]
        },
    ),
}


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("key", ["count", "if(count = 2, NULL, id)", "named_struct('a', count)"])
@pytest.mark.parametrize("how", GROUPED)
def test_aggregations_of_grouped_tables_do_the_same(how: str, key: str, cache: bool):
    operator, config = GROUPED[how]
    shape = {"key": key, "fields": fields(id="id", amount="amount", count="count")}
    builder = orders().add("t", "to_table", stream="orders").add("g", "group_by", shape, records="t")
    builder.add("n", operator, config, grouped="g").updates_to("out", "n")

    compare_engines(builder.updates_to("rows", "t"), cache=cache)


SUPPRESSIONS: list[dict[str, Any]] = [
    {"until": "window_close"},
    {"until": "time_limit", "wait_ms": 9_000},
    {"until": "time_limit", "wait_ms": 50_000, "max_records": 3},
]


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("window", [{"type": "tumbling", "size_ms": 10_000}, {"type": "session", "gap_ms": 2_000}])
@pytest.mark.parametrize("config", SUPPRESSIONS)
def test_suppressed_updates_do_the_same(config: dict[str, Any], window: dict[str, Any], cache: bool):
    builder = orders().add("g", "group_by_key", stream="orders").add("w", "windowed_by", window, grouped="g")
    builder.add("n", "reduce", {"add": "value"}, grouped="w").add("s", "suppress", config, table="n")

    compare_engines(builder.updates_to("out", "s"), cache=cache)


@pytest.mark.parametrize("cache", [False, True])
def test_a_reduction_behind_a_shuffle_does_the_same(cache: bool):
    builder = orders().add("k", "select_key", {"key": "count"}, stream="orders").add("g", "group_by_key", stream="k")
    builder.add("n", "reduce", {"add": "value"}, grouped="g")

    compare_engines(builder.updates_to("out", "n"), cache=cache)


def draw_counted(**window: Any) -> GraphBuilder:
    builder = orders().add("k", "select_key", {"key": "count"}, stream="orders").add("g", "group_by_key", stream="k")
    if window:
        builder.add("w", "windowed_by", window, grouped="g")
    return builder.add("n", "count", grouped="w" if window else "g").updates_to("out", "n")


@pytest.mark.parametrize("cache", [False, True])
def test_a_count_behind_a_shuffle_does_the_same(cache: bool):
    compare_engines(draw_counted(), cache=cache)


def test_a_record_that_fails_behind_a_count_reaches_the_dead_letters_whole():
    builder = draw_counted().add("u", "to_stream", table="n")
    builder.add("m", "map_values", {"value": "10 div (value - 2)"}, records="u").to("quotients", "m")

    compare_engines(builder)


@pytest.mark.parametrize("cache", [False, True])
def test_a_count_beside_a_reduction_of_one_grouping_does_the_same(cache: bool):
    builder = draw_counted().add("r", "reduce", {"add": "value"}, grouped="g")

    compare_engines(builder.updates_to("sums", "r"), cache=cache)


def test_values_stay_behind_where_only_a_count_by_key_follows():
    """Late records of a window are kept as examples, with their values."""
    by_group = orders().add("g", "group_by", {"key": "count"}, records="orders")

    assert list_shuffled_formats(draw_named(value="split_part(key, '|', 1)")) == ["unread"]
    assert list_shuffled_formats(draw_named(value="10 div value")) == ["packed"]
    assert list_shuffled_formats(by_group.add("n", "count", grouped="g").updates_to("out", "n")) == ["unread"]
    assert list_shuffled_formats(draw_counted()) == ["unread"]
    assert list_shuffled_formats(draw_counted(type="tumbling", size_ms=10_000)) == ["packed"]
    assert set(list_shuffled_formats(draw_counted().add("r", "reduce", {"add": "value"}, grouped="g"))) == {"packed"}


def draw_named(**shape: Any) -> GraphBuilder:
    builder = orders().add("k", "select_key", {"key": "id"}, stream="orders").add("g", "group_by_key", stream="k")
    builder.add("n", "count", grouped="g").add("u", "to_stream", table="n")
    return builder.add("m", "map_values", shape, records="u").to("out", "m", value_format="json")


def list_shuffled_formats(builder: GraphBuilder) -> list[str]:
    layout = lay_out(builder.graph)
    plans = [write_plan(layout, Options(), each.number, frozenset({"split_part"}))[0] for each in layout.sub_topologies]
    return [node["value"]["format"] for plan in plans for node in plan["nodes"] if node["op"] == "shuffle"]


ONE_READ = [
    b'{"id":"a","amount":1.5,"count":2}',
    b'{"id":7,"amount":1.5,"count":2}',
    b'{"count":2,"amount":1.5,"id":"a","id":"b"}',
    b'{"id":"a","amount":1.5,"count":2,"id":7}',
    b'{"count":2,"id":"\\ud800","amount":1.5}',
    b'{"count":2,"id":"\\u00e9","other":[1,{"id":1e400}],"amount":1.5}',
    b'{"count":02,"id":"a","amount":1.5}',
    b'{"count":9223372036854775808,"id":"a","amount":1.5}',
    b'{"count":-9223372036854775808,"id":"a","amount":1.5}',
    b'{"count":2.0,"id":"a","amount":1.5}',
    b'{"count":2,"id":"a","amount":1e309}',
    b'{"count":2,"id":"a\\x","amount":1.}',
    b'{"count":null,"id":null,"amount":-0}',
    b'{"other":1,"other":"2","amount":1.5}',
    b'{"amount":1.5,"deep":%s%s}' % (b"[" * 100, b"]" * 100),
    b'{"amount":1.5,"deep":%s%s}' % (b"[" * 210, b"]" * 210),
    b'{"amount":123456789012345678901234567890}',
    b'{"amount":1.5,}',
    b'{"amount":1.5} x',
    b'{"amount" : 1.5 , "id":"\x1f"}',
    b" { } ",
    b"[]",
    b"null",
]
"""Values of which a node reads one member at most."""


@pytest.mark.parametrize("read", ["amount", "count", "id", "5"])
def test_members_that_no_node_reads_are_checked_all_the_same(read: str):
    def pipe(driver: KernelDriver) -> None:
        with driver.batch():
            for number, value in enumerate(ONE_READ):
                driver.pipe_bytes("orders", b"k", value, number)

    compare_engines(
        orders().add("n", "map_values", {"fields": fields(kept=read)}, records="orders").to("out", "n"), pipe
    )


@pytest.mark.parametrize("time", [-1, 0, 2**62, 2**62 + 1, 2**63 - 1])
def test_the_same_times_of_records_are_refused(time: int):
    graph = GraphBuilder().stream("in", ANY).to("out", "in").graph
    seen = []
    for kind in (KernelDriver, PythonDriver):
        driver = kind(graph, wall_clock=lambda: 0)
        with driver.batch():
            driver.pipe("in", key="a", value=1, timestamp=5)
            driver.pipe("in", key="a", value=2, timestamp=time)
        seen.append(observe(driver))

    assert seen[0] == seen[1]
    assert len(seen[0]["dead letters"]) == (not 0 <= time <= 2**62)


def test_updates_that_are_held_back_are_seen_as_before_until_they_have_left():
    builder = orders().add("g", "group_by_key", stream="orders").add("n", "count", grouped="g")
    builder.add("s", "suppress", {"until": "time_limit", "wait_ms": 50}, table="n")
    builder.add("f", "filter", {"predicate": "value > 0"}, records="s")
    builder.add("j", "join", {"value": "named_struct('l', left, 'r', right)"}, left="s", right="f")

    def pipe(driver: KernelDriver) -> None:
        for batch in range(2):
            with driver.batch():
                for number in range(batch * 20, batch * 20 + 20):
                    driver.pipe_bytes("orders", b"k%d" % (number % 3), b"{}", number * 20)

    compare_engines(builder.updates_to("out", "j"), pipe)


def test_flat_maps_stop_at_as_many_results_of_one_record():
    builder = orders().add("a", "flat_map_values", {"values": "sequence(1, 11)"}, stream="orders")
    builder.add("b", "flat_map_values", {"values": "sequence(1, 100000)"}, stream="a")
    builder.add("f", "filter", {"predicate": "value = 7"}, records="b")

    compare_engines(builder.to("out", "f"), lambda driver: driver.pipe_bytes("orders", b"k", b"{}", 1))


@pytest.mark.parametrize("cache", [False, True])
def test_values_that_grow_deeper_with_each_record_do_the_same(cache: bool):
    def pipe(driver: KernelDriver) -> None:
        for count in (5, 300, 5):
            with driver.batch():
                for number in range(count):
                    driver.pipe_bytes("orders", b"k", b"{}", number)

    builder = orders().add("g", "group_by_key", stream="orders")
    builder.add("n", "aggregate", {"init": "0", "add": "named_struct('a', agg)"}, grouped="g")
    compare_engines(builder.updates_to("out", "n"), pipe, cache=cache)


def test_a_value_that_grows_deeper_with_each_record_does_not_end_the_process():
    """A value of so many levels would need more than the stack of a thread."""
    builder = orders().add("g", "group_by_key", stream="orders")
    builder.add("n", "reduce", {"add": "named_struct('a', agg)"}, grouped="g").updates_to("out", "n")
    layout = lay_out(builder.graph)
    module = kernel.load()
    assert module is not None
    written, _ = write_plan(layout, Options(), 0, frozenset(module.known_functions()))
    count = 200_000

    def repeat(data: bytes) -> tuple[None, memoryview, memoryview, int]:
        ends = memoryview(array("i", range(0, len(data) * count + 1, len(data)))).cast("B").cast("b")
        return None, ends, memoryview(data * count).cast("b"), 0

    columns = (0, 1, repeat(b"k"), repeat(b"{}"), None, 0, 0)
    assert module.Plan(orjson.dumps(written)).run(0, MemoryState(), count, *columns) is None


def test_plans_of_many_sub_topologies_are_made_once():
    builder = GraphBuilder()
    for number in range(70):
        builder.stream(f"in{number}", ORDER).to(f"out{number}", f"in{number}")
    layout = lay_out(builder.graph)
    assert len(layout.sub_topologies) == 70

    first, again = ([plan(layout, Options(), each.number) for each in layout.sub_topologies] for _ in range(2))

    assert all(one is other for one, other in zip(first, again, strict=True))
