"""How long a proof still takes."""

from __future__ import annotations

import time

import pytest

from runner.watch.proving.services import Pace


def test_the_rest_takes_as_long_for_each_record_as_what_was_done() -> None:
    pace = Pace(100, done=25, began=time.monotonic() - 10)

    assert pace.left_seconds() == pytest.approx(30, abs=5)


@pytest.mark.parametrize(("count", "done"), [(100, 0), (100, 100), (0, 0), (100, 140)])
def test_nobody_knows_it_before_the_first_part_and_after_the_last(count: int, done: int) -> None:
    assert Pace(count, done).left_seconds() is None


def test_the_slow_first_records_foretell_nothing() -> None:
    pace = Pace(442_056, done=16, began=time.monotonic() - 1)

    assert pace.left_seconds() is None
    pace.done = 13_340
    assert pace.left_seconds() == pytest.approx(32, abs=5)
    assert Pace(10**9, done=10_000, began=time.monotonic() - 15).left_seconds() is not None
