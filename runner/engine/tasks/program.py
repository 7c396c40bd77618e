"""A layout made ready to run. All tasks of a process share it, so a task is quick to make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from designer.expressions import CheckedExpression, check, compile_expression, compile_struct
from designer.topology.forms import WrittenExpression, find_expressions
from runner.engine.counts.record_log import RecordLog
from runner.engine.planning.layout import Layout
from runner.engine.planning.parts import find_owner
from runner.engine.records.context import RecordContext


class CompiledExpressions:
    """The compiled expressions of a layout. Its tasks run one at a time and share one context."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.context = RecordContext()
        self.functions: dict[tuple[str, str, tuple[str, ...]], Callable[..., Any] | None] = {}
        self.structs: dict[str, Callable[..., Any]] = {}
        self.record_logs: dict[tuple[str, int], RecordLog] = {}

    def expression(self, node: str, field: str, parameters: tuple[str, ...]) -> Callable[..., Any] | None:
        """The function of the expression in a field of a node or part. None if the field is empty."""
        key = (node, field, parameters)
        if key not in self.functions:
            self.functions[key] = self._compile(node, field, parameters)
        return self.functions[key]

    def struct(
        self,
        node: str,
        fields: Mapping[str, str],
        parameters: tuple[str, ...],
        side: str | None,
        one_by_one: Callable[..., Any],
    ) -> Callable[..., Any]:
        """The function that makes a node's only struct, all fields at once.

        `fields` names the field of the form with the expression of each name. None of them is empty. If
        it fails, `one_by_one` makes the struct.
        """
        if node not in self.structs:
            expressions = {name: self._check(node, field) for name, field in fields.items()}
            self.structs[node] = compile_struct(
                expressions, parameters, side=side, one_by_one=one_by_one, headers=self.context.headers
            )
        return self.structs[node]

    def record_log(self, node: str, task: int) -> RecordLog:
        """Log in which a node of a task writes lines about records."""
        return self.record_logs.setdefault((node, task), RecordLog(node))

    def find_checked(self, node: str, field: str) -> CheckedExpression | None:
        """The checked expression in a field of a node or part. None if the field is empty."""
        return None if self._find_written(node, field) is None else self._check(node, field)

    def _compile(self, node: str, field: str, parameters: tuple[str, ...]) -> Callable[..., Any] | None:
        if self._find_written(node, field) is None:
            return None
        expression = self._check(node, field)
        return compile_expression(
            expression, parameters, node=find_owner(node), field=field, headers=self.context.headers
        )

    def _check(self, node: str, field: str) -> CheckedExpression:
        expression, at = self._find_written(node, field), self.layout.nodes[self._find_home(node, field)]
        assert expression is not None
        return check(expression.text, at.operator.scope(field, at.inputs), expression.returns)

    def _find_written(self, node: str, field: str) -> WrittenExpression | None:
        """The expression in a field of a node. None if the field is empty."""
        return self._find_own(self._find_home(node, field)).get(field)

    def _find_home(self, node: str, field: str) -> str:
        """The part with the field in its form, or else the node itself."""
        return node if field in self._find_own(node) else find_owner(node)

    def _find_own(self, node: str) -> dict[str, WrittenExpression]:
        return {each.path: each for each in find_expressions(self.layout.nodes[node].operator)}


@lru_cache(maxsize=32)
def compile_program(layout: Layout) -> CompiledExpressions:
    """The program of a layout, made once: keep the layout, not only its graph."""
    return CompiledExpressions(layout)
