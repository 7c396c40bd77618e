from __future__ import annotations

from collections.abc import Iterator, Sequence

from designer.issues import Issue
from designer.topology.catalogue import Flows, Operator, register
from designer.topology.ports import Input, KStream, Output
from designer.values.schemas import ANY, Schema, Side, is_alike, without_names
from runner.engine.issue_codes import OperatorIssueCode


@register
class Merge(Operator):
    """Merge several KStreams into one (KStream.merge).

    No record is left out. The order across the streams is not guaranteed. The keys must have the same type. If the
    values have different types, the type of the merged values is unknown, and they are written as JSON.
    """

    icon = "git-merge"
    step_prefixes = ("KSTREAM-MERGE",)
    family = "stateless"
    passes_unchanged = True
    streams = Input(KStream, is_many=True)
    result = Output(KStream)

    def output_schema(self, inputs: Flows) -> Schema:
        schemas = _list_schemas(inputs)
        key, value = (
            _find_common_side([each.key for each in schemas]),
            _find_common_side([each.value for each in schemas]),
        )
        return Schema(key, value, schemas[0].window)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        first, *others = _list_schemas(inputs)
        for other in others:
            if first.window != other.window:
                yield Issue(
                    OperatorIssueCode.MERGE_WINDOWS, {"first": _describe_keys(first), "other": _describe_keys(other)}
                )
                return
            if not is_alike(first.key.type, other.key.type):
                yield Issue(
                    OperatorIssueCode.MERGE_KEYS, {"first": _describe_keys(first), "other": _describe_keys(other)}
                )
                return


def _list_schemas(inputs: Flows) -> list[Schema]:
    return [flow.schema for flow in inputs.every["streams"]]


def _find_common_side(sides: Sequence[Side]) -> Side:
    """The common side of several inputs: the first one if their types agree, otherwise anything, as JSON."""
    first, plain = sides[0], without_names(sides[0].type)
    if all(side.type == first.type for side in sides):
        return first
    is_alike = all(without_names(side.type) == plain for side in sides)
    return Side(first.format, plain, first.schema) if is_alike else Side("json", ANY)


def _describe_keys(schema: Schema) -> str:
    kind = schema.key.type.kind.value
    if schema.window is None:
        return f"plain ({kind})"
    calendar = schema.window.calendar
    length = f"{schema.window.size_ms} ms" if calendar is None else f"{calendar.count} {calendar.unit}, {calendar.zone}"
    return f"windowed ({kind}, {schema.window.kind} of {length})"
