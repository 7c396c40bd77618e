"""The websockets that follow a topic: its records, or the dead letters of a job."""

from __future__ import annotations

from functools import partial

from channels.db import database_sync_to_async
from django.contrib.auth.models import AbstractUser

from designer.projects.permissions import find_projects_seen
from designer.projects.roles import VIEWER
from designer.refusals import Refusal
from designer.streams.formats import NATURAL, SCHEMA_FORMATS
from designer.streams.topics import UNKNOWN
from runner.control.clusters.internal_topics import refuse_hidden
from runner.control.clusters.services import get_cluster
from runner.control.clusters.topic_schemas import Side as SideName
from runner.control.jobs.services import get_job
from runner.plan import Plan
from runner.watch.sockets.tailing import TailConsumer
from runner.watch.topics.dead_letters import of_node, with_dead_letter
from runner.watch.topics.decoding import decode, find_side
from runner.watch.topics.registry import RecordSchemas
from runner.watch.topics.tail import TopicTail
from runner.watch.topics.uses import find_schema


class TopicConsumer(TailConsumer):
    """The records of any topic of a cluster.

    With `?decoded` they are shown in the formats of `key_format` and `value_format`, or in guessed ones.
    """

    address = "/ws/clusters/{cluster}/topics/{topic}/"
    needs = VIEWER.anywhere

    def refuse_further(self, user: AbstractUser) -> None:
        refuse_hidden(user, self.arguments["topic"])

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def open(self) -> TopicTail:
        cluster, topic = get_cluster(self.arguments["cluster"]), self.arguments["topic"]
        connection = cluster.connect()
        if "decoded" not in self.question:
            return TopicTail(connection, topic)
        try:
            schema = find_schema(cluster, connection, topic, find_projects_seen(self.scope["user"]))
        except Refusal:  # the tail itself reports it, and continues when the topic exists
            schema = UNKNOWN
        key = find_side(self._find_format("key_format"), schema.key)
        value = find_side(self._find_format("value_format"), schema.value)
        sides: tuple[SideName, ...] = ("key", "value")
        chosen = {side: self._find_format(f"{side}_format") for side in sides}
        chosen_sides = [side for side, name in chosen.items() if name is not None and name not in SCHEMA_FORMATS]
        schemas = RecordSchemas(cluster.find_registry(), topic)
        show = partial(decode, key=key, value=value, schemas=schemas, chosen_sides=chosen_sides)
        return TopicTail(connection, topic, show=show)

    def _find_format(self, name: str) -> str | None:
        format_name = self.question.get(name)
        return format_name if format_name in NATURAL else None


class DeadLetterConsumer(TailConsumer):
    """The dead letters of a job, of one node if the address names it."""

    address = "/ws/jobs/{job_id}/dead-letters/"
    needs = VIEWER

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def open(self) -> TopicTail:
        job = get_job(int(self.arguments["job_id"]))
        plan = Plan.model_construct(application_id=job.application_id, settings=job.read_settings())
        return TopicTail(
            job.cluster.connect(), plan.dead_letter_topic, of_node(self.question.get("node")), with_dead_letter
        )
