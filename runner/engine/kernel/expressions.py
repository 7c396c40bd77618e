"""Checked expressions as the kernel reads them (`runner/kernel/src/expr.rs`): lists that begin with their kind.

Only kinds, types and functions that are listed here or by the kernel itself are written. All else is `NotInKernel`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from designer.expressions import CheckedExpression
from designer.expressions import tree as t
from designer.expressions.calls import PREPARE
from designer.expressions.functions.patterns import MAX_SCAN, PLAIN
from designer.values.schemas import ANY, Kind, Type

Json = Any
SCALARS = frozenset({Kind.BOOLEAN, Kind.INTEGER, Kind.DOUBLE, Kind.STRING, Kind.BYTES, Kind.ANY})
COMPARED = SCALARS | {Kind.DECIMAL}
EXACT = frozenset({Kind.DECIMAL, Kind.INTEGER})
"""Kinds that are compared. The kernel leaves a value of unknown type that is none of these to Python."""
NUMBERS = frozenset({Kind.INTEGER, Kind.DOUBLE, Kind.ANY})
RESULTS = {Kind.INTEGER: "integer", Kind.DOUBLE: "double", Kind.ANY: "any"}
CHECKS = {kind: kind for kind in ("boolean", "integer", "double", "number", "string", "list", "struct")}
CHECKS |= {"real": "number", "map": "struct"}
"""Conversions of values of unknown type that keep the value, or make a double of it."""
OF_PARTS = frozenset({"typeof", "array", "size", "cardinality", "array_size", "get", "element_at", "try_element_at"})
OF_PARTS |= {"to_json"}
"""Functions that also take lists, maps and structs."""
OF_DECIMALS = frozenset({"to_json", "array"})
CASTS = {Kind.INTEGER: "integer", Kind.DOUBLE: "double", Kind.BOOLEAN: "boolean", Kind.STRING: "string"}
ROLES = {"key": "key", "value": "value", "left": "value", "timestamp": "timestamp", "index": "index"}
ROLES |= {"right": "other", "agg": "other", "item": "other"}
ROLES |= {"other": "value"}
"""`agg` and `other` are the aggregates of two sessions that merge."""


ESCAPED = re.compile(rf"(?:{PLAIN.pattern}|\\[!-/:-@\[-`{{-~])+")
"""Patterns that only match one text. Python finds it in texts of at most `MAX_SCAN` characters, unless it is plain."""


class NotInKernel(Exception):
    """The kernel does not know a part of a sub-topology. The text names it, as in "the function `rlike`"."""


class ExpressionWriter:
    """Writes expressions. `functions` are the names of those that the kernel knows."""

    def __init__(self, functions: frozenset[str]) -> None:
        self.functions = functions

    def write(self, expression: CheckedExpression) -> Json:
        """The expression. Raises NotInKernel."""
        return _Writing(self.functions, is_windowed=expression.is_windowed).write(expression.tree)


class _Writing:
    def __init__(self, functions: frozenset[str], *, is_windowed: bool) -> None:
        self.functions = functions
        self.is_windowed = is_windowed

    def write(self, tree: t.Tree) -> Json:
        try:
            write = _WRITERS[type(tree)]
        except KeyError:
            raise NotInKernel(f"an expression with {type(tree).__name__}") from None
        return write(self, tree)

    def literal(self, tree: t.Literal) -> Json:
        if isinstance(tree.value, Decimal):
            return ["decimal", f"{tree.value:f}"]
        if tree.value is not None and type(tree.value) not in (bool, int, float, str):
            raise NotInKernel("decimals")
        if type(tree.value) is float and tree.value - tree.value != 0:
            raise NotInKernel("a literal that is not a finite number")
        return ["literal", tree.value]

    def role(self, tree: t.ScopeRole) -> Json:
        if tree.name == "window" and self.is_windowed:
            return ["role", "window"]
        if tree.name == "key" and self.is_windowed:
            return ["role", "inner_key"]
        if tree.name not in ROLES:
            raise NotInKernel(f"the name `{tree.name}`")
        return ["role", ROLES[tree.name]]

    def member(self, tree: t.Member) -> Json:
        if isinstance(tree.of, t.ScopeRole) and tree.of.name == "window" and self.is_windowed:
            return ["role", f"window_{tree.name}"]
        if tree.of.type.kind not in (Kind.STRUCT, Kind.ANY):
            raise NotInKernel(f"members of a {tree.of.type.kind.value}")
        return ["member", self.write(tree.of), tree.name]

    def index(self, tree: t.Index) -> Json:
        if tree.of.type.kind not in (Kind.LIST, Kind.STRUCT, Kind.MAP, Kind.ANY):
            raise NotInKernel(f"members of a {tree.of.type.kind.value}")
        return ["item", self.write(tree.of), self.write(tree.position)]

    def negative(self, tree: t.Negative) -> Json:
        _expect(tree.type, NUMBERS | EXACT)
        return ["negative", self.write(tree.of)]

    def arithmetic(self, tree: t.Arithmetic) -> Json:
        if tree.type.kind is Kind.DECIMAL and tree.op in ("+", "-", "*", "/"):
            for each in (tree.left, tree.right):
                _expect(each.type, EXACT)
            return ["arithmetic", tree.op, write_digits(tree.type), self.write(tree.left), self.write(tree.right)]
        for each in (tree, tree.left, tree.right):
            _expect(each.type, NUMBERS)
        return ["arithmetic", tree.op, RESULTS[tree.type.kind], self.write(tree.left), self.write(tree.right)]

    def concat(self, tree: t.Concat) -> Json:
        return ["concat", self._write_all(tree.items)]

    def comparison(self, tree: t.Comparison) -> Json:
        _expect(tree.left.type, COMPARED)
        _expect(tree.right.type, COMPARED)
        return ["compare", tree.op, self.write(tree.left), self.write(tree.right)]

    def logic(self, tree: t.Logic) -> Json:
        return [tree.op.lower(), self._write_all(tree.operands)]

    def not_(self, tree: t.Not) -> Json:
        return ["not", self.write(tree.of)]

    def is_(self, tree: t.Is) -> Json:
        return ["is", self.write(tree.of), tree.value]

    def in_(self, tree: t.In) -> Json:
        for each in (tree.of, *tree.items):
            _expect(each.type, COMPARED)
        return ["in", self.write(tree.of), self._write_all(tree.items)]

    def between(self, tree: t.Between) -> Json:
        for each in (tree.of, tree.low, tree.high):
            _expect(each.type, COMPARED)
        return ["between", self.write(tree.of), self.write(tree.low), self.write(tree.high)]

    def like(self, tree: t.Like) -> Json:
        if tree.op != "LIKE" or not isinstance(tree.pattern, t.Literal):
            raise NotInKernel(f"the operator {tree.op}")
        return ["like", self.write(tree.of), str(tree.pattern.value)]

    def case(self, tree: t.Case) -> Json:
        assert tree.otherwise is not None  # the check fills it in
        if tree.operand is not None:
            for each in (tree.operand, *(when for when, _ in tree.whens)):
                _expect(each.type, SCALARS)
        operand = None if tree.operand is None else self.write(tree.operand)
        whens = [[self.write(when), self.write(then)] for when, then in tree.whens]
        return ["case", operand, whens, self.write(tree.otherwise)]

    def cast(self, tree: t.Cast) -> Json:
        if tree.of.type == tree.to:
            return self.write(tree.of)
        _expect(tree.of.type, SCALARS)
        if tree.to.kind not in CASTS:
            raise NotInKernel(f"CAST to {tree.to.kind.value}")
        return ["cast", CASTS[tree.to.kind], tree.is_safe, self.write(tree.of)]

    def coalesce(self, tree: t.Coalesce) -> Json:
        return ["coalesce", self._write_all(tree.items)]

    def call(self, tree: t.Call) -> Json:
        function = tree.function
        if function is None or tree.name not in self.functions:
            raise NotInKernel(f"the function `{tree.name}`")
        arguments = list[Json]()
        for index, argument in enumerate(tree.arguments):
            kind = function.parameter(index).kind
            if kind in PREPARE:
                arguments.append(self._prepared(tree, kind, argument))
            elif argument.type.kind in SCALARS or tree.name in (
                OF_DECIMALS if argument.type.kind is Kind.DECIMAL else OF_PARTS
            ):
                arguments.append(self.write(argument))
            else:
                raise NotInKernel(f"the function `{tree.name}` of {argument.type.kind.value}s")
        if tree.name == "split" and not PLAIN.fullmatch(_get_text(tree.arguments[1])):
            limit = arguments[2] if len(arguments) > 2 else ["literal", -1]
            arguments = [*arguments[:2], limit, ["literal", MAX_SCAN]]
        return ["call", tree.name, arguments]

    def _prepared(self, tree: t.Call, kind: str, argument: t.Tree) -> Json:
        """A text that the Python engine reads when it compiles the expression."""
        text = _get_text(argument)
        if kind == "format":
            return ["literal", text]
        if kind == "pattern" and tree.name == "split" and ESCAPED.fullmatch(text):
            return ["literal", re.sub(r"\\(.)", r"\1", text)]
        if kind == "unit":
            return ["literal", text.upper()]
        raise NotInKernel(f"the function `{tree.name}` with a {kind}")

    def struct(self, tree: t.Struct) -> Json:
        if len(set(tree.names)) < len(tree.names):
            raise NotInKernel("a struct with a repeated name")
        return ["struct", [[name, self.write(value)] for name, value in zip(tree.names, tree.values, strict=True)]]

    def convert(self, tree: t.Convert) -> Json:
        if tree.to == "text":
            _expect(tree.of.type, SCALARS)
            return ["cast", "string", False, self.write(tree.of)]
        if tree.type.kind is Kind.DECIMAL:
            _expect(tree.of.type, EXACT)
            return ["to_decimal", write_digits(tree.type), self.write(tree.of)]
        if tree.of.type != ANY:
            _expect(tree.of.type, NUMBERS)
            if tree.to == "double":
                return ["cast", "double", False, self.write(tree.of)]
        if tree.of.type != ANY or tree.to not in CHECKS:
            raise NotInKernel(f"the conversion to {tree.to}")
        return ["expect", CHECKS[tree.to], self.write(tree.of)]

    def _write_all(self, trees: tuple[t.Tree, ...]) -> list[Json]:
        return [self.write(tree) for tree in trees]


def is_sure(tree: t.Tree) -> bool:
    """True if an expression gives a value for every record: it only names parts, and takes texts apart."""
    match tree:
        case t.Literal() | t.ScopeRole():
            return True
        case t.Struct(values=values):
            return all(map(is_sure, values))
        case t.Call(name="split_part", arguments=(text, by, t.Literal(value=int(part)))):
            return part != 0 and is_sure(text) and is_sure(by)
    return False


def _get_text(tree: t.Tree) -> str:
    """The text of a literal."""
    assert isinstance(tree, t.Literal) and isinstance(tree.value, str)
    return tree.value


def write_digits(type_: Type) -> Json:
    """A decimal type."""
    return ["decimal", type_.precision, type_.scale]


def _expect(type_: Type, kinds: frozenset[Kind]) -> None:
    """Raises NotInKernel for a type of another kind."""
    if type_.kind not in kinds:
        raise NotInKernel(f"{type_.kind.value}s in computations")


_WRITERS: Mapping[type[t.Tree], Callable[[_Writing, Any], Json]] = {
    t.Literal: _Writing.literal,
    t.ScopeRole: _Writing.role,
    t.Member: _Writing.member,
    t.Index: _Writing.index,
    t.Negative: _Writing.negative,
    t.Arithmetic: _Writing.arithmetic,
    t.Concat: _Writing.concat,
    t.Comparison: _Writing.comparison,
    t.Logic: _Writing.logic,
    t.Not: _Writing.not_,
    t.Is: _Writing.is_,
    t.In: _Writing.in_,
    t.Between: _Writing.between,
    t.Like: _Writing.like,
    t.Case: _Writing.case,
    t.Cast: _Writing.cast,
    t.Coalesce: _Writing.coalesce,
    t.Call: _Writing.call,
    t.Struct: _Writing.struct,
    t.Convert: _Writing.convert,
}
KINDS = tuple(kind.__name__ for kind in _WRITERS)
"""The kinds of expressions that may run in the kernel, for the documentation."""
