"""Joins processors to each other: which one calls which, and where an error stops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from designer.expressions.errors import RecordError
from runner.engine.records.context import RecordContext
from runner.engine.tasks.errors import Errors

Forward = Callable[..., None]


def to_nobody(*record: Any) -> None:
    """End of an output without edges."""


def join(children: Sequence[Forward], errors: Errors, context: RecordContext, *, is_often: bool) -> Forward:
    """The receiver to which a processor forwards.

    A processor that forwards once, as its last act, to one child calls that child itself. It has nothing left to
    do, so an error may pass through it. Otherwise every call is guarded, and an error in one branch stops only that
    branch (Kafka Streams' ProcessorNode.process, KIP-1033).
    """
    if not children:
        return to_nobody
    if len(children) == 1:
        return _guard(children[0], errors, context) if is_often else children[0]
    return _forward_to_many(tuple(children), errors, context)


def _guard(child: Forward, errors: Errors, context: RecordContext) -> Forward:
    def forward(*record: Any) -> None:
        try:
            child(*record)
        except RecordError as error:
            errors.handle_processing(error, context.row)

    return forward


def _forward_to_many(children: tuple[Forward, ...], errors: Errors, context: RecordContext) -> Forward:
    def forward(*record: Any) -> None:
        for child in children:
            try:
                child(*record)
            except RecordError as error:
                errors.handle_processing(error, context.row)

    return forward
