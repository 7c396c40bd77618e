"""Where the entries of slots live in Spark's state store: values under grouping keys of their own.

A `MapState` would be the plain choice, but Spark makes a variable anew in every call of a slot, and a map has more than
twice the projections of a value to generate. So one `ValueState` holds all entries, and the grouping key says which.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql.types import BinaryType, StructType

NAME = "entries"
# as text, PySpark would ask the JVM for it in every call of a slot
SCHEMA = StructType().add("entry", BinaryType())
SLOT_BITS, OWNER_BITS = 16, 28
"""The lowest bits of a grouping key name a slot, those above them a stage: together the owner. The rest is the number
of an entry."""


def owner(slot: int, place: int) -> int:
    """Whose entries they are: those of a slot in a stage, by the stage's place in its operator."""
    return place << SLOT_BITS | slot


class EntryStore:
    """The state variable of an operator. It knows the grouping key that stands, for to set it is a round trip."""

    def __init__(self, handle: Any) -> None:
        """Declares it in a `StatefulProcessorHandle`; call it in `init` of the processor."""
        self.client = handle._statefulProcessorApiClient
        self.value = handle.getValueState(NAME, SCHEMA)
        self.key: int | None = None

    def select(self, key: int) -> None:
        if key != self.key:
            self.client.set_implicit_key((key,))
            self.key = key


class Entries:
    """The entries of one owner by number. Each call is one or two round trips of 0.2 to 1 ms."""

    def __init__(self, store: EntryStore, owner: int) -> None:
        self._store = store
        self._owner = owner

    def get(self, number: int) -> bytes | None:
        self._select(number)
        found = self._store.value.get()
        return bytes(found[0]) if found else None

    def put(self, number: int, entry: bytes) -> None:
        self._select(number)
        self._store.value.update((entry,))

    def remove(self, number: int) -> None:
        self._select(number)
        self._store.value.clear()

    def _select(self, number: int) -> None:
        self._store.select(number << OWNER_BITS | self._owner)
