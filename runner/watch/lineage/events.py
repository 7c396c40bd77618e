"""A run as OpenLineage events: START when it works, then COMPLETE, ABORT or FAIL.

A topic is a dataset `kafka://<first broker>` / `<topic>`, as OpenLineage names it. The fields of its records are `key`
and `value`, or `value.total` where the value has fields. Column lineage comes from the drawing, so it names columns
through windows, joins and state (`designer.streams.lineage`). The job has its name in Streamwright, and its namespace
is OPENLINEAGE_NAMESPACE.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, RunEvent, RunState
from openlineage.client.event_v2 import Run as LineageRun
from openlineage.client.facet_v2 import (
    DatasetFacet,
    JobFacet,
    RunFacet,
    column_lineage_dataset,
    documentation_job,
    error_message_run,
    job_type_job,
    processing_engine_run,
    schema_dataset,
)

from designer.streams.budget import make_unlimited_budget
from designer.streams.lineage import Column, Lineage, Origins, find_lineage
from designer.streams.topics import ReadsTopic, WritesTopic
from designer.values.schemas import Kind, Schema, Side, Type
from runner.control.clusters.models import Cluster
from runner.control.jobs.hosts import get_our_version
from runner.control.jobs.models import Run
from runner.control.jobs.statuses import Status

PRODUCER = "https://github.com/streamwright/streamwright"
DEPTH = 3
"""How deep the fields of structs are named apart. Deeper ones belong to the field that holds them."""
Field = tuple[str, Origins, Type]


class Place(NamedTuple):
    """Where datasets and jobs are: the namespace of the cluster's topics, and that of the jobs."""

    kafka: str
    jobs: str


def find_state(run: Run) -> RunState | None:
    """The state that the collector should know last. None before the run works."""
    match run.status:
        case Status.STOPPED:
            return RunState.COMPLETE
        case Status.FAILED:
            return RunState.ABORT if run.kill_asked else RunState.FAIL
        case _:
            return RunState.START if run.has_come_up() else None


def make_event(run: Run, state: RunState, at: datetime, namespace: str) -> RunEvent:
    """The event of a run that changed to a state at a time."""
    place = Place(name_kafka(run.cluster or run.job.cluster), namespace)
    lineage = find_lineage(run.version.read_graph(), run.version.read_schemas(), budget=make_unlimited_budget())
    version = get_our_version()
    engine = processing_engine_run.ProcessingEngineRunFacet(version, "Streamwright", version)
    facets: dict[str, RunFacet] = {"processing_engine": engine}
    if state is RunState.FAIL and run.failure:
        message = str(run.failure.get("message", ""))
        facets["errorMessage"] = error_message_run.ErrorMessageRunFacet(message, "python")
    return RunEvent(
        eventTime=at.isoformat(),
        eventType=state,
        producer=PRODUCER,
        run=LineageRun(str(make_run_id(namespace, run)), facets),
        job=Job(namespace, run.job.name, _describe_job(run)),
        inputs=list(_list_inputs(lineage, place)),
        outputs=list(_list_outputs(lineage, place)),
    )


def make_run_id(namespace: str, run: Run) -> uuid.UUID:
    """Return the id of a run in OpenLineage. It is the same in each event of the run, and in one that is sent twice."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"{namespace}/{run.job.application_id}/{run.generation}")


def name_kafka(cluster: Cluster) -> str:
    """
    >>> name_kafka(Cluster(bootstrap_servers="b1:9092,b2:9092"))
    'kafka://b1:9092'
    """
    return f"kafka://{cluster.bootstrap_servers.split(',')[0].strip()}"


def _describe_job(run: Run) -> dict[str, JobFacet]:
    about = f"Version {run.version.number} of the topology {run.job.topology.name}"
    return {
        "jobType": job_type_job.JobTypeJobFacet("STREAMING", "STREAMWRIGHT", "JOB"),
        "documentation": documentation_job.DocumentationJobFacet(f"{about}. {run.version.note}".strip()),
    }


def _list_inputs(lineage: Lineage, place: Place) -> Iterator[InputDataset]:
    for at in lineage.flows.values():
        if isinstance(at.operator, ReadsTopic) and at.outputs:
            schema = next(iter(at.outputs.values())).schema
            for topic in at.operator.topic_names():
                yield InputDataset(place.kafka, topic, facets={"schema": _write_schema(schema)})


def _list_outputs(lineage: Lineage, place: Place) -> Iterator[OutputDataset]:
    for node_id, at in lineage.flows.items():
        if isinstance(at.operator, WritesTopic) and node_id in lineage.written:
            schema = at.operator.find_schema_written(at.inputs.only.schema)
            columns = _write_lineage(lineage, node_id, schema, place)
            facets: dict[str, DatasetFacet] = {"schema": _write_schema(schema), "columnLineage": columns}
            for topic in at.operator.topic_names():
                yield OutputDataset(place.kafka, topic, facets=facets)


def _write_schema(schema: Schema) -> schema_dataset.SchemaDatasetFacet:
    fields = [_write_field("key", schema.key.type), _write_field("value", schema.value.type)]
    return schema_dataset.SchemaDatasetFacet(fields)


def _write_field(name: str, type_: Type) -> schema_dataset.SchemaDatasetFacetFields:
    inner = [_write_field(each.name, each.type) for each in type_.fields] if type_.kind is Kind.STRUCT else None
    return schema_dataset.SchemaDatasetFacetFields(name, type_.logical or type_.kind.value, fields=inner)


def _write_lineage(
    lineage: Lineage, node_id: str, schema: Schema, place: Place
) -> column_lineage_dataset.ColumnLineageDatasetFacet:
    written = lineage.written[node_id]
    fields = [*_list_fields("key", written.key, schema.key), *_list_fields("value", written.value, schema.value)]
    return column_lineage_dataset.ColumnLineageDatasetFacet(
        fields={
            name: column_lineage_dataset.Fields(
                [
                    each
                    for column, how in origins.find_columns().items()
                    for each in _write_inputs(lineage, column, "DIRECT", how, place)
                ]
            )
            for name, origins, _ in fields
        },
        dataset=[
            each
            for column, how in written.influences.items()
            for each in _write_inputs(lineage, column, "INDIRECT", how, place)
        ],
    )


def _list_fields(name: str, origins: Origins, side: Side) -> Iterator[Field]:
    yield from _walk_fields(name, origins, side.type, DEPTH)


def _walk_fields(name: str, origins: Origins, type_: Type, depth: int) -> Iterator[Field]:
    if type_.kind is not Kind.STRUCT or not type_.fields or depth == 0:
        yield name, origins, type_
        return
    for each in type_.fields:
        yield from _walk_fields(f"{name}.{each.name}", origins.member(each.name), each.type, depth - 1)


def _write_inputs(
    lineage: Lineage, column: Column, kind: str, how: str, place: Place
) -> Iterator[column_lineage_dataset.InputField]:
    source = lineage.flows[column.node].operator
    assert isinstance(source, ReadsTopic)
    for topic in source.topic_names():
        transformation = column_lineage_dataset.Transformation(kind, how.upper())
        yield column_lineage_dataset.InputField(place.kafka, topic, str(column), [transformation])
