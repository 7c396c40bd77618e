"""The topologies that read and write a cluster's topics, and their schemas for these."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Literal, NamedTuple

from django.contrib.auth.models import AbstractUser

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.projects.models import Project, StoredGraph, Topology
from designer.projects.permissions import RoleMissing, explain_lack, find_roles, name_administrators
from designer.projects.roles import Role
from designer.streams.flows import find_flows, find_valid_operators
from designer.streams.topics import UNKNOWN, ReadsTopic, WritesTopic
from designer.topology.catalogue import Operator
from designer.topology.graph import Graph
from designer.values.schemas import Schema
from runner.control.clusters.internal_topics import refuse_internal
from runner.control.clusters.models import Choice, Cluster
from runner.control.clusters.permissions import CLUSTERS
from runner.control.clusters.services import LOCAL
from runner.control.jobs.models import Desired, Job
from runner.kafka import KafkaCluster, NotAllowed
from runner.plan import Plan
from runner.watch.topics.decoding import guess


class Use(NamedTuple):
    """A node of a topology that reads or writes a topic. `job` runs it, None for a draft; `is_wanted`: it should run.

    `schema` is the topology's schema for the topic, None if it does not say.
    """

    topology: int
    project: int
    name: str
    node: str
    job: int | None
    does: Literal["reads", "writes"]
    topic: str
    schema: Schema | None = None
    is_wanted: bool = False


def find_topic_uses(
    cluster: Cluster, projects: Collection[int], topics: Iterable[str], *, has_schemas: bool = False
) -> list[Use]:
    """The uses of topics by the jobs on a cluster, and by its drafts without a job there.

    Only topologies of these projects. Schemas cost as much as a check of each graph.
    """
    there, graphs = frozenset(topics), list_graphs(cluster, projects)
    uses = [use for each in graphs for use in _find_uses(*each, there, has_schemas)]
    letters = [use for _, _, job in graphs if job is not None for use in _find_dead_letters(job, there)]
    return sorted([*uses, *letters], key=lambda use: (use.name, use.node))


def list_graphs(cluster: Cluster, projects: Collection[int]) -> list[tuple[Topology, StoredGraph, Job | None]]:
    """The graphs of the jobs on a cluster, and of the drafts without a job there."""
    jobs = list_jobs(cluster, projects)
    deployed = {job.topology_id for job in jobs}
    drafts = [(each, each.draft, None) for each in list_drafts(cluster, projects, deployed)]
    return [*((job.topology, job.version, job) for job in jobs), *drafts]


def list_jobs(cluster: Cluster, projects: Collection[int]) -> list[Job]:
    """The jobs on a cluster, running or stopped, with their versions."""
    jobs = Job.objects.filter(cluster=cluster, topology__project__in=projects)
    return list(jobs.select_related("topology__project", "version"))


def find_schema(cluster: Cluster, connection: KafkaCluster, topic: str, projects: Collection[int]) -> Schema:
    """The schema of a topic from its topologies and its newest records. Raises TopicMissing and KafkaUnreachable."""
    return guess_schema(connection, topic, find_topic_uses(cluster, projects, [topic], has_schemas=True))


def guess_schema(connection: KafkaCluster, topic: str, uses: Iterable[Use]) -> Schema:
    """The schema of a topic from its uses, and from its newest records if the cluster's user may read them."""
    try:
        newest = connection.sample(topic)
    except NotAllowed:
        newest = []
    return guess(newest, [use.schema for use in uses if use.schema])


def refuse_change(user: AbstractUser, cluster: Cluster, topic: str, role: Role) -> None:
    """Raises RoleMissing if a user may not change a topic, OurTopic if nobody may, and TopicMissing.

    A topic is shared by all projects of its cluster, so each change asks who uses it:

    1. Jobs of any project, running or stopped, read or write it: the user needs the role in all of these projects.
    2. Only drafts name it: the role in the project of one of them is enough to send records, because a deploy of the
       draft could write them too. Other changes are for those who may change clusters.
    3. Nothing here names it, so it belongs to somebody else's program: this is for those who may change clusters.

    The refusal names neither topologies nor projects.
    """
    refuse_internal(topic)
    cluster.connect().topic(topic)
    everywhere = Project.objects.values_list("id", flat=True)
    uses = find_topic_uses(cluster, everywhere, [topic])
    by_jobs = {use.project for use in uses if use.job is not None}
    with_role = {project for project, own in find_roles(user).items() if own >= role}
    if by_jobs <= with_role and by_jobs:
        return
    if not by_jobs and (explain_lack(user, CLUSTERS) == "" or _may_send(role, uses, with_role)):
        return
    raise RoleMissing(
        f"Jobs of a project use `{topic}`, and you lack the role {role.word} there."
        if by_jobs
        else f"No job of yours uses `{topic}`.",
        f"Ask {name_administrators()} to change it.",
    )


def _may_send(role: Role, uses: Iterable[Use], with_role: Collection[int]) -> bool:
    return role == Role.OPERATOR and any(use.project in with_role for use in uses)


def list_drafts(cluster: Cluster, projects: Collection[int], without: Collection[int] = ()) -> Iterable[Topology]:
    """The topologies with this cluster and a draft, except for `without`."""
    topologies = Topology.objects.filter(project__in=projects, draft__isnull=False).exclude(id__in=without)
    of_cluster = dict(Choice.objects.filter(topology__in=topologies).values_list("topology_id", "cluster_id"))
    usual = cluster.id if cluster.name == LOCAL else None
    return [
        each for each in topologies.select_related("draft", "project") if of_cluster.get(each.id, usual) == cluster.id
    ]


def _find_uses(
    topology: Topology, stored_graph: StoredGraph, job: Job | None, there: frozenset[str], has_schemas: bool
) -> Iterator[Use]:
    graph = stored_graph.read_graph()
    touching = [
        (node, each, names)
        for node, each in find_valid_operators(graph).items()
        if (names := _find_topics(each, there))
    ]
    schemas = _find_schemas(graph, stored_graph) if touching and has_schemas else {}
    for node, operator, names in touching:
        does: Literal["reads", "writes"] = "reads" if isinstance(operator, ReadsTopic) else "writes"
        for topic in names:
            yield Use(
                topology.id,
                topology.project_id,
                topology.name,
                node,
                job.id if job else None,
                does,
                topic,
                schemas.get(node),
                job is not None and job.desired == Desired.RUNNING,
            )


def _find_topics(operator: Operator, there: frozenset[str]) -> list[str]:
    match operator:
        case ReadsTopic():
            return sorted(filter(operator.reads, there))
        case WritesTopic():
            return sorted(there.intersection(operator.topic_names()))
    return []


def _find_schemas(graph: Graph, stored_graph: StoredGraph) -> dict[str, Schema]:
    """By source and sink, its schema for its topic, if known."""
    stored_schemas = {node: Schema.from_json(json) for node, json in stored_graph.schemas.items()}
    schemas: dict[str, Schema] = {}
    for node, at in find_flows(graph, stored_schemas).items():
        match at.operator:
            case ReadsTopic() as source:
                schemas[node] = source.read(stored_schemas.get(node))
            case WritesTopic() as sink:
                schemas[node] = sink.find_schema_written(at.inputs.only.schema)
    return {node: schema for node, schema in schemas.items() if schema != UNKNOWN}


def _find_dead_letters(job: Job, there: frozenset[str]) -> Iterator[Use]:
    """A job writes its dead letters itself, not by a node."""
    plan = Plan.model_construct(application_id=job.application_id, settings=job.read_settings())
    if plan.dead_letter_topic in there:
        topology = job.topology
        yield Use(
            topology.id,
            topology.project_id,
            topology.name,
            "dead letters",
            job.id,
            "writes",
            plan.dead_letter_topic,
            is_wanted=job.desired == Desired.RUNNING,
        )
