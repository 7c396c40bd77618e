"""Calls with decimals among their numbers: some functions have a version for them, others take them as doubles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

from designer.expressions import decimals
from designer.expressions import tree as t
from designer.expressions.conversions import align_numbers, as_double, find_operand_type, is_null
from designer.expressions.errors import ExpressionError
from designer.expressions.functions import Function
from designer.expressions.types import describe
from designer.messages import IssueCode
from designer.values.schemas import STRING, Kind, Type


class Exact(NamedTuple):
    """A function's version for decimals: its result type, and its code."""

    type: Type
    run: Callable[..., Any]


def make_exact_call(function: Function, tree: t.Call, arguments: Sequence[t.Tree]) -> t.Tree | None:
    """The call of a version for decimals, or None if there is none or no decimal. Raises ExpressionError."""
    if function.name == "typeof" and arguments[0].type.kind is Kind.DECIMAL:
        return t.Literal(describe(arguments[0].type), span=tree.span, type=STRING)
    version = VERSIONS.get(function.name)
    kinds = {argument.type.kind for argument in arguments if not is_null(argument)}
    if version is None or Kind.DECIMAL not in kinds or not kinds <= {Kind.DECIMAL, Kind.INTEGER}:
        return None
    exact = version(function.name, arguments)
    return t.Call(function.name, tuple(arguments), replace(function, run=exact.run), span=tree.span, type=exact.type)


def align_number_arguments(function: Function, arguments: Sequence[t.Tree]) -> tuple[t.Tree, ...]:
    """The arguments with numbers of compatible kinds, doubles if the function computes with them."""
    numbers = [index for index in range(len(arguments)) if function.parameter(index).kind == "number"]
    if not any(arguments[index].type.kind is Kind.DECIMAL for index in numbers):
        return tuple(arguments)
    trees = list(arguments)
    for index, number in zip(numbers, align_numbers([arguments[index] for index in numbers]), strict=True):
        trees[index] = number
    kinds = {trees[index].type.kind for index in numbers if not is_null(trees[index])}
    if (function.result == "double" and function.name not in VERSIONS) or not kinds <= {Kind.DECIMAL, Kind.INTEGER}:
        trees = [as_double(each) if index in numbers else each for index, each in enumerate(trees)]
    return tuple(trees)


def _make_absolute(name: str, arguments: Sequence[t.Tree]) -> Exact:
    return Exact(arguments[0].type, Decimal.copy_abs)


def _make_whole(name: str, arguments: Sequence[t.Tree]) -> Exact:
    type_ = decimals.find_whole_type(arguments[0].type)
    return Exact(type_, decimals.make_fitter(type_, ROUND_FLOOR if name == "floor" else ROUND_CEILING))


def _make_round(name: str, arguments: Sequence[t.Tree]) -> Exact:
    digits = arguments[1] if len(arguments) > 1 else t.Literal(0)
    if not isinstance(digits, t.Literal) or not isinstance(digits.value, int):
        raise ExpressionError(IssueCode.TEXT_DIGITS, {"function": name}, digits.span)
    type_ = decimals.round_type(arguments[0].type, digits.value)
    how = ROUND_HALF_UP if name == "round" else ROUND_HALF_EVEN
    round_ = decimals.make_round(type_, digits.value, how)
    return Exact(type_, lambda number, *_: round_(number))


def _make_remainder(name: str, arguments: Sequence[t.Tree]) -> Exact:
    type_ = decimals.find_result_type("%", *map(find_operand_type, arguments))
    return Exact(type_, decimals.make_pmod(type_))


def _make_quotient(name: str, arguments: Sequence[t.Tree]) -> Exact:
    type_ = decimals.find_result_type("/", *map(find_operand_type, arguments))
    return Exact(type_, decimals.make_try_divide(type_))


VERSIONS: dict[str, Callable[[str, Sequence[t.Tree]], Exact]] = {
    "abs": _make_absolute,
    "ceil": _make_whole,
    "ceiling": _make_whole,
    "floor": _make_whole,
    "round": _make_round,
    "bround": _make_round,
    "pmod": _make_remainder,
    "try_divide": _make_quotient,
}
