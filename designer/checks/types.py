"""Can the types be passed on: a type that doubles from node to node would soon be larger than any memory."""

from __future__ import annotations

from collections.abc import Iterator

from designer.budget import MAX_TYPE_DEPTH, MAX_TYPE_SIZE
from designer.checks.drawing import Drawing
from designer.issues import Issue


def types_bounded(drawing: Drawing) -> Iterator[Issue]:
    for node_id, flowing in drawing.flows.items():
        schemas = {flow.schema for flow in flowing.outputs.values()}
        for schema in filter(drawing.budget.is_too_large, schemas):
            side, held = max(
                (("key", schema.key.type), ("value", schema.value.type)), key=lambda each: (each[1].size, each[1].depth)
            )
            yield Issue(
                code="type.too_large",
                message=(
                    f"The type of the {side} that leaves `{node_id}` has {held.size:,} characters and {held.depth} "
                    f"levels; at most {MAX_TYPE_SIZE:,} characters and {MAX_TYPE_DEPTH} levels are allowed."
                ),
                hint="Keep fewer fields, and do not repeat a value inside itself.",
                node=node_id,
            )
