"""The drawings of the programs in `Programs.java`, filled in as a person does after an import."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

TEXT = {"key_format": "string", "value_format": "string"}
WINDOWS = {"type": "tumbling", "size_ms": 10_000, "grace_ms": 5_000}
NAMED = {"key": "concat(key, '@', cast(window.start as string))", "key_format": "string"}


def draw(program: str, left: str, right: str, out: str) -> dict[str, Any]:
    """The drawing of a program as JSON."""
    lines = _node("left", "stream", topic=left, **TEXT)
    groups = _node("groups", "group_by_key")
    windows = _node("windows", "windowed_by", **WINDOWS)
    window_counts = _node("window-counts", "count", store="window-counts")
    named, to = _node("named", "to_stream", **NAMED), _node("out", "to", topic=out)
    match program:
        case "word-count":
            by_word = _node("by-word", "group_by", key="value", key_format="string")
            counts = _node("counts", "count", store="word-counts")
            return _chain(lines, by_word, counts, _node("updates", "to_stream"), to)
        case "windows":
            return _chain(lines, groups, windows, window_counts, named, to)
        case "sessions":
            sessions = _node("sessions", "windowed_by", type="session", gap_ms=3_000, grace_ms=5_000)
            return _chain(lines, groups, sessions, _node("counts", "count", store="session-counts"), named, to)
        case "suppress":
            return _chain(lines, groups, windows, window_counts, _node("held", "suppress"), named, to)
        case "stream-table":
            customers = _node("customers", "table", topic=right, store="customers", **TEXT)
            join = _node("named", "join", value="concat(left, ' of ', right)")
            return _join(lines, customers, join, to)
        case "table-table":
            lefts = _node("left", "table", topic=left, **TEXT)
            rights = _node("right", "table", topic=right, **TEXT)
            join = _node("pairs", "join", value="concat(left, ' with ', right)", store="pairs")
            return _join(lefts, rights, join, _node("updates", "to_stream"), to)
    raise ValueError(program)


def _node(node_id: str, operator: str, **config: Any) -> dict[str, Any]:
    return {"id": node_id, "operator": operator, "config": config, "position": {"x": 0, "y": 0}}


def _chain(*nodes: dict[str, Any]) -> dict[str, Any]:
    edges = [_edge(one, other) for one, other in pairwise(nodes)]
    return {"nodes": list(nodes), "edges": edges}


def _join(left: dict[str, Any], right: dict[str, Any], join: dict[str, Any], *rest: dict[str, Any]) -> dict[str, Any]:
    graph = _chain(join, *rest)
    graph["nodes"] = [left, right, *graph["nodes"]]
    graph["edges"] += [_edge(left, join, "left"), _edge(right, join, "right")]
    return graph


def _edge(source: dict[str, Any], target: dict[str, Any], port: str | None = None) -> dict[str, Any]:
    return {
        "source": source["id"],
        "source_port": "result",
        "target": target["id"],
        "target_port": port or _INPUTS[target["operator"]],
    }


_INPUTS = {
    "group_by": "records",
    "group_by_key": "stream",
    "windowed_by": "grouped",
    "count": "grouped",
    "suppress": "table",
    "to_stream": "table",
    "to": "stream",
}
