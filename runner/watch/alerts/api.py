"""Alerts over HTTP: what fires, rules, silences, channels and deliveries."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from ninja import Status

from designer.projects.permissions import explain_lack, find_projects_seen
from designer.projects.projects import get_project
from designer.projects.requests import get_user
from designer.projects.roles import ANY_ACCOUNT, OPERATOR, VIEWER
from designer.projects.routing import Router
from runner.control.clusters.permissions import CLUSTERS
from runner.control.jobs.models import Job
from runner.control.jobs.services import get_job
from runner.watch.alerts import services
from runner.watch.alerts.models import Alert, Channel, Delivery, Rule, Silence, State
from runner.watch.alerts.schemas import (
    AlertOut,
    ChannelIn,
    ChannelOut,
    ChannelsOut,
    DeliveryOut,
    KindOut,
    NewChannelOut,
    RuleIn,
    RuleOut,
    SilenceIn,
    SilenceOut,
    WideSilenceIn,
)
from runner.watch.alerts.services import filter_seen_by
from runner.watch.alerts.tasks import ask_to_send
from runner.watch.codes import WatchCode

router = Router(tags=["alerts"])
MAX_ALERTS = 200


@router.get(
    "/alerts",
    needs=ANY_ACCOUNT,
    response=list[AlertOut],
    summary="List firing and pending alerts, or ended ones with `has_ended`",
)
def list_alerts(request: HttpRequest, has_ended: bool = False) -> list[AlertOut]:
    alerts = Alert.objects.filter(state=State.ENDED) if has_ended else Alert.objects.exclude(state=State.ENDED)
    silences = list(Silence.objects.filter(until__gt=timezone.now()))
    visible_alerts = alerts.filter(filter_seen_by(get_user(request))).order_by("-since")
    return [AlertOut.of(alert, silences) for alert in visible_alerts[:MAX_ALERTS]]


@router.get("/alerts/rules", needs=ANY_ACCOUNT, response=list[KindOut], summary="Every kind of rule with its limits")
def list_rules(request: HttpRequest) -> list[KindOut]:
    user = get_user(request)
    rules = Rule.objects.filter(Q(project=None) | Q(project__in=find_projects_seen(user)), filter_seen_by(user))
    return KindOut.list_all(rules.select_related("job", "project", "by").order_by("project__name", "job__name"))


@router.put(
    "/alerts/rules/{kind}",
    needs=CLUSTERS,
    audit="change an alert rule",
    refuses=[WatchCode.ALERTS_BAD_RULE],
    response=RuleOut,
    summary="Set the rule of all jobs without their own rule",
)
def set_rule(request: HttpRequest, kind: str, body: RuleIn) -> RuleOut:
    return RuleOut.of(services.set_rule(kind=kind, limit=body.limit(), by=get_user(request)))


@router.delete(
    "/alerts/rules/{kind}",
    needs=CLUSTERS,
    audit="reset an alert rule",
    response={204: None},
    summary="Reset a rule to the default of the product",
)
def reset_rule(request: HttpRequest, kind: str) -> Status[None]:
    services.reset_rule(kind=kind, by=get_user(request))
    return Status(204, None)


@router.put(
    "/projects/{project}/alert-rules/{kind}",
    needs=OPERATOR,
    audit="change an alert rule of a project",
    refuses=[WatchCode.ALERTS_BAD_RULE],
    response=RuleOut,
    summary="Set the rule of a project's jobs",
)
def set_project_rule(request: HttpRequest, project: str, kind: str, body: RuleIn) -> RuleOut:
    """It holds for the jobs that have none of their own."""
    of, limit = get_project(project), body.limit()
    return RuleOut.of(services.set_rule(kind=kind, project=of, limit=limit, by=get_user(request)))


@router.delete(
    "/projects/{project}/alert-rules/{kind}",
    needs=OPERATOR,
    audit="reset an alert rule of a project",
    response={204: None},
    summary="Reset the rule of a project to the rule of all jobs",
)
def reset_project_rule(request: HttpRequest, project: str, kind: str) -> Status[None]:
    services.reset_rule(kind=kind, project=get_project(project), by=get_user(request))
    return Status(204, None)


@router.put(
    "/jobs/{job_id}/alert-rules/{kind}",
    needs=OPERATOR,
    audit="change an alert rule of a job",
    refuses=[WatchCode.ALERTS_BAD_RULE],
    response=RuleOut,
    summary="Set the rule of one job",
)
def set_job_rule(request: HttpRequest, job_id: int, kind: str, body: RuleIn) -> RuleOut:
    return RuleOut.of(services.set_rule(kind=kind, job=get_job(job_id), limit=body.limit(), by=get_user(request)))


@router.delete(
    "/jobs/{job_id}/alert-rules/{kind}",
    needs=OPERATOR,
    audit="reset an alert rule of a job",
    response={204: None},
    summary="Reset the rule of a job",
)
def reset_job_rule(request: HttpRequest, job_id: int, kind: str) -> Status[None]:
    services.reset_rule(kind=kind, job=get_job(job_id), by=get_user(request))
    return Status(204, None)


@router.get("/alerts/silences", needs=ANY_ACCOUNT, response=list[SilenceOut], summary="List the current silences")
def list_silences(request: HttpRequest) -> list[SilenceOut]:
    silences = Silence.objects.filter(filter_seen_by(get_user(request)), until__gt=timezone.now()).select_related(
        "job", "by"
    )
    return [SilenceOut.of(silence) for silence in silences.order_by("until")]


@router.post(
    "/alerts/silences",
    needs=CLUSTERS,
    audit="silence alerts",
    response={201: SilenceOut},
    summary="Silence the alerts of a host, or all alerts",
)
def silence(request: HttpRequest, body: WideSilenceIn) -> Status[SilenceOut]:
    return _make_silence(request, body, host=body.host)


@router.delete(
    "/alerts/silences/{silence_id}",
    needs=CLUSTERS,
    audit="end a silence",
    response={204: None},
    summary="End a silence of a host or of all alerts",
)
def end_silence(request: HttpRequest, silence_id: int) -> Status[None]:
    services.end_silence(silence_id=silence_id, job=None, by=get_user(request))
    return Status(204, None)


@router.post(
    "/jobs/{job_id}/silences",
    needs=OPERATOR,
    audit="silence alerts of a job",
    response={201: SilenceOut},
    summary="Silence the alerts of a job",
)
def silence_job(request: HttpRequest, job_id: int, body: SilenceIn) -> Status[SilenceOut]:
    return _make_silence(request, body, job=get_job(job_id))


@router.delete(
    "/jobs/{job_id}/silences/{silence_id}",
    needs=OPERATOR,
    audit="end a silence of a job",
    response={204: None},
    summary="End a silence of a job",
)
def end_job_silence(request: HttpRequest, job_id: int, silence_id: int) -> Status[None]:
    services.end_silence(silence_id=silence_id, job=get_job(job_id), by=get_user(request))
    return Status(204, None)


@router.get(
    "/alerts/channels", needs=VIEWER.anywhere, response=ChannelsOut, summary="List the channels that alerts are sent to"
)
def list_channels(request: HttpRequest) -> ChannelsOut:
    why = explain_lack(get_user(request), CLUSTERS)
    channels = Channel.objects.select_related("by").order_by("name")
    return ChannelsOut(
        channels=[ChannelOut.of(channel) for channel in channels],
        may_change=not why,
        why=why,
        has_mail=bool(settings.EMAIL_HOST),
    )


@router.post(
    "/alerts/channels",
    needs=CLUSTERS,
    audit="add a channel",
    refuses=[WatchCode.ALERTS_BAD_ADDRESS, WatchCode.ALERTS_BAD_CHANNEL, WatchCode.ALERTS_MAIL_OFF],
    response={201: NewChannelOut},
    summary="Add a channel",
)
def add_channel(request: HttpRequest, body: ChannelIn) -> Status[NewChannelOut]:
    channel, key = services.add_channel(
        name=body.name,
        form=body.form,
        address=body.address,
        is_internal=body.is_internal,
        by=get_user(request),
    )
    return Status(201, NewChannelOut(channel=ChannelOut.of(channel), key=key))


@router.delete(
    "/alerts/channels/{channel_id}",
    needs=CLUSTERS,
    audit="delete a channel",
    response={204: None},
    summary="Delete a channel",
)
def delete_channel(request: HttpRequest, channel_id: int) -> Status[None]:
    services.delete_channel(channel=services.get_channel(channel_id), by=get_user(request))
    return Status(204, None)


@router.post(
    "/alerts/channels/{channel_id}/test",
    needs=CLUSTERS,
    audit="test a channel",
    response={202: DeliveryOut},
    summary="Send a test message",
)
def test_channel(request: HttpRequest, channel_id: int) -> Status[DeliveryOut]:
    delivery = services.test_channel(channel=services.get_channel(channel_id), by=get_user(request))
    delivery.refresh_from_db()
    ask_to_send()
    return Status(202, DeliveryOut.of(delivery))


@router.get(
    "/alerts/deliveries",
    needs=VIEWER.anywhere,
    response=list[DeliveryOut],
    summary="List the newest messages with their delivery status",
)
def list_deliveries(request: HttpRequest) -> list[DeliveryOut]:
    deliveries = Delivery.objects.filter(filter_seen_by(get_user(request), "alert__")).select_related("channel")
    return [DeliveryOut.of(each) for each in deliveries.order_by("-at")[:MAX_ALERTS]]


def _make_silence(request: HttpRequest, body: SilenceIn, job: Job | None = None, host: str = "") -> Status[SilenceOut]:
    new_silence = services.make_silence(
        kind=body.kind, job=job, host=host, minutes=body.minutes, why=body.why, by=get_user(request)
    )
    return Status(201, SilenceOut.of(new_silence))
