"""Parses the JSON Schemas that users paste, and derives their types. It imports `values` and the issues.

jsonschema-rs judges values (draft-07 and 2020-12; draft-07 if a text does not say). This package only finds types:
objects with properties become structs, other objects maps, arrays lists, `oneOf` and `anyOf` unions. What a schema
leaves open, and a schema inside itself, is a value of unknown type. `writing` goes the other way. Begin with `parse`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, NamedTuple

import jsonschema_rs

from designer.issues import SchemaNotRead
from designer.json_schema.parts import BASE, Part, PartReader, list_record_types
from designer.json_schema.writing import write_schema
from designer.messages import IssueCode
from designer.values import exact_json
from designer.values.exact_json import JsonNumber
from designer.values.schemas import MAX_SCHEMA_CHARACTERS, Kind, SchemaText, Type

__all__ = [
    "BASE",
    "JsonSchema",
    "find_absent_members",
    "find_mismatch",
    "inline_references",
    "parse",
    "read_type",
    "to_checkable",
    "write_schema",
]

BACKTRACK_LIMIT = 100_000
"""Steps of one `pattern` on one text. A text that takes more does not match."""
MAX_ABSENCES = 1_000
"""A schema that many members refer to is in many places."""
DRAFT_07 = "http://json-schema.org/draft-07/schema#"
NUMBERS = frozenset({Kind.INTEGER, Kind.DOUBLE, Kind.DECIMAL})


class JsonSchema:
    """A parsed schema: its `part` gives the types, `validator` judges whole values, `validators` parts of them."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        self.validator = jsonschema_rs.validator_for(schema, **_OPTIONS)
        self.part: Part = PartReader(schema).read("#")

    @cached_property
    def types(self) -> Mapping[str, Any]:
        """The schemas of the record types of a topic by their tags, if the text only unites them: else nothing."""
        return dict(zip((field.name for field in self.part.type.fields), list_record_types(self.schema), strict=False))

    @cached_property
    def validators(self) -> Mapping[str, jsonschema_rs.Validator]:
        """By JSON pointer, such as `#/properties/payment/oneOf/0`."""
        return jsonschema_rs.validator_map_for(self.schema, **_OPTIONS)  # type: ignore[return-value]


_OPTIONS: Mapping[str, Any] = {
    "offline": True,
    "pattern_options": jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT),
}


@lru_cache(maxsize=32)
def parse(text: str) -> JsonSchema:
    """The schema in a JSON text. Raises SchemaNotRead. Nothing is fetched: references must lead into the text."""
    if len(text) > MAX_SCHEMA_CHARACTERS:
        raise SchemaNotRead(IssueCode.SCHEMA_TOO_LARGE, {"max_characters": MAX_SCHEMA_CHARACTERS})
    try:
        schema = to_checkable(exact_json.loads_document(text))
    except ValueError as error:
        raise SchemaNotRead(IssueCode.JSON_SCHEMA_NOT_JSON, {"why": str(error)}) from error
    if isinstance(schema, dict):
        schema.setdefault("$schema", DRAFT_07)
    try:
        return JsonSchema(schema)
    except jsonschema_rs.ValidationError as error:
        path = "/".join(map(str, error.instance_path))
        raise SchemaNotRead(
            IssueCode.JSON_SCHEMA_INVALID, {"why": _shorten(error.message), "path": path or None}
        ) from error
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise SchemaNotRead(IssueCode.JSON_SCHEMA_INVALID, {"why": _shorten(str(error)), "path": None}) from error


def read_type(text: str, message: str = "") -> Type:
    """The type of the values that a JSON Schema accepts. Raises SchemaNotRead."""
    return parse(text).part.type


def find_mismatch(writer: str, reader: str, message: str = "", *, all_fit: bool = False) -> str | None:
    """Why values of one schema can never be values of the other. None if some or all can. Raises SchemaNotRead.

    With `all_fit` the schemas must be equal: nobody can say in general that all values of one are valid by another.

    >>> find_mismatch('{"type": "string"}', '{"type": "integer"}')
    'It is written as string and read as integer'
    """
    if all_fit and parse(writer).schema != parse(reader).schema:
        return "It may not be valid by the other schema"
    return _find_difference(parse(writer).part.type, parse(reader).part.type, "")


def _find_difference(writer: Type, reader: Type, path: str, equal: set[tuple[Type, Type]] | None = None) -> str | None:
    """`equal` are the types without a difference: they are compared once, however many fields have them."""
    equal = set() if equal is None else equal
    if (writer, reader) in equal:
        return None
    difference = _compare(writer, reader, path, equal)
    if difference is None:
        equal.add((writer, reader))
    return difference


def _compare(writer: Type, reader: Type, path: str, equal: set[tuple[Type, Type]]) -> str | None:
    kinds = {writer.kind, reader.kind}
    if kinds & {Kind.ANY, Kind.UNION} or (writer.kind in NUMBERS and reader.kind in NUMBERS):
        return None
    if kinds == {Kind.MAP, Kind.STRUCT}:
        return None
    if writer.kind is not reader.kind:
        where = f"Field `{path}`" if path else "It"
        return f"{where} is written as {writer.kind} and read as {reader.kind}"
    if writer.item is not None and reader.item is not None:
        return _find_difference(writer.item, reader.item, f"{path}[]", equal)
    both = ((field, read) for field in writer.fields if (read := reader.field(field.name)) is not None)
    differences = (_find_difference(f.type, read, f"{path}.{f.name}" if path else f.name, equal) for f, read in both)
    return next((each for each in differences if each is not None), None)


class Absence(NamedTuple):
    """A member that the reader's schema requires, and that values of the writer's may lack, or never have."""

    path: tuple[str, ...]
    is_never_written: bool


def find_absent_members(writer: str, reader: str) -> Iterator[Absence]:
    """The members that are required and may be absent, also inside others, `MAX_ABSENCES` at most.

    Raises SchemaNotRead.

    >>> text = '{"required": ["a"], "properties": {"a": {"type": "string"}}}'
    >>> list(find_absent_members('{"properties": {"b": {"type": "string"}}}', text))
    [Absence(path=('a',), is_never_written=True)]
    """
    yield from islice(_find_absent(parse(writer).part, parse(reader).part, (), set()), MAX_ABSENCES)


def _find_absent(writer: Part, reader: Part, path: tuple[str, ...], equal: set[tuple[Part, Part]]) -> Iterator[Absence]:
    """`equal` are the parts without any: they are read once, however many members have them."""
    if (writer, reader) in equal:
        return
    lacks = False
    for absence in _list_absent(writer, reader, path, equal):
        lacks = True
        yield absence
    if not lacks:
        equal.add((writer, reader))


def _list_absent(writer: Part, reader: Part, path: tuple[str, ...], equal: set[tuple[Part, Part]]) -> Iterator[Absence]:
    if writer.item is not None and reader.item is not None:
        yield from _find_absent(writer.item, reader.item, path, equal)
    if writer.type.kind is not Kind.STRUCT:
        return
    for name in sorted(reader.required - writer.required):
        yield Absence((*path, name), name not in writer.members)
    for name, member in reader.members.items():
        if name in writer.members:
            yield from _find_absent(writer.members[name], member, (*path, name), equal)


@lru_cache(maxsize=64)
def inline_references(schema: SchemaText) -> str:
    """The text of a schema, with the schemas that it refers to inside, as a compound document under `$defs`.

    A reference is found by the name that it has in the registry, and by its own `$id`. A text that is not valid JSON
    stays as it is: the parser refuses it with a reason.
    """
    if not schema.references:
        return schema.text
    try:
        root = exact_json.loads_document(schema.text)
        if not isinstance(root, dict):
            return schema.text
        place = (
            "$defs" if "2019-09" in str(root.get("$schema")) or "2020-12" in str(root.get("$schema")) else "definitions"
        )
        there = root.get(place)
        defs = dict(there) if isinstance(there, dict) else {}
        for name, text in schema.references:
            found = exact_json.loads_document(text)
            if isinstance(found, dict):
                own = found.get("$id")
                defs[name] = {**found, "$id": name}
                if isinstance(own, str) and own.rstrip("#") != name and not own.startswith("#"):
                    defs[own] = found
        return exact_json.dumps({**root, place: defs}).decode()
    except ValueError:
        return schema.text


def to_checkable(value: Any) -> Any:
    """The value with exact decimals where JSON has digits that no double holds: jsonschema-rs takes those."""
    match value:
        case JsonNumber():
            return value.exact
        case dict():
            return {name: to_checkable(member) for name, member in value.items()}
        case list():
            return [to_checkable(member) for member in value]
        case _:
            return value


def _shorten(text: str) -> str:
    line = text.partition("\n")[0].rstrip(".")
    return line if len(line) <= 200 else f"{line[:199]}…"
