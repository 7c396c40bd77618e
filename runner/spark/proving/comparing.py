"""Compares what two versions of a topology give for the same batches.

Results are paired by the input record that caused them, then by topic and key. So a difference names one input record,
and what each node gave for that record names the first node that differs.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from designer.streams.topics import WritesTopic
from runner.engine.driver import decode_key, decode_side
from runner.engine.formats import DecodeError
from runner.engine.formats.display import show, write_shown
from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import DeadLetterSink, Layout, Sink
from runner.engine.planning.parts import find_owner
from runner.engine.records.record import ORIGIN, SEQ, TARGET, Origin
from runner.engine.trial import describe_failure
from runner.spark.proving.observing import NO_INPUT, Given, Origins
from runner.spark.proving.report import Grade, ProofInput, ShownResult
from runner.spark.sink.results import Results
from runner.spark.stage.rows import make_engine_rows

DEAD_LETTERS = "dead letters"
"""Their place among topics: both versions may name the topic differently."""
MAX_SHOWN = 20
"""Most differences kept of those found first, and of the newest."""
MAX_RECORDS = 5
"""Most results shown of one difference and version."""
MAX_LENGTH = 2_000
MAX_KEYS = 200_000
"""Most keys of a topic that are told apart."""
MAX_MOVED = 10_000
"""Most results that may still appear with another input record."""


class Result(NamedTuple):
    """A record for a topic. `headers` are the engine's JSON text; of a dead letter, its node and reason."""

    key: bytes | None
    value: bytes | None
    timestamp: int
    headers: str | None


ByInput = dict[Origin, dict[str, list[Result]]]
"""Results by input record and topic."""


@dataclass
class Version:
    """One of the two versions: its layout, and how its results are read."""

    layout: Layout

    @cached_property
    def origins(self) -> Origins:
        return Origins(self.layout)

    @cached_property
    def sinks(self) -> dict[str, Sink]:
        return {target.topic: target for target in self.layout.targets if isinstance(target, Sink)}

    @cached_property
    def nodes(self) -> list[str]:
        """The nodes that a user drew, each after those before it."""
        parents, order = self.parents, list[str]()
        waiting = deque(sorted(node for node in parents))
        while waiting:  # a graph of topics may loop, but a layout never does
            node = waiting.popleft()
            if parents[node] <= set(order):
                order.append(node)
            else:
                waiting.append(node)
        return order

    @cached_property
    def parents(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {find_owner(node): set() for node in self.layout.nodes if not is_clone(node)}
        for edges in self.layout.children.values():
            for edge in edges:
                source, target = find_owner(edge.source), find_owner(edge.target)
                if source != target and not is_clone(edge.source) and not is_clone(edge.target):
                    found[target].add(source)
        return found

    def find_before(self, node: str) -> set[str]:
        """A node and all before it."""
        found, waiting = set[str](), [node]
        while waiting:
            if (each := waiting.pop()) not in found:
                found.add(each)
                waiting.extend(self.parents.get(each, ()))
        return found

    def group(self, results: Results) -> ByInput:
        """The results of a batch by their input record."""
        found: ByInput = defaultdict(lambda: defaultdict(list))
        for row in make_engine_rows(results.records):
            target = self.layout.targets[row[TARGET]]
            of_input = found[self.origins.find(row[ORIGIN], row[SEQ])]
            _, key, value, timestamp, headers, _, _ = row
            if isinstance(target, DeadLetterSink):
                reason = describe_failure(headers)
                of_input[DEAD_LETTERS].append(Result(key, value, timestamp, f"{reason['node']}: {reason['message']}"))
            elif isinstance(target, Sink):
                of_input[target.topic].append(Result(key, value, timestamp, headers))
        return found

    def show(self, topic: str, result: Result) -> ShownResult:
        """A result as JSON."""
        if topic == DEAD_LETTERS:
            return {"key": _show_raw(result.key), "value": _show_raw(result.value), "reason": result.headers}
        at = self.layout.nodes[self.sinks[topic].node]
        assert isinstance(at.operator, WritesTopic)
        schema = at.operator.find_schema_written(at.inputs.only.schema)
        try:
            key, value = decode_key(schema, result.key), decode_side(schema.value, result.value)
        except DecodeError:
            key, value = result.key, result.value
        shown: ShownResult = {"key": show(key), "value": show(value), "timestamp": result.timestamp}
        if result.headers:
            shown["headers"] = result.headers
        return shown


def _show_raw(data: bytes | None) -> Any:
    return None if data is None else data[:MAX_LENGTH].decode(errors="replace")


class Outcome(NamedTuple):
    """What a version gave for a batch."""

    results: ByInput
    given: Given


class Found(NamedTuple):
    """A difference in one batch: its input record, and the results of both versions."""

    grade: Grade
    origin: Origin
    results: tuple[list[Result], list[Result]]


@dataclass
class TopicCounts:
    """Numbers of one output topic."""

    results: list[int] = field(default_factory=lambda: [0, 0])
    """Of the running version and of the new one."""
    grades: Counter[Grade] = field(default_factory=Counter)
    keys: set[int] = field(default_factory=set)
    differing_keys: set[int] = field(default_factory=set)
    fields: dict[str, set[int]] = field(default_factory=dict)
    """Field -> keys for which it differs."""
    first: dict[str, Origin] = field(default_factory=dict)
    """Field -> the first input record for which it differs. "" is the whole topic."""


@dataclass
class NodeCounts:
    """Numbers of one node: inputs for which it gave something, in either version, and those for which it differs."""

    inputs: int = 0
    differing: int = 0
    first: Origin | None = None


@dataclass
class Difference:
    """Results of one input record for one topic and key that differ."""

    grade: Grade
    topic: str
    origin: Origin
    key: bytes | None
    results: tuple[list[Result], list[Result]]
    fields: list[str]
    node: str
    batch: int
    time: int
    input: ProofInput | None = None
    """The input record, if it is of this batch."""
    records: list[ProofInput] = field(default_factory=list)
    """The newest input records of its key."""


class Comparison:
    """All differences so far. `noise` are topics whose results differ between two replays of the running version."""

    def __init__(self, old: Layout, new: Layout, noise: Iterable[str] = ()) -> None:
        self.versions = Version(old), Version(new)
        self.noise = set(noise)
        self.topics: dict[str, TopicCounts] = defaultdict(TopicCounts)
        self.nodes: dict[str, NodeCounts] = defaultdict(NodeCounts)
        self.first: list[Difference] = []
        self.newest: deque[Difference] = deque(maxlen=MAX_SHOWN)
        self.count = 0
        self.blamed: Counter[str] = Counter()
        """Differences by the first node that differs."""
        self._moved: dict[tuple[str, Result], tuple[bool, str]] = {}
        """Results that only one version gave so far (True: the running one), with the node of the difference."""

    def add(self, batch: int, time: int, outcomes: tuple[Outcome, Outcome]) -> None:
        """Compares a batch."""
        old, new = outcomes
        self._compare_nodes(old.given, new.given)
        found: dict[tuple[str, bytes | None], list[Found]] = {}
        for origin in sorted(old.results.keys() | new.results.keys()):
            ours, theirs = old.results.get(origin, {}), new.results.get(origin, {})
            for topic in sorted(ours.keys() | theirs.keys()):
                counts = self.topics[topic]
                pair = ours.get(topic, []), theirs.get(topic, [])
                for place, results in enumerate(pair):
                    counts.results[place] += len(results)
                if len(counts.keys) < MAX_KEYS:
                    counts.keys.update(hash(result.key) for results in pair for result in results)
                if pair[0] != pair[1]:
                    for grade, key, of_key in _grade(*pair, is_letter=topic == DEAD_LETTERS):
                        found.setdefault((topic, key), []).append(Found(grade, origin, of_key))
        differences = ((*place, each) for place, several in found.items() for each in _join(several))
        for topic, key, (grade, origin, both) in sorted(differences, key=lambda each: each[2].origin):
            self._note(grade, topic, origin, key, both, batch, time)

    @property
    def equal(self) -> bool:
        """True if no result differs, except where the running version differs from itself."""
        counts = (of.grades.values() for topic, of in self.topics.items() if topic not in self.noise)
        return not any(count for of_topic in counts for count in of_topic)

    def find_first_node(self) -> str | None:
        """The first node that a difference begins at."""
        nodes = (node for node, count in self.blamed.items() if count)
        return min(nodes, key=lambda node: self.order.get(node, 0), default=None)

    @cached_property
    def order(self) -> dict[str, float]:
        """The place of each node of either version. One that only the running version has is before what follows it."""
        old, new = self.versions
        order: dict[str, float] = {node: place for place, node in enumerate(new.nodes)}
        for node in reversed(old.nodes):
            if node not in order:
                after = [order[each] for each, parents in old.parents.items() if node in parents and each in order]
                order[node] = min(after, default=float(len(order))) - 0.5
        return order

    def _compare_nodes(self, old: Given, new: Given) -> None:
        for node in old.keys() | new.keys():
            ours, theirs, counts = old.get(node, {}), new.get(node, {}), self.nodes[node]
            origins = ours.keys() | theirs.keys()
            counts.inputs += len(origins)
            if ours == theirs:
                continue
            for origin in origins:
                if not _gave_same(ours.get(origin, []), theirs.get(origin, [])):
                    counts.differing += 1
                    counts.first = counts.first or origin

    def _note(
        self,
        grade: Grade,
        topic: str,
        origin: Origin,
        key: bytes | None,
        results: tuple[list[Result], list[Result]],
        batch: int,
        time: int,
    ) -> None:
        node = self._find_node(topic)
        counts = self.topics[topic]
        if grade in ("missing", "extra") and self._meets(grade, topic, results, node):
            grade = "other_time"
        counts.grades[grade] += 1
        if topic in self.noise:
            return
        counts.first.setdefault("", origin)
        if len(counts.differing_keys) < MAX_KEYS:
            counts.differing_keys.add(hash(key))
        fields = self._find_fields(topic, results) if grade in ("other_value", "same_last_value") else []
        for name in fields:
            counts.first.setdefault(name, origin)
            if len(of_field := counts.fields.setdefault(name, set())) < MAX_KEYS:
                of_field.add(hash(key))
        self.blamed[node] += 1
        self.count += 1
        difference = Difference(grade, topic, origin, key, results, fields, node, batch, time)
        if len(self.first) < MAX_SHOWN:
            self.first.append(difference)
        else:
            self.newest.append(difference)

    def _meets(self, grade: Grade, topic: str, results: tuple[list[Result], list[Result]], node: str) -> bool:
        """True if the other version gave the same result for another input record. Takes back what was said of it."""
        is_old = grade == "missing"
        of_grade = results[0] if is_old else results[1]
        if len(of_grade) != 1:
            return False
        place = topic, of_grade[0]
        other = self._moved.get(place)
        if other is not None and other[0] != is_old:
            del self._moved[place]
            self.topics[topic].grades["extra" if is_old else "missing"] -= 1
            self.blamed[other[1]] -= 1
            self.count -= 1
            return True
        if len(self._moved) < MAX_MOVED:
            self._moved[place] = is_old, node
        return False

    def _find_node(self, topic: str) -> str:
        """The first node before a topic that differs, for this input record or an earlier one.

        What an earlier record changed in a store, later records of its key or window show.
        """
        before = set[str]()
        for version in self.versions:
            if topic in version.sinks:
                before |= version.find_before(find_owner(version.sinks[topic].node))
        ever = [node for node, counts in self.nodes.items() if counts.differing and (not before or node in before)]
        if not ever:
            return next((find_owner(each.sinks[topic].node) for each in self.versions[::-1] if topic in each.sinks), "")
        return self._find_cause(sorted(ever, key=lambda node: self.order.get(node, 0)))

    def _find_cause(self, nodes: Sequence[str]) -> str:
        """The node that makes the first of these nodes differ, which are in the order of flow.

        A new node that drops records, and one that was removed, give nothing themselves: the node after them differs.
        The same is true of windows and groups. A moved node makes those differ that it has passed.
        """
        first = nodes[0]
        old, new = self.versions
        if first not in old.parents or first not in new.parents or self._has_other_settings(first):
            return first
        alone = old.parents[first] ^ new.parents[first]
        if lone := [node for node in alone if (node in old.parents) != (node in new.parents)]:
            return min(lone, key=lambda node: self.order[node])
        if alone:
            moved = [node for node in nodes if old.parents.get(node) != new.parents.get(node)]
            return min(moved, key=lambda node: (not self._has_other_settings(node), not self._is_moved(node)))
        changed = [node for node in new.parents[first] if self._has_other_settings(node)]
        return min(changed, key=lambda node: self.order[node], default=first)

    def _has_other_settings(self, node: str) -> bool:
        operators = [of.operator for of in (version.layout.nodes.get(node) for version in self.versions) if of]
        return len(operators) == len(self.versions) and operators[0] != operators[1]

    def _is_moved(self, node: str) -> bool:
        """True if it stands before and after other nodes than it did."""
        after = [{each for each, parents in version.parents.items() if node in parents} for version in self.versions]
        return after[0] != after[1]

    def _find_fields(self, topic: str, results: tuple[list[Result], list[Result]]) -> list[str]:
        ours, theirs = (
            version.show(topic, of_version[-1])["value"] if of_version else None
            for version, of_version in zip(self.versions, results, strict=True)
        )
        return list(find_fields(ours, theirs))


def find_fields(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """The paths of fields in which two shown values differ. "" is the whole value."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one | other:
            if name not in one or name not in other:
                yield f"{path}.{name}".lstrip(".")
            else:
                yield from find_fields(one[name], other[name], f"{path}.{name}")
    elif write_shown(one) != write_shown(other):
        yield path.lstrip(".")


def _gave_same(ours: Sequence[tuple[Any, ...]], theirs: Sequence[tuple[Any, ...]]) -> bool:
    """True if a node gave the same records. NaN equals itself here."""
    if ours == theirs:
        return True
    return len(ours) == len(theirs) and [*map(_show_given, ours)] == [*map(_show_given, theirs)]


def _show_given(record: tuple[Any, ...]) -> tuple[Any, ...]:
    port, key, value, timestamp = record
    return port, repr(key), write_shown(value), timestamp


def _grade(
    old: Sequence[Result], new: Sequence[Result], *, is_letter: bool
) -> Iterator[tuple[Grade, bytes | None, tuple[list[Result], list[Result]]]]:
    """The differences between the results of one input record for one topic, by key."""
    ours, theirs = _by_key(old), _by_key(new)
    lone: dict[bytes | None, list[Result]] = {}
    for key in ours.keys() | theirs.keys():
        mine, yours = ours.get(key, []), theirs.get(key, [])
        if mine == yours:
            continue
        if mine and yours:
            yield _grade_key(mine, yours, is_letter=is_letter), key, (mine, yours)
        else:
            lone[key] = mine or yours
    missing = [key for key in lone if key in ours]
    for key, results in lone.items():
        if key in ours:
            continue
        values = [each.value for each in results]
        other = [each for each in missing if [result.value for result in lone[each]] == values]
        if other:
            missing.remove(other[0])
            yield "other_key", key, (lone[other[0]], results)
        else:
            yield "extra", key, ([], results)
    for key in missing:
        yield "missing", key, (lone[key], [])


def _join(several: Sequence[Found]) -> Iterator[Found]:
    """The differences of one key in one batch.

    A cached table gives the newest row of a key once a batch, for the last record that changed it. If that is another
    record in the other version, it is still the same result, which differs since the later of both.
    """
    lone: dict[str, list[Found]] = {"missing": [], "extra": []}
    for each in several:
        if each.grade in lone:
            lone[each.grade].append(each)
        else:
            yield each
    while lone["missing"] and lone["extra"]:
        missing, extra = lone["missing"].pop(0), lone["extra"].pop(0)
        results = missing.results[0], extra.results[1]
        grade = "other_time" if results[0] == results[1] else _grade_key(*results, is_letter=False)
        yield Found(grade, max(missing.origin, extra.origin), results)
    yield from (*lone["missing"], *lone["extra"])


def _grade_key(old: Sequence[Result], new: Sequence[Result], *, is_letter: bool) -> Grade:
    """How results of one key differ."""
    if is_letter:
        return "other_failure"
    if sorted(old, key=repr) == sorted(new, key=repr):
        return "other_order"
    if [each.value for each in old] == [each.value for each in new]:
        return "other_time" if [each.headers for each in old] == [each.headers for each in new] else "other_value"
    return "same_last_value" if old[-1].value == new[-1].value else "other_value"


def _by_key(results: Sequence[Result]) -> dict[bytes | None, list[Result]]:
    found: dict[bytes | None, list[Result]] = {}
    for result in results:
        found.setdefault(result.key, []).append(result)
    return found


def describe_origin(origin: Origin) -> str:
    """An input record in words: `orders-3@18811`."""
    return "a clock" if origin == NO_INPUT else f"{origin.topic}-{origin.partition}@{origin.offset}"
