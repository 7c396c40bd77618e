"""Java's differences from SQL, for topologies with the same results as Kafka Streams."""

from __future__ import annotations

from designer.expressions.casts import to_string
from designer.expressions.functions.patterns import Pattern, split
from designer.expressions.functions.table import function


@function("java_split(text: string, pattern: pattern) -> [string]")
def java_split(text: str, pattern: Pattern) -> list[str]:
    r"""The parts that Java's String.split gives. Empty parts stay at the start but not at the end.
    array_join(java_split(' a, b. ', r'\W+'), '|') = '|a|b'
    array_join(java_split('café au lait', r'\W+'), '|') = 'caf|au|lait'
    size(java_split(',,', ',')) = 0
    size(java_split('', ',')) = 1
    size(split('a,b,,', ',')) = 4
    size(java_split('a,b,,', ',')) = 2
    """
    parts: list[str] = split(text, pattern)
    if len(parts) == 1:
        return parts
    end = len(parts)
    while end and not parts[end - 1]:
        end -= 1
    return parts[:end]


@function("java_string(number: number) -> string")
def java_string(number: float) -> str:
    """The text that Java's String.valueOf gives, like CAST(… AS STRING): doubles from 1e7 have an exponent.
    java_string(12345678.0) = '1.2345678E7'
    java_string(9999999.0) = '9999999.0'
    java_string(0.0001) = '1.0E-4'
    java_string(10000000) = '10000000'
    CAST(12345678.0 AS STRING) = '1.2345678E7'
    """
    return to_string(number)
