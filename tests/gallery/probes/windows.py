"""Counts in windows: E02 to E04, E14 to E17, E21, E30, E34."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.gallery.probe import MINUTE, SECOND, Given, Probe, Written, each, window

ORDER = {"order_id": "o", "customer_id": "c", "amount": 1.0, "region": "US-WEST"}


def keys(topic: str, value: Any, *records: tuple[str, int]) -> list[Given]:
    """The same value at other times; only its key counts."""
    return each(topic, *((key, value, at) for key, at in records))


def clicks(*records: tuple[str | None, int]) -> list[Given]:
    return each("click-events", *((None, {"user_id": user, "page": "/"}, at) for user, at in records))


def tumbling(size: int, *counts: tuple[str, int, int, int]) -> Sequence[Written]:
    """Counts by key, start, count and time."""
    return [(window(key, start, start + size), count, at) for key, start, count, at in counts]


PAGE = {"page": "/"}
FIVE = 5 * MINUTE

PROBES = {
    # (KS)
    "e02-tumbling-count": Probe(
        keys("page-views", PAGE, ("a", 0), ("a", MINUTE - 1), ("a", MINUTE), ("b", 61 * SECOND), ("a", 30 * SECOND)),
        {
            "page-views-per-minute": tumbling(
                MINUTE, ("a", 0, 1, 0), ("a", 0, 2, MINUTE - 1), ("a", MINUTE, 1, MINUTE), ("b", MINUTE, 1, 61 * SECOND)
            )
        },
        dropped=1,
    ),
    # Starts are the multiples of 30 s in (ts - 60 s, ts], in ascending order: of 10 s -30 and 0, of 40 s 0 and 30, of
    # 70 s 30 and 60. The last record is late: stream time is 70 s, so of its windows the one that ends at 60 s is
    # closed (dropped), the one that ends at 90 s takes it; its time is the greatest of 40 s and 50 s.
    "e03-hopping-count": Probe(
        keys("page-views", PAGE, ("a", 10 * SECOND), ("a", 40 * SECOND), ("b", 70 * SECOND), ("a", 50 * SECOND)),
        {
            "page-views-hopping": tumbling(
                MINUTE,
                ("a", -30 * SECOND, 1, 10 * SECOND),
                ("a", 0, 1, 10 * SECOND),
                ("a", 0, 2, 40 * SECOND),
                ("a", 30 * SECOND, 1, 40 * SECOND),
                ("b", 30 * SECOND, 1, 70 * SECOND),
                ("b", 60 * SECOND, 1, 70 * SECOND),
                ("a", 30 * SECOND, 2, 50 * SECOND),
            )
        },
        dropped=1,
    ),
    # (KS) Exactly five minutes apart still merges.
    "e04-session-count": Probe(
        keys("page-views", PAGE, ("a", 0), ("a", FIVE), ("a", 2 * FIVE + 1)),
        {
            "page-views-per-session": [
                (window("a", 0, 0), 1, 0),
                (window("a", 0, 0), None, 0),
                (window("a", 0, FIVE), 2, FIVE),
                (window("a", 2 * FIVE + 1, 2 * FIVE + 1), 1, 2 * FIVE + 1),
            ]
        },
    ),
    # [00:00, 00:05), [00:05, 00:10), [00:10, 00:15): the end is the next window's start.
    "e14-five-minute-count": Probe(
        keys("orders", ORDER, ("a", 0), ("a", FIVE - 1), ("a", FIVE), ("a", 3 * FIVE - 1)),
        {
            "orders-per-five-minutes": tumbling(
                FIVE,
                ("a", 0, 1, 0),
                ("a", 0, 2, FIVE - 1),
                ("a", FIVE, 1, FIVE),
                ("a", 2 * FIVE, 1, 3 * FIVE - 1),
            )
        },
    ),
    # (KS)
    "e15-hopping-orders": Probe(
        keys("orders", ORDER, ("a", 7 * MINUTE), ("a", 11 * MINUTE)),
        {
            "orders-per-ten-minutes": tumbling(
                10 * MINUTE,
                ("a", 0, 1, 7 * MINUTE),
                ("a", FIVE, 1, 7 * MINUTE),
                ("a", FIVE, 2, 11 * MINUTE),
                ("a", 10 * MINUTE, 1, 11 * MINUTE),
            )
        },
    ),
    # 0 min: its left window [-5, 0] holds itself.
    # 3 min: no window that exists holds it. The right window of 0 min, [0 min + 1 ms, 5 min + 1 ms], holds it alone;
    # then its left window [-2, 3] holds both.
    # 6 min: likewise the right window of 3 min, then its left window [1, 6] with 3 and 6 min.
    # 2 min is late: stream time is 6 min, and 2 + 5 >= 6, so it is judged window by window (end >= 6 min). [1, 6] takes
    # it. [0 min + 1 ms, 5 min + 1 ms], [-2, 3] and its left window [-3, 2] are over: dropped, once for each. Its right
    # window [2 min + 1 ms, 7 min + 1 ms] is new, and holds the two records after it.
    "e16-sliding-orders": Probe(
        keys("orders", ORDER, ("a", 0), ("a", 3 * MINUTE), ("a", 6 * MINUTE), ("a", 2 * MINUTE)),
        {
            "orders-sliding": [
                (window("a", -FIVE, 0), 1, 0),
                (window("a", 1, FIVE + 1), 1, 3 * MINUTE),
                (window("a", -2 * MINUTE, 3 * MINUTE), 2, 3 * MINUTE),
                (window("a", 3 * MINUTE + 1, 8 * MINUTE + 1), 1, 6 * MINUTE),
                (window("a", 1 * MINUTE, 6 * MINUTE), 2, 6 * MINUTE),
                (window("a", 1 * MINUTE, 6 * MINUTE), 3, 6 * MINUTE),
                (window("a", 2 * MINUTE + 1, 7 * MINUTE + 1), 2, 6 * MINUTE),
            ]
        },
        dropped=3,
    ),
    # (KS)
    "e17-order-sessions": Probe(
        keys("orders", ORDER, ("a", 0), ("a", 8 * MINUTE), ("b", 9 * MINUTE), ("a", 19 * MINUTE)),
        {
            "order-sessions": [
                (window("a", 0, 0), 1, 0),
                (window("a", 0, 0), None, 0),
                (window("a", 0, 8 * MINUTE), 2, 8 * MINUTE),
                (window("b", 9 * MINUTE, 9 * MINUTE), 1, 9 * MINUTE),
                (window("a", 19 * MINUTE, 19 * MINUTE), 1, 19 * MINUTE),
            ]
        },
    ),
    # u1 at 20 and 50 min: 20 and 30 min after the one before, so the session grows, deleted first at the time of its
    # old end. 80 min + 1 ms is 30 min + 1 ms later: a new session. Then u2 at 30 min would merge with [25, 25] to
    # [25, 30], whose end is before 80 min + 1 ms - 30 min: dropped. Without user_id there is no key: such a click does
    # not pass the shuffle, which counts nothing.
    "e21-session-clicks": Probe(
        clicks(
            ("u1", 0),
            ("u1", 20 * MINUTE),
            ("u2", 25 * MINUTE),
            (None, 26 * MINUTE),
            ("u1", 50 * MINUTE),
            ("u1", 80 * MINUTE + 1),
            ("u2", 30 * MINUTE),
        ),
        {
            "session-click-aggregations": [
                (window("u1", 0, 0), 1, 0),
                (window("u1", 0, 0), None, 0),
                (window("u1", 0, 20 * MINUTE), 2, 20 * MINUTE),
                (window("u2", 25 * MINUTE, 25 * MINUTE), 1, 25 * MINUTE),
                (window("u1", 0, 20 * MINUTE), None, 20 * MINUTE),
                (window("u1", 0, 50 * MINUTE), 3, 50 * MINUTE),
                (window("u1", 80 * MINUTE + 1, 80 * MINUTE + 1), 1, 80 * MINUTE + 1),
            ]
        },
        dropped=1,
    ),
    # A store keeps sessions for the gap and the grace. a at 20 min comes at stream time 40 min, when [0, 0] is
    # forgotten (0 < 40 - 30): it cannot bridge the two, and joins [40, 40] alone. b moves stream time to 90 min. a at
    # 50 min would be its own session, and 50 < 90 - 30: dropped. a at 60 min is just in time, and its neighbour
    # [20, 40] is forgotten.
    "e30-sessionization": Probe(
        keys(
            "clickstream",
            {"user_id": "u", "page": "/"},
            ("a", 0),
            ("a", 40 * MINUTE),
            ("a", 20 * MINUTE),
            ("b", 90 * MINUTE),
            ("a", 50 * MINUTE),
            ("a", 60 * MINUTE),
        ),
        {
            "visits": [
                (window("a", 0, 0), 1, 0),
                (window("a", 40 * MINUTE, 40 * MINUTE), 1, 40 * MINUTE),
                (window("a", 40 * MINUTE, 40 * MINUTE), None, 40 * MINUTE),
                (window("a", 20 * MINUTE, 40 * MINUTE), 2, 40 * MINUTE),
                (window("b", 90 * MINUTE, 90 * MINUTE), 1, 90 * MINUTE),
                (window("a", 60 * MINUTE, 60 * MINUTE), 1, 60 * MINUTE),
            ]
        },
        dropped=1,
    ),
    # [0, 300 s) takes records while 300 s > stream time - 60 s: at stream time 301 s and 359.999 s it does, at 360 s
    # it does not. The time of its count stays the greatest of its records, 299 s.
    "e34-late-events": Probe(
        keys(
            "events",
            {"type": "x"},
            ("a", 10 * SECOND),
            ("a", 301 * SECOND),
            ("a", 299 * SECOND),
            ("b", 360 * SECOND - 1),
            ("a", 100 * SECOND),
            ("b", 360 * SECOND),
            ("a", 200 * SECOND),
        ),
        {
            "events-per-five-minutes": tumbling(
                FIVE,
                ("a", 0, 1, 10 * SECOND),
                ("a", FIVE, 1, 301 * SECOND),
                ("a", 0, 2, 299 * SECOND),
                ("b", FIVE, 1, 360 * SECOND - 1),
                ("a", 0, 3, 299 * SECOND),
                ("b", FIVE, 2, 360 * SECOND),
            )
        },
        dropped=1,
    ),
}
