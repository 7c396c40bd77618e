"""Nothing vanishes uncounted: the outcomes of each operator balance where its expressions fail, too."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from designer.values.schemas import INTEGER, STRING, struct
from runner.engine.code import user_code
from runner.engine.trial import Trial
from tests.balance import GARBAGE, imbalances, pipe
from tests.runner.graph_builder import GraphBuilder

RECORD = struct(n=INTEGER, k=STRING)
SHARE = "100 / value.n"
"""Fails for 0."""
ADD = {"init": "0", "add": "agg + 100 / (agg + value.n)"}
"""Fails for some windows of a record and not for others."""
JOINED = "100 / left.n + coalesce(right.n, 0)"
HALF_A_DAY_MS = 43_200_000
CODE = """
class Mine(Processor):
    def init(self, context):
        self.context = context
        self.windows = context.store("windows")
        context.schedule(7, "stream_time", self.tick)

    def tick(self, now):
        if now % 3 == 0:
            raise ValueError("no tick")
        self.context.forward(Record("tick", {"n": 1, "k": "t"}, now))

    def process(self, record):
        self.windows.put("w", 1, record.timestamp)
        for _ in range(record.value["n"] % 7):
            self.context.forward(record)
        100 / (record.value["n"] - 2)
"""
WINDOWS: Mapping[str, dict[str, Any]] = {
    "tumbling": {"size_ms": 10, "grace_ms": 5},
    "hopping": {"size_ms": 10, "advance_ms": 3, "grace_ms": 5},
    "sliding": {"difference_ms": 10, "grace_ms": 5},
    "session": {"gap_ms": 5, "grace_ms": 5},
    "calendar": {"unit": "day", "zone": "Europe/Copenhagen", "grace_ms": 3_600_000},
    "unlimited": {"start_ms": 50},
}


def one(operator: str, port: str = "stream", **config: Any) -> GraphBuilder:
    return GraphBuilder().stream("a", RECORD).add("it", operator, config, **{port: "a"}).to("out", "it")


def of_table(operator: str, port: str, **config: Any) -> GraphBuilder:
    return GraphBuilder().table("a", RECORD).add("it", operator, config, **{port: "a"}).updates_to("out", "it")


def joined(operator: str, left: str = "stream", right: str = "stream", **config: Any) -> GraphBuilder:
    builder: GraphBuilder = getattr(getattr(GraphBuilder(), left)("a", RECORD), right)("b", RECORD)
    builder.add("it", operator, {"value": JOINED} | config, left="a", right="b")
    return builder.updates_to("out", "it") if left == "table" else builder.to("out", "it")


def windowed(kind: str, **config: Any) -> GraphBuilder:
    builder = GraphBuilder().stream("a", RECORD).add("grouped", "group_by_key", stream="a")
    builder.add("windows", "windowed_by", {"type": kind} | WINDOWS[kind] | config, grouped="grouped")
    merge = {"merge": "agg + 100 / other"} if kind == "session" else {}
    return builder.add("it", "aggregate", ADD | merge, grouped="windows").updates_to("out", "it")


def looked_up() -> GraphBuilder:
    """A join that asks a table for rows that are computed, by a filter on a division."""
    builder = GraphBuilder().stream("a", RECORD).table("b", RECORD)
    builder.add("dear", "filter", {"predicate": "100 / value.n > 20"}, records="b")
    builder.add("more", "map_values", {"value": "value.n + 100 / (value.n - 2)"}, records="dear")
    return builder.add("it", "join", {"value": "right"}, left="a", right="more").to("out", "it")


def unsent() -> GraphBuilder:
    """A key that its format cannot write, on its way to a shuffle and to a topic."""
    builder = GraphBuilder().stream("a", RECORD)
    builder.add("by", "select_key", {"key": "value.n", "key_format": "integer"}, stream="a")
    builder.add("grouped", "group_by_key", stream="by").add("it", "count", grouped="grouped")
    return builder.updates_to("out", "it").to("copies", "by")


def cogrouped() -> GraphBuilder:
    builder = GraphBuilder().stream("a", RECORD).stream("b", RECORD)
    builder.add("one", "group_by_key", stream="a").add("two", "group_by_key", stream="b")
    adds = [{"name": "x", "add": "agg + 100 / value.n"}, {"name": "y", "add": "agg + value.n"}]
    builder.add("both", "cogroup", {"inputs": adds}, x="one", y="two")
    builder.add("hops", "windowed_by", {"type": "hopping"} | WINDOWS["hopping"], grouped="both")
    builder.add("it", "aggregate", {"init": "0"}, grouped="hops").updates_to("out", "it")
    return builder.add("too", "aggregate", {"init": "0"}, grouped="both").updates_to("out2", "too")


def versioned() -> GraphBuilder:
    builder = GraphBuilder().stream("a", RECORD).table("b", RECORD, history_ms=20)
    return builder.add("it", "left_join", {"value": JOINED, "grace_ms": 10}, left="a", right="b").to("out", "it")


def suppressed() -> GraphBuilder:
    builder = windowed("tumbling")
    builder.add("ends", "suppress", {"until": "window_close"}, table="it")
    return builder.updates_to("out2", "ends")


GRAPHS: Mapping[str, Callable[[], GraphBuilder]] = {
    "filter": lambda: one("filter", "records", predicate=f"{SHARE} > 20"),
    "map_values": lambda: one("map_values", "records", value=SHARE),
    "select_key": lambda: one("select_key", key=SHARE),
    "deduplicate": lambda: one("deduplicate", within_ms=10, by=SHARE),
    "deduplicate by key": lambda: one("deduplicate", within_ms=10),
    "flat_map": lambda: one("flat_map", items="sequence(1, value.n)", key=SHARE, value="item"),
    "flat_map_values": lambda: one("flat_map_values", values="sequence(1, value.n)", value="100 / (item - 2)"),
    "split": lambda: (
        GraphBuilder()
        .stream("a", RECORD)
        .add("it", "split", {"branches": [{"name": "low", "predicate": f"{SHARE} > 20"}]}, stream="a")
        .to("out", "it:low")
    ),
    "peek": lambda: one("peek", message=SHARE),
    "process": lambda: one(
        "process", code=CODE, stores=[{"name": "windows", "kind": "window", "size_ms": 5, "retention_ms": 60_000}]
    ),
    "table filter": lambda: of_table("filter", "records", predicate=f"{SHARE} > 20", store="kept"),
    "re-grouped table": lambda: (
        GraphBuilder()
        .table("a", RECORD)
        .add("by", "group_by", {"key": "value.k", "value": SHARE}, records="a")
        .add(
            "it", "aggregate", {"init": "0", "add": "agg + value", "subtract": "agg - 100 / (value - 50)"}, grouped="by"
        )
        .updates_to("out", "it")
    ),
    "rows with a time to live": lambda: GraphBuilder().table("a", RECORD, ttl_ms=15).updates_to("out", "a"),
    "counts with a time to live": lambda: (
        GraphBuilder()
        .stream("a", RECORD)
        .add("grouped", "group_by", {"key": "value.k"}, records="a")
        .add("it", "count", {"ttl_ms": 15}, grouped="grouped")
        .updates_to("out", "it")
    ),
    **{f"{kind} windows": partial(windowed, kind) for kind in WINDOWS},
    **{f"{kind} windows on close": partial(windowed, kind, emit="on_close") for kind in list(WINDOWS)[:5]},
    "cogroup": cogrouped,
    "suppress": suppressed,
    **{
        f"{operator} of streams": partial(joined, operator, before_ms=5, after_ms=5, grace_ms=5)
        for operator in ("join", "left_join", "outer_join")
    },
    "join with a table": lambda: joined("join", right="table"),
    "join with a global table": lambda: joined("left_join", right="global_table", key="value.k || 100 / value.n"),
    "join with a versioned table": versioned,
    "join with a computed table": looked_up,
    "join of tables": lambda: joined("outer_join", "table", "table", store="kept"),
    "join by a foreign key": lambda: joined(
        "join", "table", "table", foreign_key="value.k || cast(100 / value.n as string)"
    ),
    "left join by a foreign key": lambda: joined(
        "left_join", "table", "table", foreign_key="value.k || cast(100 / value.n as string)"
    ),
    "keys that cannot be written": unsent,
}


@pytest.fixture(autouse=True)
def python_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")
    monkeypatch.setattr(user_code, "_is_trusted", True)


@pytest.mark.parametrize("options", [{}, {"cache": True, "is_one_life": False}, {"is_layered": True}], ids=str)
@pytest.mark.parametrize("name", GRAPHS)
def test_the_counters_balance(name: str, options: dict[str, Any]) -> None:
    trial, chance, time = Trial(GRAPHS[name]().graph, wall_clock=lambda: 0, **options), random.Random(name), 0

    for _ in range(10):
        with trial.batch():
            for _ in range(20):
                time = max(0, time + chance.choice((0, 1, 2, 3, 12, -3, -9, -20, 60)))
                value = chance.choice(
                    ({"n": chance.choice((0, 1, 2, 5, 2**40)), "k": "x"}, {"n": 4, "k": None}, None, GARBAGE)
                )
                topic = chance.choice(list(trial.layout.sources_by_topic))
                scale = HALF_A_DAY_MS if name.startswith("calendar") else 1
                pipe(trial, topic, chance.choice(("x", "y", "z", None, GARBAGE)), value, time * scale)

    assert imbalances(trial) == {}
    assert trial.failures()
