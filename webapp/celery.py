"""The Celery app. It carries short idempotent commands as JSON; a lost or doubled one is harmless (design.md §10)."""

import logging
import os

from celery import Celery
from celery.beat import SchedulingError
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")  # for all of webapp, which imports this first

app = Celery("webapp")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def shorten_traceback(record: logging.LogRecord) -> bool:
    """Celery retries by itself when Redis is away: the reason is worth a line, not a traceback."""
    error = record.exc_info[1] if record.exc_info else None
    why = error.__context__ if isinstance(error, SchedulingError) else error
    if isinstance(why, (OperationalError, RedisError)):
        first, *_ = record.getMessage().splitlines()
        record.msg, record.args, record.exc_info = f"{first} ({why})", (), None
    return True


for name in ("celery.beat", "celery.worker.consumer.consumer"):
    logging.getLogger(name).addFilter(shorten_traceback)

# the beat asks for a task every second, and each would be three lines: 40 MB a day that say nothing
for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace"):
    logging.getLogger(name).setLevel(logging.WARNING)
