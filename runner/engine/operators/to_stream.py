from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from pydantic import Field

from designer.issues import Issue
from designer.streams.lineage import Columns, Tracing
from designer.topology.catalogue import Flows, Operator, register
from designer.topology.forms import ExpressionText
from designer.topology.ports import Input, KStream, KTable, Output
from designer.values.schemas import FormatName, Schema
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.shared.keying import KEY_FORMAT, choose_key_side, find_key_misfits
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext


@register
class ToStream(Operator):
    """Turn a KTable into the KStream of its updates (KTable.toStream).

    Each update becomes a record. A deleted row becomes a record with a null value. With `key`, each record gets a new
    key, as if select_key followed.
    """

    icon = "list-end"
    follows = 13
    step_prefixes = ("KTABLE-TOSTREAM",)
    first_step = "unroll"
    family = "table"
    summary = ("key",)
    table = Input(KTable)
    result = Output(KStream)

    key: ExpressionText | None = Field(
        None,
        description="Expression over the row that gives another key.",
        json_schema_extra={"empty_means": "the row's own key"},
    )
    key_format: FormatName | None = KEY_FORMAT

    def changes_key(self) -> bool:
        return self.key is not None

    def output_schema(self, inputs: Flows) -> Schema:
        arriving = inputs.only.schema
        if self.key is None:
            return arriving
        return Schema(
            choose_key_side(self.key, self.key_format, self.scope("key", inputs), arriving.key), arriving.value
        )

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        if self.key is not None:
            yield from find_key_misfits(self.output_schema(inputs).key)
        elif self.key_format is not None:
            yield Issue(OperatorIssueCode.KEY_FORMAT_WITHOUT_KEY, field="key_format")

    def trace(self, tracing: Tracing) -> Columns:
        return tracing.only if self.key is None else replace(tracing.only, key=tracing.expression("key", self.key))

    def processor(self, context: ProcessorContext) -> Processor:
        select = context.compile_optional("key", "key", "value", "timestamp")
        return UpdatesAsRecords() if select is None else UpdatesWithNewKeys(select)


class UpdatesAsRecords(Processor):
    """Forwards the new value of each update."""

    late_updates = "taken"

    def update(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        self.forward(key, new, timestamp)


class UpdatesWithNewKeys(Processor):
    """Forwards the new value of each update under a key computed from key and value (KTable.toStream with a mapper)."""

    late_updates = "taken"

    def __init__(self, select: Callable[[Any, Any, int], Any]) -> None:
        self.select = select

    def update(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        self.forward(self.select(key, new, timestamp), new, timestamp)
