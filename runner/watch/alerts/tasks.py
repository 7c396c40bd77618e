"""Periodic tasks of Celery: short looks, harmless if they are lost, late or doubled."""

from __future__ import annotations

import threading

from celery import shared_task

from runner.control.jobs.tasks import send_in_thread
from runner.watch.alerts import delivering, services


@shared_task(name="alerts.look", ignore_result=True, expires=5, acks_late=False, time_limit=60)
def look() -> None:
    """Judge all figures, and send new messages at once."""
    if services.look():
        ask_to_send()


@shared_task(name="alerts.deliver", ignore_result=True, expires=30, acks_late=False, time_limit=60)
def send_due() -> None:
    """Send until nothing more is due."""
    while delivering.send_due() == delivering.AT_ONCE:
        pass


def ask_to_send() -> threading.Thread:
    """Ask for the sending of waiting messages soon, without waiting for Redis."""
    return send_in_thread(send_due, otherwise="what waits is sent at the next beat")
