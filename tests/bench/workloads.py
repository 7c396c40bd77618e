"""The workloads as topologies of ours, and how a result of theirs, or of another side's, is read."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

WORKLOADS: Mapping[str, str] = {
    "W1": "amount >= 100, a smaller record with tax",
    "W2": "count per customer in tumbling minutes, grace 10 s",
    "W3": "left join of customers, then count per tier and region",
    "W4": "count, sum and average per customer",
}
OTHERS: Mapping[str, str] = {
    "hopping": "count per customer in minutes that start every 20 s, grace 10 s",
    "sliding": "count per customer in sliding windows of 30 s, grace 10 s",
    "session": "count per customer in sessions with a gap of 10 s, grace 10 s",
    "stream join": "orders and payments of a customer at most 2 s apart, grace 10 min",
    "fraud": "large orders, more than 12 orders in a minute, and platinum customers from a table, merged",
    "word count": "the words of each order, counted",
}
"""Workloads beside Kafka Streams alone."""
VARIANTS: Mapping[str, str] = {
    "W1-wide": "W1, with all fields in the result",
    "W3-twice": "left joins of two tables in a row, then count per tier and home",
}
STRING, DOUBLE, INTEGER = {"kind": "string"}, {"kind": "double"}, {"kind": "integer"}
ORDER = {
    "order_id": STRING,
    "customer_id": STRING,
    "region": STRING,
    "product": STRING,
    "amount": DOUBLE,
    "ts": INTEGER,
    "currency": STRING,
    "channel": STRING,
}
NOTE = {"note": STRING}
"""What padded orders have besides."""
CUSTOMER = {"customer_id": STRING, "name": STRING, "tier": STRING, "region": STRING}
PAYMENT = {"payment_id": STRING, "customer_id": STRING}
HOME = {"customer_id": STRING, "home": STRING}
Json = dict[str, Any]


def graph(
    workload: str,
    topic: str,
    output: str,
    more: Mapping[str, Json] = MappingProxyType({}),
    source: Mapping[str, Any] = MappingProxyType({}),
) -> Json:
    """The topology of a workload, from the orders in `topic`, which have these fields more, to `output`.

    `source` is what the form of the source says of another format than JSON. The results stay JSON.
    """
    edges, nodes = _PARTS[workload]
    operator, config = reads("stream", topic, {**ORDER, **more})
    sink = {"topic": output, **_SINKS.get(workload, {}), **({"value_format": "json"} if source else {})}
    return draw(edges, {"orders": (operator, {**config, **source}), "out": ("to", sink)} | nodes)


def draw(edges: str, nodes: Mapping[str, tuple[str, Json]]) -> Json:
    """A topology of `edges` ("numbers > counts.grouped, …") between nodes, each an operator and its config by id."""
    found = [_node(name, *drawn, place) for place, (name, drawn) in enumerate(nodes.items())]
    return {"nodes": found, "edges": [_edge(*edge.split(" > ")) for edge in edges.split(", ")]}


def reads(operator: str, topic: str, fields: Mapping[str, Json]) -> tuple[str, Json]:
    """A source: the operator and its config, keys as text and values as JSON with these fields."""
    held = {"kind": "struct", "fields": [{"name": name, "type": kind} for name, kind in fields.items()]}
    formats = {"key_format": "string", "value_format": "json", "key_type": STRING}
    return operator, {"topic": topic, "value_type": held, **formats}


def key_of(workload: str, key: Any, value: Any) -> Any:
    """What a result is a result for: the key of `orders.expected`."""
    match workload:
        case "W1" | "W1-wide":
            return int(value["order_id"][1:])
        case "W2":
            return (value["customer_id"], value["window_start"]) if "window_start" in value else _window(key)
        case "W3" | "W3-twice":
            return f"{value['tier']}|{value['region']}"
        case "hopping" | "sliding" | "session":
            customer, start, end = key.values() if isinstance(key, dict) else key.split("@")
            return customer, int(start), int(end)
        case "stream join":
            return int(value["order_id"][1:]), int(value["payment_id"][1:])
        case "fraud":
            return value["kind"], value["id"]
        case "word count":
            return key
        case _:
            return value.get("customer_id", key)


def value_of(workload: str, value: Any) -> Any:
    """The result, as `orders.expected` has it."""
    match workload:
        case "W1" | "W1-wide":
            return round(value["amount_with_tax"], 6)
        case "W4":
            return value["count"], round(value["sum"], 2)
        case "hopping" | "sliding" | "session" | "word count":
            return int(value)
        case "stream join":
            return round(value["amount"], 2)
        case _:
            return value["count"]


def _window(key: Json) -> tuple[str, int]:
    return key["key"], key["start"]


def _fields(**expressions: str) -> Json:
    return {"fields": [{"name": name, "expression": text} for name, text in expressions.items()]}


def _node(name: str, operator: str, config: Json, place: int) -> Json:
    return {"id": name, "operator": operator, "config": config, "position": {"x": place * 220, "y": 0}}


def _edge(source: str, target: str) -> Json:
    node, port = target.split(".")
    return {"source": source, "source_port": "result", "target": node, "target_port": port}


_COUNTED: tuple[str, Json] = ("to_stream", {})
_BY_TIER: dict[str, tuple[str, Json]] = {
    "grouped": ("group_by_key", {}),
    "counts": ("count", {}),
    "updates": _COUNTED,
    "named": (
        "map_values",
        _fields(tier="split_part(key, '|', 1)", region="split_part(key, '|', 2)", count="value"),
    ),
}
_SINKS: Mapping[str, Json] = {
    name: {"value_format": "json"} for name in ("hopping", "sliding", "session", "word count")
}
"""How counts are written that have no fields."""


def _count_windows(**windows: Any) -> tuple[str, dict[str, tuple[str, Json]]]:
    """Counts per customer in windows. The results keep their windowed keys."""
    return (
        "orders > by-key.stream, by-key > windows.grouped, windows > counts.grouped, counts > updates.table, "
        "updates > out.stream",
        {
            "by-key": ("group_by_key", {}),
            "windows": ("windowed_by", {**windows, "grace_ms": 10_000}),
            "counts": ("count", {}),
            "updates": _COUNTED,
        },
    )


_PARTS: Mapping[str, tuple[str, dict[str, tuple[str, Json]]]] = {
    "W1": (
        "orders > large.records, large > taxed.records, taxed > out.stream",
        {
            "large": ("filter", {"predicate": "amount >= 100"}),
            "taxed": (
                "map_values",
                _fields(
                    order_id="order_id", customer_id="customer_id", amount="amount", amount_with_tax="amount * 1.2"
                ),
            ),
        },
    ),
    "W1-wide": (
        "orders > large.records, large > taxed.records, taxed > out.stream",
        {
            "large": ("filter", {"predicate": "amount >= 100"}),
            "taxed": ("map_values", _fields(**{name: name for name in ORDER}, amount_with_tax="amount * 1.2")),
        },
    ),
    "W2": (
        "orders > by-key.stream, by-key > minutes.grouped, minutes > counts.grouped, counts > updates.table, "
        "updates > named.records, named > out.stream",
        {
            "by-key": ("group_by_key", {}),
            "minutes": ("windowed_by", {"type": "tumbling", "size_ms": 60_000, "grace_ms": 10_000}),
            "counts": ("count", {}),
            "updates": _COUNTED,
            "named": ("map_values", _fields(customer_id="key", window_start="window.start", count="value")),
        },
    ),
    "W3": (
        "orders > enriched.left, customers > enriched.right, enriched > by-tier.stream, by-tier > grouped.stream, "
        "grouped > counts.grouped, counts > updates.table, updates > named.records, named > out.stream",
        {
            "customers": reads("table", "customers", CUSTOMER),
            "enriched": (
                "left_join",
                {"keep": False}
                | _fields(
                    order_id="order_id",
                    customer_id="customer_id",
                    region="left.region",
                    tier="right.tier",
                    name="right.name",
                    amount="amount",
                ),
            ),
            "by-tier": ("select_key", {"key": "tier || '|' || region"}),
            **_BY_TIER,
        },
    ),
    "W3-twice": (
        "orders > enriched.left, customers > enriched.right, enriched > housed.left, homes > housed.right, "
        "housed > by-tier.stream, by-tier > grouped.stream, grouped > counts.grouped, counts > updates.table, "
        "updates > named.records, named > out.stream",
        {
            "customers": reads("table", "customers", CUSTOMER),
            "homes": reads("table", "homes", HOME),
            "enriched": (
                "left_join",
                {"keep": False} | _fields(order_id="order_id", tier="right.tier", amount="amount"),
            ),
            "housed": (
                "left_join",
                {"keep": False} | _fields(order_id="order_id", tier="tier", home="right.home", amount="amount"),
            ),
            "by-tier": ("select_key", {"key": "tier || '|' || home"}),
            **_BY_TIER,
        },
    ),
    "W4": (
        "orders > by-key.stream, by-key > stats.grouped, stats > updates.table, updates > out.stream",
        {
            "by-key": ("group_by_key", {}),
            "stats": (
                "aggregate",
                {
                    "functions": [
                        {"name": "count", "function": "count"},
                        {"name": "sum", "function": "sum", "expression": "amount"},
                        {"name": "avg", "function": "avg", "expression": "amount"},
                    ]
                },
            ),
            "updates": _COUNTED,
        },
    ),
    "hopping": _count_windows(type="hopping", size_ms=60_000, advance_ms=20_000),
    "sliding": _count_windows(type="sliding", difference_ms=30_000),
    "session": _count_windows(type="session", gap_ms=10_000),
    "stream join": (
        "orders > paid.left, payments > paid.right, paid > out.stream",
        {
            "payments": reads("stream", "payments", PAYMENT),
            "paid": (
                "join",
                {"before_ms": 2_000, "after_ms": 2_000, "grace_ms": 600_000, "keep": False}
                | _fields(order_id="left.order_id", payment_id="right.payment_id", amount="left.amount"),
            ),
        },
    ),
    "fraud": (
        "orders > large.records, large > large-alerts.records, large-alerts > alerts.streams, "
        "orders > by-key.stream, by-key > minutes.grouped, minutes > counts.grouped, counts > updates.table, "
        "updates > rapid.records, rapid > rapid-alerts.records, rapid-alerts > plain.stream, plain > alerts.streams, "
        "orders > known.left, customers > known.right, known > platinum.records, platinum > alerts.streams, "
        "alerts > out.stream",
        {
            "customers": reads("table", "customers", CUSTOMER),
            "large": ("filter", {"predicate": "amount >= 199"}),
            "large-alerts": ("map_values", _fields(kind="'large'", id="order_id", count="1") | {"keep": False}),
            "by-key": ("group_by_key", {}),
            "minutes": ("windowed_by", {"type": "tumbling", "size_ms": 60_000, "grace_ms": 10_000}),
            "counts": ("count", {}),
            "updates": _COUNTED,
            "rapid": ("filter", {"predicate": "value > 12"}),
            "rapid-alerts": (
                "map_values",
                _fields(kind="'rapid'", id="key || '@' || window.start", count="value") | {"keep": False},
            ),
            "plain": ("select_key", {"key": "key"}),
            "known": (
                "join",
                {"keep": False}
                | _fields(kind="'platinum'", id="left.order_id", count="1", tier="right.tier", amount="left.amount"),
            ),
            "platinum": ("filter", {"predicate": "tier = 'platinum' AND amount >= 198"}),
            "alerts": ("merge", {}),
        },
    ),
    "word count": (
        "orders > words.stream, words > by-word.records, by-word > counts.grouped, counts > updates.table, "
        "updates > out.stream",
        {
            "words": ("flat_map_values", {"values": "split(product || ' ' || region || ' ' || channel, ' ')"}),
            "by-word": ("group_by", {"key": "value"}),
            "counts": ("count", {}),
            "updates": _COUNTED,
        },
    ),
}
