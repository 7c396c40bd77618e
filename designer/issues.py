"""Problems of a graph, as data: each has a place and the next step."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field as Doc
from typing_extensions import TypedDict

from designer.messages import Arguments, FixCode, Level, SharedIssueCode, fill


class FixOut(TypedDict):
    code: FixCode
    part: Annotated[str, Doc(description="What it adds, removes or uses; the label names it.")]
    label: str
    replacement: str


class IssueOut(TypedDict):
    code: SharedIssueCode
    level: Annotated[Level, Doc(description="Only an error prevents a deploy.")]
    message: str
    hint: str
    args: Annotated[dict[str, str | int], Doc(description="What message and hint name.")]
    node: str | None
    field: str | None
    span: tuple[int, int] | None
    fix: FixOut | None


@dataclass(frozen=True, slots=True)
class Fix:
    """One click that fixes an issue: put `replacement` where the field's text was.

    `part` is what it adds, removes or uses, as its button shows it.

    >>> Fix(FixCode.USE, "a || b", "`||`").label
    'Use `||`'
    """

    code: FixCode
    replacement: str
    part: str = ""

    @property
    def label(self) -> str:
        return self.code.label.format(part=self.part)

    def to_json(self) -> FixOut:
        return {"code": self.code, "part": self.part, "label": self.label, "replacement": self.replacement}


@dataclass(frozen=True, slots=True)
class Issue:
    """One problem of a topology, worded by the catalogue of messages. Only errors prevent a deploy.

    `span` is the half-open range of characters inside the text of `field`.
    """

    code: SharedIssueCode
    args: Arguments = field(default_factory=dict)
    node: str | None = None
    field: str | None = None
    span: tuple[int, int] | None = None
    fix: Fix | None = None

    @property
    def level(self) -> Level:
        """How much it matters, by its code."""
        return self.code.level

    @property
    def message(self) -> str:
        return fill(self.code.message, self.args)

    @property
    def hint(self) -> str:
        return fill(self.code.hint, self.args)

    def to_json(self) -> IssueOut:
        return {
            "code": self.code,
            "level": self.level,
            "message": self.message,
            "hint": self.hint,
            "args": {name: value for name, value in self.args.items() if value is not None},
            "node": self.node,
            "field": self.field,
            "span": self.span,
            "fix": self.fix.to_json() if self.fix else None,
        }


class SchemaNotRead(ValueError):
    """A text is not a schema of its format, or one of an unsupported kind."""

    def __init__(self, code: SharedIssueCode, arguments: Arguments) -> None:
        """`arguments` fill the sentences of the code, as for an Issue."""
        self.issue = Issue(code, arguments)
        super().__init__(self.issue.message)
