"""Request limits before Django: on the size and time of a body, and 401 before any of it is read.

Django itself reads a whole body, to disk if it is long, before it asks who sends it.
"""

from __future__ import annotations

import asyncio
from http.cookies import CookieError
from importlib import import_module
from typing import Any

import orjson
from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import parse_cookie

from designer.limits import TooMuch, Unwritable
from designer.refusals import Refusal
from webapp.accounts.tokens import UnknownToken, find_token
from webapp.codes import WebCode
from webapp.refusals import NotSignedIn

_find_token = database_sync_to_async(find_token)
# Django reads a whole body before it asks who sends it, and uvicorn waits for a request without limit.
MAX_BODY = 1_048_576
MAX_FORM = 65_536
"""Bytes of a body sent to the API, and to the pages for signing in and out."""
MAX_BODY_SECONDS = 30.0
MAX_DROP_BYTES = 16 * MAX_BODY
"""Bytes to read of a refused body, so that its sender reads the reason."""
MAX_DROP_SECONDS = 5.0


class TakesNoFiles(Refusal):
    code = WebCode.REQUEST_MEDIA_TYPE
    status = 415

    def __init__(self) -> None:
        super().__init__("This server does not accept files.", "Send JSON, as application/json.")


class TooSlow(Refusal):
    """A body does not arrive."""

    code = WebCode.REQUEST_TOO_SLOW
    status = 408


class RequestLimits:
    """ASGI middleware: passes on a request when its body is complete and not too large, or refuses it.

    Neither an address nor a cookie may hold a NUL character: no database stores one.
    """

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        if scope["type"] == "websocket":
            has_nul = _has_nul(scope, headers)
            await (send({"type": "websocket.close", "code": 4404}) if has_nul else self.app(scope, receive, send))
            return
        try:
            if _has_nul(scope, headers):
                raise Unwritable("The address contains a NUL character, which is not allowed.", "Remove `%00`.")
            body = await _take_body(scope["path"], headers, receive) if _has_body(headers) else None
        except Refusal as refusal:
            await _answer(refusal, receive, send)
            return
        await self.app(scope, receive if body is None else _make_receive(body, receive), send)


def _has_nul(scope: Any, headers: dict[bytes, bytes]) -> bool:
    return "\0" in scope["path"] or b"%00" in scope["query_string"] or b"\\000" in headers.get(b"cookie", b"")


def _has_body(headers: dict[bytes, bytes]) -> bool:
    return b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0"


async def _take_body(path: str, headers: dict[bytes, bytes], receive: Any) -> bytes:
    """Raises Refusal. It first checks the sender and the declared length."""
    is_api = path.startswith("/api/")
    if is_api and (token := _read_bearer(headers.get(b"authorization", b""))) is not None:
        if await _find_token(token) is None:
            raise UnknownToken
    elif is_api and not await _has_session(headers.get(b"cookie", b"")):
        raise NotSignedIn
    if headers.get(b"content-type", b"").lower().startswith(b"multipart/"):
        raise TakesNoFiles
    most = MAX_BODY if is_api else MAX_FORM
    length = headers.get(b"content-length", b"0")
    if not length.isdigit() or int(length[:20]) > most:
        raise _make_too_much(most)
    try:
        async with asyncio.timeout(MAX_BODY_SECONDS):
            return await _read_body(receive, most)
    except TimeoutError:
        message = f"The request did not arrive within {MAX_BODY_SECONDS:.0f} s."
        raise TooSlow(message, "Try again over a faster connection.") from None


async def _read_body(receive: Any, most: int) -> bytes:
    body, more = bytearray(), True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > most:
            raise _make_too_much(most)
    return bytes(body)


def _make_too_much(most: int) -> TooMuch:
    return TooMuch(f"The request is larger than {most:,} bytes.", "Send less at once.")


def _read_bearer(authorization: bytes) -> str | None:
    """The token of a header, or None."""
    scheme, _, token = authorization.decode("latin-1").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


@database_sync_to_async  # type: ignore[untyped-decorator]
def _has_session(cookies: bytes) -> bool:
    """Whether the cookie names a session of a signed-in user. Django itself checks the rest."""
    try:
        key = parse_cookie(cookies.decode("latin-1")).get(settings.SESSION_COOKIE_NAME)
        return key is not None and SESSION_KEY in import_module(settings.SESSION_ENGINE).SessionStore(key)
    except (CookieError, ValueError):
        return False


def _make_receive(body: bytes, receive: Any) -> Any:
    """Returns the body in one piece, then the message that the sender left."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Any:
        return waiting.pop() if waiting else await receive()

    return receive_again


async def _answer(refusal: Refusal, receive: Any, send: Any) -> None:
    body = orjson.dumps(refusal.to_json())
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    start = {"type": "http.response.start", "status": refusal.status, "headers": [*headers, (b"connection", b"close")]}
    await send(start)
    await send({"type": "http.response.body", "body": body, "more_body": True})
    try:
        async with asyncio.timeout(MAX_DROP_SECONDS):
            await _read_rest(receive)
    except TimeoutError:
        pass
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _read_rest(receive: Any) -> None:
    """A connection that is closed while its other end still writes loses the answer."""
    dropped_bytes, more = 0, True
    while more and dropped_bytes < MAX_DROP_BYTES:
        message = await receive()
        dropped_bytes += len(message.get("body", b""))
        more = message.get("more_body", False)
