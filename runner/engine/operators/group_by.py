from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from pydantic import Field
from pydantic.config import JsonDict

from designer.issues import Issue
from designer.reasons import Reason
from designer.streams.lineage import Columns, Tracing
from designer.topology.catalogue import Flow, Flows, Operator, Scope, make_record_scope, register
from designer.topology.forms import ExpressionText, NamedExpressions
from designer.topology.graph import Edge
from designer.topology.ports import Input, KGroupedStream, KGroupedTable, KStream, KTable, Output, make_case
from designer.values.schemas import Schema
from runner.engine.formats import EncodeError
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.aggregations.grouping import keep_lasting
from runner.engine.operators.select_key import NewKey
from runner.engine.operators.shared.keying import GivesKey, find_key_misfits
from runner.engine.operators.shared.shaping import ShapesValue
from runner.engine.planning.parts import Part, Parts
from runner.engine.planning.tables import NodeTables
from runner.engine.records.codecs import make_key_codec
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext

ON_TABLES: JsonDict = {"shown": {"records": [str(KTable)]}}


# All aggregates of a group share one shuffle: joins between them must see the intermediate results that Kafka Streams
# shows. A running job whose plan does not say so keeps its layout, which numbers its state.
@register
class GroupBy(GivesKey, ShapesValue):
    """Group records by a new key, to count or aggregate them, at the task of that key.

    All aggregates of these groups share one shuffle, as with a named group in Kafka Streams (Grouped.as). Each record
    reaches them in the order in which they are defined. A KStream drops records whose new key is null.

    On a KTable the newest value of a row decides its group. When a row changes, its old value leaves the old group
    before the new value joins the new one. A row whose new key or new value is null is in no group.
    """

    icon = "group"
    follows = 5
    step_prefixes = ("KTABLE-SELECT",)
    kafka_names = ("Grouped",)
    family = "group and window"
    summary = ("key", "value", "fields")
    may_leave_value = True
    rekeys = True
    records = Input(KStream, KTable)
    result = Output(make_case(KGroupedStream, records=KStream), make_case(KGroupedTable, records=KTable))

    value: ExpressionText | None = Field(
        None,
        description="Expression that gives the value of a row in the group.",
        json_schema_extra={**ON_TABLES, "empty_means": "the unchanged value"},
    )
    fields: NamedExpressions = Field(
        (),
        description="The fields of a row's value in the group. Use them instead of Value.",
        json_schema_extra=ON_TABLES,
    )
    keep: bool = Field(
        False,
        description="Keeps the fields of the arriving value. The fields named above replace them or are added.",
        json_schema_extra=ON_TABLES,
    )

    def output_schema(self, inputs: Flows) -> Schema:
        """The new key is plain, even if the old one was windowed."""
        arriving = inputs.only.schema
        scope = self.scope("key", inputs)
        value = self.find_new_value(scope, arriving.value) if self.shapes_value else arriving.value
        return Schema(key=self.find_new_key(scope, arriving.key), value=value)

    def scope(self, field: str, inputs: Flows) -> Scope:
        """Rows have neither time nor headers: the group of the old value must be found again."""
        scope = make_record_scope(inputs.only.schema)
        return keep_lasting(scope) if inputs.only.type is KTable else scope

    def trace(self, tracing: Tracing) -> Columns:
        value = self.trace_value(tracing, tracing.only.value) if self.shapes_value else tracing.only.value
        return replace(tracing.only, key=tracing.expression("key", self.key), value=value)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from find_key_misfits(self.output_schema(inputs).key)
        yield from self.refuse_nothing_to_keep(inputs.only.schema.value.type)
        if inputs.only.type is KStream and self.shapes_value:
            field = "value" if self.value is not None else "fields" if self.fields else "keep"
            yield Issue(OperatorIssueCode.VALUE_OF_STREAM, field=field)

    def plan_tables(self, plan: NodeTables) -> None:
        if plan.inputs.only.type is KTable:
            plan.arriving["records"].ask_old_values(is_forced=True)

    def parts(self, inputs: Flows) -> Parts:
        """The first part makes new keys before the shuffle, and the groups are after it."""
        of = KGroupedStream if inputs.only.type is KStream else KGroupedTable
        groups = Flow(of, self.output_schema(inputs))
        return Parts(
            by_name={
                "key": Part(self, inputs, {"grouped": groups}),
                "": Part(Groups.model_construct(on_error=self.on_error), {"grouped": groups}, {}),
            },
            enter={"records": "key"},
            edges=(Edge("key", "grouped", "", "grouped"),),
            can_share=True,
        )

    def processor(self, context: ProcessorContext) -> Processor:
        if context.inputs.only.type is KStream:
            return NewKey(context.expression("key", "key", "value", "timestamp"))
        (grouped,) = context.layout.nodes[context.node].outputs.values()
        return RowsToGroups(
            context.expression("key", "key", "value"),
            self.shape(context, "value", "key", "value"),
            make_key_codec(grouped.schema.key).encode,
        )

    @property
    def shapes_value(self) -> bool:
        return self.value is not None or bool(self.fields) or self.keep


class Groups(Operator):
    """The part of a group_by at the task of the new keys."""

    def find_keyed_inputs(self, inputs: Flows) -> frozenset[str]:
        return frozenset({"grouped"})


class RowsToGroups(Processor):
    """Sends each row with its old and new value to its groups (KTableRepartitionMap).

    If both are in one group, they go together (KIP-904). Otherwise the old value goes first.
    """

    forwards_often = True
    late_updates = "ignored"
    silence = Reason.NO_GROUP

    def __init__(
        self, select: Callable[[Any, Any], Any], shape: Callable[[Any, Any], Any], encode: Callable[[Any], bytes]
    ) -> None:
        self.select = select
        self.shape = shape
        self.encode = encode

    def update(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        to, new_value = self._map_row(key, new)
        of, old_value = self._map_row(key, old)
        if new_value is None and old_value is None:
            self.silent += 1
        elif new_value is None:
            self.forward_update(of, None, old_value, timestamp)
        elif old_value is None:
            self.forward_update(to, new_value, None, timestamp)
        elif self._is_one_group(to, of):
            self.forward_update(to, new_value, old_value, timestamp)
        else:
            self.extra += 1
            self.forward_update(of, None, old_value, timestamp)
            self.forward_update(to, new_value, None, timestamp)

    def _is_one_group(self, to: Any, of: Any) -> bool:
        """Whether both groups are one. In a struct or list, 1, 1.0 and true are equal, but they are other keys."""
        if to != of or type(to) is not type(of):
            return False
        try:
            return type(to) not in (dict, list) or self.encode(to) == self.encode(of)
        except EncodeError:
            return True  # the shuffle says that it cannot be written

    def _map_row(self, key: Any, value: Any) -> tuple[Any, Any]:
        """Group and value of a row. (None, None) if it is in no group."""
        if value is None:
            return None, None
        group, new_value = self.select(key, value), self.shape(key, value)
        return (None, None) if group is None or new_value is None else (group, new_value)
