"""Pages that may open websockets: a browser sends the session cookie from every page."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host

PORTS = {"http": 80, "https": 443}
FORBIDDEN = 4403


class SameOrigin:
    """ASGI middleware: an origin must be this server's own in scheme, host and port, or in CSRF_TRUSTED_ORIGINS.

    The scheme is https behind a trusted proxy that says so (TRUSTED_PROXIES), and if HTTPS is 1.
    """

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        is_secure = settings.HTTPS or scope.get("scheme") in ("wss", "https")
        own = f"{'https' if is_secure else 'http'}://{headers.get(b'host', '')}"
        if is_same(headers.get(b"origin", ""), own):
            await self.app(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": FORBIDDEN})


def is_same(origin: str, own: str) -> bool:
    """Whether a page of `origin` is ours, for requests to `own`."""
    page, ours = split_origin(origin), split_origin(own)
    if page is None or ours is None:
        return False
    if page in {split_origin(each) for each in settings.CSRF_TRUSTED_ORIGINS}:
        return True
    return page == ours and validate_host(ours[1], settings.ALLOWED_HOSTS)


def split_origin(origin: str) -> tuple[str, str, int] | None:
    """Scheme, host and port; None if one of them is missing."""
    try:
        split = urlsplit(origin)
        port = split.port or PORTS.get(split.scheme)
    except ValueError:
        return None
    if split.scheme not in PORTS or not split.hostname or port is None:
        return None
    host = f"[{split.hostname}]" if ":" in split.hostname else split.hostname
    return split.scheme, host, port
