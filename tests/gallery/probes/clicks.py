"""Clicks and views: E01, E05, E08, E10, E22, E38."""

from __future__ import annotations

from typing import Any

from tests.gallery.probe import MINUTE, SECOND, T0, Probe, each, window


def click(user: str, page: str) -> tuple[str, dict[str, Any], int]:
    return user, {"user": user, "page": page, "timestamp": 1_767_225_600}, 0


def view(page: str, at: int, event_type: str = "page_view") -> tuple[None, dict[str, Any], int]:
    return None, {"event_type": event_type, "user_id": "u1", "page": page, "timestamp": at}, at


def minute(start: int, **places: tuple[str, int]) -> dict[str, Any]:
    """A ranking of the minute that starts so many ms after T0."""
    ranked = {place: {"page": page, "views": views} for place, (page, views) in places.items()}
    bounds = window(None, start, start + MINUTE)
    empty = {"first": None, "second": None, "third": None}
    return {"window_start": bounds["start"], "window_end": bounds["end"]} | empty | ranked


def of_user(user: str) -> tuple[None, dict[str, Any], int]:
    """A click whose own time says nothing."""
    return None, {"user_id": user, "page": "/"}, 0


ARRIVALS = (0, 20 * MINUTE, 25 * MINUTE, 50 * MINUTE, 80 * MINUTE + 1)
CLICKS = each("click-events", *(of_user(user) for user in ("u1", "u1", "u2", "u1", "u1")))

SESSIONS = Probe(
    each("user-events", ("u", "a", 0), ("u", "b", 1), ("v", "c", 2)),
    {"updated-sessions": [("u", "a", 0), ("u", "a,b", 1), ("v", "c", 2)]},
)


def capped(start: int, last: int, clicks: int) -> dict[str, int]:
    return {"start": T0 + start, "last": T0 + last, "clicks": clicks}


PROBES = {
    # The gap of 30 minutes ends the first session. The fourth click comes 2 hours after the third.
    "e38-sessions-of-a-maximum-length": Probe(
        each(
            "clicks",
            *(("u", {"page": "/"}, at * MINUTE) for at in (0, 29, 60, 89, 118, 147, 176, 180)),
        ),
        {
            "capped-sessions": [
                ("u", capped(start * MINUTE, at * MINUTE, clicks), at * MINUTE)
                for start, at, clicks in (
                    (0, 0, 1),
                    (0, 29, 2),
                    (60, 60, 1),
                    (60, 89, 2),
                    (60, 118, 3),
                    (60, 147, 4),
                    (60, 176, 5),
                    (180, 180, 1),
                )
            ]
        },
    ),
    # (KS)
    "e01-click-analytics": Probe(
        each(
            "user-clicks",
            click("alice", "/home"),
            click("bob", "/products"),
            click("alice", "/cart"),
            click("alice", "/home"),
            click("bob", "/home"),
        ),
        {"click-counts": [("alice", 1, 0), ("alice", 2, 0), ("bob", 1, 0)]},
    ),
    # Each event is appended to the session of its key, and the new session goes on.
    "e05-session-processor": SESSIONS,
    "e05-session-store": SESSIONS,
    # A text that is no JSON is a letter with that text; the other goes on.
    "e08-dead-letters": Probe(
        each("raw-events", ("k1", '{"page":"/a"}', 1), ("k2", "not json", 2)),
        {
            "processed-events": [("k1", {"page": "/a"}, 1)],
            "dead-letter-queue": [
                (
                    "k2",
                    {
                        "original_record": "not json",
                        "error": "The value is not valid JSON.",
                        "timestamp": window(None, 2, 2)["start"],
                    },
                    2,
                )
            ],
        },
    ),
    # One update for each view of its page and minute: /a 1, /b 1, /b 2, /c 1, /d 1, /a 2; the click is filtered out.
    # /b overtakes /a with its second view. /d has one view, not more than /c: the ranking goes out unchanged. /a has
    # two, not more than /b: it stays second. The view at 60 s is of the next minute (end exclusive), whose ranking
    # starts again; then a view at 30 s is late: end 60 s > stream time 60 s does not hold, so it is dropped.
    "e10-real-time-analytics": Probe(
        each(
            "user-events",
            view("/a", 1 * SECOND),
            view("/b", 2 * SECOND),
            view("/a", 3 * SECOND, "click"),
            view("/b", 4 * SECOND),
            view("/c", 5 * SECOND),
            view("/d", 50 * SECOND),
            view("/a", 60 * SECOND - 1),
            view("/a", 60 * SECOND),
            view("/d", 30 * SECOND),
        ),
        {
            "page-counts": [
                (window("/a", 0, MINUTE), 1, 1 * SECOND),
                (window("/b", 0, MINUTE), 1, 2 * SECOND),
                (window("/b", 0, MINUTE), 2, 4 * SECOND),
                (window("/c", 0, MINUTE), 1, 5 * SECOND),
                (window("/d", 0, MINUTE), 1, 50 * SECOND),
                (window("/a", 0, MINUTE), 2, 60 * SECOND - 1),
                (window("/a", MINUTE, 2 * MINUTE), 1, 60 * SECOND),
            ],
            "top-pages": [
                ("all", minute(0, first=("/a", 1)), 1 * SECOND),
                ("all", minute(0, first=("/a", 1), second=("/b", 1)), 2 * SECOND),
                ("all", minute(0, first=("/b", 2), second=("/a", 1)), 4 * SECOND),
                ("all", minute(0, first=("/b", 2), second=("/a", 1), third=("/c", 1)), 5 * SECOND),
                ("all", minute(0, first=("/b", 2), second=("/a", 1), third=("/c", 1)), 50 * SECOND),
                ("all", minute(0, first=("/b", 2), second=("/a", 2), third=("/c", 1)), 60 * SECOND - 1),
                ("all", minute(MINUTE, first=("/a", 1)), 60 * SECOND),
            ],
        },
        dropped=1,
    ),
    # By arrival: 20 min and 30 min of silence join u1's session, 30 min and 1 ms do not. Each time the session
    # grows its old bounds are deleted, at the time of its old end.
    "e22-arrival-sessions": Probe(
        CLICKS,
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
        arrivals=ARRIVALS,
        at_once={"session-click-aggregations": [("u1", 1), ("u1", 2), ("u2", 1), ("u1", 3), ("u1", 4)]},
    ),
    # A session is closed once its end < arrival - 30 min: those that end at 25 min and 50 min at 80 min and 1 ms,
    # in the order of their ends. The last one stays open.
    "e22-arrival-sessions-on-close": Probe(
        CLICKS,
        {
            "session-click-aggregations": [
                (window("u2", 25 * MINUTE, 25 * MINUTE), 1, 25 * MINUTE),
                (window("u1", 0, 50 * MINUTE), 3, 50 * MINUTE),
            ]
        },
        arrivals=ARRIVALS,
        at_once={"session-click-aggregations": []},
    ),
}
