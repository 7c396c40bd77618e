"""Websocket addresses."""

from typing import Any

from django.urls import re_path

from runner.watch.live.consumers import JobConsumer
from runner.watch.logs.log_consumer import LogConsumer
from runner.watch.sockets.viewer import NOT_FOUND
from runner.watch.topics.topics import DeadLetterConsumer, TopicConsumer


async def nothing_here(scope: Any, receive: Any, send: Any) -> None:
    """Refuses what no address below names."""
    await send({"type": "websocket.close", "code": NOT_FOUND})


JOB = r"^ws/jobs/(?P<job_id>\d{1,15})/"
websocket_urlpatterns = [
    re_path(f"{JOB}$", JobConsumer.as_asgi()),
    re_path(f"{JOB}dead-letters/$", DeadLetterConsumer.as_asgi()),
    re_path(f"{JOB}log/$", LogConsumer.as_asgi()),
    re_path(r"^ws/clusters/(?P<cluster>[^/]+)/topics/(?P<topic>[^/]{1,249})/$", TopicConsumer.as_asgi()),
    re_path("", nothing_here),  # type: ignore[arg-type]
]
