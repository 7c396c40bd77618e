"""Tables and pairs of streams: E06, E09, E18, E20."""

from __future__ import annotations

from typing import Any

from tests.gallery.probe import HOUR, MINUTE, Given, Probe, Written, each
from tests.gallery.samples import ORD_001, ORD_002, ORD_003


def event(topic: str, user: str, product: str, at: int) -> Given:
    return topic, user, {"user": user, "product": product, "timestamp": at // 1_000}, at


def pair(user: str, clicked: str, purchased: str, time_diff: int) -> dict[str, Any]:
    return {"user": user, "clicked_product": clicked, "purchased_product": purchased, "time_diff": time_diff}


def enriched(user: str, order: Any, other: Any, at: int) -> Written:
    return user, {"order": order, "other": other}, at


YOUNG, OLD = {"name": "Ann", "age": 30}, {"name": "Ann", "age": 31}
SUMMARY = {"count": 2, "sum": 20.0}

PROBES = {
    # p2 is bought exactly one hour after p1 was clicked: joined, both ends belong to the window. p3 is 1 ms later: not.
    # The click of p4 at 90 min meets purchases from 30 to 150 min, p2 and p3, in the order of their times, with a
    # negative difference. The purchase of p5 at 10 min comes late, and still meets the click at 0 within the grace.
    # bob clicked nothing. The time is the greater of both.
    "e06-clicks-and-purchases": Probe(
        [
            event("clicks", "alice", "p1", 0),
            event("purchases", "alice", "p2", HOUR),
            event("purchases", "alice", "p3", HOUR + 1),
            event("purchases", "bob", "p1", HOUR + 2),
            event("clicks", "alice", "p4", 90 * MINUTE),
            event("purchases", "alice", "p5", 10 * MINUTE),
        ],
        {
            "clicks-with-purchases": [
                ("alice", pair("alice", "p1", "p2", 3_600), HOUR),
                ("alice", pair("alice", "p4", "p2", -1_800), 90 * MINUTE),
                ("alice", pair("alice", "p4", "p3", -1_800), 90 * MINUTE),
                ("alice", pair("alice", "p1", "p5", 600), 10 * MINUTE),
            ]
        },
    ),
    # (KS) An order of an unknown product gives nothing. Profiles end as alice 26 and bob 30.
    "e09-tables": Probe(
        [
            ("product-catalog", "product-1", {"name": "Laptop", "price": 999}, 0),
            ("product-orders", "O1", {"product_id": "product-1", "quantity": 1}, 1),
            ("product-orders", "O2", {"product_id": "product-9", "quantity": 1}, 2),
            ("user-profiles", "alice", {"name": "Alice", "age": 25}, 3),
            ("user-profiles", "alice", {"name": "Alice", "age": 26}, 4),
            ("user-profiles", "bob", {"name": "Bob", "age": 30}, 5),
        ],
        {
            "priced-orders": [("O1", "Laptop 999", 1)],
            "current-profiles": [
                ("alice", {"name": "Alice", "age": 25}, 3),
                ("alice", {"name": "Alice", "age": 26}, 4),
                ("bob", {"name": "Bob", "age": 30}, 5),
            ],
        },
    ),
    # Left join with the profile table: each order, at once, with what is known then. Inner join with the summary table:
    # only the order that comes after the summary. Inner join with profile updates within an hour: each order with the
    # update before it, and the later update with both orders, in the order of their times, at the update's time.
    "e18-joins": Probe(
        [
            ("user-profiles", "u1", YOUNG, 0),
            ("orders", "u1", ORD_001, 10 * MINUTE),
            ("order-summaries", "u1", SUMMARY, 20 * MINUTE),
            ("orders", "u1", ORD_002, 30 * MINUTE),
            ("orders", "u2", ORD_003, 40 * MINUTE),
            ("user-profiles", "u1", OLD, 50 * MINUTE),
        ],
        {
            "orders-with-profile": [
                enriched("u1", ORD_001, YOUNG, 10 * MINUTE),
                enriched("u1", ORD_002, YOUNG, 30 * MINUTE),
                enriched("u2", ORD_003, None, 40 * MINUTE),
            ],
            "orders-with-summary": [enriched("u1", ORD_002, SUMMARY, 30 * MINUTE)],
            "orders-with-profile-updates": [
                enriched("u1", ORD_001, YOUNG, 10 * MINUTE),
                enriched("u1", ORD_002, YOUNG, 30 * MINUTE),
                enriched("u1", ORD_001, OLD, 50 * MINUTE),
                enriched("u1", ORD_002, OLD, 50 * MINUTE),
            ],
        },
    ),
    # (KS) The changelog is the same five records; the table ends as A 3, B 4, C 1.
    "e20-duality": Probe(
        each("numbers", ("A", 1, 0), ("B", 2, 1), ("A", 3, 2), ("C", 1, 3), ("B", 4, 4)),
        {"latest-numbers": [("A", 1, 0), ("B", 2, 1), ("A", 3, 2), ("C", 1, 3), ("B", 4, 4)]},
    ),
}
