"""Websocket addresses."""

from django.urls import re_path

from runner.live.consumers import JobConsumer

websocket_urlpatterns = [re_path(r"^ws/jobs/(?P<job_id>\d{1,15})/$", JobConsumer.as_asgi())]
