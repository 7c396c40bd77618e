"""Checks each node's form: a known operator, valid fields, expressions that fit the arriving records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from designer.checks.graph_view import GraphView
from designer.checks.text import guess, join_names
from designer.expressions import ExpressionError, check
from designer.issues import Issue
from designer.messages import IssueCode
from designer.topology.bypassing import can_be_bypassed
from designer.topology.catalogue import Operator, get_catalogue
from designer.topology.forms import EXPECTATIONS, find_expressions, find_parts, lower_first


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


Words = Callable[[Mapping[str, Any]], str]

_EXPECTATIONS: Mapping[str, Words] = {
    "literal_error": lambda context: str(context["expected"]).replace("'", "`"),
    "string_pattern_mismatch": lambda context: EXPECTATIONS[context["pattern"]],
    "string_too_long": lambda context: f"at most {context['max_length']} characters",
    "string_too_short": lambda context: "a text that is not empty",
    "greater_than_equal": lambda context: f"at least {context['ge']:,}",
    "less_than_equal": lambda context: f"at most {context['le']:,}",
    "too_short": lambda context: f"at least {context['min_length']} of them",
    "too_long": lambda context: f"at most {context['max_length']} of them",
    "string_type": lambda context: "a text",
    "int_type": lambda context: "a whole number",
    "int_parsing": lambda context: "a whole number",
    "int_from_float": lambda context: "a whole number",
    "int_parsing_size": lambda context: "a smaller number",
    "bool_type": lambda context: "true or false",
    "bool_parsing": lambda context: "true or false",
    "tuple_type": lambda context: "a list",
    "model_type": lambda context: "an object with the fields of one row",
}


def describe_expectation(error: ErrorDetails) -> str:
    """What one of pydantic's errors expects: "at least 1"."""
    kind = error["type"]
    return _EXPECTATIONS[kind](error.get("ctx", {})) if kind in _EXPECTATIONS else error["msg"].rstrip(".")


def make_issues(operator: type[Operator], invalid: ValidationError) -> Iterator[Issue]:
    """The issues of an invalid config."""
    errors = invalid.errors(include_url=False)
    for error in errors:
        # pydantic also calls a list too short when its rows are wrong
        inside = (other["loc"][: len(error["loc"])] == error["loc"] for other in errors if other is not error)
        if error["type"] != "too_short" or not any(inside):
            yield make_issue(operator, error)


def make_issue(operator: type[Operator], error: ErrorDetails) -> Issue:
    """The issue for one of pydantic's errors. Its `field` is the dotted path into the config."""
    context = error.get("ctx", {})
    path = ".".join(str(part) for part in (*error["loc"], context.get("field")) if part not in (None, ""))
    form = _find_form(operator, error["loc"])
    match error["type"]:
        case "form":
            issue: Issue = context["issue"]
        case "missing":
            issue = Issue(IssueCode.FIELD_MISSING, {"field": path, "needed_by": None, "help": _find_help(form, error)})
        case "extra_forbidden":
            row = None if form is operator else str(error["loc"][0])
            name, fields = str(error["loc"][-1]), form.model_fields
            issue = Issue(
                IssueCode.FIELD_UNKNOWN,
                {
                    "row": row,
                    "operator": operator.operator_name(),
                    "field": name[:80],
                    "meant": guess(name, fields),
                    "fields": join_names(fields, "and"),
                },
            )
        case _:
            expectation = describe_expectation(error)
            issue = Issue(
                IssueCode.FIELD_INVALID,
                {
                    "field": path,
                    "given": _format_value(error["input"]),
                    "expected": expectation,
                    "help": _find_help(form, error),
                },
            )
    return replace(issue, field=path or None)


def _find_form(operator: type[Operator], path: Sequence[int | str]) -> type[BaseModel]:
    """The form with the last step of a path: the operator's own, or that of a row in one of its lists."""
    form: type[BaseModel] = operator
    for step in path[:-1]:
        field = form.model_fields.get(str(step))
        form = next(find_parts(field.annotation), form) if field else form
    return form


def _find_help(form: type[BaseModel], error: ErrorDetails) -> str | None:
    """The help line of the field, which describes its content."""
    name = next((step for step in reversed(error["loc"]) if step in form.model_fields), None)
    field = form.model_fields.get(str(name))
    return lower_first(field.description) if field and field.description else None


def _format_value(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str() if len(value) <= 80:
            return f"`{value}`"
        case int() | float():
            return f"{value:,}" if abs(value) < 10**30 else "too large a number"
        case str():
            return f"a text of {len(value):,} characters"
        case list() | tuple():
            return f"a list of {len(value):,}"
    return "an object" if isinstance(value, dict) else type(value).__name__
