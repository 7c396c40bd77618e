"""Messages of every tail beside its lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import TypedDict

from designer.refusal_codes import RefusalCode

TailMessage = Mapping[str, Any]
"""A message of a tail as it is sent: JSON of one of the `FeedMessage` in `runner.watch.messages`."""


class Waiting(TypedDict):
    """The tail waits for its source. The next `records` or `lines` ends the wait."""

    type: Literal["waiting"]
    message: str


class Refused(TypedDict):
    """The source of a tail cannot be read."""

    type: Literal["refused"]
    code: RefusalCode
    message: str
    hint: str
