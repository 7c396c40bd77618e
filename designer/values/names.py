"""Names made of other names."""

from __future__ import annotations

import re


def to_type_name(name: str) -> str:
    """A name as types of schemas have it: letters and digits, with a capital for each word.

    >>> to_type_name("carrier-delays"), to_type_name("2013_flights")
    ('CarrierDelays', '_2013Flights')
    """
    words = re.findall(r"[A-Za-z0-9]+", name)
    joined = "".join(word[0].upper() + word[1:] for word in words)
    return joined if joined[:1].isalpha() else f"_{joined}"
