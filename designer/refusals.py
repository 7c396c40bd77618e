"""Refused requests: exceptions with a code and an HTTP status, turned into JSON in one place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Required, TypedDict, Unpack

from designer.issues import Issue, IssueOut
from designer.refusal_codes import DesignerCode, RefusalCode


class Details(TypedDict, total=False):
    """Further members of some refusals. `designer.projects.schemas.RefusalOut` has the same members for the page."""

    node: str | None
    nodes: list[str]
    issues: list[IssueOut]
    field: str
    setting: str
    line: int
    places: list[dict[str, str]]
    topic: str
    partition: int
    offset: int
    acls: list[str]
    redrive: int
    revision: int
    base: Any
    yours: Any
    theirs: Any


class RefusalJson(Details):
    """A refusal as JSON."""

    code: Required[RefusalCode]
    message: Required[str]
    hint: Required[str]


class Refusal(Exception):
    """A refused request: the message names the thing and the expectation, the hint the next step."""

    code: RefusalCode = DesignerCode.REFUSED
    status = 400

    def __init__(self, message: str, hint: str = "", **details: Unpack[Details]) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = details

    def to_json(self) -> RefusalJson:
        return {"code": self.code, "message": self.message, "hint": self.hint, **self.details}


class MalformedGraph(Refusal):
    """The JSON is not a graph. The message names the path and the expectation."""

    code: RefusalCode = DesignerCode.GRAPH_MALFORMED
    status = 422


class NotFound(Refusal):
    code: RefusalCode = DesignerCode.NOT_FOUND
    status = 404


class Conflict(Refusal):
    """Another user changed the thing first. `details` have both sides."""

    code: RefusalCode = DesignerCode.CONFLICT
    status = 409


class HasIssues(Refusal):
    """The graph has issues on its nodes, so it cannot be deployed."""

    code: RefusalCode = DesignerCode.TOPOLOGY_HAS_ISSUES
    status = 422

    def __init__(self, message: str, issues: Sequence[Issue]) -> None:
        super().__init__(message, "Open the tab Problems and fix each issue.", issues=[i.to_json() for i in issues])
        self.issues = tuple(issues)
