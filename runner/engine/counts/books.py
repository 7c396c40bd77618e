"""The books of each node: records that are neither forwarded nor dropped nor failed.

For each node, records in + extra = out + dropped + errors + no result + waiting.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict


class NodeBook(TypedDict):
    """The books of one node.

    `no_result` counts records without a result by reason. `extra` counts results after the first of one
    record. `waiting` is how many more records are held back than before, and less than 0 if earlier ones continued.
    `dead_letters` is the number of errors that became dead letters.
    """

    no_result: dict[str, int]
    extra: int
    waiting: int
    dead_letters: int


NOTHING: NodeBook = {"no_result": {}, "extra": 0, "waiting": 0, "dead_letters": 0}
Books = dict[str, NodeBook]
"""By node. Nodes without entries are not in it."""


def add_to_books(
    books: Books,
    node: str,
    no_result: Mapping[str, int],
    *,
    extra: int = 0,
    waiting: int = 0,
    dead_letters: int = 0,
) -> None:
    """Adds to the books of a node."""
    page = books.setdefault(node, {**NOTHING, "no_result": {}})
    for reason, count in no_result.items():
        page["no_result"][reason] = page["no_result"].get(reason, 0) + count
    page["extra"] += extra
    page["waiting"] += waiting
    page["dead_letters"] += dead_letters


def add(totals: Books, more: Mapping[str, NodeBook]) -> None:
    """Adds books by node."""
    for node, page in more.items():
        add_to_books(
            totals,
            node,
            page["no_result"],
            extra=page["extra"],
            waiting=page["waiting"],
            dead_letters=page["dead_letters"],
        )
