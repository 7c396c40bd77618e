"""A sink without a schema gets one of the records that arrive, with one click."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.checks import check
from designer.streams.formats import SCHEMA_FORMATS, fits, write_schema
from designer.values.logical import UNITS
from designer.values.schemas import (
    ANY,
    BOOLEAN,
    BYTES,
    DOUBLE,
    INTEGER,
    STRING,
    Field,
    FormatSchema,
    Kind,
    Side,
    Type,
    decimal,
    map_of,
    struct,
)
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(id=INTEGER, items=Type(Kind.LIST, item=struct(name=STRING, price=decimal(10, 2))), tags=map_of(STRING))
NAMES = st.sampled_from(("id", "order_id", "orderId", "Order", "a", "_b", "größe", "first name", "2nd"))
SCALARS = st.sampled_from(
    (BOOLEAN, INTEGER, DOUBLE, STRING, BYTES, ANY, decimal(38, 9), decimal(20))
) | st.sampled_from(sorted(UNITS)).map(lambda name: Type(Kind.INTEGER, logical=name))


def make_structs(types: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    fields = st.dictionaries(NAMES, types, max_size=4)
    return fields.map(lambda each: Type(Kind.STRUCT, fields=tuple(Field(name, of) for name, of in each.items())))


TYPES = st.recursive(
    SCALARS,
    lambda inner: inner.map(lambda item: Type(Kind.LIST, item=item)) | inner.map(map_of) | make_structs(inner),
    max_leaves=12,
)


def written(value: Type, **config: Any) -> GraphBuilder:
    reading = GraphBuilder().stream("in", value_format="json", value_type=value.to_json())
    return reading.to("carrier-delays", "in", **config)


@settings(max_examples=300, deadline=None)
@given(TYPES, st.sampled_from(sorted(SCHEMA_FORMATS)))
def test_a_written_schema_takes_every_value_of_its_type(type_: Type, name: str) -> None:
    text = write_schema(Side(name, type_), "Order")

    assert text is None or fits(Side(name, type_, FormatSchema(text)))
    if text is not None and name == "avro":
        assert SCHEMA_FORMATS[name].read_type(text) == type_


@pytest.mark.parametrize(
    ("type_", "formats"),
    [
        (ORDER, {"avro", "json_schema"}),  # Protobuf has no decimals
        (struct(id=INTEGER, of=struct(name=STRING), names=Type(Kind.LIST, item=STRING)), {*SCHEMA_FORMATS}),
        (struct(at=Type(Kind.INTEGER, logical="timestamp-micros"), count=decimal(20)), {*SCHEMA_FORMATS}),
        (INTEGER, {"avro", "json_schema"}),
        (struct(anything=ANY), {"json_schema"}),
        (Type(Kind.STRUCT, fields=(Field("first name", STRING),)), {"json_schema"}),
        (struct(order_id=INTEGER, orderId=INTEGER), {"avro", "json_schema"}),
        (struct(matrix=Type(Kind.LIST, item=Type(Kind.LIST, item=DOUBLE))), {"avro", "json_schema"}),
    ],
)
def test_a_format_without_such_a_type_has_no_schema_for_it(type_: Type, formats: set[str]) -> None:
    assert {name for name in SCHEMA_FORMATS if write_schema(Side(name, type_), "Order") is not None} == formats


@pytest.mark.parametrize("name", sorted(SCHEMA_FORMATS))
def test_the_fix_of_a_missing_schema_leaves_no_issue(name: str) -> None:
    value = struct(carrier=STRING, start=INTEGER, n=INTEGER)
    (issue,) = check(written(value, value_format=name, schema_registry="register").graph)
    assert (issue.code, issue.field) == ("avro.schema_missing", "value_schema")
    assert issue.fix is not None
    assert issue.fix.label == "Write the schema of the values"

    text = issue.fix.replacement

    assert "CarrierDelays" in text
    assert list(check(written(value, value_format=name, value_schema=text, schema_registry="register").graph)) == []


def test_keys_get_a_schema_of_their_own() -> None:
    graph = written(ORDER, key_format="avro", value_format="json")

    (issue,) = check(graph.graph)

    assert issue.field == "key_schema"
    assert issue.fix is not None
    assert (issue.fix.label, issue.fix.replacement) == ("Write the schema of the keys", '"string"')
