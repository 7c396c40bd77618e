"""Sizes no result of a function goes over."""

from __future__ import annotations

from typing import Final

from designer.expressions.errors import Fault

MAX_TEXT: Final = 1024 * 1024
MAX_ITEMS: Final = 100_000


def check_length(length: int) -> None:
    """A text of `length` characters may be made; asked before making it."""
    if length > MAX_TEXT:
        raise Fault(f"The result would have {length:,} characters; at most {MAX_TEXT:,} are allowed.")


def check_text(text: str) -> str:
    check_length(len(text))
    return text
