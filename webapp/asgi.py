"""HTTP and websockets, each behind its wall. Sockets carry the session cookie, so their origin is checked first."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
http = get_asgi_application()

from runner.live.routing import websocket_urlpatterns  # noqa: E402  (needs Django set up)
from webapp.origins import SameOrigin  # noqa: E402
from webapp.walls import Walls  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": Walls(http),
        "websocket": SameOrigin(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)
