"""Data that the processors of a task share, besides the current record."""

from __future__ import annotations

from typing import Any

from runner.engine.records.headers import read_headers_as_text
from runner.engine.records.record import HEADERS, Row

NO_ROW: Row = (-1, None, None, 0, None, -1, -1)


class RecordContext:
    """The place of processing: `row` is the source row whose consequences are being computed.

    `read` is the row that was decoded last, `key` and `value` are its decoded bytes. No one changes them in place. So a
    sink recognises an unchanged value as the same object and writes its original bytes.

    `is_latest` is false during an update of a versioned table that is older than the row of its key
    (Kafka Streams' Change.isLatest).

    `is_flushing` is true at the end of a batch, while cached tables forward.

    `results` is the number of records that the flat maps have made of the row `results_of`.
    """

    __slots__ = ("is_flushing", "is_latest", "key", "read", "results", "results_of", "row", "value")

    def __init__(self) -> None:
        self.row: Row = NO_ROW
        self.read: Row = NO_ROW
        self.key: Any = None
        self.value: Any = None
        self.is_latest = True
        self.is_flushing = False
        self.results = 0
        self.results_of: Row = NO_ROW

    def headers(self) -> list[Any]:
        """The headers of the current record in the form of expressions: key and value as text."""
        return read_headers_as_text(self.row[HEADERS])
