"""JSON from outside is judged before it is walked or stored."""

from __future__ import annotations

import re
from typing import Any

import pytest

from designer.limits import MAX_BYTES, MAX_DEPTH, TooMuch, Unwritable, check_storable
from designer.projects.exchange import read_export, read_stored_graph
from designer.refusals import MalformedGraph
from designer.topology.graph import Graph


def nested(levels: int) -> Any:
    json: Any = 1
    for _ in range(levels):
        json = [json]
    return json


def test_json_as_deep_as_allowed_is_taken() -> None:
    assert check_storable(nested(MAX_DEPTH)) == nested(MAX_DEPTH)


@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 900, 100_000])
def test_deeper_json_is_refused_without_walking_it_recursively(levels: int) -> None:
    with pytest.raises(TooMuch, match="nested deeper than 32 levels"):
        check_storable(nested(levels))


def test_more_than_a_megabyte_is_refused() -> None:
    with pytest.raises(TooMuch, match="longer than 1 MB"):
        check_storable(["x" * MAX_BYTES])


@pytest.mark.parametrize("json", [["a\x00b"], {"a\x00": 1}, [2**70], ["\ud800"]])
def test_what_cannot_be_stored_is_refused(json: Any) -> None:
    with pytest.raises(Unwritable):
        check_storable(json)


@pytest.mark.parametrize(
    ("exported", "message"),
    [
        ([], "This is not an exported topology"),
        ({"graph": {}}, "This is not an exported topology"),
        ({"streamwright": 2, "graph": {}}, "This is not an exported topology"),
        ({"streamwright": 1}, "has no `graph`"),
        ({"streamwright": 1, "graph": {}, "version": 3}, "The export has `version`"),
    ],
)
def test_only_exports_are_imported(exported: Any, message: str) -> None:
    with pytest.raises(MalformedGraph, match=re.escape(message)):
        read_export(exported)


SIDE = {"format": "json", "type": {"kind": "any"}}


@pytest.mark.parametrize(
    "schema",
    [
        None,
        {},
        {"key": 1},
        {"key": {"format": "x", "type": {"kind": "any"}}, "value": {"format": "json", "type": {"kind": "any"}}},
        {"key": SIDE, "value": SIDE | {"format": "avro", "schema": {"text": '"long"', "header": [1]}}},
    ],
)
def test_a_schema_that_is_none_is_named_by_its_node(schema: Any) -> None:
    with pytest.raises(MalformedGraph, match=r"`schemas\.orders` is not a schema"):
        read_stored_graph({"nodes": [], "edges": []}, {"orders": schema})


NODE = {"id": "orders", "operator": "stream"}
NOTE = {"id": "#a", "kind": "note"}


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"nodes": [NODE | {"position": {"x": 0, "y": 1e19}}]}, "nodes[0].position.y is 1e+19; expected a number from"),
        ({"nodes": [NODE | {"position": {"x": -1_000_001}}]}, "nodes[0].position.x is -1,000,001; expected"),
        ({"nodes": [NODE | {"position": {"x": float("inf")}}]}, "nodes[0].position.x is null; expected a number"),
        ({"nodes": [], "notes": [NOTE | {"position": {"width": 1e9}}]}, "notes[0].position.width is 1,000,000,000;"),
    ],
)
def test_a_place_that_no_canvas_shows_is_not_stored(parts: Any, message: str) -> None:
    with pytest.raises(MalformedGraph, match=re.escape(message)):
        read_stored_graph(parts, {})


def test_a_place_that_an_older_version_stored_is_read() -> None:
    assert Graph.from_json({"nodes": [NODE | {"position": {"x": 0, "y": 1e19}}]}).nodes[0].position.y == 1e19
