"""The shapes that cross the engine's border."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Row = tuple[int, bytes | None, bytes | None, int, str | None, int, int]
"""Target, key, value, timestamp (ms), headers (JSON text or None), origin, seq."""

Emit = Callable[[int, bytes | None, bytes | None, int, str | None], None]
"""Takes target, key, value, timestamp (ms) and headers of a row that leaves a task."""

Receive = Callable[[Any, Any, int], None]
"""Takes key, value and timestamp of one record."""

ReceiveUpdate = Callable[[Any, Any, Any, int], None]
"""Takes key, new value, old value and timestamp of one update of a table (Kafka Streams' Change)."""

Entry = tuple[Any, int]
"""A value of a store and its timestamp (ValueAndTimestamp)."""

View = Callable[[Any], Entry | None]
"""Looks up the row of a key in a table (KTableValueGetter)."""

ViewAsOf = Callable[[Any, int], Entry | None]
"""Looks up the row that a key had at a time, in a versioned table."""
