"""Streams enriched from tables: E07, E23, E29."""

from __future__ import annotations

from typing import Any

from tests.gallery.probe import SECOND, Probe
from tests.gallery.samples import ANN, ORD_001, ORD_002, ORD_003, SAMPLE


def click(user: str, page: str) -> tuple[str, str, dict[str, Any], int]:
    return "clicks", user, {"user": user, "page": page}, 0


def seen(user: str, page: str, name: str, age: int | None) -> tuple[str, dict[str, Any], int]:
    return user, {"user": user, "page": page, "user_name": name, "user_age": age}, 0


def purchase(order_id: str, customer: str, amount: float) -> dict[str, Any]:
    when = "2026-01-01T00:00:00Z"
    return {"order_id": order_id, "customer_id": customer, "product_id": "p1", "amount": amount, "timestamp": when}


def credit(name: str, tier: str, limit: float, within: bool) -> dict[str, Any]:
    return {"customer_name": name, "tier": tier, "credit_limit": limit, "within_credit_limit": within}


def flat(order: dict[str, Any], customer: dict[str, Any] | None = None) -> dict[str, Any]:
    ids = {name: order[name] for name in ("order_id", "customer_id", "amount")}
    name, email = (customer["name"], customer["email"]) if customer else (None, None)
    return ids | {"customer_name": name, "customer_email": email}


GOLD = {"customer_id": "c1", "name": "Ann", "tier": "gold", "credit_limit": 100.0}

PROBES = {
    # (KS) Updates of the table alone give nothing.
    "e07-click-enrichment": Probe(
        [
            ("user-profiles", "alice", {"name": "Alice", "age": 26}, 0),
            click("alice", "/home"),
            click("bob", "/cart"),
            ("user-profiles", "bob", {"name": "Bob", "age": 30}, 0),
            click("bob", "/home"),
            ("user-profiles", "alice", None, 0),
            click("alice", "/x"),
        ],
        {
            "enriched-clicks": [
                seen("alice", "/home", "Alice", 26),
                seen("bob", "/cart", "Unknown", None),
                seen("bob", "/home", "Bob", 30),
                seen("alice", "/x", "Unknown", None),
            ]
        },
    ),
    # At the limit an order is within it, a cent above it is not; of an unknown customer the limit is 0.0, and even an
    # order of nothing is not within it.
    "e23-credit-check": Probe(
        [
            ("customers", "c1", GOLD, 0),
            ("orders", "o1", purchase("o1", "c1", 100.0), 1),
            ("orders", "o2", purchase("o2", "c1", 100.01), 2),
            ("orders", "o3", purchase("o3", "c9", 0.0), 3),
        ],
        {
            "checked-orders": [
                ("c1", purchase("o1", "c1", 100.0) | credit("Ann", "gold", 100.0, True), 1),
                ("c1", purchase("o2", "c1", 100.01) | credit("Ann", "gold", 100.0, False), 2),
                ("c9", purchase("o3", "c9", 0.0) | credit("UNKNOWN", "unknown", 0.0, False), 3),
            ]
        },
    ),
    # (KS)
    "e29-order-enrichment": Probe(
        [("customers", "CUST-123", ANN, 0), *SAMPLE],
        {
            "enriched-orders": [
                ("CUST-123", {"order": ORD_001, "customer": ANN}, 0),
                ("CUST-456", {"order": ORD_002, "customer": None}, 1 * SECOND),
                ("CUST-123", {"order": ORD_003, "customer": ANN}, 2 * SECOND),
            ]
        },
    ),
    # Orders come before their customer: each goes on with nulls, and the customer corrects both of its own, in the
    # order of their keys and at its own time.
    "e29-order-enrichment-corrected": Probe(
        [*SAMPLE, ("customers", "CUST-123", ANN, 3 * SECOND)],
        {
            "enriched-orders": [
                ("ORD-001", flat(ORD_001), 0),
                ("ORD-002", flat(ORD_002), 1 * SECOND),
                ("ORD-003", flat(ORD_003), 2 * SECOND),
                ("ORD-001", flat(ORD_001, ANN), 3 * SECOND),
                ("ORD-003", flat(ORD_003, ANN), 3 * SECOND),
            ]
        },
    ),
}
