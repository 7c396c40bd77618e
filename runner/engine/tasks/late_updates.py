"""Handles updates of a versioned table that are older than the row of their key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from designer.reasons import OLDER_THAN_ROW
from runner.engine.records.context import RecordContext
from runner.engine.tasks.processor import Processor


def guard(update: Callable[..., None], processor: Processor, context: RecordContext) -> Callable[..., None]:
    """A receiver for updates of a versioned table, which calls the processor's `update` and handles late ones.

    Joins drop late updates and groupings ignore them. Filters and mappings pass them on unchanged. For a stream, or
    for a store that is not versioned, they are ordinary updates (useVersionedSemantics, KIP-914).
    """
    if processor.late_updates == "passed":
        return update
    return (
        _take_late(update, context) if processor.late_updates == "taken" else _refuse_late(update, processor, context)
    )


def _take_late(update: Callable[..., None], context: RecordContext) -> Callable[..., None]:
    def take(key: Any, new: Any, old: Any, timestamp: int) -> None:
        was_latest, context.is_latest = context.is_latest, True
        try:
            update(key, new, old, timestamp)
        finally:
            context.is_latest = was_latest

    return take


def _refuse_late(update: Callable[..., None], processor: Processor, context: RecordContext) -> Callable[..., None]:
    def take(key: Any, new: Any, old: Any, timestamp: int) -> None:
        if context.is_latest:
            update(key, new, old, timestamp)
        elif processor.late_updates == "dropped":
            processor.drop(OLDER_THAN_ROW)
        else:
            processor.count_no_result(OLDER_THAN_ROW)

    return take
