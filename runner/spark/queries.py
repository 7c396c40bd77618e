"""Answers questions about tables of a run while it continues. It reads committed rows, and no batch waits for it."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from typing import NamedTuple, cast

from designer.refusals import Refusal
from runner.engine.planning.layout import Store
from runner.engine.queryable import Part, Query, QueryRefused, answer, find_queryable, write_as_text
from runner.engine.queryable.holding import HeldByTask, find_nodes_before, read_held, read_held_globally
from runner.engine.stores.state import State
from runner.spark.batches import Batches
from runner.spark.codes import RunCode
from runner.spark.events import Answer, Question
from runner.spark.program import Program
from runner.spark.state import View, open_committed
from runner.spark.state.far import FarView
from runner.spark.state.rows import Rows

SECONDS = 10.0
"""Longest search for rows. They can be read once in every batch, but only for a moment."""
LOOK_SECONDS = 0.005
log = logging.getLogger(__name__)


class RowsUnreadable(Refusal):
    code = RunCode.QUERY_UNREADABLE
    status = 503


class NotReady(NamedTuple):
    """Number of a table's slots that are ready, and number of its slots."""

    ready: int
    of: int


class Queries:
    """Answers one question after the other, each with an event `answer`."""

    def __init__(self, program: Program, batches: Batches) -> None:
        self.program = program
        self.batches = batches
        self.stores = find_queryable(program.layout)
        self.questions: queue.SimpleQueue[Question] = queue.SimpleQueue()
        threading.Thread(target=self._answer_all, daemon=True, name="queries").start()

    def ask(self, question: Question) -> None:
        """Take a question, to answer it soon."""
        self.questions.put(question)

    def _answer_all(self) -> None:
        while True:
            question = self.questions.get()
            try:
                reply = self._answer(question)
            except Refusal as refusal:
                reply = _refuse(refusal)
            except Exception:  # one question is lost, but not those that follow
                log.exception("A question could not be answered: %s", question)
                reply = _refuse(
                    RowsUnreadable("The question could not be answered.", "The log of the run has details.")
                )
            self.batches.events.send({"type": "answer", "id": question["id"], **reply})

    def _answer(self, question: Question) -> Answer:
        if "held" in question:
            return {"held": self._list_held(question["held"])}
        store, query = self._find_store(question["store"]), Query.model_validate(question["query"])
        tasks = self.program.find_tasks(store)
        with ExitStack() as views:
            parts = self._read_parts(tasks, store.name, views)
            if isinstance(parts, NotReady):
                return {"restoring": {"ready": parts.ready, "of": parts.of}}
            rows, following = answer(self.program.layout, store, parts, query)
            return {"page": {"rows": [write_as_text(row) for row in rows], "next": following}}

    def _list_held(self, node: str) -> dict[str, list[HeldByTask]]:
        """The records that a node and those before it hold back. Nodes whose slots are not ready are left out."""
        layout, options = self.program.layout, self.program.options
        nodes = [each for each in find_nodes_before(layout.graph, node) if each in layout.nodes]
        holdings: dict[str, list[HeldByTask]] = {each: [] for each in nodes}
        for each in layout.sub_topologies:
            inside = [node for node in nodes if node in each.nodes]
            if not inside or not each.is_stateful:
                continue
            tasks = self.program.find_tasks_of(each.number, each.depth)
            with ExitStack() as views:
                parts = self._read_parts(tasks, inside[0], views)
                for number, state in () if isinstance(parts, NotReady) else parts:
                    for name, holding in read_held(layout, each.number, inside, number, state, options):
                        holdings[name].append(holding)
        for store in layout.stores:
            if store.sub_topology is None and store.node in holdings and self.program.depth_of_store(store) is not None:
                with ExitStack() as views:
                    parts = self._read_parts(self.program.find_tasks(store), store.name, views)
                    for _, state in () if isinstance(parts, NotReady) else parts:
                        holdings[store.node].append(read_held_globally(layout, store.node, state, options))
        return holdings

    def _read_parts(self, tasks: Mapping[int, tuple[int, int]], what: str, views: ExitStack) -> list[Part] | NotReady:
        """The state of all tasks as of one batch, open until `views` end."""
        slots = set(tasks.values())
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            heads = self.batches.progress.heads
            ready = sum(slot in heads for slot in slots)
            if self.batches.restoring or ready < len(slots):
                return NotReady(ready, len(slots))
            part_views = views.enter_context(ExitStack())
            if (parts := self._find_parts(tasks, heads, part_views)) is not None:
                return parts
            part_views.close()
            time.sleep(LOOK_SECONDS)
        raise RowsUnreadable(
            f"The rows of `{what}` could not be read for {SECONDS:.0f} seconds.",
            "Try again. On a Spark cluster, check that the run's host reaches its worker hosts.",
        )

    def _find_store(self, name: str) -> Store:
        if name not in self.stores:
            raise QueryRefused(f"The run has no table named `{name}`.", f"It has {', '.join(self.stores) or 'none'}.")
        return self.stores[name]

    def _find_parts(
        self, tasks: Mapping[int, tuple[int, int]], heads: Mapping[tuple[int, int], bytes], views: ExitStack
    ) -> list[Part] | None:
        """The state of all tasks as of the same batch, or None if a slot is missing."""
        states = {}
        for slot in set(tasks.values()):
            view = self._open_view(slot, heads[slot])
            if view is None:
                return None
            states[slot] = views.enter_context(view)
        return [(task, cast(State, states[slot])) for task, slot in tasks.items()]  # it is only read

    def _open_view(self, slot: tuple[int, int], head: bytes) -> View | None:
        """The rows of a slot as of a head, here or beside its executor."""
        executors = self.program.plan.executors
        if executors is None:
            return open_committed(self.program.state_directory(*slot), head)
        place = self.batches.progress.readers.get(slot)
        far_view = FarView.open(place, executors.reader_key, *slot, head) if place else None
        return None if far_view is None else View(cast(Rows, far_view))  # it reads like them


def _refuse(refusal: Refusal) -> Answer:
    return {"refusal": refusal.to_json(), "status": refusal.status}
