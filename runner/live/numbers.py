"""What a run's events say, folded into the numbers that are shown. Pure: times come in as arguments."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

COUNTERS = ("in", "out", "dropped", "errors")
WINDOW_MS = 10_000
"""Rates are means over about so long: the newest commit against the one before the window."""


class Commit(NamedTuple):
    """The totals of the run as a batch was committed."""

    at: int
    totals: dict[str, int]


class Numbers:
    """The live numbers of one run. Counters are cumulative; rates are per second, of records in."""

    def __init__(self, nodes: Iterable[str], topics: Iterable[str], now: int) -> None:
        self.nodes = {node: dict.fromkeys(COUNTERS, 0) for node in nodes}
        self.offsets: dict[str, list[int]] = {topic: [] for topic in topics}
        self.ends: dict[str, list[int]] = {}
        self.lags: dict[str, deque[tuple[int, int]]] = {topic: deque(maxlen=20) for topic in self.offsets}
        self.read = dict.fromkeys(self.offsets, 0)
        self.records_in = 0
        self.dead_letters = 0
        self.latency_ms: int | None = None
        self.state = {"rows": 0, "bytes": 0}
        self.batch: dict[str, Any] = {"number": None, "in_batch_ms": 0}
        self.commits: deque[Commit] = deque([Commit(now, self._totals())], maxlen=200)

    def progressed(self, event: Mapping[str, Any], now: int) -> None:
        """A batch was committed."""
        if self.batch["number"] is None:
            self.commits = deque([Commit(event["started_at"], self._totals())], maxlen=200)
        for node, counts in event["nodes"].items():
            mine = self.nodes.setdefault(node, dict.fromkeys(COUNTERS, 0))
            for name in COUNTERS:
                mine[name] += counts.get(name, 0)
        for topic, offsets in event["sources"].items():
            self._advance(topic, offsets)
        started = self.batch.get("started_at")
        self.batch = {
            "number": event["batch"],
            "started_at": event["started_at"],
            "committed_at": event["committed_at"],
            "duration_ms": event["duration_ms"],
            "interval_ms": event["started_at"] - started if started else None,
            "phases": event.get("phases", {}),
            "in_batch_ms": 0,
        }
        self.records_in += event["records_in"]
        self.dead_letters += event.get("dead_letters", 0)
        self.latency_ms = event.get("latency_ms", self.latency_ms)
        self.state = event.get("state", self.state)
        self.commits.append(Commit(now, self._totals()))

    def beaten(self, event: Mapping[str, Any]) -> None:
        """A second passed inside a batch, or between two."""
        self.batch = {**self.batch, "in_batch_ms": event["in_batch_ms"]}

    def ended_at(self, ends: Mapping[str, Sequence[int]], now: int) -> None:
        """The topics reach so far: lag follows."""
        self.ends = {topic: list(offsets) for topic, offsets in ends.items()}
        for topic, lag in ((topic, self.lag(topic)) for topic in self.ends):
            if lag is not None:
                self.lags.setdefault(topic, deque(maxlen=20)).append((now, sum(lag)))

    def lag(self, topic: str) -> list[int] | None:
        """Records not yet read, by partition; None while either side is unknown."""
        offsets, ends = self.offsets.get(topic, []), self.ends.get(topic)
        if not ends or len(offsets) != len(ends):
            return None
        return [max(0, end - offset) for end, offset in zip(ends, offsets, strict=True)]

    def to_json(self, now: int) -> dict[str, Any]:
        rates = self._rates(now)
        return {
            "at": now,
            "records_in": self.records_in,
            "rate": rates.get("records", 0.0),
            "dead_letters": self.dead_letters,
            "latency_ms": self.latency_ms,
            "state": self.state,
            "batch": self.batch,
            "nodes": {node: {**counts, "rate": rates.get(f"node {node}", 0.0)} for node, counts in self.nodes.items()},
            "sources": {topic: self._source(topic, rates) for topic in self.offsets},
        }

    def _source(self, topic: str, rates: Mapping[str, float]) -> dict[str, Any]:
        lag, rate = self.lag(topic), rates.get(f"topic {topic}", 0.0)
        return {
            "rate": rate,
            "offsets": self.offsets[topic],
            "ends": self.ends.get(topic, []),
            "lag": lag,
            "total_lag": None if lag is None else sum(lag),
            "catch_up_s": self._catch_up(topic, rate),
        }

    def _catch_up(self, topic: str, rate: float) -> float | None:
        """Seconds until the lag is 0 if it goes on falling as it does; None when it does not fall.

        0 also while the lag is no more than what arrives in the time a record takes (Little's law).
        """
        lags = self.lags.get(topic)
        if not lags:
            return None
        if lags[-1][1] <= rate * (self.latency_ms or 0) / 1_000:
            return 0.0
        (first_at, first), (last_at, last) = lags[0], lags[-1]
        return round(last * (last_at - first_at) / (first - last) / 1_000, 1) if first > last else None

    def _advance(self, topic: str, offsets: list[int]) -> None:
        before = self.offsets.get(topic, [])
        if len(before) == len(offsets):
            self.read[topic] = self.read.get(topic, 0) + sum(offsets) - sum(before)
        self.offsets[topic] = list(offsets)

    def _totals(self) -> dict[str, int]:
        totals = {f"node {node}": counts["in"] or counts["out"] for node, counts in self.nodes.items()}
        return totals | {f"topic {topic}": count for topic, count in self.read.items()} | {"records": self.records_in}

    def _rates(self, now: int) -> dict[str, float]:
        newest, base = self.commits[-1], self.commits[0]
        for commit in self.commits:
            if commit.at <= now - WINDOW_MS and (commit is not newest or not self.batch["in_batch_ms"]):
                base = commit
        if len(self.commits) > 1 and base is newest:
            return {}
        until = newest.at if self.batch["in_batch_ms"] else now
        seconds = max(until - base.at, 1) / 1_000
        return {name: round((count - base.totals.get(name, 0)) / seconds, 1) for name, count in newest.totals.items()}


def changes(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> dict[str, Any]:
    """What of `after` differs from `before`: whole values, but of `nodes` and `sources` only the members that do."""
    if before is None:
        return dict(after)
    changed = {name: value for name, value in after.items() if before.get(name) != value}
    for name in ("nodes", "sources"):
        if name in changed:
            changed[name] = {key: value for key, value in after[name].items() if before[name].get(key) != value}
    return changed
