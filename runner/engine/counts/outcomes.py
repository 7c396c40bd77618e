"""The outcomes of each node: records that are neither forwarded nor dropped nor failed.

For each node, records in + extra = out + dropped + errors + no result + waiting.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict


class NodeOutcomes(TypedDict):
    """The outcomes of one node.

    `no_result` counts records without a result by reason. `extra` counts results after the first of one
    record. `waiting` is how many more records are held back than before, and less than 0 if earlier ones continued.
    `dead_letters` is the number of errors that became dead letters.
    """

    no_result: dict[str, int]
    extra: int
    waiting: int
    dead_letters: int


NOTHING: NodeOutcomes = {"no_result": {}, "extra": 0, "waiting": 0, "dead_letters": 0}
Outcomes = dict[str, NodeOutcomes]
"""By node. Nodes without entries are not in it."""


def add_outcomes(
    outcomes: Outcomes,
    node: str,
    no_result: Mapping[str, int],
    *,
    extra: int = 0,
    waiting: int = 0,
    dead_letters: int = 0,
) -> None:
    """Adds to the outcomes of a node."""
    page = outcomes.setdefault(node, {**NOTHING, "no_result": {}})
    for reason, count in no_result.items():
        page["no_result"][reason] = page["no_result"].get(reason, 0) + count
    page["extra"] += extra
    page["waiting"] += waiting
    page["dead_letters"] += dead_letters


def merge_outcomes(totals: Outcomes, more: Mapping[str, NodeOutcomes]) -> None:
    """Adds outcomes by node."""
    for node, page in more.items():
        add_outcomes(
            totals,
            node,
            page["no_result"],
            extra=page["extra"],
            waiting=page["waiting"],
            dead_letters=page["dead_letters"],
        )
