"""The guard: what a new schema of a topic does to each drawing and job, before anybody writes records with it.

A drawing says which columns each of its nodes reads (`designer.streams.lineage`). So a change of a schema has a place:
the node and the field that lose a column, the store that no longer fits, the sink that writes something else.

There are two questions about each source of the topic:

1. **At once**: producers write with the new schema, and nothing here changes. The source still reads with its own
   schema, so only records that this one cannot take fail, each as one dead letter.
2. **Adopted**: an editor takes the new schema over into the source. The checks of the drawing find what breaks, the
   stores of both layouts say which state must be rebuilt, and the sinks say what they write then.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer import avro, json_schema, protobuf
from designer.avro.resolution import Absence, find_absent_fields
from designer.checks import check
from designer.issues import SchemaNotRead
from designer.projects.models import Project, Topology
from designer.protobuf.files import split_files
from designer.refusal_codes import DesignerCode
from designer.refusals import Refusal
from designer.streams.flows import find_flows, find_valid_operators
from designer.streams.formats import (
    FORMATS_BY_KIND,
    SCHEMA_FORMATS,
    SCHEMA_NAMES,
    find_schema_format,
    inline_references,
)
from designer.streams.lineage import Column, Lineage, find_lineage
from designer.streams.registering import KINDS, SchemaKind
from designer.streams.topics import ReadsTopic, WritesTopic
from designer.topology.graph import Graph
from designer.values.schemas import Kind, Schema, SchemaText, Side, Type
from runner.control.clusters.models import Cluster
from runner.control.clusters.topic_schemas import compare_types
from runner.control.jobs.models import Desired
from runner.control.jobs.plans.state_changes import find_first_difference, fingerprint_stores
from runner.engine.planning.lay_out import lay_out
from runner.plan import StoreFingerprint
from runner.registry import Registry, Verdict
from runner.registry.imports import judge_with_imports
from runner.watch.topics.uses import list_drafts, list_jobs

log = logging.getLogger(__name__)
Part = Literal["key", "value"]
When = Literal["at_once", "adopted"]
Effect = Literal["unaffected", "changes", "breaks"]
ConsequenceKind = Literal[
    "not_read", "needs_default", "loses_column", "gets_default", "unknown_id", "issue", "state_rebuilt", "sink_changes",
    "sink_refused",
]  # fmt: skip
BREAKING: Collection[ConsequenceKind] = ("not_read", "needs_default", "loses_column", "unknown_id", "sink_refused")
_GETS = {"avro": "reads the default of", "json_schema": "reads null for", "protobuf": "reads the default of"}
Judge = Callable[[str, SchemaText], Verdict | None]
"""Whether a registry's subject accepts a schema. None if nobody can say."""


class Consequence(NamedTuple):
    """What a new schema does to one node. `column` is the field of the topic's records that it is about."""

    kind: ConsequenceKind
    when: When
    node: str
    field: str
    column: str
    message: str


@dataclass(frozen=True)
class Affected:
    """A drawing or a job that reads the topic. `job` is null for a draft. `nodes` are its sources of the topic.

    `has_problems`: it has errors of its own, so its state and what comes after them is not judged.
    """

    topology: int
    project: int
    name: str
    job: int | None
    is_running: bool
    nodes: tuple[str, ...]
    consequences: tuple[Consequence, ...] = field(default=())
    has_problems: bool = False

    @property
    def effect(self) -> Effect:
        """Whether records fail at once, or something is to be done when the schema is adopted."""
        if any(each.when == "at_once" and each.kind in BREAKING for each in self.consequences):
            return "breaks"
        return "changes" if self.consequences else "unaffected"


class BadSchema(Refusal):
    """The text is no schema of its kind, or of a kind that the guard does not know."""

    code = DesignerCode.SCHEMA_BAD
    status = 422


@dataclass(frozen=True)
class Report:
    """What a new schema of a topic does. `verdict` is the registry's own answer, None if nobody can say.

    `unjudged` is the reason for which the cluster's registry gave no answer.
    `unseen` counts drawings and jobs of projects that the user does not see, and to which it does something.
    """

    topic: str
    subject: str
    verdict: Verdict | None
    affected: tuple[Affected, ...]
    unseen: int
    unjudged: str = ""

    @property
    def breaks(self) -> bool:
        """Whether the registry refuses the schema, or records would fail somewhere."""
        is_refused = self.verdict is not None and not self.verdict.is_compatible
        return is_refused or any(each.effect == "breaks" for each in self.affected)


def guard(
    cluster: Cluster, seen: Collection[int], topic: str, part: Part, new: SchemaText, subject: str = ""
) -> Report:
    """Judges a new schema for a topic's keys or values. Registers nothing. Raises BadSchema.

    `seen` are the projects that the user sees. `subject` is the one that the schema is meant for, by default the
    topic's own.
    """
    registry = cluster.connect_registry() if cluster.registry_url else None

    subject = subject or f"{topic}-{part}"
    new = _complete(registry, subject, new)

    unjudged: dict[str, str] = {}

    def judge(name: str, schema: SchemaText) -> Verdict | None:
        try:
            return None if registry is None else judge_with_imports(registry, name, schema)
        except Refusal as refusal:  # a registry that is away must not hide what the drawings say
            log.warning("The subject `%s` was not asked: %s", name, refusal.message)
            unjudged[name] = refusal.message
            return None

    everywhere = Project.objects.values_list("id", flat=True)
    found = find_affected(cluster, everywhere, topic, part, new, judge)
    unseen = sum(each.project not in seen and each.effect != "unaffected" for each in found)
    visible = tuple(each for each in found if each.project in seen)
    verdict = judge(subject, new)
    return Report(topic, subject, verdict, visible, unseen, unjudged.get(subject, ""))


def _complete(registry: Registry | None, subject: str, new: SchemaText) -> SchemaText:
    """The schema with the files that follow in its text, else with what the newest version of its subject refers to."""
    if new.kind == "PROTOBUF":
        (_, main), *others = split_files(new.text).items()
        new = SchemaText(new.kind, main, tuple(others))
    if new.references or registry is None:
        return new
    try:
        latest = registry.version(subject).schema
    except Refusal:  # there is none, or nobody says
        return new
    return new._replace(references=latest.references) if latest.kind == new.kind else new


def find_affected(
    cluster: Cluster, projects: Collection[int], topic: str, part: Part, new: SchemaText, judge: Judge
) -> list[Affected]:
    """Every job on the cluster and every draft that reads the topic, in order of names. Raises BadSchema.

    A draft that does what its job does is left out.
    """
    _refuse_unread(new)
    found: list[Affected] = []
    jobs = list_jobs(cluster, projects)
    running_versions = {job.topology_id: job.version for job in jobs}
    for job in jobs:
        running = job.desired == Desired.RUNNING
        at = Affected(job.topology_id, job.topology.project_id, job.topology.name, job.id, running, ())
        found += _judge_one(at, job.version.read_graph(), job.version.read_schemas(), topic, part, new, judge)
    of_jobs = Topology.objects.filter(id__in=running_versions, draft__isnull=False).select_related("draft", "project")
    for topology in [*of_jobs, *list_drafts(cluster, projects, running_versions)]:
        draft = topology.draft
        version = running_versions.get(topology.id)
        if version is not None and version.read_graph().keep_meaning() == draft.read_graph().keep_meaning():
            continue
        at = Affected(topology.id, topology.project_id, topology.name, None, False, ())
        found += _judge_one(at, draft.read_graph(), draft.read_schemas(), topic, part, new, judge)
    return sorted(found, key=lambda each: (each.name, each.job is None))


def _judge_one(
    at: Affected, graph: Graph, schemas: Mapping[str, Schema], topic: str, part: Part, new: SchemaText, judge: Judge
) -> Iterator[Affected]:
    operators = find_valid_operators(graph).values()
    if not any(isinstance(each, ReadsTopic) and each.reads(topic) for each in operators):
        return  # most drawings: the lineage of all would take long
    lineage = find_lineage(graph, schemas)
    sources = {
        node_id: each.operator
        for node_id, each in lineage.flows.items()
        if isinstance(each.operator, ReadsTopic) and each.operator.reads(topic)
    }
    if sources:
        consequences = [
            each
            for node_id, source in sources.items()
            for each in find_consequences(graph, schemas, lineage, node_id, source, part, new, judge)
        ]
        has_problems = any(issue.level == "error" for issue in check(graph, schemas))
        yield replace(at, nodes=tuple(sources), consequences=tuple(consequences), has_problems=has_problems)


def find_consequences(
    graph: Graph,
    schemas: Mapping[str, Schema],
    lineage: Lineage,
    node_id: str,
    source: ReadsTopic,
    part: Part,
    new: SchemaText,
    judge: Judge,
) -> Iterator[Consequence]:
    """What a new schema of its topic does to one source and the nodes after it."""
    side: Side = getattr(source.read(schemas.get(node_id)), part)
    if side.format not in SCHEMA_FORMATS:  # it is not read by a schema
        return
    new_format = FORMATS_BY_KIND[new.kind]
    if side.format != new_format:
        read, written = (SCHEMA_NAMES[each].removesuffix(" schema") for each in (side.format, new_format))
        message = f"It reads {read}, and the new schema is {written}: each record with it fails."
        yield Consequence("not_read", "at_once", node_id, f"{part}_format", "", message)
        return
    if side.schema is None:
        return
    kind, text = KINDS[side.format], inline_references(new)
    adopted_text, read_types = text, [(lineage, side)]
    if types := kind.split(side):
        adopted_text, read_types = _split_types(graph, lineage, node_id, side, types, new)
        if not read_types:
            message = f"It is not one of the types that the source reads ({', '.join(types)}), so each record fails."
            yield Consequence("not_read", "at_once", node_id, f"{part}_schema", "", message)
    changed = [
        (of_type, own) for of_type, own in read_types if own.schema and _normalize(text) != _normalize(own.schema.text)
    ]
    if not changed:
        return
    for of_type, own in changed:
        yield from _find_unreadable(of_type, node_id, part, own, text)
    adopted = _adopt(graph, node_id, part, adopted_text)
    yield from _find_new_issues(graph, adopted, schemas)
    yield from _find_changed_state(graph, adopted, schemas)
    yield from _find_changed_sinks(graph, adopted, schemas, judge)


def _split_types(
    graph: Graph, lineage: Lineage, node_id: str, side: Side, types: Mapping[str, SchemaText], new: SchemaText
) -> tuple[str, list[tuple[Lineage, Side]]]:
    """What a source of several record types reads of those that the new schema has: one, or several of Protobuf.

    Returns the text of the source's schema with the new types, and for each of them the lineage of the nodes that its
    records reach, and the side that reads it now.
    """
    assert side.schema is not None
    kind, text = KINDS[side.format], inline_references(new)
    adopted_text, read_types = side.schema.text, list[tuple[Lineage, Side]]()
    for name in types:
        if not _has_type(kind, new, name):
            continue
        adopted_text = kind.replace_type(adopted_text, name, text)
        nodes = _find_nodes_of_type(graph, node_id, name)
        of_type = lineage._replace(reads={node: each for node, each in lineage.reads.items() if node in nodes})
        option = kind.adopt(side, types[name], 0, name).schema
        assert option is not None
        schema = side.schema._replace(text=option.text, message=option.message)
        read_types.append((of_type, replace(side, type=side.type.field(name) or side.type, schema=schema)))
    return adopted_text, read_types


def _has_type(kind: SchemaKind, new: SchemaText, name: str) -> bool:
    try:
        return kind.name_record(new, name) == name
    except SchemaNotRead:  # Protobuf that has no such message
        return False


def _find_nodes_of_type(graph: Graph, source: str, type_name: str) -> set[str]:
    """The nodes that records of a type reach. They do not reach the branches of other types."""
    found, waiting = {source}, [source]
    while waiting:
        node = graph.node(waiting.pop())
        branches = node.config.get("branches") if node.operator == "split" else None
        others = {
            each.get("name")
            for each in (branches if isinstance(branches, list) else [])
            if isinstance(each, dict) and each.get("type") not in (None, type_name)
        }
        for edge in graph.edges_from(node.id):
            if edge.source_port not in others and edge.target not in found:
                found.add(edge.target)
                waiting.append(edge.target)
    return found


def _find_unreadable(lineage: Lineage, node_id: str, part: Part, side: Side, text: str) -> Iterator[Consequence]:
    """Consequences for a source that goes on to read with its own schema."""
    assert side.schema is not None
    if side.schema.header and not side.schema.registry:
        message = "It reads only records with the schema ids in its form, so each record of the new schema fails."
        yield Consequence("unknown_id", "at_once", node_id, f"{part}_writer_schemas", "", message)
    absences = list(_find_absences(side, text))
    for absence in absences:
        name = ".".join(absence.path)
        readers = list(lineage.find_readers(Column(node_id, part, absence.path)))
        if not absence.has_default:
            unread = "" if readers else " No node reads it: take it out of the source's schema, or give it a default."
            message = f"Records lack `{name}`, and the schema here has no default for it, so each one fails.{unread}"
            yield Consequence("needs_default", "at_once", node_id, f"{part}_schema", name, message)
        for reading_node, path in readers:
            loses = _GETS[side.format] if absence.has_default else "loses"
            message = f"`{reading_node}` {loses} `{name}`, which its field `{path}` reads."
            kind: ConsequenceKind = "gets_default" if absence.has_default else "loses_column"
            yield Consequence(kind, "at_once", reading_node, path, name, message)
    if all(each.has_default for each in absences) and (why := _explain_unreadable(side, text)):
        yield Consequence("not_read", "at_once", node_id, f"{part}_schema", "", why)


def _explain_unreadable(side: Side, text: str) -> str:
    """Why no record of the new schema can be read, or why some cannot. Empty if nothing speaks against it."""
    assert side.schema is not None
    find_mismatch = SCHEMA_FORMATS[side.format].find_mismatch
    if why := find_mismatch(text, side.schema.text, side.schema.message):
        return f"Its records cannot be read: {why}."
    if side.format == "avro" and (why := find_mismatch(text, side.schema.text, all_fit=True)):
        return f"Some of its records cannot be read: {why}."
    if side.format == "json_schema":
        lacking = json_schema.find_absent_members(text, side.schema.text)
        names = [f"`{'.'.join(each.path)}`" for each in lacking if not each.is_never_written]
        if names:
            return f"Its records may lack {', '.join(names)}, which the schema here requires: such a record fails."
    return ""


def _find_absences(side: Side, text: str) -> Iterator[Absence]:
    """The fields that the source reads and the new schema does not have. `has_default`: records are read without."""
    assert side.schema is not None
    match side.format:
        case "avro":
            yield from find_absent_fields(avro.parse(text), avro.parse(side.schema.text))
        case "protobuf":
            for absent in protobuf.find_absent_fields(text, side.schema.text, side.schema.message):
                yield Absence(absent.path, has_default=not absent.is_required)
        case _:
            required = {each.path for each in json_schema.find_absent_members(text, side.schema.text)}
            for path in _find_lost(SCHEMA_FORMATS[side.format].read_type(text), side.type, ()):
                yield Absence(path, has_default=path not in required)


def _find_lost(written: Type, read: Type, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The paths of the members that only the second type has."""
    if written.item is not None and read.item is not None:
        yield from _find_lost(written.item, read.item, path)
    if written.kind is read.kind is Kind.STRUCT:
        for each in read.fields:
            of = written.field(each.name)
            if of is None:
                yield (*path, each.name)
            else:
                yield from _find_lost(of, each.type, (*path, each.name))


def _normalize(text: str) -> Any:
    """A schema without the blanks that mean nothing."""
    try:
        return json.loads(text)
    except ValueError:  # Protobuf
        return text.split()


def _adopt(graph: Graph, node_id: str, part: Part, text: str) -> Graph:
    """The graph with the new schema in the form of the source."""
    node = graph.node(node_id)
    new_node = replace(node, config={**node.config, f"{part}_schema": text})
    return replace(graph, nodes=tuple(new_node if each.id == node_id else each for each in graph.nodes))


def _find_new_issues(graph: Graph, adopted: Graph, schemas: Mapping[str, Schema]) -> Iterator[Consequence]:
    known = {(each.code, each.node, each.field) for each in check(graph, schemas)}
    for issue in check(adopted, schemas):
        if issue.level == "error" and issue.node and (issue.code, issue.node, issue.field) not in known:
            yield Consequence("issue", "adopted", issue.node, issue.field or "", "", issue.message)


def _find_changed_state(graph: Graph, adopted: Graph, schemas: Mapping[str, Schema]) -> Iterator[Consequence]:
    """The stores whose contents the adopted schema no longer fits. A drawing with issues has no layout."""
    before, after = _list_stores(graph, schemas), _list_stores(adopted, schemas)
    for name, store in before.items():
        if name in after and (what := find_first_difference(name, store, after[name])):
            message = f"The state `{name}` must be rebuilt: {what[0].lower()}{what[1:]} changed."
            yield Consequence("state_rebuilt", "adopted", store.node, "", "", message)


def _list_stores(graph: Graph, schemas: Mapping[str, Schema]) -> dict[str, StoreFingerprint]:
    if any(issue.level == "error" for issue in check(graph, schemas)):
        return {}
    layout = lay_out(graph, schemas)
    return fingerprint_stores(layout, [1] * len(layout.sub_topologies))


def _find_changed_sinks(
    graph: Graph, adopted: Graph, schemas: Mapping[str, Schema], judge: Judge
) -> Iterator[Consequence]:
    before, after = _list_written(graph, schemas), _list_written(adopted, schemas)
    for node_id, (topic, old) in before.items():
        if node_id not in after:
            continue
        new = after[node_id][1]
        for part, was, now in (("key", old.key, new.key), ("value", old.value, new.value)):
            for change in compare_types(was.type, now.type):
                yield Consequence("sink_changes", "adopted", node_id, "", "", f"Its {part} in `{topic}` {change}.")
            if now.schema is not None and now.schema != was.schema:
                schema = KINDS[now.format].get_schema(now)
                verdict = None if schema is None else judge(f"{topic}-{part}", schema)
                if verdict is not None and not verdict.is_compatible:
                    why = f": {verdict.reasons[0]}" if verdict.reasons else "."
                    message = f"The subject `{topic}-{part}` refuses its schema at the level {verdict.level}{why}"
                    yield Consequence("sink_refused", "adopted", node_id, "", "", message)


def _list_written(graph: Graph, schemas: Mapping[str, Schema]) -> dict[str, tuple[str, Schema]]:
    return {
        node_id: (", ".join(at.operator.topic_names()), at.operator.find_schema_written(at.inputs.only.schema))
        for node_id, at in find_flows(graph, schemas).items()
        if isinstance(at.operator, WritesTopic) and at.is_valid
    }


def _refuse_unread(schema: SchemaText) -> None:
    read_by = find_schema_format(schema.kind)
    if read_by is None:
        raise BadSchema(f"Schemas of the kind {schema.kind} are not read here.", "Give one of another kind.")
    try:
        read_by.read_type(inline_references(schema))
    except SchemaNotRead as error:
        raise BadSchema(f"The new schema cannot be read. {error.issue.message}", error.issue.hint) from error
