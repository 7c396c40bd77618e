"""Topologies as JSON: reads imports, and writes exports."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from designer.limits import check_storable
from designer.refusals import MalformedGraph
from designer.streams.formats import NATURAL, SCHEMA_FORMATS, fits
from designer.topology.forms import check_type
from designer.topology.graph import GraphOut, read_placed
from designer.values.schemas import Schema, SchemaOut

EXPORT = 1
"""The number of the export format, its member `streamwright`."""
MEMBERS = ("streamwright", "name", "about", "message", "graph", "positions", "schemas", "cases")
"""`about` describes the topology for readers of the file. An import ignores it. `message` becomes the message of the
version that an import creates. `positions` may give the places of nodes and notes instead of their own members.
"""
PARTS = ("nodes", "notes")
"""The members of a graph with positions."""
EMPTY: Mapping[str, Any] = {"nodes": [], "edges": []}


class ExportedCase(TypedDict):
    """A test case: its lines stay texts, so that no reader of JSON changes their numbers."""

    name: str
    records: list[str]
    expected: list[str]


class Export(TypedDict):
    """A topology as JSON that can be stored, sent and imported anywhere. `MEMBERS` lists what an import takes."""

    streamwright: int
    name: str
    graph: Mapping[str, Any]
    schemas: Mapping[str, Any]
    cases: NotRequired[list[ExportedCase]]
    message: NotRequired[str]


def read_export(export: Any) -> tuple[str, Any, Any]:
    """Name, graph and schemas of an exported topology. The last two are not checked yet."""
    if not isinstance(export, dict) or export.get("streamwright") != EXPORT:
        raise MalformedGraph(
            f"This is not an exported topology: `streamwright` is not {EXPORT}.", "Export a topology to see the shape."
        )
    for member in export:
        if member not in MEMBERS:
            members = ", ".join(MEMBERS)
            raise MalformedGraph(f"The export has `{str(member)[:80]}`. Known: {members}.", "Remove or rename it.")
    if "graph" not in export:
        raise MalformedGraph("The export has no `graph`.", "Paste all that Export gives, or choose its file.")
    graph = _put_positions(export["graph"], export.get("positions", {}))
    return export.get("name", "Imported"), graph, export.get("schemas", {})


def _put_positions(graph: Any, positions: Any) -> Any:
    """The graph with the positions in its nodes and notes. `Graph.from_json` finds other problems."""
    if not isinstance(positions, dict):
        raise MalformedGraph("`positions` is not an object.", "Map node ids to positions.")
    if not positions or not isinstance(graph, dict):
        return graph
    return graph | {
        part: [_put_at_position(each, positions) for each in graph[part]] for part in PARTS if _is_list(graph, part)
    }


def _put_at_position(element: Any, positions: Mapping[str, Any]) -> Any:
    is_known = isinstance(element, dict) and isinstance(element.get("id"), str) and element["id"] in positions
    return {"position": positions[element["id"]], **element} if is_known else element


def _is_list(graph: Mapping[str, Any], name: str) -> bool:
    return isinstance(graph.get(name), list)


def write_export(name: str, graph: Mapping[str, Any], schemas: Mapping[str, Any]) -> Export:
    return {"streamwright": EXPORT, "name": name, "graph": graph, "schemas": schemas}


def write_file(export: Mapping[str, Any]) -> str:
    """The text of a file for version control: sorted keys, one field a line, positions apart from meaning.

    The same topology always gives the same text, so that a diff shows only what was changed.

    >>> node = {"id": "late", "operator": "custom", "config": {}, "position": {"x": 8, "y": 0}}
    >>> json.loads(write_file({"graph": {"nodes": [node], "edges": []}}))["positions"]
    {'late': {'x': 8, 'y': 0}}
    """
    graph = export["graph"]
    parts = {name: graph[name] for name in PARTS if name in graph}
    positions = {one["id"]: one["position"] for each in parts.values() for one in each}
    meaning = {name: [_without_position(one) for one in each] for name, each in parts.items()}
    content = {**export, "graph": {**graph, **meaning}, "positions": positions}
    return json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _without_position(element: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in element.items() if name != "position"}


def read_cases(export: Mapping[str, Any]) -> list[dict[str, str]]:
    """Name, records and expected output of each test case in an exported topology. Their lines are not checked."""
    cases = export.get("cases", [])
    if not isinstance(cases, list):
        raise MalformedGraph("`cases` is not a list.", "Export a topology with test cases to see.")
    return [_write_case(number, each) for number, each in enumerate(cases)]


def write_case(name: str, records: str, expected: str) -> ExportedCase:
    return {"name": name, "records": _split_lines(records), "expected": _split_lines(expected)}


def _split_lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _write_case(number: int, case: Any) -> dict[str, str]:
    at = f"`cases.{number}`"
    if not isinstance(case, dict) or case.keys() != {"name", "records", "expected"}:
        raise MalformedGraph(f"{at} is not a test case.", "It has a `name`, `records` and `expected`.")
    for member in ("records", "expected"):
        lines = case[member]
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise MalformedGraph(f"{at}.{member} is not a list of texts.", "Write each record as JSON text.")
    return {"name": case["name"], **{member: "\n".join(case[member]) for member in ("records", "expected")}}


class StoredParts(TypedDict):
    """The stored form of a topology: its graph, and schemas by node id."""

    graph: GraphOut
    schemas: dict[str, SchemaOut]


def read_stored_graph(graph: Any, schemas: Any) -> StoredParts:
    """The normal form of both. A Refusal says what is malformed."""
    return {
        "graph": read_placed(check_storable(graph)).to_json(),
        "schemas": {node_id: schema.to_json() for node_id, schema in read_schemas(schemas).items()},
    }


def read_schemas(schemas: Any) -> dict[str, Schema]:
    """Schemas by node id. A `MalformedGraph` names the node with an invalid schema."""
    if not isinstance(schemas, Mapping):
        raise MalformedGraph("`schemas` is not an object.", "Map node ids to schemas.")
    return {node_id: _read_schema(node_id, schema) for node_id, schema in check_storable(schemas).items()}


def _read_schema(node_id: str, value: Any) -> Schema:
    try:
        schema = Schema.from_json(value)
        hash(schema)  # of lists and objects there is none: TypeError
        for side in (schema.key, schema.value):
            check_type(side.type)
            NATURAL[side.format]
            if side.format in SCHEMA_FORMATS and not fits(side):
                raise ValueError
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = f"`schemas.{node_id[:80]}` is not a schema."
        raise MalformedGraph(message, "Remove it. Streamwright infers it from the topic.") from error
    return schema
