"""Messages of every tail beside its lines."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from designer.refusal_codes import RefusalCode


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
