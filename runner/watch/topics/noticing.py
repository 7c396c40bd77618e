"""Notices new versions of the subjects that drawings and jobs read, and lets the guard judge them.

A beat asks the registries every SCHEMA_GUARD_SECONDS, and a pipeline or a webhook asks at once over HTTP. Only subjects
that a source names are asked for, one request each, so a registry with many others costs nothing.
"""

from __future__ import annotations

import hashlib
import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping

from django.utils import timezone

from designer.projects.models import Project, Topology
from designer.refusals import Refusal
from designer.streams.flows import find_valid_operators
from designer.streams.topics import ReadsTopic
from designer.values.schemas import SchemaText
from runner.control.clusters.models import Cluster
from runner.registry import Registry, SchemaMissing, Verdict
from runner.registry.imports import judge_with_imports
from runner.watch.topics.guard import Part, find_affected
from runner.watch.topics.models import JudgedVersion
from runner.watch.topics.schemas import AffectedOut
from runner.watch.topics.uses import list_graphs

log = logging.getLogger(__name__)


def notice(cluster: Cluster) -> list[JudgedVersion]:
    """Judge the newest version of each subject that is read, if it or what reads it is new. Registers nothing.

    Raises Refusal if the registry does not answer.
    """
    registry = cluster.connect_registry()
    read = set(_list_read(cluster, registry))
    known = {(row.topic, row.subject): row for row in JudgedVersion.objects.filter(cluster=cluster)}
    gone = known.keys() - {(topic, subject) for topic, _, subject in read}
    JudgedVersion.objects.filter(id__in=[known[key].id for key in gone]).delete()
    all_drawn = _identify_drawn(cluster)
    for topic, side, subject in sorted(read):
        before, drawn = known.get((topic, subject)), all_drawn.get(topic, "")
        try:
            latest = registry.version(subject)
        except SchemaMissing:
            continue
        if before is not None and (before.version, before.drawn) == (latest.version, drawn):
            continue
        is_new = before is None or before.version != latest.version
        affected = _judge(cluster, registry, topic, side, latest.schema)
        values: dict[str, object] = {"version": latest.version, "drawn": drawn, "affected": affected}
        if is_new:
            values["noticed_at"] = timezone.now()
        JudgedVersion.objects.update_or_create(cluster=cluster, topic=topic, subject=subject, defaults=values)
    return list(JudgedVersion.objects.filter(cluster=cluster).order_by("subject", "topic"))


def _list_read(cluster: Cluster, registry: Registry) -> Iterator[tuple[str, Part, str]]:
    """Topic, side and subject of each source that looks its schemas up."""
    everywhere = Project.objects.values_list("id", flat=True)
    for _, stored_graph, _ in list_graphs(cluster, everywhere):
        for operator in find_valid_operators(stored_graph.read_graph()).values():
            if isinstance(operator, ReadsTopic) and operator.schema_registry:
                for topic in operator.topic_names():
                    for side, subject in operator.list_subjects(topic):
                        asks = operator.subject_strategy == "associated"
                        yield topic, side, (asks and registry.find_associated(topic, side)) or subject


def _identify_drawn(cluster: Cluster) -> dict[str, str]:
    """By topic, a short text that changes with any drawing or deployed version that reads it."""
    everywhere = Project.objects.values_list("id", flat=True)
    found = defaultdict[str, list[tuple[int, int, int]]](list)
    graphs = list_graphs(cluster, everywhere)
    deployed = {topology.id for topology, _, job in graphs if job is not None}
    drafts = Topology.objects.filter(id__in=deployed, draft__isnull=False).select_related("draft")
    for topology, stored_graph, job in [*graphs, *((each, each.draft, None) for each in drafts)]:
        place = (topology.id, 0, topology.draft.revision) if job is None else (topology.id, job.id, job.version_id)
        for operator in find_valid_operators(stored_graph.read_graph()).values():
            if isinstance(operator, ReadsTopic):
                for topic in operator.topic_names():
                    found[topic].append(place)
    return {topic: hashlib.sha256(repr(sorted(places)).encode()).hexdigest() for topic, places in found.items()}


def _judge(
    cluster: Cluster, registry: Registry, topic: str, side: Part, schema: SchemaText
) -> list[Mapping[str, object]]:
    """What the schema does to drawings and jobs, as `JudgedVersion` stores it."""

    def judge(subject: str, of_sink: SchemaText) -> Verdict | None:
        try:
            return judge_with_imports(registry, subject, of_sink)
        except Refusal:  # what the drawings say counts without it
            return None

    everywhere = Project.objects.values_list("id", flat=True)
    try:
        found = find_affected(cluster, everywhere, topic, side, schema, judge)
    except Refusal as refusal:  # a schema that nobody reads here
        log.warning("The newest schema of %s was not judged: %s", topic, refusal.message)
        return []
    return [
        {**AffectedOut.of(each).model_dump(), "project": each.project} for each in found if each.effect != "unaffected"
    ]
