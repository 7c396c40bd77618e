"""The websocket of something that grows: what it gained twice a second, from a thread of the viewer's own.

A viewer may say `{"type": "pause"}` and `{"type": "resume"}`; while paused nothing is read.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import Any, Protocol, TypeVar

import orjson

from designer.refusal_codes import RefusalCode
from runner.watch.sockets.viewer import TOO_MANY, Viewer

SECONDS = 0.5
MAX_VIEWERS = 32
"""Of one web process, so many may hold a thread and perhaps a connection to Kafka."""
seats = BoundedSemaphore(MAX_VIEWERS)
T = TypeVar("T")


class Tail(Protocol):
    """Reads something that grows. Its calls may block for seconds, and never run side by side."""

    def read_next(self) -> list[dict[str, Any]]:
        """The messages for a viewer since the last call."""

    def rest(self) -> None:
        """Let go of files and connections; the next `read_next` continues at the newest."""


class TailConsumer(Viewer):
    """Sends what its tail finds. It waits for a viewer who reads slowly, and says what was left out."""

    channel_layer_alias = ""  # nothing comes from other processes: no Redis is needed
    thread: ThreadPoolExecutor | None = None

    @abstractmethod
    async def open(self) -> Tail:
        """What the address asks for; raises NotFound."""

    async def begin(self) -> None:
        self.tail = await self.open()
        self.reading = asyncio.Event()
        self.reading.set()
        if not seats.acquire(blocking=False):
            await self.tell(FULL)
            await self.close(TOO_MANY)
            return
        self.thread = ThreadPoolExecutor(1, "tail")
        self.work(self._follow())

    def end(self) -> None:
        """The seat is free once the thread has ended, which a Kafka that does not answer may delay by seconds."""
        super().end()
        if self.thread is not None:
            self.thread.submit(self._leave).add_done_callback(lambda _: seats.release())
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
        """In the thread, because taking down a Kafka client blocks the caller for a tenth of a second."""
        self.tail.rest()
        del self.tail

    async def _run_in_thread(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.thread, call)


FULL = {
    "type": "refused",
    "code": RefusalCode.VIEWERS_TOO_MANY,
    "message": f"{MAX_VIEWERS} viewers already follow topics or logs here.",
    "hint": "Close an unused drawer, then open this one again.",
}


def _read(text: str | None) -> Any:
    """A message of the viewer; what is no JSON asks for nothing."""
    try:
        return orjson.loads(text or "null")
    except orjson.JSONDecodeError:
        return None
