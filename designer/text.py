"""Counts and durations as sentences have them, and names of types."""

from __future__ import annotations

import re


def write_count(count: int, thing: str, plural: str = "") -> str:
    """A number of things. The plural has an s unless it is given.

    >>> write_count(1, "batch", "batches"), write_count(1_200, "record")
    ('1 batch', '1,200 records')
    """
    return f"{count:,} {thing if count == 1 else plural or f'{thing}s'}"


def write_duration(ms: int) -> str:
    """The two largest units, and milliseconds below a second.

    >>> write_duration(65_000), write_duration(20), write_duration(0), write_duration(-90_000)
    ('1 min 5 s', '20 ms', '0 s', '-1 min 30 s')
    """
    if ms < 0:
        return f"-{write_duration(-ms)}"
    if 0 < ms < 1_000:
        return f"{ms} ms"
    rest, parts = ms, list[str]()
    for size, unit in ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min")):  # timedelta ends at 2.7 million years
        count, rest = divmod(rest, size)
        parts += [f"{count} {unit}"] if count else []
    seconds = rest / 1_000
    parts += [f"{seconds:g} s"] if seconds or not parts else []
    return " ".join(parts[:2])


def to_type_name(name: str) -> str:
    """A name as types of schemas have it: letters and digits, with a capital for each word.

    >>> to_type_name("carrier-delays"), to_type_name("2013_flights")
    ('CarrierDelays', '_2013Flights')
    """
    words = re.findall(r"[A-Za-z0-9]+", name)
    joined = "".join(word[0].upper() + word[1:] for word in words)
    return joined if joined[:1].isalpha() else f"_{joined}"
