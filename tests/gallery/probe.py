"""What a probe is: records for the topics of an application, and what it must write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
T0 = 1_767_225_600_000
"""2026-01-01T00:00:00Z in ms: all windows of the applications are aligned to it."""

Given = tuple[str, Any, Any, int]
"""Topic, key, value and time (ms from T0). Bytes stand for a record as it is; all else is written as declared."""
Written = tuple[Any, Any, int]
"""Key, value and time (ms from T0)."""


@dataclass(frozen=True)
class Probe:
    """Records in order of arrival; the records each topic then holds, in order; how many records were dropped.

    Where records count by their arrival, `arrivals` are those times (ms from T0), and `at_once` says what the topics
    hold if all arrive together: keys without their windows, and values, deletions left out.
    """

    given: Sequence[Given]
    written: Mapping[str, Sequence[Written]]
    dropped: int = 0
    arrivals: Sequence[int] = ()
    at_once: Mapping[str, Sequence[tuple[Any, Any]]] | None = None


def window(key: Any, start: int, end: int) -> dict[str, Any]:
    """A windowed key as `to` writes it; bounds in ms from T0."""
    return {"key": key, "start": T0 + start, "end": T0 + end}


def each(topic: str, *records: tuple[Any, Any, int]) -> list[Given]:
    """Records of one topic: key, value and time."""
    return [(topic, *record) for record in records]
