"""Writes each node of a checked tree as an expression of Java. Nulls follow `designer.expressions.emit`.

Values that may be null are boxed, in objects of one class for each kind of type (`source.TYPES`). Both results of a
conditional expression are boxed: otherwise Java would unbox one of them, and fail if it is null.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from designer.expressions import tree as t
from designer.expressions.java.functions import INLINE, PATTERNS, STATIC, find_canonical_name, split_path, write_pattern
from designer.expressions.java.source import NotInJava, find_java_type, make_identifier, quote_text
from designer.values.longs import MIN_LONG
from designer.values.schemas import ANY, BOOLEAN, DOUBLE, INTEGER, STRING, Kind, Type

NAME = re.compile(r"\w+")
BOXES = {Kind.BOOLEAN: "Boolean", Kind.INTEGER: "Long", Kind.DOUBLE: "Double"}
EXACT = {"+": "Math.addExact", "-": "Math.subtractExact", "*": "Math.multiplyExact"}
IN_DOUBLES = {"/": "Sql.divide", "%": "Sql.doubleRemainder"}
DYNAMIC = {"+": "Sql.plus", "-": "Sql.minus", "*": "Sql.times", "/": "Sql.divide", "%": "Sql.remainder"}
DECIMALS = {"+": "Sql.plus", "-": "Sql.minus", "*": "Sql.product", "/": "Sql.quotient", "%": "Sql.rest"}
CASTS = {
    Kind.INTEGER: "toLong",
    Kind.DOUBLE: "toDouble",
    Kind.BOOLEAN: "toBoolean",
    Kind.STRING: "text",
    Kind.BYTES: "toBytes",
}
CLASSES = {"boolean": "Boolean", "integer": "Long", "double": "Double", "string": "String", "bytes": "Bytes"}
CLASSES |= {
    "list": "List",
    "struct": "Map",
    "map": "Map",
    "number": "Number",
    "real": "Real",
    "union": "Union",
    "collection": "Items",
}


@dataclass(slots=True)
class Code:
    """`null` if any of `nulls`, else `value`. A test binds a local, `(name = …) == null`, or reads one.

    `is_primitive` says that the value is Java's long, double or boolean. `is_nullable` says that it may still be null.
    """

    value: str
    type: Type
    nulls: list[Test] = field(default_factory=list)
    is_nullable: bool = False
    is_primitive: bool = False

    @property
    def may_be_null(self) -> bool:
        return self.is_nullable or bool(self.nulls)

    @property
    def full(self) -> str:
        if [test.name for test in self.nulls] == [self.value]:  # itself, already bound
            return self.value if self.nulls[0].value is None else self.nulls[0].value
        return f"{join_tests(self.nulls)} ? null : {self.value}" if self.nulls else self.value

    @property
    def boxed_value(self) -> str:
        """The whole as an object of its class, independent of the other result of a conditional expression."""
        if self.value == "null":
            return "null"
        full = self.full
        if self.type == ANY and not self.nulls:
            return f"(Object) {as_operand(full)}"
        if self.is_primitive and not self.nulls:
            return f"{BOXES[self.type.kind]}.valueOf({full})"
        return f"({full})" if " ? " in full else full


@dataclass(frozen=True, slots=True)
class Test:
    """A local that is null. It is bound first if it has a `value`."""

    name: str
    type: Type
    value: str | None = None

    def __str__(self) -> str:
        return f"{self.name} == null" if self.value is None else f"({self.name} = {self.value}) == null"


def join_tests(tests: Sequence[Test]) -> str:
    return " || ".join(map(str, tests))


def as_operand(value: str) -> str:
    """The expression beside an operator or before a point."""
    if re.fullmatch(r'[\w.]+|"([^"\\]|\\.)*"', value) or _is_call(value):
        return value
    return f"({value})"


def _is_call(value: str) -> bool:
    """Whether it is one name followed by one pair of brackets without quotes in them."""
    if not re.match(r"[\w.]+\(", value) or not value.endswith(")") or '"' in value:
        return False
    depth = 0
    for at, sign in enumerate(value):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and sign == ")":
            return at == len(value) - 1
    return False


class Emitter:
    """Makes the body of one method, and collects its locals and patterns.

    `roles` gives the text of a role: a parameter, or a part of one.
    """

    def __init__(self, roles: Mapping[str, str], *, is_windowed: bool) -> None:
        self.roles = roles
        self.is_windowed = is_windowed
        self.locals: dict[str, Type] = {}
        self.taken: set[str] = set()
        """All names of locals, also those inside lambdas, which may not hide others."""
        self.variables: dict[int, str] = {}
        """The names of the lambdas' parameters, by the number of the variable."""
        self.patterns: list[str] = []
        self.used_roles: dict[str, None] = {}

    def emit(self, tree: t.Tree) -> Code:
        return EMITTERS[type(tree)](self, tree)

    def name_temporary(self, type_: Type, hint: str) -> str:
        name = self.take_name(hint)
        self.locals[name] = type_
        return name

    def take_name(self, hint: str) -> str:
        name = make_identifier(hint, {*self.roles.values(), *self.taken})
        self.taken.add(name)
        return name

    def emit_lambda(self, tree: t.Lambda) -> str:
        """A lambda of Java over objects. What its body binds are locals of the lambda."""
        inner = Emitter(self.roles, is_windowed=self.is_windowed)
        inner.taken, inner.patterns, inner.used_roles = self.taken, self.patterns, self.used_roles
        names = [self.take_name(variable.name) for variable in tree.variables]
        numbers = (variable.number for variable in tree.variables)
        inner.variables = {**self.variables, **dict(zip(numbers, names, strict=True))}
        value = inner.emit(tree.body).boxed_value
        head = f"({', '.join(names)})" if len(names) != 1 else names[0]
        if not inner.locals:
            return f"{head} -> {value}"
        declared = " ".join(f"{find_java_type(type_)} {name};" for name, type_ in inner.locals.items())
        return f"{head} -> {{ {declared} return {value}; }}"

    def variable(self, tree: t.Variable) -> Code:
        name = self.variables[tree.number]
        return Code(name, tree.type, is_nullable=True) if tree.type == ANY else self.cast_to(tree.type, name)

    def emit_strict(self, *trees: t.Tree) -> tuple[list[Test], list[Code]]:
        """The tests that find a null among these, and their values if there is none."""
        nulls: list[Test] = []
        codes: list[Code] = []
        for tree in trees:
            code = self.emit(tree)
            nulls += code.nulls
            if code.is_nullable:
                codes.append(Code(self.present(code, nulls, choose_name(tree)), code.type))
            else:
                codes.append(Code(code.value, code.type, is_primitive=code.is_primitive))
        return nulls, codes

    def present(self, code: Code, nulls: list[Test], java_type: str) -> str:
        """The value without null. Adds its test to `nulls`."""
        if NAME.fullmatch(code.value) and code.value != "null":
            nulls.append(Test(code.value, code.type))
            return code.value
        name = self.name_temporary(code.type, java_type)
        nulls.append(Test(name, code.type, code.value))
        return name

    def emit_once(self, code: Code, java_type: str) -> tuple[str, str]:
        """The whole value for its first use, which binds it, and for later uses."""
        if NAME.fullmatch(code.full):
            return code.full, code.full
        name = self.name_temporary(code.type, java_type)
        return f"{name} = {code.boxed_value if code.type != ANY else code.full}", name

    def literal(self, tree: t.Literal) -> Code:
        match tree.value:
            case None:
                return Code("null", tree.type, is_nullable=True)
            case bool():
                return Code(str(tree.value).lower(), BOOLEAN, is_primitive=True)
            case int():
                return Code(
                    "Long.MIN_VALUE" if tree.value == MIN_LONG else f"{tree.value}L", INTEGER, is_primitive=True
                )
            case float():
                return Code(f"{tree.value!r}", DOUBLE, is_primitive=True)
            case Decimal():
                return Code(f"new BigDecimal({quote_text(str(tree.value))})", tree.type)
            case _:
                return Code(quote_text(tree.value), STRING)

    def role(self, tree: t.ScopeRole) -> Code:
        if tree.name == "window" and self.is_windowed:
            start, end = (self.member(t.Member(tree, name, type=INTEGER)).value for name in ("start", "end"))
            return Code(f'Sql.struct("start", {start}, "end", {end})', tree.type)
        self.used_roles[tree.name] = None
        if tree.name == "key" and self.is_windowed:
            return Code("key.key()", tree.type, is_nullable=True)
        is_time = tree.name in ("timestamp", "index")
        return Code(self.roles[tree.name], tree.type, is_nullable=not is_time, is_primitive=is_time)

    def member(self, tree: t.Member) -> Code:
        if isinstance(tree.of, t.ScopeRole) and tree.of.name == "window" and self.is_windowed:
            self.used_roles["key"] = None
            end = self.roles.get("window end", "key.window().end()")
            return Code("key.window().start()" if tree.name == "start" else end, INTEGER, is_primitive=True)
        if tree.of.type == ANY:
            return Code(f"Sql.member({self.emit(tree.of).full}, {quote_text(tree.name)})", ANY, is_nullable=True)
        if isinstance(tree.of, t.ScopeRole):
            return self.cast_to(tree.type, f"Sql.get({self.role(tree.of).value}, {quote_text(tree.name)})")
        nulls, (of,) = self.emit_strict(tree.of)
        field_code = self.cast_to(tree.type, f"Sql.get({of.value}, {quote_text(tree.name)})")
        return Code(field_code.value, tree.type, nulls, is_nullable=True)

    def cast_to(self, type_: Type, value: str) -> Code:
        """An Object cast to its type."""
        class_ = find_java_type(type_)
        return Code(value if class_ == "Object" else f"({class_}) {value}", type_, is_nullable=True)

    def index(self, tree: t.Index) -> Code:
        nulls, (of, place) = self.emit_strict(tree.of, tree.position)
        run = {Kind.MAP: "get", Kind.STRUCT: "get", Kind.LIST: "item"}.get(tree.of.type.kind, "entry")
        item = self.cast_to(tree.type, f"Sql.{run}({of.value}, {place.value})")
        return Code(item.value, tree.type, nulls, is_nullable=True)

    def negative(self, tree: t.Negative) -> Code:
        nulls, (of,) = self.emit_strict(tree.of)
        match tree.type.kind:
            case Kind.DOUBLE:
                return Code(f"-{as_operand(of.value)}", DOUBLE, nulls, is_primitive=True)
            case Kind.INTEGER:
                return Code(f"Math.negateExact({of.value})", INTEGER, nulls, is_primitive=True)
            case Kind.DECIMAL:
                return Code(f"{as_operand(of.value)}.negate()", tree.type, nulls)
        return Code(f"Sql.negate({of.value})", ANY, nulls)

    def arithmetic(self, tree: t.Arithmetic) -> Code:
        nulls, (left, right) = self.emit_strict(tree.left, tree.right)
        sides = f"{left.value}, {right.value}"
        if tree.type.kind is Kind.DECIMAL:
            return Code(f"{DECIMALS[tree.op]}({sides}, {tree.type.precision}, {tree.type.scale})", tree.type, nulls)
        if tree.op == "div":
            return Code(f"Sql.wholeQuotient({sides})", INTEGER, nulls, is_primitive=True)
        if tree.type == ANY:
            return Code(f"{DYNAMIC[tree.op]}({sides})", ANY, nulls)
        if tree.type.kind is Kind.DOUBLE and tree.op in IN_DOUBLES:
            left, right = (self.as_double(side) for side in (left, right))
            return Code(f"{IN_DOUBLES[tree.op]}({left.value}, {right.value})", DOUBLE, nulls, is_primitive=True)
        if tree.type.kind is Kind.INTEGER and tree.op in EXACT:
            return Code(f"{EXACT[tree.op]}({sides})", INTEGER, nulls, is_primitive=True)
        if ANY in (left.type, right.type):
            left, right = (self.as_double(side) for side in (left, right))
        return Code(
            f"{as_operand(left.value)} {tree.op} {as_operand(right.value)}", tree.type, nulls, is_primitive=True
        )

    def as_double(self, code: Code) -> Code:
        """An operand of arithmetic in doubles."""
        if code.type.kind is Kind.DOUBLE:
            return code
        value = (
            f"(double) {as_operand(code.value)}" if code.type.kind is Kind.INTEGER else f"Sql.toDouble({code.value})"
        )
        return Code(value, DOUBLE, is_primitive=True)

    def concat(self, tree: t.Concat) -> Code:
        nulls, codes = self.emit_strict(*tree.items)
        return Code(" + ".join(as_operand(code.value) for code in codes), STRING, nulls)

    def comparison(self, tree: t.Comparison) -> Code:
        if tree.op == "<=>":
            left, right = self.emit(tree.left), self.emit(tree.right)
            return Code(f"Sql.same({left.full}, {right.full})", BOOLEAN, is_primitive=True)
        nulls, (left, right) = self.emit_strict(tree.left, tree.right)
        return Code(self.compare(tree.op, left, right), BOOLEAN, nulls, is_primitive=True)

    def compare(self, op: str, left: Code, right: Code) -> str:
        """`left op right` for values that are not null."""
        kinds = {left.type.kind, right.type.kind}
        one, other = as_operand(left.value), as_operand(right.value)
        if kinds == {Kind.INTEGER} or kinds == {Kind.DOUBLE}:
            if op not in ("=", "<>"):
                return f"{one} {op} {other}"
            if not left.is_primitive and not right.is_primitive:
                one = f"{one}.{'longValue' if kinds == {Kind.INTEGER} else 'doubleValue'}()"
            return f"{one} {'==' if op == '=' else '!='} {other}"
        if op in ("=", "<>") and kinds in ({Kind.STRING}, {Kind.BOOLEAN}):
            one = f"Boolean.valueOf({left.value})" if left.is_primitive else one
            return f"{'' if op == '=' else '!'}{one}.equals({right.value})"
        name = {"=": "equal", "<>": "unequal", "<": "less", "<=": "atMost", ">": "more", ">=": "atLeast"}[op]
        return f"Sql.{name}({left.value}, {right.value})"

    def logic(self, tree: t.Logic) -> Code:
        """AND: false if one is false, else null if one is null, else true. OR is the reverse."""
        decides, sign = ("TRUE", "||") if tree.op == "OR" else ("FALSE", "&&")
        codes = [self.emit(operand) for operand in tree.operands]
        if not any(code.may_be_null for code in codes):
            return Code(f" {sign} ".join(as_operand(code.value) for code in codes), BOOLEAN, is_primitive=True)
        deciding_tests: list[str] = []
        null_tests: list[str] = []
        for code, operand in zip(codes, tree.operands, strict=True):
            if code.may_be_null:
                first, again = self.emit_once(code, choose_name(operand))
                deciding_tests.append(f"Boolean.{decides}.equals({first})")
                null_tests.append(f"{again} == null")
            else:
                deciding_tests.append(as_operand(code.value) if decides == "TRUE" else f"!{as_operand(code.value)}")
        rest = f"{' || '.join(null_tests)} ? null : Boolean.{'FALSE' if decides == 'TRUE' else 'TRUE'}"
        return Code(f"{' || '.join(deciding_tests)} ? Boolean.{decides} : {rest}", BOOLEAN, is_nullable=True)

    def not_(self, tree: t.Not) -> Code:
        if isinstance(tree.of, t.Is) and tree.of.value is None:
            return Code(f"{as_operand(self._to_test(tree.of.of))} != null", BOOLEAN, is_primitive=True)
        nulls, (of,) = self.emit_strict(tree.of)
        return Code(f"!{as_operand(of.value)}", BOOLEAN, nulls, is_primitive=True)

    def is_(self, tree: t.Is) -> Code:
        if tree.value is None:
            return Code(f"{as_operand(self._to_test(tree.of))} == null", BOOLEAN, is_primitive=True)
        return Code(f"Boolean.{str(tree.value).upper()}.equals({self.emit(tree.of).full})", BOOLEAN, is_primitive=True)

    def _to_test(self, tree: t.Tree) -> str:
        """The whole value as an object, which can be compared with null."""
        code = self.emit(tree)
        return code.boxed_value if code.is_primitive else code.full

    def in_(self, tree: t.In) -> Code:
        nulls, (of,) = self.emit_strict(tree.of)
        items = [self.emit(item) for item in tree.items]
        item_list = ", ".join(item.full if item.value != "null" else "(Object) null" for item in items)
        if all(item.type == of.type and not item.may_be_null for item in items) and of.type in (STRING, INTEGER):
            return Code(f"List.of({item_list}).contains({of.value})", BOOLEAN, nulls, is_primitive=True)
        return Code(f"Sql.within({of.value}, {item_list})", BOOLEAN, nulls, is_nullable=True)

    def between(self, tree: t.Between) -> Code:
        low, high = self.emit(tree.low), self.emit(tree.high)
        nulls, (of,) = self.emit_strict(tree.of)
        plain = of.type == low.type == high.type and of.type in (INTEGER, DOUBLE) and NAME.fullmatch(of.value)
        if plain and not low.may_be_null and not high.may_be_null:
            value = f"{as_operand(low.value)} <= {of.value} && {of.value} <= {as_operand(high.value)}"
            return Code(value, BOOLEAN, nulls, is_primitive=True)
        return Code(f"Sql.between({of.value}, {low.full}, {high.full})", BOOLEAN, nulls, is_nullable=True)

    def like(self, tree: t.Like) -> Code:
        nulls, (of,) = self.emit_strict(tree.of)
        assert isinstance(tree.pattern, t.Literal)
        pattern = self.pattern(write_pattern(tree.op, str(tree.pattern.value)))
        return Code(f"{pattern}.matcher({of.value}).find()", BOOLEAN, nulls, is_primitive=True)

    def pattern(self, constant: str) -> str:
        """A placeholder for the constant with a compiled regular expression."""
        if constant not in self.patterns:
            self.patterns.append(constant)
        return f"PATTERN_{self.patterns.index(constant)}"

    def case(self, tree: t.Case) -> Code:
        """Nested choices from the last to the first. A null condition counts as false."""
        subjects: list[str] = [""] * len(tree.whens)
        if tree.operand is not None:
            first, again = self.emit_once(self.emit(tree.operand), choose_name(tree.operand))
            subjects = [first, *[again] * (len(tree.whens) - 1)]
        tests = []
        for subject, (condition, _) in zip(subjects, tree.whens, strict=True):
            code = self.emit(condition)
            if subject:
                tests.append(f"Sql.isEqual({subject}, {code.full})")
            else:
                tests.append(
                    as_operand(code.value) if code.is_primitive and not code.nulls else f"Sql.isTrue({code.full})"
                )
        results = [self.emit(result) for _, result in tree.whens]
        assert tree.otherwise is not None  # the check fills it in
        otherwise = self.emit(tree.otherwise)
        value = otherwise.boxed_value
        for test, result in zip(reversed(tests), reversed(results), strict=True):
            value = f"{test} ? {result.boxed_value} : {value}"
        return Code(value, tree.type, is_nullable=any(code.may_be_null for code in (*results, otherwise)))

    def cast(self, tree: t.Cast) -> Code:
        nulls, (of,) = self.emit_strict(tree.of)
        if tree.of.type == tree.to:
            return Code(of.value, of.type, nulls, is_primitive=of.is_primitive)
        if tree.to.kind is Kind.DECIMAL:
            run = "tryDecimal" if tree.is_safe else "toDecimal"
            value = f"Sql.{run}({of.value}, {tree.to.precision}, {tree.to.scale})"
            return Code(value, tree.to, nulls, is_nullable=tree.is_safe)
        name = CASTS[tree.to.kind]
        if tree.is_safe:
            return Code(f"Sql.attempt(Sql::{name}, {of.value})", tree.to, nulls, is_nullable=True)
        return Code(f"Sql.{name}({of.value})", tree.to, nulls, is_primitive=tree.to.kind in BOXES)

    def coalesce(self, tree: t.Coalesce) -> Code:
        codes = [self.emit(item) for item in tree.items]
        value = codes[-1].boxed_value
        last = codes[-1]
        for code, item in zip(reversed(codes[:-1]), reversed(tree.items[:-1]), strict=True):
            if code.may_be_null:
                first, again = self.emit_once(code, choose_name(item))
                value = f"{as_operand(first)} != null ? {again} : {value}"
                last = Code(value, tree.type)
            else:
                value, last = code.value, code
        nullable = all(code.may_be_null for code in codes)
        return Code(value, tree.type, is_nullable=nullable, is_primitive=last.is_primitive and value == last.value)

    def call(self, tree: t.Call) -> Code:
        function = tree.function
        assert function is not None
        if function.takes_lambdas:
            return self.call_with_lambdas(tree)
        nulls: list[Test] = []
        if function.takes_nulls:
            codes = [self.emit(argument) for argument in tree.arguments]
            values = [code.full if code.value != "null" else f"({find_java_type(code.type)}) null" for code in codes]
        else:
            nulls, codes = self.emit_strict(*tree.arguments)
            values = [code.value for code in codes]
        for index, argument in enumerate(tree.arguments):
            kind = function.parameter(index).kind
            if kind == "pattern" and isinstance(argument, t.Literal):
                values[index] = self.pattern(write_pattern("RLIKE", str(argument.value)))
            if kind == "path" and isinstance(argument, t.Literal):
                values[index : index + 1] = split_path(str(argument.value))
        value = self._call_of(tree, values)
        if function.result in ("number", "T", "C", "any") and tree.type != ANY:
            value = f"({find_java_type(tree.type)}) {value}"
            return Code(value, tree.type, nulls, is_nullable=function.is_nullable)
        return Code(value, tree.type, nulls, function.is_nullable, not function.is_nullable and tree.type.kind in BOXES)

    def call_with_lambdas(self, tree: t.Call) -> Code:
        values = []
        for argument in tree.arguments:
            if isinstance(argument, t.Lambda):
                values.append(self.emit_lambda(argument))
            else:
                code = self.emit(argument)
                values.append(code.boxed_value if code.value != "null" else f"({find_java_type(code.type)}) null")
        return self.cast_to(tree.type, f"Sql.{STATIC[find_canonical_name(tree.name)]}({', '.join(values)})")

    def _call_of(self, tree: t.Call, values: Sequence[str]) -> str:
        assert tree.function is not None
        name = find_canonical_name(tree.name)
        if tree.type.kind is Kind.DECIMAL and (call := _emit_for_decimals(tree, values)) is not None:
            return call
        if (template := INLINE.get(name)) is not None:
            return template.format(*map(as_operand, values))
        run = STATIC.get(name) or PATTERNS.get(name)
        if run is None:
            raise NotInJava(f"the function {name} cannot be exported as Java yet")
        return f"Sql.{run}({', '.join(values)})"

    def struct(self, tree: t.Struct) -> Code:
        pairs = [
            f"{quote_text(name)}, {self.emit(each).full}" for name, each in zip(tree.names, tree.values, strict=True)
        ]
        return Code(f"Sql.struct({', '.join(pairs)})", tree.type)

    def convert(self, tree: t.Convert) -> Code:
        nulls, (of,) = self.emit_strict(tree.of)
        if tree.type.kind is Kind.DECIMAL:
            run = "toDecimal" if tree.of.type == ANY else "fit"
            return Code(f"Sql.{run}({of.value}, {tree.type.precision}, {tree.type.scale})", tree.type, nulls)
        if tree.to == "double" and tree.of.type != ANY:
            exact = tree.of.type.kind is Kind.DECIMAL
            value = f"{as_operand(of.value)}.doubleValue()" if exact else f"(double) {as_operand(of.value)}"
            return Code(value, DOUBLE, nulls, is_primitive=True)
        if tree.to == "text":
            return Code(f"Sql.text({of.value})", STRING, nulls)
        if tree.to not in CLASSES:
            raise NotInJava(f"values that count as {tree.to} have no Java yet")
        return Code(f"Sql.as{CLASSES[tree.to]}({of.value})", tree.type, nulls)


def choose_name(tree: t.Tree) -> str:
    """A name for a local with it."""
    match tree:
        case t.Member() | t.ScopeRole() | t.Call() | t.Variable():
            return tree.name
        case t.Convert() | t.Cast() | t.Index():
            return choose_name(tree.of)
    return "result"


def _emit_for_decimals(tree: t.Call, values: Sequence[str]) -> str | None:
    """The version of a function for decimals."""
    size = f"{tree.type.precision}, {tree.type.scale}"
    match tree.name:
        case "abs":
            return f"{as_operand(values[0])}.abs()"
        case "ceil" | "ceiling" | "floor":
            return f"Sql.fit({values[0]}, {size}, RoundingMode.{'FLOOR' if tree.name == 'floor' else 'CEILING'})"
        case "round" | "bround":
            digits = values[1] if len(values) > 1 else "0L"
            how = "HALF_UP" if tree.name == "round" else "HALF_EVEN"
            return f"Sql.roundTo({values[0]}, {digits}, {size}, RoundingMode.{how})"
        case "pmod" | "try_divide":
            raise NotInJava(f"{tree.name} of decimals cannot be exported as Java yet")
    return None


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
