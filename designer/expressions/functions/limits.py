"""Maximum sizes of functions' results."""

from __future__ import annotations

from typing import Final

from designer.expressions.errors import Fault

MAX_TEXT: Final = 1024 * 1024
MAX_ITEMS: Final = 100_000


def check_length(length: int) -> None:
    """Checks the length of a text before it is made."""
    if length > MAX_TEXT:
        raise Fault(f"The result would have {length:,} characters; at most {MAX_TEXT:,} are allowed.")


def check_text(text: str) -> str:
    check_length(len(text))
    return text
