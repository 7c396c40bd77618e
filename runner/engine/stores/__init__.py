"""Stores keep the data of operators as bytes, in the order of their keys. They use `records` and know no operator.

Begin with `state.py`: the one ordered map that all stores of a task share.

- `key_value`, `by_key`, `versioned_store`, `expiring`: rows by key.
- `windows`, `calendar`, `sessions`, `duplicates`, `unmatched_store`: rows by key and time.
- `buffer`: records that wait in order of time.
- `of_code`: the stores that users' Python opens.
"""

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
