"""From figures in Postgres and Redis to messages that arrive, through a real HTTP server and a real mail server."""

import hashlib
import hmac
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.header import decode_header, make_header
from typing import Any, cast

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.utils import timezone

from runner.control.jobs.hosts import get_our_version
from runner.control.jobs.models import AgentHost, Job
from runner.spark.events import ProgressEvent
from runner.watch.alerts import delivering, services
from runner.watch.alerts.delivering import MAX_TRIES, send_due
from runner.watch.alerts.evaluation import CALM
from runner.watch.alerts.models import Alert, Channel, Delivery, Form
from runner.watch.alerts.sending import SIGNATURE
from runner.watch.alerts.services import BadAddress, BadChannel, MailOff, add_channel, look, make_silence
from runner.watch.live.numbers import Numbers
from runner.watch.live.outbox import LiveOutbox, LiveUpdate
from runner.watch.live.snapshot import read_clock
from tests.runner.watch.alerts.receivers import Hook, MailServer
from webapp.accounts.models import User

pytestmark = pytest.mark.services
FULL = {"disk_bytes": 100, "disk_free_bytes": 1}


@pytest.fixture
def full_disk(transactional_db: None, redis_url: str) -> AgentHost:
    return AgentHost.objects.create(name="one", boot_id="b", version=get_our_version(), **FULL)


def looks(*after: float) -> None:
    """A look at each time, in seconds from now, with an agent that reports."""
    for seconds in after:
        AgentHost.objects.update(beat_at=timezone.now())
        look(timezone.now() + timedelta(seconds=seconds))


def due() -> None:
    """What waits to be tried again may be tried."""
    Delivery.objects.filter(next_at__isnull=False).update(next_at=timezone.now())


def bodies(hook: Hook) -> list[dict[str, Any]]:
    return [json.loads(body) for _, _, body in hook.received]


def test_an_alert_is_told_once_and_with_its_end(full_disk: AgentHost, channel: Any, hook: Hook) -> None:
    looks(0, 30)
    assert (Alert.objects.get().state, send_due()) == ("pending", 0)

    looks(61, 66, 71)
    assert (send_due(), send_due()) == (1, 0)
    AgentHost.objects.update(disk_free_bytes=50)
    looks(76, 77 + CALM.total_seconds(), 200)
    assert (send_due(), send_due()) == (1, 0)

    fired, ended = bodies(hook)
    assert (fired["event"], fired["subject"], fired["text"]) == (
        "fired",
        "Firing: Disk: one",
        "The disk of one is 99 % full.",
    )
    assert (ended["event"], ended["alert"]["id"]) == ("ended", fired["alert"]["id"])
    assert datetime.fromisoformat(ended["alert"]["ended_at"]) > datetime.fromisoformat(ended["alert"]["fired_at"])
    assert Alert.objects.get().state == "ended"


def test_live_numbers_of_a_job_fire(job: Job, channel: Any, hook: Hook, settings: Any) -> None:
    settings.ADDRESS = "https://streams.example.com/"
    numbers = Numbers(["late"], ["flights"], read_clock())
    failed = {"late": {"no_result": {}, "extra": 0, "waiting": 0, "dead_letters": 40}}
    batch = {"batch": 1, "started_at": read_clock(), "committed_at": read_clock(), "duration_ms": 1, "records_in": 40}
    numbers.note_progress(cast(ProgressEvent, {**batch, "nodes": {}, "sources": {}, "outcomes": failed}), read_clock())
    outbox = LiveOutbox()
    outbox.post(LiveUpdate(job.id, {"type": "job.progressed"}, numbers.to_json(read_clock())))
    outbox.close()

    looks(0)
    send_due()

    (told,) = bodies(hook)
    assert told["text"] == f"`late` of {job.name} writes dead letters: 40 per minute."
    assert told["link"] == f"https://streams.example.com/jobs/{job.id}"
    assert (told["alert"]["job"], told["alert"]["part"]) == (job.id, "late")


def test_a_message_has_no_empty_link(full_disk: AgentHost, channel: Any, hook: Hook, settings: Any) -> None:
    settings.ADDRESS = ""

    looks(0, 61)
    send_due()

    (told,) = bodies(hook)
    assert "link" not in told


def test_a_receiver_can_check_who_sent_it(full_disk: AgentHost, channel: tuple[Channel, str], hook: Hook) -> None:
    looks(0, 61)
    send_due()

    (_, headers, body), (_, key) = hook.received[0], channel
    parts = dict(part.split("=") for part in headers[SIGNATURE].split(","))
    expected = hmac.new(key.encode(), f"{parts['t']}.".encode() + body, hashlib.sha256).hexdigest()
    assert parts["v1"] == expected
    kept = str(Channel.objects.get().secrets)
    assert key not in kept and hook.url not in kept


def test_what_is_not_taken_is_tried_again_with_growing_pauses(full_disk: Any, channel: Any, hook: Hook) -> None:
    hook.statuses = [500, 302, 200]
    looks(0, 61)
    pauses = []
    for _ in range(3):
        send_due()
        sent = Delivery.objects.get()
        pauses.append(round((sent.next_at - timezone.now()).total_seconds()) if sent.next_at else None)
        due()

    assert pauses == [5, 15, None]
    assert (sent.tries, sent.answer) == (3, "HTTP 200") and sent.arrived_at
    assert len({body["id"] for body in bodies(hook)}) == 1
    assert len(hook.received) == 3, "a redirect is not followed"


def test_what_never_arrives_is_given_up(full_disk: Any, channel: Any, hook: Hook) -> None:
    hook.statuses = [404]
    looks(0, 61)
    for _ in range(MAX_TRIES + 3):
        send_due()
        due()

    sent = Delivery.objects.get()
    assert (sent.tries, sent.next_at, sent.arrived_at, sent.answer) == (MAX_TRIES, None, None, "HTTP 404")


def test_a_worker_that_dies_loses_nothing(full_disk: Any, channel: Any, hook: Hook) -> None:
    looks(0, 61)
    taken = delivering._take(timezone.now())

    assert (len(taken), send_due()) == (1, 0), "another worker leaves it alone for a time"
    due()
    assert send_due() == 1
    assert [body["event"] for body in bodies(hook)] == ["fired"]


def test_a_worker_holds_only_the_messages_that_it_sends(channel: tuple[Channel, str]) -> None:
    Delivery.objects.bulk_create(Delivery(channel=channel[0], what="test", text="x") for _ in range(20))

    def list_free() -> int:
        try:
            with transaction.atomic():
                return len(Delivery.objects.select_for_update(skip_locked=True))
        finally:
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as pool:
        taken = delivering._take(timezone.now())
        free = pool.submit(list_free).result()

    assert (len(taken), free) == (delivering.AT_ONCE, 20 - delivering.AT_ONCE)


def test_the_end_waits_for_the_beginning(full_disk: Any, channel: Any, hook: Hook) -> None:
    hook.statuses = [503, 200]
    looks(0, 61)
    send_due()
    AgentHost.objects.update(disk_free_bytes=50)
    looks(66, 67 + CALM.total_seconds())

    assert send_due() == 0
    due()
    send_due()
    send_due()
    assert [body["event"] for body in bodies(hook)] == ["fired", "fired", "ended"]


def test_a_silence_holds_back_and_what_still_fires_is_told_after_it(
    full_disk: Any, channel: Any, hook: Hook, admin: User
) -> None:
    make_silence(kind="", job=None, host="one", minutes=10, why="repair", by=admin)
    looks(0, 61, 500)
    assert (Alert.objects.get().state, send_due()) == ("firing", 0)

    looks(601)
    send_due()
    assert [body["event"] for body in bodies(hook)] == ["fired"]


def test_what_ends_in_a_silence_is_not_told(full_disk: Any, channel: Any, hook: Hook, admin: User) -> None:
    make_silence(kind="disk", job=None, host="", minutes=10, why="", by=admin)
    looks(0, 61)
    AgentHost.objects.update(disk_free_bytes=50)
    looks(66, 67 + CALM.total_seconds())

    assert Alert.objects.get().state == "ended"
    assert send_due() == 0


def test_many_who_look_at_once_tell_it_once(full_disk: Any, channel: Any, hook: Hook) -> None:
    looks(0)

    def one_look() -> None:
        look(timezone.now() + timedelta(seconds=61))
        send_due()
        connection.close()

    threads = [threading.Thread(target=one_look) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    send_due()

    assert [body["event"] for body in bodies(hook)] == ["fired"]


def test_a_mail_says_what_is_wrong(full_disk: Any, admin: User, mail: MailServer, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = mail.server_address[:2]
    settings.EMAIL_USE_TLS, settings.DEFAULT_FROM_EMAIL = False, "alerts@example.com"
    add_channel(name="all", form=Form.EMAIL, address="a@example.com, b@example.com", is_internal=False, by=admin)
    looks(0, 61)

    send_due()

    ((to, message),) = mail.received
    assert to == ["a@example.com", "b@example.com"]
    assert str(make_header(decode_header(str(message["Subject"])))) == "[Streamwright] Firing: Disk: one"
    assert message["Message-ID"] == f"<{Delivery.objects.get().id}@example.com>"
    assert "The disk of one is 99 % full." in str(message.get_payload())


def test_a_delivery_that_cannot_be_made_is_tried_like_others_and_stops_none(
    full_disk: Any, channel: tuple[Channel, str], admin: User, hook: Hook
) -> None:
    broken, _ = add_channel(name="broken", form=Form.WEBHOOK, address=hook.url, is_internal=True, by=admin)
    Channel.objects.filter(id=broken.pk).update(secrets={"address": ["no sealed text"]})
    looks(0, 61)

    send_due()
    send_due()

    told, failed = Delivery.objects.get(channel=channel[0]), Delivery.objects.get(channel=broken)
    assert (told.answer, len(hook.received)) == ("HTTP 200", 1), "nobody is told twice"
    assert (failed.tries, failed.arrived_at) == (1, None)
    assert failed.answer and failed.next_at and failed.next_at > timezone.now()


def test_a_mail_about_an_older_name_with_a_line_break_is_one_mail(
    full_disk: Any, admin: User, mail: MailServer, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = mail.server_address[:2]
    settings.EMAIL_USE_TLS = False
    add_channel(name="all", form=Form.EMAIL, address="a@example.com", is_internal=False, by=admin)
    looks(0, 61)
    Alert.objects.update(where="Job a\r\nBcc: x@evil.example")

    send_due()

    ((to, message),) = mail.received
    assert to == ["a@example.com"]
    assert str(make_header(decode_header(str(message["Subject"])))).endswith("Job a Bcc: x@evil.example")


def test_reasons_of_a_mail_server_are_sentences(full_disk: Any, admin: User, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    settings.EMAIL_USE_TLS = False
    add_channel(name="all", form=Form.EMAIL, address="a@example.com", is_internal=False, by=admin)
    looks(0, 61)

    send_due()

    assert Delivery.objects.get().answer == "The mail server 127.0.0.1 refuses connections on this port."


def test_slack_gets_its_own_form(full_disk: Any, admin: User, hook: Hook) -> None:
    made, key = add_channel(name="slack", form=Form.SLACK, address=hook.url, is_internal=True, by=admin)
    AgentHost.objects.update(name="<one>")
    looks(0, 61)

    send_due()

    assert key == "" and "/hook" not in made.shown
    assert bodies(hook) == [{"text": "*Firing: Disk: &lt;one&gt;*\nThe disk of &lt;one&gt; is 99 % full."}]


@pytest.mark.parametrize("form", [Form.SLACK, Form.WEBHOOK])
def test_the_path_of_a_webhook_which_may_be_its_secret_is_not_shown(form: Form, admin: User, hook: Hook) -> None:
    made, _ = add_channel(name="on call", form=form, address=hook.url, is_internal=True, by=admin)

    assert made.shown == f"{hook.url.removesuffix('/hook')}/…"


def test_the_wall_stands_when_a_message_is_sent(full_disk: Any, channel: Any, hook: Hook) -> None:
    """A name may lead elsewhere by then."""
    Channel.objects.update(internal=False)
    looks(0, 61)
    send_due()

    assert "internal network" in Delivery.objects.get().answer
    assert hook.received == []


def test_what_cannot_be_sent_is_refused(admin: User, hook: Hook, settings: Any) -> None:
    with pytest.raises(BadAddress):
        add_channel(name="a", form=Form.WEBHOOK, address=hook.url, is_internal=False, by=admin)
    with pytest.raises(MailOff):
        add_channel(name="b", form=Form.EMAIL, address="a@example.com", is_internal=False, by=admin)
    settings.EMAIL_HOST = "127.0.0.1"
    with pytest.raises(BadChannel, match="nobody"):
        add_channel(name="c", form=Form.EMAIL, address="a@example.com, nobody", is_internal=False, by=admin)

    assert not Channel.objects.exists()


def test_messages_are_sent_after_the_clock_was_set_back(channel: Any, hook: Hook, user: User) -> None:
    delivery = services.test_channel(channel=channel[0], by=user)
    Delivery.objects.filter(id=delivery.id).update(next_at=datetime.now(UTC) + timedelta(hours=1))

    assert send_due() == 1


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_that_was_set_is_a_start(hours: int) -> None:
    cache.clear()
    now = datetime.now(UTC)
    first = services._find_begin(now)
    assert services._find_begin(now + timedelta(seconds=5)) == first

    later = now + timedelta(hours=hours)
    assert services._find_begin(later) == later
    assert services._find_begin(later + timedelta(seconds=5)) == later
