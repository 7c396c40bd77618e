"""A fair share of trials, with threads as the web server has them and a clock that the test winds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from threading import Event, Thread

import pytest

from runner.watch.trials.turns import MAX_WAITING, Busy, Turns
from tests.patience import PATIENCE_SECONDS


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def turns(clock: Clock) -> Turns:
    return Turns(at_once=2, clock=clock)


class Waiting:
    """Someone who waits for a turn, in its own thread, and keeps it until told to end."""

    def __init__(self, turns: Turns, user: str) -> None:
        self.began, self.end, self.turns, self.user = Event(), Event(), turns, user
        self.thread = Thread(target=self._wait)
        self.thread.start()
        with turns.condition:
            turns.condition.wait_for(lambda: user in turns.waiting or user in turns.running, 30)

    def _wait(self) -> None:
        with self.turns.turn(self.user, patience=30):
            self.began.set()
            self.end.wait(PATIENCE_SECONDS)

    def done(self) -> None:
        self.end.set()
        self.thread.join()


@pytest.fixture
def people() -> Iterator[list[Waiting]]:
    made: list[Waiting] = []
    yield made
    for each in made:
        each.done()


def refused(turns: Turns, user: str) -> str:
    with pytest.raises(Busy) as busy, turns.turn(user, patience=0):
        pass
    return busy.value.message


def test_each_user_has_one_turn_at_a_time_and_is_told_of_it(turns: Turns, clock: Clock) -> None:
    with turns.turn("ada", 0):
        clock.now = 7

        assert refused(turns, "ada") == "Another trial of yours has been running for 7 s."
        with turns.turn("bob", 0):
            assert refused(turns, "eve") == "Trials of other users are running on this server."


def test_two_who_are_slow_do_not_keep_a_third_waiting(turns: Turns, clock: Clock) -> None:
    with ExitStack() as both:
        both.enter_context(turns.turn("ada", 0))
        both.enter_context(turns.turn("bob", 0))
        clock.now = 15

    with turns.turn("ada", 0):
        why = refused(turns, "bob")
        with turns.turn("eve", 0):
            pass

    assert why == "Your trials took 15 s of the last minute, so the trials of other users run first."


def test_after_a_minute_nobody_is_slow(turns: Turns, clock: Clock) -> None:
    with turns.turn("ada", 0), turns.turn("bob", 0):
        clock.now = 15
    clock.now = 76

    with turns.turn("ada", 0), turns.turn("bob", 0):
        pass


def test_the_next_turn_is_of_whoever_took_least(turns: Turns, clock: Clock, people: list[Waiting]) -> None:
    with turns.turn("ada", 0):
        clock.now = 4
    with ExitStack() as one, turns.turn("x", 0):
        one.enter_context(turns.turn("y", 0))
        people += [Waiting(turns, "ada"), Waiting(turns, "bob")]
        one.close()

        assert people[1].began.wait(PATIENCE_SECONDS)
        assert not people[0].began.is_set()


def test_few_of_one_user_wait(turns: Turns, people: list[Waiting]) -> None:
    with turns.turn("ada", 0):
        people += [Waiting(turns, "ada")]
        turns.waiting += ["ada"] * (MAX_WAITING - 1)

        assert refused(turns, "ada") == f"{MAX_WAITING} of your trials are already waiting."
        for _ in range(MAX_WAITING - 1):
            turns.waiting.remove("ada")
