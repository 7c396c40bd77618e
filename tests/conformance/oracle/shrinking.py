"""The smallest case that still differs: without input records, then without steps, as long as it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any

from tests.conformance.oracle.kafka_streams import answered
from tests.conformance.product.cases import Case

Step = dict[str, Any]
AT_ONCE = 12
"""Cases for one start of Java, which takes as long as some of them."""
SOURCES = {"stream", "table", "global_table"}


def shrunk(case: Case, differs: Callable[[Case], bool]) -> Case:
    """A case none of whose parts can be left out without ending the difference."""
    while (smaller := next(_differing(case, differs), None)) is not None:
        case = smaller
    return case


def _differing(case: Case, differs: Callable[[Case], bool]) -> Iterator[Case]:
    """Smaller cases that Kafka Streams answers and we answer otherwise."""
    smaller = chain(_with_fewer_records(case), _with_fewer_steps(case))
    while some := list(islice(smaller, AT_ONCE)):
        yield from (each for each in answered(some) if "error" not in each and differs(each))


def _with_fewer_records(case: Case) -> Iterator[Case]:
    """Without halves, quarters and so on of the input records, at last without single ones."""
    records = case["inputs"]
    size = len(records) // 2
    while size:
        for start in range(0, len(records), size):
            yield {**case, "inputs": records[:start] + records[start + size :]}
        size //= 2


def _with_fewer_steps(case: Case) -> Iterator[Case]:
    """Without one step each: those behind it read what it has read."""
    for step in case["topology"]:
        before = step.get("from")
        if step["op"] == "to":
            yield _pruned(case, [each for each in case["topology"] if each is not step])
        elif isinstance(before, str):
            gone = {step["id"], *(branch["id"] for branch in step.get("branches", ()))}
            rest = [_read_again(each, gone, before) for each in case["topology"] if each is not step]
            yield _pruned(case, rest)


def _read_again(step: Step, gone: set[str], before: str) -> Step:
    """The step with `before` instead of what is gone."""

    def instead(end: Any) -> Any:
        if isinstance(end, list):
            return [instead(each) for each in end]
        return before if end in gone else end

    changed: Step = {port: instead(step[port]) for port in ("from", "with") if port in step}
    if step["op"] == "cogroup":
        changed["inputs"] = [{**each, "from": instead(each["from"])} for each in step["inputs"]]
    return {**step, **changed}


def _pruned(case: Case, steps: list[Step]) -> Case:
    """Without steps that lead to no sink, and records that nothing reads."""
    needed: set[str] = set()
    kept: list[Step] = []
    for step in reversed(steps):
        own = {step["id"], *(branch["id"] for branch in step.get("branches", ()))}
        if step["op"] == "to" or own & needed:
            kept.insert(0, step)
            needed |= set(_ends(step))
    topics = {step["topic"] for step in kept if step["op"] in SOURCES}
    return {**case, "topology": kept, "inputs": [each for each in case["inputs"] if each["topic"] in topics]}


def _ends(step: Step) -> Iterator[str]:
    for end in (step.get("from"), step.get("with"), *(each["from"] for each in step.get("inputs", ()))):
        if end:
            yield from [end] if isinstance(end, str) else end
