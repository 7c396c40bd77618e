"""What is converted without being asked for: literals at once, integers to double, ANY by a look at run time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from designer.expressions import tree as t
from designer.expressions.casts import to_string
from designer.expressions.types import SCALARS, common
from designer.schemas import ANY, DOUBLE, STRING, Kind, Type


def is_null(tree: t.Tree) -> bool:
    return isinstance(tree, t.Literal) and tree.value is None


def converted(tree: t.Tree, wanted: Type) -> t.Tree | None:
    """The tree as `wanted`, or None where it cannot be."""
    if tree.type == wanted or wanted == ANY:
        return tree
    if is_null(tree):
        return replace(tree, type=wanted)
    if tree.type.kind is Kind.INTEGER and wanted.kind is Kind.DOUBLE:
        return _widened(tree)
    if tree.type == ANY:
        return t.Convert(tree, wanted.kind.value, span=tree.span, type=wanted)
    if tree.type.kind is wanted.kind and common((tree.type, wanted)) is not None:
        return tree
    return None


def as_number(tree: t.Tree) -> t.Tree | None:
    if tree.type == ANY and not is_null(tree):
        return t.Convert(tree, "number", span=tree.span)
    return tree if is_null(tree) or tree.type.kind in (Kind.INTEGER, Kind.DOUBLE) else None


def as_binary(tree: t.Tree) -> t.Tree | None:
    """A string or bytes, as they are."""
    if tree.type == ANY and not is_null(tree):
        return t.Convert(tree, "binary", span=tree.span)
    return tree if is_null(tree) or tree.type.kind in (Kind.STRING, Kind.BYTES) else None


def as_text(tree: t.Tree) -> t.Tree | None:
    """A string made of any scalar, as Spark's concat does."""
    if tree.type.kind is Kind.STRING or is_null(tree):
        return converted(tree, STRING)
    if tree.type.kind not in SCALARS and tree.type != ANY:
        return None
    if isinstance(tree, t.Literal):
        return t.Literal(to_string(tree.value), span=tree.span, type=STRING)
    return t.Convert(tree, "text", span=tree.span, type=STRING)


def unified(trees: Sequence[t.Tree]) -> tuple[tuple[t.Tree, ...], Type] | None:
    """All of one type, nulls fitting any; None where there is none."""
    type_ = common(tree.type for tree in trees if not is_null(tree))
    if type_ is None:
        return None
    same = [converted(tree, type_) for tree in trees]
    return tuple(tree for tree in same if tree is not None), type_


def _widened(tree: t.Tree) -> t.Tree:
    if isinstance(tree, t.Literal) and tree.value is not None:
        return t.Literal(float(tree.value), span=tree.span, type=DOUBLE)
    return t.Convert(tree, "double", span=tree.span, type=DOUBLE)
