"""What is told of executors that Spark lost, and what they cost."""

import pytest

from runner.spark.events import ExecutorLostEvent
from runner.spark.executors.losses import DoneBatch, LostExecutors
from runner.spark.private import GoneExecutor


class Told:
    """An account of lost executors, and what it said, as batches of 100 ms come and go."""

    def __init__(self) -> None:
        self.said: list[ExecutorLostEvent] = []
        self.lost = LostExecutors(self.said.append)

    def lose(self, at: int, batch: int | None, reason: str = "worker lost") -> None:
        self.lost.note([GoneExecutor(f"10.0.0.7:{at}", at, reason)], batch)

    def do(self, number: int, took_ms: int = 100) -> None:
        start = number * 1_000
        self.lost.note_done(DoneBatch(number, start, start + took_ms - 10, took_ms))

    def costs(self) -> list[tuple[int | None, bool, int | None, int | None]]:
        return [(each["batch"], each["again"], each["took_ms"], each["cost_ms"]) for each in self.said]


@pytest.fixture
def told() -> Told:
    told = Told()
    for number in range(3):
        told.do(number)
    return told


def test_an_executor_lost_in_a_batch_costs_what_the_batch_took_longer(told: Told) -> None:
    told.lose(at=3_200, batch=3)
    told.do(3, took_ms=900)

    assert told.costs() == [(3, True, None, None), (3, True, 900, 800)]
    assert {(each["executor"], each["host"], each["at"]) for each in told.said} == {
        ("10.0.0.7:3200", "10.0.0.7", 3_200)
    }


def test_one_that_is_seen_after_its_batch_is_told_with_it(told: Told) -> None:
    told.lose(at=2_050, batch=None)

    assert told.costs() == [(2, True, 100, 0)]


def test_between_two_batches_the_next_one_builds_state_again(told: Told) -> None:
    told.lose(at=2_500, batch=None)
    told.do(3, took_ms=300)

    assert told.costs() == [(None, False, None, None), (3, False, 300, 200)]


def test_one_that_goes_while_results_are_committed_holds_up_the_next_batch(told: Told) -> None:
    told.lose(at=3_995, batch=3)
    told.do(3, took_ms=1_000)
    told.do(4, took_ms=400)

    assert told.costs()[1:] == [(4, False, 400, 300)]


def test_batches_that_were_held_up_are_not_usual(told: Told) -> None:
    for number in range(3, 9):
        told.lose(at=number * 1_000 + 1, batch=number)
        told.do(number, took_ms=900)

    assert told.costs()[-1] == (8, True, 900, 800)


def test_the_first_batch_of_a_run_is_not_usual() -> None:
    told = Told()
    told.do(0, took_ms=9_000)
    told.do(1)
    told.lose(at=2_001, batch=2)
    told.do(2, took_ms=900)

    assert told.costs()[-1] == (2, True, 900, 800)


def test_without_batches_before_it_the_cost_is_unknown() -> None:
    told = Told()
    told.lose(at=5, batch=0)
    told.do(0)

    assert told.costs()[-1] == (0, True, 100, None)


def test_an_exit_code_of_full_memory_brings_the_next_step(told: Told) -> None:
    told.lose(3_001, 3, reason="Command exited with code 137")
    told.lose(3_002, 3)

    hints = [each["hint"] for each in told.said]
    assert "Give executors of the Spark cluster more memory" in hints[0]
    assert hints[1] == ""
