"""Runs an application of the gallery with sample data, and takes everything away again."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any

import orjson
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from designer.projects.code_permission import refuse_code
from designer.projects.models import Project, Topology
from designer.projects.services import delete_topology, import_topology, set_slug
from designer.refusals import Conflict, NotFound
from designer.topology.graph import Graph
from runner.control.clusters.services import get_local_cluster
from runner.control.jobs import services as jobs
from runner.control.jobs.models import Desired, Job
from runner.demo.gallery import Application, read_gallery
from runner.demo.gallery.cycles import list_cycle_records, list_topics
from runner.demo.samples.models import SampleData
from runner.kafka import KafkaCluster
from runner.watch.topics.producing import NewRecord, produce

log = logging.getLogger(__name__)
PARTITIONS = 2
CYCLE_SECONDS = 1.0
PLAY_TIME = timedelta(minutes=15)
FOREVER = {"retention.ms": "-1"}
"""The records are of the past, and Kafka deletes what is older than seven days by default."""


def run_with_sample_data(*, application_id: str, by: AbstractUser, project: Project | None = None) -> Topology:
    """Make a topology of a gallery application with topics of its own, deploy it, and play its records.

    The topics get the slug of the topology as a prefix, so nothing of anyone else is read or written. What was begun
    is taken back if a step fails. Raises NotFound, CodeNotPermitted, and the refusals of a deploy.
    """
    application = read_gallery().get(application_id)
    if application is None:
        raise NotFound(f"There is no application `{application_id[:80]}` in the gallery.", "List the gallery.")
    refuse_code(Graph.from_json(application["graph"]), by)
    cluster = get_local_cluster()
    with transaction.atomic():
        topology = import_topology(export=_leave_out_about(application), by=by, project=project)
        set_slug(topology=topology)
        names = {each: f"{topology.slug}-{each}" for each in list_topics(application_id)}
        _rename_topics(topology, names)
        data = SampleData.objects.create(topology=topology, application=application_id, cluster=cluster)
    try:
        connection = cluster.connect()
        _create_topics(data, connection, list(names.values()))
        jobs.deploy(topology=topology, by=by, message="From the gallery")
    except Exception:
        ask_to_remove(data=data, by=by)
        raise
    play(data=data)
    return topology


def get_sample_data(topology: Topology) -> SampleData:
    """The sample data of a topology. Raises NotFound."""
    data = SampleData.objects.filter(topology=topology, removed_by=None).first()
    if data is None:
        raise NotFound(f"`{topology}` runs without sample data.", "Send records on the page of its topic.")
    return data


def play(*, data: SampleData) -> SampleData:
    """Play the records for the next 15 minutes."""
    return _write(data, plays_until=timezone.now() + PLAY_TIME, next_at=Now())


def pause(*, data: SampleData) -> SampleData:
    return _write(data, plays_until=Now())


def write_next_cycle(data_id: int) -> bool:
    """Write the next cycle if it is due. Returns whether another one follows.

    The row is locked meanwhile, so a doubled message writes nothing twice.
    """
    with transaction.atomic():
        due = SampleData.objects.select_for_update(skip_locked=True, of=("self",)).filter(
            id=data_id, next_at__lte=Now(), plays_until__gt=Now(), removed_by=None
        )
        data = due.select_related("topology", "cluster").first()
        if data is None:
            return False
        records = list_cycle_records(data.application, data.cycle, int(data.created_at.timestamp() * 1_000))
        if not records:
            _write(data, plays_until=Now())
            return False
        connection = data.cluster.connect()
        for topic, group in groupby(records, lambda each: each.topic):
            rows = [NewRecord(encode(each.key), encode(each.value), timestamp=each.timestamp) for each in group]
            produce(connection, f"{data.topology.slug}-{topic}", rows)
        _write(data, cycle=data.cycle + 1, next_at=timezone.now() + timedelta(seconds=CYCLE_SECONDS))
    return True


def ask_to_remove(*, data: SampleData, by: AbstractUser) -> None:
    """Mark the sample data as removed. Workers do the rest, see `remove`."""
    _write(data, removed_by=by)


def remove(data_id: int) -> None:
    """Take away what `run_with_sample_data` made. Workers call it again until nothing is left.

    1. The user's request has marked the row, so no record is played any more.
    2. Stop the job and wait until its run has ended: one that still writes would make its topics again.
    3. Delete the job. This also removes its checkpoints, logs and consumer group.
    4. Delete the topics that were made for it, and its dead letters.
    5. Delete the topology, and the row with it. Until then each step can be repeated.
    """
    data = SampleData.objects.select_related("topology", "cluster", "removed_by").filter(id=data_id).first()
    if data is None or data.removed_by is None:
        return
    for job in Job.objects.filter(topology=data.topology_id):
        if job.desired == Desired.RUNNING:
            jobs.stop(job=job, by=data.removed_by)
        if job.find_live_run() is not None:
            return  # 2
        jobs.delete(job=job, by=data.removed_by)  # 3
    connection = data.cluster.connect()
    for topic in data.topics:
        connection.delete(topic)  # 4
    try:
        delete_topology(topology=data.topology)  # 5
    except Conflict as conflict:
        log.warning("Sample data %s stays: %s", data.id, conflict)


def _leave_out_about(application: Application) -> Mapping[str, object]:
    return {name: value for name, value in application.items() if name != "about"}


def _rename_topics(topology: Topology, names: Mapping[str, str]) -> None:
    draft = topology.draft
    for node in draft.graph["nodes"]:
        if "topic" in node["config"]:
            node["config"]["topic"] = names[node["config"]["topic"]]
    draft.save(update_fields=["graph"])


def _create_topics(data: SampleData, cluster: KafkaCluster, names: Sequence[str]) -> None:
    """Create the topics, and note first that they are ours: a crash in between leaves nothing behind."""
    if taken := cluster.find(names):
        raise Conflict(f"Topic `{min(taken)}` already exists.", "Delete it, or import the application and draw on.")
    letters = f"{data.topology.slug}-dead-letters"
    _write(data, topics=[*names, letters])
    for name in names:
        cluster.create(name, PARTITIONS, FOREVER)


def _write(data: SampleData, **fields: Any) -> SampleData:
    SampleData.objects.filter(id=data.id).update(**fields)
    data.refresh_from_db()
    return data


def encode(side: Any) -> bytes | None:
    """Text as it is, and anything else as JSON: the formats of all sources of the gallery."""
    if side is None:
        return None
    return side.encode() if isinstance(side, str) else orjson.dumps(side)
