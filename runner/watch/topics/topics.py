"""The websockets that follow a topic: its records, or the dead letters of a job."""

from __future__ import annotations

from channels.db import database_sync_to_async

from runner.control.clusters.services import cluster_named
from runner.control.jobs.services import job_of
from runner.plan import Plan
from runner.watch.sockets.tailing import TailConsumer
from runner.watch.topics.letters import of_node, with_letter
from runner.watch.topics.tail import TopicTail


class TopicConsumer(TailConsumer):
    """The records of any topic of a cluster."""

    address = "/ws/clusters/{cluster}/topics/{topic}/"

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def open(self) -> TopicTail:
        return TopicTail(cluster_named(self.asked["cluster"]).connect(), self.asked["topic"])


class DeadLetterConsumer(TailConsumer):
    """The dead letters of a job, of one node if the address names it."""

    address = "/ws/jobs/{job_id}/dead-letters/"

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def open(self) -> TopicTail:
        job = job_of(int(self.asked["job_id"]))
        plan = Plan.model_construct(application_id=job.application_id, settings=job.read_settings())
        return TopicTail(job.cluster.connect(), plan.dead_letter_topic, of_node(self.question.get("node")), with_letter)
