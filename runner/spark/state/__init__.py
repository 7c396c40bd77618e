"""The state of a slot. It is fast to read and write, and never ahead of the batch that Spark has committed.

Spark's state store holds the *changelog*, which is the authority. An LMDB file on the local disk is the *working copy*.
Each call updates it from the changelog, and discards it if in doubt. `SlotState` is one batch's view of both.
"""

from .changelog import HEAD, BrokenChangelog, Changelog, Head
from .committed_view import NotKept, Past, had_records, open_committed, open_newest
from .content import fill_copy, read_content, write_rows
from .copy_file import DiskFull
from .entries import HEAD_BITS, NAME, ChangelogEntries, EntryVariable, make_head_key, read_head_key
from .entry import UnknownCodec
from .slot_state import SlotState
from .view import View
from .working_copy import Contended

__all__ = [
    "HEAD",
    "HEAD_BITS",
    "NAME",
    "BrokenChangelog",
    "Changelog",
    "ChangelogEntries",
    "Contended",
    "DiskFull",
    "EntryVariable",
    "Head",
    "NotKept",
    "Past",
    "SlotState",
    "UnknownCodec",
    "View",
    "fill_copy",
    "had_records",
    "make_head_key",
    "open_committed",
    "open_newest",
    "read_content",
    "read_head_key",
    "write_rows",
]
