"""What the lags of the last seconds say."""

import pytest

from runner.live.lags import lag_seconds, trend


def every_second(*lags: int) -> list[tuple[int, int]]:
    return [(1_000 * second, lag) for second, lag in enumerate(lags)]


def test_lag_is_told_as_the_time_it_takes_to_read_at_the_rate_of_now():
    assert lag_seconds(1_000, rate=500, latency_ms=200) == 2.0
    assert lag_seconds(7, rate=0, latency_ms=200) is None


def test_a_topic_that_is_kept_up_with_is_not_behind():
    assert lag_seconds(0, rate=0, latency_ms=0) == 0.0
    assert lag_seconds(100, rate=500, latency_ms=200) == 0.0


@pytest.mark.parametrize(
    ("lags", "expected"),
    [
        (range(50_000, 30_000, -1_000), "falling"),
        (range(0, 20_000, 1_000), "rising"),
        ([50_000] * 20, "steady"),
        ([50_000 + 100 * second for second in range(20)], "steady"),
    ],
)
def test_the_trend_of_a_lag_is_that_of_the_last_seconds(lags: list[int], expected: str):
    assert trend(every_second(*lags), rate=1_000, interval_ms=1_000) == expected


def test_what_a_batch_reads_is_no_trend():
    between_batches_of_five_seconds = [1_000 * (second % 5) for second in range(18)]

    assert trend(every_second(*between_batches_of_five_seconds), rate=1_000, interval_ms=5_000) == "steady"


def test_a_topic_that_nobody_reads_falls_behind_though_slowly():
    assert trend(every_second(*range(100, 120)), rate=0, interval_ms=1_000) == "rising"


def test_a_few_seconds_are_no_trend():
    assert trend([], rate=0, interval_ms=0) is None
    assert trend(every_second(9_000, 6_000, 3_000, 0), rate=1_000, interval_ms=500) is None
