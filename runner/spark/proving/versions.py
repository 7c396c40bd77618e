"""The two versions of a proof: their layouts, and how their results are read and shown."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from designer.streams.topics import WritesTopic
from designer.values.exact_json import JsonNumber
from runner.engine.driver import decode_key, decode_side
from runner.engine.formats import DecodeError
from runner.engine.formats.display import show
from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import DeadLetterSink, Layout, Sink
from runner.engine.planning.parts import find_owner
from runner.engine.records.record import ORIGIN, SEQ, TARGET, Origin
from runner.engine.trial import describe_failure
from runner.spark.proving.observing import NO_INPUT, Given, Origins
from runner.spark.proving.report import ShownResult
from runner.spark.sink.results import Results
from runner.spark.stage.rows import make_engine_rows

DEAD_LETTERS = "dead letters"
"""Their place among topics: both versions may name the topic differently."""
MAX_LENGTH = 2_000


class Result(NamedTuple):
    """A record for a topic. `headers` are the engine's JSON text; of a dead letter, its node and reason."""

    key: bytes | None
    value: bytes | None
    timestamp: int
    headers: str | None


ResultPair = tuple[list[Result], list[Result]]
"""Results of the running version, and of the new one."""
ByInput = dict[Origin, dict[str, list[Result]]]
"""Results by input record and topic."""


class Outcome(NamedTuple):
    """What a version gave for a batch."""

    results: ByInput
    given: Given


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
        """Return a result as JSON."""
        if topic == DEAD_LETTERS:
            return {"key": _show_raw(result.key), "value": _show_raw(result.value), "reason": result.headers}
        at = self.layout.nodes[self.sinks[topic].node]
        assert isinstance(at.operator, WritesTopic)
        schema = at.operator.find_schema_written(at.inputs.only.schema)
        try:
            key, value = decode_key(schema, result.key), decode_side(schema.value, result.value)
        except DecodeError:
            key, value = result.key, result.value
        shown: ShownResult = {"key": show_finite(key), "value": show_finite(value), "timestamp": result.timestamp}
        if result.headers:
            shown["headers"] = result.headers
        return shown


def show_finite(value: Any) -> Any:
    """Return a value as it is shown. A number beyond a double is a text: not every reader of a report takes it."""
    return _show_finite(show(value))


def _show_finite(shown: Any) -> Any:
    match shown:
        case dict():
            return {name: _show_finite(each) for name, each in shown.items()}
        case list():
            return [_show_finite(each) for each in shown]
        case JsonNumber() if math.isinf(shown):
            return shown.text
        case _:
            return shown


def _show_raw(data: bytes | None) -> Any:
    return None if data is None else data[:MAX_LENGTH].decode(errors="replace")


def describe_origin(origin: Origin) -> str:
    """An input record in words: `orders-3@18811`."""
    return "a clock" if origin == NO_INPUT else f"{origin.topic}-{origin.partition}@{origin.offset}"
