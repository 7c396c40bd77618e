"""The answers about kept batches as JSON. They are apart because others name them without Spark's packages."""

from __future__ import annotations

from typing import Any, TypedDict

import typing_extensions

from runner.engine.following.steps import RowValue, ShownRecord
from runner.engine.queryable.query import WindowTimes
from runner.engine.records.record import OriginJson


class LeavingRecord(ShownRecord):
    """A record that left a node. Without an origin, a clock or the end of a window caused it."""

    origin: OriginJson | None


NodeActivity = typing_extensions.TypedDict(
    "NodeActivity",
    {"in": int, "out": int, "dropped": int, "errors": int, "dropped_by": dict[str, int], "no_result": int},
)
"""What a node did in one batch; `in` is a keyword of Python. Pydantic cannot describe a `TypedDict` of Python 3.11."""


class BatchActivity(TypedDict):
    """What each node did in a batch. `left` are the newest of `left_count` records that left the asked node."""

    nodes: dict[str, NodeActivity]
    left: list[LeavingRecord]
    left_count: int


class TopicRow(TypedDict):
    """A row of a table that is read from a topic, as the record of that topic."""

    topic: str
    key: Any
    value: Any
    timestamp: int


class StoredRow(TypedDict):
    """Names a row of a table by its store, its key as text, and its window."""

    store: str
    key: str | None
    window: WindowTimes | None


class ShownWrite(TypedDict):
    """A write of a row in the batch of a time (ms): the input's record, and the row before and after.

    Record and origin are None if no input caused it, but a clock or the end of a window.
    """

    time: int
    origin: OriginJson | None
    record: ShownRecord | None
    before: RowValue | None
    after: RowValue | None


class Hit(TypedDict):
    """A record for which a condition is true, in the batch of a time (ms)."""

    time: int
    origin: OriginJson | None
    record: ShownRecord


class Found(TypedDict):
    """The newest hits, the number of all of them, and of records for which the condition could not be computed."""

    hits: list[Hit]
    count: int
    failed: int
