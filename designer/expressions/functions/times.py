"""Times are integers: milliseconds since 1970-01-01T00:00Z. Everything is in UTC and no function reads a clock.

Avro's logical types with another unit (timestamp-micros, date) are converted to milliseconds before the call.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from designer.expressions import decimals
from designer.expressions.arithmetic import check_64_bits, refuse_nan
from designer.expressions.errors import Fault
from designer.expressions.functions.table import function

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EPOCH_DAY = EPOCH.toordinal()
ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?"
    r"(?: ?(?:[Zz]|([+-])(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?))?",
    re.ASCII,
)
"""ISO 8601 as PostgreSQL, Java, Python and RFC 3339 write it. The offset may be hours (+05), minutes (+05:30, +0530)
or seconds, as zones had before 1900."""
FIELD = re.compile(r"yyyy|MM|dd|HH|mm|ss|SSS|'([^']*)'|[^A-Za-z']+")
DATE_FIELDS = {"yyyy": "{0.year:04}", "MM": "{0.month:02}", "dd": "{0.day:02}", "HH": "{0.hour:02}"}
MILLISECONDS = {"SECOND": 1_000, "MINUTE": 60_000, "HOUR": 3_600_000, "DAY": 86_400_000}
UNITS = (*MILLISECONDS, "WEEK", "MONTH", "QUARTER", "YEAR")


def _to_moment(ms: int) -> datetime:
    try:
        return EPOCH + timedelta(milliseconds=ms)
    except OverflowError:
        raise Fault(f"The time {ms} ms is outside the years 1 to 9999.") from None


def _to_ms(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(milliseconds=1)


@function("to_timestamp_ms(text: string) -> integer")
def to_timestamp_ms(text: str) -> int:
    """An ISO 8601 date or time as milliseconds; UTC if it has no zone.
    to_timestamp_ms('2013-01-01T05:00:00Z') = 1357016400000
    to_timestamp_ms('2013-01-01') = 1356998400000
    to_timestamp_ms('2013-01-01 05:00:00.250+05:00') = 1356998400250
    to_timestamp_ms('2013-01-01 05:00:00.250+05') = 1356998400250
    """
    ms: int | None = try_to_timestamp_ms(text)
    if ms is None:
        raise Fault(
            f"'{text[:60]}' is not a time such as '2013-01-01T05:00:00Z'; try_to_timestamp_ms gives null instead."
        )
    return ms


@function("try_to_timestamp_ms(text: string) -> integer?")
def try_to_timestamp_ms(text: str) -> int | None:
    """An ISO 8601 date or time as milliseconds; null if the text is not one.
    try_to_timestamp_ms('yesterday') IS NULL
    """
    match = ISO.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(number or 0) for number in match.groups()[:6])
    fraction, sign = match[7], match[8]
    offset_hours, offset_minutes, offset_seconds = (int(number or 0) for number in match.groups()[8:])
    if not (hour < 24 and minute < 60 and second < 60 and offset_minutes < 60 and offset_seconds < 60):
        return None
    try:
        days = date(year, month, day).toordinal() - EPOCH_DAY
    except ValueError:
        return None
    ms = (((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000
    offset_ms = ((offset_hours * 60 + offset_minutes) * 60 + offset_seconds) * 1_000
    return ms + (int(f"{fraction:0<3}"[:3]) if fraction else 0) - (-offset_ms if sign == "-" else offset_ms)


@function("to_iso(ms: time) -> string")
def to_iso(ms: int) -> str:
    """A time as ISO 8601 text in UTC.
    to_iso(1357016400000) = '2013-01-01T05:00:00.000Z'
    """
    return f"{_to_moment(ms):%Y-%m-%dT%H:%M:%S}.{ms % 1_000:03}Z".zfill(24)


def make_time_format(pattern: str) -> Callable[[datetime], str]:
    """A writer for a pattern of yyyy MM dd HH mm ss SSS, other characters and 'quoted' texts. Raises ValueError."""
    parts: list[str] = []
    at = 0
    while match := FIELD.match(pattern, at):
        parts.append(_write(match))
        at = match.end()
    if at < len(pattern):
        raise ValueError(f"a format can use yyyy MM dd HH mm ss SSS and 'texts', not {pattern[at:][:12]!r}")
    template = "".join(parts)
    return lambda moment: template.format(moment, moment.microsecond // 1_000)


def _write(match: re.Match[str]) -> str:
    fields = {**DATE_FIELDS, "mm": "{0.minute:02}", "ss": "{0.second:02}", "SSS": "{1:03}"}
    if match[0] in fields:
        return fields[match[0]]
    text = match[0] if match[1] is None else match[1] or "'"
    return text.replace("{", "{{").replace("}", "}}")


@function("date_format(ms: time, format: format) -> string")
def date_format(ms: int, write: Callable[[datetime], str]) -> str:
    """A time as text, in a format of yyyy MM dd HH mm ss SSS, in UTC.
    date_format(1357016400000, 'yyyy-MM-dd HH:mm') = '2013-01-01 05:00'
    date_format(1357016405007, 'HH:mm:ss.SSS') = '05:00:05.007'
    """
    return write(_to_moment(ms))


def read_unit(name: str) -> str:
    """The name of a unit for truncating times. Raises ValueError."""
    if name.upper() not in UNITS:
        raise ValueError(f"units are {', '.join(UNITS)}")
    return name.upper()


@function("date_trunc(unit: unit, ms: time) -> integer")
def date_trunc(to: str, ms: int) -> int:
    """The start of a time's second, minute, hour, day, week (Monday), month, quarter or year.
    date_trunc('HOUR', 1357018245678) = 1357016400000
    to_iso(date_trunc('WEEK', to_timestamp_ms('2013-01-03'))) = '2012-12-31T00:00:00.000Z'
    """
    if to in MILLISECONDS:
        return check_64_bits(ms - ms % MILLISECONDS[to])
    day = _to_moment(ms).replace(hour=0, minute=0, second=0, microsecond=0)
    if to == "WEEK":
        return _to_ms(day) - day.weekday() * MILLISECONDS["DAY"]
    month = {"YEAR": 1, "QUARTER": (day.month - 1) // 3 * 3 + 1, "MONTH": day.month}[to]
    return _to_ms(day.replace(month=month, day=1))


@function("unix_seconds(ms: time) -> integer")
def unix_seconds(ms: int) -> int:
    """Whole seconds since 1970 of a time.
    unix_seconds(1999) = 1
    """
    return check_64_bits(ms // 1_000)


@function("unix_millis(ms: time) -> integer")
def unix_millis(ms: int) -> int:
    """Milliseconds since 1970 of a time: of a timestamp-micros or -nanos, or of a date, in this unit.
    unix_millis(1999) = 1999
    """
    return check_64_bits(ms)


@function("unix_micros(time: micros) -> integer")
def unix_micros(micros: int) -> int:
    """Microseconds since 1970 of a time; a plain integer is in milliseconds.
    unix_micros(1999) = 1999000
    """
    return check_64_bits(micros)


@function("timestamp_seconds(seconds: number) -> integer")
def timestamp_seconds(seconds: float | Decimal) -> int:
    """A time from seconds since 1970.
    timestamp_seconds(1.5) = 1500
    """
    if isinstance(seconds, Decimal):
        return decimals.to_64_bits(decimals.EXACT.multiply(seconds, 1_000))
    return check_64_bits(int(refuse_nan(seconds) * 1_000))


def _register_part(signature: str, of: Callable[[datetime], int], doc: str, *aliases: str) -> None:
    def part(ms: int) -> int:
        return of(_to_moment(ms))

    part.__doc__ = doc
    function(signature, *aliases)(part)


_register_part("year(ms: time) -> integer", lambda at: at.year, "The year of a time.\nyear(1357016400000) = 2013")
_register_part("quarter(ms: time) -> integer", lambda at: (at.month + 2) // 3, "1 to 4.\nquarter(1357016400000) = 1")
_register_part("month(ms: time) -> integer", lambda at: at.month, "The month, 1 to 12.\nmonth(1357016400000) = 1")
_register_part(
    "day(ms: time) -> integer", lambda at: at.day, "The day of the month.\nday(1357016400000) = 1", "dayofmonth"
)
_register_part("hour(ms: time) -> integer", lambda at: at.hour, "The hour, 0 to 23.\nhour(1357016400000) = 5")
_register_part("minute(ms: time) -> integer", lambda at: at.minute, "The minute, 0 to 59.\nminute(1357016400000) = 0")
_register_part("second(ms: time) -> integer", lambda at: at.second, "The second, 0 to 59.\nsecond(1999) = 1")
_register_part("dayofyear(ms: time) -> integer", lambda at: at.timetuple().tm_yday, "1 to 366.\ndayofyear(0) = 1")
_register_part(
    "dayofweek(ms: time) -> integer", lambda at: at.isoweekday() % 7 + 1, "1 (Sunday) to 7.\ndayofweek(0) = 5"
)
_register_part("weekday(ms: time) -> integer", lambda at: at.weekday(), "0 (Monday) to 6.\nweekday(0) = 3")
_register_part("weekofyear(ms: time) -> integer", lambda at: at.isocalendar().week, "ISO week.\nweekofyear(0) = 1")
