"""State stores of one task, with what was read or written in this batch kept decoded."""

from runner.engine.stores.buffer import TimeOrderedBuffer
from runner.engine.stores.duplicates import DuplicatesStore
from runner.engine.stores.expiring import ExpiringStore
from runner.engine.stores.key_value import TimestampedStore
from runner.engine.stores.sessions import SessionStore
from runner.engine.stores.unmatched_store import UnmatchedStore
from runner.engine.stores.versioned_store import VersionedStore
from runner.engine.stores.windows import CalendarWindowStore, SlidingWindowStore, WindowStore

__all__ = [
    "CalendarWindowStore",
    "DuplicatesStore",
    "ExpiringStore",
    "SessionStore",
    "SlidingWindowStore",
    "TimeOrderedBuffer",
    "TimestampedStore",
    "UnmatchedStore",
    "VersionedStore",
    "WindowStore",
]
