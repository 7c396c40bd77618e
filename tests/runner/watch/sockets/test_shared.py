"""Many ask for one read: it is made once for all who ask before it begins."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from designer.refusals import NotFound
from runner.watch.sockets.shared_reads import SharedRead
from tests.patience import PATIENCE_SECONDS


async def test_whoever_asks_before_a_read_begins_shares_it() -> None:
    begun, may_end = Event(), Event()
    read: list[str] = []

    def slow(job: str) -> int:
        read.append(job)
        begun.set()
        may_end.wait(PATIENCE_SECONDS)
        return len(read)

    shared = SharedRead(slow)
    first = asyncio.create_task(shared("a"))
    while not begun.is_set():
        await asyncio.sleep(0.01)
    later = [asyncio.create_task(shared(job)) for job in "aaaab"]
    await asyncio.sleep(0)
    later[1].cancel()
    may_end.set()
    answers = await asyncio.gather(first, *later, return_exceptions=True)

    assert read == ["a", "a", "b"]
    assert answers[:2] + answers[3:] == [1, 2, 2, 2, 3]
    assert isinstance(answers[2], asyncio.CancelledError)


async def test_everybody_hears_that_a_read_failed() -> None:
    def fails(job: str) -> None:
        raise NotFound(f"There is no job {job}.", "List the jobs.")

    shared = SharedRead(fails)
    asked = [asyncio.create_task(shared("a")) for _ in range(2)]

    for each in asked:
        with pytest.raises(NotFound):
            await each
