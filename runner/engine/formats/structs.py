"""The fast check of an object's scalar fields: straight-line code, made once for a struct.

Decoding is most of the cost of a small topology, and a call for each field would double it. The code consists of
the syntax trees below. Only the names of the struct go in, as constants.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, cast

from designer.values.longs import MAX_LONG
from designer.values.schemas import Kind, Type
from designer.values.tuples import StructValue

_CHECKS = {
    Kind.BOOLEAN: "if type(value) is not bool and value is not None: return False",
    Kind.STRING: "if type(value) is not str and value is not None: return False",
    Kind.INTEGER: f"if type(value) is int:\n if value > {MAX_LONG}: return False\nelif value is not None: return False",
    Kind.DOUBLE: "if type(value) is not float:\n"
    " if type(value) is int: fields[NAME] = float(value)\n elif value is not None: return False",
}
_WHOLE = "def is_right(fields, type=type, bool=bool, int=int, float=float, str=str):\n return True"
_READ = "value = fields[NAME]"
_READ_IF_THERE = "value = fields.get(NAME)"


Check = Callable[[StructValue], bool]
"""True if all scalar fields of an object are right. Turns integers into doubles where doubles are declared.

False may also mean a width that needs a closer look. Decoders give no integers below -2**63.
"""


def make_complete_check(type_: Type) -> Check:
    """The check of an object with every field. A missing field raises KeyError."""
    return _compile(type_, _READ)


def make_partial_check(type_: Type) -> Check:
    """The check of an object that may lack fields."""
    return _compile(type_, _READ_IF_THERE)


def _compile(type_: Type, read: str) -> Check:
    module = ast.parse(_WHOLE)
    function = cast(ast.FunctionDef, module.body[0])
    function.body[:0] = [
        statement
        for field in type_.fields
        if field.type.kind in _CHECKS
        for text in (read, _CHECKS[field.type.kind])
        for statement in _FieldNamer(field.name).visit(ast.parse(text)).body
    ]
    names: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(module), f"<check of {len(type_.fields)} fields>", "exec"), names)
    return cast(Check, names["is_right"])


class _FieldNamer(ast.NodeTransformer):
    """Puts a field's name, as a constant, where NAME is."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self.name) if node.id == "NAME" else node
