"""The sample orders of the printed applications, and their customers."""

from __future__ import annotations

from typing import Any

from tests.gallery.probe import SECOND, Given


def order(order_id: str, customer_id: str, amount: float | None, region: str | None) -> dict[str, Any]:
    return {"order_id": order_id, "customer_id": customer_id, "amount": amount, "region": region}


ORD_001 = order("ORD-001", "CUST-123", 99.99, "US-WEST")
ORD_002 = order("ORD-002", "CUST-456", 149.5, "US-EAST")
ORD_003 = order("ORD-003", "CUST-123", 75.25, "US-WEST")
ORD_004 = order("ORD-004", "CUST-456", 10.0, "US-EAST")
ANN = {"customer_id": "CUST-123", "name": "Ann", "email": "ann@example.com"}


def ordered(value: dict[str, Any], at: int) -> Given:
    return "orders", value["order_id"], value, at


SAMPLE = [ordered(value, number * SECOND) for number, value in enumerate((ORD_001, ORD_002, ORD_003))]
"""The three of print, one second apart."""
