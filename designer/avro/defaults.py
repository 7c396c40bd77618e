"""The default of a record's field: converts a JSON value in the schema to the reader's value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from designer.avro.logical import decode_duration, decode_uuid, make_decimal_decoder
from designer.avro.tree import (
    Array,
    Enum,
    FixedType,
    Logical,
    Map,
    Part,
    Primitive,
    Record,
    RecordField,
    Union,
    resolve_reference,
)
from designer.values.tuples import UnionValue

MAX_PARTS = 10_000
"""Maximum number of values in a default: nested defaults of records grow with a power of their number."""
TYPES: dict[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "int": (int,),
    "long": (int,),
    "float": (int, float),
    "double": (int, float),
    "string": (str,),
    "bytes": (str,),
}


def read_default(field: RecordField) -> Any:
    """Raises ValueError if the field has no default, or one that is too large or not of its type."""
    try:
        return _read_member(field, {}, iter(range(MAX_PARTS)))
    except RecursionError as error:
        raise ValueError from error


def _read_member(field: RecordField, json: Mapping[str, Any], left: Iterator[int]) -> Any:
    if field.name not in json and not field.has_default:
        raise ValueError
    return _read_value(field.of, json.get(field.name, field.default), left)


def _read_value(part: Part, json: Any, left: Iterator[int]) -> Any:
    if next(left, None) is None:
        raise ValueError
    match resolve_reference(part):
        case Union() as union:
            return _take_first(union, json, left)
        case Primitive(name="null") if json is None:
            return None
        case Primitive(name=name, logical=logical) if type(json) in TYPES.get(name, ()):
            if name in ("float", "double"):
                return float(json)
            return _read_bytes(logical, json.encode("latin-1")) if name == "bytes" else json
        case FixedType(size=size, logical=logical) if isinstance(json, str) and len(json) == size:
            return _read_bytes(logical, json.encode("latin-1"))
        case Enum(symbols=symbols) if json in symbols:
            return json
        case Array(items=items) if isinstance(json, list):
            return [_read_value(items, each, left) for each in json]
        case Map(values=values) if isinstance(json, dict):
            return {key: _read_value(values, each, left) for key, each in json.items()}
        case Record(fields=fields) if isinstance(json, dict):
            return {f.name: _read_member(f, json, left) for f in fields}
        case _:
            raise ValueError


def _take_first(union: Union, json: Any, left: Iterator[int]) -> Any:
    """The value in the first option that accepts it (until Avro 1.12 only the first option)."""
    for option in union.options:
        try:
            value = _read_value(option, json, left)
        except ValueError:
            continue
        return value if value is None or union.only is not None else UnionValue(option.name, value)
    raise ValueError


def _read_bytes(logical: Logical | None, data: bytes) -> Any:
    """A default writes bytes as the characters with the same numbers."""
    if logical is None:
        return data
    read = {"decimal": make_decimal_decoder(logical.scale), "uuid": decode_uuid, "duration": decode_duration}
    return read[logical.name](data)
