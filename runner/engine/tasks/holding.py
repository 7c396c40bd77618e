"""Records that a processor holds back or keeps for later results, read from its stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, NamedTuple, Protocol, runtime_checkable

from runner.engine.records.record import MovedNumbers
from runner.engine.stores.conversion import Convert
from runner.engine.stores.newest import Newest
from runner.engine.stores.state import State
from runner.engine.stores.times import StreamTime

Until = Literal["window_close", "time_limit", "late_rows", "partner"]
"""Reasons to wait: for the close of a window, the end of a time, late rows of a table, or a partner."""
NOBODY: Mapping[str, Newest | None] = {}


class Holding(NamedTuple):
    """The records that a processor of one task holds, as of its last batch. Times are ms."""

    stream_time: int | None = None
    """Stream time of the records that came here. None before the first, and if it decides nothing."""
    until: Until | None = None
    due: int | None = None
    """The stream time at which the first waiting record continues. None: nothing waits."""
    grace_ms: int | None = None
    """Time by which a record may come later than others."""
    newest: Mapping[str, Newest | None] = NOBODY
    """The newest kept record of each input port, or of the node's table (""). None: there is none."""


@runtime_checkable
class HoldsRecords(Protocol):
    """A processor that holds records back, refuses late ones, or keeps rows that others look up."""

    def tell_held(self) -> Holding: ...


@runtime_checkable
class HoldsResults(Protocol):
    """An operator that keeps the results that it holds back in a store of its own."""

    held_part: ClassVar[str]
    """The part that names this store."""

    def count_held(self, state: State) -> int:
        """The number of results in this store of a task, as of its last batch."""
        ...


@runtime_checkable
class KeepsRecords(Protocol):
    """An operator whose own stores have records as they came to its ports."""

    kept_ports: ClassVar[Mapping[str, Sequence[str]]]
    """The ports whose records a store has, by the part that names the store."""

    def convert_kept(
        self, part: str, converts: Mapping[str, Convert], moved: MovedNumbers, key: bytes, data: bytes
    ) -> tuple[bytes, bytes]:
        """Key and data of a row of such a store as this operator keeps them, when an earlier version kept the row.

        The values of a port without a `Convert` stay as they are. `moved` renumbers the records' rows.
        """
        ...


def ask_held(processor: object) -> Holding | None:
    """The records that a processor holds. None if it holds nothing."""
    return processor.tell_held() if isinstance(processor, HoldsRecords) else None


def get_known_time(time: StreamTime) -> int | None:
    """A stream time. None before the first record."""
    return None if time.value < 0 else time.value
