"""Checks expressions: looks up every name, gives every node its type, and reports errors with their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from designer.expressions import decimals, slips
from designer.expressions import tree as t
from designer.expressions.calls import check_call, check_pattern, check_plain_call
from designer.expressions.collection_forms import are_lists, join_lists
from designer.expressions.conversions import (
    align_numbers,
    as_double,
    as_number,
    as_text,
    convert,
    find_operand_type,
    is_null,
    unify,
)
from designer.expressions.errors import ExpressionError
from designer.expressions.names import Names
from designer.expressions.parse import parse
from designer.expressions.types import SCALARS, find_common_type, find_tag, is_number, name_in_sql, with_article
from designer.issues import Issue
from designer.messages import IssueCode
from designer.topology.catalogue import Scope
from designer.values.logical import has_same_unit
from designer.values.schemas import ANY, BOOLEAN, DOUBLE, INTEGER, STRING, Kind, Type

BRACKETS = {
    Kind.LIST: (INTEGER, IssueCode.TEXT_POSITION),
    Kind.MAP: (STRING, IssueCode.TEXT_KEY),
    Kind.STRUCT: (STRING, IssueCode.TEXT_FIELD_NAME),
}


@dataclass(frozen=True, slots=True)
class CheckedExpression:
    """A checked expression: its tree with resolved names and types, and its result type."""

    tree: t.Tree
    type: Type
    is_windowed: bool = False
    shadowed_names: tuple[str, ...] = ()
    """Names for a part of the record although the spread value has such a field."""


def check(text: str, scope: Scope, returns: Type | None = None) -> CheckedExpression:
    """Parse `text` and check it against the names of `scope`. Raises only ExpressionError."""
    answer = _check(text, tuple(scope.names.items()), scope.spread, scope.is_windowed, returns)
    if isinstance(answer, CheckedExpression):
        return answer
    raise ExpressionError(answer.code, answer.args, answer.span, answer.fix)


@lru_cache(maxsize=2_048)
def _check(
    text: str, names: tuple[tuple[str, Type], ...], record_name: str | None, is_windowed: bool, returns: Type | None
) -> CheckedExpression | Issue:
    """Returns an issue without its exception, which would keep its callers alive."""
    checker = Checker(text, Scope(dict(names), record_name, is_windowed))
    try:
        tree = checker.type_tree(parse(text))
        if returns is not None:
            tree = checker.type_returned(tree, returns)
    except ExpressionError as error:
        return error.issue
    return CheckedExpression(tree, tree.type, is_windowed, tuple(checker.names.shadowed_names))


class Checker:
    """Checks the tree of one text."""

    def __init__(self, text: str, scope: Scope) -> None:
        self.text = text
        self.names = Names(text, scope)
        self.variable_count = 0
        self.aggregates_around = 0

    def type_tree(self, tree: t.Tree) -> t.Tree:
        """The same tree, resolved and typed."""
        match tree:
            case t.Literal():
                return replace(tree, type=_find_literal_type(tree))
            case t.Name():
                return self.names.resolve(tree)
            case t.Member():
                return self.names.member(self.type_tree(tree.of), tree.name, tree.span)
            case t.Index():
                return self.index(tree)
            case t.Negative():
                return self.negative(tree)
            case t.Arithmetic():
                return self.arithmetic(tree)
            case t.Concat():
                return self.concat(tree)
            case t.Comparison():
                return self.comparison(tree)
            case t.Logic():
                operands = tuple(self.condition(operand, tree.op) for operand in tree.operands)
                return replace(tree, operands=operands, type=BOOLEAN)
            case t.Not():
                return replace(tree, of=self.condition(tree.of, "NOT"), type=BOOLEAN)
            case t.Is():
                of = self.type_tree(tree.of) if tree.value is None else self.condition(tree.of, "IS TRUE")
                return replace(tree, of=of, type=BOOLEAN)
            case t.In():
                return self.in_(tree)
            case t.Between():
                return self.between(tree)
            case t.Like():
                return self.like(tree)
            case t.Case():
                return self.case(tree)
            case t.Cast():
                return self.cast(tree)
            case t.Call():
                return check_call(self, tree)
            case t.Lambda():
                raise ExpressionError(IssueCode.TEXT_LAMBDA_MISPLACED, {"part": self.part(tree)}, tree.span)
        raise TypeError(f"{type(tree).__name__} is made by the check itself.")

    def type_plain_call(self, tree: t.Call, arguments: Sequence[t.Tree]) -> t.Tree:
        """A call by the signature of its function alone. The arguments have their types."""
        return check_plain_call(self, tree, arguments)

    def type_lambda(self, tree: t.Lambda, types: Sequence[Type]) -> t.Lambda:
        """A lambda whose parameters have these types, with its body checked. Its type is that of the body."""
        outer = self.names.variables
        variables = []
        for name, type_ in zip(tree.names, types, strict=True):
            self.variable_count += 1
            variables.append(t.Variable(name, self.variable_count, span=tree.span, type=type_))
        self.names.variables = {**outer, **{variable.name: variable for variable in variables}}
        try:
            body = self.type_tree(tree.body)
        finally:
            self.names.variables = outer
        return replace(tree, body=body, variables=tuple(variables), type=body.type)

    def part(self, tree: t.Tree) -> str:
        """The user's text there, shortened."""
        text = self.text[tree.span[0] : tree.span[1]]
        return text if len(text) <= 60 else text[:59] + "…"

    def type_returned(self, tree: t.Tree, target: Type) -> t.Tree:
        new_tree = convert(tree, target)
        if new_tree is not None:
            return new_tree
        part = self.part(tree) if target == BOOLEAN else None
        raise ExpressionError(
            IssueCode.TEXT_GIVES,
            {"given": with_article(tree.type), "wanted": with_article(target), "compared": part},
            tree.span,
        )

    def condition(self, tree: t.Tree, word: str) -> t.Tree:
        """An operand of AND, OR, NOT, WHEN: true, false or null."""
        typed_tree = self.type_tree(tree)
        new_tree = convert(typed_tree, BOOLEAN)
        if new_tree is None:
            raise ExpressionError(
                IssueCode.TEXT_CONDITION,
                {"word": word, "part": self.part(typed_tree), "type": with_article(typed_tree.type)},
                typed_tree.span,
            )
        return new_tree

    def index(self, tree: t.Index) -> t.Tree:
        """An item of a list, an entry of a map. A struct may hold more than its fields, and values of any type."""
        of = self.type_tree(tree.of)
        if of.type == ANY:
            place = self.type_tree(tree.position)
            is_name = place.type.kind in (Kind.STRING, Kind.ANY)
            return t.Index(of, place if is_name else self.convert_to(place, *BRACKETS[Kind.LIST]), span=tree.span)
        if of.type.kind not in BRACKETS:
            raise ExpressionError(
                IssueCode.TEXT_ITEMS, {"part": self.part(of), "type": with_article(of.type)}, tree.span
            )
        position = self.type_as(tree.position, *BRACKETS[of.type.kind])
        return t.Index(of, position, span=tree.span, type=of.type.item or ANY)

    def type_as(self, tree: t.Tree, target: Type, otherwise: IssueCode, operator: str | None = None) -> t.Tree:
        return self.convert_to(self.type_tree(tree), target, otherwise, operator)

    def convert_to(self, tree: t.Tree, target: Type, otherwise: IssueCode, operator: str | None = None) -> t.Tree:
        new_tree = convert(tree, target)
        if new_tree is None:
            raise ExpressionError(
                otherwise,
                {
                    "operator": operator,
                    "wanted": with_article(target),
                    "part": self.part(tree),
                    "type": with_article(tree.type),
                    "cast": name_in_sql(target),
                },
                tree.span,
            )
        return new_tree

    def negative(self, tree: t.Negative) -> t.Tree:
        typed_tree = self.type_tree(tree.of)
        of = as_number(typed_tree)
        if of is None:
            raise self.describe_no_number(typed_tree, "-")
        return t.Negative(of, span=tree.span, type=of.type)

    def arithmetic(self, tree: t.Arithmetic) -> t.Tree:
        left, right = self.type_tree(tree.left), self.type_tree(tree.right)
        if tree.op == "+" and Kind.STRING in (left.type.kind, right.type.kind):
            raise slips.describe_plus_of_texts(self.text, left, right)
        if tree.op == "div":
            sides = [self.convert_to_whole(side) for side in (left, right)]
            return t.Arithmetic("div", sides[0], sides[1], span=tree.span, type=INTEGER)
        numbers = [as_number(side) for side in (left, right)]
        for side, number in zip((left, right), numbers, strict=True):
            if number is None:
                raise self.describe_no_number(side, tree.op)
        one, other = align_numbers([number for number in numbers if number is not None])
        kinds = {one.type.kind, other.type.kind}
        if Kind.DECIMAL in kinds and kinds <= {Kind.DECIMAL, Kind.INTEGER}:
            type_ = decimals.find_result_type(tree.op, find_operand_type(one), find_operand_type(other))
            return t.Arithmetic(tree.op, one, other, span=tree.span, type=type_)
        if tree.op == "/" or Kind.DOUBLE in kinds:
            return t.Arithmetic(tree.op, as_double(one), as_double(other), span=tree.span, type=DOUBLE)
        type_ = ANY if Kind.ANY in kinds else INTEGER
        return t.Arithmetic(tree.op, one, other, span=tree.span, type=type_)

    def convert_to_whole(self, tree: t.Tree) -> t.Tree:
        whole = tree if tree.type.kind is Kind.DECIMAL else convert(tree, INTEGER)
        if whole is None:
            raise ExpressionError(
                IssueCode.TEXT_DIV, {"part": self.part(tree), "type": with_article(tree.type)}, tree.span
            )
        return whole

    def describe_no_number(self, tree: t.Tree, op: str) -> ExpressionError:
        part = self.part(tree)
        castable = part if tree.type.kind is Kind.STRING else None
        return ExpressionError(
            IssueCode.TEXT_NUMBER,
            {"operator": op, "part": part, "type": with_article(tree.type), "castable": castable},
            tree.span,
        )

    def concat(self, tree: t.Concat) -> t.Tree:
        items = tuple(self.type_tree(item) for item in tree.items)
        if are_lists(items):
            return join_lists(self, items, "||", tree.span)
        if any(item.type == BOOLEAN and not isinstance(item, t.Literal) for item in items):
            raise slips.describe_bars(self.text, items)
        texts = []
        for item in items:
            text = as_text(item)
            if text is None:
                raise ExpressionError(
                    IssueCode.TEXT_JOINED,
                    {"part": self.part(item), "type": with_article(item.type), "tag": find_tag(item.type)},
                    item.span,
                )
            texts.append(text)
        return t.Concat(tuple(texts), span=tree.span, type=STRING)

    def comparison(self, tree: t.Comparison) -> t.Tree:
        if tree.op in ("=", "<>"):
            slips.refuse_null_by_equality(self.text, tree)
        slips.refuse_chain(self.text, tree)
        left, right = self.type_tree(tree.left), self.type_tree(tree.right)
        self.comparable(left, right)
        left, right = align_numbers((left, right))
        return replace(tree, left=left, right=right, type=BOOLEAN)

    def comparable(self, left: t.Tree, right: t.Tree) -> None:
        """Both must be scalars of one kind, or numbers, or unknown until run time. Raises ExpressionError."""
        for side in (left, right):
            if side.type.kind not in SCALARS and side.type != ANY:
                raise ExpressionError(
                    IssueCode.TEXT_NOT_COMPARED,
                    {"part": self.part(side), "type": with_article(side.type), "tag": find_tag(side.type)},
                    side.span,
                )
        if not has_same_unit(left.type, right.type):
            raise slips.describe_other_unit(self.text, left, right)
        kinds = {left.type.kind, right.type.kind}
        if len(kinds) > 1 and Kind.ANY not in kinds and not (is_number(left.type) and is_number(right.type)):
            raise slips.describe_not_comparable(self.text, left, right)

    def in_(self, tree: t.In) -> t.Tree:
        of = self.type_tree(tree.of)
        items = [self.type_tree(item) for item in tree.items]
        for item in items:
            self.comparable(of, item)
        of, *items = align_numbers((of, *items))
        return replace(tree, of=of, items=tuple(items), type=BOOLEAN)

    def between(self, tree: t.Between) -> t.Tree:
        of, low, high = self.type_tree(tree.of), self.type_tree(tree.low), self.type_tree(tree.high)
        self.comparable(of, low)
        self.comparable(of, high)
        of, low, high = align_numbers((of, low, high))
        return replace(tree, of=of, low=low, high=high, type=BOOLEAN)

    def like(self, tree: t.Like) -> t.Tree:
        of = self.type_as(tree.of, STRING, IssueCode.TEXT_LIKE, tree.op)
        pattern = self.type_tree(tree.pattern)
        check_pattern(self, pattern, tree.op)
        return replace(tree, of=of, pattern=pattern, type=BOOLEAN)

    def case(self, tree: t.Case) -> t.Tree:
        operand = self.type_tree(tree.operand) if tree.operand else None
        conditions = []
        for condition, _ in tree.whens:
            conditions.append(self.condition(condition, "WHEN") if operand is None else self.type_tree(condition))
            if operand is not None:
                self.comparable(operand, conditions[-1])
        if operand is not None:
            operand, *conditions = align_numbers((operand, *conditions))
        otherwise = tree.otherwise or t.Literal(None, span=tree.span)
        results, type_ = self.unify([self.type_tree(r) for r in (*(r for _, r in tree.whens), otherwise)], "CASE")
        whens = tuple(zip(conditions, results[:-1], strict=True))
        return t.Case(operand, whens, results[-1], span=tree.span, type=type_)

    def unify(self, trees: Sequence[t.Tree], what: str) -> tuple[tuple[t.Tree, ...], Type]:
        unification = unify(trees)
        if unification is not None:
            return unification
        first = next(tree for tree in trees if not is_null(tree))
        other = next(tree for tree in trees if not is_null(tree) and find_common_type((first.type, tree.type)) is None)
        raise ExpressionError(
            IssueCode.TEXT_ONE_TYPE,
            {
                "what": what,
                "part": self.part(first),
                "type": with_article(first.type),
                "other": self.part(other),
                "other_type": with_article(other.type),
                "cast": name_in_sql(first.type),
            },
            other.span,
        )

    def cast(self, tree: t.Cast) -> t.Tree:
        of = self.type_tree(tree.of)
        type_name, target = f"A{with_article(of.type)[1:]}", tree.to.kind.value
        if of.type.kind not in SCALARS and of.type != ANY:
            raise ExpressionError(
                IssueCode.TEXT_CAST,
                {"type": type_name, "target": target, "part": self.part(of), "tag": find_tag(of.type)},
                of.span,
            )
        kinds = {of.type.kind, tree.to.kind}
        if Kind.BYTES in kinds and not kinds <= {Kind.BYTES, Kind.STRING, Kind.ANY}:
            raise ExpressionError(IssueCode.TEXT_CAST_OF_BYTES, {"type": type_name, "target": target}, of.span)
        return replace(tree, of=of, type=tree.to)


def _find_literal_type(literal: t.Literal) -> Type:
    if isinstance(literal.value, Decimal):
        return decimals.find_type(literal.value)
    types = {bool: BOOLEAN, int: INTEGER, float: DOUBLE, str: STRING}
    return types.get(type(literal.value), ANY)
