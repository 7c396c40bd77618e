"""A slow interpreter of parsed expressions, written from SQL's rules alone, to compare the compiled ones with.

It computes every operand before it looks at any (but what CASE, COALESCE and if do not choose), so it fails wherever
some order of evaluation would.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from designer.expressions import tree as t
from designer.values.schemas import DOUBLE


class Undefined(Exception):
    """There is no result: overflow, division by zero."""


def evaluate(tree: t.Tree, record: dict[str, Any], *, widened: bool = False) -> Any:
    """The value of the tree for a record with the fields n, m (integers), d (double), s (text), b, c (conditions)."""
    match tree:
        case t.Literal(value=value):
            return value
        case t.Name(name=name):
            return record.get(name)
        case t.Case() | t.Call(name="coalesce" | "if") if is_double(tree) and not widened:
            value = evaluate(tree, record, widened=True)
            return None if value is None else float(value)
        case t.Case(operand=None, whens=whens, otherwise=otherwise):
            return _chosen(whens, otherwise, record)
        case t.Case(operand=operand, whens=whens, otherwise=otherwise):
            assert operand is not None
            tests = tuple((t.Comparison("=", operand, value), result) for value, result in whens)
            return _chosen(tests, otherwise, record)
        case t.Call(name="coalesce", arguments=arguments):
            return next((v for v in (evaluate(a, record) for a in arguments) if v is not None), None)
        case t.Call(name="if", arguments=(condition, then, otherwise)):
            return _chosen(((condition, then),), otherwise, record)
        case t.Call(name=name, arguments=arguments):
            return _call(name, [evaluate(argument, record) for argument in arguments])
        case t.Logic(op=op, operands=operands):
            return _logic(op, [evaluate(operand, record) for operand in operands])
        case t.Is(of=of, value=value):
            return evaluate(of, record) is value
        case t.In(of=of, items=items):
            return _logic("OR", [_strict("=", [evaluate(of, record), evaluate(item, record)]) for item in items])
        case t.Between(of=of, low=low, high=high):
            value, bottom, top = (evaluate(part, record) for part in (of, low, high))
            return _logic("AND", [_strict(">=", [value, bottom]), _strict("<=", [value, top])])
        case t.Comparison(op="<=>", left=left, right=right):
            return evaluate(left, record) == evaluate(right, record)
        case t.Comparison(op=op, left=left, right=right) | t.Arithmetic(op=op, left=left, right=right):
            return _strict(op, [evaluate(left, record), evaluate(right, record)])
        case t.Not(of=of):
            return _strict("NOT", [evaluate(of, record)])
        case t.Negative(of=of):
            return _strict("0-", [evaluate(of, record)])
        case t.Concat(items=items):
            return _strict("||", [evaluate(item, record) for item in items])
        case t.Cast(of=of):
            assert evaluate(of, record) is None
            return None
    raise AssertionError(f"The reference does not know {type(tree).__name__}.")


def is_double(tree: t.Tree) -> bool:
    """Whether the tree gives a double, to which integers among its branches are widened."""
    match tree:
        case t.Literal(value=value):
            return isinstance(value, float)
        case t.Name(name=name):
            return name == "d"
        case t.Cast(to=to):
            return to == DOUBLE
        case t.Negative(of=of):
            return is_double(of)
        case t.Arithmetic(op=op, left=left, right=right):
            return op == "/" or is_double(left) or is_double(right)
        case t.Case(whens=whens, otherwise=otherwise):
            return any(is_double(result) for result in (*(r for _, r in whens), otherwise) if result)
        case t.Call(name="coalesce" | "if", arguments=arguments):
            return any(is_double(argument) for argument in arguments)
    return False


def _chosen(whens: Any, otherwise: t.Tree | None, record: dict[str, Any]) -> Any:
    for condition, result in whens:
        if evaluate(condition, record) is True:
            return evaluate(result, record)
    return evaluate(otherwise, record) if otherwise else None


def _logic(op: str, values: list[bool | None]) -> bool | None:
    """Kleene's logic with null between false and true: AND is the least, OR the greatest."""
    order = {False: 0, None: 1, True: 2}
    return (min if op == "AND" else max)(values, key=lambda value: order[value])


def _call(name: str, values: list[Any]) -> Any:
    if name == "nullif":
        return None if None not in values and values[0] == values[1] else values[0]
    if name == "greatest":
        return max((value for value in values if value is not None), default=None)
    return _strict(name, values)


def _strict(op: str, values: list[Any]) -> Any:
    if any(value is None for value in values):
        return None
    result = OPERATIONS[op](*values)
    if type(result) is int and not -(2**63) <= result < 2**63:
        raise Undefined
    return result


def _whole(a: int, b: int) -> int:
    return math.trunc(Fraction(a, _nonzero(b)))


def _rest(a: Any, b: Any) -> Any:
    if isinstance(a, float) or isinstance(b, float):
        divisor = _nonzero(b)
        return math.nan if math.isinf(a) else math.fmod(a, divisor)
    return a - b * _whole(a, b)


def _nonzero(number: Any) -> Any:
    if number == 0:
        raise Undefined
    return number


OPERATIONS: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / _nonzero(b),
    "%": _rest,
    "div": _whole,
    "0-": lambda a: -a,
    "NOT": lambda a: not a,
    "||": lambda *texts: "".join(texts),
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "upper": str.upper,
    "length": len,
    "contains": lambda a, b: b in a,
}
