"""Implicit conversions: literals at once, numbers to wider ones, ANY by a check at run time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from designer.expressions import decimals
from designer.expressions import tree as t
from designer.expressions.casts import to_string
from designer.expressions.types import SCALARS, find_common_type, is_number
from designer.values.decimals import takes
from designer.values.schemas import ANY, DOUBLE, STRING, Kind, Type


def is_null(tree: t.Tree) -> bool:
    return isinstance(tree, t.Literal) and tree.value is None


def convert(tree: t.Tree, target: Type) -> t.Tree | None:
    """The tree as `target`, or None if impossible."""
    if tree.type == target or target == ANY:
        return tree
    if is_null(tree):
        return replace(tree, type=target)
    if is_number(tree.type) and target.kind is Kind.DOUBLE:
        return _convert_to_double(tree)
    if target.kind is Kind.DECIMAL and (tree.type == ANY or tree.type.kind in (Kind.INTEGER, Kind.DECIMAL)):
        return _as_decimal(tree, target)
    if tree.type == ANY:
        return t.Convert(tree, target.kind.value, span=tree.span, type=target)
    if tree.type.kind is target.kind and find_common_type((tree.type, target)) is not None:
        return tree
    return None


def as_number(tree: t.Tree) -> t.Tree | None:
    if tree.type == ANY and not is_null(tree):
        return t.Convert(tree, "number", span=tree.span)
    return tree if is_null(tree) or is_number(tree.type) else None


def align_numbers(trees: Sequence[t.Tree]) -> tuple[t.Tree, ...]:
    """Numbers in one computation or comparison: beside a decimal, `1.5` is one, and beside doubles decimals are
    doubles.
    """
    if not any(tree.type.kind is Kind.DECIMAL for tree in trees):
        return tuple(trees)
    exact = [_as_exact(tree) for tree in trees]
    if not any(tree.type.kind is Kind.DOUBLE for tree in exact):
        return tuple(exact)
    return tuple(_convert_to_double(tree) if tree.type.kind is Kind.DECIMAL else tree for tree in trees)


def as_double(tree: t.Tree) -> t.Tree:
    """An operand of arithmetic in doubles. Integers stay, because Python itself widens them."""
    if isinstance(tree, t.Convert) and tree.to == "number":
        return replace(tree, to="real")
    return _convert_to_double(tree) if tree.type.kind is Kind.DECIMAL else tree


def as_binary(tree: t.Tree) -> t.Tree | None:
    """A string or bytes, unchanged."""
    if tree.type == ANY and not is_null(tree):
        return t.Convert(tree, "binary", span=tree.span)
    return tree if is_null(tree) or tree.type.kind in (Kind.STRING, Kind.BYTES) else None


def as_text(tree: t.Tree) -> t.Tree | None:
    """A string made of any scalar, like Spark's concat."""
    if tree.type.kind is Kind.STRING or is_null(tree):
        return convert(tree, STRING)
    if tree.type.kind not in SCALARS and tree.type != ANY:
        return None
    if isinstance(tree, t.Literal):
        return t.Literal(to_string(tree.value), span=tree.span, type=STRING)
    return t.Convert(tree, "text", span=tree.span, type=STRING)


def unify(trees: Sequence[t.Tree]) -> tuple[tuple[t.Tree, ...], Type] | None:
    """Gives all one type. Nulls fit any. None if there is none."""
    trees = align_numbers(trees)
    type_ = find_common_type(_find_type_beside(trees, tree) for tree in trees if not is_null(tree))
    if type_ is None:
        return None
    same = [convert(tree, type_) for tree in trees]
    return tuple(tree for tree in same if tree is not None), type_


def _find_type_beside(trees: Sequence[t.Tree], tree: t.Tree) -> Type:
    """Beside decimals an integer literal of 32 bits is an INT, as in Spark."""
    is_short = isinstance(tree, t.Literal) and type(tree.value) is int and abs(tree.value) < 2**31
    return decimals.INT if is_short and any(each.type.kind is Kind.DECIMAL for each in trees) else tree.type


def _as_exact(tree: t.Tree) -> t.Tree:
    if not isinstance(tree, t.Literal) or tree.digits is None:
        return tree
    return t.Literal(tree.digits, span=tree.span, type=decimals.find_type(tree.digits))


def _as_decimal(tree: t.Tree, target: Type) -> t.Tree:
    if tree.type.kind is Kind.DECIMAL and tree.type.scale == target.scale and takes(target, tree.type):
        return tree
    if isinstance(tree, t.Literal) and isinstance(tree.value, int | Decimal) and takes(target, find_operand_type(tree)):
        return t.Literal(decimals.make_fitter(target)(tree.value), span=tree.span, type=target)
    return t.Convert(tree, "decimal", span=tree.span, type=target)


def find_operand_type(tree: t.Tree) -> Type:
    """The decimal type of an integer or a decimal in arithmetic."""
    literal = tree.value if isinstance(tree, t.Literal) and isinstance(tree.value, int) else None
    return decimals.as_operand(tree.type, literal)


def _convert_to_double(tree: t.Tree) -> t.Tree:
    if isinstance(tree, t.Literal) and tree.value is not None:
        return t.Literal(float(tree.value), span=tree.span, type=DOUBLE)
    return tree if tree.type == DOUBLE else t.Convert(tree, "double", span=tree.span, type=DOUBLE)
