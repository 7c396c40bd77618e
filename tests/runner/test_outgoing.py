"""Requests to addresses that users name: which are refused, and how long a hostile server may take."""

from __future__ import annotations

import socket
import socketserver
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from runner.outgoing import AddressRefused, NoAnswer, _hang_up, call, resolve

INTERNAL = [
    "http://127.0.0.1:6379/",
    "http://localhost/",
    "https://10.1.2.3/hook",
    "http://172.16.0.9/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://[::1]:8000/",
    "http://[fd00::1]/",
    "http://[fec0::1]/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://[::ffff:10.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[::ffff:0:10.0.0.1]/",
    "http://[2002:7f00:1::]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b:1::10.0.0.1]/",
    "http://[64:ff9b:1:a00:0:100::]/",
    "http://[2001:0:a00:1::1]/",
    "http://[2606:4700::5efe:10.0.0.1]/",
]
NEVER = [
    "http://169.254.169.254/latest/meta-data",
    "http://[fe80::1]/",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://[::ffff:0.0.0.0]/",
    "http://224.0.0.1/",
    "http://100.100.100.200/",
    "http://168.63.129.16/",
    "http://[fd00:ec2::254]/",
    "http://[fd20:ce::254]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::169.254.169.254]/",
    "http://[::ffff:100.100.100.200]/",
    "http://[64:ff9b::169.254.169.254]/",
    "http://[64:ff9b:1::100.100.100.200]/",
    "http://[64:ff9b:1:a9fe:a9:fe00::]/",
    "http://[2002:a9fe:a9fe::]/",
]
NO_ADDRESS = [
    "",
    "hooks.example.com",
    "ftp://example.com/",
    "file:///etc/passwd",
    "http://",
    "http://user:secret@1.1.1.1/",
    "http://1.1.1.1:99999/",
    "http://1.1.1.1:0/",
    "http://1.1.1.1/\r\nHost: x",
    "http://1.1.1.1/\x7f",
    "http://[::1/",
    "http://no-such-host.invalid/",
]


@contextmanager
def serving(answer: bytes | Callable[[socketserver.StreamRequestHandler], None]) -> Iterator[str]:
    """The address of a server that answers each connection with these bytes, or so."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            with suppress(OSError):  # the client may have hung up
                self.wfile.write(answer) if isinstance(answer, bytes) else answer(self)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/path?query=1"
        finally:
            server.shutdown()


def test_a_public_address_is_allowed() -> None:
    assert resolve("https://1.1.1.1/hook?a=b", is_internal=False) == [("1.1.1.1", 443)]
    assert resolve("http://[2606:4700::1111]:8080", is_internal=False) == [("2606:4700::1111", 8080)]
    assert resolve("http://[::ffff:1.1.1.1]/", is_internal=False)
    assert resolve("http://[64:ff9b::1.1.1.1]/", is_internal=False)


@pytest.mark.parametrize("url", INTERNAL)
def test_an_internal_address_needs_permission(url: str) -> None:
    with pytest.raises(AddressRefused, match="internal network"):
        resolve(url, is_internal=False)

    assert resolve(url, is_internal=True)


@pytest.mark.parametrize("url", NEVER)
def test_some_addresses_are_never_reached(url: str) -> None:
    with pytest.raises(AddressRefused, match="makes no request to"):
        resolve(url, is_internal=True)


@pytest.mark.parametrize("url", NO_ADDRESS)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        resolve(url, is_internal=True)


def test_an_answer_is_returned_with_its_status_and_headers() -> None:
    with serving(b"HTTP/1.1 404 No\r\nX-A: b\r\nContent-Length: 2\r\n\r\nhi") as url:
        answer = call(url, is_internal=True, seconds=5)

    assert (answer.status, answer.headers["x-a"], answer.body) == (404, "b", b"hi")


def test_a_redirect_is_an_answer() -> None:
    asked = []

    def redirect(to: socketserver.StreamRequestHandler) -> None:
        asked.append(1)
        to.wfile.write(b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n")

    with serving(redirect) as url:
        assert call(url, is_internal=True, seconds=5).status == 302

    assert asked == [1]


@pytest.mark.parametrize(
    "begin",
    [
        pytest.param(b"", id="before the status"),
        pytest.param(b"HTTP/1.1 200 OK\r\nX-", id="in a header"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", id="in a body with a length"),
        pytest.param(b"HTTP/1.1 200 OK\r\n\r\n", id="in a body without a length"),
        pytest.param(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", id="in a chunk"),
    ],
)
def test_a_server_that_drips_gets_no_more_than_the_time(begin: bytes) -> None:
    def drip(to: socketserver.StreamRequestHandler) -> None:
        to.wfile.write(begin)
        for _ in range(600):
            to.wfile.write(b"1")
            time.sleep(0.02)

    with serving(drip) as url:
        start = time.monotonic()
        with pytest.raises(NoAnswer, match=r"did not answer within 0\.5 s"):
            call(url, is_internal=True, seconds=0.5)

    assert time.monotonic() - start < 5


def test_a_server_that_keeps_silent_in_the_tls_handshake_gets_no_more_than_the_time() -> None:
    with serving(lambda to: time.sleep(3)) as url, pytest.raises(NoAnswer, match="did not answer within"):
        call(url.replace("http:", "https:"), is_internal=True, seconds=0.3)


def test_a_tls_connection_may_be_hung_up_before_its_handshake() -> None:
    ours, theirs = socket.socketpair()
    context = ssl.create_default_context()
    with theirs, context.wrap_socket(ours, server_hostname="localhost", do_handshake_on_connect=False) as connection:
        _hang_up(connection)

        with pytest.raises((ssl.SSLError, BrokenPipeError)):
            connection.do_handshake()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"a" * 2_000, "The answer of 127.0.0.1 is longer than 1,000 bytes."),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
            "127.0.0.1 closed the connection before the end of its answer.",
        ),
        (b"", "127.0.0.1 closed the connection before it answered."),
        (b"SSH-2.0-OpenSSH\r\n", "127.0.0.1 did not answer as a web server."),
        (None, "127.0.0.1 refuses connections on this port."),
    ],
)
def test_no_usable_answer_is_a_sentence(answer: bytes | None, reason: str) -> None:
    with serving(answer or b"") as url:
        if answer is not None:
            with pytest.raises(NoAnswer) as caught:
                call(url, is_internal=True, seconds=5, max_bytes=1_000)
    if answer is None:
        with pytest.raises(NoAnswer) as caught:
            call(url, is_internal=True, seconds=5)

    assert str(caught.value) == reason
