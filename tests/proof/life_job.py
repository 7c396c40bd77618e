"""The job of a life: its topology, and an oracle of what it must write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

STEP_MS, APART_MS = 60_000, 200
"""Record time between two feeds, and between two records of one. Each feed closes the windows of the one before."""
SIZES_MS, GRACE_MS, GAP_MS = (10_000, 20_000), 30_000, 500
NEAR_MS, GRACES_MS, KEPT_MS = (70_000, 100_000), (GRACE_MS, GRACE_MS - 5_000), (None, 3_600_000)
"""By version in turn: the time between records that are paired, the grace of windows, and the retention of sessions.

Records of two feeds in a row are paired with either time. No result depends on the others.
"""
OUTPUTS = ("pass", "joined", "paired", "count", "window", "closed", "session", "once", "extra")
Expected = dict[str, dict[Any, list[Any]]]
"""By output: the values of each key, or of each key and window, oldest first."""


@dataclass(frozen=True)
class Record:
    """A record of the input. Records of one feed have the same `step`. Repeats have the `id` of an earlier record."""

    partition: int
    key: str
    n: int
    id: int
    step: int
    timestamp: int


@dataclass(frozen=True)
class Shape:
    """What differs between the versions of a job: its filter's constant, the size of its windows, a further count.

    Each other constant also has other times, with which all state is kept.
    """

    constant: int = 0
    size_ms: int = SIZES_MS[0]
    has_extra: bool = False


class Oracle:
    """What the job must have written, recomputed record by record in plain Python."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.expected: Expected = {name: defaultdict(list) for name in OUTPUTS}
        self.records: list[Record] = []
        """Records that are in the topic."""
        self._forget()

    def _forget(self) -> None:
        self.counts: dict[str, int] = defaultdict(int)
        self.extra: dict[str, int] = defaultdict(int)
        self.windows: dict[tuple[str, int], int] = defaultdict(int)
        self.held: dict[tuple[str, int], int] = {}
        """What suppress holds back: the last count of each window that is open."""
        self.sessions: dict[str, tuple[int, int, int]] = {}
        self.seen: set[tuple[str, int]] = set()
        self.near: dict[str, list[Record]] = defaultdict(list)
        self.last_step = -1

    def read(self, records: Iterable[Record]) -> None:
        """The job reads new records, in the order of their times."""
        for record in records:
            self.records.append(record)
            self._process(record)

    def start_fresh(self, shape: Shape) -> None:
        """The job reads again what the topic holds, and writes all results again."""
        self.shape = shape
        self._forget()
        for record in self.records:
            self._process(record)

    def change(self, shape: Shape) -> None:
        """A version with another shape continues: state that does not fit starts empty.

        Counts of windows of another size do not fit. What suppress holds back of them does, and leaves when it is due.
        """
        if shape.size_ms != self.shape.size_ms:
            self.windows.clear()
        if shape.has_extra and not self.shape.has_extra:
            self.extra.clear()
        self.shape = shape

    def _process(self, record: Record) -> None:
        key, time_ms = record.key, record.timestamp
        if record.step > self.last_step:
            self._close_windows()
            self.last_step = record.step
        self.expected["pass"][key].append(record.n)
        self.expected["joined"][key].append((record.n, f"name of {key}"))
        self._pair(record)
        self.counts[key] += 1
        self.expected["count"][key].append(self.counts[key])
        if self.shape.has_extra:
            self.extra[key] += 1
            self.expected["extra"][key].append(self.extra[key])
        window = (key, time_ms // self.shape.size_ms * self.shape.size_ms)
        self.windows[window] += 1
        self.expected["window"][window].append(self.windows[window])
        self.held[window] = self.windows[window]
        self._extend_session(key, time_ms)
        if (key, record.id) not in self.seen:
            self.seen.add((key, record.id))
            self.expected["once"][key].append(record.n)

    def _pair(self, record: Record) -> None:
        """As KStreamImplJoin of a stream with itself: a record is on the left first, then on the right."""
        near = [each.n for each in self.near[record.key] if record.timestamp - each.timestamp <= NEAR_MS[0]]
        self.near[record.key].append(record)
        pairs = [*((record.n, n) for n in near), *((n, record.n) for n in (*near, record.n))]
        self.expected["paired"][record.key] += pairs

    def _close_windows(self) -> None:
        """Records of the next feed close all windows, because each feed has records of each key."""
        for window, count in self.held.items():
            self.expected["closed"][window].append(count)
        self.held.clear()
        self.windows.clear()

    def _extend_session(self, key: str, time_ms: int) -> None:
        """As KStreamSessionWindowAggregate: a session that grows is deleted, unless it is only this moment."""
        begin, end, count = self.sessions.get(key, (time_ms, time_ms, 0))
        if not count or time_ms - end > GAP_MS:
            begin, count = time_ms, 0
        elif begin < time_ms:
            self.expected["session"][key, begin, end].append(None)
        self.sessions[key] = (begin, time_ms, count + 1)
        self.expected["session"][key, begin, time_ms].append(count + 1)


def draw_graph(prefix: str, shape: Shape) -> dict[str, Any]:
    """The topology of a life, as the editor would save it."""
    value = {
        "kind": "struct",
        "fields": [{"name": name, "type": {"kind": "integer"}} for name in ("n", "id")],
    }
    name = {"kind": "struct", "fields": [{"name": "name", "type": {"kind": "string"}}]}
    turn = shape.constant % 2
    windows = {"type": "tumbling", "size_ms": shape.size_ms, "grace_ms": GRACES_MS[turn]}
    sessions = {"type": "session", "gap_ms": GAP_MS, "grace_ms": GRACE_MS, "retention_ms": KEPT_MS[turn]}
    near = {"before_ms": NEAR_MS[turn], "after_ms": NEAR_MS[turn]}
    nodes: dict[str, tuple[str, dict[str, Any]]] = {
        "in": (
            "stream",
            {"topic": f"{prefix}-in", "key_format": "string", "value_format": "json", "value_type": value},
        ),
        "names": (
            "global_table",
            {"topic": f"{prefix}-names", "key_format": "string", "value_format": "json", "value_type": name},
        ),
        "kept": ("filter", {"predicate": f"n >= -{shape.constant}"}),
        "named": (
            "join",
            {"fields": [{"name": "n", "expression": "left.n"}, {"name": "name", "expression": "right.name"}]},
        ),
        "grouped": ("group_by_key", {}),
        "counted": ("count", {"store": "counts"}),
        "windows": ("windowed_by", windows),
        "in-windows": ("count", {"store": "windows"}),
        "closed": ("suppress", {"until": "window_close"}),
        "sessions": ("windowed_by", sessions),
        "paired": ("join", near | {"value": "named_struct('left', left.n, 'right', right.n)"}),
        "in-sessions": ("count", {"store": "sessions"}),
        "once": ("deduplicate", {"by": "id", "within_ms": 86_400_000}),
    }
    edges = [
        ("in", "kept", "records"), ("kept", "named", "left"), ("names", "named", "right"),
        ("kept", "grouped", "stream"),
        ("grouped", "counted", "grouped"), ("grouped", "windows", "grouped"), ("windows", "in-windows", "grouped"),
        ("in-windows", "closed", "table"), ("grouped", "sessions", "grouped"), ("sessions", "in-sessions", "grouped"),
        ("kept", "once", "stream"), ("kept", "paired", "left"), ("kept", "paired", "right"),
    ]  # fmt: skip
    tables = {"count": "counted", "window": "in-windows", "closed": "closed", "session": "in-sessions"}
    if shape.has_extra:
        nodes["counted-too"] = ("count", {"store": "extra"})
        edges.append(("grouped", "counted-too", "grouped"))
        tables["extra"] = "counted-too"
    for output, table in tables.items():
        nodes[f"updates-{output}"] = ("to_stream", {})
        edges.append((table, f"updates-{output}", "table"))
    streams = {output: f"updates-{output}" for output in tables} | {"pass": "kept", "joined": "named", "once": "once"}
    streams["paired"] = "paired"
    for output, stream in streams.items():
        nodes[f"to-{output}"] = ("to", {"topic": f"{prefix}-{output}"})
        edges.append((stream, f"to-{output}", "stream"))
    return {
        "nodes": [
            {"id": node, "operator": operator, "config": config, "position": {"x": 200 * place, "y": 0}}
            for place, (node, (operator, config)) in enumerate(nodes.items())
        ],
        "edges": [
            {"source": source, "source_port": "result", "target": target, "target_port": port}
            for source, target, port in edges
        ],
    }
