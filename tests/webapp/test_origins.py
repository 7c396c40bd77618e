"""Which pages may open websockets."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from webapp.origins import is_same


@pytest.mark.parametrize(
    ("origin", "own", "same"),
    [
        ("http://localhost:8000", "http://localhost:8000", True),
        ("http://localhost", "http://localhost:80", True),
        ("https://LOCALHOST", "https://localhost:443", True),
        ("http://[::1]:8000", "http://[::1]:8000", True),
        ("http://localhost:3000", "http://localhost:8000", False),
        ("https://localhost:8000", "http://localhost:8000", False),
        ("http://127.0.0.1:8000", "http://localhost:8000", False),
        ("http://evil.example", "http://evil.example", False),
        ("null", "http://localhost:8000", False),
        ("", "http://localhost:8000", False),
        ("http://localhost:x", "http://localhost:8000", False),
        ("file://", "http://localhost", False),
    ],
)
def test_an_origin_is_ours_in_scheme_host_and_port(origin: str, own: str, same: bool) -> None:
    assert is_same(origin, own) is same


def test_an_origin_that_may_write_may_watch(settings: Any) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://streams.example"]

    assert is_same("https://streams.example", "http://localhost:8000")
    assert not is_same("http://streams.example", "http://localhost:8000")


async def first_answer(path: str, origin: str, scheme: str = "ws") -> Any:
    from webapp.asgi import application

    scope = {
        "type": "websocket",
        "scheme": scheme,
        "path": path,
        "headers": [(b"origin", origin.encode()), (b"host", b"localhost:8000")],
        "subprotocols": [],
        "query_string": b"",
    }
    communicator = ApplicationCommunicator(application, scope)
    await communicator.send_input({"type": "websocket.connect"})
    return await communicator.receive_output(10)


@pytest.mark.parametrize(
    ("origin", "scheme"), [("http://localhost:3000", "ws"), ("http://localhost:8000", "wss"), ("https://x", "wss")]
)
async def test_a_socket_of_another_page_is_refused(origin: str, scheme: str) -> None:
    assert await first_answer("/ws/jobs/1/", origin, scheme) == {"type": "websocket.close", "code": 4403}


@pytest.mark.parametrize(
    "path", ["/ws/", "/ws/jobs/x/", "/ws/jobs/9999999999999999/", "/", "/ws/clusters/\0/topics/a/"]
)
async def test_an_address_without_a_socket_is_refused(path: str) -> None:
    assert await first_answer(path, "http://localhost:8000") == {"type": "websocket.close", "code": 4404}


@pytest.mark.parametrize(("proxies", "client"), [("", "10.0.0.1"), ("10.0.0.0/8", "1.2.3.4"), ("10.9.9.9", "10.0.0.1")])
async def test_only_trusted_proxies_say_who_asks(proxies: str, client: str) -> None:
    from webapp.asgi import trust_proxies

    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append((scope["client"][0], scope["scheme"]))

    headers = [(b"x-forwarded-for", b"1.2.3.4"), (b"x-forwarded-proto", b"https")]
    scope = {"type": "websocket", "scheme": "ws", "client": ("10.0.0.1", 5), "headers": headers}
    await trust_proxies(proxies, app)(scope, None, None)

    assert seen == [(client, "wss" if client == "1.2.3.4" else "ws")]
