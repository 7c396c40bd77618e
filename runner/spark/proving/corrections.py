"""Works out what corrects the results that a job has sent, from what both versions of a proof give for its batches.

What a consumer of a topic needs depends on what it keeps of it:

- Of a *table*, it keeps the newest value of each key. So the newest value counts, whichever updates led to it.
- Of a *stream*, it keeps all records. Kafka takes none back, so each difference is told in a topic of corrections.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from hashlib import blake2b
from itertools import chain
from typing import NamedTuple

from designer.refusals import Refusal
from designer.topology.ports import GlobalKTable, KTable
from designer.values import exact_json
from runner.engine.planning.layout import Layout, Sink
from runner.engine.records.record import ORIGIN, SEQ, Origin
from runner.spark.codes import RunCode
from runner.spark.proving.observing import NO_INPUT
from runner.spark.proving.report import CorrectionKind, ShownResult
from runner.spark.proving.versions import Result, Version
from runner.spark.sink.results import Results
from runner.spark.stage.rows import make_engine_rows

MAX_CORRECTIONS = 200_000
"""Most corrections of one correction: they are sent in one transaction."""


class TooManyCorrections(Refusal):
    """More corrections than one transaction takes."""

    code = RunCode.TRIAL_FAILED
    status = 422


class Correction(NamedTuple):
    """A record to send. `of` is the topic that it corrects, and `was` the newest value that the job has sent there.

    The value of kind `earlier` is not known here: only the topic has it. `sent` are digests of the key's records that
    the job has sent since (`strip_sent`).
    """

    topic: str
    key: bytes | None
    value: bytes | None
    timestamp: int
    headers: str | None
    of: str
    kind: CorrectionKind
    batch: int
    origin: Origin
    was: bytes | None = None
    sent: list[bytes] = []


@dataclass(slots=True)
class OfKey:
    """The newest results of a key of a table: what the job has sent, and what is right."""

    sent: Result | None = None
    right: Result | None = None
    digests: list[bytes] = field(default_factory=list)
    """Of all that was sent, while nothing is right: they find the value before in the topic."""
    batch: int = -1
    origin: Origin = NO_INPUT


class Lone(NamedTuple):
    """A record of a stream that only one version gives for an input record."""

    topic: str
    result: Result
    is_sent: bool
    origin: Origin
    batch: int


class Corrections:
    """What differs so far between the results that a job has sent (`old`) and the right ones (`new`).

    `tables` are the topics of which the newest value of a key counts. Corrections of other topics go to `topic`.
    """

    def __init__(self, old: Version, new: Version, tables: Collection[str], topic: str | None) -> None:
        self.versions = old, new
        self.tables = frozenset(tables)
        self.topic = topic
        self.keys: dict[tuple[str, bytes | None], OfKey] = {}
        self.lone: dict[int, Lone] = {}
        self.waiting: dict[tuple[str, Result], deque[int]] = {}
        """The same record may come with another input record, or in a later batch: then nothing is to be corrected."""
        self.number = 0

    def add(self, batch: int, results: tuple[Results, Results]) -> None:
        """Add the results of a batch in both versions. Raises TooManyCorrections."""
        streams: tuple[Counter[tuple[str, Origin, Result]], ...] = Counter(), Counter()
        for version, of_version, counts in zip(self.versions, results, streams, strict=True):
            is_sent = version is self.versions[0]
            for topic, result, origin in list_results(version, of_version):
                if topic in self.tables:
                    self._take(topic, result, origin, batch, is_sent=is_sent)
                else:
                    counts[topic, origin, result] += 1
        sent, right = streams
        for is_sent, more in ((True, sent - right), (False, right - sent)):
            for (topic, origin, result), count in more.items():
                for _ in range(count):
                    self._pair(Lone(topic, result, is_sent, origin, batch))
        if len(self.lone) > MAX_CORRECTIONS:
            raise _make_too_many()

    def find(self) -> Iterator[Correction]:
        """Yield the corrections, those of tables first. Raises TooManyCorrections."""
        for count, correction in enumerate(chain(self._find_in_tables(), self._find_in_streams())):
            if count == MAX_CORRECTIONS:
                raise _make_too_many()
            yield correction

    def _take(self, topic: str, result: Result, origin: Origin, batch: int, *, is_sent: bool) -> None:
        of_key = self.keys.setdefault((topic, result.key), OfKey())
        of_key.batch, of_key.origin = batch, origin
        if is_sent:
            of_key.sent = result
            if of_key.right is None:
                of_key.digests.append(digest(result.value, result.timestamp))
        else:
            of_key.right = result
            of_key.digests = []

    def _pair(self, lone: Lone) -> None:
        place = lone.topic, lone.result
        waiting = self.waiting.setdefault(place, deque())
        if waiting and self.lone[waiting[0]].is_sent != lone.is_sent:
            del self.lone[waiting.popleft()]
            if not waiting:
                del self.waiting[place]
            return
        waiting.append(self.number)
        self.lone[self.number] = lone
        self.number += 1

    def _find_in_tables(self) -> Iterator[Correction]:
        for (topic, key), of in self.keys.items():
            right, was = of.right, of.sent and of.sent.value
            if right is None:
                assert of.sent is not None
                of_sent = topic, key, None, of.sent.timestamp, None
                yield Correction(*of_sent, topic, "earlier", of.batch, of.origin, was, of.digests)
            elif right != of.sent:
                kind: CorrectionKind = "deleted" if right.value is None else "newest"
                record = topic, key, right.value, right.timestamp, right.headers
                yield Correction(*record, topic, kind, of.batch, of.origin, was)

    def _find_in_streams(self) -> Iterator[Correction]:
        pairs: dict[tuple[int, Origin, str, bytes | None], tuple[list[Result], list[Result]]] = {}
        for lone in self.lone.values():
            pair = pairs.setdefault((lone.batch, lone.origin, lone.topic, lone.result.key), ([], []))
            pair[not lone.is_sent].append(lone.result)
        for (batch, origin, topic, key), (sent, right) in sorted(pairs.items(), key=lambda each: each[0][:3]):
            kind: CorrectionKind = "other_value" if sent and right else "extra" if sent else "missing"
            told = {
                "topic": topic,
                "kind": kind,
                "key": self._show(topic, (sent or right)[0])["key"],
                "sent": [self._show_value(topic, each, 0) for each in sent],
                "right": [self._show_value(topic, each, 1) for each in right],
                "input": None if origin == NO_INPUT else origin.to_json(),
                "batch": batch,
            }
            time = (right or sent)[-1].timestamp
            yield Correction(self.topic or "", key, exact_json.dumps(told), time, None, topic, kind, batch, origin)

    def _show(self, topic: str, result: Result) -> ShownResult:
        version = next(each for each in self.versions if topic in each.sinks)
        return version.show(topic, result)

    def _show_value(self, topic: str, result: Result, version: int) -> Mapping[str, object]:
        shown = self.versions[version].show(topic, result)
        return {name: part for name, part in shown.items() if name != "key"}


def list_results(version: Version, results: Results) -> Iterator[tuple[str, Result, Origin]]:
    """Yield the results of a batch without dead letters, in the order in which the writer sends them to each topic."""
    for number, records in results.split_by_target():
        target = version.layout.targets[number]
        if isinstance(target, Sink):
            for row in make_engine_rows(records):
                _, key, value, timestamp, headers, _, _ = row
                origin = version.origins.find(row[ORIGIN], row[SEQ])
                yield target.topic, Result(key, value, timestamp, headers), origin


def find_table_topics(layout: Layout) -> set[str]:
    """Return the topics that take the updates of a table under its own keys.

    Of these topics, only the newest value of a key counts.
    """
    sources: dict[str, list[tuple[str, str]]] = {}
    for edges in layout.children.values():
        for edge in edges:
            sources.setdefault(edge.target, []).append((edge.source, edge.source_port))

    updating = set[str]()
    for node in TopologicalSorter(
        {node: {each for each, _ in before} for node, before in sources.items()}
    ).static_order():
        before = sources.get(node, [])
        if before and all(
            _is_table(layout, source, port) or (source in updating and not layout.nodes[source].operator.changes_key())
            for source, port in before
        ):
            updating.add(node)
    sinks = [target for target in layout.targets if isinstance(target, Sink)]
    return {sink.topic for sink in sinks} - {sink.topic for sink in sinks if sink.node not in updating}


def _is_table(layout: Layout, node: str, port: str) -> bool:
    flow = layout.nodes[node].outputs.get(port)
    return flow is not None and flow.type in (KTable, GlobalKTable)


def digest(value: bytes | None, timestamp: int) -> bytes:
    """Return a short hash of a record's value and time (ms), the same in each process."""
    return blake2b(b"%d:%d:" % (timestamp, value is None) + (value or b""), digest_size=8).digest()


def complete(correction: Correction, records: Sequence[Result]) -> Correction | None:
    """Complete a correction of kind `earlier` with the value before what the job has sent, or with a tombstone.

    `records` are the newest ones of its key in the topic, in order, one more than the job has sent. Returns None if the
    newest value in the topic is right already.
    """
    left = strip_sent([digest(each.value, each.timestamp) for each in records], correction.sent)
    before = records[left - 1] if left else None
    if (before and before.value) == correction.was:
        return None
    if before is None or before.value is None:
        return correction._replace(kind="deleted", sent=[])
    value, timestamp, headers = before[1:]
    return correction._replace(value=value, timestamp=timestamp, headers=headers, sent=[])


def strip_sent(found: list[bytes], sent: list[bytes]) -> int:
    """How many records of a key were in its topic before a job sent others.

    `found` are digests of the key's newest records, and `sent` of what the job has sent last, both in order. Kafka may
    have removed some of these records, but never the newest one.

    >>> strip_sent([b"a", b"b", b"d"], [b"b", b"c", b"d"])
    1
    """
    left, at = len(found), len(sent)
    while left and at:
        at -= 1
        if sent[at] == found[left - 1]:
            left -= 1
    return left


def _make_too_many() -> TooManyCorrections:
    return TooManyCorrections(
        f"More than {MAX_CORRECTIONS:,} records differ, and all corrections go in one transaction.",
        "Begin with a later batch, or deploy the job fresh with new topics.",
    )
