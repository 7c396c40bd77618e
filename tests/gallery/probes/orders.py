"""Orders, one stream alone: E11 to E13, E19, E25 to E28, E31, E32, E37."""

from __future__ import annotations

from typing import Any

from tests.gallery.probe import HOUR, MINUTE, SECOND, Probe, each, window
from tests.gallery.samples import ANN, ORD_001, ORD_002, ORD_003, ORD_004, SAMPLE, order, ordered

FIVE = 5 * MINUTE


def of_user(order_id: str, user: str) -> dict[str, Any]:
    return {"order_id": order_id, "user_id": user, "amount": 1.0}


def total(user: str, count: int) -> dict[str, Any]:
    return {"user_id": user, "order_count": count}


def amount(of: float) -> dict[str, Any]:
    return order("o", "c1", of, "US-WEST")


def timed(value: dict[str, Any], at: str) -> tuple[str, dict[str, Any], int]:
    """An order whose time stands in a field; that of its record says nothing."""
    return value["order_id"], value | {"order_time": f"2026-01-01T{at}Z"}, 0


def revenue(region: str, of: float, start: str = "00:00:00", end: str = "00:05:00") -> dict[str, Any]:
    bounds = {"window_start": f"2026-01-01T{start}.000Z", "window_end": f"2026-01-01T{end}.000Z"}
    return {"region": region} | bounds | {"total_revenue": of}


def change(store: str, item: str, by: int, at: int) -> tuple[None, dict[str, Any], int]:
    return None, {"store_id": store, "item": item, "change": by}, at


def stock(store: str, item: str, count: int) -> tuple[str, dict[str, Any]]:
    return f"{store}/{item}", {"store_id": store, "item": item, "in_stock": count}


PROBES = {
    # Each store has its own row of an item.
    "e37-store-inventory": Probe(
        each(
            "stock-changes",
            change("oslo", "lamp", 10, 0),
            change("oslo", "lamp", -3, 1),
            change("bergen", "lamp", 4, 2),
        ),
        {
            "inventory-updates": [
                (*stock("oslo", "lamp", 10), 0),
                (*stock("oslo", "lamp", 7), 1),
                (*stock("bergen", "lamp", 4), 2),
            ]
        },
    ),
    # (KS)
    "e11-basic-processor": Probe(
        each("orders", ("k1", "abc", 0), ("k2", None, 1), (None, "nokey", 2)),
        {"processed-orders": [("k1", "ABC", 0), (None, "NOKEY", 2)]},
    ),
    # A result for each order: u1 1, u1 2, u2 1.
    "e12-order-counter": Probe(
        each("orders", (None, of_user("o1", "u1"), 0), (None, of_user("o2", "u1"), 1), (None, of_user("o3", "u2"), 2)),
        {"processed_orders": [("u1", total("u1", 1), 0), ("u1", total("u1", 2), 1), ("u2", total("u2", 1), 2)]},
    ),
    # (KS) The retention of 24 h has no effect: the third order comes 48 h later and is added.
    "e13-order-summary": Probe(
        each("orders", ("c1", amount(10.0), 0), ("c1", amount(5.5), 1), ("c1", amount(1.0), 48 * HOUR)),
        {
            "order-summaries": [
                ("c1", {"count": 1, "sum": 10.0}, 0),
                ("c1", {"count": 2, "sum": 15.5}, 1),
                ("c1", {"count": 3, "sum": 16.5}, 48 * HOUR),
            ]
        },
    ),
    # Continue: the record in the middle is skipped and counted.
    "e19-bad-records": Probe(
        [SAMPLE[0], ("orders", b"ORD-002", b'{"order_id": "ORD-0', 1), SAMPLE[2]],
        {"good-orders": [("ORD-001", ORD_001, 0), ("ORD-003", ORD_003, 2 * SECOND)]},
        dropped=1,
    ),
    # All three orders are valid; 99.99 + 75.25 = 175.24; all three come out of a left join, one without its customer.
    "e25-overview": Probe(
        [("customers", "CUST-123", ANN, 0), *SAMPLE],
        {
            "valid-orders": [
                ("ORD-001", ORD_001, 0),
                ("ORD-002", ORD_002, 1 * SECOND),
                ("ORD-003", ORD_003, 2 * SECOND),
            ],
            "revenue-by-region": [
                ("US-WEST", 99.99, 0),
                ("US-EAST", 149.5, 1 * SECOND),
                ("US-WEST", 175.24, 2 * SECOND),
            ],
            "enriched-orders": [
                ("CUST-123", ORD_001 | {"customer": ANN}, 0),
                ("CUST-456", ORD_002 | {"customer": None}, 1 * SECOND),
                ("CUST-123", ORD_003 | {"customer": ANN}, 2 * SECOND),
            ],
        },
    ),
    # (KS) Only the second is above 100; exactly 100 and none at all are not.
    "e26-vip-orders": Probe(
        [*SAMPLE, ordered(order("ORD-005", "c", 100.0, None), 3), ordered(order("ORD-006", "c", None, None), 4)],
        {"vip-orders": [("ORD-002", ORD_002 | {"vip": True}, 1 * SECOND)]},
    ),
    # (KS), and an order without a region.
    "e27-orders-by-region": Probe(
        [*SAMPLE, ordered(order("ORD-005", "c", 1.0, None), 3 * SECOND)],
        {
            "order-counts": [
                ("US-WEST", 1, 0),
                ("US-EAST", 1, 1 * SECOND),
                ("US-WEST", 2, 2 * SECOND),
                ("UNKNOWN", 1, 3 * SECOND),
            ]
        },
    ),
    # (KS)
    "e28-windowed-revenue": Probe(
        [*SAMPLE, ordered(ORD_004, 301 * SECOND), ordered(order("ORD-005", "c", 1.0, "US-WEST"), 299 * SECOND)],
        {
            "windowed-revenue": [
                (window("US-WEST", 0, FIVE), 99.99, 0),
                (window("US-EAST", 0, FIVE), 149.5, 1 * SECOND),
                (window("US-WEST", 0, FIVE), 175.24, 2 * SECOND),
                (window("US-EAST", FIVE, 2 * FIVE), 10.0, 301 * SECOND),
            ]
        },
        dropped=1,
    ),
    # A window is closed once its end <= stream time - 5 s. At 301 s [0, 300 s) is open, so the order of 299 s counts:
    # 175.24 + 1 = 176.24. At 304.999 s it is open still, at 305 s it goes on, by key; the window of 300 s stays.
    # The time of a row is the greatest of its orders.
    "e28-windowed-revenue-on-close": Probe(
        each(
            "orders",
            timed(ORD_001, "00:00:00"),
            timed(ORD_002, "00:00:01"),
            timed(ORD_003, "00:00:02"),
            timed(ORD_004, "00:05:01"),
            timed(order("ORD-005", "c", 1.0, "US-WEST"), "00:04:59"),
            timed(ORD_004, "00:05:04.999"),
            timed(ORD_004, "00:05:05"),
        ),
        {
            "windowed-revenue": [
                ("US-EAST", revenue("US-EAST", 149.5), 1 * SECOND),
                ("US-WEST", revenue("US-WEST", 176.24), 299 * SECOND),
            ]
        },
    ),
    # The first of an id passes; what follows within a day is a repeat, whatever it holds.
    "e31-deduplication": Probe(
        each("orders", ("o1", "a", 0), ("o1", "a", 1), ("o1", "b", 2), ("o2", "a", 3)),
        {"deduplicated-orders": [("o1", "a", 0), ("o2", "a", 3)]},
    ),
    # (KS) The reduce as printed removes nothing.
    "e31-deduplication-by-reduce": Probe(
        each("orders", ("o1", "a", 0), ("o1", "a", 1), ("o1", "b", 2)),
        {"deduplicated-orders": [("o1", "a", 0), ("o1", "a", 1), ("o1", "b", 2)]},
    ),
    # Every change of the count goes on.
    "e32-changelog": Probe(
        each("regional-orders", ("US-WEST", ORD_001, 0), ("US-WEST", ORD_003, 1)),
        {"region-count-changes": [("US-WEST", 1, 0), ("US-WEST", 2, 1)]},
    ),
}
