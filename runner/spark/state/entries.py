"""Place of slots' entries in Spark's state store: values under their own grouping keys.

A `MapState` would be the plain choice. But Spark recreates a variable in every call of a slot. A map has more than
twice the projections of a value to generate. So one `ValueState` holds all entries by grouping key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pyspark.sql.types import BinaryType, StructType

from runner.spark.private import get_state_client, send_together

NAME = "entries"
# as text, PySpark would ask the JVM for it in every call of a slot
SCHEMA = StructType().add("entry", BinaryType())
SLOT_BITS, HEAD_BITS = 16, 28
"""The lowest bits of a grouping key name a slot, those above them a stage (256 slots and 1,000 nodes). Together they
are the key of the head. The rest is the number of an entry."""


def make_head_key(slot: int, stage: int) -> int:
    """The grouping key of the head of a slot's changelog. `stage` counts within an operator."""
    return stage << SLOT_BITS | slot


def read_head_key(head_key: int) -> tuple[int, int]:
    """The stage and the slot of a head.

    >>> read_head_key(make_head_key(7, 2))
    (2, 7)
    """
    return head_key >> SLOT_BITS, head_key & ((1 << SLOT_BITS) - 1)


class EntryVariable:
    """The state variable of an operator. It remembers the current grouping key: setting it takes a round trip."""

    def __init__(self, handle: Any) -> None:
        """Declares it in a `StatefulProcessorHandle`. Call it in `init` of the processor."""
        self.client = get_state_client(handle)
        self.value = handle.getValueState(NAME, SCHEMA)
        self.key: int | None = None

    def select(self, key: int) -> None:
        if key != self.key:
            self.client.set_implicit_key((key,))
            self.key = key


class ChangelogEntries:
    """The entries of one changelog by number, its head as 0.

    To get one takes one or two round trips of 0.2 to 1 ms, and a change takes one, however many entries it has.
    """

    def __init__(self, variable: EntryVariable, head_key: int) -> None:
        self._variable = variable
        self._head_key = head_key

    def get(self, number: int) -> bytes | None:
        self._choose(number)
        row = self._variable.value.get()
        return bytes(row[0]) if row else None

    def change(self, put: Mapping[int, bytes], removed: Iterable[int] = ()) -> None:
        """Puts some entries and removes others. Raises an error if Spark refuses one of them."""
        with send_together(self._variable.client):
            for number, entry in put.items():
                self._choose(number)
                self._variable.value.update((entry,))
            for number in removed:
                self._choose(number)
                self._variable.value.clear()

    def _choose(self, number: int) -> None:
        self._variable.select(number << HEAD_BITS | self._head_key)
