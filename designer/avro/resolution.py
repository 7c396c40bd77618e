"""Compatibility of a writer's and a reader's schema (Avro's "Schema Resolution")."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from designer.avro.defaults import read_default
from designer.avro.tree import (
    NULL,
    Array,
    Enum,
    FixedType,
    Logical,
    Map,
    NamedType,
    Part,
    Primitive,
    Record,
    RecordField,
    Union,
    resolve_reference,
)

PROMOTIONS: Mapping[str, tuple[str, ...]] = {
    "int": ("int", "long", "float", "double"),
    "long": ("long", "float", "double"),
    "float": ("float", "double"),
    "string": ("string", "bytes"),
    "bytes": ("bytes", "string"),
}
"""A writer's primitive type, and the types as which a reader may take it."""
MAX_ABSENCES = 1_000


def find_mismatch(writer: Part, reader: Part, *, all_fit: bool = False) -> str | None:
    """Why no record of the writer's schema can be read with the reader's. None if some or all can.

    A union of the writer may hold values that the reader has no type for, and an enum symbols that the reader lacks:
    those fail one by one. With `all_fit` it also says why some records cannot be read.

    >>> find_mismatch(parse('"string"'), parse('"int"'))
    'It is written as string and read as int'
    >>> find_mismatch(parse('["string", "int"]'), parse('"int"'), all_fit=True)
    'It is written as string and read as int'
    """
    difference = _find_difference(writer, reader, all_fit)
    if difference is None:
        return None
    path, why = difference
    return f"{f'Field `{path}`' if path else 'It'} {why}"


Difference = tuple[str, str] | None
"""The path to the difference, and the reason."""


class _OpenPairs(threading.local):
    """The records that are being compared, from the outermost to the innermost."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Record, Record]] = []


_open = _OpenPairs()


@lru_cache(maxsize=4_096)
def _find_difference(writer: Part, reader: Part, all_fit: bool = False) -> Difference:
    writer, reader = resolve_reference(writer), resolve_reference(reader)
    if isinstance(writer, Union):
        differences = [_find_difference(option, reader, all_fit) for option in writer.options]
        if all_fit:
            return next((each for each in differences if each is not None), None)
        return None if None in differences or not differences else differences[0]
    if isinstance(reader, Union):
        option = find_option(reader, writer)
        if option is None:
            return _describe_difference(writer, reader)
        return _find_difference(writer, option, all_fit)
    match writer, reader:
        case Primitive(), Primitive():
            fits = reader.name in PROMOTIONS.get(writer.name, (writer.name,)) and _has_same_meaning(writer, reader)
        case FixedType(), FixedType():
            fits = has_same_name(writer, reader) and writer.size == reader.size and _has_same_meaning(writer, reader)
        case Enum(), Enum():
            fits = has_same_name(writer, reader)
            lacking = (
                [] if reader.default is not None else [each for each in writer.symbols if each not in reader.symbols]
            )
            if fits and all_fit and lacking:
                return "", f"may be {lacking[0]}, which the reader's enum {reader.name} lacks"
        case Array(), Array():
            return _add_to_path("[]", _find_difference(writer.items, reader.items, all_fit))
        case Map(), Map():
            return _add_to_path("{}", _find_difference(writer.values, reader.values, all_fit))
        case Record(), Record() if has_same_name(writer, reader):
            if (writer, reader) in _open.pairs:  # inside themselves: what differs is found outside
                return None
            _open.pairs.append((writer, reader))
            try:
                return _compare_records(writer, reader, all_fit)
            finally:
                _open.pairs.pop()
        case _:
            fits = False
    return None if fits else _describe_difference(writer, reader)


class Absence(NamedTuple):
    """A field of the reader's schema that the writer does not write. Without a default its records cannot be read."""

    path: tuple[str, ...]
    has_default: bool


def find_absent_fields(writer: Part, reader: Part) -> Sequence[Absence]:
    """The reader's fields that are not written, also inside others. Those inside a record inside itself are left out.

    MAX_ABSENCES at most: a type that many fields have is in many places.

    >>> written = parse('{"type": "record", "name": "A", "fields": [{"name": "a", "type": "int"}]}')
    >>> read = parse('{"type": "record", "name": "A", "fields": [{"name": "b", "type": "int", "default": 0}]}')
    >>> find_absent_fields(written, read)
    [Absence(path=('b',), has_default=True)]
    """
    return _find_absences(writer, reader, {})


def _find_absences(writer: Part, reader: Part, known: dict[tuple[Part, Part], Sequence[Absence]]) -> Sequence[Absence]:
    """As `find_absent_fields`. `known` holds the absences of the pairs of records that were compared so far."""
    match _find_present(writer), _find_present(reader):
        case Array(items=written), Array(items=read):
            return _find_absences(written, read, known)
        case Map(values=written), Map(values=read):
            return _find_absences(written, read, known)
        case Record() as written, Record() as read:
            if (written, read) not in known:
                known[written, read] = list(islice(_list_absences(written, read, known), MAX_ABSENCES))
            return known[written, read]
    return ()


def _list_absences(
    writer: Record, reader: Record, known: dict[tuple[Part, Part], Sequence[Absence]]
) -> Iterator[Absence]:
    by_reader = {into.name: each for each in writer.fields if (into := find_field(reader, each.name))}
    for field in reader.fields:
        if field.name in by_reader:
            for absence in _find_absences(by_reader[field.name].of, field.of, known):
                yield absence._replace(path=(field.name, *absence.path))
        else:
            yield Absence((field.name,), _is_default_right(field))


def _find_present(part: Part) -> Part:
    """The part that values which are not null have, if there is one."""
    return part.only or part if isinstance(part, Union) else part


def _is_default_right(field: RecordField) -> bool:
    try:
        read_default(field)
    except ValueError:
        return False
    return True


def _add_to_path(name: str, difference: Difference) -> Difference:
    if difference is None:
        return None
    path, why = difference
    return f"{name}{path}" if path[:1] in ("", "[", "{") else f"{name}.{path}", why


def find_field(reader: Record, name: str) -> RecordField | None:
    """The reader's field for the writer's field of that name."""
    return reader.by_name.get(name)


def find_option(reader: Union, writer: Part) -> Part | None:
    """The option for the writer's values: one of the same type before a promotion."""
    fitting = [option for option in reader.options if _find_difference(writer, option) is None]
    same = (option for option in fitting if option.name == writer.name)
    return next(same, fitting[0] if fitting else None)


def has_same_name(writer: NamedType, reader: NamedType) -> bool:
    """Whether the names are equal without their namespaces, or the writer's is an alias of the reader."""
    return writer.name.rpartition(".")[2] == reader.name.rpartition(".")[2] or writer.name in reader.aliases


def _compare_records(writer: Record, reader: Record, all_fit: bool) -> Difference:
    reader_names = set()
    for field in writer.fields:
        into = find_field(reader, field.name)
        if into is not None:
            reader_names.add(into.name)
            if difference := _add_to_path(field.name, _find_difference(field.of, into.of, all_fit)):
                return difference
    for field in reader.fields:
        if field.name not in reader_names and not _is_default_right(field):
            default = "its default is not of its type" if field.has_default else "has no default"
            return field.name, f"is not written, and {default}"
    return None


def _has_same_meaning(writer: Primitive | FixedType, reader: Primitive | FixedType) -> bool:
    """If both have a logical type, it must be equal: other digits or units mean another number."""
    one, other = writer.logical, reader.logical
    return one is None or other is None or one == other


def _describe_difference(writer: Part, reader: Part) -> Difference:
    return "", f"is written as {_describe_part(writer)} and read as {_describe_part(reader)}"


def _describe_part(part: Part) -> str:
    match part:
        case Union(options=options):
            return f"union of {', '.join(map(_describe_part, options))}"
        case Primitive(name=name, logical=Logical() as logical):
            return f"{name} ({_describe(logical)})"
        case FixedType(name=name, size=size, logical=logical):
            return f"fixed {name} of {size} bytes" + (f" ({_describe(logical)})" if logical else "")
        case Enum(name=name):
            return f"enum {name}"
        case Record(name=name):
            return f"record {name}"
        case _:
            return "null" if part is NULL else part.name


def _describe(logical: Logical) -> str:
    return f"decimal({logical.precision},{logical.scale})" if logical.name == "decimal" else logical.name
