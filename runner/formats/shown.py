"""Values for people to look at."""

from __future__ import annotations

import math
from base64 import b64encode
from decimal import Decimal
from typing import Any

import orjson

from designer.decimals import digits
from designer.expressions.casts import java_double
from designer.values import UnionValue


def shown(value: Any) -> Any:
    """A value as orjson writes it: bytes in base64, NaN and infinite numbers as the texts Java writes.

    A decimal becomes a number with all its digits, a value of a union stands as itself.
    """
    match value:
        case bytes():
            return b64encode(value).decode()
        case float() if not math.isfinite(value):
            return java_double(value)
        case Decimal():
            return orjson.Fragment(digits(value))
        case UnionValue(_, held):
            return shown(held)
        case dict():
            return {name: shown(held) for name, held in value.items()}
        case list() | tuple():
            return [shown(held) for held in value]
        case _:
            return value
