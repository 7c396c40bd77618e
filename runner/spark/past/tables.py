"""Rows of tables as they were before a kept batch."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import ExitStack
from typing import Any

from designer.values import exact_json
from runner.engine.planning.layout import Source, Store
from runner.engine.queryable import Page, Query, QueryRefused, answer, find_queryable, write_as_text
from runner.engine.stores.state import State
from runner.spark.events import PageOfRows
from runner.spark.past.answers import TopicRow
from runner.spark.past.batches import open_past
from runner.spark.program import Place, Program


def read_table(program: Program, name: str, time: int, query: Query) -> PageOfRows:
    """Return a page of a table before the batch of a time (ms). Raises NotKept, QueryRefused."""
    stores = find_queryable(program.layout)
    if name not in stores:
        raise QueryRefused(f"This version has no table named `{name[:80]}`.", f"It has {', '.join(stores) or 'none'}.")
    with ExitStack() as stack:
        tables = PastTables(program, time, stack)
        rows, following = tables.ask(stores[name], query)
    return {"rows": [write_as_text(row) for row in rows], "next": following}


def find_topic_rows(program: Program, time: int, keys: Collection[Any]) -> list[TopicRow]:
    """Return the rows with these keys in tables that are read from topics, before the batch of a time (ms).

    Raises NotKept.
    """
    sources = {each.node: each for each in program.layout.targets if isinstance(each, Source) and each.kind != "stream"}
    found = list[TopicRow]()
    with ExitStack() as stack:
        tables = PastTables(program, time, stack)
        for store in find_queryable(program.layout).values():
            if store.node not in sources:
                continue
            topic = sources[store.node].topic
            for key in keys:
                text = key if isinstance(key, str) else exact_json.dumps(key).decode()
                try:
                    rows, _ = tables.ask(store, Query.model_validate({"key": text}))
                except QueryRefused:  # no node looks its rows up, or its keys are of another type
                    continue
                found += [
                    {"topic": topic, "key": row["key"], "value": row["value"], "timestamp": row["timestamp"] or 0}
                    for row in rows
                ]
    return found


class PastTables:
    """Answers queries to tables before the batch of a time (ms). The stack closes what it opens."""

    def __init__(self, program: Program, time: int, stack: ExitStack) -> None:
        self.program = program
        self.time = time
        self.stack = stack
        self.views: dict[Place, State] = {}

    def ask(self, store: Store, query: Query) -> Page:
        """Return a page of rows, and where the next page begins. Raises NotKept, QueryRefused."""
        parts = [(task, self._open(place)) for task, place in self.program.find_tasks(store).items()]
        return answer(self.program.layout, store, parts, query)

    def _open(self, place: Place) -> State:
        if place not in self.views:
            self.views[place] = open_past(self.program.state_directory(*place), self.time, self.stack)
        return self.views[place]
