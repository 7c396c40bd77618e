"""Where a slot's entries live in Spark's state store: values under grouping keys of their own.

A `MapState` would be the plain choice, but Spark makes a variable anew in every call of a slot, and a map has more than
twice the projections of a value to generate. So one `ValueState` holds all entries, and the grouping key says which.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql.types import BinaryType, StructType

NAME = "entries"
# as text, PySpark would ask the JVM for it in every call of a slot
SCHEMA = StructType().add("entry", BinaryType())
SLOT_BITS = 16
"""Of a grouping key, the bits that name the slot; those above them number the entry."""


class Entries:
    """The entries of the slot whose rows Spark gives, by number. Each call is one or two round trips of 0.2 to 1 ms.

    Number 0 stands under the slot's own id, which Spark sets as the grouping key.
    """

    def __init__(self, handle: Any) -> None:
        """Declares the variable in a `StatefulProcessorHandle`; call it in `init` of the processor."""
        self._client = handle._statefulProcessorApiClient
        self._value = handle.getValueState(NAME, SCHEMA)

    def begin(self, slot: int) -> None:
        """From now on these are the entries of a slot."""
        self._slot = self._key = slot

    def get(self, number: int) -> bytes | None:
        self._select(number)
        found = self._value.get()
        return bytes(found[0]) if found else None

    def put(self, number: int, entry: bytes) -> None:
        self._select(number)
        self._value.update((entry,))

    def remove(self, number: int) -> None:
        self._select(number)
        self._value.clear()

    def _select(self, number: int) -> None:
        key = number << SLOT_BITS | self._slot
        if key != self._key:
            self._client.set_implicit_key((key,))
            self._key = key
