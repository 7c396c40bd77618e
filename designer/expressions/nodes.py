"""Small builders of Python's own `ast` nodes, and the list of allowed ones in a compiled expression."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

ALLOWED_NODES: frozenset[type[ast.AST]] = frozenset(
    (
        *(ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign),
        *(ast.Try, ast.ExceptHandler, ast.Raise, ast.Lambda),
        *(ast.Name, ast.Load, ast.Store, ast.Constant, ast.NamedExpr, ast.Call, ast.Attribute, ast.Subscript),
        *(ast.IfExp, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub),
        *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div),
        *(ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot, ast.In),
        *(ast.Tuple, ast.Dict),
    )
)
CONSTANTS = (bool, int, float, str, type(None))
NONE = ast.Constant(None)


def check_nodes(module: ast.Module) -> ast.Module:
    """The same module after a check of every node: kinds, generated names, `.get` as the only attribute.

    Each node gets a place in the source, which Python's compiler asks for. One walk does both: each process compiles
    all expressions of a topology, and `ast.walk` with `ast.fix_missing_locations` took a third of that time.
    """
    waiting: list[Any] = [module]
    for node in waiting:
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                fits = name[:1] == "_" and name[1:].isalnum() and name.isascii()
            case ast.Attribute(attr=name):
                fits = name == "get"
            case ast.Constant(value=value):
                fits = type(value) in CONSTANTS
            case _:
                fits = type(node) in ALLOWED_NODES
        if not fits:
            raise AssertionError(f"A compiled expression would contain {ast.dump(node)[:200]}.")
        if node._attributes:
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, ast.AST):
                waiting.append(part)
            elif isinstance(part, list):
                waiting += [each for each in part if isinstance(each, ast.AST)]
    return module


def load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def make_constant(value: Any) -> ast.expr:
    """A literal. A negative number has the form of Python's own parser."""
    return ast.Constant(value)


def bind(name: str, value: ast.expr) -> ast.expr:
    """`(name := value)`"""
    return ast.NamedExpr(ast.Name(name, ast.Store()), value)


def call(function: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(load(function), list(arguments), [])


def make_choice(test: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.expr:
    """`then if test else otherwise`"""
    return ast.IfExp(test, then, otherwise)


def compare(left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
    return ast.Compare(left, [op], [right])


def compare_with_none(value: ast.expr) -> ast.expr:
    return compare(value, ast.Is(), NONE)


def join_tests(tests: Sequence[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), list(tests))


def get(of: ast.expr, name: ast.expr) -> ast.expr:
    """`of.get(name)`"""
    return ast.Call(ast.Attribute(of, "get", ast.Load()), [name], [])


def get_item(of: ast.expr, index: int) -> ast.expr:
    return ast.Subscript(of, ast.Constant(index), ast.Load())
