"""The numbers of a run: one `progress` event for each committed batch."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from runner.engine.counts.drops import Drops
from runner.engine.counts.drops import add as add_drops
from runner.engine.counts.outcomes import Outcomes, merge_outcomes
from runner.engine.planning.layout import Source
from runner.spark.checkpoint.checkpoint import Offsets
from runner.spark.events import ProgressEvent
from runner.spark.program import Program
from runner.spark.stage.counters import CallCounters, Counters, add

SPARK_PHASES = ("latestOffset", "queryPlanning", "walCommit", "commitOffsets")


@dataclass
class BatchTimes:
    """Begin and commit of a batch (ms since 1970), and the times of its steps (ms).

    Only the begin is read from the clock of the host, which may be set at any moment.
    """

    started_at: int
    committed_at: int = 0
    steps: dict[str, int] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    def note_commit(self) -> None:
        self.committed_at = self.started_at + round((time.monotonic() - self.began) * 1_000)


class Progress:
    """Builds the events, and remembers facts that a batch does not repeat."""

    def __init__(self, program: Program) -> None:
        self.sources = {target.node for target in program.layout.targets if isinstance(target, Source)}
        self.workers = len(program.slot_ids)
        self.sizes: dict[tuple[int, int], Mapping[str, int]] = {}
        self.stores: dict[tuple[int, int], Counters] = {}
        self.heads: Mapping[tuple[int, int], bytes] = {}
        """The nonce of each slot's state, by depth and slot, as of the last committed batch. Replaced as a whole."""
        self.readers: Mapping[tuple[int, int], str] = {}
        """The reader beside each slot, on a cluster (`runner.spark.executors.reader`). Replaced as a whole."""
        self.spark_phases: dict[str, int] = {}

    def list_readers(self) -> Iterable[str]:
        """The readers beside the slots that have run."""
        return self.readers.values()

    def event(
        self, batch: int, times: BatchTimes, counters: list[CallCounters], offsets: Offsets, dead_letters: int
    ) -> ProgressEvent:
        """Returns the event of a committed batch.

        `latency_ms` is the longest that any record of the batch can have waited, in Kafka since the run began and here:
        from the last time the source looked and did not find one of them, to this commit. It is left out if unknown:
        no records were read, or a batch of an earlier life is executed again. `phases` holds our
        steps of this batch (those of stages for the slowest slot of each), and Spark's of the last one it reported on.
        `stores` is the content of each node's stores, `busy_ms` the CPU time of each node's own code in this batch;
        `workers` is how many worked at once. `drops` says what nodes dropped, by reason, with samples; `outcomes`
        what happened to records that nodes neither forwarded nor dropped (`runner.engine.counts.outcomes`).
        """
        nodes: Counters = {}
        drops: Drops = {}
        outcomes: Outcomes = {}
        busy: Counter[str] = Counter()
        for call in counters:
            add(nodes, call["nodes"])
            add_drops(drops, call.get("drops", {}))
            merge_outcomes(outcomes, call.get("outcomes", {}))
            busy.update(call["busy_ms"])
            if "state" in call:
                self.sizes[call["depth"], call["slot"]] = call["state"]
                self.stores[call["depth"], call["slot"]] = call["stores"]
        heads = {(call["depth"], call["slot"]): bytes.fromhex(call["head"]) for call in counters if "head" in call}
        readers = {(call["depth"], call["slot"]): call["reader"] for call in counters if "reader" in call}
        self.readers = {**self.readers, **readers}
        self.heads = {**self.heads, **heads}
        committed_ms = times.began * 1_000 + times.committed_at - times.started_at
        since = min((call["since"] for call in counters if "since" in call), default=None)
        event: ProgressEvent = {
            "type": "progress",
            "batch": batch,
            "started_at": times.started_at,
            "committed_at": times.committed_at,
            "duration_ms": times.committed_at - times.started_at,
            "phases": times.steps | _find_slowest(counters) | self.spark_phases,
            "records_in": sum(counts.get("in", 0) for node, counts in nodes.items() if node in self.sources),
            "nodes": nodes,
            "drops": drops,
            "outcomes": outcomes,
            "sources": offsets,
            "state": {name: sum(size[name] for size in self.sizes.values()) for name in ("rows", "bytes")},
            "stores": self._sum_stores(),
            "busy_ms": dict(busy),
            "workers": self.workers,
            "dead_letters": dead_letters,
        }
        if since is not None:
            event["latency_ms"] = max(0, round(committed_ms - since))
        return event

    def _sum_stores(self) -> Counters:
        """The content of each node's stores in all slots that have reported so far."""
        sums: Counters = {}
        for stores in self.stores.values():
            add(sums, stores)
        return sums

    def note_spark(self, progress: Mapping[str, Any] | None) -> None:
        """Keeps the times of Spark's own steps, from a query's `lastProgress`."""
        durations = (progress or {}).get("durationMs", {})
        self.spark_phases = {f"{name}_ms": durations[name] for name in SPARK_PHASES if name in durations}


def _find_slowest(counters: list[CallCounters]) -> dict[str, int]:
    """The time of each step of the stages in its slowest slot, which the others wait for."""
    stages: dict[int, dict[str, float]] = {}
    for call in counters:
        slowest = stages.setdefault(call["depth"], {})
        for step, took in call.get("laps", {}).items():
            slowest[step] = max(took, slowest.get(step, 0.0))
    steps = {step for slowest in stages.values() for step in slowest}
    return {step: round(sum(slowest.get(step, 0.0) for slowest in stages.values())) for step in sorted(steps)}
