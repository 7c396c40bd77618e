"""Requests and answers of the API of alerts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Literal

from ninja import Field, Schema

from designer.projects.schemas import RequestBody
from runner.watch.alerts.evaluation import Limit
from runner.watch.alerts.kinds import KINDS, AlertKind
from runner.watch.alerts.models import Alert, Channel, Delivery, Form, Rule, Silence, State, What
from runner.watch.alerts.services import get_usual_limit

Threshold = Annotated[float, Field(ge=0, le=1e15)]
Progress = Literal["waiting", "arrived", "given_up"]
MAX_SECONDS = 86_400
MAX_MINUTES = 60 * 24 * 31


class AlertOut(Schema):
    """An alert. `where` names its job or host, `part` the node or topic; `text` says what is wrong.

    `silenced_until`: no message is sent before.
    """

    id: int
    kind: AlertKind
    title: str
    text: str
    job: int | None
    host: str
    part: str
    where: str
    state: State
    since: datetime
    fired_at: datetime | None
    ended_at: datetime | None
    silenced_until: datetime | None

    @classmethod
    def of(cls, alert: Alert, silences: Iterable[Silence]) -> AlertOut:
        until = max((each.until for each in silences if each.covers(alert)), default=None)
        return cls(
            id=alert.pk,
            kind=AlertKind(alert.kind),
            title=alert.title,
            text=alert.sentence(),
            job=alert.job_id,
            host=alert.host,
            part=alert.part,
            where=alert.where,
            state=State(alert.state),
            since=alert.since,
            fired_at=alert.fired_at,
            ended_at=alert.ended_at,
            silenced_until=until if alert.state != State.ENDED else None,
        )


class LimitOut(Schema):
    """When a rule fires: a figure is above `threshold` for `seconds`."""

    is_on: bool
    threshold: float
    seconds: int


class RuleOut(LimitOut):
    """A rule of one job, of a project, or without both of all. `by` is empty if no one set it."""

    job: int | None
    job_name: str
    project: str | None
    by: str

    @classmethod
    def of(cls, rule: Rule) -> RuleOut:
        return cls(
            is_on=rule.on,
            threshold=rule.threshold,
            seconds=rule.seconds,
            job=rule.job_id,
            job_name=rule.job.name if rule.job else "",
            project=rule.project.name if rule.project else None,
            by=rule.by.get_username(),
        )


class KindOut(Schema):
    """A kind of rule: the rule for all, those of projects and jobs, and the limit that comes with the product."""

    kind: AlertKind
    title: str
    help: str
    unit: str
    is_of_host: bool
    is_floor: bool = Field(description="It fires below the threshold.")
    has_limit: bool = Field(description="Its figure is a number. Else the threshold is 0.")
    usual: LimitOut
    rule: RuleOut
    of_projects: list[RuleOut]
    of_jobs: list[RuleOut]

    @classmethod
    def list_all(cls, rules: Iterable[Rule]) -> list[KindOut]:
        pairs = [(rule.kind, RuleOut.of(rule)) for rule in rules]
        return [cls.of(name, [rule for kind, rule in pairs if kind == name]) for name in KINDS]

    @classmethod
    def of(cls, name: AlertKind, rules: list[RuleOut]) -> KindOut:
        kind, limit = KINDS[name], get_usual_limit(name)._asdict()
        own = next((rule for rule in rules if rule.job is None and rule.project is None), None)
        return cls(
            kind=name,
            title=kind.title,
            help=kind.help,
            unit=kind.unit,
            is_of_host=kind.is_of_host,
            is_floor=kind.is_floor,
            has_limit=kind.has_limit,
            usual=LimitOut(**limit),
            rule=own or RuleOut(job=None, job_name="", project=None, by="", **limit),
            of_projects=[rule for rule in rules if rule.project is not None],
            of_jobs=[rule for rule in rules if rule.job is not None],
        )


class RuleIn(RequestBody):
    """When a rule fires."""

    is_on: bool = True
    threshold: Threshold
    seconds: Annotated[int, Field(ge=0, le=MAX_SECONDS)] = 0

    def limit(self) -> Limit:
        return Limit(self.is_on, self.threshold, self.seconds)


class SilenceIn(RequestBody):
    """A silence of one kind of alert (empty: of any)."""

    kind: AlertKind | Literal[""] = ""
    minutes: Annotated[int, Field(ge=1, le=MAX_MINUTES)]
    why: Annotated[str, Field(max_length=200)] = ""


class WideSilenceIn(SilenceIn):
    """Of a host, or without one of all jobs and hosts."""

    host: Annotated[str, Field(max_length=255)] = ""


class SilenceOut(Schema):
    id: int
    kind: AlertKind | Literal[""]
    job: int | None
    job_name: str
    host: str
    until: datetime
    why: str
    by: str

    @classmethod
    def of(cls, silence: Silence) -> SilenceOut:
        return cls(
            id=silence.pk,
            kind=AlertKind(silence.kind) if silence.kind else "",
            job=silence.job_id,
            job_name=silence.job.name if silence.job else "",
            host=silence.host,
            until=silence.until,
            why=silence.why,
            by=silence.by.get_username(),
        )


class ChannelIn(RequestBody):
    """`address`: of a webhook, or e-mail addresses separated by commas. `is_internal`: the address may be in an
    internal network.
    """

    name: Annotated[str, Field(max_length=100)]
    form: Form
    address: Annotated[str, Field(max_length=1_000)]
    is_internal: bool = False


class ChannelOut(Schema):
    id: int
    name: str
    form: Form
    shown: str
    is_internal: bool
    by: str

    @classmethod
    def of(cls, channel: Channel) -> ChannelOut:
        return cls(
            id=channel.pk,
            name=channel.name,
            form=Form(channel.form),
            shown=channel.shown,
            is_internal=channel.internal,
            by=channel.by.get_username(),
        )


class ChannelsOut(Schema):
    """`may_change`: whether the user may add and delete channels; `why` not. `has_mail`: whether e-mail can be sent."""

    channels: list[ChannelOut]
    may_change: bool
    why: str
    has_mail: bool


class NewChannelOut(Schema):
    channel: ChannelOut
    key: str = Field(description="What signs its messages, shown only now; empty where they are not signed.")


class DeliveryOut(Schema):
    """A message to a channel. While it is on its way, `next_at` says when it is tried again."""

    id: str
    channel: str
    what: What
    text: str
    state: Progress
    tries: int
    answer: str
    at: datetime
    next_at: datetime | None

    @classmethod
    def of(cls, delivery: Delivery) -> DeliveryOut:
        state: Progress = "waiting" if delivery.next_at else "given_up"
        return cls(
            id=str(delivery.pk),
            channel=delivery.channel.name,
            what=What(delivery.what),
            text=delivery.text,
            state="arrived" if delivery.arrived_at else state,
            tries=delivery.tries,
            answer=delivery.answer,
            at=delivery.at,
            next_at=delivery.next_at,
        )
