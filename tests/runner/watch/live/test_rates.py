"""Rates, trends and the time to catch up, by a made-up clock."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runner.spark.events import ProgressEvent
from runner.watch.live.numbers import Numbers
from runner.watch.live.positions import TopicPosition
from runner.watch.live.rates import Beat, Mark, find_known_until, find_rates, keep_needed_marks

START = 1_000_000_000


class Made:
    """A run that reads one topic, told second by second as a child tells it. Times are ms since the start."""

    def __init__(self, interval_ms: int = 100, offset: int = 0) -> None:
        self.numbers = Numbers(["orders"], [], START, interval_ms)
        self.numbers.positions["orders"] = TopicPosition([offset])
        self.batch = 0
        self.offset = self.end = offset

    def commits(self, records: int, began: int, at: int, next_began: int | None = None) -> None:
        self.offset += records
        counts = {"in": records, "out": records, "dropped": 0, "errors": 0}
        event: ProgressEvent = {
            "type": "progress",
            "batch": self.batch,
            "started_at": START + began,
            "committed_at": START + at,
            "duration_ms": at - began,
            "records_in": records,
            "nodes": {"orders": counts},
            "sources": {"orders": [self.offset]},
            "in_batch_ms": 0 if next_began is None else at - next_began,
        }
        self.batch += 1
        self.numbers.note_progress(event, START + at)

    def beats(self, at: int, began: int | None = None) -> None:
        """And Kafka says how far the topic reaches."""
        self.numbers.note_beat(0 if began is None else at - began, START + at)
        self.numbers.reach({"orders": [self.end]}, {"orders": [self.end]}, START + at)

    def at(self, at: int) -> dict[str, Any]:
        """What the source says then."""
        found: Any = self.numbers.to_json(START + at)["sources"]["orders"]
        return dict(found)


def idle(run: Made, seconds: Iterable[int]) -> None:
    for second in seconds:
        run.beats(1_000 * second)


def steady(run: Made, seconds: Iterable[int], rate: int = 1_000) -> None:
    """A batch of 300 ms each second."""
    for second in seconds:
        run.end += rate
        run.commits(rate, 1_000 * second, 1_000 * second + 300)
        run.beats(1_000 * second + 500)


def test_a_burst_after_minutes_without_records_is_told_as_it_is():
    run = Made()
    run.end = 10
    run.commits(10, 0, 200)
    idle(run, range(1, 300))
    assert (run.at(299_500)["rate"], run.at(299_500)["total_lag"]) == (0.0, 0)

    run.end = 600_010
    run.beats(300_000)
    run.beats(301_000, began=300_100)
    first = run.at(301_500)
    assert (first["rate"], first["total_lag"], first["trend"]) == (0.0, 600_000, "rising")
    assert first["lag_s"] is None  # nothing of it was read yet

    for number in range(3):
        began = 300_100 + 3_000 * number
        run.commits(200_000, began, began + 3_000, next_began=began + 3_000)
        run.beats(began + 3_100, began=began + 3_000)
        found = run.at(began + 3_200)
        left = 400_000 - 200_000 * number
        assert found["rate"] == round(20_000.0 * (number + 1), 1)  # the mean of ten seconds
        assert found["total_lag"] == left
        assert found["catch_up_s"] == round(left / 66_666.7, 1)  # at the speed of the last seconds

    idle(run, range(310, 330))
    assert 0 < run.at(314_000)["rate"] < 50_000
    assert run.at(329_000)["rate"] == 0.0
    assert [run.at(329_000)[name] for name in ("total_lag", "lag_s", "catch_up_s", "trend")] == [0, 0.0, 0.0, "steady"]


def test_uneven_batches_of_a_steady_stream_hardly_move_its_rate():
    run = Made()
    sizes = [300, 750, 450, 500, 650, 350]
    at = 0
    for number in range(30):
        size = sizes[number % len(sizes)]
        run.end += size
        run.commits(size, at, at + 2 * size)
        at += 2 * size  # 500 records a second
        if at > 15_000:
            assert 475 <= run.at(at)["rate"] <= 525


def test_a_steady_stream_has_a_steady_rate_and_is_kept_up_with():
    run = Made()
    steady(run, range(30))

    found = [run.at(29_300 + 100 * tenth) for tenth in range(7)]

    assert {each["rate"] for each in found} == {1_000.0}
    assert {(each["trend"], each["lag_s"], each["catch_up_s"]) for each in found} == {("steady", 0.0, 0.0)}


def test_long_batches_one_after_the_other_are_steady_though_their_lag_is_a_sawtooth():
    run = Made()
    found = []
    for second in range(100):
        run.end += 1_000
        if second % 10 == 9:
            began = 1_000 * (second - 9)
            run.commits(10_000, began, began + 10_000, next_began=began + 10_000)
        run.beats(1_000 * second + 1_000, began=1_000 * (second // 10) * 10)
        found.append(run.at(1_000 * second + 1_000))

    assert {each["rate"] for each in found[20:]} == {1_000.0}
    assert {each["total_lag"] for each in found} == {1_000 * second for second in range(10)}
    assert {each["trend"] for each in found[20:]} == {"steady"}


def test_batches_that_are_set_to_begin_rarely_are_a_steady_rate():
    run = Made(interval_ms=10_000)
    for number in range(6):
        run.end += 10_000
        run.commits(10_000, 10_000 * number, 10_000 * number + 500)

    assert {run.at(50_500 + second)["rate"] for second in range(0, 9_000, 500)} == {1_000.0}


def test_a_batch_that_is_carried_out_while_another_is_written_counts_once():
    run = Made()
    for number in range(20):
        run.commits(2_000, 1_000 * number, 1_000 * number + 2_000, next_began=1_000 * number + 1_000)

    assert run.at(21_000)["rate"] == 2_000.0


def test_a_run_that_starts_again_knows_no_rate_before_its_first_commit():
    run = Made(offset=500_000)
    run.end = 900_000

    idle(run, range(5))
    assert [run.at(5_000)[name] for name in ("rate", "catch_up_s")] == [0.0, None]

    run.commits(10_000, 5_000, 9_000)
    assert run.at(9_000)["rate"] == 2_500.0


def test_a_run_that_fell_silent_moves_nothing():
    run = Made()
    steady(run, range(30))
    run.beats(30_500, began=30_000)

    assert run.at(34_000)["rate"] == 1_000.0  # a batch runs, as far as is known
    assert run.at(60_000)["rate"] == 0.0
    assert run.at(60_000)["total_lag"] is None


def test_a_batch_that_does_not_end_moves_nothing():
    run = Made()
    steady(run, range(30))
    for second in range(30, 60):
        run.end += 1_000
        run.beats(1_000 * second + 500, began=30_000)

    assert run.at(36_000)["rate"] == 1_000.0
    assert (run.at(59_600)["rate"], run.at(59_600)["trend"]) == (0.0, "rising")


def test_only_what_a_rate_needs_is_kept():
    marks = [Mark(1_000 * n, 1_000 * n + 200, {"n": n}) for n in range(100)]

    kept = keep_needed_marks(marks, 3_000)

    assert len(kept) == 4
    assert find_rates(kept, 99_200) == find_rates(marks, 99_200)
    assert find_known_until(kept, Beat(99_200, None), 100, 99_900) == find_known_until(
        marks, Beat(99_200, None), 100, 99_900
    )
    assert keep_needed_marks(marks[:1], 3_000) == marks[:1]
