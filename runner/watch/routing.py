"""Websocket addresses."""

import re
from typing import Any

from django.urls import URLPattern, re_path

from runner.watch.live.consumers import JobConsumer
from runner.watch.logs.log_consumer import LogConsumer
from runner.watch.presence.consumers import PresenceConsumer
from runner.watch.sockets.viewer import NOT_FOUND, Viewer
from runner.watch.topics.topics import DeadLetterConsumer, TopicConsumer

CONSUMERS: tuple[type[Viewer], ...] = (JobConsumer, DeadLetterConsumer, LogConsumer, PresenceConsumer, TopicConsumer)
PARTS = {"job_id": r"\d{1,15}", "topology_id": r"\d{1,15}", "cluster": "[^/]+", "topic": "[^/]{1,249}"}
"""Allowed values in an address for each name."""


async def refuse_unknown(scope: Any, receive: Any, send: Any) -> None:
    """Refuses addresses that are not below."""
    await send({"type": "websocket.close", "code": NOT_FOUND})


def at(consumer: type[Viewer]) -> URLPattern:
    """The pattern of a consumer's address."""
    regex = re.sub(r"{(\w+)}", lambda part: f"(?P<{part[1]}>{PARTS[part[1]]})", consumer.address)
    pattern: URLPattern = re_path(f"^{regex.removeprefix('/')}$", consumer.as_asgi())
    return pattern


websocket_urlpatterns = [
    *map(at, CONSUMERS),
    re_path("", refuse_unknown),  # type: ignore[arg-type]
]
