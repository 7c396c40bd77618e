"""Maximum sizes of functions' results."""

from __future__ import annotations

from typing import Any, Final

from designer.expressions.errors import Fault

MAX_TEXT: Final = 1024 * 1024
MAX_ITEMS: Final = 100_000
MAX_STEPS: Final = 1_000_000
CHARACTERS_IN_A_STEP: Final = 16


class Steps:
    """The steps that one evaluation of an expression has left. Each call of a lambda is one, and so is each item that
    a lambda makes: lambdas in lambdas multiply."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MAX_STEPS

    def take(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise Fault(f"The lambdas would take more than {MAX_STEPS:,} steps. Use shorter lists, or fewer lambdas.")

    def take_value(self, value: Any) -> Any:
        """Count the items of a lambda's result. Returns the value."""
        kind = type(value)
        if kind is list or kind is dict:
            self.take(len(value))
            for each in value if kind is list else value.values():
                self.take_value(each)
        elif kind is str or kind is bytes:
            self.take(len(value) // CHARACTERS_IN_A_STEP)
        return value


def check_items(count: int) -> None:
    """Checks the length of a list before it is made."""
    if count > MAX_ITEMS:
        raise Fault(f"The result would have {count:,} items; at most {MAX_ITEMS:,} are allowed.")


def check_length(length: int) -> None:
    """Checks the length of a text before it is made."""
    if length > MAX_TEXT:
        raise Fault(f"The result would have {length:,} characters; at most {MAX_TEXT:,} are allowed.")


def check_text(text: str) -> str:
    check_length(len(text))
    return text
