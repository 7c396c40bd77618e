"""The subjects of a cluster's schema registry: their versions, and the nodes that read and write with them."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.projects.models import StoredGraph, Topology
from designer.streams.flows import find_flows, find_valid_operators
from designer.streams.formats import inline_references
from designer.streams.topics import ReadsTopic, WritesTopic
from designer.values.schemas import Schema
from runner.control.clusters.models import Cluster
from runner.control.clusters.topic_schemas import describe_changes
from runner.control.jobs.models import Job, Run
from runner.control.jobs.runs import find_last_runs
from runner.registry import Registered, Registry
from runner.watch.topics.uses import list_graphs

MAX_VERSIONS = 50
"""Newest versions of a subject that are shown."""
MAX_LINES = 3_000
"""Of the text of a version that is compared line by line with the one before."""


class SubjectUse(NamedTuple):
    """A node that reads or writes a topic with a subject. `job` runs it, None for a draft."""

    subject: str
    topology: int
    name: str
    node: str
    job: int | None
    does: Literal["reads", "writes"]
    topic: str


class SubjectVersion(NamedTuple):
    """A version of a subject, what it changes in words, and as lines with + and -."""

    version: int
    id: int
    type: str
    text: str
    references: Sequence[tuple[str, str, int]]
    changes: list[str]
    diff: list[str]


def find_subject_uses(cluster: Cluster, projects: Collection[int]) -> list[SubjectUse]:
    """The subjects that the jobs on a cluster, and its drafts without a job there, read and write by name.

    A source reads every schema id that records name, whatever its subject. Here are those that its form names.
    """
    graphs = list_graphs(cluster, projects)
    last_runs = find_last_runs(job for _, _, job in graphs if job is not None)
    uses = [
        use
        for topology, stored_graph, job in graphs
        for use in _find_uses(topology, stored_graph, job, last_runs.get(job.id) if job else None)
    ]
    return sorted(set(uses), key=lambda use: (use.subject, use.name, use.node))


def _find_uses(
    topology: Topology, stored_graph: StoredGraph, job: Job | None, last_run: Run | None
) -> Iterator[SubjectUse]:
    graph = stored_graph.read_graph()
    job_id = None if job is None else job.id
    writes_with_registry = False
    for node, operator in find_valid_operators(graph).items():
        if isinstance(operator, ReadsTopic) and operator.schema_registry:
            for topic in operator.topic_names():
                for subject in operator.name_subjects(topic):
                    yield SubjectUse(subject, topology.id, topology.name, node, job_id, "reads", topic)
        elif isinstance(operator, WritesTopic) and operator.uses_registry:
            writes_with_registry = True
    for written in [] if last_run is None else last_run.read_plan().written:
        if written.subject:
            yield SubjectUse(written.subject, topology.id, topology.name, written.node, job_id, "writes", written.topic)
    if not writes_with_registry:
        return
    stored_schemas = {node: Schema.from_json(each) for node, each in stored_graph.schemas.items()}
    for node, at in find_flows(graph, stored_schemas).items():
        if isinstance(at.operator, WritesTopic) and at.operator.uses_registry and at.inputs:
            for use in at.operator.find_registry_uses(at.inputs.only.schema):
                if use.subject and use.registration != "id":
                    yield SubjectUse(use.subject, topology.id, topology.name, node, job_id, "writes", use.topic)


def list_versions(registry: Registry, subject: str) -> list[SubjectVersion]:
    """The newest versions of a subject, the newest first, each compared with the one before."""
    numbers = registry.versions(subject)[-MAX_VERSIONS - 1 :]
    found = [registry.version(subject, number) for number in numbers]
    pairs = zip([None, *found], found, strict=False)
    compared = [_compare(registry, before, after) for before, after in pairs]
    return compared[::-1][:MAX_VERSIONS]


def _compare(registry: Registry, before: Registered | None, after: Registered) -> SubjectVersion:
    schema = after.schema
    references = registry.list_references(after.subject, after.version) if schema.references else []
    changes, diff = [], list[str]()
    if before is not None:
        old, new = inline_references(before.schema), inline_references(schema)
        changes = describe_changes(old, new, schema.kind) if schema.kind == before.schema.kind else []
        diff = list(_list_differences(_format(old), _format(new)))
    return SubjectVersion(after.version, after.id, schema.kind, schema.text, references, changes, diff)


def _format(text: str) -> list[str]:
    """JSON with one member a line. Protobuf has lines of its own."""
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False).splitlines()
    except (ValueError, RecursionError):
        return text.splitlines()


def _list_differences(old: list[str], new: list[str]) -> Iterable[str]:
    """The changed lines with two lines around them. The time to find them grows with the square of the lines."""
    if max(len(old), len(new)) > MAX_LINES:
        return [f"@@ Texts of more than {MAX_LINES:,} lines are not compared line by line. @@"]
    return [line for line in difflib.unified_diff(old, new, lineterm="", n=2) if not line.startswith(("---", "+++"))]
