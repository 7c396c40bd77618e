"""A server whose answers are never the same: each is the next number."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Lock, Thread


class CountingServer(ThreadingHTTPServer):
    """Answers each request with the number of requests so far. `/fail` is refused, and counts too."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []
        self.numbers = count(1)
        self.turn = Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: CountingServer

    def do_GET(self) -> None:
        with self.server.turn:
            self.server.asked.append(self.path)
            number = next(self.server.numbers)
        body = str(number).encode()
        self.send_response(503 if self.path == "/fail" else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Nothing: tests read `asked`."""


@contextmanager
def answering() -> Iterator[CountingServer]:
    with CountingServer() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
