"""A kept batch through another version of the topology."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from runner.engine.records.record import TIME, Origin
from runner.engine.stores.state import MemoryState
from runner.spark.past.following import BatchFollower
from runner.spark.program import Place, Program
from runner.spark.proving.proof import KeptStores
from runner.spark.replay import BatchInputs, KeptState
from runner.spark.stage.renumbering import make_chunks
from runner.spark.state import View
from runner.spark.state.rows import Row, Rows

MAX_INPUTS = 200
"""Most input records of a batch that one answer lists."""


class RowsInMemory:
    """Rows below a view, in this process."""

    def __init__(self) -> None:
        self.state = MemoryState()

    def get(self, key: bytes) -> bytes | None:
        return self.state.get(key)

    def items(self, start: bytes, end: bytes | None, reverse: bool = False) -> Iterator[Row]:
        return self.state.range(start, end, reverse)

    def lend(self) -> None:
        """The kernel must ask for them."""

    def close(self) -> None:
        """Nothing is open."""


class CandidateFollower(BatchFollower):
    """Follows records of a batch through another version. It gets the stores that a deploy would keep, in memory."""

    def __init__(self, running: Program, candidate: Program, stores: Iterable[str], batch: BatchInputs) -> None:
        """Raises NotKept."""
        numbers = {each.topic: each.number for each in candidate.inputs}
        topics = {each.number: each.topic for each in running.inputs}
        arrivals = [
            (numbers[topics[number]], partition, records)
            for number, partition, records in batch.arrivals
            if topics[number] in numbers
        ]
        super().__init__(candidate, batch._replace(arrivals=arrivals))
        self.rows: dict[Place, RowsInMemory] = {}
        move = KeptStores.find(running, candidate, stores)
        for _, rows in KeptState(running, batch.time).rows():
            for place, chunk in make_chunks(rows, move):
                into = self.rows.setdefault(place, RowsInMemory()).state
                for key, value in chunk:
                    into.put(key, value)

    def open_before(self, depth: int, slot: int) -> View:
        return View(cast(Rows, self.rows.setdefault((depth, slot), RowsInMemory())))


def list_inputs(follower: BatchFollower) -> list[Origin]:
    """Return the input records of a batch in the order of their times, the first ones if there are too many."""
    rows = sorted((row[TIME], origin) for origin, row in follower.inputs())
    return list(dict.fromkeys(origin for _, origin in rows))[:MAX_INPUTS]
