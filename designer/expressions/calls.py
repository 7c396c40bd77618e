"""Function calls: the name must exist, and the arguments fit its signature. Lazy forms become other nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from designer.expressions import tree as t
from designer.expressions.checking import Checking
from designer.expressions.collection_forms import COLLECTION_FORMS
from designer.expressions.conversions import as_binary, as_number, as_text, convert, is_null
from designer.expressions.decimal_calls import align_number_arguments, make_exact_call
from designer.expressions.dynamic import CHANGES
from designer.expressions.errors import ExpressionError
from designer.expressions.forms import FORMS
from designer.expressions.functions import FUNCTIONS, Function, Parameter
from designer.expressions.functions.patterns import compile_pattern, make_matcher
from designer.expressions.functions.printf import read_format
from designer.expressions.functions.structs import read_json_path
from designer.expressions.functions.times import make_time_format, read_unit
from designer.expressions.names import CLOCKS, guess_function, replace
from designer.expressions.types import SCALARS, with_article
from designer.issues import Fix
from designer.messages import FixCode, IssueCode
from designer.values.logical import MICROS, MS, Unit, get_unit
from designer.values.schemas import ANY, BOOLEAN, BYTES, DOUBLE, INTEGER, STRING, Kind, Type, map_of

PREPARE: dict[str, Callable[[str], Any]] = {
    "pattern": compile_pattern,
    "path": read_json_path,
    "unit": read_unit,
    "format": make_time_format,
    "printf": read_format,
}
TYPES = {"string": STRING, "bytes": BYTES, "integer": INTEGER, "double": DOUBLE, "boolean": BOOLEAN, "any": ANY}
AGGREGATES = frozenset(("count", "sum", "avg", "mean", "min", "max", "first", "last", "collect_list", "collect_set"))
RANDOM = frozenset(("rand", "randn", "random", "uuid", "shuffle", "randstr", "monotonically_increasing_id"))
INSTEAD = {"to_timestamp": "to_timestamp_ms", "to_date": "to_timestamp_ms", "unix_timestamp": "unix_seconds"}
INSTEAD |= {"str": "concat", "strlen": "length", "tolower": "lower", "toupper": "upper", "log": "ln", "iff": "if"}
INSTEAD |= {"substring_before": "substring_index", "indexof": "instr", "strip": "trim", "title": "initcap"}


def check_call(checker: Checking, tree: t.Call) -> t.Tree:
    """The call with its function, arguments and type. Raises ExpressionError."""
    function = FUNCTIONS.get(tree.name.lower())
    if function is None:
        raise _describe_unknown(checker.text, tree)
    _check_count(function, tree)
    form = FORMS.get(function.name) or COLLECTION_FORMS.get(function.name)
    if form is not None:
        return form(checker, tree)
    return check_plain_call(checker, tree, map(checker.type_tree, tree.arguments))


def check_plain_call(checker: Checking, tree: t.Call, typed_arguments: Iterable[t.Tree]) -> t.Tree:
    """The same for a function whose signature says all about its types."""
    function = FUNCTIONS[tree.name.lower()]
    arguments = tuple(
        _check_argument(checker, function, function.parameter(index), argument)
        for index, argument in enumerate(typed_arguments)
    )
    arguments = align_number_arguments(function, arguments)
    if (exact := make_exact_call(function, tree, arguments)) is not None:
        return exact
    arguments, same = _unify_arguments(checker, function, arguments)
    type_ = _find_result_type(function, arguments, same)
    return t.Call(function.name, arguments, function, span=tree.span, type=type_)


def check_pattern(checker: Checking, pattern: t.Tree, op: str) -> None:
    """The pattern of LIKE, ILIKE or RLIKE: a valid text literal. Raises ExpressionError."""
    _prepare(checker, lambda text: make_matcher(op, text), pattern, op, "pattern")


def _describe_unknown(text: str, tree: t.Call) -> ExpressionError:
    name = tree.name.lower()
    span = (tree.span[0], tree.span[0] + len(tree.name))
    if name in CLOCKS:
        return ExpressionError(IssueCode.TEXT_CLOCK, {"role": None, "time": "timestamp"}, span)
    if name in RANDOM:
        return ExpressionError(IssueCode.TEXT_RANDOM, {"function": tree.name}, span)
    if name in AGGREGATES:
        return ExpressionError(IssueCode.TEXT_AGGREGATE, {"function": tree.name}, span)
    close = INSTEAD.get(name) or guess_function(name)
    fix = Fix(FixCode.USE, replace(text, span, close), f"`{close}`") if close else None
    return ExpressionError(IssueCode.TEXT_FUNCTION_UNKNOWN, {"function": tree.name[:60], "meant": close}, span, fix)


def _check_count(function: Function, tree: t.Call) -> None:
    count, most = len(tree.arguments), function.most
    if count < function.fewest or (most is not None and count > most):
        is_one = most == function.fewest == 1
        raise ExpressionError(
            IssueCode.TEXT_ARGUMENTS,
            {
                "function": function.name,
                "one": 1 if is_one else None,
                "fewest": None if function.fewest == most else function.fewest,
                "most": None if is_one else most,
                "given": count,
                "call": function.signature.partition(" ->")[0],
            },
            tree.span,
        )


def _check_argument(checker: Checking, function: Function, parameter: Parameter, typed_tree: t.Tree) -> t.Tree:
    kind = parameter.kind
    if kind == "[C]" and (item := typed_tree.type.item) is not None and item.kind not in (*SCALARS, Kind.ANY):
        raise ExpressionError(
            IssueCode.TEXT_ARGUMENT_OF_PARTS,
            {"parameter": parameter.name, "function": function.name, "type": with_article(typed_tree.type)},
            typed_tree.span,
        )
    if kind in PREPARE:
        return _prepare(checker, PREPARE[kind], typed_tree, function.name, parameter.name)
    if kind in ("T", "C"):
        if kind == "C" and typed_tree.type.kind not in SCALARS and typed_tree.type != ANY:
            raise ExpressionError(
                IssueCode.TEXT_ARGUMENT_OF_PARTS,
                {"parameter": parameter.name, "function": function.name, "type": with_article(typed_tree.type)},
                typed_tree.span,
            )
        return typed_tree
    argument = _fit(kind, typed_tree)
    if argument is None:
        noun = _NOUNS.get(kind) or {"[": "a list", "{": "a map"}.get(kind[0], f"a {kind}")
        raise ExpressionError(
            IssueCode.TEXT_ARGUMENT,
            {
                "parameter": parameter.name,
                "function": function.name,
                "wanted": noun,
                "part": checker.part(typed_tree),
                "type": with_article(typed_tree.type),
                "cast": _CASTS.get(kind) if typed_tree.type.kind in SCALARS else None,
                "signature": function.signature,
            },
            typed_tree.span,
        )
    return argument


_NOUNS = {
    "integer": "an integer",
    "time": "an integer of milliseconds or a timestamp",
    "micros": "an integer of milliseconds or a timestamp",
    "bytes": "bytes",
    "binary": "a string or bytes",
    "collection": "a list or a map",
}
_CASTS = {
    "string": "STRING",
    "number": "DOUBLE",
    "integer": "BIGINT",
    "time": "BIGINT",
    "micros": "BIGINT",
    "binary": "STRING",
}
TIMES = {"time": MS, "micros": MICROS}


def _fit(kind: str, tree: t.Tree) -> t.Tree | None:
    if kind in TIMES:
        return _to_unit(tree, TIMES[kind])
    if kind == "number":
        return as_number(tree)
    if kind == "text":
        return as_text(tree)
    if kind == "binary":
        return as_binary(tree)
    if kind == "[string]":
        return convert(tree, Type(Kind.LIST, item=STRING))
    if kind.startswith("["):
        return convert(tree, Type(Kind.LIST, item=ANY))
    if kind.startswith("{"):
        return tree if tree.type.kind is Kind.STRUCT else convert(tree, map_of(ANY))
    if kind == "collection":
        fits = tree.type.kind in (Kind.LIST, Kind.MAP, Kind.STRUCT)
        return tree if fits else t.Convert(tree, kind, span=tree.span) if tree.type == ANY else None
    return convert(tree, TYPES[kind])


def _to_unit(tree: t.Tree, unit: Unit) -> t.Tree | None:
    """A time as an integer of that unit. Without a unit in its type it counts milliseconds."""
    integer = convert(tree, INTEGER)
    own_unit = get_unit(tree.type)
    if integer is None:
        return None
    change = f"{tree.type.logical if own_unit else 'ms'} to {unit.word}"
    return t.Convert(integer, change, span=tree.span, type=INTEGER) if change in CHANGES else integer


def _prepare(checker: Checking, prepare: Callable[[str], Any], tree: t.Tree, name: str, parameter: str) -> t.Tree:
    """A text literal that is read when the expression is compiled. Reads it once here as a check."""
    if not isinstance(tree, t.Literal) or not isinstance(tree.value, str):
        raise ExpressionError(
            IssueCode.TEXT_ARGUMENT_IN_QUOTES,
            {"parameter": parameter, "function": name, "part": checker.part(tree)},
            tree.span,
        )
    try:
        prepare(tree.value)
    except ValueError as error:
        raise ExpressionError(
            IssueCode.TEXT_ARGUMENT_UNUSABLE,
            {"parameter": parameter, "function": name, "why": str(error)},
            tree.span,
        ) from None
    return tree


def _unify_arguments(
    checker: Checking, function: Function, arguments: tuple[t.Tree, ...]
) -> tuple[tuple[t.Tree, ...], Type]:
    """The arguments for T or C in one type. The contents of lists and maps count, but are never converted."""
    kinds = [function.parameter(index).kind for index in range(len(arguments))]
    places = [index for index, kind in enumerate(kinds) if kind in ("T", "C")]
    items = [
        t.Tree(span=a.span, type=a.type.item or ANY)
        for a, kind in zip(arguments, kinds, strict=True)
        if kind in ("[T]", "[C]", "{T}") and not is_null(a)
    ]
    trees, type_ = checker.unify([*items, *(arguments[index] for index in places)], function.name)
    if any(item.type != type_ for item in items):
        return arguments, ANY
    new_arguments = list(arguments)
    for index, tree in zip(places, trees[len(items) :], strict=True):
        new_arguments[index] = tree
    return tuple(new_arguments), type_


def _find_result_type(function: Function, arguments: Sequence[t.Tree], same: Type) -> Type:
    match function.result:
        case "T" | "C":
            return same
        case "[T]" | "[C]":
            return Type(Kind.LIST, item=same)
        case "{T}":
            return map_of(same)
        case "[string]" | "[integer]" | "[any]":
            return Type(Kind.LIST, item=TYPES[function.result[1:-1]])
        case "{any}":
            return map_of(ANY)
        case "number":
            kinds = {argument.type.kind for argument in arguments if not is_null(argument)}
            return DOUBLE if Kind.DOUBLE in kinds else ANY if Kind.ANY in kinds else INTEGER
    return TYPES[function.result]
