"""JSON that a JSON Schema accepts (draft-07 and 2020-12). jsonschema-rs judges it, with exact numbers.

A record must be valid by the schema that it is written with and by the source's own. What only the writer's schema
knows, and the own one refuses (`additionalProperties`: false), is left out, as Avro leaves out such fields.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import jsonschema_rs
import orjson

from designer.json_schema import JsonSchema, parse, to_checkable
from designer.json_schema.parts import Part
from designer.values import exact_json
from designer.values.exact_json import may_lose_digits
from designer.values.schemas import FormatSchema, Kind
from designer.values.tuples import UnionValue
from runner.engine.formats import Decoder, Encoder
from runner.engine.formats.errors import DecodeError, EncodeError
from runner.engine.formats.json import make_encoder, read_document, refuse_depth
from runner.engine.formats.types import Enforce, find_enforcer

MAX_MESSAGE = 200
WORDS: dict[type, tuple[str, ...]] = {
    str: ("string",),
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    list: ("array",),
    dict: ("object",),
}


def make_body_decoder(schema: FormatSchema, writer: str, start: int, indexes: bytes | None = None) -> Decoder:
    """Reads a document from the byte `start` on. Raises SchemaNotRead."""
    own = parse(schema.text)
    validate = own.validator.validate
    written = parse(writer)
    validate_written = None if written is own else written.validator.validate
    part, enforce = own.part, _find_converter(own, own.part)
    if validate_written is not None and (place := _find_type(own, written)) is not None:
        part, enforce = own.part.options[place], _convert_to(own, place)
    loads = orjson.loads

    def decode(data: bytes) -> Any:
        if start:
            data = data[start:]
        try:
            value = loads(data)
        except orjson.JSONDecodeError:
            value = read_document(data)
        refuse_depth(data, value)
        if may_lose_digits(data, value):
            value = read_document(data)
        if validate_written is not None:
            _validate(validate_written, value)
            value = _leave_out(value, part)
        try:
            validate(value)
        except ValueError:
            _validate(validate, value)
        return value if enforce is None else enforce(value, "")

    return decode


def make_body_encoder(schema: FormatSchema) -> Encoder:
    """Writes JSON, and refuses what the schema does not accept."""
    own = parse(schema.text)
    validate, encode_json = own.validator.validate, make_encoder(own.part.type)

    def encode(value: Any) -> bytes:
        data = encode_json(value)
        try:
            written = orjson.loads(data) if len(data) < exact_json.MAX_DIGITS else None
        except orjson.JSONDecodeError:  # a number that no double holds
            written = None
        if written is None or may_lose_digits(data, written):
            written = read_document(data)
        try:
            _validate(validate, written)
        except DecodeError as error:
            raise EncodeError(error.message) from error
        return data

    return encode


def _find_type(own: JsonSchema, written: JsonSchema) -> int | None:
    """The place among the source's types of the one that has the writer's title. None: the first that fits counts.

    Raises DecodeError for a title that none of them has, if they are types of one topic.
    """
    title = written.schema.get("title") if isinstance(written.schema, dict) else None
    tags = [field.name for field in own.part.type.fields]
    if not own.part.options or written.part.options or not isinstance(title, str):
        return None
    if title in tags:
        return tags.index(title)
    if own.types:
        raise DecodeError(f"It is written as `{title}`, and the source reads {', '.join(tags)}.")
    return None


def _convert_to(schema: JsonSchema, place: int) -> Enforce:
    """Values of one type of the union."""
    tag, option = schema.part.type.fields[place].name, schema.part.options[place]
    accepts, convert = _make_choice(schema, option), _find_converter(schema, option)

    def convert_to(value: Any, path: str) -> Any:
        if not accepts(value):
            raise DecodeError(f"It is not valid by the JSON Schema of its type `{tag}`.", path)
        return UnionValue(tag, value if convert is None else convert(value, path))

    return _or_null(convert_to)


def _validate(validate: Callable[[Any], None], value: Any) -> None:
    """Raises DecodeError with the path of the first member that is wrong, and the rule of the schema."""
    try:
        try:
            validate(value)
        except jsonschema_rs.ValidationError:
            raise
        except ValueError:  # a number whose digits no double holds
            validate(to_checkable(value))
    except jsonschema_rs.ValidationError as error:
        path = _write_path(error.instance_path)
        where = f"field `{path}`" if path else "the value"
        rule = "/".join(map(str, error.schema_path))
        message = error.message if len(error.message) <= MAX_MESSAGE else f"{error.message[: MAX_MESSAGE - 1]}…"
        raise DecodeError(f"Not valid by the JSON Schema: {where}: {message} (rule `{rule}`).", path) from error
    except ValueError as error:
        raise DecodeError(f"The JSON Schema cannot judge it: {error}.") from error


def _write_path(steps: Sequence[str | int]) -> str:
    """`lines[2].price`"""
    path = ""
    for step in steps:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path


def _leave_out(value: Any, part: Part) -> Any:
    """The value without the members that a closed object of the schema does not have."""
    if type(value) is list and part.item is not None:
        return [_leave_out(each, part.item) for each in value]
    if type(value) is not dict:
        return value
    members, item = part.members, part.item
    if not members:
        return value if item is None else {name: _leave_out(each, item) for name, each in value.items()}
    return {
        name: _leave_out(each, members[name]) if name in members else each
        for name, each in value.items()
        if name in members or not part.is_closed
    }


@lru_cache(maxsize=4_096)
def _find_converter(schema: JsonSchema, part: Part) -> Enforce | None:
    """The check of a part's type, which also finds the option of each union. None if every value is right."""
    if not _has_unions(part, set()):
        return find_enforcer(part.type)
    if part.options:
        return _convert_union(schema, part)
    if part.item is not None:
        return _convert_items(_find_converter(schema, part.item), part)
    converters = {name: each for name, of in part.members.items() if (each := _find_converter(schema, of)) is not None}

    def convert(value: Any, path: str) -> Any:
        if type(value) is not dict:
            raise DecodeError(f"{f'Field `{path}`' if path else 'It'} is not an object; expected struct.", path)
        for name, each in converters.items():
            if value.get(name) is not None:
                value[name] = each(value[name], f"{path}.{name}" if path else name)
        return value

    return _or_null(convert)


def _has_unions(part: Part, seen: set[int]) -> bool:
    if id(part) in seen:
        return False
    seen.add(id(part))
    inner = [*part.members.values(), *([] if part.item is None else [part.item])]
    return part.type.kind is Kind.UNION or any(_has_unions(each, seen) for each in inner)


def _convert_items(convert: Enforce | None, part: Part) -> Enforce | None:
    if convert is None:
        return find_enforcer(part.type)

    def convert_items(value: Any, path: str) -> Any:
        if type(value) is list:
            return [convert(each, f"{path}[{index}]") for index, each in enumerate(value)]
        if type(value) is dict:
            return {name: convert(each, f"{path}[{name!r}]") for name, each in value.items()}
        raise DecodeError(f"{f'Field `{path}`' if path else 'It'} is not of type {part.type.kind}.", path)

    return _or_null(convert_items)


def _convert_union(schema: JsonSchema, part: Part) -> Enforce:
    """The option whose schema accepts the value, the first of several."""
    options = [
        (field.name, _make_choice(schema, option), _find_converter(schema, option))
        for field, option in zip(part.type.fields, part.options, strict=True)
    ]

    def convert(value: Any, path: str) -> Any:
        for tag, accepts, convert_option in options:
            if accepts(value):
                return UnionValue(tag, value if convert_option is None else convert_option(value, path))
        raise DecodeError(f"{f'Field `{path}`' if path else 'It'} matches none of the types of its union.", path)

    return _or_null(convert)


def _make_choice(schema: JsonSchema, option: Part) -> Callable[[Any], bool]:
    if option.word:
        return lambda value: option.word in WORDS.get(type(value), ("number",))
    is_valid = schema.validators[option.pointer].is_valid

    def accepts(value: Any) -> bool:
        try:
            return is_valid(value)
        except ValueError:
            return is_valid(to_checkable(value))

    return accepts


def _or_null(convert: Enforce) -> Enforce:
    return lambda value, path: None if value is None else convert(value, path)
