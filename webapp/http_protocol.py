"""Limits the wait of the web server for a request: uvicorn itself would hold an idle connection forever."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEADER_SECONDS = 10.0
MAX_HEADER_BYTES = 65_536


class BoundedProtocol(HttpToolsProtocol):
    """Ends a connection whose request line and headers are too long or too slow. `RequestLimits` limits bodies."""

    header_timer: asyncio.TimerHandle | None = None
    header_size = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._is_waiting():
            self._stop_waiting()
            return
        self._wait()
        self.header_size += len(data)
        if self.header_size > MAX_HEADER_BYTES:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _is_waiting(self) -> bool:
        """Whether a request is still to come. A websocket has its own protocol."""
        idle = self.cycle is None or self.cycle.response_complete
        return idle and self.transport.get_protocol() is self

    def _wait(self) -> None:
        if self.header_timer is None:
            self.header_timer = self.loop.call_later(MAX_HEADER_SECONDS, self._end)

    def _stop_waiting(self) -> None:
        self.header_size = 0
        if self.header_timer is not None:
            self.header_timer.cancel()
            self.header_timer = None

    def _end(self) -> None:
        self.header_timer = None
        if self._is_waiting():
            self.transport.close()
