"""What can go wrong with an expression: in its text, while drawing; and in one record, while running."""

from __future__ import annotations

from designer.issues import Fix, Issue
from designer.messages import Arguments, IssueCode

Span = tuple[int, int]
"""Half-open range of characters in the text of an expression."""


class ExpressionError(Exception):
    """The text is no expression that fits here: what, what to do, where, and perhaps the click that fixes it."""

    def __init__(self, code: IssueCode, arguments: Arguments, span: Span | None = None, fix: Fix | None = None) -> None:
        """`arguments` is what the sentences of the code name, as for an Issue."""
        self.issue = Issue(code, arguments, span=span, fix=fix)
        super().__init__(self.issue.message)


class RecordError(Exception):
    """One record cannot be computed (overflow, division by zero, bad cast…); the node's policy decides what follows.

    `asker` is the node that had the record, where it asked `node` for something: a row of its table, say.
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
    """Raised inside a compiled expression with a message for the user; leaves it as a RecordError."""
