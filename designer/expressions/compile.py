"""Compiles a checked tree to a Python function, through Python's own syntax tree: no text is made or evaluated.

SQL's null is None. A strict operation becomes `None if (_5 := …) is None or … else …`: all tests for null of nested
strict operations come first, in one condition. The rest computes with values that exist.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from decimal import InvalidOperation
from types import CodeType, FunctionType
from typing import Any

from designer.expressions.check import CheckedExpression
from designer.expressions.emit import Emitter
from designer.expressions.errors import Fault, RecordError
from designer.expressions.nodes import check_nodes, load


def compile_expression(
    expression: CheckedExpression,
    parameters: Sequence[str],
    *,
    node: str,
    field: str,
    headers: Callable[[], list[Any]] | None = None,
) -> Callable[..., Any]:
    """A function of the named roles, by position, that computes the expression for one record.

    It raises RecordError only. Its result may be part of an argument, so neither may be changed. `node` and `field`
    name the expression in errors. `headers` returns the headers of the current record.
    """
    emitter = Emitter(parameters, is_windowed=expression.is_windowed, headers=headers)
    raise_failure = ast.Raise(ast.Call(load("_failed"), [load("_error")], []), ast.Constant(None))
    return _make_function(
        emitter, emitter.emit_full(expression.tree), raise_failure, _failed=_make_failure(node, field)
    )


def name_asker(expression: Callable[..., Any], node: str) -> Callable[..., Any]:
    """The same compiled expression for another node with the record: its errors name this one as the asker."""
    assert isinstance(expression, FunctionType)
    make_failure = expression.__globals__["_failed"]

    def fail_elsewhere(error: Exception) -> RecordError:
        record_error: RecordError = make_failure(error)
        record_error.asker = node
        return record_error

    names = {**expression.__globals__, "_failed": fail_elsewhere}
    return FunctionType(expression.__code__, names, "expression")


def compile_struct(
    fields: Mapping[str, CheckedExpression],
    parameters: Sequence[str],
    *,
    side: str | None,
    one_by_one: Callable[..., Any],
    headers: Callable[[], list[Any]] | None = None,
) -> Callable[..., Any]:
    """A function that makes a struct of named expressions at once, over the fields of the role `side` if given.

    If it fails, `one_by_one` makes the struct, which is slow but has exact errors.
    """
    emitter = Emitter(parameters, is_windowed=any(each.is_windowed for each in fields.values()), headers=headers)
    names: list[ast.expr | None] = [ast.Constant(name) for name in fields]
    values = [emitter.emit_full(each.tree) for each in fields.values()]
    if side is not None:
        names, values = [None, *names], [load(emitter.roles[side]), *values]
    again = ast.Return(ast.Call(load("_again"), [load(name) for name in emitter.arguments], []))
    return _make_function(emitter, ast.Dict(names, values), again, _again=one_by_one)


def _make_function(emitter: Emitter, body: ast.expr, on_error: ast.stmt, **helpers: Any) -> FunctionType:
    names = {**emitter.globals, "_Exception": Exception, **helpers, "__builtins__": {}}
    return FunctionType(_make_code(emitter, body, on_error), names, "expression")


def _make_code(emitter: Emitter, body: ast.expr, on_error: ast.stmt) -> CodeType:
    """The code of `def _(…): try: return body; except Exception as _error: on_error`."""
    handler = ast.ExceptHandler(load("_Exception"), "_error", [on_error])
    guard = ast.Try([*emitter.prelude, ast.Return(body)], [handler], [], [])
    arguments = ast.arguments([], [ast.arg(name) for name in emitter.arguments], None, [], [], None, [])
    function = ast.FunctionDef("_x", arguments, [guard], [], None, None)
    if "type_params" in ast.FunctionDef._fields:
        setattr(function, "type_params", [])  # noqa: B010 - Python 3.11 has no such field
    module = check_nodes(ast.Module([function], []))
    code = compile(module, "<expression>", "exec", dont_inherit=True, optimize=0)
    return next(constant for constant in code.co_consts if isinstance(constant, CodeType))


def _make_failure(node: str, field: str) -> Callable[[Exception], RecordError]:
    def fail(error: Exception) -> RecordError:
        return RecordError(node, field, describe_error(error))

    return fail


_WRONG_TYPE = (
    "A value does not have the type that the expression expects; typeof(…) shows its type, and CAST(… AS …) changes it."
)
MESSAGES: Mapping[type[Exception], str] = {
    ZeroDivisionError: "Division by zero; try_divide gives null instead.",
    OverflowError: "The result does not fit into 64 bits.",
    UnicodeError: "A text contains characters that cannot be written as UTF-8.",
    TypeError: _WRONG_TYPE,
    AttributeError: _WRONG_TYPE,
    InvalidOperation: "A decimal cannot be computed or compared with NaN or infinity.",
    MemoryError: "There was not enough memory for the result.",
}


def describe_error(error: Exception) -> str:
    if isinstance(error, Fault):
        return str(error)
    message = next((text for kind, text in MESSAGES.items() if isinstance(error, kind)), None)
    return message or f"The expression failed: {type(error).__name__}."
