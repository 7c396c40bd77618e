"""What the lags of the last seconds say."""

from collections.abc import Iterable

import pytest

from runner.watch.live.lags import Poll, estimate_catch_up_seconds, estimate_lag_seconds, find_trend


def every_second(lags: Iterable[int], arriving: int = 1_000) -> list[Poll]:
    """Polls of a topic to which so many records come in a second."""
    return [Poll(1_000 * second, 100_000 + arriving * second, lag) for second, lag in enumerate(lags)]


def test_lag_is_told_as_the_time_it_takes_to_read_at_the_rate_of_now():
    assert estimate_lag_seconds(every_second([1_000] * 3, arriving=0), rate=500, cycle_ms=200) == 2.0
    assert estimate_lag_seconds(every_second([7] * 3, arriving=0), rate=0, cycle_ms=200) is None
    assert estimate_lag_seconds([], rate=500, cycle_ms=200) is None


def test_a_topic_that_is_kept_up_with_is_not_behind():
    assert estimate_lag_seconds(every_second([0]), rate=0, cycle_ms=0) == 0.0
    assert estimate_lag_seconds(every_second([500, 100, 500], arriving=500), rate=500, cycle_ms=200) == 0.0


def test_a_record_that_came_just_before_a_look_is_no_lag():
    assert estimate_lag_seconds(every_second([0, 0, 1], arriving=0), rate=0, cycle_ms=200) == 0.0
    assert estimate_lag_seconds(every_second([0, 0, 1, 1], arriving=0), rate=0, cycle_ms=200) is None


@pytest.mark.parametrize(
    ("lags", "rate", "expected"),
    [
        (range(50_000, 30_000, -1_000), 2_000, "falling"),
        (range(0, 20_000, 1_000), 0, "rising"),
        ([50_000] * 20, 1_000, "steady"),
        ([50_000 + 100 * second for second in range(20)], 900, "steady"),
        ([50_000 + 400 * second for second in range(20)], 600, "rising"),
    ],
)
def test_the_trend_of_a_lag_is_that_of_the_last_seconds(lags: list[int], rate: float, expected: str):
    assert find_trend(every_second(lags), rate, cycle_ms=1_000) == expected


def test_a_lag_that_rose_and_rises_no_more_is_not_rising():
    burst = [0] * 5 + [600_000, 600_000, 600_000, 600_000]
    polls = [Poll(1_000 * second, lag, lag) for second, lag in enumerate(burst)]

    assert [find_trend(polls[:count], rate=0, cycle_ms=100) for count in (6, 7, 9)] == ["rising", "rising", "steady"]


def test_what_a_batch_reads_is_no_trend():
    between_batches_of_five_seconds = every_second(1_000 * (second % 5) for second in range(18))

    found = {
        find_trend(between_batches_of_five_seconds[:until], rate=1_000, cycle_ms=5_000)
        for until in range(3, len(between_batches_of_five_seconds))
    }

    assert found == {"steady"}


def test_a_topic_that_nobody_reads_falls_behind_though_slowly():
    assert find_trend(every_second(range(100, 120), arriving=1), rate=0, cycle_ms=1_000) == "rising"


def test_a_moment_is_no_trend():
    assert find_trend([], rate=0, cycle_ms=0) is None
    assert find_trend(every_second([9_000, 6_000]), rate=4_000, cycle_ms=500) is None


def test_the_time_to_catch_up_follows_what_is_read_beyond_what_arrives():
    falling = every_second(range(10_000, 7_000, -500))

    assert estimate_catch_up_seconds(falling, rate=1_500, cycle_ms=200) == 15.0
    assert estimate_catch_up_seconds(every_second([0, 0]), rate=1_000, cycle_ms=200) == 0.0
    assert estimate_catch_up_seconds(every_second([50_000] * 20), rate=1_000, cycle_ms=200) is None
    assert estimate_catch_up_seconds(every_second(range(0, 20_000, 1_000)), rate=0, cycle_ms=200) is None
