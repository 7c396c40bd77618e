"""Writes each node of a checked tree as Python's syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from designer.expressions import arithmetic, decimals, dynamic
from designer.expressions import tree as t
from designer.expressions.calls import PREPARE
from designer.expressions.casts import make_cast
from designer.expressions.functions.limits import Steps
from designer.expressions.functions.patterns import make_matcher
from designer.expressions.functions.strings import concat
from designer.expressions.nodes import (
    NONE,
    bind,
    call,
    compare,
    compare_with_none,
    get,
    get_item,
    join_tests,
    load,
    make_choice,
    make_constant,
)
from designer.values.longs import MAX_LONG, MIN_LONG
from designer.values.schemas import ANY, Kind

COMPARE: dict[str, type[ast.cmpop]] = {
    "=": ast.Eq,
    "<>": ast.NotEq,
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
}
COMPUTE: dict[str, type[ast.operator]] = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div}
NO_FIELDS: dict[str, Any] = {}


@dataclass(slots=True)
class Code:
    """`None if any of nulls else value`. The tests in `nulls` come first and bind the names in `value`.

    `nullable` says that `value` may still be None.
    """

    value: ast.expr
    nulls: list[ast.expr] = field(default_factory=list)
    is_nullable: bool = False

    @property
    def may_be_null(self) -> bool:
        return self.is_nullable or bool(self.nulls)

    @property
    def full(self) -> ast.expr:
        return make_choice(join_tests(self.nulls), NONE, self.value) if self.nulls else self.value


class Emitter:
    """Makes the body of one function, and collects its globals, its prelude and its temporaries."""

    def __init__(
        self, parameters: Sequence[str], *, is_windowed: bool, headers: Callable[[], list[Any]] | None
    ) -> None:
        self.arguments = [f"_{index}" for index in range(len(parameters))]
        self.roles = dict(zip(parameters, self.arguments, strict=True))
        self.is_windowed = is_windowed
        self.headers = headers
        self.globals: dict[str, Any] = {}
        self.prelude: list[ast.stmt] = []
        self.names: dict[str, str] = {}
        self.count = len(parameters)

    def emit_full(self, tree: t.Tree) -> ast.expr:
        return self.emit(tree).full

    def emit(self, tree: t.Tree) -> Code:
        return EMITTERS[type(tree)](self, tree)

    def name_temporary(self) -> str:
        self.count += 1
        return f"_{self.count}"

    def use(self, value: Any) -> str:
        """The name of a global that holds `value`."""
        name = next((name for name, other in self.globals.items() if other is value), None)
        if name is None:
            name = f"_g{len(self.globals)}"
            self.globals[name] = value
        return name

    def compute_first(self, key: str, value: Callable[[], ast.expr]) -> ast.expr:
        """A local that is computed once, at the start of the function."""
        if key not in self.names:
            expression = value()
            self.names[key] = self.name_temporary()
            self.prelude.append(ast.Assign([ast.Name(self.names[key], ast.Store())], expression))
        return load(self.names[key])

    def emit_strict(self, *trees: t.Tree) -> tuple[list[ast.expr], list[ast.expr]]:
        """The tests that find a null among these, and their values if there is none."""
        nulls: list[ast.expr] = []
        values: list[ast.expr] = []
        for tree in trees:
            code = self.emit(tree)
            nulls += code.nulls
            values.append(self.present(code.value, nulls) if code.is_nullable else code.value)
        return nulls, values

    def present(self, value: ast.expr, nulls: list[ast.expr]) -> ast.expr:
        """The value without null. Adds its test to `nulls`."""
        if isinstance(value, ast.Name):
            nulls.append(compare_with_none(value))
            return value
        name = self.name_temporary()
        nulls.append(compare_with_none(bind(name, value)))
        return load(name)

    def emit_once(self, value: ast.expr) -> tuple[ast.expr, ast.expr]:
        """The value for its first use, which binds it, and for later uses."""
        if isinstance(value, ast.Name | ast.Constant):
            return value, value
        name = self.name_temporary()
        return bind(name, value), load(name)

    def literal(self, tree: t.Literal) -> Code:
        if tree.value is None:
            return Code(NONE, is_nullable=True)
        if isinstance(tree.value, Decimal):
            return Code(load(self.use(tree.value)))
        return Code(make_constant(tree.value))

    def role(self, tree: t.ScopeRole) -> Code:
        if tree.name == "headers":
            if self.headers is None:
                raise LookupError("The expression uses `headers`; compile it with them.")
            function = self.use(self.headers)
            return Code(self.compute_first("headers", lambda: call(function)), is_nullable=True)
        if tree.name == "window" and self.is_windowed:
            key = load(self.roles["key"])
            return Code(ast.Dict([ast.Constant("start"), ast.Constant("end")], [get_item(key, 1), get_item(key, 2)]))
        if tree.name not in self.roles:
            raise LookupError(f"The expression uses `{tree.name}`, which is not among the parameters.")
        name = load(self.roles[tree.name])
        if tree.name == "key" and self.is_windowed:
            return Code(self.compute_first("key", lambda: get_item(name, 0)), is_nullable=True)
        return Code(name, is_nullable=True)

    def variable(self, tree: t.Variable) -> Code:
        return Code(load(_name_variable(tree)), is_nullable=True)

    def emit_lambda(self, tree: t.Lambda) -> ast.expr:
        parameters = [ast.arg(_name_variable(variable)) for variable in tree.variables]
        return ast.Lambda(ast.arguments([], parameters, None, [], [], None, []), self.emit_full(tree.body))

    def member(self, tree: t.Member) -> Code:
        if isinstance(tree.of, t.ScopeRole) and tree.of.name == "window" and self.is_windowed:
            return Code(get_item(load(self.roles["key"]), 1 if tree.name == "start" else 2))
        if tree.of.type == ANY:
            return Code(
                call(self.use(dynamic.get_member), self.emit_full(tree.of), make_constant(tree.name)), is_nullable=True
            )
        if isinstance(tree.of, t.ScopeRole):
            return Code(get(self.fields_of(tree.of), make_constant(tree.name)), is_nullable=True)
        nulls, (of,) = self.emit_strict(tree.of)
        return Code(get(of, make_constant(tree.name)), nulls, is_nullable=True)

    def fields_of(self, role: t.ScopeRole) -> ast.expr:
        """The struct of a role, or an empty one: tests for null once per record, not once per field."""
        nothing = self.use(NO_FIELDS)

        def fields() -> ast.expr:
            struct = self.role(role).value
            return make_choice(compare_with_none(struct), load(nothing), struct)

        return self.compute_first(f"fields of {role.name}", fields)

    def index(self, tree: t.Index) -> Code:
        nulls, (of, place) = self.emit_strict(tree.of, tree.position)
        if tree.of.type.kind in (Kind.MAP, Kind.STRUCT):
            return Code(get(of, place), nulls, is_nullable=True)
        run = dynamic.get_item if tree.of.type.kind is Kind.LIST else dynamic.get_entry
        return Code(call(self.use(run), of, place), nulls, is_nullable=True)

    def negative(self, tree: t.Negative) -> Code:
        nulls, (of,) = self.emit_strict(tree.of)
        if tree.type == ANY or tree.type.kind is Kind.DECIMAL:
            return Code(call(self.use(dynamic.negate if tree.type == ANY else decimals.negate), of), nulls)
        value = ast.UnaryOp(ast.USub(), of)
        return Code(value if tree.type.kind is Kind.DOUBLE else self.check_64_bits(value), nulls)

    def arithmetic(self, tree: t.Arithmetic) -> Code:
        nulls, values = self.emit_strict(tree.left, tree.right)
        if (run := _find_function(tree)) is not None:
            return Code(call(self.use(run), *values), nulls)
        value = ast.BinOp(values[0], COMPUTE[tree.op](), values[1])
        if tree.type.kind is Kind.DOUBLE:
            return Code(value, nulls)
        return Code(self.check_64_bits(value), nulls)

    def check_64_bits(self, value: ast.expr) -> ast.expr:
        """An integer result with a test of its bounds."""
        first, again = self.emit_once(value)
        low, high = make_constant(MIN_LONG), make_constant(MAX_LONG)
        fits = ast.Compare(low, [ast.LtE(), ast.LtE()], [first, high])
        return make_choice(fits, again, call(self.use(arithmetic.raise_overflow)))

    def concat(self, tree: t.Concat) -> Code:
        nulls, values = self.emit_strict(*tree.items)
        return Code(call(self.use(concat), *values), nulls)

    def comparison(self, tree: t.Comparison) -> Code:
        unknown = ANY in (tree.left.type, tree.right.type)
        if tree.op == "<=>":
            left, right = self.emit_full(tree.left), self.emit_full(tree.right)
            return Code(call(self.use(dynamic.is_same), left, right) if unknown else compare(left, ast.Eq(), right))
        nulls, values = self.emit_strict(tree.left, tree.right)
        if unknown:
            return Code(call(self.use(dynamic.COMPARE[tree.op]), *values), nulls)
        return Code(compare(values[0], COMPARE[tree.op](), values[1]), nulls)

    def logic(self, tree: t.Logic) -> Code:
        """AND: false if one is false, else null if one is null, else true. OR is the reverse."""
        decides = tree.op == "OR"
        codes = [self.emit(operand) for operand in tree.operands]
        if not any(code.may_be_null for code in codes):
            return Code(ast.BoolOp(ast.Or() if decides else ast.And(), [code.value for code in codes]))
        deciding_tests: list[ast.expr] = []
        null_tests: list[ast.expr] = []
        for code in codes:
            if code.may_be_null:
                first, again = self.emit_once(code.full)
                deciding_tests.append(compare(first, ast.Is(), make_constant(decides)))
                null_tests.append(compare_with_none(again))
            else:
                deciding_tests.append(code.value if decides else ast.UnaryOp(ast.Not(), code.value))
        rest = make_choice(join_tests(null_tests), NONE, make_constant(not decides))
        return Code(make_choice(join_tests(deciding_tests), make_constant(decides), rest), is_nullable=True)

    def not_(self, tree: t.Not) -> Code:
        if isinstance(tree.of, t.Is):
            test = self.is_(tree.of).value
            if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is):
                return Code(compare(test.left, ast.IsNot(), test.comparators[0]))
        nulls, (of,) = self.emit_strict(tree.of)
        return Code(ast.UnaryOp(ast.Not(), of), nulls)

    def is_(self, tree: t.Is) -> Code:
        code = self.emit(tree.of)
        if tree.value is None and not code.may_be_null:
            return Code(compare(bind(self.name_temporary(), code.value), ast.Is(), NONE))
        return Code(compare(code.full, ast.Is(), make_constant(tree.value)))

    def in_(self, tree: t.In) -> Code:
        literals = [item.value for item in tree.items if isinstance(item, t.Literal) and item.value is not None]
        nulls, (of,) = self.emit_strict(tree.of)
        if len(literals) == len(tree.items) and tree.of.type != ANY:
            return Code(compare(of, ast.In(), load(self.use(frozenset(literals)))), nulls)
        items = ast.Tuple([self.emit_full(item) for item in tree.items], ast.Load())
        return Code(call(self.use(dynamic.is_within), of, items), nulls, is_nullable=True)

    def between(self, tree: t.Between) -> Code:
        low, high = self.emit(tree.low), self.emit(tree.high)
        nulls, (of,) = self.emit_strict(tree.of)
        if low.may_be_null or high.may_be_null or ANY in (tree.of.type, tree.low.type, tree.high.type):
            return Code(call(self.use(dynamic.is_between), of, low.full, high.full), nulls, is_nullable=True)
        return Code(ast.Compare(low.value, [ast.LtE(), ast.LtE()], [of, high.value]), nulls)

    def like(self, tree: t.Like) -> Code:
        nulls, (of,) = self.emit_strict(tree.of)
        assert isinstance(tree.pattern, t.Literal)
        run = make_matcher(tree.op, str(tree.pattern.value))
        return Code(call(self.use(run), of), nulls)

    def case(self, tree: t.Case) -> Code:
        """Nested choices from the last to the first. A null condition counts as false."""
        operand = self.emit(tree.operand) if tree.operand else None
        first: ast.expr | None = None
        again: ast.expr | None = None
        if operand is not None:
            first, again = self.emit_once(operand.full)
        results = [self.emit(result) for _, result in tree.whens]
        assert tree.otherwise is not None  # the check fills it in
        otherwise = self.emit(tree.otherwise)
        value = otherwise.full
        for index in reversed(range(len(tree.whens))):
            condition = tree.whens[index][0]
            subject = first if index == 0 else again
            test = self.emit_full(condition)
            if subject is not None:
                test = call(self.use(dynamic.is_equal), subject, test)
            value = make_choice(test, results[index].full, value)
        return Code(value, is_nullable=any(code.may_be_null for code in (*results, otherwise)))

    def cast(self, tree: t.Cast) -> Code:
        nulls, (of,) = self.emit_strict(tree.of)
        if tree.of.type == tree.to:
            return Code(of, nulls)
        run = make_cast(tree.to, is_safe=tree.is_safe)
        return Code(call(self.use(run), of), nulls, is_nullable=tree.is_safe)

    def coalesce(self, tree: t.Coalesce) -> Code:
        codes = [self.emit(item) for item in tree.items]
        value = codes[-1].full
        for code in reversed(codes[:-1]):
            if code.may_be_null:
                first, again = self.emit_once(code.full)
                value = make_choice(compare(first, ast.IsNot(), NONE), again, value)
            else:
                value = code.value
        return Code(value, is_nullable=all(code.may_be_null for code in codes))

    def call(self, tree: t.Call) -> Code:
        function = tree.function
        assert function is not None
        assert function.run is not None
        name = self.use(function.run)
        if function.takes_lambdas:
            steps = self.compute_first("steps", lambda: call(self.use(Steps)))
            arguments = [self.emit_lambda(a) if isinstance(a, t.Lambda) else self.emit_full(a) for a in tree.arguments]
            return Code(call(name, steps, *arguments), is_nullable=function.is_nullable)
        if function.takes_nulls:
            nulls: list[ast.expr] = []
            values = [self.emit_full(argument) for argument in tree.arguments]
        else:
            nulls, values = self.emit_strict(*tree.arguments)
        for index, argument in enumerate(tree.arguments):
            prepare = PREPARE.get(function.parameter(index).kind)
            if prepare is not None and isinstance(argument, t.Literal):
                values[index] = load(self.use(prepare(str(argument.value))))
        return Code(call(name, *values), nulls, is_nullable=function.is_nullable)

    def struct(self, tree: t.Struct) -> Code:
        keys: list[ast.expr | None] = [make_constant(name) for name in tree.names]
        return Code(ast.Dict(keys, [self.emit_full(value) for value in tree.values]))

    def convert(self, tree: t.Convert) -> Code:
        nulls, (of,) = self.emit_strict(tree.of)
        if tree.type.kind is Kind.DECIMAL:
            run: Callable[[Any], Any] = (
                dynamic.make_decimal_conversion(tree.type) if tree.of.type == ANY else decimals.make_fitter(tree.type)
            )
        elif tree.to == "double" and tree.of.type != ANY:
            run = float
        else:
            run = dynamic.EXPECT[tree.to]
        return Code(call(self.use(run), of), nulls)


def _name_variable(tree: t.Variable) -> str:
    return f"_v{tree.number}"


def _find_function(tree: t.Arithmetic) -> Callable[..., Any] | None:
    """The function that computes it, if Python's operator with a bounds test does not."""
    if tree.type.kind is Kind.DECIMAL:
        return decimals.make_operation(tree.op, tree.type)
    if tree.op == "div":
        exact = Kind.DECIMAL in (tree.left.type.kind, tree.right.type.kind)
        return decimals.divide_whole if exact else arithmetic.divide_whole
    if tree.type == ANY:
        return dynamic.COMPUTE[tree.op]
    return arithmetic.find_remainder if tree.op == "%" else None


EMITTERS: dict[type[t.Tree], Callable[[Emitter, Any], Code]] = {
    t.Literal: Emitter.literal,
    t.ScopeRole: Emitter.role,
    t.Variable: Emitter.variable,
    t.Member: Emitter.member,
    t.Index: Emitter.index,
    t.Negative: Emitter.negative,
    t.Arithmetic: Emitter.arithmetic,
    t.Concat: Emitter.concat,
    t.Comparison: Emitter.comparison,
    t.Logic: Emitter.logic,
    t.Not: Emitter.not_,
    t.Is: Emitter.is_,
    t.In: Emitter.in_,
    t.Between: Emitter.between,
    t.Like: Emitter.like,
    t.Case: Emitter.case,
    t.Cast: Emitter.cast,
    t.Coalesce: Emitter.coalesce,
    t.Call: Emitter.call,
    t.Struct: Emitter.struct,
    t.Convert: Emitter.convert,
}
