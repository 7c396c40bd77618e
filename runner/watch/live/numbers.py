"""Folds a run's events into the live numbers. Pure: times are arguments, in ms of a clock that nobody can set."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from runner.engine.counts.drops import Dropped, DroppedRecord
from runner.engine.counts.outcomes import NOTHING, NodeOutcomes, Outcomes, merge_outcomes
from runner.spark.events import ProgressEvent, WaitingRecords
from runner.watch.live.lags import estimate_catch_up_seconds, estimate_lag_seconds, find_shown_trend
from runner.watch.live.messages import BatchNumbers, NodeNumbers, Recent, RunNumbers, Size, SourceNumbers
from runner.watch.live.positions import HELD_UP_MS, TopicPosition
from runner.watch.live.rates import SPEED_MS, WINDOW_MS, Beat, Mark, find_known_until, find_rates, keep_needed_marks

MINUTE_MS = 60_000
STEP_MS = 1_000
"""Marks closer together than this are joined: a minute has at most sixty."""


class LastMinute:
    """The totals of some counters, a mark a second.

    >>> minute = LastMinute(0)
    >>> minute.mark({"late": 7}, 30_000)
    >>> minute.growth({"late": 7}, 31_000), minute.growth({"late": 7}, 91_000)
    ({'late': 7}, {})
    """

    def __init__(self, now: int) -> None:
        self.marks: deque[tuple[int, Mapping[str, int]]] = deque([(now, {})])

    def mark(self, totals: Mapping[str, int], now: int) -> None:
        """Notes the present totals of the counters."""
        if now - self.marks[-1][0] >= STEP_MS:
            self.marks.append((now, dict(totals)))

    def growth(self, totals: Mapping[str, int], now: int) -> dict[str, int]:
        """The growth of each counter in the last minute, without those that did not change."""
        while len(self.marks) > 1 and self.marks[1][0] <= now - MINUTE_MS:
            self.marks.popleft()
        before = self.marks[0][1]
        return {name: total - before.get(name, 0) for name, total in totals.items() if total > before.get(name, 0)}


COUNTERS = ("in", "out", "dropped", "errors")
OPTIONAL = {"no_match", "closed_idle", "unlikely_times"}
"""Counts that only some nodes have."""
RECENT_MS = 600_000
"""An executor was lost recently if it was lost in the last ten minutes."""
SLOW = 0.05
"""The minimum share of the workers' time for naming a node as the slowest."""


class Numbers:
    """The live numbers of one run.

    Counters are cumulative. Rates are per second, of the last seconds (`runner.watch.live.rates`): `rate` of records
    in (of a source: out), `out_rate` of records out. `lag` and `waiting` are of all sources, null while one's is
    unknown.
    `busy` is the share (0 to 1) of the workers' time that went into a node's own code, `slowest` the node with the
    highest; `state` is what stores hold, exactly, null before the first batch of the run, and for a node without any.
    `dropped_by` is how many records a node dropped for which reason, `dropped_samples` some of the last ones,
    `lost_samples` some of which nothing came. `no_match` is there
    where a table is looked up: how many records found no row; `closed_idle` where a node has an idle time: how many
    results continued because no more records came; `unlikely_times` where a source read times before 2000 or more than
    a day ahead. With `no_result` (by reason), `extra` and `waiting` the numbers of a
    node balance: in + extra = out + dropped + errors + no result + waiting. `memory` is what all processes of the run
    hold, in bytes, null until it was looked at; `executors` what of it those on each host of a Spark cluster hold.
    `lost_executor_count` is how many Spark lost since the run began, `recently_lost` how many in the last ten minutes.
    `recent` is what a node dropped, and made dead letters of, in the last minute. `uncommitted_s` says for how long
    records have waited without a commit.
    """

    def __init__(
        self, nodes: Iterable[str], topics: Iterable[str], now: int, interval_ms: int = 0, run: tuple[int, int] = (0, 0)
    ) -> None:
        """`interval_ms` is the minimum time between two batches. `run` is the id and the generation of the run."""
        self.run, self.generation = run
        self.nodes = {node: dict.fromkeys(COUNTERS, 0) for node in nodes}
        self.dropped_by: dict[str, Counter[str]] = {}
        self.dropped_samples: dict[str, dict[str, list[DroppedRecord]]] = {}
        self.lost_samples: dict[str, dict[str, list[DroppedRecord]]] = {}
        self.outcomes: Outcomes = {}
        self.positions = {topic: TopicPosition() for topic in topics}
        self.records_in = 0
        self.dead_letters = 0
        self.latency_ms: int | None = None
        self.latency_at = now
        self.memory: int | None = None
        self.executors: Mapping[str, int] = {}
        self.lost_executors: dict[str, int] = {}
        self.state: Size | None = None
        self.stores: Mapping[str, Mapping[str, int]] = {}
        self.busy_ms: Counter[str] = Counter()
        self.workers = 1
        self.batch: BatchNumbers = {"number": None, "in_batch_ms": 0}
        self.batch_began: int | None = None
        self.interval_ms = interval_ms
        self.window_ms = max(WINDOW_MS, interval_ms)
        self.marks = [Mark(now, now, self._sum_totals())]
        self.beat = Beat(now, None)
        self.minute = LastMinute(now)
        self.waits_since: int | None = None

    def note_progress(self, event: ProgressEvent, now: int) -> None:
        """A batch was committed."""
        # by our clock: the times of the event are of the host's, which may be set meanwhile
        began = now - (event["committed_at"] - event["started_at"])
        if self.batch_began is None:
            self.marks = [Mark(began, began, self._sum_totals())]
        for node, counts in event["nodes"].items():
            mine = self.nodes.setdefault(node, dict.fromkeys(COUNTERS, 0))
            for name in COUNTERS:
                mine[name] += counts.get(name, 0)
            for name in OPTIONAL & counts.keys():
                mine[name] = mine.get(name, 0) + counts[name]
        for node, reasons in event.get("drops", {}).items():
            self._note_drops(node, reasons)
        merge_outcomes(self.outcomes, event.get("outcomes", {}))
        for topic, offsets in event["sources"].items():
            self.positions.setdefault(topic, TopicPosition()).advance(offsets)
        self.batch = {
            "number": event["batch"],
            "started_at": event["started_at"],
            "committed_at": event["committed_at"],
            "duration_ms": event["duration_ms"],
            "interval_ms": None if self.batch_began is None else began - self.batch_began,
            "phases": dict(event.get("phases", {})),
            "in_batch_ms": event.get("in_batch_ms", 0),
        }
        self.batch_began = began
        self.records_in += event["records_in"]
        self.dead_letters += event.get("dead_letters", 0)
        if "latency_ms" in event:
            self.latency_ms, self.latency_at = event["latency_ms"], now
        if (state := event.get("state")) is not None:
            self.state = {"rows": state["rows"], "bytes": state["bytes"]}
        self.stores = event.get("stores", self.stores)
        self.busy_ms.update(event.get("busy_ms", {}))
        self.workers = event.get("workers", self.workers)
        mark = self.marks[-1].make_next(began, now, self._sum_totals())
        self.marks = keep_needed_marks([*self.marks, mark], self.window_ms)
        self.minute.mark(self._sum_troubles(), now)
        self.waits_since = None
        self.note_beat(event.get("in_batch_ms", 0), now)

    def note_beat(self, in_batch_ms: int, now: int) -> None:
        """A second passed inside a batch that takes so long already, or between two (0)."""
        self.batch = {**self.batch, "in_batch_ms": in_batch_ms}
        self.beat = Beat(now, now - in_batch_ms if in_batch_ms else None)

    def note_lost(self, executor: str, now: int) -> None:
        """Spark lost an executor. A second event about it has the cost."""
        self.lost_executors.setdefault(executor, now)

    def note_schemas(self, all_waiting: Sequence[WaitingRecords]) -> None:
        """Records wait for schemas of the registry, or no longer."""
        for topic, position in self.positions.items():
            waiting = sorted(
                (each for each in all_waiting if each["topic"] == topic), key=lambda each: int(each["since"])
            )
            partitions = sorted({each["partition"] for each in waiting})
            position.awaits_schema = (
                {
                    "partition": waiting[0]["partition"],
                    "offset": waiting[0]["offset"],
                    "id": waiting[0]["id"],
                    "why": waiting[0]["why"],
                    "since": waiting[0]["since"],
                    "partitions": partitions,
                }
                if waiting
                else None
            )

    def reach(self, ends: Mapping[str, Sequence[int]], highs: Mapping[str, Sequence[int]], now: int) -> None:
        """Notes the topics' ends: `ends` for read_committed readers, `highs` including uncommitted records."""
        for topic, offsets in ends.items():
            self.positions.setdefault(topic, TopicPosition()).reaches(offsets, highs[topic], now)
        waits = any(sum(position.lag(now) or ()) for position in self.positions.values())
        self.waits_since = (self.waits_since or now) if waits else None
        if not waits and now - self.latency_at >= MINUTE_MS:
            # else one slow batch would fire an alert, and fill a chart, for as long as the job is idle
            self.latency_ms = None

    def to_json(self, now: int, at: int | None = None) -> RunNumbers:
        """The numbers as they are now. `at` is the time of day (ms since 1970), if it is another."""
        rates, speeds = self._find_rates(now, self.window_ms), self._find_rates(now, max(SPEED_MS, self.interval_ms))
        recent = self.minute.growth(self._sum_troubles(), now)
        nodes = {node: self._describe_node(node, rates, recent) for node in self.nodes}
        cycle_ms = max(self.interval_ms, self.marks[-1].took_ms)
        sources = {
            topic: _describe_source(
                position, rates.get(f"topic {topic}", 0.0), speeds.get(f"topic {topic}", 0.0), cycle_ms, now
            )
            for topic, position in self.positions.items()
        }
        return {
            "at": now if at is None else at,
            "run": self.run,
            "generation": self.generation,
            "records_in": self.records_in,
            "rate": rates.get("records", 0.0),
            "lag": _sum_known(source["total_lag"] for source in sources.values()),
            "waiting": _sum_known(source["total_waiting"] for source in sources.values()),
            "held_up": sum(source["held_up"] for source in sources.values()),
            "uncommitted_s": 0 if self.waits_since is None else round((now - self.waits_since) / 1_000),
            "dead_letters": self.dead_letters,
            "latency_ms": self.latency_ms,
            "memory": None if self.memory is None else self.memory + sum(self.executors.values()),
            "executors": dict(self.executors),
            "lost_executor_count": len(self.lost_executors),
            "recently_lost": sum(at > now - RECENT_MS for at in self.lost_executors.values()),
            "state": self.state,
            "batch": self.batch,
            "slowest": _find_slowest(nodes),
            "nodes": nodes,
            "sources": sources,
        }

    def _describe_node(self, node: str, rates: Mapping[str, float], recent: Mapping[str, int]) -> NodeNumbers:
        recent_troubles = _find_recent(node, recent)
        numbers = {
            **self.nodes[node],
            "rate": rates.get(f"node {node}", 0.0),
            "out_rate": rates.get(f"out of {node}", 0.0),
            "busy": min(1.0, round(rates.get(f"busy {node}", 0.0) / 1_000 / self.workers, 3)),
            "state": self.stores.get(node),
            "dropped_by": dict(self.dropped_by.get(node, {})),
            "dropped_samples": dict(self.dropped_samples.get(node, {})),
            "lost_samples": dict(self.lost_samples.get(node, {})),
            **self._get_page(node),
            **({} if recent_troubles is None else {"recent": recent_troubles}),
        }
        return cast(NodeNumbers, numbers)  # counters have names of their own, as events bring them

    def _get_page(self, node: str) -> NodeOutcomes:
        """The present outcomes of a node."""
        page = self.outcomes.get(node, NOTHING)
        return {**page, "no_result": dict(page["no_result"])}

    def _note_drops(self, node: str, reasons: Mapping[str, Dropped]) -> None:
        """Each reason shows the samples of the last batch that has some."""
        for reason, drops in reasons.items():
            if drops["count"]:
                self.dropped_by.setdefault(node, Counter())[reason] += drops["count"]
            if drops["samples"]:
                samples = self.dropped_samples if drops["count"] else self.lost_samples
                samples.setdefault(node, {})[reason] = drops["samples"]

    def _sum_totals(self) -> dict[str, int]:
        totals = {"records": self.records_in}
        totals |= {f"topic {topic}": position.read for topic, position in self.positions.items()}
        totals |= {f"busy {node}": ms for node, ms in self.busy_ms.items()}
        for node, counts in self.nodes.items():
            totals |= {f"node {node}": counts["in"] or counts["out"], f"out of {node}": counts["out"]}
        return totals

    def _sum_troubles(self) -> dict[str, int]:
        """The number of a node's records with trouble, by node."""
        drops = {f"dropped {node}": counts["dropped"] for node, counts in self.nodes.items() if counts["dropped"]}
        return drops | {f"dead_letters {node}": page["dead_letters"] for node, page in self.outcomes.items()}

    def _find_rates(self, now: int, window_ms: int) -> dict[str, float]:
        return find_rates(self.marks, find_known_until(self.marks, self.beat, self.interval_ms, now), window_ms)


def _describe_source(position: TopicPosition, rate: float, speed: float, cycle_ms: int, now: int) -> SourceNumbers:
    """`rate` is the shown one, `speed` that of the last seconds. `cycle_ms` is the time from one batch to the next.

    `held_up` counts records behind a long transaction.
    """
    lag, waiting = position.lag(now), position.count_waiting(now)
    polls = [] if lag is None else position.polls
    since = min((stop.since for stop in position.stops.values()), default=None) if waiting else None
    held_up = 0 if waiting is None or since is None or now - since < HELD_UP_MS else sum(waiting)
    return {
        "rate": rate,
        "offsets": position.offsets,
        "ends": position.ends,
        "lag": lag,
        "total_lag": None if lag is None else sum(lag),
        "lag_s": estimate_lag_seconds(polls, speed, cycle_ms),
        "catch_up_s": estimate_catch_up_seconds(polls, speed, cycle_ms),
        "trend": find_shown_trend(polls, rate, cycle_ms),
        "waiting": waiting,
        "total_waiting": None if waiting is None else sum(waiting),
        "waiting_s": None if since is None else round((now - since) / 1_000),
        "held_up": held_up,
        "held_by": position.held_by if held_up else None,
        "awaits_schema": position.awaits_schema,
        "rereads": position.count_rereads(),
        "changed": position.change,
    }


def _find_recent(node: str, growth: Mapping[str, int]) -> Recent | None:
    """A node's troubles in the last minute. None if there are none."""
    dropped, dead_letters = (growth.get(f"{name} {node}") for name in ("dropped", "dead_letters"))
    if dropped is None and dead_letters is None:
        return None
    return {"dropped": dropped or 0, "dead_letters": dead_letters or 0}


def _sum_known(amounts: Iterable[int | None]) -> int | None:
    """The sum. None if one is unknown, or there is none."""
    all_amounts = list(amounts)
    known_amounts = [amount for amount in all_amounts if amount is not None]
    return sum(known_amounts) if all_amounts and len(known_amounts) == len(all_amounts) else None


def _find_slowest(nodes: Mapping[str, NodeNumbers]) -> str | None:
    """The node with most of the workers' time, if it is worth naming."""
    node = max(nodes, key=lambda node: nodes[node]["busy"], default=None)
    return node if node is not None and nodes[node]["busy"] >= SLOW else None


def find_changes(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part of `after` that differs from `before`: whole values, but for `nodes` and `sources` only their changed
    members.
    """
    if before is None:
        return dict(after)
    changes = {name: value for name, value in after.items() if before.get(name) != value}
    for name in ("nodes", "sources"):
        if name in changes:
            changes[name] = {key: value for key, value in after[name].items() if before[name].get(key) != value}
    return changes
