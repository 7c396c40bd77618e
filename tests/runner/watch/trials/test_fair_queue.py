"""A fair share of trials, with threads as the web server has them and a clock that the test winds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from threading import Event, Thread

import pytest

from runner.watch.trials.fair_queue import MAX_WAITING, Busy, FairQueue
from tests.patience import PATIENCE_SECONDS


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(clock: Clock) -> FairQueue:
    return FairQueue(at_once=2, clock=clock)


class Waiting:
    """Someone who waits for a turn, in its own thread, and keeps it until told to end."""

    def __init__(self, queue: FairQueue, user: str) -> None:
        self.began, self.end, self.queue, self.user = Event(), Event(), queue, user
        self.thread = Thread(target=self._wait)
        self.thread.start()
        with queue.condition:
            queue.condition.wait_for(lambda: user in queue.waiting or user in queue.running, 30)

    def _wait(self) -> None:
        with self.queue.acquire(self.user, patience=30):
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


def refused(queue: FairQueue, user: str) -> str:
    with pytest.raises(Busy) as busy, queue.acquire(user, patience=0):
        pass
    return busy.value.message


def test_each_user_has_one_turn_at_a_time_and_is_told_of_it(queue: FairQueue, clock: Clock) -> None:
    with queue.acquire("ada", 0):
        clock.now = 7

        assert refused(queue, "ada") == "Another trial of yours has been running for 7 s."
        with queue.acquire("bob", 0):
            assert refused(queue, "eve") == "Trials of other users are running on this server."


def test_two_who_are_slow_do_not_keep_a_third_waiting(queue: FairQueue, clock: Clock) -> None:
    with ExitStack() as both:
        both.enter_context(queue.acquire("ada", 0))
        both.enter_context(queue.acquire("bob", 0))
        clock.now = 15

    with queue.acquire("ada", 0):
        why = refused(queue, "bob")
        with queue.acquire("eve", 0):
            pass

    assert why == "Your trials took 15 s of the last minute, so the trials of other users run first."


def test_after_a_minute_nobody_is_slow(queue: FairQueue, clock: Clock) -> None:
    with queue.acquire("ada", 0), queue.acquire("bob", 0):
        clock.now = 15
    clock.now = 76

    with queue.acquire("ada", 0), queue.acquire("bob", 0):
        pass


def test_the_next_turn_is_of_whoever_took_least(queue: FairQueue, clock: Clock, people: list[Waiting]) -> None:
    with queue.acquire("ada", 0):
        clock.now = 4
    with ExitStack() as one, queue.acquire("x", 0):
        one.enter_context(queue.acquire("y", 0))
        people += [Waiting(queue, "ada"), Waiting(queue, "bob")]
        one.close()

        assert people[1].began.wait(PATIENCE_SECONDS)
        assert not people[0].began.is_set()


def test_few_of_one_user_wait(queue: FairQueue, people: list[Waiting]) -> None:
    with queue.acquire("ada", 0):
        people += [Waiting(queue, "ada")]
        queue.waiting += ["ada"] * (MAX_WAITING - 1)

        assert refused(queue, "ada") == f"{MAX_WAITING} of your trials are already waiting."
        for _ in range(MAX_WAITING - 1):
            queue.waiting.remove("ada")
