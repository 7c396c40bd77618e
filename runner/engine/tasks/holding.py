"""What a processor holds back, or needs before something comes of a record, as its stores say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from runner.engine.stores.newest import Newest
from runner.engine.stores.times import StreamTime

Until = Literal["window_close", "time_limit", "late_rows", "partner"]
"""What records wait for: that their window closes, that their time is over, late rows of a table, or a partner."""
NOBODY: Mapping[str, Newest | None] = {}


class Holding(NamedTuple):
    """What a processor of one task holds, as of its last batch. Times are ms."""

    stream_time: int | None = None
    """How far the records that came here have come; None before the first, and where it decides nothing."""
    until: Until | None = None
    due: int | None = None
    """The stream time at which the first of what waits continues; None: nothing waits."""
    grace_ms: int | None = None
    """How much later than others a record may come."""
    newest: Mapping[str, Newest | None] = NOBODY
    """The newest record that is kept of each input port, or of the table that the node gives (""). None: of none."""


@runtime_checkable
class HoldsRecords(Protocol):
    """A processor that holds records back, takes none that are late, or keeps rows that others look up."""

    def tell_held(self) -> Holding: ...


def ask_held(processor: object) -> Holding | None:
    """What a processor holds; None if it holds nothing."""
    return processor.tell_held() if isinstance(processor, HoldsRecords) else None


def get_known_time(time: StreamTime) -> int | None:
    """A stream time; None before the first record."""
    return None if time.value < 0 else time.value
