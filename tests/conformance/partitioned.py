"""Topologies whose end does not depend on how tasks take turns: for several partitions.

Behind a re-keying, where Kafka leaves the order open, there are sums, counts and sets instead of sequences, and grace
without end.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from tests.conformance.product.translation import Step

EVER = 86_400_000
"""A grace (ms) that all records stay below."""


class Topology(NamedTuple):
    """Steps, and whether the sequence of each key is determined, not only its end."""

    steps: list[Step]
    level: Literal["per-key", "final"] = "final"


def step(op: str, name: str, source: str | list[str] | None = None, **fields: Any) -> Step:
    return {"op": op, "id": name, **({} if source is None else {"from": source}), **fields}


def stream(topic: str) -> Step:
    return step("stream", topic, topic=topic)


def table(topic: str, **fields: Any) -> Step:
    return step("table", topic, topic=topic, **fields)


def to(source: str, topic: str = "out") -> Step:
    return step("to", f"{topic}-sink", source, topic=topic)


def table_to(source: str) -> list[Step]:
    return [step("to_stream", "updates", source), to("updates")]


def fn(name: str, **fields: Any) -> dict[str, Any]:
    return {"fn": name, **fields}


def template(text: str) -> dict[str, Any]:
    return fn("template", template=text)


def join(kind: str, join_type: str, left: str, right: str, **fields: Any) -> Step:
    how = {"join_type": join_type, "kind": kind, "with": right, "joiner": template("{left}+{right}")}
    return step("join", "joined", left, **(how | fields))


def windows(source: str, kind: str, grace_ms: int, **fields: Any) -> Step:
    return step("windowed_by", "windows", source, type=kind, grace_ms=grace_ms, **fields)


LETTER = fn("char", of="value", index=0)
REFERENCE = fn("split", of="value", sep="|", index=1, null_values=["none"])
WITHIN = {"window_before_ms": 400, "window_after_ms": 250}

TOPOLOGIES = {
    "split": Topology(
        [
            stream("orders"),
            step("filter_not", "some", "orders", predicate=fn("mod_eq", of="value", mod=5, eq=0)),
            step(
                "split",
                "split",
                "some",
                branches=[{"id": "low", "predicate": fn("lt", of="value", than=20)}, {"id": "high"}],
            ),
            step("map_values", "named", "low", value=template("{key}={value}")),
            to("named"),
            to("high", "out2"),
        ],
        "per-key",
    ),
    "count-re-keyed": Topology(
        [
            stream("clicks"),
            step("group_by", "letters", "clicks", key=LETTER),
            step("count", "counted", "letters", materialized=True),
            *table_to("counted"),
        ]
    ),
    "reduce-merged": Topology(
        [
            stream("orders"),
            stream("returns"),
            step("merge", "both", ["orders", "returns"]),
            step("map", "re-keyed", "both", key=template("{value}"), value=fn("value")),
            step("repartition", "spread", "re-keyed"),
            step("group_by_key", "grouped", "spread"),
            step("reduce", "sums", "grouped", add=fn("sum")),
            *table_to("sums"),
        ]
    ),
    "flat-map": Topology(
        [
            stream("visits"),
            step("flat_map", "copies", "visits", repeat="key", key=template("{tens}"), value=fn("value")),
            step("group_by_key", "grouped", "copies"),
            step("aggregate", "sums", "grouped", init=0, add=fn("sum_parsed")),
            *table_to("sums"),
        ]
    ),
    "tumbling": Topology(
        [
            stream("orders"),
            step("group_by_key", "grouped", "orders"),
            windows("grouped", "tumbling", 100, size_ms=500),
            step("aggregate", "texts", "windows", init="", add=template("{agg}+{value}")),
            *table_to("texts"),
        ],
        "per-key",
    ),
    "hopping-re-keyed": Topology(
        [
            stream("clicks"),
            step("group_by", "letters", "clicks", key=LETTER),
            windows("letters", "hopping", EVER, size_ms=1_000, advance_ms=400),
            step("count", "counted", "windows"),
            *table_to("counted"),
        ]
    ),
    "sliding": Topology(
        [
            stream("orders"),
            step("group_by_key", "grouped", "orders"),
            windows("grouped", "sliding", 200, time_difference_ms=600),
            step("reduce", "sums", "windows", add=fn("sum")),
            *table_to("sums"),
        ],
        "per-key",
    ),
    "sessions-re-keyed": Topology(
        [
            stream("orders"),
            step("select_key", "re-keyed", "orders", key=template("{value}")),
            step("group_by_key", "grouped", "re-keyed"),
            windows("grouped", "session", EVER, gap_ms=400),
            step("aggregate", "sums", "windows", init=0, add=fn("sum"), merger=fn("sum_agg")),
            *table_to("sums"),
        ]
    ),
    "sessions-on-close": Topology(
        [
            stream("clicks"),
            step("group_by_key", "grouped", "clicks"),
            windows("grouped", "session", 150, gap_ms=500, emit="on_close"),
            step("count", "counted", "windows"),
            *table_to("counted"),
        ],
        "per-key",
    ),
    "suppressed-then-re-keyed": Topology(
        [
            stream("orders"),
            step("group_by_key", "grouped", "orders"),
            windows("grouped", "tumbling", 100, size_ms=800),
            step("count", "counted", "windows"),
            step("suppress", "ends", "counted", until="window_close"),
            step("to_stream", "streamed", "ends", key=template("{window_start}")),
            step("group_by_key", "by-window", "streamed"),
            step("reduce", "sums", "by-window", add=fn("sum")),
            *table_to("sums"),
        ]
    ),
    "inner-streams": Topology(
        [
            stream("orders"),
            stream("clicks"),
            join("inner", "stream-stream", "orders", "clicks", grace_ms=100, **WITHIN),
            to("joined"),
        ],
        "per-key",
    ),
    "outer-streams": Topology(
        [
            stream("orders"),
            stream("clicks"),
            join("outer", "stream-stream", "orders", "clicks", grace_ms=100, **WITHIN),
            to("joined"),
        ],
        "per-key",
    ),
    "streams-re-keyed-counted": Topology(
        [
            stream("trades"),
            stream("clicks"),
            step("select_key", "re-keyed", "trades", key=REFERENCE),
            join("inner", "stream-stream", "re-keyed", "clicks", grace_ms=EVER, **WITHIN),
            step("group_by", "pairs", "joined", key=fn("value")),
            windows("pairs", "tumbling", EVER, size_ms=5_000),
            step("count", "counted", "windows"),
            *table_to("counted"),
        ]
    ),
    "stream-table-re-keyed": Topology(
        [
            stream("trades"),
            table("customers"),
            step("select_key", "re-keyed", "trades", key=REFERENCE),
            join("left", "stream-table", "re-keyed", "customers"),
            step("select_key", "each", "joined", key=fn("value")),
            to("each"),
        ]
    ),
    "versioned-table": Topology(
        [
            stream("clicks"),
            table("prices", versioned=True, history_retention_ms=EVER),
            join("left", "stream-table", "clicks", "prices"),
            to("joined"),
        ],
        "per-key",
    ),
    "global-table": Topology(
        [
            stream("trades"),
            step("global_table", "places", topic="places"),
            join("left", "stream-globaltable", "trades", "places", key_selector=LETTER),
            step("group_by", "by-place", "joined", key=fn("value")),
            step("count", "counted", "by-place"),
            *table_to("counted"),
        ]
    ),
    "outer-tables": Topology(
        [
            table("customers"),
            table("prices"),
            join("outer", "table-table", "customers", "prices", materialized=True),
            *table_to("joined"),
        ],
        "per-key",
    ),
    "table-re-grouped": Topology(
        [
            table("prices"),
            step("filter", "some", "prices", predicate=fn("lt", of="value", than=40)),
            step("group_by", "by-price", "some", key=template("{value}"), value=fn("value")),
            step("aggregate", "sums", "by-price", init=0, add=fn("sum"), sub=fn("subtract")),
            *table_to("sums"),
        ]
    ),
    "foreign-key": Topology(
        [
            table("links"),
            table("owners"),
            join("inner", "table-table-fk", "links", "owners", foreign_key=REFERENCE),
            *table_to("joined"),
        ]
    ),
    "foreign-key-left-re-grouped": Topology(
        [
            table("links"),
            table("customers"),
            join("left", "table-table-fk", "links", "customers", foreign_key=REFERENCE, materialized=True),
            step("group_by", "letters", "joined", key=LETTER, value=fn("value")),
            step("count", "counted", "letters"),
            *table_to("counted"),
        ]
    ),
    "cogrouped": Topology(
        [
            stream("orders"),
            stream("trades"),
            step("group_by_key", "bought", "orders"),
            step("group_by", "traded", "trades", key=REFERENCE),
            step(
                "cogroup",
                "both",
                inputs=[{"from": "bought", "add": fn("sum")}, {"from": "traded", "add": fn("increment")}],
            ),
            step("aggregate", "sums", "both", init=0),
            *table_to("sums"),
        ]
    ),
    "tables-of-streams": Topology(
        [
            stream("orders"),
            stream("clicks"),
            step("select_key", "re-keyed", "orders", key=template("{key}~")),
            step("to_table", "last", "re-keyed"),
            step("select_key", "re-keyed-too", "clicks", key=template("{key}~")),
            step("to_table", "last-too", "re-keyed-too", materialized=True),
            join("left", "table-table", "last", "last-too"),
            step("map_values", "named", "joined", value=template("{key}: {value}")),
            *table_to("named"),
        ]
    ),
    "read-back-as-a-table": Topology(
        [
            table("prices"),
            step("filter", "some", "prices", predicate=fn("lt", of="value", than=40)),
            step("to_stream", "changes", "some"),
            to("changes", "cheap"),
            table("cheap"),
            step("group_by", "by-price", "cheap", key=template("{value}"), value=fn("value")),
            step("count", "counted", "by-price"),
            *table_to("counted"),
        ]
    ),
    "round-through-a-topic": Topology(
        [
            stream("orders"),
            step("filter", "some", "orders", predicate=fn("lt", of="value", than=10)),
            step("map_values", "begun", "some", value=fn("const", value=0)),
            step("to", "begin", "begun", topic="steps"),
            stream("steps"),
            step("filter", "on", "steps", predicate=fn("lt", of="value", than=3)),
            step("map_values", "next", "on", value=fn("lookup", of="value", table={"0": 1, "1": 2, "2": 3})),
            step("to", "again", "next", topic="steps"),
            step("group_by_key", "by-key", "steps"),
            step("aggregate", "sums", "by-key", init=0, add=fn("sum")),
            *table_to("sums"),
        ]
    ),
}
