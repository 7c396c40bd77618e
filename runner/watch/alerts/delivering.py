"""Sends due messages. Deliveries stay in Postgres until they arrive, so that a dead worker loses none."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from designer.names import as_one_line
from designer.refusals import Refusal
from runner.watch.alerts.models import MAX_ANSWER, Alert, Delivery, What
from runner.watch.alerts.sending import Message, Outcome, send

log = logging.getLogger(__name__)
AT_ONCE = 8
ROUND_SECONDS = 25.0
"""Longest round of sending: within the time limit of Celery's tasks."""
FIRST_DELAY = timedelta(seconds=5)
MAX_DELAY = timedelta(hours=1)
MAX_TRIES = 12
"""With these delays a receiver may be unreachable for five hours."""
LEASE = timedelta(seconds=60)
"""During this time no other worker takes a delivery. Then its worker counts as dead."""


def send_due() -> int:
    """Send some due deliveries. Returns their number."""
    deliveries = _take(timezone.now())
    pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="deliveries")
    sending = {pool.submit(_try_delivery, delivery): delivery for delivery in deliveries}
    try:
        for attempt in as_completed(list(sending), ROUND_SECONDS):
            _note(sending.pop(attempt), attempt.result())
    except TimeoutError:
        for delivery in sending.values():
            _note(delivery, Outcome(False, f"No answer in {ROUND_SECONDS:.0f} s."))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return len(deliveries)


@transaction.atomic
def _take(now: datetime) -> Sequence[Delivery]:
    """Due deliveries, counted as tried before they are sent. The end of an alert waits for its beginning."""
    waiting = Delivery.objects.filter(next_at__isnull=False)
    # later than any delay allows: the clock was set back
    waiting.filter(Q(tries=0, next_at__gt=now) | Q(next_at__gt=now + MAX_DELAY)).update(next_at=now)
    begins = waiting.filter(what=What.FIRED, channel=OuterRef("channel"), alert=OuterRef("alert"))
    due = waiting.filter(~Q(what=What.ENDED) | ~Exists(begins), next_at__lte=now)
    locked = due.select_for_update(skip_locked=True, of=("self",))
    deliveries = list(locked.select_related("channel", "alert").order_by("next_at")[:AT_ONCE])
    for delivery in deliveries:
        delivery.tries += 1
        delivery.next_at = now + LEASE
        delivery.save(update_fields=["tries", "next_at"])
    return deliveries


def _try_delivery(delivery: Delivery) -> Outcome:
    """Send one message. In a thread: nothing here uses the database.

    Any error is the outcome of this delivery alone. Raised, it would end the round before the others are noted, and
    they would be sent again.
    """
    try:
        return send(make_message(delivery))
    except Refusal as refusal:
        return Outcome(False, refusal.message)
    except Exception:
        log.exception("a message to channel %s could not be sent", delivery.channel)
        return Outcome(False, "Streamwright could not write this message. The log of the server has the cause.")


def _note(delivery: Delivery, outcome: Outcome) -> None:
    """A delivery that was deleted meanwhile with its channel is ignored."""
    now = timezone.now()
    delay = min(MAX_DELAY, FIRST_DELAY * 3 ** (delivery.tries - 1))
    again = not outcome.has_arrived and delivery.tries < MAX_TRIES
    Delivery.objects.filter(id=delivery.id).update(
        answer=as_one_line(outcome.answer)[:MAX_ANSWER],
        arrived_at=now if outcome.has_arrived else None,
        next_at=now + delay if again else None,
    )


def make_message(delivery: Delivery) -> Message:
    """The message to send. Raises SecretLost."""
    channel, alert = delivery.channel, delivery.alert
    secrets = channel.open_secrets()
    word = {What.FIRED: "Firing", What.ENDED: "Ended", What.TEST: "Test"}[What(delivery.what)]
    return Message(
        id=str(delivery.id),
        form=channel.form,
        address=secrets["address"],
        key=secrets.get("key", ""),
        is_internal=channel.internal,
        subject=f"{word}: {alert or channel}",
        text=delivery.text,
        link=_make_link(alert),
        facts={"event": delivery.what, "alert": None if alert is None else list_facts(alert)},
    )


def list_facts(alert: Alert) -> dict[str, Any]:
    """An alert in the form of webhooks."""
    return {
        "id": alert.pk,
        "kind": alert.kind,
        "job": alert.job_id,
        "host": alert.host,
        "part": alert.part,
        "where": alert.where,
        "value": alert.value,
        "threshold": alert.threshold,
        "since": alert.since.isoformat(),
        "fired_at": alert.fired_at and alert.fired_at.isoformat(),
        "ended_at": alert.ended_at and alert.ended_at.isoformat(),
    }


def _make_link(alert: Alert | None) -> str:
    """A link to more details. Empty if the server does not know its own address."""
    if not settings.ADDRESS:
        return ""
    path = "/alerts" if alert is None or alert.job_id is None else f"/jobs/{alert.job_id}"
    return f"{settings.ADDRESS.rstrip('/')}{path}"
