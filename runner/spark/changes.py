"""Brings what batches changed from the executors to the run's host, so that others there can open the past.

Each slot appends what its batch changed to a history beside its working copy (`runner.spark.state.history`), on the
disk of its executor, which goes with the executor. A slot may also run on another executor in each batch. So the run
takes over what is new in the histories of all executors, in the order of their batches, after each batch and while one
runs. No batch waits for it. The rows stay with the executors: the run notes whose they are (`Away`).

What an executor has changed in the last second is lost if it is killed. The past of its slots then begins again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict

from runner.spark.batches import Batches
from runner.spark.executors.reader import read_changes
from runner.spark.program import Program, name_slot
from runner.spark.progress import Progress
from runner.spark.state.far import Away, forget_place
from runner.spark.state.history import History, Place, Undo

LOOK_SECONDS = 0.25
log = logging.getLogger(__name__)


class Changes:
    """The histories of all slots of a run, on its host."""

    def __init__(self, program: Program, progress: Progress) -> None:
        self.program = program
        self.progress = progress
        self._places: dict[str, dict[str, Place]] = {}
        """Up to where the history of each slot was read, by reader."""
        self._away: dict[tuple[int, int], Away] = {}
        self._turn = threading.Lock()

    def begin(self, batches: Batches) -> None:
        """Brings them in its own thread."""
        threading.Thread(target=self._bring_on, args=(batches,), daemon=True, name="changes").start()

    def bring(self) -> None:
        """Brings what is new.

        1. Name the executor of each slot. A reader that opens its rows waits until 2 has brought what leads to them.
        2. Append what is new in all histories, oldest first: a slot may have run on several executors meanwhile.
        """
        with self._turn:
            self._name_places()  # 1
            found = defaultdict[str, list[Undo]](list)
            for reader in {*self._places, *self.progress.list_readers()}:
                self._read(reader, found)
            for stage in self.program.stateful:
                for slot in self.program.slot_ids:
                    new = sorted(found[name_slot(stage.depth, slot)], key=lambda undo: undo.time)
                    (directory := self.program.kept_directory(stage.depth, slot)).mkdir(parents=True, exist_ok=True)
                    history = History(directory)
                    for undo in new:  # 2
                        history.append(undo, self.program.history_bytes)

    def _name_places(self) -> None:
        executors = self.program.plan.executors
        assert executors is not None
        slots = {(stage.depth, slot) for stage in self.program.stateful for slot in self.program.slot_ids}
        for slot, place in self.progress.readers.items():
            away = Away(place, executors.reader_key, *slot)
            if slot in slots and self._away.get(slot) != away:  # a writer beside a slot has no rows
                away.write(self.program.kept_directory(*slot))
                self._away[slot] = away

    def _read(self, reader: str, found: dict[str, list[Undo]]) -> None:
        executors = self.program.plan.executors
        assert executors is not None
        places = self._places.setdefault(reader, {})
        while new := read_changes(reader, executors.reader_key, places):
            for name, (undos, to) in new.items():
                found[name] += undos
                places[name] = to
        if new is None and reader not in self.progress.list_readers():  # its executor has ended
            del self._places[reader]

    def _bring_on(self, batches: Batches) -> None:
        brought: int | None = None
        while True:
            time.sleep(LOOK_SECONDS)
            last = batches.last_batch
            if batches.current is None and last == brought:
                continue
            try:
                self.bring()
            except Exception:  # the next round may go well
                log.exception("The past of this run lacks a part.")
            brought = last


def forget_places(program: Program) -> None:
    """Forgets where slots were before this run."""
    for stage in program.stateful:
        for slot in program.slot_ids:
            forget_place(program.kept_directory(stage.depth, slot), is_away=program.plan.executors is not None)
