"""Functions with more than a call: lazy ones and those with special types are rewritten into other nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from designer.expressions import tree as t
from designer.expressions.checking import Checking
from designer.expressions.errors import ExpressionError
from designer.expressions.functions import FUNCTIONS
from designer.expressions.types import with_article
from designer.messages import IssueCode
from designer.values.schemas import ANY, STRING, Field, Kind, Type, map_of


def _make_coalesce(checker: Checking, tree: t.Call) -> t.Tree:
    items, type_ = checker.unify([checker.type_tree(item) for item in tree.arguments], tree.name)
    return t.Coalesce(items, span=tree.span, type=type_)


def _make_if(checker: Checking, tree: t.Call) -> t.Tree:
    condition, then, otherwise = tree.arguments
    return checker.type_tree(t.Case(None, ((condition, then),), otherwise, span=tree.span))


def _make_nvl2(checker: Checking, tree: t.Call) -> t.Tree:
    value, present, absent = tree.arguments
    condition = t.Not(t.Is(value, None, span=value.span), span=value.span)
    return checker.type_tree(t.Case(None, ((condition, present),), absent, span=tree.span))


def _make_isnull(checker: Checking, tree: t.Call) -> t.Tree:
    return checker.type_tree(t.Is(tree.arguments[0], None, span=tree.span))


def _make_isnotnull(checker: Checking, tree: t.Call) -> t.Tree:
    return checker.type_tree(t.Not(t.Is(tree.arguments[0], None, span=tree.span), span=tree.span))


def _make_equal_null(checker: Checking, tree: t.Call) -> t.Tree:
    return checker.type_tree(t.Comparison("<=>", *tree.arguments, span=tree.span))


def _make_remainder(checker: Checking, tree: t.Call) -> t.Tree:
    return checker.type_tree(t.Arithmetic("%", *tree.arguments, span=tree.span))


def _make_named_struct(checker: Checking, tree: t.Call) -> t.Tree:
    pairs = list(zip(tree.arguments[::2], tree.arguments[1::2], strict=False))
    if len(tree.arguments) % 2:
        raise ExpressionError(IssueCode.TEXT_STRUCT_VALUE, {}, tree.span)
    names = []
    for name, _ in pairs:
        if not isinstance(name, t.Literal) or not isinstance(name.value, str):
            raise ExpressionError(IssueCode.TEXT_STRUCT_NAME, {}, name.span)
        names.append(name.value)
    return _make_struct(tree, names, [checker.type_tree(value) for _, value in pairs])


def _make_plain_struct(checker: Checking, tree: t.Call) -> t.Tree:
    names = [
        argument.name if isinstance(argument, t.Name | t.Member) else f"col{index}"
        for index, argument in enumerate(tree.arguments, start=1)
    ]
    return _make_struct(tree, names, [checker.type_tree(argument) for argument in tree.arguments])


def _make_struct(tree: t.Call, names: Sequence[str], values: Sequence[t.Tree]) -> t.Tree:
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ExpressionError(IssueCode.TEXT_STRUCT_TWICE, {"field": twice}, tree.span)
    fields = tuple(Field(name, value.type) for name, value in zip(names, values, strict=True))
    return t.Struct(tuple(names), tuple(values), span=tree.span, type=Type(Kind.STRUCT, fields=fields))


def _make_map(checker: Checking, tree: t.Call) -> t.Tree:
    if len(tree.arguments) % 2:
        raise ExpressionError(IssueCode.TEXT_MAP_VALUE, {}, tree.span)
    keys = [checker.type_as(key, STRING, IssueCode.TEXT_NEW_KEY) for key in tree.arguments[::2]]
    values, item = checker.unify([checker.type_tree(value) for value in tree.arguments[1::2]], tree.name)
    arguments = tuple(part for pair in zip(keys, values, strict=True) for part in pair)
    return t.Call(tree.name, arguments, FUNCTIONS["map"], span=tree.span, type=map_of(item))


def _make_union_tag(checker: Checking, tree: t.Call) -> t.Tree:
    return t.Call("union_tag", (_check_union(checker, tree),), FUNCTIONS["union_tag"], span=tree.span, type=STRING)


def _make_union_extract(checker: Checking, tree: t.Call) -> t.Tree:
    union, tag = _check_union(checker, tree), checker.type_tree(tree.arguments[1])
    tags = [field.name for field in union.type.fields]
    option = union.type.field(tag.value) if isinstance(tag, t.Literal) and isinstance(tag.value, str) else None
    if option is None and not (union.type == ANY and isinstance(tag, t.Literal) and isinstance(tag.value, str)):
        types = ", ".join(f"'{each}'" for each in tags) or None
        raise ExpressionError(IssueCode.TEXT_UNION_TYPE, {"types": types, "part": checker.part(tag)}, tag.span)
    return t.Call(
        "union_extract",
        (union, tag),
        FUNCTIONS["union_extract"],
        span=tree.span,
        type=ANY if option is None else option,
    )


def _make_union_value(checker: Checking, tree: t.Call) -> t.Tree:
    tag, value = (checker.type_tree(argument) for argument in tree.arguments)
    if not isinstance(tag, t.Literal) or not isinstance(tag.value, str):
        raise ExpressionError(IssueCode.TEXT_UNION_VALUE, {}, tag.span)
    type_ = Type(Kind.UNION, fields=(Field(tag.value, value.type),))
    return t.Call("union_value", (tag, value), FUNCTIONS["union_value"], span=tree.span, type=type_)


def _check_union(checker: Checking, tree: t.Call) -> t.Tree:
    of = checker.type_tree(tree.arguments[0])
    if of.type.kind is not Kind.UNION and (of.type != ANY or isinstance(of, t.Literal)):
        raise ExpressionError(
            IssueCode.TEXT_UNION,
            {"function": tree.name, "part": checker.part(of), "type": with_article(of.type)},
            of.span,
        )
    return t.Convert(of, "union", span=of.span) if of.type == ANY else of


FORMS: dict[str, Callable[[Checking, t.Call], t.Tree]] = {
    "coalesce": _make_coalesce,
    "nvl": _make_coalesce,
    "ifnull": _make_coalesce,
    "nvl2": _make_nvl2,
    "if": _make_if,
    "isnull": _make_isnull,
    "isnotnull": _make_isnotnull,
    "equal_null": _make_equal_null,
    "map": _make_map,
    "mod": _make_remainder,
    "named_struct": _make_named_struct,
    "struct": _make_plain_struct,
    "union_extract": _make_union_extract,
    "union_tag": _make_union_tag,
    "union_value": _make_union_value,
}
