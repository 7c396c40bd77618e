"""Typical slips that show only in the tree, each with its fix."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from designer.expressions import tree as t
from designer.expressions.errors import ExpressionError, Span
from designer.expressions.names import NULLS, replace
from designer.expressions.types import is_number, name_in_sql, with_article
from designer.issues import Fix
from designer.messages import FixCode, IssueCode
from designer.values.logical import get_unit
from designer.values.schemas import BOOLEAN, STRING, Kind


def find_gap(left: t.Tree, right: t.Tree) -> Span:
    """The gap between two operands, with their operator."""
    return left.span[1], right.span[0]


def describe_plus_of_texts(text: str, left: t.Tree, right: t.Tree) -> ExpressionError:
    start, end = find_gap(left, right)
    at = text.find("+", start, end)
    fix = Fix(FixCode.USE, replace(text, (at, at + 1), "||"), "`||`") if at >= 0 else None
    return ExpressionError(IssueCode.TEXT_PLUS, {}, (at, at + 1), fix)


def describe_bars(text: str, items: Sequence[t.Tree]) -> ExpressionError:
    new_text, first = text, (0, 0)
    for left, right in reversed(list(pairwise(items))):
        at = text.find("||", *find_gap(left, right))
        if at >= 0:
            first = (at, at + 2)
            word = "OR" if text[at - 1 : at].isspace() else " OR"
            new_text = replace(new_text, first, word if text[at + 2 : at + 3].isspace() else word + " ")
    fix = Fix(FixCode.USE, new_text, "`OR`")
    return ExpressionError(IssueCode.TEXT_BARS, {}, first, fix)


def refuse_null_by_equality(text: str, tree: t.Comparison) -> None:
    """`x = NULL` is never true. Raises ExpressionError."""
    for side, other in ((tree.right, tree.left), (tree.left, tree.right)):
        if _is_null(side):
            test = "IS NULL" if tree.op == "=" else "IS NOT NULL"
            new_text = replace(text, tree.span, f"{text[slice(*_find_whole_span(text, other, tree))].strip()} {test}")
            raise ExpressionError(
                IssueCode.TEXT_NULL_COMPARED,
                {"operator": tree.op, "test": test},
                tree.span,
                Fix(FixCode.USE, new_text, test),
            )


def _is_null(tree: t.Tree) -> bool:
    return tree.value is None if isinstance(tree, t.Literal) else isinstance(tree, t.Name) and tree.name in NULLS


def _find_whole_span(text: str, side: t.Tree, tree: t.Comparison) -> Span:
    """The span of an operand with its parentheses, which the tree does not keep."""
    if side is tree.left:
        start, end = tree.span[0], side.span[1]
        closing = text[end : tree.right.span[0]]
        return start, end + len(closing) - len(closing.lstrip(" )"))
    opening = text[tree.left.span[1] : side.span[0]]
    return side.span[0] - (len(opening) - len(opening.rstrip(" ("))), tree.span[1]


def refuse_chain(text: str, tree: t.Comparison) -> None:
    """`1 < x < 3`, which in SQL compares a condition with 3. Raises ExpressionError."""
    left = tree.left
    gap = text[slice(*find_gap(left, tree.right))]
    if not isinstance(left, t.Comparison) or ")" in gap or "," in gap:
        return
    middle = text[left.right.span[0] : left.right.span[1]]
    new_text = replace(text, (left.span[1], left.span[1]), f" AND {middle}")
    raise ExpressionError(IssueCode.TEXT_CHAIN, {"middle": middle}, tree.span, Fix(FixCode.USE, new_text, "AND"))


def describe_not_comparable(text: str, left: t.Tree, right: t.Tree) -> ExpressionError:
    """A text and a number, for example. If one is a literal, the fix writes it in the other's type."""
    fix = None
    for one, other in ((right, left), (left, right)):
        fix = fix or _write_as_other(text, one, other)
    first, second = (text[slice(*side.span)][:60] for side in (left, right))
    return ExpressionError(
        IssueCode.TEXT_UNLIKE,
        {
            "part": first,
            "type": with_article(left.type),
            "other": second,
            "other_type": with_article(right.type),
            "instead": fix.label.removeprefix("Use ") if fix else None,
        },
        (left.span[0], right.span[1]) if left.span[0] < right.span[1] else right.span,
        fix,
    )


def describe_other_unit(text: str, left: t.Tree, right: t.Tree) -> ExpressionError:
    """Two times in different units: one number says nothing about the other."""
    first, second = (text[slice(*side.span)][:60] for side in (left, right))
    one, other = get_unit(left.type), get_unit(right.type)
    assert one is not None
    assert other is not None
    return ExpressionError(
        IssueCode.TEXT_UNITS,
        {"part": first, "unit": one.word, "other": second, "other_unit": other.word},
        (left.span[0], right.span[1]) if left.span[0] < right.span[1] else right.span,
    )


def _write_as_other(text: str, one: t.Tree, other: t.Tree) -> Fix | None:
    part = text[slice(*one.span)]
    new = None
    if isinstance(one, t.Literal) and isinstance(one.value, str):
        word = one.value.strip()
        if is_number(other.type) and word.replace(".", "", 1).removeprefix("-").isdecimal() and word.isascii():
            new = word
        elif other.type == BOOLEAN and word.lower() in ("true", "false"):
            new = word.upper()
    elif isinstance(one, t.Literal) and is_number(one.type):
        if other.type == STRING:
            new = f"'{part}'"
        elif other.type == BOOLEAN and one.value in (0, 1):
            new = "TRUE" if one.value else "FALSE"
    elif one.type == STRING and is_number(other.type) and not isinstance(other, t.Literal):
        new = f"CAST({part} AS {name_in_sql(other.type) if other.type.kind is Kind.DECIMAL else 'DOUBLE'})"
    return Fix(FixCode.USE, replace(text, one.span, new), new) if new else None
