"""Reads the stores of a run from outside a task: rows by key, by range, by window or all, in pages.

These are Kafka Streams' interactive queries (KeyQuery, RangeQuery, WindowKeyQuery, WindowRangeQuery,
VersionedKeyQuery). A query sees only committed rows and writes nothing. Begin with `answer` below.

- `query`: the queries, and the cursor of a page.
- `tables`, `code`: stores of tables, and stores of users' Python.
- `holding`: records that nodes hold back or wait for.
"""

from __future__ import annotations

import base64
import heapq
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, Protocol

from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import Layout, Store
from runner.engine.planning.parts import find_owner
from runner.engine.queryable.code import CodeReader
from runner.engine.queryable.query import Query, QueryRefused, TableRow, TextRow, write_as_text
from runner.engine.queryable.tables import TableReader
from runner.engine.stores.state import State

__all__ = ["Page", "Part", "Query", "QueryRefused", "TableRow", "TextRow", "answer", "find_queryable", "write_as_text"]

MAX_BYTES = 1 << 20
"""Bytes of stored rows that end a page, whatever its limit."""
MAX_SCAN_ROWS = 100_000
"""Rows that end a page, requested or not: the answering process has other work."""
Part = tuple[int, State]
"""A task and the state of its slot."""


class Page(NamedTuple):
    """Rows as plain JSON, and the `cursor` of the next ones (None: there are none).

    A page may have fewer rows than its limit, even none, although more follow.
    """

    rows: list[TableRow]
    next: str | None


class StoreReader(Protocol):
    """One task's part of a store."""

    def read_key(self) -> Iterator[TableRow]:
        """The rows of the requested key. Raises QueryRefused."""

    def rows(self) -> Iterator[tuple[bytes, bytes]]:
        """The rows between the bounds: the place that orders rows of all tasks, and the data."""

    def is_asked(self, place: bytes) -> bool:
        """True if the query asks for the row, in case the bounds do not decide it."""

    def decode_row(self, place: bytes, data: bytes) -> TableRow:
        """A row as JSON."""


def find_queryable(layout: Layout) -> Mapping[str, Store]:
    """The stores of nodes' tables, by the name that users gave them, else by that of their node. Also the stores of
    process and process_values, with the node in front if two have the same name."""
    own_stores = [store for store in layout.stores if not is_clone(store.node) and store.node == find_owner(store.node)]
    tables = {store.name: store for store in own_stores if store.part is None}
    of_code = [(store.view.name, store) for store in own_stores if store.view is not None]
    times = Counter([*tables, *(name for name, _ in of_code)])
    return tables | {name if times[name] == 1 else f"{store.node}.{name}": store for name, store in of_code}


def answer(layout: Layout, store: Store, parts: Sequence[Part], query: Query) -> Page:
    """The requested rows of all tasks. Raises QueryRefused."""
    kind = TableReader if store.view is None else CodeReader
    readers: list[StoreReader] = [kind(layout, store, *part, query) for part in parts]
    if query.key is None:
        rows = heapq.merge(*(each.rows() for each in readers), reverse=query.descending)
        return _make_page(rows, readers[0], query)
    return Page([row for each in readers for row in _limit(each.read_key(), query)], None)


def _limit(rows: Iterator[TableRow], query: Query) -> Iterator[TableRow]:
    return reversed(deque(rows, query.limit)) if query.descending else islice(rows, query.limit)


def _make_page(rows: Iterator[tuple[bytes, bytes]], reader: StoreReader, query: Query) -> Page:
    page: list[TableRow] = []
    byte_count = 0
    for row_count, (key, data) in enumerate(rows, 1):
        if reader.is_asked(key):
            page.append(reader.decode_row(key, data))
            byte_count += len(data)
        if len(page) == query.limit or byte_count > MAX_BYTES or row_count == MAX_SCAN_ROWS:
            more = next(rows, None)
            return Page(page, None if more is None else base64.urlsafe_b64encode(more[0]).decode())
    return Page(page, None)
