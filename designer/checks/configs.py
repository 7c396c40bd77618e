"""Is each node's form filled in right: a known operator, valid fields, expressions that fit what arrives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pydantic import ValidationError

from designer.bypassing import can_be_bypassed
from designer.catalogue import catalogue
from designer.checks.drawing import Drawing
from designer.checks.errors import issues_of
from designer.checks.words import guess, one_of
from designer.expressions import ExpressionError, check
from designer.forms import expressions_in
from designer.issues import Issue
from designer.messages import IssueCode


def operators_known(drawing: Drawing) -> Iterator[Issue]:
    for node in drawing.graph.nodes:
        if node.id not in drawing.known:
            meant = guess(node.operator, catalogue())
            yield Issue(
                IssueCode.OPERATOR_UNKNOWN,
                {"operator": node.operator[:80], "meant": meant, "operators": one_of(catalogue())},
                node=node.id,
            )


def configs_valid(drawing: Drawing) -> Iterator[Issue]:
    for node in drawing.graph.nodes:
        operator = drawing.known.get(node.id)
        if operator is None or node.id in drawing.operators:
            continue
        try:
            operator.model_validate(node.config)
        except ValidationError as invalid:
            yield from (replace(issue, node=node.id) for issue in issues_of(operator, invalid))


def bypasses_possible(drawing: Drawing) -> Iterator[Issue]:
    for node in drawing.graph.nodes:
        operator = drawing.known.get(node.id)
        if node.bypassed and operator and not can_be_bypassed(operator):
            yield Issue(IssueCode.BYPASS_PORTS, {"node": node.id, "operator": node.operator}, node=node.id)


def expressions_right(drawing: Drawing) -> Iterator[Issue]:
    for node_id, flowing in drawing.flows.items():
        for path, text, returns in () if flowing.right else expressions_in(flowing.operator):
            try:
                check(text, flowing.operator.scope(path, flowing.inputs), returns)
            except ExpressionError as error:
                yield replace(error.issue, node=node_id, field=path)
            drawing.budget.charge(node_id)


def operators_content(drawing: Drawing) -> Iterator[Issue]:
    """What only the operator itself can judge, such as the keys of both sides of a join."""
    for node_id, flowing in drawing.flows.items():
        if flowing.right:
            for issue in flowing.operator.issues(flowing.inputs):
                yield replace(issue, node=node_id)
            drawing.budget.charge(node_id)
