"""What the server and the page agree on: each field that crosses has a shape, but for the few listed here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from designer.projects.schemas import GraphIn, RefusalOut
from designer.refusals import Details, MalformedGraph
from designer.topology.graph import Graph
from webapp.api import api

OPEN = frozenset({"AnyJson", "NodeConfig"})
"""Names of the types whose values may be any JSON."""
LOOSE = {
    "ChangeOut.before": "of any setting of any model: a value that the audit has shortened",
    "ChangeOut.after": "as before",
    "FieldChangeOut.before": "of any setting of any operator",
    "FieldChangeOut.after": "as before",
    "FormSchemaOut.default": "of any setting of any form",
    "GraphNodeIn.config": "checked by the form of the node's operator; see `NodeConfig`",
    "GraphNodeOut.config": "as before",
    "OneCorrection.right.*": "users decide what a record holds",
    "OneCorrection.sent.*": "users decide what a record holds",
    "ProofInput.key": "users decide what a record holds",
    "ProofInput.value": "users decide what a record holds",
    "ProofResultOut.key": "users decide what a record holds",
    "ProofResultOut.value": "users decide what a record holds",
    "RowOut.key": "users decide what a record holds",
    "RowOut.value": "users decide what a record holds",
    "ShownRecord.key": "users decide what a record holds",
    "ShownRecord.value": "users decide what a record holds",
}
"""Fields without their own shape, with the reason. Whoever adds one needs a reason that no model can meet."""
FILES = frozenset({"TopologyDescriptionIn"})
"""Bodies that another program may have written: what no one reads of them is left out."""


def find_loose(schema: Mapping[str, Any], at: str) -> Iterator[str]:
    """Where a schema of JSON takes whatever it is given."""
    if "$ref" in schema:
        if schema["$ref"].rpartition("/")[2] in OPEN:
            yield at
        return
    options = [one for word in ("anyOf", "allOf", "oneOf") for one in schema.get(word, ())]
    for option in options:
        yield from find_loose(option, at)
    for name, held in schema.get("properties", {}).items():
        yield from find_loose(held, f"{at}.{name}")
    match schema.get("type"):
        case "object":
            others = schema.get("additionalProperties", "properties" not in schema)
            yield from find_loose(others, f"{at}.*") if isinstance(others, dict) else [at] * bool(others)
        case "array":
            for item in (
                *schema.get("prefixItems", ()),
                schema.get("items", {} if "prefixItems" not in schema else None),
            ):
                yield from () if item is None else find_loose(item, f"{at}.*")
        case None if not options and not schema.keys() & {"enum", "const"}:
            yield at


def list_schemas(described: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every schema of an OpenAPI by its name, or by the operation it belongs to."""
    yield from ((name, one) for name, one in described["components"]["schemas"].items() if name not in OPEN)
    for path in described["paths"].values():
        for operation in path.values():
            name = operation["operationId"]
            yield from ((f"{name}({each['name']})", each["schema"]) for each in operation["parameters"])
            for answer in (operation.get("requestBody", {}), *operation["responses"].values()):
                yield from ((name, content["schema"]) for content in answer.get("content", {}).values())


def test_each_field_that_crosses_has_a_shape_but_for_those_with_a_reason() -> None:
    schemas = dict(list_schemas(api.get_openapi_schema()))

    assert {at for name, schema in schemas.items() for at in find_loose(schema, name)} == LOOSE.keys()


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"title": "Settings", "default": None},
        {"type": "object"},
        {"type": "object", "additionalProperties": True},
        {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": True},
        {"type": "object", "additionalProperties": {}},
        {"type": "array", "items": {}},
        {"type": "array"},
        {"anyOf": [{"type": "null"}, {"type": "object"}]},
        {"properties": {"before": {"$ref": "#/components/schemas/AnyJson"}}, "type": "object"},
    ],
)
def test_a_schema_that_takes_anything_is_found(schema: dict[str, Any]) -> None:
    assert list(find_loose(schema, "x"))


def test_a_schema_with_a_shape_is_not_loose() -> None:
    point = {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}
    named = {"type": "object", "additionalProperties": {"anyOf": [{"enum": ["a"]}, {"type": "null"}]}}

    assert not list(find_loose({"type": "object", "properties": {"point": point, "named": named}}, "x"))


def test_each_detail_of_a_refusal_is_described() -> None:
    assert RefusalOut.__annotations__.keys() == Details.__annotations__.keys() | {"code", "message", "hint"}


def test_a_body_takes_no_member_that_nobody_reads() -> None:
    described = api.get_openapi_schema()
    schemas = described["components"]["schemas"]
    bodies = [
        operation["requestBody"]
        for path in described["paths"].values()
        for operation in path.values()
        if "requestBody" in operation
    ]
    contents = [content["schema"] for body in bodies for content in body["content"].values()]
    names = {one["$ref"].rpartition("/")[2] for content in contents for one in content.get("anyOf", [content])}

    assert {name for name in names if schemas[name].get("additionalProperties") is not False} == FILES


NODE, NOTE = {"id": "late", "operator": "filter"}, {"id": "#a", "kind": "note"}


@pytest.mark.parametrize(
    ("graph", "is_one"),
    [
        ({"nodes": []}, True),
        ({"edges": []}, False),
        ({"nodes": [], "colours": []}, False),
        ({"nodes": [NODE]}, True),
        ({"nodes": [NODE | {"config": {"predicate": "late"}, "position": {"x": 8, "y": 0}, "bypassed": True}]}, True),
        ({"nodes": [NODE | {"position": {"x": 8}}]}, True),
        ({"nodes": [NODE | {"position": {"z": 8}}]}, False),
        ({"nodes": [NODE | {"position": {"width": 8}}]}, False),
        ({"nodes": [NODE | {"config": []}]}, False),
        ({"nodes": [NODE | {"size": 8}]}, False),
        ({"nodes": [{"id": "late"}]}, False),
        ({"nodes": [NODE], "edges": [{"source": "late"}]}, False),
        ({"nodes": [NODE], "edges": [dict.fromkeys(("source", "source_port", "target", "target_port"), "late")]}, True),
        ({"nodes": [], "notes": [NOTE]}, True),
        ({"nodes": [], "notes": [NOTE | {"position": {"width": 8}}]}, True),
        ({"nodes": [], "notes": [NOTE | {"position": {"depth": 8}}]}, False),
        ({"nodes": [], "notes": [NOTE | {"kind": "poem"}]}, False),
    ],
)
def test_a_graph_of_a_request_is_described_as_it_is_read(graph: dict[str, Any], is_one: bool) -> None:
    fits, is_read = (nullcontext() if is_one else pytest.raises(error) for error in (ValidationError, MalformedGraph))

    with fits:
        TypeAdapter(GraphIn).validate_python(graph, strict=True)
    with is_read:
        Graph.from_json(graph)
