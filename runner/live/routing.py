"""Websocket addresses."""

from django.urls import re_path

from runner.live.consumers import JobConsumer
from runner.live.log_consumer import LogConsumer
from runner.live.topics import DeadLetterConsumer, TopicConsumer

JOB = r"^ws/jobs/(?P<job_id>\d{1,15})/"
websocket_urlpatterns = [
    re_path(f"{JOB}$", JobConsumer.as_asgi()),
    re_path(f"{JOB}dead-letters/$", DeadLetterConsumer.as_asgi()),
    re_path(f"{JOB}log/$", LogConsumer.as_asgi()),
    re_path(r"^ws/clusters/(?P<cluster>[^/]+)/topics/(?P<topic>[^/]{1,249})/$", TopicConsumer.as_asgi()),
]
