"""Topologies from and as programs, over HTTP: import, what Kafka Streams describes, and the Python of a draft."""

from __future__ import annotations

from base64 import b64encode
from typing import Annotated, Any, NotRequired

from django.http import HttpRequest
from ninja import Body, Field, Schema, Status
from pydantic import PlainValidator
from typing_extensions import TypedDict

from designer.limits import MAX_BYTES, check_storable
from designer.projects import services
from designer.projects.exchange import write_export
from designer.projects.projects import get_project
from designer.projects.requests import get_listed_topology, get_topology, get_user
from designer.projects.roles import ANY_ACCOUNT, EDITOR, VIEWER
from designer.projects.routing import Router
from designer.projects.schemas import ExportIn, KeptGraph, RequestBody, TopologyOut
from designer.values.schemas import WindowKind
from runner.export.codes import ExportCode
from runner.export.describe.board import Note
from runner.export.describe.skeleton import WindowChoice, draw_skeleton
from runner.export.java.services import export_java
from runner.export.python.writing import write_python

router = Router(tags=["designer"])


class ProgramOut(Schema):
    """Python that draws the draft of a topology."""

    file: str
    program: str


class NoteOut(Schema):
    """What is left open of a node: it may be another one, or lacks something."""

    node: str
    message: str


class JavaOut(Schema):
    """A Maven project for Kafka Streams, and what is not in it."""

    file: str
    archive: str = Field(description="The project as a zip, in base64.")
    notes: list[NoteOut]


Windows = Annotated[
    dict[str, WindowChoice],
    Field(description="Windows of aggregates, by their steps in the text: Kafka Streams does not print them."),
]


class DescriptionIn(RequestBody):
    description: str = Field(max_length=MAX_BYTES)
    windows: Windows = Field(default_factory=dict)


class TopologyDescriptionIn(TypedDict):
    """What Kafka Streams' `Topology.describe()` prints, and the name of its topology."""

    description: str
    name: NotRequired[str]
    windows: NotRequired[Windows]


SentTopology = Annotated[Any, PlainValidator(check_storable, json_schema_input_type=ExportIn | TopologyDescriptionIn)]
"""A topology of a request. `designer.projects.exchange.read_export` and `skeleton` check it."""


class AggregateStepOut(Schema):
    """An aggregate of a stream: its step in the text, its node, and its windows. Null: drawn without."""

    step: str
    node: str
    windows: WindowKind | None


class SkeletonOut(Schema):
    """What a description contains: a graph whose other fields are empty."""

    graph: KeptGraph
    notes: list[NoteOut]
    aggregates: list[AggregateStepOut] = Field(description="Aggregates that may have windows: the text does not say.")


class ImportedTopologyOut(TopologyOut):
    notes: list[NoteOut]


@router.post(
    "/topologies/import",
    needs=EDITOR.with_names("project"),
    audit="import a topology",
    refuses=[ExportCode.DESCRIPTION_MALFORMED],
    response={201: ImportedTopologyOut},
    summary="Import a topology from JSON",
)
def import_topology(request: HttpRequest, export: Body[SentTopology], project: str | None = None) -> Status[Any]:
    """A new topology from an export, or from `{"description": "Topologies: …", "name": "…"}`.

    A description is what Kafka Streams' `Topology.describe()` prints. `windows` adds what it does not print.
    """
    notes: tuple[Note, ...] = ()
    if isinstance(export, dict) and "description" in export:
        graph, notes, _ = draw_skeleton(export["description"], export.get("windows", {}))
        export = write_export(export.get("name", "Imported"), graph.to_json(), {})
    new_topology = services.import_topology(export=export, by=get_user(request), project=get_project(project))
    topology: Any = get_listed_topology(new_topology.id)
    topology.notes = notes
    return Status(201, topology)


@router.post(
    "/descriptions/read",
    needs=ANY_ACCOUNT,
    refuses=[ExportCode.DESCRIPTION_MALFORMED],
    response=SkeletonOut,
    summary="Read what Topology.describe() prints, and return a graph",
)
def read_description(request: HttpRequest, body: DescriptionIn) -> SkeletonOut:
    """The graph of what Kafka Streams' `Topology.describe()` prints; nothing is kept."""
    graph, notes, aggregates = draw_skeleton(body.description, body.windows)
    return SkeletonOut(
        graph=graph.to_json(),
        notes=[NoteOut(**each._asdict()) for each in notes],
        aggregates=[AggregateStepOut(**each._asdict()) for each in aggregates],
    )


@router.get(
    "/topologies/{topology_id}/program", needs=VIEWER, response=ProgramOut, summary="The draft of a topology as Python"
)
def write_program(request: HttpRequest, topology_id: int) -> ProgramOut:
    topology = get_topology(topology_id)
    draft = topology.draft
    program = write_python(topology.name, topology.slug, draft.read_graph(), draft.schemas)
    return ProgramOut(file=f"{topology.slug}.py", program=program)


@router.get(
    "/topologies/{topology_id}/java",
    needs=VIEWER,
    response=JavaOut,
    summary="The draft of a topology as a Maven project",
)
def write_java(request: HttpRequest, topology_id: int) -> JavaOut:
    project = export_java(get_topology(topology_id))
    archive = b64encode(project.to_zip()).decode()
    notes = [NoteOut(node=note.node, message=note.message) for note in project.notes]
    return JavaOut(file=f"{project.name}.zip", archive=archive, notes=notes)
