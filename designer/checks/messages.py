"""Sentences by code that the page says before the server could: why an edge cannot be drawn.

The catalogue sends them once, so that each is written in one place. `{name}` stands for an argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from designer.catalogue import Operator
from designer.checks.words import a
from designer.ports import OutputCase, PortType


class Wording(NamedTuple):
    """What is wrong, and the next step."""

    message: str
    hint: str


EDGE_MESSAGES: Mapping[str, Wording] = {
    "edge.fed_twice": Wording(
        "The `{port}` port of `{node}` takes one edge, and `{other}` already feeds it.", "Remove that edge first."
    ),
    "edge.drawn": Wording("`{source}` already feeds the `{port}` port of `{node}`.", "One edge carries every record."),
    "edge.cycle": Wording(
        "Records from `{node}` already reach `{source}`: this edge would make a loop.",
        "Write to a topic and read that topic as a source.",
    ),
}
"""Reasons that need no types. `port.type` and `port.pair` are worded below and in `why_not`."""


def wrong_pair(operator: str, arriving: Iterable[PortType], cases: Sequence[OutputCase]) -> Wording:
    """Why an operator does not take some types together, in the order of its ports."""
    pairs = " with ".join(a(each) for each in arriving)
    return Wording(f"{operator} does not take {pairs}.", "It takes " + ", or ".join(map(_say, cases)) + ".")


def _say(case: OutputCase) -> str:
    return " and ".join(
        f"{a(PortType(kind)) if kind in set(PortType) else kind} as {name}" for name, kind in case.when.items()
    )


def pairs_of(operator: type[Operator]) -> Iterator[tuple[tuple[PortType, ...], Wording]]:
    """What to say of each combination of types at the ports of an operator, should it be refused."""
    cases = next((port.cases for port in operator.declared_outputs().values() if any(c.when for c in port.cases)), ())
    ports = [(*port.takes, None) for port in operator.declared_inputs().values()]
    arriving = {tuple(each for each in types if each) for types in product(*ports)} if cases else set()
    for types in sorted(filter(None, arriving)):
        yield types, wrong_pair(operator.operator_name(), types, cases)
