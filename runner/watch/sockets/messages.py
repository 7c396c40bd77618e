"""What every tail says beside what it follows."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from designer.refusal_codes import RefusalCode


class Waiting(TypedDict):
    """Nothing comes until what is waited for is there; the next `records` or `lines` continues."""

    type: Literal["waiting"]
    message: str


class Refused(TypedDict):
    """What a tail follows cannot be read."""

    type: Literal["refused"]
    code: RefusalCode
    message: str
    hint: str
