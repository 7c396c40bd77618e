"""The content of a history row, and its conversion to the lines of a chart. Pure.

A row has means of the gauges, a histogram of the latency, and the counters of each node at its end:
rates follow from two rows of the same run, however far apart they are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from runner.watch.live.messages import RunNumbers

GAUGES = ("rate", "lag", "batch_ms", "memory_bytes", "state_rows", "state_bytes")
COUNTERS: tuple[Literal["in", "out", "dropped", "errors"], ...] = ("in", "out", "dropped", "errors")
PERCENTILES = (50, 95, 99)
GROWTH = 1.1
"""Ratio of neighbouring buckets of the histogram: a percentile is at most a tenth too high."""

Row = Mapping[str, Any]
Line = list[float | None]


class Counts(TypedDict):
    """The nodes of a run as they stood `at` a time, in ms: COUNTERS, busy, and rows and bytes of the state."""

    at: int
    run: int
    nodes: Mapping[str, Sequence[float | None]]


def make_row(points: Sequence[Mapping[str, Any]], counts: Counts | None) -> Row:
    """The row for some points of the live history (`runner.watch.live.snapshot`).

    >>> make_row([{"lag": 4, "latency_ms": 1}, {"lag": None, "latency_ms": 1}], None)["lag"]
    4.0
    """
    gauges = {name: _compute_mean([point.get(name) for point in points]) for name in GAUGES}
    latency = Counter(str(_find_bucket(point["latency_ms"])) for point in points if point["latency_ms"] is not None)
    return {**gauges, "latency": dict(latency), "looks": len(points), "counts": counts}


def merge(rows: Sequence[Row]) -> Row:
    """One row for several in sequence."""
    latency: Counter[str] = Counter()
    for row in rows:
        latency.update(row["latency"])
    gauges = {name: _compute_mean([row[name] for row in rows], [row["looks"] for row in rows]) for name in GAUGES}
    counts = next((row["counts"] for row in reversed(rows) if row["counts"] is not None), None)
    return {**gauges, "latency": dict(latency), "looks": sum(row["looks"] for row in rows), "counts": counts}


def count_nodes(numbers: RunNumbers) -> Counts:
    """The stored part of the nodes in a snapshot's numbers."""
    return {
        "at": numbers["at"],
        "run": numbers["run"],
        "nodes": {
            node: [
                *(each[name] for name in COUNTERS),
                each["busy"],
                *((each["state"] and each["state"][name]) for name in ("rows", "bytes")),
            ]
            for node, each in numbers["nodes"].items()
        },
    }


def make_job_lines(rows: Sequence[Row | None]) -> dict[str, Line]:
    """The lines of a whole job by name. A row is None if nothing was seen."""
    lines: dict[str, Line] = {name: [row[name] if row else None for row in rows] for name in GAUGES}
    for percent in PERCENTILES:
        lines[f"latency_p{percent}_ms"] = [find_percentile(row["latency"], percent) if row else None for row in rows]
    return lines


def make_node_lines(rows: Sequence[Row | None], node: str) -> dict[str, Line]:
    """The lines of a node: its counters a second, its share of the workers' time, and its state."""
    known_counts = [
        (row["counts"] if row and row["counts"] and node in row["counts"]["nodes"] else None) for row in rows
    ]
    befores = [None, *known_counts[:-1]]
    rates = [_find_rates(before, now, node) for before, now in zip(befores, known_counts, strict=True)]
    lines: dict[str, Line] = {f"{name}_per_s": [each[place] for each in rates] for place, name in enumerate(COUNTERS)}
    for place, name in enumerate(("busy", "state_rows", "state_bytes"), len(COUNTERS)):
        lines[name] = [counts["nodes"][node][place] if counts else None for counts in known_counts]
    return lines


def find_percentile(histogram: Mapping[str, int], percent: int) -> float | None:
    """The upper end of the percentile's bucket.

    >>> find_percentile({"1": 98, "48": 2}, 50), find_percentile({"1": 98, "48": 2}, 99)
    (1.1, 97.0)
    """
    rank, count = sum(histogram.values()) * percent / 100, 0
    for bucket in sorted(map(int, histogram)):
        count += histogram[str(bucket)]
        if count >= rank:
            return round(GROWTH**bucket, 1)
    return None


def _find_bucket(ms: float) -> int:
    return max(0, math.ceil(math.log(max(ms, 1), GROWTH)))


def _compute_mean(values: Sequence[float | None], weights: Sequence[int] | None = None) -> float | None:
    pairs = zip(values, weights or [1] * len(values), strict=True)
    known_pairs = [(value, weight) for value, weight in pairs if value is not None]
    total = sum(weight for _, weight in known_pairs)
    return round(sum(value * weight for value, weight in known_pairs) / total, 3) if total else None


def _find_rates(before: Counts | None, now: Counts | None, node: str) -> Sequence[float | None]:
    if before is None or now is None or before["run"] != now["run"] or now["at"] <= before["at"]:
        return [None] * len(COUNTERS)
    seconds = (now["at"] - before["at"]) / 1_000
    pairs = list(zip(before["nodes"][node], now["nodes"][node], strict=True))[: len(COUNTERS)]
    return [round(((after or 0) - (then or 0)) / seconds, 3) for then, after in pairs]  # no counter is null
