"""Checks calls whose types follow from lambdas, from lists inside lists, or from a format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from designer.expressions import tree as t
from designer.expressions.checking import Checking
from designer.expressions.conversions import convert, is_null
from designer.expressions.errors import ExpressionError, Span
from designer.expressions.functions import FUNCTIONS
from designer.expressions.functions.lambdas import filter_with_index, transform_with_index
from designer.expressions.functions.printf import CONVERSIONS, read_format
from designer.expressions.types import SCALARS, find_common_type, with_article
from designer.messages import IssueCode
from designer.values.schemas import ANY, BOOLEAN, INTEGER, STRING, Kind, Type, map_of

LIST = Type(Kind.LIST, item=ANY)
MAP = map_of(ANY)
WITH_INDEX = {"transform": transform_with_index, "filter": filter_with_index}
"""The functions whose lambdas may also take the index."""
MAX_NESTED_AGGREGATES = 6
"""How deep aggregates may stand in each other's lambdas: each may check its lambda twice, so that they multiply."""


def list_of(item: Type) -> Type:
    return Type(Kind.LIST, item=item)


def are_lists(items: Sequence[t.Tree]) -> bool:
    """Whether `concat` and `||` join lists: one is a list, and the others may be."""
    kinds = {item.type.kind for item in items}
    return Kind.LIST in kinds and kinds <= {Kind.LIST, Kind.ANY}


def join_lists(checker: Checking, items: Sequence[t.Tree], name: str, span: Span) -> t.Tree:
    """`concat` and `||` of lists. Null if one is null."""
    lists = [_convert_to(checker, item, LIST, name, "list") for item in items]
    joined, type_ = checker.unify(lists, name)
    return _flatten(t.Call("array", joined, FUNCTIONS["array"], span=span, type=list_of(type_)), span)


def _make_concat(checker: Checking, tree: t.Call) -> t.Tree:
    """A call for texts, or for lists."""
    items = [checker.type_tree(argument) for argument in tree.arguments]
    if are_lists(items):
        return join_lists(checker, items, tree.name, tree.span)
    return checker.type_plain_call(tree, items)


def _make_flatten(checker: Checking, tree: t.Call) -> t.Tree:
    of = _convert_to(checker, checker.type_tree(tree.arguments[0]), LIST, tree.name, "list")
    if of.type.item is not None and of.type.item.kind not in (Kind.LIST, Kind.ANY):
        raise _describe_argument(checker, tree.name, "lists", "a list of lists", of)
    return _flatten(of, tree.span)


def _flatten(of: t.Tree, span: Span) -> t.Tree:
    inner = of.type.item or ANY
    return t.Call("flatten", (of,), FUNCTIONS["flatten"], span=span, type=list_of(inner.item or ANY))


def _make_transform(checker: Checking, tree: t.Call) -> t.Tree:
    items = _find_list(checker, tree)
    change, run = _type_with_index(checker, tree, items)
    return _make_call(tree, (items, change), list_of(change.type), run)


def _make_filter(checker: Checking, tree: t.Call) -> t.Tree:
    items = _find_list(checker, tree)
    keep, run = _type_with_index(checker, tree, items)
    return _make_call(tree, (items, _as_condition(tree, keep)), items.type, run)


def _make_test(checker: Checking, tree: t.Call) -> t.Tree:
    """exists and forall."""
    items = _find_list(checker, tree)
    test = _as_condition(tree, _type_lambda(checker, tree, 1, [items.type.item or ANY]))
    return _make_call(tree, (items, test), BOOLEAN)


def _make_aggregate(checker: Checking, tree: t.Call) -> t.Tree:
    """The value so far has the common type of the start and of what the lambda gives, as `0` and doubles have."""
    items, start = _find_list(checker, tree), checker.type_tree(tree.arguments[1])
    merge, type_ = _type_merge(checker, tree, items, start)
    new_start, body = convert(start, type_), convert(merge.body, type_)
    if new_start is None or body is None:
        checker.unify([start, replace(merge.body, type=merge.type)], tree.name)
        raise ExpressionError(
            IssueCode.TEXT_LAMBDA_GIVES,
            {"function": tree.name, "wanted": with_article(type_), "given": with_article(merge.type)},
            merge.span,
        )
    arguments: tuple[t.Tree, ...] = (items, new_start, replace(merge, body=body, type=type_))
    if len(tree.arguments) > 3:
        finish = _type_lambda(checker, tree, 3, [type_])
        return _make_call(tree, (*arguments, finish), finish.type)
    return _make_call(tree, arguments, type_)


def _type_merge(checker: Checking, tree: t.Call, items: t.Tree, start: t.Tree) -> tuple[t.Lambda, Type]:
    """The lambda of an aggregate, and the type of the value so far."""
    type_ = start.type
    checker.aggregates_around += 1
    try:
        if checker.aggregates_around > MAX_NESTED_AGGREGATES:
            raise ExpressionError(IssueCode.TEXT_TOO_DEEP, {"max_depth": MAX_NESTED_AGGREGATES}, tree.span)
        merge = _type_lambda(checker, tree, 2, [type_, items.type.item or ANY])
        common = merge.type if is_null(start) else find_common_type((type_, merge.type))
        if common is not None and common != type_:
            type_ = common
            merge = _type_lambda(checker, tree, 2, [type_, items.type.item or ANY])
        return merge, type_
    finally:
        checker.aggregates_around -= 1


def _make_zip(checker: Checking, tree: t.Call) -> t.Tree:
    lists = [_convert_to(checker, checker.type_tree(of), LIST, tree.name, "left") for of in tree.arguments[:2]]
    merge = _type_lambda(checker, tree, 2, [of.type.item or ANY for of in lists])
    return _make_call(tree, (*lists, merge), list_of(merge.type))


def _make_map_filter(checker: Checking, tree: t.Call) -> t.Tree:
    entries, item = _find_map(checker, tree)
    keep = _as_condition(tree, _type_lambda(checker, tree, 1, [STRING, item]))
    return _make_call(tree, (entries, keep), map_of(item))


def _make_transform_values(checker: Checking, tree: t.Call) -> t.Tree:
    entries, item = _find_map(checker, tree)
    change = _type_lambda(checker, tree, 1, [STRING, item])
    return _make_call(tree, (entries, change), map_of(change.type))


def _make_transform_keys(checker: Checking, tree: t.Call) -> t.Tree:
    entries, item = _find_map(checker, tree)
    change = _as_type(tree, _type_lambda(checker, tree, 1, [STRING, item]), STRING)
    return _make_call(tree, (entries, change), map_of(item))


def _make_array_sort(checker: Checking, tree: t.Call) -> t.Tree:
    items = _find_list(checker, tree)
    item = items.type.item or ANY
    if len(tree.arguments) > 1:
        compare = _as_type(tree, _type_lambda(checker, tree, 1, [item, item]), INTEGER)
        return _make_call(tree, (items, compare), items.type)
    if item.kind not in SCALARS and item != ANY:
        raise ExpressionError(
            IssueCode.TEXT_ARGUMENT_OF_PARTS,
            {"parameter": "list", "function": tree.name, "type": with_article(items.type)},
            items.span,
        )
    return _make_call(tree, (items,), items.type)


def _make_call(
    tree: t.Call, arguments: tuple[t.Tree, ...], type_: Type, run: Callable[..., object] | None = None
) -> t.Tree:
    function = FUNCTIONS[tree.name.lower()]
    if run is not None:
        function = replace(function, run=run)
    return t.Call(function.name, arguments, function, span=tree.span, type=type_)


def _find_list(checker: Checking, tree: t.Call) -> t.Tree:
    return _convert_to(checker, checker.type_tree(tree.arguments[0]), LIST, tree.name, "list")


def _find_map(checker: Checking, tree: t.Call) -> tuple[t.Tree, Type]:
    """A map, and the type of its values. A struct is taken for a map of values of unknown type."""
    of = checker.type_tree(tree.arguments[0])
    entries = of if of.type.kind is Kind.STRUCT else _convert_to(checker, of, MAP, tree.name, "map")
    return entries, entries.type.item or ANY


def _convert_to(checker: Checking, of: t.Tree, target: Type, function: str, parameter: str) -> t.Tree:
    tree = convert(of, target)
    if tree is None:
        raise _describe_argument(checker, function, parameter, with_article(Type(target.kind)), of)
    return tree


def _describe_argument(checker: Checking, function: str, parameter: str, wanted: str, of: t.Tree) -> ExpressionError:
    known = FUNCTIONS.get(function.lower())
    return ExpressionError(
        IssueCode.TEXT_ARGUMENT,
        {
            "parameter": parameter,
            "function": function,
            "wanted": wanted,
            "part": checker.part(of),
            "type": with_article(of.type),
            "cast": None,
            "signature": known.signature if known is not None else function,
        },
        of.span,
    )


def _type_with_index(checker: Checking, tree: t.Call, items: t.Tree) -> tuple[t.Lambda, Callable[..., object] | None]:
    """A lambda of the item or of the item and its index, and the function that passes the index."""
    item = items.type.item or ANY
    given = tree.arguments[1]
    if isinstance(given, t.Lambda) and len(given.names) == 2:
        return _type_lambda(checker, tree, 1, [item, INTEGER]), WITH_INDEX[tree.name.lower()]
    return _type_lambda(checker, tree, 1, [item]), None


def _type_lambda(checker: Checking, tree: t.Call, place: int, types: Sequence[Type]) -> t.Lambda:
    given, function = tree.arguments[place], FUNCTIONS[tree.name.lower()]
    if not isinstance(given, t.Lambda):
        raise ExpressionError(
            IssueCode.TEXT_LAMBDA_WANTED,
            {
                "parameter": function.parameter(place).name,
                "function": tree.name,
                "part": checker.part(given),
                "example": function.examples[0].rpartition(" = ")[0] or function.examples[0],
            },
            given.span,
        )
    if len(given.names) != len(types):
        raise ExpressionError(
            IssueCode.TEXT_LAMBDA_PARAMETERS,
            {
                "function": tree.name,
                "wanted": len(types),
                "given": len(given.names),
                "example": function.examples[0].rpartition(" = ")[0] or function.examples[0],
            },
            given.span,
        )
    twice = next((name for name in given.names if given.names.count(name) > 1), None)
    if twice is not None:
        raise ExpressionError(IssueCode.TEXT_LAMBDA_TWICE, {"name": twice}, given.span)
    return checker.type_lambda(given, types)


def _as_condition(tree: t.Call, given: t.Lambda) -> t.Lambda:
    return _as_type(tree, given, BOOLEAN)


def _as_type(tree: t.Call, given: t.Lambda, target: Type) -> t.Lambda:
    body = convert(given.body, target)
    if body is None:
        raise ExpressionError(
            IssueCode.TEXT_LAMBDA_GIVES,
            {"function": tree.name, "wanted": with_article(target), "given": with_article(given.type)},
            given.span,
        )
    return replace(given, body=body, type=target)


def _make_format_string(checker: Checking, tree: t.Call) -> t.Tree:
    """Each conversion of the format needs an argument that it can write."""
    call = checker.type_plain_call(tree, [checker.type_tree(argument) for argument in tree.arguments])
    assert isinstance(call, t.Call)
    template, *values = call.arguments
    assert isinstance(template, t.Literal)
    for specifier in read_format(str(template.value)):
        if isinstance(specifier, str):
            continue
        if specifier.place >= len(values):
            raise ExpressionError(
                IssueCode.TEXT_FORMAT_VALUES,
                {"conversion": f"%{specifier.conversion}", "place": specifier.place + 1, "given": len(values)},
                tree.span,
            )
        value = values[specifier.place]
        kinds = FORMATTED[CONVERSIONS[specifier.conversion]]
        if value.type.kind not in kinds and value.type != ANY:
            raise ExpressionError(
                IssueCode.TEXT_FORMAT_TYPE,
                {
                    "conversion": f"%{specifier.conversion}",
                    "wanted": WANTED[CONVERSIONS[specifier.conversion]],
                    "part": checker.part(value),
                    "type": with_article(value.type),
                },
                value.span,
            )
    return call


FORMATTED = {
    "any": (Kind.STRING, Kind.INTEGER, Kind.DOUBLE, Kind.DECIMAL, Kind.BOOLEAN),
    "integer": (Kind.INTEGER,),
    "number": (Kind.DOUBLE, Kind.DECIMAL),
}
WANTED = {"any": "a text, a number or a boolean", "integer": "an integer", "number": "a double or decimal"}


COLLECTION_FORMS: dict[str, Callable[[Checking, t.Call], t.Tree]] = {
    "concat": _make_concat,
    "flatten": _make_flatten,
    "format_string": _make_format_string,
    "printf": _make_format_string,
    "transform": _make_transform,
    "filter": _make_filter,
    "exists": _make_test,
    "forall": _make_test,
    "aggregate": _make_aggregate,
    "reduce": _make_aggregate,
    "zip_with": _make_zip,
    "map_filter": _make_map_filter,
    "transform_values": _make_transform_values,
    "transform_keys": _make_transform_keys,
    "array_sort": _make_array_sort,
}
