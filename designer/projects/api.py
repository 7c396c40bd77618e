"""The designer over HTTP: the catalogue, checks, topologies with their drafts and versions, export."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Status

from designer.checks import find_issues
from designer.checks.graph_view import GraphView
from designer.checks.hints import find_hints
from designer.expressions import ExpressionError, describe_functions
from designer.expressions import check as check_expression
from designer.issues import Issue
from designer.messages import IssueCode
from designer.projects import presentation, schemas, services
from designer.projects.code_permission import describe_python
from designer.projects.exchange import Export, read_schemas
from designer.projects.models import Draft, Topology, Version
from designer.projects.permissions import find_projects_seen
from designer.projects.projects import get_project
from designer.projects.requests import find_topologies, get_listed_topology, get_user
from designer.projects.roles import ADMINISTRATOR, ANY_ACCOUNT, EDITOR, VIEWER
from designer.projects.routing import Router
from designer.refusals import NotFound, Refusal
from designer.streams.budget import MAX_TYPE_SIZE
from designer.streams.flows import find_scope
from designer.streams.lineage import Column, trace_field
from designer.streams.shuffles import find_shuffles_in_graph
from designer.topology.catalogue import Scope, get_catalogue
from designer.topology.differences import DifferencesOut, compare
from designer.topology.forms import find_expression_fields
from designer.topology.graph import Graph
from designer.values.schemas import Type

router = Router(tags=["designer"])


@router.get(
    "/operators",
    needs=ANY_ACCOUNT,
    response=schemas.CatalogueOut,
    summary="List the operators, with their forms and examples",
)
def list_operators(request: HttpRequest) -> schemas.CatalogueOut:
    python = schemas.PythonOut(**describe_python(get_user(request)))
    return presentation.describe_catalogue().model_copy(update={"python": python})


@router.post("/check", needs=ANY_ACCOUNT, response=schemas.CheckOut, summary="Check a graph, and return its issues")
def check_topology(request: HttpRequest, body: schemas.CheckIn) -> schemas.CheckOut:
    """Its issues, and what flows where. Refused once it takes too long or too much memory."""
    view = GraphView(Graph.from_json(body.graph), read_schemas(body.schemas))
    return {
        "issues": [issue.to_json() for issue in find_issues(view)],
        "hints": [hint.to_json() for hint in find_hints(view)],
        "shuffles": [edge.to_json() for edge in find_shuffles_in_graph(view.graph, view.flows)],
        **presentation.describe_ports(view),
    }


@router.post(
    "/expressions/check",
    needs=ANY_ACCOUNT,
    response=schemas.ExpressionOut,
    summary="Check an expression, and return its type or issues",
)
def check_one_expression(request: HttpRequest, body: schemas.ExpressionIn) -> schemas.ExpressionOut:
    """Whether a text is right in that field, of what type, and which names it may use."""
    graph = Graph.from_json(body.graph)
    returns = _find_return_type(graph, body.node, body.field)
    scope = find_scope(graph, body.node, body.field, read_schemas(body.schemas))
    if scope is None:
        issue = Issue(IssueCode.EXPRESSION_UNFED, {"node": body.node})
        return schemas.ExpressionOut(type=None, error=issue.to_json(), note="", names={}, spread=None)
    type_, wrong, note = _check_expression(body.text, scope, returns)
    return schemas.ExpressionOut(
        type=type_.to_json() if type_ is not None else None,
        error=wrong.to_json() if wrong is not None else None,
        note=note,
        names={name: each.to_json() for name, each in scope.names.items()},
        spread=scope.spread,
    )


@router.post(
    "/lineage",
    needs=ANY_ACCOUNT,
    response=schemas.LineageOut,
    summary="Where a field of a node's records comes from, and where it goes to",
)
def trace_one_field(request: HttpRequest, body: schemas.FieldIn) -> schemas.LineageOut:
    """From the drawing alone, through windows, joins and state."""
    column = Column(body.node, body.part, tuple(body.path))
    return schemas.LineageOut.of(trace_field(Graph.from_json(body.graph), column, read_schemas(body.schemas)))


@router.get(
    "/expressions/functions",
    needs=ANY_ACCOUNT,
    response=list[schemas.FunctionOut],
    summary="List the functions of expressions",
)
def list_functions(request: HttpRequest) -> list[dict[str, str]]:
    """Every function an expression may call, by name."""
    return describe_functions()


@router.get(
    "/topologies", needs=ANY_ACCOUNT, response=list[schemas.TopologyOut], summary="List the topologies that you can see"
)
def list_topologies(request: HttpRequest) -> QuerySet[Topology]:
    return find_topologies().filter(project__in=find_projects_seen(get_user(request)))


@router.post(
    "/topologies",
    needs=EDITOR.with_names("project"),
    audit="create a topology",
    response={201: schemas.TopologyOut},
    summary="Create a topology",
)
def create_topology(request: HttpRequest, body: schemas.TopologyIn) -> Status[Any]:
    topology = services.create_topology(
        name=body.name,
        by=get_user(request),
        graph=body.graph,
        schemas=body.schemas,
        project=get_project(body.project),
    )
    return Status(201, get_listed_topology(topology.id))


@router.get("/topologies/{int:topology_id}", needs=VIEWER, response=schemas.TopologyOut, summary="Get a topology")
def get_topology(request: HttpRequest, topology_id: int) -> Topology:
    return get_listed_topology(topology_id)


@router.patch(
    "/topologies/{int:topology_id}",
    needs=EDITOR,
    audit="rename a topology",
    response=schemas.TopologyOut,
    summary="Change the name or the slug of a topology",
)
def change_topology(request: HttpRequest, topology_id: int, body: schemas.TopologyChange) -> Topology:
    topology = get_listed_topology(topology_id)
    if body.name is not None:
        services.rename_topology(topology=topology, name=body.name)
    if body.slug is not None:
        services.set_slug(topology=topology, slug=body.slug)
    return topology


@router.put(
    "/topologies/{int:topology_id}/project",
    needs=ADMINISTRATOR.with_names("project"),
    audit="move a topology",
    response=schemas.TopologyOut,
    summary="Move a topology to another project",
)
def move_topology(request: HttpRequest, topology_id: int, body: schemas.ProjectChoice) -> Topology:
    """Put it into another project, with its jobs."""
    return services.move_topology(topology=get_listed_topology(topology_id), project=get_project(body.project))


@router.delete(
    "/topologies/{int:topology_id}",
    needs=EDITOR,
    audit="delete a topology",
    response={204: None},
    summary="Delete a topology that has no job",
)
def delete_topology(request: HttpRequest, topology_id: int) -> Status[None]:
    services.delete_topology(topology=get_listed_topology(topology_id))
    return Status(204, None)


@router.get(
    "/topologies/{topology_id}/draft", needs=VIEWER, response=schemas.DraftOut, summary="Get the draft of a topology"
)
def get_draft(request: HttpRequest, topology_id: int) -> Draft:
    return get_listed_topology(topology_id).draft


@router.put(
    "/topologies/{topology_id}/draft",
    needs=EDITOR,
    audit="edit a topology",
    is_session=True,
    response=schemas.DraftOut,
    summary="Save the draft of a topology",
)
def save_draft(request: HttpRequest, topology_id: int, body: schemas.DraftIn) -> Draft:
    return services.save_draft(
        topology=get_listed_topology(topology_id),
        graph=body.graph,
        schemas=body.schemas,
        revision=body.revision,
        by=get_user(request),
    )


@router.get(
    "/topologies/{topology_id}/versions",
    needs=VIEWER,
    response=list[schemas.VersionSummary],
    summary="List the versions of a topology",
)
def list_versions(request: HttpRequest, topology_id: int) -> QuerySet[Version]:
    return get_listed_topology(topology_id).versions.select_related("created_by").defer("graph", "schemas")


@router.post(
    "/topologies/{topology_id}/versions",
    needs=EDITOR,
    audit="keep a version",
    response={201: schemas.VersionOut},
    summary="Create a version from the draft",
)
def create_version(request: HttpRequest, topology_id: int, body: schemas.VersionIn) -> Status[Any]:
    version = services.create_version(
        topology=get_listed_topology(topology_id), by=get_user(request), note=body.note, revision=body.revision
    )
    return Status(201, version)


@router.get(
    "/topologies/{topology_id}/differences",
    needs=VIEWER,
    response=DifferencesOut,
    summary="List the differences between two versions, or a version and the draft",
)
def list_differences(request: HttpRequest, topology_id: int, before: str, after: str = "draft") -> DifferencesOut:
    """What two graphs of a topology differ in; each is the number of a version, or `draft`."""
    topology = get_listed_topology(topology_id)
    one, other = (services.get_draft_or_version(topology, name).read_graph() for name in (before, after))
    return compare(one, other).to_json()


@router.get("/versions/{version_id}", needs=VIEWER, response=schemas.VersionOut, summary="Get a version with its graph")
def get_version(request: HttpRequest, version_id: int) -> Version:
    return _get_version(version_id)


@router.get(
    "/topologies/{topology_id}/export",
    needs=VIEWER,
    response=schemas.ExportOut,
    exclude_unset=True,
    summary="Export the draft of a topology as JSON",
)
def export_topology(request: HttpRequest, topology_id: int) -> Export:
    return services.export_topology(topology=get_listed_topology(topology_id))


@router.get(
    "/versions/{version_id}/export",
    needs=VIEWER,
    response=schemas.ExportOut,
    exclude_unset=True,
    summary="Export a version as JSON",
)
def export_version(request: HttpRequest, version_id: int) -> Export:
    version = _get_version(version_id)
    return services.export_topology(topology=version.topology, version=version)


def _get_version(version_id: int) -> Version:
    version = Version.objects.select_related("topology", "created_by").filter(id=version_id).first()
    if version is None:
        raise NotFound(
            f"There is no version {version_id}.", "Its topology may have been deleted. Open the list of topologies."
        )
    return version


def _find_return_type(graph: Graph, node_id: str, field: str) -> Type | None:
    """The required return type of the field's expression. A Refusal if there is no such field."""
    node = graph.by_id.get(node_id)
    operator = get_catalogue().get(node.operator) if node else None
    if node is None or operator is None:
        raise NotFound(f"The graph has no node `{node_id[:80]}` with a known operator.", "Send the current graph.")
    fields = find_expression_fields(operator)
    pattern = re.sub(r"\.\d+(?=\.|$)", ".*", field)
    if pattern not in fields:
        raise Refusal(f"`{field[:80]}` is not an expression field of {node.operator}.", f"It has {', '.join(fields)}.")
    return fields[pattern].returns


def _check_expression(text: str, scope: Scope, returns: Type | None) -> tuple[Type | None, Issue | None, str]:
    """The type of an expression, or what is wrong with it. And a note on names that mean something else here."""
    try:
        expression = check_expression(text, scope, returns)
    except ExpressionError as error:
        return None, error.issue, ""
    if expression.type.size > MAX_TYPE_SIZE:
        return None, Issue(IssueCode.EXPRESSION_TOO_LARGE), ""
    return expression.type, None, _describe_names(expression.shadowed_names, scope)


def _describe_names(names: Sequence[str], scope: Scope) -> str:
    """The bare names that mean the record's own part and not the field of that name."""
    return " ".join(f"`{name}` is the record's {name}. Write `{scope.spread}.{name}` for the field." for name in names)
