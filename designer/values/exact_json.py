"""JSON whose numbers keep their digits.

orjson is fast, and makes a double of every number with a point, an exponent or more than 64 bits. If that loses digits
the text is read again: integers of any size become `int`. A number that a double would write with other digits becomes
a `JsonNumber`, which is written unchanged.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from itertools import chain
from typing import Any

import orjson

from designer.values.decimals import write_digits
from designer.values.tuples import UnionValue

_CLASSES = bytes(9 if chr(byte).isdigit() else 1 if chr(byte) in "eE" else 0 for byte in range(128)) + bytes(128)
_LONG_INTEGER, _EXPONENT = bytes([9] * 19), bytes([9, 1])
_EXPONENT_OF_NUMBER = re.compile(rb"(?:^|[\s:,\[])-?[0-9][0-9.]*[eE]")
_INEXACT_NUMBER = re.compile(rb"\.(?:[0-9]*[0-9]0(?![0-9])|[0-9]{8}|0000|(?<=[0-9]{8}\.))")
"""A number with a last 0, with 16 digits or more, or so small that it gets an exponent. Also similar text."""
TOO_LARGE = "number is infinity"
DEEPER_THAN_ORJSON = "depth limit exceeded"
"""Start of orjson's messages for a number beyond the doubles, and for more than 1,024 levels."""
MAX_INTEGER = 2**64 - 1
MIN_INTEGER = -(2**63)
"""The integers that orjson reads and writes."""

MAX_DIGITS = 4_300
"""Python's own limit: a larger integer takes too long to make from its digits."""

MAX_DEPTH = 200
"""Maximum number of levels of lists and objects in a document that users' topics and texts hold.

orjson reads 1,024 levels and writes 254. What is read must be writable everywhere, also inside another document, and
short enough for functions that call themselves once a level. Jackson's own limit, for Kafka Streams, is 1,000.
"""
TOO_DEEP = f"it is nested deeper than {MAX_DEPTH} levels"
MAX_PLAIN_LENGTH = 17
"""A number with an exponent too large for a Decimal is longer than this."""

Default = Callable[[Any], Any]


class JsonNumber(float):
    """A number of a JSON text that its double would write with other digits: 14.7600, 0.99999999999999999, 1e400.

    In arithmetic it is the nearest double, and the result a plain one. It is compared and written with all its digits.

    >>> JsonNumber("14.7600") * 2
    29.52
    >>> str(JsonNumber("14.7600")), JsonNumber("14.7600") == 14.76
    ('14.7600', True)
    """

    __slots__ = ("text",)

    text: str

    def __new__(cls, text: str) -> JsonNumber:
        """Raises ValueError if the text is not a number, or its exponent is too long for a Decimal."""
        number = super().__new__(cls, text)
        number.text = text
        if len(text) > MAX_PLAIN_LENGTH:
            number.exact  # noqa: B018
        return number

    @property
    def exact(self) -> Decimal:
        try:
            return Decimal(self.text)
        except InvalidOperation as error:
            raise ValueError(f"{self.text[:40]} is out of range") from error

    @property
    def shortest(self) -> str:
        """The same for equal numbers: the text of the double if it has all digits, else without last zeros."""
        if self.exact == to_exact(float(self)):
            return orjson.dumps(float(self)).decode()
        sign, digits, exponent = self.exact.as_tuple()
        short_digits = bytes(digits).rstrip(b"\0")
        assert isinstance(exponent, int)
        return str(Decimal((sign, tuple(short_digits), exponent + len(digits) - len(short_digits))))

    def __repr__(self) -> str:
        return self.text

    __str__ = __repr__

    def __reduce__(self) -> tuple[type[JsonNumber], tuple[str]]:
        return JsonNumber, (self.text,)

    def __hash__(self) -> int:
        return hash(self.exact) if self.exact != to_exact(float(self)) else hash(float(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | float | Decimal) and self.exact == to_exact(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: float) -> bool:
        return self._compare(operator.lt, other)

    def __le__(self, other: float) -> bool:
        return self._compare(operator.le, other)

    def __gt__(self, other: float) -> bool:
        return self._compare(operator.gt, other)

    def __ge__(self, other: float) -> bool:
        return self._compare(operator.ge, other)

    def _compare(self, compare: Callable[[Decimal, Decimal], bool], other: float) -> bool:
        """Nothing is less or greater than NaN. A text has no order with a number (TypeError)."""
        if not isinstance(other, int | float | Decimal):
            return NotImplemented
        return other == other and compare(self.exact, to_exact(other))


def to_exact(number: float | Decimal) -> Decimal:
    """The number with its written digits: for a double not its binary value, but its shortest decimal one."""
    if isinstance(number, JsonNumber):
        return number.exact
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)


def loads(text: bytes | str) -> Any:
    """The value of a JSON text. Raises ValueError (`orjson.JSONDecodeError` if the text is not valid JSON)."""
    data = text.encode() if isinstance(text, str) else text
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        if not error.msg.startswith(TOO_LARGE):
            raise
        value = read_exactly(data)
        try:
            dumps(value)
        except TypeError as refused:  # orjson stopped reading at the number, so it has not seen all texts
            raise ValueError("a text contains half a surrogate pair") from refused
        return value
    return read_exactly(data) if may_lose_digits(data, value) else value


def loads_document(text: bytes | str) -> Any:
    """The value of a JSON text from outside, of at most `MAX_DEPTH` levels. Raises ValueError as `loads` does."""
    data = text.encode() if isinstance(text, str) else text
    try:
        value = loads(data)
    except orjson.JSONDecodeError as error:
        if error.msg.startswith(DEEPER_THAN_ORJSON):
            raise ValueError(TOO_DEEP) from error
        raise
    check_depth(data, value)
    return value


def check_depth(data: bytes, value: Any) -> None:
    """Raises ValueError if `value`, which was read from `data`, has more than `MAX_DEPTH` levels."""
    if may_be_too_deep(data) and is_too_deep(value):
        raise ValueError(TOO_DEEP)


def may_be_too_deep(data: bytes) -> bool:
    """Whether a JSON text has as many opening brackets as more than `MAX_DEPTH` levels need. False is certain."""
    return len(data) > 2 * MAX_DEPTH and data.count(b"[") + data.count(b"{") > MAX_DEPTH


def is_too_deep(value: Any) -> bool:
    """Whether a value has more than `MAX_DEPTH` levels of lists, objects and unions. Goes level by level."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [each for each in level if (kind := type(each)) is dict or kind is list or kind is UnionValue]
        if not level:
            return False
        level = list(chain.from_iterable(map(_list_members, level)))
    return True


def _list_members(value: Any) -> Iterable[Any]:
    kind = type(value)
    return value.values() if kind is dict else value if kind is list else (value.value,)


def may_lose_digits(data: bytes, value: Any) -> bool:
    """Whether `value`, which orjson read from `data`, may have other digits. False is certain."""
    try:
        if orjson.dumps(value) == data:
            return False
    except TypeError:
        pass
    classes = data.translate(_CLASSES)
    if _LONG_INTEGER in classes or (_EXPONENT in classes and _EXPONENT_OF_NUMBER.search(data)):
        return True
    return _INEXACT_NUMBER.search(data) is not None


def read_exactly(data: bytes) -> Any:
    """The value of a JSON text that orjson accepts except for its large numbers. Slow. Raises ValueError."""
    try:
        return _decoder.decode(str(data, "utf-8"))
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error


def dumps(value: Any, default: Default | None = None) -> bytes:
    """JSON of a value, with all digits. `default` as orjson's. Raises TypeError for a value that JSON cannot hold."""
    fallback = number_or(default)
    try:
        return orjson.dumps(value, fallback)
    except TypeError:
        pass
    try:
        return orjson.dumps(with_long_integers(value), fallback)
    except RecursionError as error:
        raise TypeError(TOO_DEEP) from error


def number_or(default: Default | None) -> Default:
    """A default for orjson that writes numbers with their digits and values of unions, and passes on the rest."""

    def write(value: Any) -> Any:
        if type(value) is JsonNumber:
            return orjson.Fragment(value.text)
        if type(value) is Decimal:
            return orjson.Fragment(write_digits(value))
        if type(value) is UnionValue:
            return value.value
        if default is None:
            raise TypeError(f"JSON cannot hold a {type(value).__name__}")
        return default(value)

    return write


def with_long_integers(value: Any) -> Any:
    """The value with integers beyond 64 bits in a form that orjson writes."""
    match value:
        case bool():
            return value
        case int() if not MIN_INTEGER <= value <= MAX_INTEGER:
            return orjson.Fragment(str(value))
        case dict():
            return {name: with_long_integers(member) for name, member in value.items()}
        case UnionValue(_, member):
            return with_long_integers(member)
        case list() | tuple():
            return [with_long_integers(member) for member in value]
        case _:
            return value


def _read_decimal(text: str) -> float:
    number = float(text)
    return number if orjson.dumps(number).decode() == text else JsonNumber(text)


def _read_integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"an integer has {len(text):,} digits, more than {MAX_DIGITS:,}")
    return int(text)


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is not valid JSON")


_decoder = json.JSONDecoder(parse_float=_read_decimal, parse_int=_read_integer, parse_constant=_refuse_constant)
