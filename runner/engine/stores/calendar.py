"""Windows of a calendar: days, weeks, months and years of a time zone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache
from typing import get_args

from designer.topology.zones import get_zone
from designer.values.schemas import END_OF_TIME_MS, Calendar, Weekday, WindowSpec

DAY_MS = 86_400_000
CHUNK_MS = 400 * DAY_MS
"""Starts are computed for this span of time at once."""
MAX_CHUNKS = 64
EPOCH = date(1970, 1, 1).toordinal()
CYCLE_DAYS = 146_097
"""After 400 years the calendar repeats, including weekdays and the rules of zones."""
CYCLE_MS = CYCLE_DAYS * DAY_MS
MAX_DAYS = date(9000, 1, 1).toordinal() - EPOCH
"""Later days are computed as the same day of an earlier cycle, because Python's dates end with the year 9999."""
WEEKDAYS = get_args(Weekday)


class CalendarWindows:
    """The windows of a calendar. They follow each other without gap, each from its start to the next one's.

    If clocks skip a start, it is the moment after the skip. If they show it twice, it is the first (ZonedDateTime.of in
    Java). Windows are counted from the one that holds 1970-01-01. It starts at 0: windows have no negative times.
    """

    def __init__(self, calendar: Calendar) -> None:
        self.calendar = calendar
        self.zone = get_zone(calendar.zone)
        self.first_weekday = WEEKDAYS.index(calendar.week_start)
        self.chunks: dict[int, list[int]] = {}

    def bounds(self, timestamp: int) -> tuple[int, int]:
        """Start and end (ms) of the window that holds a time of 0 or later."""
        number = timestamp // CHUNK_MS
        starts = self.chunks.get(number) or self._fill(number)
        at = bisect_right(starts, timestamp)
        return starts[at - 1], min(starts[at], END_OF_TIME_MS)

    def list_starts(self, until: int) -> Iterator[int]:
        """The starts of all windows up to a time, and the first after it."""
        start = 0
        while start <= until:
            yield start
            _, start = self.bounds(start)
        yield start

    def _fill(self, number: int) -> list[int]:
        """All starts of a chunk of time, with the last before and the first after it."""
        begin, end = number * CHUNK_MS, (number + 1) * CHUNK_MS
        index = self._find_index(begin) - 1
        starts = [self._find_start(index)]
        while starts[-1] < end:
            index += 1
            starts.append(self._find_start(index))
        if len(self.chunks) >= MAX_CHUNKS:
            self.chunks.clear()
        chunk = self.chunks[number] = sorted({max(0, start) for start in starts})
        return chunk

    def _find_index(self, timestamp: int) -> int:
        """Number of a time's window by the clocks of the zone. It may be one too high where they are set back."""
        cycles = _count_cycles(timestamp // DAY_MS)
        local = datetime.fromtimestamp((timestamp - cycles * CYCLE_MS) // 1_000, self.zone).replace(tzinfo=None)
        day = (local - timedelta(hours=self.calendar.start_hour)).date()
        match self.calendar.unit:
            case "day":
                units = day.toordinal() - EPOCH + cycles * CYCLE_DAYS
            case "week":
                units = (day.toordinal() - EPOCH + cycles * CYCLE_DAYS - self._find_first_week()) // 7
            case "month":
                units = (day.year - 1970 + 400 * cycles) * 12 + day.month - 1
            case "year":
                units = day.year - 1970 + 400 * cycles
        return units // self.calendar.count

    def _find_start(self, index: int) -> int:
        days, hour = self._find_first_day(index * self.calendar.count), self.calendar.start_hour
        cycles = _count_cycles(days)
        day = date.fromordinal(EPOCH + days - cycles * CYCLE_DAYS)
        start = datetime(day.year, day.month, day.day, hour, tzinfo=self.zone)
        return int(start.timestamp()) * 1_000 + cycles * CYCLE_MS

    def _find_first_day(self, units: int) -> int:
        """The first day of a unit, counted from 1970-01-01."""
        match self.calendar.unit:
            case "day":
                return units
            case "week":
                return units * 7 + self._find_first_week()
            case "month":
                years, month = divmod(units, 12)
            case "year":
                years, month = units, 0
        cycles, year = divmod(years, 400)
        return date(1970 + year, month + 1, 1).toordinal() - EPOCH + cycles * CYCLE_DAYS

    def _find_first_week(self) -> int:
        """The first day of the week that holds 1970-01-01, a Thursday."""
        return -((3 - self.first_weekday) % 7)


def _count_cycles(days: int) -> int:
    """Number of cycles to go back to reach a day that Python's dates have."""
    return max(0, -((MAX_DAYS - days) // CYCLE_DAYS))


@cache
def get_calendar_windows(calendar: Calendar) -> CalendarWindows:
    return CalendarWindows(calendar)


def find_end(window: WindowSpec, start: int) -> int:
    """The end of the window that starts there. Sessions have their own ends."""
    if window.calendar is not None:
        return get_calendar_windows(window.calendar).bounds(start)[1]
    return start + window.length_ms
