"""Idle time: records that wait for stream time continue by the wall clock after no further records come.

Kafka Streams has no such option: only records move stream time there, so the last window waits for the next record.
"""

from __future__ import annotations

from collections.abc import Callable

from designer.values.schemas import ANY, Side
from runner.engine.planning.tables import Contents, NodeTables
from runner.engine.records.record import Row
from runner.engine.tasks.processor_context import ProcessorContext
from runner.engine.tasks.punctuation import IDLE, LETTER, NEVER, TIMES

DUE = LETTER["wall_clock"]
IDLE_TIME = Contents(
    "continues by the wall clock while no records come.",
    "its idle time begins again.",
)


def keep_idle_time(plan: NodeTables) -> None:
    """Declares the data that `Idling` keeps for a node."""
    plan.keep(IDLE, Side("bytes", ANY), Side("bytes", ANY), IDLE_TIME)


class Idling:
    """Time since a node of a task has had no record, and the time when it continues without.

    A batch without records calls the task when that time has come (`punctuation.is_due`).
    """

    def __init__(self, context: ProcessorContext, idle_ms: int) -> None:
        self.idle_ms = idle_ms
        self.task = context.task
        self.context = context.record_context
        self.state = context.get_own_state(IDLE)
        self.due_in_state = self.state.get(DUE)
        self.last = None if self.due_in_state is None else TIMES.unpack(self.due_in_state)[0]
        self.has_input = False

    def note_records(self, receive: Callable[..., None]) -> Callable[..., None]:
        """Takes records, and notes that some came."""

        def note(*record: object) -> None:
            self.has_input = True
            receive(*record)

        return note

    def find_reached(self) -> int | None:
        """Limit (ms) up to which stream time may advance: `idle_ms` before now. None while the last record is newer.

        Also None while topics hold unread records, because these would then be late.
        """
        now = self.task.wall_clock()
        if self.has_input or self.last is None:
            self.last = now
        is_idle = self.task.is_caught_up and now - self.last >= self.idle_ms
        return now - self.idle_ms if is_idle else None

    def without_record(self, go_on: Callable[[], None]) -> None:
        """Calls it without a current record, as in a punctuator."""
        row: Row = self.context.row
        self.context.row = (-1, None, None, self.task.wall_clock(), None, -1, -1)
        try:
            go_on()
        finally:
            self.context.row = row

    def wait_for(self, time: int | None) -> None:
        """Sets when it is due: once stream time may advance to that time. None: nothing waits."""
        self.has_input = False
        last = self.last or 0
        data = TIMES.pack(last, NEVER if time is None else max(last, time) + self.idle_ms)
        if data != self.due_in_state:
            self.state.put(DUE, data)
            self.due_in_state = data
