"""The part of the check of a whole text that its calls use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from designer.expressions import tree as t
from designer.messages import IssueCode
from designer.values.schemas import Type


class Checking(Protocol):
    """The check of one text (`designer.expressions.check.Checker`)."""

    aggregates_around: int
    """How many aggregates have the part in their lambdas."""

    @property
    def text(self) -> str: ...

    def type_tree(self, tree: t.Tree) -> t.Tree: ...

    def type_plain_call(self, tree: t.Call, arguments: Sequence[t.Tree]) -> t.Tree: ...

    def type_lambda(self, tree: t.Lambda, types: Sequence[Type]) -> t.Lambda: ...

    def type_as(self, tree: t.Tree, target: Type, otherwise: IssueCode) -> t.Tree: ...

    def unify(self, trees: Sequence[t.Tree], what: str) -> tuple[tuple[t.Tree, ...], Type]: ...

    def part(self, tree: t.Tree) -> str: ...
