"""Windows of a calendar: where days, weeks, months and years of a zone begin and end."""

from datetime import datetime
from typing import Any

import pytest

from designer.topology.zones import get_zone
from designer.values.schemas import Calendar
from runner.engine.operators.windowed_by import MAX_MS, MAX_SET_BACK_MS
from runner.engine.stores.calendar import CalendarWindows

HOUR = 3_600_000
CPH = "Europe/Copenhagen"


def at(local: str, name: str = "UTC", fold: int = 0) -> int:
    """A local time as ms since 1970."""
    return int(datetime.fromisoformat(local).replace(tzinfo=get_zone(name), fold=fold).timestamp()) * 1_000


@pytest.mark.parametrize(
    ("calendar", "time", "start", "end", "hours"),
    [
        ({"zone": CPH}, "2026-03-29T12:00", "2026-03-29", "2026-03-30", 23),
        ({"zone": CPH}, "2026-10-25T12:00", "2026-10-25", "2026-10-26", 25),
        (
            {"zone": "Europe/Copenhagen", "start_hour": 6},
            "2026-03-29T05:59",
            "2026-03-28T06:00",
            "2026-03-29T06:00",
            23,
        ),
        ({"zone": "Australia/Lord_Howe"}, "2026-04-05T12:00", "2026-04-05", "2026-04-06", 24.5),
        ({"zone": "America/Sao_Paulo"}, "2018-11-04T12:00", "2018-11-04T01:00", "2018-11-05", 23),
        ({"zone": "America/Sao_Paulo"}, "2018-02-17T12:00", "2018-02-17", "2018-02-18", 25),
        ({"zone": "Pacific/Apia"}, "2011-12-29T12:00", "2011-12-29", "2011-12-31", 24),
        ({"count": 2}, "1970-01-04T12:00", "1970-01-03", "1970-01-05", 48),
        ({"unit": "week"}, "2026-01-01", "2025-12-29", "2026-01-05", 168),
        ({"unit": "week", "week_start": "sunday"}, "2026-01-04", "2026-01-04", "2026-01-11", 168),
        ({"unit": "month"}, "2028-02-29T23:59", "2028-02-01", "2028-03-01", 29 * 24),
        ({"unit": "month", "zone": "America/New_York"}, "2026-11-30", "2026-11-01", "2026-12-01", 30 * 24 + 1),
        ({"unit": "month", "count": 3}, "2026-05-01", "2026-04-01", "2026-07-01", 91 * 24),
        ({"unit": "year", "zone": "Asia/Tokyo"}, "2024-12-31T23:59", "2024-01-01", "2025-01-01", 366 * 24),
        ({"unit": "year", "count": 10}, "2029-12-31", "2020-01-01", "2030-01-01", 3_653 * 24),
        ({}, "9999-12-31T12:00", "9999-12-31", None, 24),
    ],
)
def test_a_window_is_from_its_start_to_the_next_one(
    calendar: dict[str, Any], time: str, start: str, end: str | None, hours: float
):
    name = calendar.get("zone", "UTC")

    bounds = CalendarWindows(Calendar(**{"unit": "day"} | calendar)).bounds(at(time, name))

    assert bounds == (at(start, name), at(start, name) + int(hours * HOUR))
    assert end is None or bounds[1] == at(end, name)


def test_a_day_that_clocks_enter_twice_begins_once():
    """At 00:01 of 2 November 2008 clocks in St. John's went back to 23:01."""
    days = CalendarWindows(Calendar("day", zone="America/St_Johns"))

    again = days.bounds(at("2008-11-01T23:30", "America/St_Johns", fold=1))

    assert again == days.bounds(at("2008-11-02T12:00", "America/St_Johns"))


def test_no_window_starts_before_the_epoch():
    assert CalendarWindows(Calendar("day", zone="Asia/Tokyo")).bounds(0) == (0, 15 * HOUR)


@pytest.mark.parametrize("unit", ["day", "week", "month", "year"])
@pytest.mark.parametrize("name", ["Europe/Copenhagen", "America/St_Johns", "Pacific/Apia", "Antarctica/Vostok"])
def test_windows_follow_each_other_without_gap_and_none_is_longer_than_is_said(unit: Any, name: str):
    windows = CalendarWindows(Calendar(unit, zone=name))

    start, longest = 0, 0
    while start < at("2040-01-01"):
        bounds = windows.bounds(start)
        assert bounds[0] == start
        assert windows.bounds(bounds[1] - 1) == bounds
        longest, start = max(longest, bounds[1] - start), bounds[1]

    assert longest <= MAX_MS[unit] + MAX_SET_BACK_MS


@pytest.mark.parametrize("time", [10**14, 10**16, 2**62, 2**63 - 1])
def test_times_far_ahead_have_windows_as_well(time: int):
    start, end = CalendarWindows(Calendar("day", zone="Europe/Copenhagen")).bounds(time)

    assert start <= time <= end
    assert end - start <= 25 * HOUR
