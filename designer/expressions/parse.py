"""Text to tree: lists each allowed node class of sqlglot with ours, and refuses any other by its name."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from sqlglot import exp

from designer.expressions import grammar
from designer.expressions import tree as t
from designer.expressions.errors import ExpressionError, Span
from designer.expressions.lexis import MAX_DEPTH, describe_depth, read_tokens
from designer.expressions.types import find_type
from designer.messages import IssueCode
from designer.values.decimals import MAX_PRECISION, is_decimal, make_fit
from designer.values.longs import MAX_LONG, MIN_LONG

MAX_NODES = 300


@lru_cache(maxsize=2_048)
def parse(text: str) -> t.Tree:
    """The tree of `text`, without resolved names and types. Raises only ExpressionError."""
    tokens = read_tokens(text)
    try:
        root = grammar.read(tokens, text)
        reader = Reader(text)
        return reader.read(root, 1)
    except RecursionError:
        raise describe_depth() from None


class Reader:
    """Converts sqlglot's nodes to ours, and counts them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.nodes = 0

    def read(self, node: Any, depth: int) -> t.Tree:
        while isinstance(node, exp.Paren):
            node = node.this
        here = grammar.find_node_span(node)
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise ExpressionError(IssueCode.TEXT_MANY_PARTS, {"max_parts": MAX_NODES}, here)
        if depth > MAX_DEPTH:
            raise describe_depth(here)
        reading = READINGS.get(type(node))
        if reading is None:
            raise ExpressionError(IssueCode.TEXT_FORM, {"form": type(node).__name__}, here)
        return reading(self, node, here, depth + 1)

    def literal(self, node: exp.Literal, span: Span, depth: int) -> t.Tree:
        return t.Literal(node.this, span=span) if node.is_string else _read_number(node.this, span)

    def boolean(self, node: exp.Boolean, span: Span, depth: int) -> t.Tree:
        return t.Literal(bool(node.this), span=span)

    def null(self, node: exp.Null, span: Span, depth: int) -> t.Tree:
        return t.Literal(None, span=span)

    def name(self, node: exp.Column, span: Span, depth: int) -> t.Tree:
        quote = self.text[span[0]] if node.this.quoted else ""
        return t.Name(node.this.this, quote, span=span)

    def member(self, node: exp.Dot, span: Span, depth: int) -> t.Tree:
        return t.Member(self.read(node.this, depth), node.expression.this, span=span)

    def index(self, node: exp.Bracket, span: Span, depth: int) -> t.Tree:
        of, position = self.read(node.this, depth), self.read(node.expressions[0], depth)
        if isinstance(position, t.Literal) and isinstance(position.value, str):
            return t.Member(of, position.value, span=span)
        return t.Index(of, position, span=span)

    def negative(self, node: exp.Neg, span: Span, depth: int) -> t.Tree:
        if isinstance(node.this, exp.Literal) and not node.this.is_string:
            return _read_number("-" + node.this.this, span)
        return t.Negative(self.read(node.this, depth), span=span)

    def arithmetic(self, node: exp.Binary, span: Span, depth: int) -> t.Tree:
        left, right = self.read(node.left, depth), self.read(node.right, depth)
        return t.Arithmetic(ARITHMETIC[type(node)], left, right, span=span)

    def comparison(self, node: exp.Binary, span: Span, depth: int) -> t.Tree:
        left, right = self.read(node.left, depth), self.read(node.right, depth)
        return t.Comparison(COMPARISON[type(node)], left, right, span=span)

    def logic(self, node: exp.Connector, span: Span, depth: int) -> t.Tree:
        operands = tuple(self.read(part, depth) for part in _list_operands(node))
        return t.Logic("AND" if isinstance(node, exp.And) else "OR", operands, span=span)

    def concat(self, node: exp.DPipe, span: Span, depth: int) -> t.Tree:
        return t.Concat(tuple(self.read(part, depth) for part in _list_operands(node)), span=span)

    def negation(self, node: exp.Not, span: Span, depth: int) -> t.Tree:
        return t.Not(self.read(node.this, depth), span=span)

    def is_(self, node: exp.Is, span: Span, depth: int) -> t.Tree:
        value = bool(node.expression.this) if isinstance(node.expression, exp.Boolean) else None
        return t.Is(self.read(node.this, depth), value, span=span)

    def in_(self, node: exp.In, span: Span, depth: int) -> t.Tree:
        items = tuple(self.read(item, depth) for item in node.expressions)
        return t.In(self.read(node.this, depth), items, span=span)

    def between(self, node: exp.Between, span: Span, depth: int) -> t.Tree:
        low, high = self.read(node.args["low"], depth), self.read(node.args["high"], depth)
        return t.Between(self.read(node.this, depth), low, high, span=span)

    def like(self, node: exp.Binary, span: Span, depth: int) -> t.Tree:
        tree: t.Tree = t.Like(LIKE[type(node)], self.read(node.left, depth), self.read(node.right, depth), span=span)
        return t.Not(tree, span=span) if node.args.get("negate") else tree

    def case(self, node: exp.Case, span: Span, depth: int) -> t.Tree:
        whens = tuple((self.read(w.this, depth), self.read(w.args["true"], depth)) for w in node.args["ifs"])
        default = node.args.get("default")
        return t.Case(
            self.read(node.this, depth) if node.this else None,
            whens,
            self.read(default, depth) if default else None,
            span=span,
        )

    def cast(self, node: exp.Cast, span: Span, depth: int) -> t.Tree:
        to = node.args["to"]
        target = find_type(to.this, to.meta["sizes"], grammar.find_node_span(to))
        return t.Cast(self.read(node.this, depth), target, isinstance(node, exp.TryCast), span=span)

    def lambda_(self, node: exp.Lambda, span: Span, depth: int) -> t.Tree:
        names = tuple(name.this for name in node.expressions)
        return t.Lambda(names, self.read(node.this, depth), span=span)

    def call(self, node: exp.Anonymous, span: Span, depth: int) -> t.Tree:
        arguments = tuple(self.read(argument, depth) for argument in node.expressions)
        return t.Call(node.this, arguments, span=span)


ARITHMETIC = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Mod: "%", exp.IntDiv: "div"}
COMPARISON = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "<=>",
}
LIKE = {exp.Like: "LIKE", exp.ILike: "ILIKE", exp.RegexpLike: "RLIKE"}
READINGS: dict[type, Callable[..., t.Tree]] = {
    exp.Literal: Reader.literal,
    exp.Boolean: Reader.boolean,
    exp.Null: Reader.null,
    exp.Column: Reader.name,
    exp.Dot: Reader.member,
    exp.Bracket: Reader.index,
    exp.Neg: Reader.negative,
    **dict.fromkeys(ARITHMETIC, Reader.arithmetic),
    **dict.fromkeys(COMPARISON, Reader.comparison),
    exp.And: Reader.logic,
    exp.Or: Reader.logic,
    exp.DPipe: Reader.concat,
    exp.Not: Reader.negation,
    exp.Is: Reader.is_,
    exp.In: Reader.in_,
    exp.Between: Reader.between,
    **dict.fromkeys(LIKE, Reader.like),
    exp.Case: Reader.case,
    exp.Cast: Reader.cast,
    exp.TryCast: Reader.cast,
    exp.Anonymous: Reader.call,
    exp.Lambda: Reader.lambda_,
}


def _list_operands(node: Any) -> list[Any]:
    """The operands of a AND b AND …, which sqlglot nests on the left."""
    kind = type(node)
    parts: list[Any] = []
    while type(node) is kind:
        parts.append(node.right)
        node = node.left
    return [node, *reversed(parts)]


def _read_number(digits: str, span: Span) -> t.Literal:
    if digits.endswith(grammar.DECIMAL):
        return t.Literal(_read_decimal(digits.removesuffix(grammar.DECIMAL), span), span=span)
    if digits.lstrip("-").isdigit():
        if len(digits) <= 20 and MIN_LONG <= (number := int(digits)) <= MAX_LONG:
            return t.Literal(number, span=span)
        raise ExpressionError(
            IssueCode.TEXT_INTEGER_RANGE,
            {"number": digits[:24], "least": str(MIN_LONG), "greatest": str(MAX_LONG)},
            span,
        )
    try:
        real = float(digits)
    except ValueError:
        raise _describe_no_number(digits, "1.5 or 1e3", span) from None
    if math.isinf(real):
        raise ExpressionError(IssueCode.TEXT_DOUBLE_RANGE, {"number": digits[:24]}, span)
    exact = Decimal(digits) if digits.lstrip("-").replace(".", "", 1).isdecimal() else None
    return t.Literal(real, exact if exact is not None and is_decimal(exact) else None, span=span)


def _describe_no_number(digits: str, example: str, span: Span) -> ExpressionError:
    return ExpressionError(IssueCode.TEXT_NOT_A_NUMBER, {"number": digits[:24], "example": example}, span)


def _read_decimal(digits: str, span: Span) -> Decimal:
    try:
        number = Decimal(digits)
    except InvalidOperation:
        raise _describe_no_number(digits, "1.5BD", span) from None
    if not is_decimal(number):
        raise ExpressionError(
            IssueCode.TEXT_DECIMAL_RANGE, {"number": digits[:24], "max_precision": MAX_PRECISION}, span
        )
    has_exponent = number.as_tuple().exponent > 0  # type: ignore[operator]  # a text for infinity and NaN only
    return make_fit(MAX_PRECISION, 0)(number) if has_exponent else number
