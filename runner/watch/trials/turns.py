"""Whose trial runs next: few run at once, and nobody's keep those of everybody else waiting."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition

from designer.refusal_codes import RefusalCode
from designer.refusals import Refusal

MAX_AT_ONCE = 2
MAX_WAITING = 3
"""Trials of one user that wait behind the one that runs."""
LOOKED_BACK = 60.0
SLOW = 5.0
"""Who took so many seconds of the last minute leaves a place to the others."""


class Busy(Refusal):
    """A trial that does not come to its turn; the message says why."""

    code = RefusalCode.TRIAL_BUSY
    status = 503


class Turns:
    """Gives turns to users: one at a time to each, first to the user who used the least time in the last minute.

    Users who took much share all places but one, so that a place soon comes free for the others.
    """

    def __init__(self, at_once: int = MAX_AT_ONCE, clock: Callable[[], float] = time.monotonic) -> None:
        self.at_once, self.clock = at_once, clock
        self.changed = Condition()
        self.running: dict[str, float] = {}
        self.waiting: list[str] = []
        self.ended: deque[tuple[float, str, float]] = deque()

    @contextmanager
    def turn(self, user: str, patience: float) -> Iterator[None]:
        """Waits for a turn, for `patience` seconds at most; raises Busy."""
        with self.changed:
            if self.waiting.count(user) >= MAX_WAITING:
                raise Busy(f"{MAX_WAITING} of your trials are already waiting.", "Wait until they are done.")
            self.waiting.append(user)
            came = self.changed.wait_for(lambda: self._choose_next() == user, patience)
            self.waiting.remove(user)
            if not came:
                raise self._explain(user)
            self.running[user] = self.clock()
            self.changed.notify_all()
        try:
            yield
        finally:
            with self.changed:
                now = self.clock()
                self.ended.append((now, user, now - self.running.pop(user)))
                self.changed.notify_all()

    def _choose_next(self) -> str | None:
        """Whose turn it is; None while there is no place for any who wait."""
        taken = self._count_seconds()
        slow = sum(1 for user in self.running if taken[user] > SLOW)
        free = len(self.running) < self.at_once
        may = [
            user
            for user in self.waiting
            if free and user not in self.running and (taken[user] <= SLOW or slow < self.at_once - 1)
        ]
        return min(may, key=lambda user: taken[user], default=None)

    def _count_seconds(self) -> Counter[str]:
        """Seconds of the last minute that the trials of each user took, those that run among them."""
        now = self.clock()
        while self.ended and self.ended[0][0] < now - LOOKED_BACK:
            self.ended.popleft()
        taken: Counter[str] = Counter()
        for user, seconds in [(user, now - begun) for user, begun in self.running.items()]:
            taken[user] += seconds  # type: ignore[assignment]
        for _, user, seconds in self.ended:
            taken[user] += seconds  # type: ignore[assignment]
        return taken

    def _explain(self, user: str) -> Busy:
        if user in self.running:
            seconds = self.clock() - self.running[user]
            message = f"Another trial of yours has been running for {seconds:.0f} s."
            return Busy(message, "Each user runs one trial at a time. Wait for it, or close the other tab.")
        if (seconds := self._count_seconds()[user]) > SLOW:
            message = f"Your trials took {seconds:.0f} s of the last minute, so the trials of other users run first."
            return Busy(message, "Try again in a minute, or try a node nearer to its sources.")
        return Busy("Trials of other users are running on this server.", "Try again in a moment.")
