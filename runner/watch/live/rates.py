"""Records a second, from the commit times of batches. Pure: times are arguments, in ms since 1970."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

# A mean since the previous commit would cover hours after an idle hour.
WINDOW_MS = 10_000
"""Rates are means over this time, or over the time between two batches if they are configured to begin less often."""
SPEED_MS = 3_000
"""The speed of reading, which lags are divided by, is the mean over this time: a burst is read faster than before."""
PAUSE_MS = 1_500
"""Maximum time after a commit during which the lack of a next one may be the usual pause between batches."""
HOLD_MS = 10_000
"""Minimum time that a batch may take before its silence counts as standstill."""
SILENT_MS = 5_000
"""A run reports each second whether a batch runs. An older report no longer counts."""
MIN_MS = 1_000


class Mark(NamedTuple):
    """The counts of a run when a batch was committed `at`. The batch's own part arrived evenly since `since`."""

    since: int
    at: int
    totals: Mapping[str, int]

    def make_next(self, started_at: int, committed_at: int, totals: Mapping[str, int]) -> Mark:
        """The mark of the next batch. If it was executed while this one was written, its time begins there."""
        since = max(started_at, self.at)
        return Mark(since, max(since, committed_at), totals)

    @property
    def took_ms(self) -> int:
        return self.at - self.since


class Beat(NamedTuple):
    """The last report of a run, and its time: since when a batch runs, or None."""

    at: int
    batch_since: int | None


def find_known_until(marks: Sequence[Mark], beat: Beat, interval_ms: int, now: int) -> int:
    """The end of the time for which reading is known.

    That is now if no batch runs, else its beginning or the last commit, whichever is later: a batch reports its records
    when it is committed. A batch that takes twice as long as the last (10 s at least) counts as standstill. So does a
    silent run. The usual pause between two batches is not a standstill.
    """
    last = marks[-1]
    if beat.batch_since is not None and now - beat.at <= SILENT_MS:
        return max(last.at, beat.batch_since, now - max(HOLD_MS, 2 * last.took_ms))
    pause = last.at - marks[-2].at if len(marks) > 1 else 0
    return max(last.at, now - min(pause, max(PAUSE_MS, interval_ms)))


def find_rates(marks: Sequence[Mark], until: int, window_ms: int = WINDOW_MS) -> dict[str, float]:
    """By counter, its mean growth a second in the window before `until`, which is at or after the last mark.

    >>> find_rates([Mark(0, 0, {"n": 0}), Mark(60_000, 61_000, {"n": 900})], 61_000)
    {'n': 300.0}
    """
    first = max(until - window_ms, marks[0].at)
    seconds = max(until - first, MIN_MS) / 1_000
    place = next((number for number, mark in enumerate(marks) if mark.at > first), None)
    if place is None:
        return dict.fromkeys(marks[-1].totals, 0.0)
    before, mark = marks[place - 1].totals, marks[place]
    share = max(0, first - mark.since) / max(1, mark.took_ms)
    rates = {}
    for name, total in marks[-1].totals.items():
        then = before.get(name, 0)
        read_before = then + (mark.totals.get(name, 0) - then) * share
        rates[name] = round((total - read_before) / seconds, 1)
    return rates


def keep_needed_marks(marks: Sequence[Mark], window_ms: int) -> list[Mark]:
    """The marks that rates may still need: those of the window before the last, and one before it."""
    since = marks[-1].at - window_ms
    first = next(number for number, mark in enumerate(marks) if mark.at > since or mark is marks[-1])
    return list(marks[max(0, min(first - 1, len(marks) - 2)) :])
