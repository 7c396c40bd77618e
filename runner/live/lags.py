"""How far behind a topic a run is, as time, and where that goes. Pure; rates are in records a second."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import linear_regression
from typing import Literal

Trend = Literal["falling", "steady", "rising"]
Lags = Sequence[tuple[int, int]]
"""Lags of the last seconds (about 20), each with its time (ms)."""
LEAST_MS = 5_000
"""A trend is told from lags that are so far apart, at least."""
STEADY = 0.05
"""The part of its mean that a steady lag may move by."""


def lag_seconds(lag: int, rate: float, latency_ms: int) -> float | None:
    """Seconds of work behind; 0 while the topic is kept up with, None when nothing moves."""
    if _keeps_up(lag, rate, latency_ms):
        return 0.0
    return round(lag / rate, 1) if rate else None


def catch_up_seconds(lags: Lags, rate: float, latency_ms: int) -> float | None:
    """Seconds until the lag is 0 if it goes on falling as it does; 0 while it is kept up with, else None."""
    if not lags:
        return None
    (first_at, first), (last_at, last) = lags[0], lags[-1]
    if _keeps_up(last, rate, latency_ms):
        return 0.0
    return round(last * (last_at - first_at) / (first - last) / 1_000, 1) if first > last else None


def trend(lags: Lags, rate: float, interval_ms: int) -> Trend | None:
    """Where the lag goes, by regression; None while it is known for too short a time.

    Steady is what moves by no more than 5 % of the mean lag, or by no more than a batch reads.
    """
    if not lags or (span := lags[-1][0] - lags[0][0]) < LEAST_MS:
        return None
    times, counts = zip(*lags, strict=True)
    moved = linear_regression(times, counts).slope * span
    if abs(moved) <= max(STEADY * sum(counts) / len(counts), rate * interval_ms / 1_000):
        return "steady"
    return "falling" if moved < 0 else "rising"


def _keeps_up(lag: int, rate: float, latency_ms: int) -> bool:
    """Whether the lag is no more than what arrives in the time a record takes (Little's law)."""
    return lag <= rate * latency_ms / 1_000
