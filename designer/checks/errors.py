"""What is wrong with one field of a form, in plain words: pydantic's errors as issues."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from designer.catalogue import Operator
from designer.checks.words import guess, one_of
from designer.forms import EXPECTED, parts_in
from designer.issues import Issue

Words = Callable[[Mapping[str, Any]], str]

_EXPECTED: Mapping[str, Words] = {
    "literal_error": lambda context: str(context["expected"]).replace("'", "`"),
    "string_pattern_mismatch": lambda context: EXPECTED[context["pattern"]],
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


def issues_of(operator: type[Operator], invalid: ValidationError) -> Iterator[Issue]:
    """The issues of a config that is not valid."""
    errors = invalid.errors(include_url=False)
    for error in errors:
        # pydantic also calls a list too short when its rows are wrong
        inside = (other["loc"][: len(error["loc"])] == error["loc"] for other in errors if other is not error)
        if error["type"] != "too_short" or not any(inside):
            yield issue_of(operator, error)


def issue_of(operator: type[Operator], error: ErrorDetails) -> Issue:
    """The issue of one of pydantic's errors; its `field` is the dotted path into the config."""
    context = error.get("ctx", {})
    path = ".".join(str(part) for part in (*error["loc"], context.get("field")) if part not in (None, ""))
    code, message, hint = _words(operator, error, path, context)
    return Issue(code=code, message=message, hint=hint, field=path or None)


def _words(
    operator: type[Operator], error: ErrorDetails, path: str, context: Mapping[str, Any]
) -> tuple[str, str, str]:
    form = _form_of(operator, error["loc"])
    match error["type"]:
        case "form":
            return context["code"], context["text"], context["hint"]
        case "missing":
            return "field.missing", f"`{path}` is empty.", _help(form, error)
        case "extra_forbidden":
            owner = operator.operator_name() if form is operator else f"A row of `{error['loc'][0]}`"
            return "field.unknown", f"{owner} has no field `{str(error['loc'][-1])[:80]}`.", _field_label(form, error)
    words = _EXPECTED.get(error["type"])
    expected = words(context) if words else error["msg"]
    return "field.invalid", f"`{path}` is {_show(error['input'])}; expected {expected}.", _help(form, error)


def _form_of(operator: type[Operator], path: Sequence[int | str]) -> type[BaseModel]:
    """The form that the last step of a path belongs to: the operator's own, or that of a row of one of its lists."""
    form: type[BaseModel] = operator
    for step in path[:-1]:
        field = form.model_fields.get(str(step))
        form = next(parts_in(field.annotation), form) if field else form
    return form


def _help(form: type[BaseModel], error: ErrorDetails) -> str:
    """The help line of the field, which says what belongs there."""
    name = next((step for step in reversed(error["loc"]) if step in form.model_fields), None)
    field = form.model_fields.get(str(name))
    return f"Fill it in: {field.description}" if field and field.description else "Correct it."


def _field_label(form: type[BaseModel], error: ErrorDetails) -> str:
    meant = guess(str(error["loc"][-1]), form.model_fields)
    return f"Did you mean `{meant}`?" if meant else f"Remove it; the fields are {one_of(form.model_fields, 'and')}."


def _show(value: Any) -> str:
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
