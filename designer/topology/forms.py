"""The kinds of field in an operator's form. Each is a type with its limits and its help."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, NamedTuple, Protocol, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import PydanticCustomError

from designer.issues import Issue
from designer.messages import IssueCode
from designer.values.decimals import MAX_PRECISION, is_sound
from designer.values.schemas import BOOLEAN, Kind, Type

TOPIC = r"^[a-zA-Z0-9._-]{1,249}$"
STORE = r"^[a-z0-9-]{1,64}$"
FIELD = r"^[^\x00-\x1f`.]{1,128}$"
EXPECTATIONS = {
    TOPIC: "up to 249 of letters, digits, `.`, `_` and `-`",
    STORE: "up to 64 of a-z, 0-9 and `-`",
    FIELD: "a name of up to 128 characters without dots and backticks",
}
"""The required form of a text in words, by its pattern."""
NAMES = ("Avro", "Kafka", "Protobuf", "Python", "Spark")
"""Names with which the help of a field may begin."""
CENTURY_MS = 100 * 365 * 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class Expression:
    """Marks a text field as an expression (design: SQL scalar syntax) with its required return type."""

    returns: Type | None = None

    def __get_pydantic_json_schema__(self, schema: Any, handler: Callable[[Any], JsonSchemaValue]) -> JsonSchemaValue:
        return {**handler(schema), "format": "expression"}


ExpressionText = Annotated[str, StringConstraints(min_length=1, max_length=4_096), Expression()]
Predicate = Annotated[str, StringConstraints(min_length=1, max_length=4_096), Expression(returns=BOOLEAN)]


def make_error(issue: Issue, field: str = "") -> PydanticCustomError:
    """An error of a validator: the issue, and its field, relative to the validated value."""
    return PydanticCustomError("form", "{text}", {"text": issue.message, "issue": issue, "field": field})


def make_missing_error(form: BaseModel, field: str, needer: str) -> PydanticCustomError:
    """The error of an empty field that another field's value needs, such as `hopping windows need`."""
    belongs = lower_first(type(form).model_fields[field].description or "")
    return make_error(
        Issue(IssueCode.FIELD_MISSING, {"field": field, "needed_by": needer, "help": belongs or None}), field
    )


def lower_first(sentence: str) -> str:
    """The sentence after a colon. A first word that is a name or an abbreviation stays."""
    is_name = sentence[1:2].isupper() or sentence.startswith(NAMES)
    return sentence if is_name else sentence[:1].lower() + sentence[1:]


def find_unread(form: BaseModel, *only: str) -> Iterator[Issue]:
    """The issues of filled fields that do not apply because of another field (`shown`)."""
    for name in only or type(form).model_fields:
        field = type(form).model_fields[name]
        extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        conditions: Any = extra.get("shown", {})
        for other, values in conditions.items():
            # fields of any form, by their names
            if getattr(form, name) != field.default and (choice := getattr(form, other)) not in values:
                yield Issue(
                    IssueCode.FIELD_UNUSED,
                    {"field": name, "other": other, "chosen": choice, "choices": " or ".join(values)},
                    field=name,
                )


def _check_topic(name: str) -> str:
    if name in {".", ".."}:
        raise make_error(Issue(IssueCode.TOPIC_NAME, {"topic": name}))
    return name


Topic = Annotated[
    str,
    StringConstraints(pattern=TOPIC),
    AfterValidator(_check_topic),
    Field(json_schema_extra={"format": "topic"}),
]
StoreName = Annotated[str, StringConstraints(pattern=STORE), Field(json_schema_extra={"format": "store-name"})]
TableStoreName = Annotated[
    StoreName | None,
    Field(
        description=(
            "Names the store. State is kept under this name even if you rename the node, and you can query it under "
            "Tables."
        ),
        json_schema_extra={"empty_means": "the name of the node"},
    ),
]
FieldName = Annotated[str, StringConstraints(pattern=FIELD)]
Duration = Annotated[int, Field(ge=0, le=CENTURY_MS, json_schema_extra={"format": "milliseconds"})]
WindowSize = Annotated[int, Field(ge=1, le=CENTURY_MS, json_schema_extra={"format": "milliseconds"})]


def _read_declared(json: Any) -> Type:
    if isinstance(json, Type):
        return json
    try:
        type_ = Type.from_json(json)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise make_error(Issue(IssueCode.TYPE_MALFORMED, {"kinds": ", ".join(Kind)})) from error
    check_type(type_)
    return type_


def check_type(type_: Type) -> None:
    """Refuses a type with a ValueError if field names are missing, repeated or outside of structs. The same if a
    decimal's precision and scale are not SQL's.
    """
    if not is_sound(type_):
        raise make_error(Issue(IssueCode.TYPE_DECIMAL, {"max_precision": MAX_PRECISION}))
    names = [field.name for field in type_.fields]
    if type_.kind not in (Kind.STRUCT, Kind.UNION) and names:
        raise make_error(Issue(IssueCode.TYPE_FIELDS, {"kind": type_.kind}))
    known_names: set[str] = set()
    for name in names:
        if not isinstance(name, str) or not name:
            raise make_error(Issue(IssueCode.TYPE_FIELD_UNNAMED))
        if name in known_names:
            raise make_error(Issue(IssueCode.TYPE_FIELD_TWICE, {"field": name}))
        known_names.add(name)
    for inner in ((type_.item,) if type_.item else ()) + tuple(field.type for field in type_.fields):
        check_type(inner)


DeclaredType = Annotated[
    Type,
    PlainValidator(_read_declared),
    PlainSerializer(Type.to_json),
    WithJsonSchema({"type": "object", "format": "declared-type"}),
]


class FormPart(BaseModel):
    """A group of fields inside a form, as one row of a list."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NamedExpression(FormPart):
    """One field of a result: its name and the expression that gives its value."""

    name: FieldName = Field(description="Names the field that holds the value of the expression.")
    expression: ExpressionText = Field(description="Computes the field for each record. Its type is the field's type.")


class HasName(Protocol):
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=HasName)


def refuse_repeated_names(rows: Sequence[N]) -> Sequence[N]:
    """Refuses two rows with one name."""
    known_names: set[str] = set()
    for index, row in enumerate(rows):
        if row.name in known_names:
            raise make_error(Issue(IssueCode.NAME_TWICE, {"name": row.name}), f"{index}.name")
        known_names.add(row.name)
    return rows


NamedExpressions = Annotated[tuple[NamedExpression, ...], AfterValidator(refuse_repeated_names), Field(max_length=500)]


class WrittenExpression(NamedTuple):
    """An expression in a form, with the dotted path of its field (`functions.0.expression`)."""

    path: str
    text: str
    returns: Type | None


def find_expressions(form: BaseModel, at: str = "") -> Iterator[WrittenExpression]:
    """Every filled expression, also inside lists and groups."""
    for name, marker in _find_places(type(form)):  # fields of any form, by their names
        yield from _find_expressions(getattr(form, name), f"{at}{name}", marker)


@cache
def _find_places(form: type[BaseModel]) -> Sequence[tuple[str, Expression | None]]:
    """The fields that may hold expressions, themselves or in their rows."""
    markers = {name: find_expression(form, name) for name in form.model_fields}
    return [
        (name, marker)
        for name, marker in markers.items()
        if marker or list(find_parts(form.model_fields[name].annotation))
    ]


def _find_expressions(value: Any, path: str, marker: Expression | None) -> Iterator[WrittenExpression]:
    if isinstance(value, BaseModel):
        yield from find_expressions(value, f"{path}.")
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from _find_expressions(item, f"{path}.{index}", marker)
    elif isinstance(value, str) and marker is not None:
        yield WrittenExpression(path, value, marker.returns)


class FormSchema(GenerateJsonSchema):
    """JSON Schema whose every field has a title: the label that the form shows."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return True

    def get_title_from_name(self, name: str) -> str:
        return re.sub(r"_(ms|mb)$", "", name).replace("_", " ").capitalize()


def make_form_schema(form: type[BaseModel]) -> JsonSchemaValue:
    """The schema for the page's form. The unit of a field is its `format`, not part of its title."""
    return form.model_json_schema(schema_generator=FormSchema)


def find_expression_fields(form: type[BaseModel], at: str = "") -> dict[str, Expression]:
    """Places for expressions in a form: dotted paths, with * for the number of a row (`fields.*.expression`)."""
    markers: dict[str, Expression] = {}
    for name, field in form.model_fields.items():
        if marker := find_expression(form, name):
            markers[f"{at}{name}"] = marker
        for row in find_parts(field.annotation):
            markers |= find_expression_fields(row, f"{at}{name}.*.")
    return markers


@cache
def find_expression(form: type[BaseModel], name: str) -> Expression | None:
    """The mark of a field for expressions."""
    field = form.model_fields[name]
    return next(
        (mark for mark in (*field.metadata, *_find_marks(field.annotation)) if isinstance(mark, Expression)), None
    )


def _find_marks(annotation: Any) -> Iterator[Any]:
    yield from getattr(annotation, "__metadata__", ())  # only Annotated has it
    for inner in get_args(annotation):
        yield from _find_marks(inner)


def find_parts(annotation: Any) -> Iterator[type[FormPart]]:
    """The rows in a field's annotation: for `tuple[Branch, ...]` the form `Branch`."""
    if isinstance(annotation, type) and issubclass(annotation, FormPart):
        yield annotation
    for inner in get_args(annotation):
        yield from find_parts(inner)
