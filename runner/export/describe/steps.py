"""The steps of a description for drawing: internal topics are edges, and each step has a kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from runner.export.describe import kinds
from runner.export.describe.kinds import BRANCH, FOREIGN_TOPIC, SHUFFLE
from runner.export.describe.text import DescribedStep, Undescribed, find_names_after, read

BUFFER = "-Buffer"
"""How the store ends in which a join with grace keeps records of its stream."""


class DescribedSteps:
    """Steps by name with their neighbours, without the sinks and filters before internal topics."""

    def __init__(self, text: str) -> None:
        self.by_name: dict[str, DescribedStep] = read(text)
        self.before = {name: tuple(step.before) for name, step in self.by_name.items()}
        self.after = find_names_after(self.by_name, self.before)
        self.kinds: dict[str, str] = {}
        self.tables: set[str] = set()
        """Repartition topics after a KTable, without a filter of null keys before them."""
        self._take_internal_topics_out()
        self.after = find_names_after(self.by_name, self.before)
        for name in self.by_name:
            if (kind := self._find_kind(name)) is not None:
                self.kinds.setdefault(name, kind)
        self._find_kinds_around()
        self.looked_up = {
            store
            for name in self.by_name
            if self.kind(name) in kinds.LOOK_UP or (name not in self.kinds and self.after[name])
            for store in self.stores(name)
            if self.kind(name) in kinds.LOOK_UP or not kinds.is_named_by_user(store)
        }
        """Stores that joins read, which therefore hold tables."""
        self.is_processor_api = not any(kinds.GENERATED_NAME.match(name) for name in self.by_name)
        """Whether the user named every step, as the Processor API demands and the DSL allows."""

    def kind(self, name: str) -> str:
        return self.kinds.get(name, "")

    def topic(self, name: str) -> str:
        """The internal topic that a source reads."""
        return self.by_name[name].names[0]

    def stores(self, name: str) -> list[str]:
        """The stores of a processor, or of a cogroup's parts. Without the buffer of a join with grace."""
        parts = self.before[name] if self.kind(name) == "COGROUPKSTREAM-MERGE" else [name]
        steps = [self.by_name[each] for each in parts]
        return [store for step in steps if step.role == "Processor" for store in step.names if BUFFER not in store]

    def has_buffer(self, name: str) -> bool:
        """Whether it is a join of a stream with a versioned table that has a grace."""
        return any(BUFFER in store for store in self.by_name[name].names)

    def words_of(self, name: str) -> set[str]:
        """The words in the user's names of a step and its store: `perMinute-counts` has three."""
        names = [name, *self.stores(name)]
        text = " ".join(each for each in names if not kinds.GENERATED_NAME.match(each) and kinds.is_named_by_user(each))
        return set(re.findall("[a-z]+", re.sub("([a-z])([A-Z])", r"\1 \2", text).lower()))

    def is_join(self, name: str) -> bool:
        """Whether it is the last step of a join of two streams or two tables."""
        parts = kinds.JOIN_PARTS.get(self.kind(name), set())
        return any(self.kind(each) in parts for each in self.before[name])

    def sort_steps(self) -> Iterator[str]:
        """The steps, each after all steps that feed it (Kahn). Raises Undescribed."""
        waiting = {name: len(before) for name, before in self.before.items()}
        ready = [name for name, count in waiting.items() if count == 0]
        for name in ready:
            yield name
            for each in self.after[name]:
                waiting[each] -= 1
                if waiting[each] == 0:
                    ready.append(each)
        if going_round := [name for name, count in waiting.items() if count]:
            line, name = self.by_name[going_round[0]].line, going_round[0][:80]
            raise Undescribed(
                f"Line {line}: the output of `{name}` leads back into it.", "Kafka Streams topologies have no cycles."
            )

    def wants_table(self, name: str) -> bool | None:
        """Whether a step takes a KTable. None while its kind is unknown."""
        if self.kind(name) == SHUFFLE:
            return name in self.tables
        if self.by_name[name].role == "Sink" or (name not in self.kinds and len(self.before[name]) > 1):
            return False  # only streams are merged
        return kinds.is_table(self.kind(name)) if name in self.kinds else None

    def _take_internal_topics_out(self) -> None:
        sinks: dict[str, list[str]] = {}
        for name, step in self.by_name.items():
            if step.role == "Sink":
                sinks.setdefault(step.fact, []).append(name)
        for name, step in list(self.by_name.items()):
            if step.role != "Source" or len(step.names) != 1 or step.names[0] not in sinks:
                continue
            if (kind := _find_internal(step.names[0])) is None:
                continue
            writers = sinks.pop(step.names[0])
            feeders = [each for writer in writers for each in self.before[writer]]
            nulls = [each for each in feeders if kind == SHUFFLE and self._drops_null_keys(each, writers)]
            if kind == SHUFFLE and not nulls:
                self.tables.add(name)
            self.before[name] = tuple(up for each in feeders for up in (self.before[each] if each in nulls else [each]))
            self.kinds[name] = kind
            for unneeded_step in (*writers, *nulls):
                self.by_name.pop(unneeded_step, None)
                self.before.pop(unneeded_step, None)

    def _drops_null_keys(self, name: str, writers: list[str]) -> bool:
        is_filter = name.endswith("-repartition-filter") or kinds.find_kind(name) == "KSTREAM-FILTER"
        return is_filter and set(self.after[name]) <= set(writers) and len(self.before[name]) > 0

    def _find_kind(self, name: str) -> str | None:
        step = self.by_name[name]
        if step.role != "Processor":
            return step.role.lower()
        if step.is_global:
            return kinds.GLOBAL
        if step.before == [f"{name}-source"] and self.kind(f"{name}-source") in ("", kinds.SOURCE):
            return "KTABLE-SOURCE"
        kind = kinds.find_kind(name)
        return kind if kind in kinds.OPERATORS or kind in kinds.PARTS or kind == BRANCH else None

    def _find_kinds_around(self) -> None:
        """Joins by their sides, splits by the names of their branches, groups by the aggregates after them."""
        for name in self.by_name:
            around = {self.kind(each) for each in self.before[name]}
            for kind, parts in kinds.JOIN_PARTS.items():
                if name not in self.kinds and around and around <= parts - {"KSTREAM-WINDOWED"}:
                    self.kinds[name] = kind
            if self.kind(name) == BRANCH or (name not in self.kinds and self._names_branches(name)):
                self.kinds.update(dict.fromkeys(self.after[name], kinds.BRANCH_STEP))
                self.kinds[name] = BRANCH

    def _names_branches(self, name: str) -> bool:
        """`Named.as("sizes-")` calls its branches `sizes-large`, `sizes-small`: at least two, or with the hyphen."""
        behind = self.after[name]
        return len(behind) > (0 if name.endswith("-") else 1) and all(
            each.startswith(name) and self.kind(each) == "" and not self.stores(each) for each in behind
        )


def _find_internal(topic: str) -> str | None:
    if topic.endswith("-repartition"):
        return SHUFFLE
    is_subscription = topic.endswith(("-subscription-registration-topic", "-subscription-response-topic"))
    return FOREIGN_TOPIC if is_subscription or (topic.startswith(kinds.FOREIGN) and topic.endswith("-topic")) else None
