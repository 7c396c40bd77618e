"""What is sent without being checked is what its schema says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from designer.projects.schemas import FormSchemaOut
from designer.topology.catalogue import get_catalogue
from designer.topology.forms import make_form_schema
from designer.topology.graph import Edge, Graph, GraphOut, Node
from designer.values.schemas import (
    Calendar,
    Field,
    FormatSchema,
    Kind,
    Schema,
    SchemaOut,
    Side,
    SideOut,
    Type,
    WindowSpec,
)
from runner.plan import JobSettings


def told_exactly(kind: Any, answer: object) -> bool:
    """Whether the answer fits its type and has no member that the type does not know."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    return bool(json.loads(adapter.dump_json(adapter.validate_python(answer))) == json.loads(json.dumps(answer)))


@pytest.mark.parametrize("calendar", [None, Calendar("week", 2, "Europe/Berlin")])
def test_a_schema_is_told_with_all_its_members(calendar: Calendar | None) -> None:
    money = Type(Kind.DECIMAL, precision=10, scale=2)
    order = Type(Kind.STRUCT, fields=(Field("paid", money), Field("tags", Type(Kind.LIST, item=Type(Kind.STRING)))))
    text = Side("string", Type(Kind.STRING))
    schema = Schema(key=text, value=Side("json", order), window=WindowSpec("calendar", calendar=calendar))

    assert told_exactly(SchemaOut, schema.to_json())


def test_a_graph_is_told_with_all_its_members() -> None:
    nodes = (Node("orders", "stream", {"topic": "orders"}), Node("out", "to"))

    assert told_exactly(GraphOut, Graph(nodes, (Edge("orders", "result", "out", "records"),)).to_json())


def test_a_side_is_told_with_the_avro_schema_it_is_written_in() -> None:
    avro = FormatSchema('"string"', header=True, id=7, writers=((3, '"int"'),))

    assert told_exactly(SideOut, Side("avro", Type(Kind.STRING), avro).to_json())


def test_a_side_of_the_first_release_is_read() -> None:
    stored = {"format": "avro", "type": {"kind": "string"}, "avro": {"schema": '"string"', "header": True, "id": 7}}

    assert Side.from_json(stored) == Side("avro", Type(Kind.STRING), FormatSchema('"string"', header=True, id=7))


@pytest.mark.parametrize("form", [JobSettings, *get_catalogue().values()])
def test_a_form_is_told_with_all_its_members(form: Any) -> None:
    assert told_exactly(FormSchemaOut, make_form_schema(form))
