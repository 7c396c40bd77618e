"""Which function writes an operator in Java."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from designer.topology.catalogue import Operator
from runner.export.java.writer import JavaWriter

Write = Callable[[Any, JavaWriter], None]
Function = TypeVar("Function", bound=Write)
_WRITERS: dict[type, Write] = {}


def writes(operator: type[Operator]) -> Callable[[Function], Function]:
    """Register a function that writes an operator, and the operators that inherit from it.

    Example: `@writes(Count)` above `def write_count(operator: Count, writer: JavaWriter) -> None`.
    """

    def register(function: Function) -> Function:
        _WRITERS[operator] = function
        return function

    return register


def find_writer(operator: Operator) -> Write | None:
    """Return the function that writes this operator in Java, or None if export says nothing of it."""
    return next((_WRITERS[each] for each in type(operator).__mro__ if each in _WRITERS), None)
