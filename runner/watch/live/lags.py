"""The lag of a run in a topic as time, and its trend. Pure. Rates are in records a second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

Trend = Literal["falling", "steady", "rising"]
KEEP_MS = 20_000
"""Lags are kept this long, to notice one that moves slowly."""
RECENT_MS = 3_000
MIN_MS = 2_000
"""A trend needs lags at least this far apart."""
STEADY = 0.05
"""The share by which a steady lag may move."""
PACE_MS = 1_000
SHOWN_MS = 10_000
"""A trend that users see is one of this time, so that its arrow does not turn with each batch."""


class Poll(NamedTuple):
    """The sum of a topic's ends over all partitions, and the unread part, at a time (ms)."""

    at: int
    end: int
    lag: int


# Lag ends at the last stable offset: the job cannot read records behind an open transaction, so it is not behind.
# They are counted apart, because a hanging producer must not look like a quiet topic.
def estimate_lag_seconds(polls: Sequence[Poll], rate: float, cycle_ms: int) -> float | None:
    """Seconds of work behind. 0 while the run keeps up, None if nothing moves or nothing is known."""
    if not polls:
        return None
    if keeps_up(polls, cycle_ms):
        return 0.0
    return round(polls[-1].lag / rate, 1) if rate else None


def estimate_catch_up_seconds(polls: Sequence[Poll], rate: float, cycle_ms: int) -> float | None:
    """Seconds until the lag is 0 if it keeps falling like this. 0 while the run keeps up, else None."""
    if not polls:
        return None
    if keeps_up(polls, cycle_ms):
        return 0.0
    if find_trend(polls, rate, cycle_ms) != "falling":
        return None
    first, last, recent = polls[0], polls[-1], _take_recent(polls)
    speed = max(rate - _count_arrivals(recent) / _count_seconds(recent), (first.lag - last.lag) / _count_seconds(polls))
    return round(last.lag / speed, 1)


def find_shown_trend(polls: Sequence[Poll], rate: float, cycle_ms: int) -> Trend | None:
    """The trend of the last ten seconds. None while the lag is not known for so long.

    `rate` is that of reading in the same time.
    """
    if not polls or polls[-1].at - polls[0].at < SHOWN_MS:
        return None
    return find_trend(polls, rate, cycle_ms, SHOWN_MS)


def find_trend(polls: Sequence[Poll], rate: float, cycle_ms: int, recent_ms: int = RECENT_MS) -> Trend | None:
    """The trend of the lag. None while it is known for too short a time.

    `rate` is that of reading, `cycle_ms` the time of a batch. The arrivals of the last seconds are compared with the
    records read in them: a lag falls only when a batch is committed. A slow change shows in the lag itself, beyond the
    size of a batch. A lag that did not rise in the last seconds is not rising, whatever it did before. A steady lag
    moves by no more than 5 %, and by no more than a second's records.
    """
    if not polls or polls[-1].at - polls[0].at < MIN_MS:
        return None
    recent, last = _take_recent(polls, recent_ms), polls[-1]
    slack = max(STEADY * last.lag, rate * PACE_MS / 1_000)
    slack_of_lag = max(slack, rate * cycle_ms / 1_000)
    net = _count_arrivals(recent) - rate * _count_seconds(recent)
    rise, drift = last.lag - recent[0].lag, last.lag - polls[0].lag
    if rise > 0 and (net > slack or drift > slack_of_lag):
        return "rising"
    if net < -slack or (rise < 0 and drift < -slack_of_lag):
        return "falling"
    return "steady"


def keeps_up(polls: Sequence[Poll], cycle_ms: int) -> bool:
    """Whether the lag is at most the arrivals while a batch waits and runs (Little's law).

    A record that arrived just before one look is read by the next, so the smaller of the last two lags counts.
    """
    lag = min(poll.lag for poll in polls[-2:])
    recent = _take_recent(polls)
    return lag <= _count_arrivals(recent) / _count_seconds(recent) * max(PACE_MS, 2 * cycle_ms) / 1_000


def _take_recent(polls: Sequence[Poll], recent_ms: int = RECENT_MS) -> Sequence[Poll]:
    """The polls of the last seconds, at least two if there are two."""
    since = polls[-1].at - recent_ms
    first = next(number for number, poll in enumerate(polls) if poll.at >= since)
    return polls[max(0, min(first, len(polls) - 2)) :]


def _count_arrivals(polls: Sequence[Poll]) -> int:
    return max(0, polls[-1].end - polls[0].end)


def _count_seconds(polls: Sequence[Poll]) -> float:
    return max(1, polls[-1].at - polls[0].at) / 1_000
