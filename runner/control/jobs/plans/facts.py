"""The facts for planning a deploy: plan and preview use only these.

A run may still write meanwhile. So `epochs` reads the remains of an old epoch again after its writers are fenced.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from designer.checks.graph_view import GraphView
from designer.checks.hints import find_hints
from designer.issues import Issue
from designer.projects.models import Draft, Version
from designer.streams.topics import ReadsTopic
from designer.topology.graph import Graph
from designer.values.schemas import Schema
from runner.control.clusters.cores import Room, ask_room
from runner.control.clusters.models import Cluster
from runner.control.clusters.topic_checks import find_forgetful_tables
from runner.control.jobs.models import Run
from runner.control.jobs.plans.durability import Durability, check_durability
from runner.control.jobs.plans.graph_facts import (
    GraphFacts,
    collect_graph_facts,
    find_sinks,
    find_sources,
    resolve_patterns,
)
from runner.control.jobs.plans.losses import Loss, find_losses
from runner.control.jobs.plans.markers import (
    MarkerLost,
    NothingWritten,
    OffsetsForgotten,
    Written,
    find_last_written,
    is_in_part,
)
from runner.control.jobs.plans.offsets import count_lag, find_first_offsets, find_next_offsets, find_reloaded_topics
from runner.control.jobs.plans.recovery import (
    Recovery,
    find_rebuild_starts,
    find_rebuilt_offsets,
    find_recovery,
    is_rebuilding,
)
from runner.control.jobs.plans.sink_schemas import NO_SCHEMAS, SinkSchemas, find_sink_schemas
from runner.control.jobs.statuses import LIVE
from runner.control.jobs.targets import Target
from runner.kafka import KafkaCluster, KafkaUnreachable
from runner.plan import Plan, TopicFacts
from runner.registry import Registry, RegistryMissing
from runner.spark.checkpoint.moving import take_back_moves
from runner.spark.failures import read_checkpoint


@dataclass(frozen=True)
class Facts:
    """A graph to deploy to a target, and what its cluster and its last run say.

    `hints` are what the graph may do unmeant. `topics` says where each topic is read from when nothing was read
    before, `lag` about how many records a new job finds there, `cores` how many the machine or the Spark
    cluster has, `room` what of the latter is free: None if its master does not say.
    `before` is the plan of the last run. Its state and offsets mean nothing if the job `is_moved` to another
    cluster. `losses` are records that are gone before they were read, `recovery` is what is damaged of the checkpoint,
    `is_rebuilding` says that its state is not yet what it was, `is_in_part` that a run has left a batch written in
    part, `is_marker_lost` that no one knows what is written. All are unknown while Kafka does not say how far the job
    is, as while a killed run's transaction is open: `kafka_refusal` is its refusal. `sink_schemas` are the schemas of
    the registry with which sinks would write.
    """

    target: Target
    cluster: KafkaCluster
    graph: Graph
    of_graph: GraphFacts
    topics: Mapping[str, TopicFacts]
    durability: tuple[Durability, ...]
    hints: tuple[Issue, ...] = ()
    lag: int = 0
    cores: int | None = None
    room: Room | None = None
    before: Plan | None = None
    is_moved: bool = False
    losses: tuple[Loss, ...] = ()
    recovery: Recovery | None = None
    is_rebuilding: bool = False
    is_in_part: bool = False
    is_marker_lost: bool = False
    kafka_refusal: KafkaUnreachable | None = None
    sink_schemas: SinkSchemas = NO_SCHEMAS

    @property
    def old(self) -> Plan | None:
        """The plan with the newest checkpoint and offsets. None if they belong to another cluster."""
        return None if self.is_moved else self.before


@read_checkpoint()
def collect_facts(origin: Version | Draft, target: Target, *, is_deploy: bool = True) -> Facts:
    """Ask Postgres, both clusters, their schema registry and the checkpoint. A restart is no deploy.

    Raises HasIssues, TopicMissing, KafkaUnreachable or CheckpointUnreachable.
    """
    cluster, settings, spark = target.cluster.connect(), target.settings, target.spark
    run: Run | None = target.job.find_last_run() if target.job else None
    before = take_back_moves(run.read_current_plan()) if run else None
    is_moved = run is not None and run.cluster_id != target.cluster.id
    old = None if is_moved else before
    graph = resolve_patterns(origin.read_graph(), cluster)
    of_graph = collect_graph_facts(graph, cluster, _find_known_schemas(origin, graph, old))
    topics = find_first_offsets(graph, of_graph, settings, cluster)
    recovery, losses, kafka_refusal = None, tuple[Loss, ...](), None
    rebuilding = in_part = marker_lost = False
    if old is not None and run is not None:
        try:
            recovery = None if run.status in LIVE else find_recovery(old, run, cluster)
            written = find_last_written(old, cluster)
            rebuilding = is_rebuilding(old, written)
            in_part = run.status not in LIVE and is_in_part(old, written, cluster)
            if isinstance(written, MarkerLost):
                marker_lost = True
            else:
                losses = _find_losses(old, written, run, graph, topics, cluster)
        except OffsetsForgotten:
            marker_lost = True
        except KafkaUnreachable as refusal:
            kafka_refusal = refusal
    room = None if spark is None else ask_room(spark, target.application_id)
    outputs = [topic for sink in find_sinks(graph).values() for topic in sink.topic_names()]
    return Facts(
        target=target,
        cluster=cluster,
        graph=graph,
        of_graph=of_graph,
        topics=topics,
        durability=check_durability([*topics, *outputs, settings.dead_letters_of(target.application_id)], cluster),
        hints=(
            *find_hints(GraphView(graph, of_graph.schemas)),
            *find_forgetful_tables(graph, cluster),
        ),
        lag=0 if old else count_lag(topics, cluster),
        cores=os.cpu_count() if spark is None else room.total if room is not None else None,
        room=room,
        before=before,
        is_moved=is_moved,
        losses=losses,
        recovery=recovery,
        is_rebuilding=rebuilding,
        is_in_part=in_part,
        is_marker_lost=marker_lost,
        kafka_refusal=kafka_refusal,
        sink_schemas=find_sink_schemas(
            graph,
            of_graph.schemas,
            find_registry(target.cluster),
            old.written if old is not None and run is not None and _is_version(origin, run) else (),
            is_deploy=is_deploy,
        ),
    )


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


def _find_losses(
    old: Plan,
    written: Written | NothingWritten,
    run: Run,
    graph: Graph,
    topics: Mapping[str, TopicFacts],
    cluster: KafkaCluster,
) -> tuple[Loss, ...]:
    """The lost records of topics to read on. Global tables start over anyway.

    A rebuild that meets a loss begins again, so that all losses since its start count.
    """
    reloaded_topics = find_reloaded_topics(graph)
    read_on = {name: facts for name, facts in topics.items() if name not in reloaded_topics}
    read_to: dict[str, Sequence[int]] = {**find_next_offsets(old, topics, written, cluster)}
    if is_rebuilding(old, written) and find_losses(
        old.topics, read_on, find_rebuilt_offsets(old, written), run.offsets, cluster
    ):
        read_to |= find_rebuild_starts(old)
    return tuple(find_losses(old.topics, read_on, read_to, run.offsets, cluster))
