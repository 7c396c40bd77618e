"""Checks the size of types: one that doubles from node to node would soon exceed any memory."""

from __future__ import annotations

from collections.abc import Iterator

from designer.checks.graph_view import GraphView
from designer.issues import Issue
from designer.messages import IssueCode
from designer.streams.budget import MAX_TYPE_DEPTH, MAX_TYPE_SIZE


def types_bounded(view: GraphView) -> Iterator[Issue]:
    for node_id, flowing in view.flows.items():
        schemas = {flow.schema for flow in flowing.outputs.values()}
        for schema in filter(view.budget.is_too_large, schemas):
            side, type_ = max(
                (("key", schema.key.type), ("value", schema.value.type)), key=lambda each: (each[1].size, each[1].depth)
            )
            yield Issue(
                IssueCode.TYPE_TOO_LARGE,
                {
                    "side": side,
                    "node": node_id,
                    "size": type_.size,
                    "depth": type_.depth,
                    "max_size": MAX_TYPE_SIZE,
                    "max_depth": MAX_TYPE_DEPTH,
                },
                node=node_id,
            )
