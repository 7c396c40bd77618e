"""Where an answer differs from what Kafka Streams emits, by the strictest level it can promise."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

from runner.engine.tasks.counting import TaskCounts
from tests.conformance.product.cases import Case, Result, expected, expected_by_step, text_of

Level = Literal["stepwise", "per-key", "final"]
LEVELS: tuple[Level, ...] = ("stepwise", "per-key", "final")
Numbered = tuple[int, Result]
"""A result with the number of the input record it comes from."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine emitted: by input record, or all of it as one step; what it counted as dropped, and by node."""

    steps: Sequence[Sequence[Result]]
    dropped: int | None = None
    counted: TaskCounts | None = None

    @property
    def results(self) -> list[Result]:
        return [result for step in self.steps for result in step]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that differs. `record` is the input record at which it shows, where that is known."""

    expected: str
    got: str
    record: str | None = None

    def __str__(self) -> str:
        at = [] if self.record is None else [f"  input    {self.record}"]
        return "\n".join([*at, f"  expected {self.expected}", f"  got      {self.got}"])


def difference(case: Case, answer: Answer, level: Level) -> Difference | None:
    """The first difference at a level, or None."""
    found = _COMPARE[level](case, answer)
    if found is None and level != "final" and answer.dropped is not None:
        wanted = case.get("dropped_records")
        if wanted not in (None, answer.dropped):
            found = Difference(f"{wanted} dropped records", f"{answer.dropped} dropped records")
    return found


def has_one_end(case: Case) -> bool:
    """Whether caches leave the last value of each key as it is.

    They do not where each update counts: behind a table that is grouped again, read as a stream that is more than
    written, or held back by suppress; nor where windows are joined, which may be gone when the batch ends; nor where
    the result of a foreign-key join, which is cached, is joined beside a versioned table, which is not.
    """
    steps = case["topology"]
    versioned = any(step.get("versioned") for step in steps)
    by_foreign_key = {step["id"] for step in steps if step.get("join_type") == "table-table-fk"}
    streams = {step["id"] for step in steps if step["op"] == "to_stream"}
    windows = any(step["op"] == "windowed_by" for step in steps)
    return not any(
        _counts_updates(step)
        or (step["op"] != "to" and streams & set(_feeding(step)))
        or (windows and step.get("join_type") == "table-table")
        or (versioned and step.get("join_type") == "table-table" and by_foreign_key & set(_feeding(step)))
        for step in steps
    )


def _counts_updates(step: Mapping[str, Any]) -> bool:
    """Only a grouping of a table has a `value`, and only a stream of one may have its own key."""
    return step["op"] == "suppress" or bool(
        (step["op"] == "group_by" and "value" in step) or (step["op"] == "to_stream" and step.get("key"))
    )


def _stepwise(case: Case, answer: Answer) -> Difference | None:
    wanted = expected_by_step(case)
    if wanted is None:
        return _same(expected(case), answer.results)
    for number, (one, other) in enumerate(zip_longest(wanted, answer.steps, fillvalue=())):
        if (found := _same(one, other, _input(case, number))) is not None:
            return found
    return None


def _per_key(case: Case, answer: Answer) -> Difference | None:
    """The same sequence for each topic, key and window."""
    wanted = expected_by_step(case) or [expected(case)]
    numbered = [(number, result) for number, step in enumerate(wanted) for result in step]
    got = _grouped(enumerate(answer.results))
    for key, sequence in _grouped(numbered).items():
        found = [result for _, result in got.pop(key, [])]
        for place, (number, result) in enumerate(sequence):
            if place >= len(found) or text_of(result) != text_of(found[place]):
                at = _input(case, number) if case.get("expected_by_step") else None
                return _same([each for _, each in sequence[place:]], found[place:], at)
        if len(found) > len(sequence):
            return Difference(f"{len(sequence)} records", f"{len(found)}, then {text_of(found[len(sequence)])}")
    return next((Difference("nothing", text_of(sequence[0][1])) for sequence in got.values()), None)


def _final(case: Case, answer: Answer) -> Difference | None:
    """The same last value of each topic, key and window. Its time may be that of another update."""
    wanted, got = _folded(expected(case)), _folded(answer.results)
    for key in {**wanted, **got}:
        one, other = wanted.get(key), got.get(key)
        if one is None or other is None or text_of(one["value"]) != text_of(other["value"]):
            return _same([one] if one else [], [other] if other else [])
    return None


def _same(wanted: Iterable[Result], got: Iterable[Result], record: str | None = None) -> Difference | None:
    one, other = text_of(list(wanted)), text_of(list(got))
    return None if one == other else Difference(one, other, record)


def _grouped(results: Iterable[Numbered]) -> dict[Hashable, list[Numbered]]:
    found: dict[Hashable, list[Numbered]] = {}
    for number, result in results:
        found.setdefault(_place(result), []).append((number, result))
    return found


def _folded(results: Iterable[Result]) -> dict[Hashable, Result]:
    last = {_place(result): result for result in results}
    return {place: result for place, result in last.items() if result["value"] is not None}


def _place(result: Result) -> Hashable:
    return text_of([result["topic"], result["key"], result.get("window")])


def _input(case: Case, number: int) -> str | None:
    return text_of(case["inputs"][number]) if number < len(case["inputs"]) else None


def _feeding(step: Mapping[str, Any]) -> list[str]:
    """The steps that a step reads."""
    ends = [step.get("from"), step.get("with"), *(each["from"] for each in step.get("inputs", ()))]
    return [each for end in ends if end for each in ([end] if isinstance(end, str) else end)]


_COMPARE: Mapping[Level, Callable[[Case, Answer], Difference | None]] = {
    "stepwise": _stepwise,
    "per-key": _per_key,
    "final": _final,
}
