"""HTTP and websockets, each behind its checks. Sockets carry the session cookie, so their origin is checked first."""

import asyncio
import gc
from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.asgi import get_asgi_application
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

READS = ("GET", "HEAD", "OPTIONS")


class ToTheEnd:
    """ASGI application around Django's, which would give up a request when its client leaves.

    Django's threads then continue anyway, and only the code around them is skipped.
    """

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["method"] in READS:
            await self.app(scope, receive, send)
            return
        is_whole = False

        async def receive_request() -> Any:
            nonlocal is_whole
            if is_whole:  # Django listens for the client's leaving until it has answered
                await asyncio.Future()
            message = await receive()
            is_whole = message["type"] == "http.request" and not message.get("more_body", False)
            return message

        await self.app(scope, receive_request, send)


POOL = {"min_size": 0, "max_size": 20, "max_idle": 60.0, "timeout": 5.0, "reconnect_timeout": 1.0}
"""Connections to Postgres that this process's requests share. Times are in seconds.

No connection is kept for good: after an outage the next request connects, and does not wait for a retry of the pool.
"""


def use_connection_pool() -> None:
    """Lets requests share connections: each has its own thread, so it would open one and close it again."""
    database = settings.DATABASES["default"]
    database["ENGINE"] = "webapp.database"
    database.setdefault("OPTIONS", {})["pool"] = POOL


use_connection_pool()
gc.disable()  # A start keeps its imports: collecting them again and again took a fifth of the time.
http = ToTheEnd(get_asgi_application())

import webapp.urls  # noqa: E402, F401  (they need Django set up)
from designer.topology.catalogue import get_catalogue  # noqa: E402
from runner.watch.routing import websocket_urlpatterns  # noqa: E402
from webapp.origins import SameOrigin  # noqa: E402
from webapp.request_limits import RequestLimits  # noqa: E402


def trust_proxies(proxies: str, app: Any) -> Any:
    """The application with the client's address from these proxies. Others are not trusted."""
    return ProxyHeadersMiddleware(app, trusted_hosts=proxies) if proxies else app


sockets = SameOrigin(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))
application = trust_proxies(
    settings.TRUSTED_PROXIES, RequestLimits(ProtocolTypeRouter({"http": http, "websocket": sockets}))
)

get_catalogue()
gc.collect()
gc.freeze()  # Collecting it later took 0.1 s of some requests.
gc.enable()
