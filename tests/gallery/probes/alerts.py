"""Fraud detection: E35."""

from __future__ import annotations

from tests.gallery.probe import SECOND, Given, Probe


def paid(number: int, user: str, amount: float, location: str, at: int) -> Given:
    value = {"txnId": f"t{number}", "userId": user, "amount": amount, "location": location}
    return "transactions", user, value, at * SECOND


PROBES = {
    # Exactly 10000 is not high; 12345678.9 is, and Java writes it with an exponent. Rome is not in u1's profile. The
    # fourth transaction in [0, 300 s) is the first beyond three, and each later one alerts again. u2 has no profile:
    # silent. The one of 299 s comes at stream time 300 s, within the grace; its count has the time 299 s. That of 298 s
    # comes at 360 s: 300 s > 360 s - 60 s does not hold, so it is dropped by the count, and nothing else is wrong with
    # it. The alert of a place comes from after a shuffle, after the other one.
    "e35-fraud-detection": Probe(
        [
            ("user-profiles", "u1", {"userId": "u1", "knownLocations": ["Paris", "London"]}, 0),
            paid(1, "u1", 10_000.0, "Paris", 0),
            paid(2, "u1", 12_345_678.9, "Rome", 10),
            paid(3, "u1", 10.0, "London", 20),
            paid(4, "u1", 10_000.5, "Paris", 30),
            paid(5, "u1", 10.0, "Paris", 40),
            paid(6, "u2", 10.0, "Oslo", 300),
            paid(7, "u1", 10.0, "Paris", 299),
            paid(8, "u1", 10.0, "Paris", 360),
            paid(9, "u1", 10.0, "Paris", 298),
        ],
        {
            "fraud-alerts": [
                ("u1", "High value: $1.23456789E7", 10 * SECOND),
                ("u1", "New location: Rome for user u1", 10 * SECOND),
                ("u1", "High value: $10000.5", 30 * SECOND),
                ("u1", "Rapid transactions: 4", 30 * SECOND),
                ("u1", "Rapid transactions: 5", 40 * SECOND),
                ("u1", "Rapid transactions: 6", 299 * SECOND),
            ]
        },
        dropped=1,
    ),
}
