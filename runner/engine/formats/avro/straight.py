"""The reader of a record of plain fields: straight-line code, made once for a schema.

A call for each field would take most of the time. The code consists of the syntax trees below; only the names of the
fields go in, as constants. What is unusual (a long text, a number of several bytes, too few bytes) is left to the
reader of the record that was made of calls, which also words the error.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Sequence
from typing import Any, cast

from runner.engine.formats.avro.misread import READ_ERRORS
from runner.engine.formats.avro.primitives import PRIMITIVES, Read

MAX_LENGTH = 1_000
"""Most bytes of a value that is read so: the code takes all of them as text at once, for each record in the value."""
_WHOLE = """
def read(data, start):
    at = start
    length = len(data)
    if length > MAX_LENGTH:
        return read_by_calls(data, start)
    text = data.decode('latin-1')
    try:
        pass
    except READ_ERRORS:
        return read_by_calls(data, start)
"""
_STRING = """
size = data[at]
if size < 128 and not size & 1:
    begin = at + 1
    at = begin + (size >> 1)
    if at > length:
        return read_by_calls(data, start)
    VALUE = text[begin:at]
    if not VALUE.isascii():
        VALUE = data[begin:at].decode()
else:
    VALUE, at = read_string(data, at)
"""
_BYTES = """
VALUE, at = read_bytes(data, at)
"""
_LONG = """
size = data[at]
at += 1
shift = 7
while size >> shift:
    size += (data[at] - 1) << shift
    at += 1
    shift += 7
if shift > MAX_SHIFT:
    return read_by_calls(data, start)
VALUE = (size >> 1) ^ -(size & 1)
"""
MAX_SHIFT = 56
"""Longer integers may be too large, which the reader made of calls says."""
_CODE = {
    "string": _STRING,
    "bytes": _BYTES,
    "long": _LONG,
    "int": _LONG.replace("MAX_SHIFT", "28"),
    "float": "VALUE, at = read_float(data, at)",
    "double": "VALUE, = unpack_double(data, at)\nat += 8",
    "boolean": "VALUE, at = read_boolean(data, at)",
}


def make_straight_reader(fields: Sequence[tuple[str, str]], read_by_calls: Read) -> Read:
    """A reader of fields, each with the name of its primitive type. It returns what `read_by_calls` does."""
    module = ast.parse(_WHOLE)
    function = cast(ast.FunctionDef, module.body[0])
    body = cast(ast.Try, function.body[4])
    body.body = [
        statement
        for number, (_, type_) in enumerate(fields)
        for statement in _ValueNamer(f"value{number}").visit(ast.parse(_CODE[type_])).body
    ]
    keys: list[ast.expr | None] = [ast.Constant(name) for name, _ in fields]
    values: list[ast.expr] = [ast.Name(f"value{number}", ast.Load()) for number in range(len(fields))]
    record = ast.Dict(keys, values)
    body.body.append(ast.Return(ast.Tuple([record, ast.Name("at", ast.Load())], ast.Load())))
    names: dict[str, Any] = {f"read_{name}": read for name, read in PRIMITIVES.items()}
    names |= {"unpack_double": struct.Struct("<d").unpack_from, "READ_ERRORS": READ_ERRORS}
    names |= {"read_by_calls": read_by_calls, "MAX_LENGTH": MAX_LENGTH, "MAX_SHIFT": MAX_SHIFT}
    exec(compile(ast.fix_missing_locations(module), f"<record of {len(fields)} fields>", "exec"), names)
    return cast(Read, names["read"])


class _ValueNamer(ast.NodeTransformer):
    """Puts the variable of a field where VALUE is."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self.name, node.ctx) if node.id == "VALUE" else node
