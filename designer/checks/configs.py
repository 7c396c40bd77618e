"""Checks each node's form: a known operator, valid fields, expressions that fit the arriving records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pydantic import ValidationError

from designer.checks.errors import make_issues
from designer.checks.graph_view import GraphView
from designer.checks.text import guess, join_names
from designer.expressions import ExpressionError, check
from designer.issues import Issue
from designer.messages import IssueCode
from designer.topology.bypassing import can_be_bypassed
from designer.topology.catalogue import get_catalogue
from designer.topology.forms import find_expressions


def operators_known(view: GraphView) -> Iterator[Issue]:
    for node in view.graph.nodes:
        if node.id not in view.classes:
            suggestion = guess(node.operator, get_catalogue())
            yield Issue(
                IssueCode.OPERATOR_UNKNOWN,
                {"operator": node.operator[:80], "meant": suggestion, "operators": join_names(get_catalogue())},
                node=node.id,
            )


def configs_valid(view: GraphView) -> Iterator[Issue]:
    for node in view.graph.nodes:
        operator = view.classes.get(node.id)
        if operator is None or node.id in view.operators:
            continue
        try:
            operator.model_validate(node.config)
        except ValidationError as invalid:
            yield from (replace(issue, node=node.id) for issue in make_issues(operator, invalid))


def bypasses_possible(view: GraphView) -> Iterator[Issue]:
    for node in view.graph.nodes:
        operator = view.classes.get(node.id)
        if node.bypassed and operator and not can_be_bypassed(operator):
            yield Issue(IssueCode.BYPASS_PORTS, {"node": node.id, "operator": node.operator}, node=node.id)


def expressions_right(view: GraphView) -> Iterator[Issue]:
    for node_id, flowing in view.flows.items():
        for path, text, returns in () if flowing.is_valid else find_expressions(flowing.operator):
            try:
                check(text, flowing.operator.scope(path, flowing.inputs), returns)
            except ExpressionError as error:
                yield replace(error.issue, node=node_id, field=path)
            view.budget.charge(node_id)


def operators_content(view: GraphView) -> Iterator[Issue]:
    """The operator's own checks, such as the keys of both sides of a join."""
    for node_id, flowing in view.flows.items():
        if flowing.is_valid:
            for issue in flowing.operator.issues(flowing.inputs):
                yield replace(issue, node=node_id)
            view.budget.charge(node_id)
