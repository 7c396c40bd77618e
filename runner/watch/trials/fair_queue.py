"""Decides whose trial runs next: few run at once, and no user's trials block all others."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition

from designer.refusals import Refusal
from runner.watch.codes import WatchCode

# Without these limits, two slow trials of one user blocked everyone else's.
MAX_AT_ONCE = 2
MAX_WAITING = 3
"""Maximum of one user's trials that wait behind the running one."""
LOOKED_BACK = 60.0
SLOW = 5.0
"""A user with this many seconds in the last minute leaves a place to the others."""


class Busy(Refusal):
    """A trial does not get its turn. The message says why."""

    code = WatchCode.TRIAL_BUSY
    status = 503


class FairQueue:
    """Gives turns to users: one at a time to each, first to the user with the least time in the last minute.

    Heavy users share all places but one, so that a place soon becomes free for the others.
    """

    def __init__(self, at_once: int = MAX_AT_ONCE, clock: Callable[[], float] = time.monotonic) -> None:
        self.at_once, self.clock = at_once, clock
        self.condition = Condition()
        self.running: dict[str, float] = {}
        self.waiting: list[str] = []
        self.past_trials: deque[tuple[float, str, float]] = deque()

    @contextmanager
    def acquire(self, user: str, patience: float) -> Iterator[None]:
        """Waits for a turn, for `patience` seconds at most. Raises Busy."""
        with self.condition:
            if self.waiting.count(user) >= MAX_WAITING:
                raise Busy(f"{MAX_WAITING} of your trials are already waiting.", "Wait until they are done.")
            self.waiting.append(user)
            came = self.condition.wait_for(lambda: self._choose_next() == user, patience)
            self.waiting.remove(user)
            if not came:
                raise self._explain(user)
            self.running[user] = self.clock()
            self.condition.notify_all()
        try:
            yield
        finally:
            with self.condition:
                now = self.clock()
                self.past_trials.append((now, user, now - self.running.pop(user)))
                self.condition.notify_all()

    def _choose_next(self) -> str | None:
        """The user with the next turn. None while there is no place for a waiting one."""
        seconds = self._count_seconds()
        slow = sum(1 for user in self.running if seconds[user] > SLOW)
        free = len(self.running) < self.at_once
        may = [
            user
            for user in self.waiting
            if free and user not in self.running and (seconds[user] <= SLOW or slow < self.at_once - 1)
        ]
        return min(may, key=lambda user: seconds[user], default=None)

    def _count_seconds(self) -> Counter[str]:
        """Seconds of the last minute in each user's trials, including running ones."""
        now = self.clock()
        while self.past_trials and self.past_trials[0][0] < now - LOOKED_BACK:
            self.past_trials.popleft()
        totals: Counter[str] = Counter()
        for user, seconds in [(user, now - started_at) for user, started_at in self.running.items()]:
            totals[user] += seconds  # type: ignore[assignment]
        for _, user, seconds in self.past_trials:
            totals[user] += seconds  # type: ignore[assignment]
        return totals

    def _explain(self, user: str) -> Busy:
        if user in self.running:
            seconds = self.clock() - self.running[user]
            message = f"Another trial of yours has been running for {seconds:.0f} s."
            return Busy(message, "Each user runs one trial at a time. Wait for it, or close the other tab.")
        if (seconds := self._count_seconds()[user]) > SLOW:
            message = f"Your trials took {seconds:.0f} s of the last minute, so the trials of other users run first."
            return Busy(message, "Try again in a minute, or try a node nearer to its sources.")
        return Busy("Trials of other users are running on this server.", "Try again in a moment.")
