"""The websocket of a growing source: sends new parts twice a second, from the viewer's own thread.

A viewer may send `{"type": "pause"}` and `{"type": "resume"}`. During a pause nothing is read.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, Protocol, TypeVar

import orjson

from runner.watch.codes import WatchCode
from runner.watch.sockets.messages import TailMessage
from runner.watch.sockets.viewer import TOO_MANY, Viewer

SECONDS = 0.5
MAX_VIEWERS = 32
"""Maximum of viewers in one web process with a thread and perhaps a connection to Kafka."""
MAX_OF_USER = 12
"""Of these, those of one user."""
T = TypeVar("T")


class Seats:
    """The viewers in this process, by user. Nobody takes the seats of all others."""

    def __init__(self) -> None:
        self.taken: Counter[object] = Counter()
        self._lock = Lock()

    def take(self, user: object) -> bool:
        """Whether there is a seat for one more viewer of this user, which is then theirs."""
        with self._lock:
            if self.taken.total() >= MAX_VIEWERS or self.taken[user] >= MAX_OF_USER:
                return False
            self.taken[user] += 1
            return True

    def leave(self, user: object) -> None:
        with self._lock:
            self.taken[user] -= 1
            self.taken += Counter()  # forget those without a seat


seats = Seats()


class Tail(Protocol):
    """Reads a growing source. Its calls may block for seconds, and never run in parallel."""

    def read_next(self) -> list[TailMessage]:
        """The messages for a viewer since the last call."""

    def rest(self) -> None:
        """Close files and connections. The next `read_next` continues at the newest."""


class TailConsumer(Viewer):
    """Sends the messages of its tail. It waits for a slow viewer, and reports skipped parts."""

    channel_layer_alias = ""  # nothing comes from other processes, so no Redis is needed
    thread: ThreadPoolExecutor | None = None

    @abstractmethod
    async def open(self) -> Tail:
        """The tail for the address. Raises NotFound."""

    async def begin(self) -> None:
        self.tail = await self.open()
        self.reading = asyncio.Event()
        self.reading.set()
        if not seats.take(self.scope["user"].pk):
            await self.tell(FULL)
            await self.close(TOO_MANY)
            return
        self.thread = ThreadPoolExecutor(1, "tail")
        self.work(self._follow())

    def end(self) -> None:
        """The seat becomes free when the thread ends, which a silent Kafka may delay by seconds."""
        super().end()
        if self.thread is not None:
            self.thread.submit(self._leave).add_done_callback(lambda _: seats.leave(self.scope["user"].pk))
            self.thread.shutdown(wait=False)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await super().receive(text_data, bytes_data)
        if self.thread is None:
            return
        match _read(text_data):
            case {"type": "pause"}:
                self.reading.clear()
            case {"type": "resume"}:
                self.reading.set()

    async def _follow(self) -> None:
        while True:
            if not self.reading.is_set():
                await self._run_in_thread(self.tail.rest)
                await self.reading.wait()
            for message in await self._run_in_thread(self.tail.read_next):
                await self.tell(message)
            await asyncio.sleep(SECONDS)

    def _leave(self) -> None:
        """In the thread, because closing a Kafka client blocks the caller for a tenth of a second."""
        self.tail.rest()
        del self.tail

    async def _run_in_thread(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.thread, call)


FULL = {
    "type": "refused",
    "code": WatchCode.VIEWERS_TOO_MANY,
    "message": f"{MAX_VIEWERS} viewers already follow topics or logs here, or {MAX_OF_USER} of yours.",
    "hint": "Close an unused drawer, then open this one again.",
}


def _read(text: str | None) -> Any:
    """A message of the viewer. Anything that is not JSON has no effect."""
    try:
        return orjson.loads(text or "null")
    except orjson.JSONDecodeError:
        return None
