"""The facts for a plan: what the graph needs, what its clusters have, and the plan of the last run."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass

from designer.projects.models import Draft, Version
from designer.streams.starting import find_start_ms
from designer.streams.topics import ReadsTopic
from designer.topology.graph import Graph
from designer.values.schemas import Schema
from runner.control.clusters.cores import Room, ask_room
from runner.control.clusters.models import Cluster
from runner.control.jobs.models import Run
from runner.control.jobs.plans.graph_facts import GraphFacts, collect_graph_facts, find_sources, resolve_patterns
from runner.control.jobs.plans.remains import EARLIEST, LATEST
from runner.control.jobs.plans.sink_schemas import NO_SCHEMAS, SinkSchemas, find_sink_schemas
from runner.control.jobs.plans.state_changes import with_fingerprint
from runner.control.jobs.targets import Target
from runner.kafka import KafkaCluster, Topic
from runner.plan import JobSettings, Plan, TopicFacts
from runner.registry import Registry, RegistryMissing
from runner.spark.checkpoint.moving import take_back_moves
from runner.spark.failures import read_checkpoint


@dataclass(frozen=True)
class Facts:
    """Everything that a plan is made of: a graph to deploy to a target, its clusters, and the job's last run."""

    target: Target
    cluster: KafkaCluster
    graph: Graph
    """The graph with topics instead of patterns."""
    of_graph: GraphFacts
    topics: Mapping[str, TopicFacts]
    """The topics to read, each with its start if nothing was read before."""
    lag: int = 0
    """About how many records a new job finds there. 0 for a job that has run."""
    cores: int | None = None
    """Of this host or the Spark cluster. None if its master does not say."""
    room: Room | None = None
    """The free cores of the Spark cluster. None for a host, or if the master does not say."""
    last_run: Run | None = None
    before: Plan | None = None
    """The plan of the last run, with the fingerprints of its stores and where its checkpoint is now."""
    sink_schemas: SinkSchemas = NO_SCHEMAS
    """The schemas of the registry with which sinks would write."""

    @property
    def is_moved(self) -> bool:
        """Whether the job moves to another Kafka cluster, where its old state and offsets mean nothing."""
        return self.last_run is not None and self.last_run.cluster_id != self.target.cluster.id

    @property
    def old(self) -> Plan | None:
        """The plan with the newest checkpoint and offsets. None if they belong to another cluster."""
        return None if self.is_moved else self.before


@read_checkpoint()
def collect_facts(origin: Version | Draft, target: Target, *, is_deploy: bool = True) -> Facts:
    """Ask Postgres, Kafka, its schema registry and the master of a Spark cluster. A restart is no deploy.

    What an old epoch has left is not among the facts, because a run may still write: `epochs.commit` reads it once its
    writers are fenced, and `findings` for a preview.

    Raises HasIssues, TopicMissing, KafkaUnreachable or CheckpointUnreachable.
    """
    cluster, settings, spark = target.cluster.connect(), target.settings, target.spark
    last_run = target.job.find_last_run() if target.job else None
    before = with_fingerprint(take_back_moves(last_run.read_current_plan())) if last_run else None
    old = before if last_run is not None and last_run.cluster_id == target.cluster.id else None
    graph = resolve_patterns(origin.read_graph(), cluster)
    of_graph = collect_graph_facts(graph, cluster, _find_known_schemas(origin, graph, old))
    topics = find_first_offsets(graph, of_graph, settings, cluster)
    room = None if spark is None else ask_room(spark, target.application_id)
    return Facts(
        target=target,
        cluster=cluster,
        graph=graph,
        of_graph=of_graph,
        topics=topics,
        lag=0 if old else count_lag(topics, cluster),
        cores=os.cpu_count() if spark is None else room.total if room is not None else None,
        room=room,
        last_run=last_run,
        before=before,
        sink_schemas=find_sink_schemas(
            of_graph.view.flows,
            find_registry(target.cluster),
            old.written if old is not None and last_run is not None and _is_version(origin, last_run) else (),
            is_deploy=is_deploy,
        ),
    )


def find_first_offsets(
    graph: Graph, facts: GraphFacts, settings: JobSettings, cluster: KafkaCluster
) -> dict[str, TopicFacts]:
    """Starts without a previous epoch: tables at the earliest record, streams as declared."""
    topics = {}
    for source in find_sources(graph).values():
        for topic in (facts.topics[name] for name in source.topic_names()):
            start = _find_first(source.choose_first_start(settings.start), topic, cluster)
            topics[topic.name] = TopicFacts(id=topic.id, partitions=topic.partitions, start=start)
    return topics


def _find_first(start: str, topic: Topic, cluster: KafkaCluster) -> list[int]:
    """The first offset of each partition. For a time, that of the first record not older, or the end."""
    time_ms = find_start_ms(start)
    if time_ms is not None:
        return cluster.offsets_at(topic, time_ms)
    return [LATEST if start == "latest" else EARLIEST] * topic.partitions


def count_lag(topics: Mapping[str, TopicFacts], cluster: KafkaCluster) -> int:
    """Approximate number of records for a new job. For a start at the end, those of the last minute count."""
    asked_topics = [Topic(name, facts.id, facts.partitions) for name, facts in topics.items()]
    earliest, ends = cluster.start_offsets(asked_topics), cluster.end_offsets(asked_topics)
    minute_ago = time.time_ns() // 1_000_000 - 60_000
    lag = 0
    for topic in asked_topics:
        starts = topics[topic.name].start
        recent = cluster.offsets_at(topic, minute_ago) if LATEST in starts else starts
        for start, first, late, end in zip(starts, earliest[topic.name], recent, ends[topic.name], strict=True):
            lag += max(0, end - max(first, late if start == LATEST else start))
    return lag


def find_registry(cluster: Cluster) -> Registry | RegistryMissing:
    """The registry of a cluster, or the refusal that it has none."""
    return cluster.find_registry() or RegistryMissing(cluster.name)


def _is_version(origin: Version | Draft, run: Run) -> bool:
    return isinstance(origin, Version) and origin.id == run.version_id


def _find_known_schemas(origin: Version | Draft, graph: Graph, old: Plan | None) -> dict[str, Schema]:
    """Schemas that need no inference: those of the version, and those of the last plan for the same source nodes.

    A sample differs from day to day. State must not start empty because of it.
    """
    schemas: dict[str, Schema] = {}
    if old is not None:
        before = find_sources(old.read_graph())
        same = {node_id for node_id, source in find_sources(graph).items() if _reads_alike(before.get(node_id), source)}
        schemas = {node_id: Schema.from_json(schema) for node_id, schema in old.schemas.items() if node_id in same}
    return schemas | {node_id: schema for node_id, schema in origin.read_schemas().items() if node_id in graph.by_id}


def _reads_alike(before: ReadsTopic | None, after: ReadsTopic) -> bool:
    return before is not None and type(before) is type(after) and before == after
