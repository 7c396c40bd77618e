"""What happens to records that the broker would refuse, or did refuse (`production.exception.handler`)."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypedDict

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from runner.engine.counts.outcomes import Outcomes, add_outcomes
from runner.engine.planning.layout import Sink
from runner.engine.records.headers import add_headers
from runner.engine.tasks.errors import PREFIX, make_origin, write_origin
from runner.spark.codes import RunCode
from runner.spark.failures import RunFailed
from runner.spark.murmur2 import Array
from runner.spark.program import Program
from runner.spark.sink.producer import Refusal
from runner.spark.sink.results import Results
from runner.spark.stage.counters import CallCounters
from runner.spark.stage.rows import RECORD

NO_DEPTH = -1
"""Depth of the writer's counters, after all stages."""
HOUR_MS = 3_600_000
BACK_MS = (0, HOUR_MS, 24 * HOUR_MS, 30 * 24 * HOUR_MS)
"""How long ago a dead letter is dated if its own time may be refused, one try after the other.

A broker refuses times that are an hour ahead of its clock, and that of this host may be further ahead.
"""
OVERHEAD = 128
"""Most bytes that a record takes in a request beside its key, value and headers."""


class RecordRow(TypedDict):
    """A record as a row of `RECORD`."""

    target: int
    task: int
    origin: int
    seq: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: str | None
    input: int
    offset: int


class Undeliverable:
    """Applies the policy of their node to records that cannot be delivered.

    `limits` holds the largest record of each topic in bytes, without topics that do not exist. `by_node`
    counts the records of the last batch that were not delivered.
    """

    def __init__(self, program: Program, limits: Mapping[str, int]) -> None:
        self.program = program
        self.limits = limits
        self.letters = program.layout.dead_letter
        self.refusals: dict[tuple[str, bytes | None, bytes | None], str] = {}
        self.tries = 0
        """How often the broker has refused dead letters that were dated by the clock of this host."""
        self.by_node: Counter[str] = Counter()
        self.dead_letters: Counter[str] = Counter()
        """Number of undelivered records that became dead letters."""

    def begin(self) -> None:
        """Reset the counts of the batch before."""
        self.by_node.clear()
        self.dead_letters.clear()

    def note(self, refusals: Iterable[Refusal]) -> None:
        """Note records that the broker has refused."""
        letters, known = self.program.topic_of(self.letters), {(key, value) for _, key, value in self.refusals}
        if any(topic == letters and (key, value) in known for topic, key, value, _ in refusals):
            self.tries = min(self.tries + 1, len(BACK_MS) - 1)
        self.refusals |= {(topic, key, value): words for topic, key, value, words in refusals}

    def sort_out(self, results: Results) -> list[tuple[str, pa.RecordBatch]]:
        """Return the deliverable records by topic, dead letters last. Raises RunFailed if the policy is to fail."""
        self.begin()
        deliverable: list[tuple[str, pa.RecordBatch]] = []
        dead_letters: list[pa.RecordBatch] = []
        letters = self.program.topic_of(self.letters)
        for target, records in results.split_by_target():
            topic = self.program.topic_of(target)
            bad = self._find_bad(topic, records)
            if bad.any():
                dead_letters += self._follow_policy(target, topic, records.filter(pa.array(bad)))
                records = records.filter(pa.array(~bad))
            deliverable.append((topic, records))
        return [*deliverable, *((letters, each) for each in dead_letters)]

    def counters(self) -> CallCounters:
        """Return the counters of a call. They take back output that tasks counted and these nodes did not deliver."""
        nodes = {node: {"in": 0, "dropped": 0, "out": -count, "errors": count} for node, count in self.by_node.items()}
        outcomes: Outcomes = {}
        for node, count in self.dead_letters.items():
            add_outcomes(outcomes, node, {}, dead_letters=count)
        return {"depth": NO_DEPTH, "slot": 0, "nodes": nodes, "busy_ms": {}, "outcomes": outcomes}

    def _follow_policy(self, target: int, topic: str, records: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Yield the dead letters of undeliverable records, by the policy of their node."""
        layout, options = self.program.layout, self.program.options
        sink = layout.targets[target]
        node = sink.node if isinstance(sink, Sink) else None
        self.by_node.update({node: records.num_rows} if node else {})
        policy = (layout.nodes[node].operator.on_error if node else None) or options.production
        if policy == "fail" and node:
            raise self._make_failure(node, topic, records.slice(0, 1).to_pylist()[0])
        if policy == "dead_letter" or not node:
            self.dead_letters.update({node: records.num_rows} if node else {})
            yield self._make_dead_letters(target, topic, records)

    def _make_failure(self, node: str, topic: str, row: RecordRow) -> RunFailed:
        _, message = self._find_reason(topic, row)
        return RunFailed(
            RunCode.RECORD_UNDELIVERABLE,
            f"`{node}` could not write a record with key {row['key']!r:.100} to {topic}: {message}",
            f"Check the settings of topic {topic}, or let `{node}` skip such records or write them to the "
            f"dead-letter topic.",
            node=node,
        )

    def _find_bad(self, topic: str, records: pa.RecordBatch) -> Array:
        limit = self.limits.get(topic)
        bad: Array = np.full(records.num_rows, limit is None) if limit is None else _measure_records(records) > limit
        if self.refusals:
            pairs = zip(records.column("key").to_pylist(), records.column("value").to_pylist(), strict=True)
            bad = bad | np.fromiter(((topic, *pair) in self.refusals for pair in pairs), bool, records.num_rows)
        return bad

    def _make_dead_letters(self, target: int, topic: str, records: pa.RecordBatch) -> pa.RecordBatch:
        rows = [self._make_dead_letter(target, topic, row) for row in records.to_pylist()]
        return pa.RecordBatch.from_pylist(rows, schema=RECORD)

    def _make_dead_letter(self, target: int, topic: str, row: RecordRow) -> RecordRow:
        exception, message = self._find_reason(topic, row)
        sink = self.program.layout.targets[target]
        node = sink.node if isinstance(sink, Sink) else ""
        origin = make_origin(self.program.layout, row["input"], row["offset"])
        now = time.time_ns() // 1_000_000
        headers = {
            f"{PREFIX}exception": exception,
            f"{PREFIX}message": message,
            f"{PREFIX}stacktrace": f"{exception}: {message}\n\tat {node}",
            **write_origin(origin),
            f"{PREFIX}output.topic": topic,
            f"{PREFIX}node": node,
            f"{PREFIX}at": str(now),
            f"{PREFIX}timestamp": str(row["timestamp"]),
        }
        letter: RecordRow = {**row, "target": self.letters, "headers": add_headers(row["headers"], headers)}
        if (topic, row["key"], row["value"]) in self.refusals:
            # its time may be the reason
            letter["timestamp"] = now - BACK_MS[self.tries]
        limit = self.limits.get(self.program.topic_of(self.letters), 0)
        return letter if _measure_row(letter) <= limit else _make_stub(letter, headers)

    def _find_reason(self, topic: str, row: RecordRow) -> tuple[str, str]:
        errors = "org.apache.kafka.common.errors."
        if topic not in self.limits:
            return f"{errors}UnknownTopicOrPartitionException", f"Topic {topic} does not exist."
        if refusal := self.refusals.get((topic, row["key"], row["value"])):
            return f"{errors}InvalidRecordException", f"The broker refused the record: {refusal}"
        size, limit = _measure_row(row), self.limits[topic]
        return (
            f"{errors}RecordTooLargeException",
            f"The record has {size} bytes; topic {topic} accepts at most {limit}.",
        )


def _make_stub(letter: RecordRow, headers: dict[str, str]) -> RecordRow:
    """Return a dead letter that is itself too large without its value, and with sizes and hashes of its parts."""
    for part, content in (("value", letter["value"]), ("key", letter["key"])):
        data = content or b""
        headers |= {f"{PREFIX}{part}.bytes": str(len(data)), f"{PREFIX}{part}.sha256": hashlib.sha256(data).hexdigest()}
    small = letter["key"] if letter["key"] is not None and len(letter["key"]) <= 4_096 else None
    return {**letter, "key": small, "value": None, "headers": add_headers(None, headers)}


def _measure_row(row: RecordRow) -> int:
    return OVERHEAD + len(row["key"] or b"") + len(row["value"] or b"") + len(row["headers"] or "")


def _measure_records(records: pa.RecordBatch) -> Array:
    total: Array = np.full(records.num_rows, OVERHEAD, np.int64)
    for name in ("key", "value", "headers"):
        total += pc.fill_null(pc.binary_length(records.column(name)), 0).to_numpy()
    return total
