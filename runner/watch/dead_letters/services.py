"""Requests of users on dead letters: to read them, and to send them back."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import NamedTuple

from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.db.models.functions import Now

from designer.projects.roles import Role
from designer.refusals import Conflict, NotFound, Refusal
from designer.streams.flows import make_operator
from designer.text import write_count
from designer.topology.graph import Graph, Node
from runner.control.jobs.models import Job, JobEvent
from runner.control.jobs.plans.graph_facts import find_sources
from runner.control.jobs.statuses import Act
from runner.kafka import Place, Topic, TopicMissing
from runner.watch.dead_letters import tasks
from runner.watch.dead_letters.contents import DeadLettersOfRecord, find_reads
from runner.watch.dead_letters.groups import Filter, Grouping
from runner.watch.dead_letters.marks import make_topic, read_marks
from runner.watch.dead_letters.models import Redrive, RedriveStatus
from runner.watch.dead_letters.reading import Reading, ReadOut
from runner.watch.topics.texts import encode_text
from runner.watch.topics.uses import refuse_change

MIN_RATE = 0.1
"""Fewest records a second of a redrive with a rate: its worker, which has a time limit, waits between two of them."""


class Look(NamedTuple):
    """The letters of a job, and the part of the topic that was read. `topic` is None if none was ever written."""

    topic: Topic | None
    read: ReadOut
    grouping: Grouping


class EditedRecord(NamedTuple):
    """The edited key and value of one record, as texts."""

    key: str | None
    value: str | None


def get_topic(job: Job) -> str:
    """The name of a job's topic of dead letters."""
    return job.read_settings().dead_letters_of(job.application_id)


def look(*, job: Job, choice: Filter) -> Look:
    """Read the newest letters of a job. Raises KafkaUnreachable."""
    cluster, name = job.cluster.connect(), get_topic(job)
    try:
        topic = cluster.topic(name)
    except TopicMissing:
        return Look(None, {"letters": 0, "offsets": 0, "is_all": True, "seconds": 0.0}, Grouping(choice, {}))
    reading = Reading(cluster, topic)
    grouping = Grouping(choice, read_marks(cluster, topic)).add(reading.messages())
    return Look(topic, reading.summary, grouping)


class SeenAgain:
    """The nodes of a graph that get a record twice if it goes back to its source topic."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.sources = find_sources(graph)
        self.with_traces = [each.id for each in graph.nodes if _leaves_traces(each)]

    def find(self, topics: Collection[str], node: str | None) -> list[str]:
        """The nodes that store or write something, and had a record of these topics before `node` failed it."""
        waiting = [each for each, source in self.sources.items() if any(map(source.reads, topics))]
        reached_nodes = set[str]()
        while waiting:
            at = waiting.pop()
            if at != node and at not in reached_nodes:
                reached_nodes.add(at)
                waiting += [edge.target for edge in self.graph.edges_from(at)]
        return [each for each in self.with_traces if each in reached_nodes]


def _leaves_traces(node: Node) -> bool:
    """Whether a node stores something of each record, writes it or passes it to Python code."""
    operator = make_operator(node)
    return operator is not None and (operator.remembers or operator.runs_code or not operator.get_declared_outputs())


def redrive(
    *,
    job: Job,
    choice: Filter,
    letters: Collection[Place] | None,
    rate: float | None,
    by: AbstractUser,
    edit: EditedRecord | None = None,
) -> Redrive:
    """Send letters back to their source topics: the given ones, or all waiting ones of a filter.

    The letters are chosen now. Later ones are not included. `rate` is the maximum of records a second, None without
    one. An edit replaces key and value of one record. Raises NotFound, Conflict if a redrive of that topic already
    runs, Refusal for a rate below MIN_RATE, NotBase64, RoleMissing.
    """
    if rate is not None and not rate >= MIN_RATE:
        raise Refusal(
            f"A redrive cannot send {rate:g} records a second; the lowest rate is {MIN_RATE:g}.",
            "Choose a higher rate, or none.",
        )
    _refuse_second(job)
    overview, records = choose(job, choice, letters)
    assert overview.topic is not None
    if letters is None:
        _refuse_without_marks(job, overview)
    records = [each for each in records if not any(place in overview.grouping.marks for place in each)]
    if not records:
        raise Conflict("These dead letters were all sent back already.", "Reload the page.")
    _refuse_foreign_topics(job, overview.grouping.find_source_topics(records), by)
    if edit is not None:
        if len(records) > 1:
            raise Refusal("Only one letter can be edited at a time.", "Choose one.")
        encode_text(edit.key, "key"), encode_text(edit.value, "value")
    make_topic(job.cluster.connect(), overview.topic.name)
    try:
        with transaction.atomic():
            new_redrive = Redrive.objects.create(
                job=job,
                cluster=job.cluster,
                topic=overview.topic.name,
                topic_id=overview.topic.id,
                records=records,
                amount=len(records),
                edited=None if edit is None else edit._asdict(),
                rate=rate,
                by_id=by.pk,
            )
            after = {"redrive": new_redrive.id, "records": len(records), "edited": edit is not None}
            JobEvent.objects.create(job=job, what=Act.REDRIVE, by_id=by.pk, after=after)
            transaction.on_commit(lambda: tasks.ask(new_redrive.id))
    except IntegrityError:
        _refuse_second(job)
        raise
    return Redrive.objects.get(id=new_redrive.id)


def _refuse_foreign_topics(job: Job, topics: Iterable[str], by: AbstractUser) -> None:
    """Raises RoleMissing unless the user may send records to these topics.

    A job of another project may read one of them too, and anyone who sends to the dead-letter topic says in headers
    where a record goes back to.
    """
    is_read = find_reads(job.version.read_graph())
    for topic in filter(is_read, sorted(topics)):
        with suppress(TopicMissing):  # the redrive says so of each record
            refuse_change(by, job.cluster, topic, Role.OPERATOR)


def stop(*, redrive: Redrive, by: AbstractUser) -> Redrive:
    """Stop a redrive. Sent records stay sent."""
    rows = Redrive.objects.filter(id=redrive.id, status=RedriveStatus.RUNNING)
    if rows.update(status=RedriveStatus.STOPPED, ended_at=Now()):
        JobEvent.objects.create(job=redrive.job, what=Act.STOP_REDRIVE, by_id=by.pk, after={"redrive": redrive.id})
    redrive.refresh_from_db()
    return redrive


def redrive_of(job: Job, redrive_id: int) -> Redrive:
    """Raises NotFound."""
    wanted_redrive = job.redrives.select_related("by").filter(id=redrive_id).first()
    if wanted_redrive is None:
        raise NotFound(f"Job `{job.name}` has no redrive {redrive_id}.", "List its redrives.")
    return wanted_redrive


def choose(job: Job, choice: Filter, letters: Collection[Place] | None) -> tuple[Look, list[DeadLettersOfRecord]]:
    """The letters of each chosen record. Raises NotFound if there are none."""
    overview = look(job=job, choice=Filter() if letters is not None else choice)
    records = overview.grouping.records(None if letters is None else set(letters))
    if not records:
        raise NotFound(f"No dead letter of `{job.name}` matches.", "Choose other letters, or another filter.")
    return overview, records


def _refuse_second(job: Job) -> None:
    """Raises Conflict if a redrive of the job's topic runs."""
    query = Redrive.objects.select_related("by").filter(status=RedriveStatus.RUNNING)
    other = query.filter(cluster=job.cluster, topic=get_topic(job)).first()
    if other is not None:
        raise Conflict(
            f"{other.by.get_username()} is sending {write_count(other.amount, 'record')} of `{other.topic}` back since "
            f"{other.created_at:%H:%M} UTC; {other.sent:,} are sent.",
            "Wait until it is done, or stop it.",
            redrive=other.id,
        )


def _refuse_without_marks(job: Job, overview: Look) -> None:
    """Raises Conflict if marks were deleted: Postgres knows of more records that were sent back than marks are left."""
    assert overview.topic is not None
    redrives = Redrive.objects.filter(cluster=job.cluster, topic=overview.topic.name, topic_id=overview.topic.id)
    sent_count = redrives.aggregate(count=Sum("sent"))["count"] or 0
    if len(overview.grouping.marks) < sent_count:
        raise Conflict(
            f"{write_count(sent_count, 'record')} of `{overview.topic.name}` went back, and someone deleted the marks "
            "that say which.",
            "Choose the dead letters to send one by one. Those that were sent before are then read twice.",
        )
