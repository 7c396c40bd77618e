"""What the side by side makes of a catch-up."""

import re
from itertools import pairwise

import pytest

from tests.bench.meter import Meter, Sample
from tests.bench.rivals import CASES, Judged, Result, work_out
from tests.bench.sides import Point, Ran

MEBIBYTE = 2**20


def meter(*samples: Sample) -> Meter:
    made = Meter(list)
    made.samples.extend(samples)
    return made


def test_a_rate_is_that_of_what_comes_after_fifteen_seconds() -> None:
    cost = meter(
        Sample(0, {"Java": 3.0}, 100 * MEBIBYTE),
        Sample(20_000, {"Java": 13.0, "workers": 10.0}, 700 * MEBIBYTE),
        Sample(50_000, {"Java": 13.0, "workers": 40.0}, 50),
    )
    ran = Ran(1_000, [Point(1_000, 0.0), Point(15_000, 0.2), Point(20_000, 0.25), Point(45_000, 0.9)], cost)

    result = work_out(ran, Judged([2_000, 50_000], ""), 8_000_000)

    assert result == Result(
        rate=200_000,
        warm_up_rate=2_000_000 / 19_000 * 1_000,
        seconds={"Java": 0.0, "workers": 5.0},
        held=700 * MEBIBYTE,
        written=2,
        wrong="",
    )


def test_results_tell_how_far_a_side_was_that_does_not_say_so() -> None:
    appended = [n * 1_000 for n in range(61)]

    result = work_out(Ran(0, [], meter(Sample(0, {}, 1), Sample(60_000, {}, 1))), Judged(appended, ""), 6_100)

    assert {later - earlier for earlier, later in pairwise(appended)} == {1_000}
    assert result.rate == pytest.approx(100.0)


def test_each_shape_has_a_topic_whose_name_kafka_takes() -> None:
    topics = {case.shape: case.topic for case in CASES}

    assert len(set(topics.values())) == len(topics)
    assert all(re.fullmatch(r"[a-zA-Z0-9._-]{1,249}", topic) for topic in topics.values()), topics
