from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from pydantic import Field

from designer.issues import Issue
from designer.reasons import Reason
from designer.topology.catalogue import Flows, Operator, register
from designer.topology.forms import Predicate, StoreName
from designer.topology.ports import Input, KStream, KTable, Output
from runner.engine.operators.shared.deriving import DerivedTable, choose_history, refuse_store_on_stream
from runner.engine.planning.tables import NodeTables
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext


class Filtering(Operator):
    """A filter. `is_negated` says which records pass."""

    family = "stateless"
    summary = ("predicate", "store")
    is_negated: ClassVar[bool] = False
    records = Input(KStream, KTable)
    result = Output(like="records")

    predicate: Predicate = Field(description="True for the records to keep.")
    store: StoreName | None = Field(
        None,
        description="Keeps the resulting table in a store of this name, which you can query under Tables.",
        json_schema_extra={"empty_means": "no store", "shown": {"records": ["KTable"]}},
    )

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from refuse_store_on_stream(self.store, inputs)

    def history(self, inputs: Flows) -> int | None:
        return choose_history(self.store, inputs)

    def plan_tables(self, plan: NodeTables) -> None:
        if plan.inputs.only.type is KTable:
            plan.derive_table("records", is_named=self.store is not None).ask_old_values_of_parent()

    def processor(self, context: ProcessorContext) -> Processor:
        predicate = context.expression("predicate", "key", "value", "timestamp")
        if context.inputs.only.type is KStream:
            return LeaveOutRecords(predicate) if self.is_negated else FilterRecords(predicate)
        is_negated = self.is_negated

        def row(key: Any, value: Any, timestamp: int) -> Any:
            return value if bool(predicate(key, value, timestamp)) is not is_negated else None

        return FilterRows(context, row)


@register
class Filter(Filtering):
    """Keep the records for which the predicate is true.

    A KStream drops all other records. A KTable deletes a row that does not satisfy the predicate from the result. A
    predicate that gives null counts as false.
    """

    icon = "funnel"
    follows = 8
    step_prefixes = ("KSTREAM-FILTER", "KTABLE-FILTER")
    first_step = "keep"


class FilterRecords(Processor):
    """Forwards the records that satisfy the predicate (KStreamFilter)."""

    silence = Reason.PREDICATE

    def __init__(self, keep: Callable[[Any, Any, int], bool | None]) -> None:
        self.keep = keep

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if self.keep(key, value, timestamp):
            self.forward(key, value, timestamp)
        else:
            self.silent += 1


class LeaveOutRecords(FilterRecords):
    """Forwards the records that do not satisfy the predicate (KStreamFilter with filterNot)."""

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if self.keep(key, value, timestamp):
            self.silent += 1
        else:
            self.forward(key, value, timestamp)


class FilterRows(DerivedTable):
    """Deletes the rows that do not satisfy the predicate (KTableFilter).

    With known old values, nothing is forwarded for a row that was not and is not there. Otherwise, and after a
    versioned table, deletions go out even for rows never seen.
    """

    def __init__(self, context: ProcessorContext, row: Callable[[Any, Any, int], Any]) -> None:
        super().__init__(context, row)
        self.skips_nothing_to_nothing = context.inputs.only.history_ms is None
