"""Start of reading a stream for the first time."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from designer.expressions.functions.times import try_to_timestamp_ms
from designer.issues import Issue
from designer.messages import IssueCode
from designer.topology.forms import make_error

ENDS = ("earliest", "latest")
MIN_MS = 10**11
"""A smaller number means seconds or a year: as ms it would be a time before April 1973."""


def find_start_ms(start: str) -> int | None:
    """The time (ms) of a start. None for `earliest`, `latest` and anything that is not a time."""
    if start in ENDS:
        return None
    return int(start) if _is_number(start) else try_to_timestamp_ms(start)


def _is_number(start: str) -> bool:
    return start.isascii() and start.isdigit() and len(start) < 16


def _check_start(start: str) -> str:
    if start not in ENDS and find_start_ms(start) is None:
        raise make_error(Issue(IssueCode.START_UNKNOWN, {"start": start[:40]}))
    if _is_number(start) and int(start) < MIN_MS:
        raise make_error(Issue(IssueCode.START_SECONDS, {"start": start}))
    return start


def _as_text(start: Any) -> Any:
    return str(start) if type(start) is int else start


Start = Annotated[
    str,
    BeforeValidator(_as_text),
    AfterValidator(_check_start),
    Field(max_length=40, json_schema_extra={"format": "start", "examples": [*ENDS, "2026-01-31T08:00:00Z"]}),
]
"""`earliest`, `latest`, or a time as ISO 8601 text or in ms since 1970."""
