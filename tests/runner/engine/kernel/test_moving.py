"""A job moves between the kernel and the Python engine between two batches: both keep the same bytes of state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import orjson
import pytest

from designer.values.schemas import DOUBLE, INTEGER, STRING, struct
from runner import kernel
from runner.engine.kernel.planning import KernelPlan, write_plan
from runner.engine.kernel.running import run
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.options import Options
from runner.engine.records.record import Row
from runner.engine.stores.state import MemoryState
from runner.engine.tasks.task import Task
from tests.runner.graph_builder import GraphBuilder
from tests.runner.kernel_driver import KernelDriver, make_columns

ORDER = struct(id=STRING, amount=DOUBLE, count=INTEGER)


def grouped() -> GraphBuilder:
    return GraphBuilder().stream("orders", ORDER).add("g", "group_by_key", stream="orders")


def windowed(**window: Any) -> GraphBuilder:
    return grouped().add("w", "windowed_by", window, grouped="g").add("n", "count", grouped="w").updates_to("out", "n")


ENGINES: list[Literal["kernel", "python"]] = ["kernel", "python", "kernel", "kernel", "python"]
STORES: dict[str, Callable[[], GraphBuilder]] = {
    "counts": lambda: grouped().add("n", "count", grouped="g").updates_to("out", "n"),
    "reduced values": lambda: (
        grouped()
        .add(
            "n",
            "reduce",
            {"add": "named_struct('id', agg.id, 'amount', agg.amount + amount, 'count', count)"},
            grouped="g",
        )
        .updates_to("out", "n")
    ),
    "parts of functions": lambda: (
        grouped()
        .add(
            "n",
            "aggregate",
            {
                "functions": [
                    {"name": "mean", "function": "avg", "expression": "amount"},
                    {"name": "last", "function": "last", "expression": "id"},
                ]
            },
            grouped="g",
        )
        .updates_to("out", "n")
    ),
    "tumbling windows": lambda: windowed(type="tumbling", size_ms=10_000, grace_ms=5_000),
    "hopping windows": lambda: windowed(type="hopping", size_ms=10_000, advance_ms=5_000),
    "windows of a calendar": lambda: windowed(type="calendar", unit="day", zone="Europe/Berlin", grace_ms=5_000),
    "windows of a calendar that wait": lambda: windowed(type="calendar", unit="day", emit="on_close", grace_ms=9_000),
    "sliding windows": lambda: windowed(type="sliding", difference_ms=6_000, grace_ms=5_000),
    "sessions": lambda: windowed(type="session", gap_ms=5_000, grace_ms=5_000),
    "windows that wait": lambda: windowed(type="hopping", size_ms=10_000, advance_ms=5_000, emit="on_close"),
    "sessions that wait": lambda: windowed(type="session", gap_ms=5_000, emit="on_close"),
    "rows of groups": lambda: (
        GraphBuilder()
        .stream("orders", ORDER)
        .add("t", "to_table", {"store": "rows"}, stream="orders")
        .add("g", "group_by", {"key": "count"}, records="t")
        .add("n", "aggregate", {"functions": [{"name": "s", "function": "sum", "expression": "amount"}]}, grouped="g")
        .updates_to("out", "n")
    ),
    "all values of groups": lambda: (
        GraphBuilder()
        .stream("orders", ORDER)
        .add("t", "to_table", {"store": "rows"}, stream="orders")
        .add("g", "group_by", {"key": "count"}, records="t")
        .add(
            "n",
            "aggregate",
            {
                "functions": [
                    {"name": name, "function": name, "expression": "amount"} for name in ("min", "max", "first", "last")
                ]
            },
            grouped="g",
        )
        .updates_to("out", "n")
    ),
    "versions of rows": lambda: (
        GraphBuilder()
        .table("orders", ORDER, history_ms=9_000)
        .add("f", "filter", {"predicate": "count > 1"}, records="orders")
        .add("s", "to_stream", table="orders")
        .add("j", "left_join", {"value": "named_struct('a', left.id, 'b', right)"}, left="s", right="f")
        .to("out", "j")
    ),
    "records that wait for versions": lambda: (
        GraphBuilder()
        .table("orders", ORDER, history_ms=90_000)
        .add("s", "to_stream", table="orders")
        .add(
            "j",
            "left_join",
            {"value": "named_struct('a', left.id, 'b', right)", "grace_ms": 5_000},
            left="s",
            right="orders",
        )
        .to("out", "j")
    ),
    "updates that wait, up to some bytes": lambda: (
        GraphBuilder()
        .stream("orders", ORDER)
        .add("t", "to_table", {"store": "rows"}, stream="orders")
        .add("s", "suppress", {"until": "time_limit", "max_bytes": 400}, table="t")
        .updates_to("out", "s")
    ),
    "updates that wait": lambda: (
        GraphBuilder()
        .stream("orders", ORDER)
        .add("t", "to_table", {"store": "rows"}, stream="orders")
        .add("s", "suppress", {"until": "time_limit", "wait_ms": 11_000}, table="t")
        .updates_to("out", "s")
    ),
    "rows of a table": lambda: (
        GraphBuilder()
        .stream("orders", ORDER)
        .add("t", "to_table", {"store": "rows"}, stream="orders")
        .updates_to("out", "t")
    ),
    "rows with a time to live": lambda: (
        GraphBuilder()
        .stream("orders", ORDER)
        .add("t", "to_table", {"store": "rows", "ttl_ms": 3_000}, stream="orders")
        .updates_to("out", "t")
    ),
    "counts with a time to live": lambda: (
        grouped().add("n", "count", {"ttl_ms": 4_500}, grouped="g").updates_to("out", "n")
    ),
    "records of a join of streams": lambda: (
        GraphBuilder()
        .stream("orders", ORDER)
        .add("f", "filter", {"predicate": "count > 1"}, records="orders")
        .add(
            "j",
            "outer_join",
            {"before_ms": 0, "after_ms": 4_000, "grace_ms": 9_000, "value": "named_struct('a', left.id, 'b', right)"},
            left="f",
            right="orders",
        )
        .to("out", "j")
    ),
    "records seen": lambda: (
        GraphBuilder()
        .stream("orders", ORDER)
        .add("d", "deduplicate", {"by": "count", "within_ms": 9_000}, stream="orders")
        .add("e", "deduplicate", {"within_ms": 15_000}, stream="orders")
        .to("out", "d")
        .to("again", "e")
    ),
    "rows of a join": lambda: (
        grouped()
        .add("t", "to_table", {"store": "rows"}, stream="orders")
        .add("n", "count", grouped="g")
        .add(
            "j", "outer_join", {"value": "named_struct('a', left.id, 'b', right)", "store": "both"}, left="t", right="n"
        )
        .updates_to("out", "j")
    ),
    "subscriptions to rows": lambda: (
        GraphBuilder()
        .stream("orders", ORDER)
        .add("t", "to_table", {"store": "rows"}, stream="orders")
        .add("f", "filter", {"predicate": "count > 1"}, records="t")
        .add(
            "j",
            "left_join",
            {"foreign_key": "'k' || count", "value": "named_struct('a', left.id, 'b', right)", "store": "both"},
            left="f",
            right="t",
        )
        .updates_to("out", "j")
    ),
    "rows of a filtered table": lambda: (
        GraphBuilder()
        .stream("orders", ORDER)
        .add("t", "to_table", {"store": "rows"}, stream="orders")
        .add("f", "filter", {"predicate": "count > 1", "store": "few"}, records="t")
        .updates_to("out", "f")
    ),
}


def pipe_batch(driver: KernelDriver, batch: int, stretch: int) -> None:
    with driver.batch():
        for number in range(batch * 30, batch * 30 + 30):
            value = b'{"id":"o%d","amount":%d.25,"count":%d}' % (number, number, number % 5)
            time = number * 700 - (2_000 if number % 6 == 5 else 0)
            time *= stretch
            driver.pipe_bytes("orders", b"k%d" % (number % 7), None if number % 10 == 9 else value, time)


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("store", STORES)
def test_state_goes_on_in_either_direction(store: str, cache: bool):
    graph = STORES[store]().graph
    moving, staying = KernelDriver(graph, cache=cache), KernelDriver(graph, cache=cache, engine="python")

    for batch, engine in enumerate(ENGINES):
        moving.move_to(engine)
        stretch = 20_000 if "calendar" in store else 1
        pipe_batch(moving, batch, stretch)
        pipe_batch(staying, batch, stretch)

        assert isinstance(moving.state, MemoryState) and isinstance(staying.state, MemoryState)
        assert moving.state.values == staying.state.values
        assert moving.rows() == staying.rows()
    assert moving.rows_in_kernel >= 90


def test_a_panic_costs_only_time_and_names_its_node(caplog: pytest.LogCaptureFixture):
    graph = (
        GraphBuilder()
        .stream("orders", ORDER)
        .add("large", "filter", {"predicate": "amount > 2"}, records="orders")
        .to("out", "large")
        .graph
    )
    layout = lay_out(graph)
    module = kernel.load()
    assert module is not None
    json, nodes = write_plan(layout, Options(), 0, frozenset(module.known_functions()))
    next(node for node in json["nodes"] if node.get("op") == "filter")["keep"] = ["panic"]
    plan = KernelPlan(module.Plan(orjson.dumps(json)), nodes, is_stateless=True)
    task = Task(layout, 0, 0, MemoryState(), lambda row: None)
    row: Row = (0, b"k", b'{"id":"a","amount":3.5}', 5, None, 0, 0)

    found = [
        run(
            plan,
            task,
            lambda made, state: made.run(0, None, 1, *make_columns([row])),
            [row].__getitem__,
            [],
            print,
        )
    ]

    assert found == [None]
    assert "large" in plan.broken and "a test asked for this" in plan.broken
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_a_plan_of_an_unknown_part_names_it():
    module = kernel.load()
    assert module is not None

    with pytest.raises(ValueError, match="the operation teleport"):
        module.Plan(
            b'{"nodes":[{"name":"n","to":[],"op":"teleport"}],"entrances":[],"stores":[],"joins":[],"waiting":[],"buffers":[],"times":[],"flushes":[]}'
        )


def test_the_switch_turns_the_kernel_off(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(kernel.SWITCH, "off")

    assert kernel.load() is None
