"""Errors of expressions: in the text, while the user draws, and for one record, during a run."""

from __future__ import annotations

from designer.issues import Fix, Issue
from designer.messages import Arguments, SharedIssueCode

Span = tuple[int, int]
"""Half-open range of characters in the text of an expression."""


class ExpressionError(Exception):
    """The text is not a valid expression here: the problem, the next step, the place, and perhaps a fix."""

    def __init__(
        self, code: SharedIssueCode, arguments: Arguments, span: Span | None = None, fix: Fix | None = None
    ) -> None:
        """`arguments` fill the sentences of the code, as for an Issue."""
        self.issue = Issue(code, arguments, span=span, fix=fix)
        super().__init__(self.issue.message)


class RecordError(Exception):
    """One record cannot be computed (overflow, division by zero, bad cast…). The node's policy decides what follows.

    `asker` is the node with the record, if it asked `node` for something such as a row of its table.
    """

    asker: str | None = None

    def __init__(self, node: str, field: str, message: str) -> None:
        super().__init__(node, field, message)
        self.node = node
        self.field = field
        self.message = message

    def __str__(self) -> str:
        return self.message


class Fault(ArithmeticError):
    """Raised inside a compiled expression with a message for the user. It leaves the expression as a RecordError."""
