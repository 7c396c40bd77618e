"""Requests and answers of the designer's API. The browser's types are generated from these."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, NotRequired

from ninja import Field, Schema
from pydantic import (
    ConfigDict,
    PlainSerializer,
    PlainValidator,
    SkipValidation,
    with_config,
)
from typing_extensions import TypedDict

from designer.issues import IssueOut
from designer.limits import AnyJson, check_storable
from designer.messages import IssueCode
from designer.refusal_codes import RefusalCode, read_code
from designer.streams.lineage import Column, FieldTrace
from designer.topology.catalogue import Family, FirstStep, TopicUse
from designer.topology.graph import (
    EdgeOut,
    GraphOut,
    NodeConfig,
    NodeParts,
    NoteParts,
)
from designer.topology.ports import PortType
from designer.values.schemas import SchemaOut, TypeOut

STRICT = ConfigDict(extra="forbid")


class RequestBody(Schema):
    """What a request may say. Unknown members are refused, because their sender meant something by them."""

    model_config = STRICT


@with_config(STRICT)
class PositionIn(TypedDict, total=False):
    """A place in a request. Members that are left out are 0."""

    x: float
    y: float


@with_config(STRICT)
class GraphNodeIn(NodeParts):
    """A node of a request. Without a config it is not set up yet, without a position it is at the origin."""

    config: NotRequired[NodeConfig]
    position: NotRequired[PositionIn]


@with_config(STRICT)
class AreaIn(PositionIn, total=False):
    width: float
    height: float


@with_config(STRICT)
class GraphNoteIn(NoteParts):
    """A note or a frame of a request."""

    text: NotRequired[str]
    position: NotRequired[AreaIn]


@with_config(STRICT)
class EdgeIn(EdgeOut):
    """An edge of a request."""


@with_config(STRICT)
class GraphIn(TypedDict):
    """A graph of a request, as `Graph.from_json` reads it."""

    nodes: list[GraphNodeIn]
    edges: NotRequired[list[EdgeIn]]
    notes: NotRequired[list[GraphNoteIn]]


KeptGraph = Annotated[GraphOut, SkipValidation]
"""A graph that was checked before it was stored, so an answer does not check it again."""


KeptSchemas = Annotated[dict[str, SchemaOut], SkipValidation]
"""Inferred schemas of sources, by node id; checked before they were stored, as a graph is."""
SentGraph = Annotated[Any, PlainValidator(check_storable, json_schema_input_type=GraphIn)]
"""A graph of a request. `Graph.from_json` says what is wrong with it."""
SentSchemas = Annotated[Any, PlainValidator(check_storable, json_schema_input_type=dict[str, SchemaOut])]
"""Schemas of a request, by node id, which `designer.projects.exchange.read_schemas` reads."""
Conditions = dict[str, list[str | None]]
"""Required values of other fields, or types at ports (null: nothing yet), by their names."""

References = TypedDict("References", {"$ref": str, "$defs": "dict[str, FormSchemaOut]"}, total=False)


class FormSchemaOut(References, total=False):
    """A form or one of its fields: the keywords of JSON Schema that forms use, and hints for drawing them."""

    title: str
    description: str
    type: str
    format: str
    default: AnyJson
    enum: list[str]
    const: str
    examples: list[str]
    pattern: str
    minLength: int
    maxLength: int
    minimum: float
    maximum: float
    exclusiveMaximum: float
    minItems: int
    maxItems: int
    anyOf: list[FormSchemaOut]
    items: FormSchemaOut
    properties: dict[str, FormSchemaOut]
    required: list[str]
    additionalProperties: bool
    empty_is: Annotated[str, Field(description="The choice that an empty field means.")]
    empty_means: Annotated[str, Field(description="What an empty field means, in words.")]
    default_means: Annotated[str, Field(description="What the default means in words, such as automatic.")]
    shown: Annotated[Conditions, Field(description="Condition under which the field applies.")]
    more: Annotated[bool | Conditions, Field(description="Condition under which the form hides the field under More.")]
    way: Annotated[str, Field(description="The alternative of the form to which the field belongs.")]


class InputOut(Schema):
    name: str
    takes: list[PortType]
    is_many: bool = Field(description="Whether several edges may feed it.")
    each: str | None = Field(
        description="List of the config that has one such port for each row. The row's `name` names the port."
    )


class CaseOut(Schema):
    gives: PortType
    when: dict[str, str] = Field(
        description="By name, the types of input ports and the values of fields that the case needs."
    )


class OutputOut(Schema):
    name: str
    cases: list[CaseOut] = Field(
        description="The first case that holds gives the type. Empty if the output has the type of an input."
    )
    like: str | None = Field(description="The input whose type this output has.")
    each: str | None = Field(
        description="List of the config that has one such port for each row. The row's `name` names the port."
    )


class WordsOut(Schema):
    """Words on fields of a config, for when these are set and those of `when` have its values."""

    text: str = Field(description="A field is in braces: {size_ms}.")
    when: dict[str, str | int]


class OperatorOut(Schema):
    """One kind of node, with everything that the page shows of it."""

    name: str
    help: str
    icon: str
    family: Family
    kafka_names: list[str] = Field(description="What else Kafka Streams calls it.")
    topic_use: TopicUse | None = Field(description="What it does with the topics in its config.")
    has_topic_of_rows: bool = Field(description="Whether the newest record of each key in its topic is a row to keep.")
    follows: int = Field(description="Likelihood that it is the next node where it fits. 0: not offered.")
    first_step: FirstStep | None = Field(description="What it does in the graphs that are proposed for a topic.")
    beneath: Literal["result", "windows"] | None = Field(description="What a trial shows below its form.")
    summary: list[WordsOut] = Field(description="Summary of the settings: the first of these that applies.")
    is_bypassable: bool = Field(description="Whether the node can be bypassed.")
    looked_up_input: str | None = Field(description="Input with the table that it looks records up in.")
    new_key_field: str | None = Field(description="The field whose expression gives records a new key.")
    inputs: list[InputOut]
    outputs: list[OutputOut]
    form: FormSchemaOut = Field(description="JSON Schema of the config.")
    expressions: list[str] = Field(description="Dotted paths of expression fields, * for the number of a row.")


class RefusedEdge(Schema):
    """Why an output of one type cannot go into an input, and what to draw instead."""

    gives: PortType
    operator: str
    port: str
    message: str
    hint: str


class SentenceOut(Schema):
    """A sentence and the next step; `{name}` stands for an argument."""

    message: str
    hint: str


class RefusedPair(SentenceOut):
    """The message for types that an operator does not accept together, in the order of its ports."""

    operator: str
    arriving: list[PortType]


class PythonOut(Schema):
    """Whether the user may have operators of the family `code` run here; if not, why and what to do."""

    is_allowed: bool
    why: str


class CatalogueOut(Schema):
    operators: list[OperatorOut]
    refused: list[RefusedEdge]
    pairs: list[RefusedPair]
    messages: dict[IssueCode, SentenceOut] = Field(description="Why an edge cannot be drawn, by code.")
    cures: dict[str, str] = Field(description="What may be done about dropped records, by reason.")
    python: PythonOut


class PlaceOut(TypedDict):
    """A problem at a place of a request, such as `lines.0.topic`."""

    at: str
    message: str


KeptCode = Annotated[RefusalCode, PlainSerializer(read_code, return_type=RefusalCode)]
"""A code, possibly of another version. It is sent as `unknown` if this version does not know it."""


class RefusalOut(TypedDict):
    """Why a request is not executed, and the next step. Only some codes have the other members.

    They give the place and its problem, and after a conflict the values of both sides.
    """

    code: KeptCode
    message: str
    hint: str
    node: NotRequired[str | None]
    nodes: NotRequired[list[str]]
    issues: NotRequired[list[IssueOut]]
    field: NotRequired[str]
    setting: NotRequired[str]
    line: NotRequired[int]
    places: NotRequired[list[PlaceOut]]
    topic: NotRequired[str]
    partition: NotRequired[int]
    offset: NotRequired[int]
    acls: NotRequired[list[str]]
    redrive: NotRequired[int]
    revision: NotRequired[int]
    base: NotRequired[GraphOut | None]
    yours: NotRequired[GraphOut]
    theirs: NotRequired[GraphOut]


class FlowOut(TypedDict):
    type: PortType
    carries: Annotated[int | None, Field(description="Number of the records' schema in `schemas`. Null while unknown.")]


class NodeOut(TypedDict):
    inputs: dict[str, FlowOut]
    outputs: dict[str, FlowOut]


class PortsOut(TypedDict):
    """What flows at the ports of each node."""

    nodes: dict[str, NodeOut]
    schemas: Annotated[list[SchemaOut], SkipValidation, Field(description="Every different schema of the graph, once.")]


class CheckIn(RequestBody):
    graph: SentGraph
    schemas: SentSchemas = Field(default_factory=dict, description="Inferred schemas of sources, by node id.")


class CheckOut(PortsOut):
    issues: list[IssueOut]
    hints: Annotated[
        list[IssueOut], Field(description="What is allowed but seldom meant. It does not prevent a deploy.")
    ]
    shuffles: Annotated[
        list[EdgeOut],
        Field(
            description="The edges at which records go to the task of their new key: Kafka Streams' repartition topics."
        ),
    ]


class ExpressionIn(CheckIn):
    """An expression as it is being typed into a field of a node."""

    node: str
    field: str = Field(description="Dotted path, such as functions.0.expression.")
    text: str = Field(max_length=4_096)


class ExpressionOut(Schema):
    type: TypeOut | None = Field(description="Type of the result; null if the expression is wrong.")
    error: IssueOut | None
    note: str = Field(
        description="Says which bare names mean a part of the record, not the field of that name. Often empty."
    )
    names: dict[str, TypeOut] = Field(description="Type of each name that the expression may use.")
    spread: str | None = Field(description="The name whose fields may be written without it.")


class FieldIn(CheckIn):
    """A field of the records that leave a node."""

    node: str = Field(max_length=64)
    part: Literal["key", "value"]
    path: list[str] = Field([], max_length=32, description="Names of its fields, from the outermost.")


class ColumnOut(Schema):
    """A field of a source, or of what a sink writes."""

    node: str
    part: Literal["key", "value", "timestamp", "headers"]
    path: list[str]
    how: str = Field(
        description="How the value comes from it, as OpenLineage names it: identity, transformation or aggregation. Of "
        "a column that decides about records: filter, join, group_by, window or conditional."
    )


class ReaderOut(Schema):
    node: str
    field: str = Field(description="Dotted path, such as functions.0.expression.")


class LineageOut(Schema):
    """Where a field comes from, and where it goes to."""

    columns: list[ColumnOut]
    influences: list[ColumnOut] = Field(description="The columns that decide which records there are.")
    readers: list[ReaderOut] = Field(description="The later nodes and fields of forms that read it.")
    results: list[ColumnOut] = Field(description="The fields that sinks write and that come from it.")
    way: list[str] = Field(description="The nodes that it passes. Empty if its node is not valid: nothing is known.")
    opaque: list[str] = Field(
        description="The nodes on its way whose Python may read everything that arrives, so all of that counts."
    )
    unknown: list[str] = Field(description="Later nodes that are not valid, through which nothing is followed.")

    @classmethod
    def of(cls, trace: FieldTrace) -> LineageOut:
        return cls(
            columns=[_write_column(column, how) for column, how in trace.columns.items()],
            influences=[_write_column(column, how) for column, how in trace.influences.items()],
            readers=[ReaderOut(node=node, field=field) for node, field in trace.readers],
            results=[_write_column(column, "") for column in trace.results],
            way=sorted(trace.way),
            opaque=list(trace.opaque),
            unknown=list(trace.unknown),
        )


def _write_column(column: Column, how: str) -> ColumnOut:
    return ColumnOut(node=column.node, part=column.part, path=list(column.path), how=how)


class FunctionOut(Schema):
    """A function that expressions may call."""

    name: str
    signature: str = Field(description="Signature, such as lower(text: string) -> string.")
    help: str


class TopologyIn(RequestBody):
    name: str
    graph: SentGraph = Field(default_factory=lambda: {"nodes": [], "edges": []})
    schemas: SentSchemas = Field(default_factory=dict)
    project: str | None = Field(None, description="Project of the topology. Default: `default`.")


class ProjectChoice(RequestBody):
    project: str


class TopologyChange(RequestBody):
    """A new name, a slug to fix, or both. Before the first deploy the slug follows the name unless it is fixed."""

    name: str | None = None
    slug: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$")] | None = None


class TopologyOut(Schema):
    id: int
    name: str
    slug: str = Field(description="Names its jobs, files and commands; follows the name until the first deploy.")
    is_slug_fixed: bool = Field(description="Whether a deploy has fixed the slug.")
    project: str
    owner: str | None
    created_at: datetime
    updated_at: datetime
    updated_by: str | None
    newest_version: int | None

    @staticmethod
    def resolve_project(topology: Any) -> str:
        name: str = topology.project.name
        return name

    @staticmethod
    def resolve_owner(topology: Any) -> str | None:
        return _name_user(topology.owner)

    @staticmethod
    def resolve_updated_at(topology: Any) -> datetime:
        updated_at: datetime = topology.draft.updated_at
        return updated_at

    @staticmethod
    def resolve_updated_by(topology: Any) -> str | None:
        return _name_user(topology.draft.updated_by)


class DraftIn(RequestBody):
    revision: int = Field(description="Revision that the changes started from.")
    graph: SentGraph
    schemas: SentSchemas | None = Field(None, description="Inferred schemas of sources, by node id; null keeps them.")


class DraftOut(Schema):
    revision: int
    graph: KeptGraph
    schemas: KeptSchemas
    based_on: int | None = Field(None, description="Number of the version saved last from this draft.")
    updated_at: datetime
    updated_by: str | None

    @staticmethod
    def resolve_based_on(draft: Any) -> int | None:
        return draft.based_on.number if draft.based_on else None

    @staticmethod
    def resolve_updated_by(draft: Any) -> str | None:
        return _name_user(draft.updated_by)


class VersionIn(RequestBody):
    note: str = Field("", max_length=500)
    revision: int | None = Field(None, description="Refuses the request if the draft has a newer revision.")


class VersionSummary(Schema):
    id: int
    number: int
    note: str
    created_at: datetime
    created_by: str | None

    @staticmethod
    def resolve_created_by(version: Any) -> str | None:
        return _name_user(version.created_by)


class VersionOut(VersionSummary):
    topology_id: int
    graph: KeptGraph
    schemas: KeptSchemas


class ExportedCase(Schema):
    """A test case; each line is a text of JSON, so that no reader changes a number in it."""

    name: str
    records: list[str]
    expected: list[str]


@with_config(STRICT)
class ExportIn(TypedDict):
    """An exported topology. In a file, `positions` gives the positions of nodes and notes that lack one."""

    streamwright: Literal[1]
    name: NotRequired[str]
    about: NotRequired[str]
    message: NotRequired[str]
    graph: GraphIn
    positions: NotRequired[dict[str, AreaIn]]
    schemas: NotRequired[dict[str, SchemaOut]]
    cases: NotRequired[list[ExportedCase]]


class ExportOut(Schema):
    streamwright: Literal[1]
    name: str
    graph: KeptGraph
    schemas: KeptSchemas
    cases: list[ExportedCase] = Field([], description="Absent if there are none.")


def _name_user(user: Any) -> str | None:
    return user.get_username() if user else None
