"""Compares what two versions of a topology give for the same batches.

Results are paired by the input record that caused them, then by topic and key. So a difference names one input record,
and what each node gave for that record names the first node that differs.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from runner.engine.planning.layout import Layout
from runner.engine.planning.parts import find_owner
from runner.engine.records.record import Origin
from runner.spark.proving.grading import Found, find_fields, gave_same, grade_results, join_differences
from runner.spark.proving.observing import Given
from runner.spark.proving.report import Grade, ProofInput
from runner.spark.proving.versions import DEAD_LETTERS, Outcome, Result, ResultPair, Version

MAX_SHOWN = 20
"""Most differences kept of those found first, and of the newest."""
MAX_RECORDS = 5
"""Most results shown of one difference and version."""
MAX_KEYS = 200_000
"""Most keys of a topic that are told apart."""
MAX_MOVED = 10_000
"""Most results that may still appear with another input record."""


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
    results: ResultPair
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
        self.blamed: Counter[tuple[str, str]] = Counter()
        """Differences by topic and the first node that differs."""
        self._before: dict[str, set[str]] = {}
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
                    for grade, key, of_key in grade_results(*pair, are_dead_letters=topic == DEAD_LETTERS):
                        found.setdefault((topic, key), []).append(Found(grade, origin, of_key))
        differences = ((*place, each) for place, several in found.items() for each in join_differences(several))
        for topic, key, (grade, origin, both) in sorted(differences, key=lambda each: each[2].origin):
            self._note(grade, topic, origin, key, both, batch, time)

    @property
    def equal(self) -> bool:
        """True if no result differs, except where the running version differs from itself."""
        counts = (of.grades.values() for topic, of in self.topics.items() if topic not in self.noise)
        return not any(count for of_topic in counts for count in of_topic)

    def find_first_node(self) -> str | None:
        """The first node that a difference begins at."""
        nodes = self.count_by_node()
        return min(nodes, key=lambda node: self.order.get(node, 0), default=None)

    def count_by_node(self) -> Counter[str]:
        """The differences by the first node that differs."""
        counts: Counter[str] = Counter()
        for (_, node), count in self.blamed.items():
            counts[node] += count
        return +counts

    def ignore(self, topics: set[str]) -> None:
        """Take these topics as noise, and take back what was said of them before that was known."""
        self.noise = topics
        kept = [each for each in (*self.first, *self.newest) if each.topic not in topics]
        self.first, self.newest = kept[:MAX_SHOWN], deque(kept[MAX_SHOWN:], maxlen=MAX_SHOWN)
        self.blamed = Counter({place: count for place, count in self.blamed.items() if place[0] not in topics})
        self.count = self.blamed.total()

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
                if not gave_same(ours.get(origin, []), theirs.get(origin, [])):
                    counts.differing += 1
                    counts.first = counts.first or origin

    def _note(
        self,
        grade: Grade,
        topic: str,
        origin: Origin,
        key: bytes | None,
        results: ResultPair,
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
        self.blamed[topic, node] += 1
        self.count += 1
        difference = Difference(grade, topic, origin, key, results, fields, node, batch, time)
        if len(self.first) < MAX_SHOWN:
            self.first.append(difference)
        else:
            self.newest.append(difference)

    def _meets(self, grade: Grade, topic: str, results: ResultPair, node: str) -> bool:
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
            if topic not in self.noise:
                self.blamed[topic, other[1]] -= 1
                self.count -= 1
            return True
        if len(self._moved) < MAX_MOVED:
            self._moved[place] = is_old, node
        return False

    def _find_node(self, topic: str) -> str:
        """The first node before a topic that differs, for this input record or an earlier one.

        What an earlier record changed in a store, later records of its key or window show.
        """
        before = self._find_before(topic)
        ever = [node for node, counts in self.nodes.items() if counts.differing and (not before or node in before)]
        if not ever:
            return next((find_owner(each.sinks[topic].node) for each in self.versions[::-1] if topic in each.sinks), "")
        return self._find_cause(sorted(ever, key=lambda node: self.order.get(node, 0)))

    def _find_before(self, topic: str) -> set[str]:
        """The nodes before a topic in either version. Empty for dead letters."""
        if topic not in self._before:  # each difference asks
            nodes = [(of, find_owner(of.sinks[topic].node)) for of in self.versions if topic in of.sinks]
            self._before[topic] = {each for version, node in nodes for each in version.find_before(node)}
        return self._before[topic]

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

    def _find_fields(self, topic: str, results: ResultPair) -> list[str]:
        ours, theirs = (
            version.show(topic, of_version[-1])["value"] if of_version else None
            for version, of_version in zip(self.versions, results, strict=True)
        )
        return list(find_fields(ours, theirs))
