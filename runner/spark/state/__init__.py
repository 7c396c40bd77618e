"""The state of a slot: fast to read and write, and never ahead of the batch that Spark has committed.

Spark's state store holds the *changelog*, the authority. An LMDB file on the local disk is the *working copy*, brought
to the changelog's head at each call and thrown away at any doubt. `SlotState` is one batch's view of both.
"""

from .changelog import HEAD, BrokenChangelog, Changelog, Head
from .content import read_content, seed
from .copy_file import DiskFull
from .entries import NAME, OWNER_BITS, Entries, EntryStore, owner
from .entry import UnknownCodec
from .slot_state import SlotState
from .working_copy import Contended

__all__ = [
    "HEAD",
    "NAME",
    "OWNER_BITS",
    "BrokenChangelog",
    "Changelog",
    "Contended",
    "DiskFull",
    "Entries",
    "EntryStore",
    "Head",
    "SlotState",
    "UnknownCodec",
    "owner",
    "read_content",
    "seed",
]
