"""Every write on alerts: one look at everything, rules, silences and channels."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from designer.names import check_line, check_name
from designer.projects.models import Project
from designer.projects.permissions import find_projects_seen
from designer.refusals import Conflict, NotFound, Refusal
from runner.control.clusters.sealing import seal_secrets
from runner.control.jobs.models import Job
from runner.control.jobs.reconciling import lock_alone
from runner.outgoing import AddressRefused, resolve, split_url
from runner.watch.alerts.evaluation import Limit, LimitOf, decide
from runner.watch.alerts.kinds import KINDS, AlertKind, Kind, Subject
from runner.watch.alerts.models import (
    MAX_NAME_LENGTH,
    MAX_TEXT,
    Alert,
    Channel,
    Delivery,
    Form,
    Rule,
    Silence,
    State,
    What,
)
from runner.watch.codes import WatchCode
from runner.watch.live.fleet import read_fleet

log = logging.getLogger(__name__)
LOCK = 0x53_5B
BEGAN = "alerts.looks"
UNSEEN_SECONDS = 60
"""After this time without a look the product was down: the next look is a start."""
STEP = timedelta(minutes=5)
"""The clock was set if a look seems to be that far from the one before it. The next look is a start, too."""
RETENTION = timedelta(days=90)
"""How long ended alerts stay in the history, with their deliveries."""


class MailOff(Refusal):
    """No mail server is set."""

    code = WatchCode.ALERTS_MAIL_OFF
    status = 422


class BadRule(Refusal):
    """No job can have such a rule."""

    code = WatchCode.ALERTS_BAD_RULE
    status = 422


class BadChannel(Refusal):
    """The settings are not enough to send messages."""

    code = WatchCode.ALERTS_BAD_CHANNEL
    status = 422


class BadAddress(Refusal):
    """A webhook may not use this address."""

    code = WatchCode.ALERTS_BAD_ADDRESS
    status = 422


def look(now: datetime | None = None) -> bool:
    """Judge everything once, and record the messages to send. Returns whether there are any.

    Several processes may look at once: all but one do nothing.
    """
    with lock_alone(0, LOCK) as mine:
        return mine and _look(now or timezone.now())


@transaction.atomic
def _look(now: datetime) -> bool:
    fleet, limit_of = read_fleet(), read_limits()
    open_alerts = Alert.objects.exclude(state=State.ENDED)
    verdict = decide(fleet, open_alerts, limit_of, now, _find_begin(now))
    for alert in verdict.forgotten_alerts:
        alert.delete()
    silences = list(Silence.objects.filter(until__gt=now))
    outcomes = [_tell(alert, silences) for alert in verdict.changed_alerts]
    Alert.objects.filter(state=State.ENDED, ended_at__lt=now - RETENTION).delete()
    Silence.objects.filter(until__lte=now).delete()
    return any(outcomes)


def _find_begin(now: datetime) -> datetime:
    """The begin of looks without a long pause, or without a clock that was set meanwhile."""
    began, last = cache.get(BEGAN) or (now, now)
    if abs(now - last) > STEP:
        began = now
    cache.set(BEGAN, (began, now), UNSEEN_SECONDS)
    return began


def _tell(alert: Alert, silences: Iterable[Silence]) -> bool:
    """Save a changed alert, with its due messages."""
    fires = alert.state == State.FIRING and not alert.told
    if fires and not any(silence.covers(alert) for silence in silences):
        alert.told = True
        alert.save()
        _add_deliveries(alert, What.FIRED, Channel.objects.all())
        return True
    alert.save()
    if alert.state == State.ENDED and alert.told:
        _add_deliveries(alert, What.ENDED, Channel.objects.filter(deliveries__alert=alert, deliveries__what=What.FIRED))
        return True
    return False


def _add_deliveries(alert: Alert, what: What, channels: Iterable[Channel]) -> None:
    Delivery.objects.bulk_create(
        Delivery(channel=channel, alert=alert, what=what, text=alert.sentence()[:MAX_TEXT]) for channel in channels
    )


def filter_seen_by(user: AbstractUser, path: str = "") -> Q:
    """Rows of a job in a project that the user sees, or of no job. `path` leads to the object with the job."""
    jobs = Job.objects.filter(topology__project__in=find_projects_seen(user))
    return Q(**{f"{path}job__in": jobs}) | Q(**{f"{path}job__isnull": True})


def read_limits() -> LimitOf:
    """The present rules: a job's own, else its project's, else the one for all jobs, else the kind's own."""
    rules = {
        (rule.kind, rule.job_id, rule.project_id): Limit(rule.on, rule.threshold, rule.seconds)
        for rule in Rule.objects.all()
    }
    projects = dict(Job.objects.values_list("id", "topology__project"))

    def limit_of(kind: str, subject: Subject) -> Limit:
        job = subject.job
        places = [(job, None), (None, projects.get(job)), (None, None)] if job is not None else [(None, None)]
        return next((rules[kind, *place] for place in places if (kind, *place) in rules), get_usual_limit(kind))

    return limit_of


def get_usual_limit(kind: str) -> Limit:
    """The limit of a kind until a user sets a rule. Alerts of removed kinds never fire."""
    alert_kind = KINDS.get(AlertKind(kind))
    return Limit(alert_kind.is_on, alert_kind.threshold, alert_kind.seconds) if alert_kind else Limit(False, 0, 0)


def set_rule(
    *, kind: str, limit: Limit, by: AbstractUser, job: Job | None = None, project: Project | None = None
) -> Rule:
    """A separate rule for a job or a project, or without one for all others. Raises NotFound, BadRule."""
    alert_kind = get_kind(kind)
    if alert_kind.is_of_host and (job or project):
        raise BadRule(f"The rule `{alert_kind.title}` is about hosts, not jobs.", "Set it for all hosts.")
    if limit.threshold and not alert_kind.has_limit:
        raise BadRule(f"The rule `{alert_kind.title}` has no limit, and would never fire.", "Set its threshold to 0.")
    values = {"on": limit.is_on, "threshold": limit.threshold, "seconds": limit.seconds, "by_id": by.pk}
    values |= {"at": timezone.now()}
    rule, _ = Rule.objects.update_or_create(kind=kind, job=job, project=project, defaults=values)
    log.info("%s set the rule %s to %s", by, rule, limit)
    return rule


def reset_rule(*, kind: str, by: AbstractUser, job: Job | None = None, project: Project | None = None) -> None:
    """Return to the rule of the job's project, the one for all jobs, or the kind's own."""
    get_kind(kind)
    Rule.objects.filter(kind=kind, job=job, project=project).delete()
    log.info("%s reset the rule %s of %s", by, kind, job or project or "all jobs")


def get_kind(name: str) -> Kind:
    """Raises NotFound."""
    kind = KINDS.get(AlertKind(name))
    if kind is None:
        raise NotFound(f"There is no kind of rule `{name}`.", f"Kinds: {', '.join(KINDS)}.")
    return kind


def make_silence(*, kind: str, job: Job | None, host: str, minutes: int, why: str, by: AbstractUser) -> Silence:
    """Send no message for this long. Alerts that still fire then are reported at once. Raises NotFound."""
    if kind:
        get_kind(kind)
    why, host = check_line(why, "The reason of a silence"), check_line(host, "The name of a host")
    until = timezone.now() + timedelta(minutes=minutes)
    silence = Silence.objects.create(kind=kind, job=job, host=host, until=until, why=why, by_id=by.pk)
    log.info("%s silenced %s of %s", by, silence, job or host or "everything")
    return silence


def end_silence(*, silence_id: int, job: Job | None, by: AbstractUser) -> None:
    """End a silence of a job, or of no single job. Raises NotFound."""
    if not Silence.objects.filter(id=silence_id, job=job).delete()[0]:
        raise NotFound(f"There is no silence {silence_id}.", "It may have ended.")
    log.info("%s ended silence %s", by, silence_id)


def add_channel(*, name: str, form: Form, address: str, is_internal: bool, by: AbstractUser) -> tuple[Channel, str]:
    """A channel, and the key of its signatures, which is shown once. Empty if messages are not signed.

    Raises BadAddress, BadChannel, MailOff, Conflict.
    """
    name, address = check_name(name, "channel", MAX_NAME_LENGTH), address.strip()
    shown_address = _check_mail_addresses(address) if form == Form.EMAIL else _check_webhook(address, is_internal)
    key = secrets.token_urlsafe(32) if form == Form.WEBHOOK else ""
    sealed_secrets = seal_secrets({"address": address} | ({"key": key} if key else {}))
    try:
        with transaction.atomic():
            channel = Channel.objects.create(
                name=name, form=form, shown=shown_address, secrets=sealed_secrets, internal=is_internal, by_id=by.pk
            )
    except IntegrityError as error:
        raise Conflict(f"Channel `{name}` already exists.", "Choose another name.") from error
    log.info("%s added channel %s to %s", by, channel, shown_address)
    return channel, key


def get_channel(channel_id: int) -> Channel:
    """Raises NotFound."""
    channel = Channel.objects.filter(id=channel_id).first()
    if channel is None:
        raise NotFound(f"There is no channel {channel_id}.", "It may have been deleted.")
    return channel


def delete_channel(*, channel: Channel, by: AbstractUser) -> None:
    """Delete a channel and its waiting messages."""
    channel.delete()
    log.info("%s deleted channel %s", by, channel)


def test_channel(*, channel: Channel, by: AbstractUser) -> Delivery:
    """Send it a test message."""
    text = f"{by.get_username()} tries the channel `{channel.name}`. Alerts will arrive like this."
    return Delivery.objects.create(channel=channel, what=What.TEST, text=text)


def _check_webhook(address: str, is_internal: bool) -> str:
    """The visible part of the address. With many receivers, the path is the secret. Raises BadAddress."""
    try:
        resolve(address, is_internal=is_internal)
    except AddressRefused as refusal:
        raise BadAddress(refusal.message, refusal.hint) from refusal
    parts = split_url(address)
    return f"{parts.scheme}://{parts.netloc}/…" if parts.path.strip("/") or parts.query else address


def _check_mail_addresses(text: str) -> str:
    if not settings.EMAIL_HOST:
        raise MailOff("This server sends no e-mail.", "Set EMAIL_HOST on the server, and start it again.")
    for address in text.split(","):
        try:
            validate_email(address.strip())
        except ValidationError as error:
            raise BadChannel(
                f"`{address.strip()[:100]}` is not an e-mail address.", "Separate several by commas."
            ) from error
    return text
