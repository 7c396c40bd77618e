"""Which keys of a case are texts and which are integers, as far as it can be told without running it.

Kafka Streams scans its stores in the order of the bytes of keys, which for integers is another than that of their JSON.
So keys are read and written in Kafka's own formats, unless a case mixes kinds or reads what it writes, which is JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from tests.conformance.product.functions import Function, whole

Kind = Literal["string", "long"]
Step = Mapping[str, Any]
CASTS: Mapping[Kind, str] = {"string": "STRING", "long": "BIGINT"}
TYPES: Mapping[Kind, str] = {"string": "string", "long": "integer"}
TEXTS = {"template", "char", "split", "remove_substring"}
NUMBERS = {"length", "length_plus_key", "to_int", "trunc", "increment", "sum_parsed"}
RECORDS = {"stream", "table", "global_table"}


class Kinds:
    """Step id -> the kind of its keys and of its values, None if it is not known."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.inputs = case["inputs"]
        self.keys: dict[str, Kind | None] = {}
        self.values: dict[str, Kind | None] = {}
        self.differing = reads_back(case["topology"])
        for step in case["topology"]:
            with whole(step):
                self._add(step)

    def key(self, step_id: str) -> Kind | None:
        """The kind of a step's keys, if all keys of the case have one that is known."""
        return self.keys[step_id] if self.are_known else None

    @property
    def are_known(self) -> bool:
        return not self.differing and None not in self.keys.values()

    def _add(self, step: Step) -> None:
        """Branches of a split are steps as well."""
        key, value = self._kinds(step)
        for name in (step["id"], *(branch["id"] for branch in step.get("branches", ()))):
            self.keys[name], self.values[name] = key, value

    def _kinds(self, step: Step) -> tuple[Kind | None, Kind | None]:
        if step["op"] in RECORDS:
            records = [each for each in self.inputs if each["topic"] == step["topic"]]
            return one(kind(each["key"]) for each in records if each["key"] is not None), one(
                kind(each["value"]) for each in records if each["value"] is not None
            )
        ends = _ends(step)
        self.keys[step["id"]] = key = self._same(self.keys[end] for end in ends)
        value = one(self.values[end] for end in ends)
        return self._of(step.get("key"), key, value, key), self._value(step, key, value)

    def _same(self, kinds: Iterable[Kind | None]) -> Kind | None:
        found = set(kinds)
        self.differing = self.differing or len(found) > 1
        return found.pop() if len(found) == 1 else None

    def _value(self, step: Step, key: Kind | None, value: Kind | None) -> Kind | None:
        if step["op"] == "count":
            return "long"
        if step["op"] == "flat_map_values":
            return one(self._of(function, key, value, value) for function in step["values"])
        if step["op"] == "join":
            self._looks_up(step, key, value)
            return self._of(step["joiner"], key, None, None)
        if step["op"] in ("aggregate", "reduce"):
            begun = kind(step["init"]) if "init" in step else value
            return self._of(step.get("add"), key, value, begun)
        return self._of(step.get("value"), key, value, value)

    def _looks_up(self, step: Step, key: Kind | None, value: Kind | None) -> None:
        """A key that is computed to look a row up is one of the right table's."""
        for field in ("key_selector", "foreign_key"):
            if field in step:
                self._same((self._of(step[field], key, self.values[step["from"]], None), self.keys[step["with"]]))

    def _of(self, function: Function | None, key: Kind | None, value: Kind | None, other: Kind | None) -> Kind | None:
        """The kind of what a function gives; `other` is that of what it leaves as it is."""
        name = function["fn"] if function else None
        if function is None or name in ("sum", "subtract", "sum_agg"):
            return other
        if name in TEXTS or name in NUMBERS:
            return "string" if name in TEXTS else "long"
        kinds: Mapping[str, Callable[[], Kind | None]] = {
            "key": lambda: key,
            "value": lambda: value,
            "const": lambda: kind(function["value"]),
            "lookup": lambda: one(kind(each) for each in function["table"].values()),
        }
        return kinds[str(name)]() if name in kinds else None


def reads_back(steps: Iterable[Step]) -> bool:
    """Whether a topology reads a topic that it writes."""
    every = list(steps)
    read = {step["topic"] for step in every if step["op"] in RECORDS}
    return any(step["op"] == "to" and step["topic"] in read for step in every)


def kind(value: Any) -> Kind | None:
    if isinstance(value, str):
        return "string"
    return "long" if type(value) is int else None


def one(kinds: Iterable[Kind | None]) -> Kind | None:
    """The kind they all have."""
    found = set(kinds)
    return found.pop() if len(found) == 1 else None


def _ends(step: Step) -> list[str]:
    """The steps whose keys are those of this step."""
    if step["op"] == "cogroup":
        return [each["from"] for each in step["inputs"]]
    shares = step["op"] == "join" and not ("key_selector" in step or "foreign_key" in step)
    before = step["from"] if isinstance(step["from"], list) else [step["from"]]
    return [*before, step["with"]] if shares else before
