"""What the forms of sources and sinks say of Avro."""

import json
from typing import Any

import pytest

from designer.checks import check
from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = json.dumps({"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]})


def said(builder: GraphBuilder) -> list[tuple[str, str | None]]:
    return [(issue.code, issue.field) for issue in check(builder.graph)]


def written(value: Any = None, **config: Any) -> GraphBuilder:
    return GraphBuilder().stream("orders", value or struct(id=INTEGER)).to("out", "orders", **config)


def reading(**config: Any) -> GraphBuilder:
    avro = {"value_format": "avro", "value_type": None, "value_schema": ORDER} | config
    return GraphBuilder().stream("orders", **avro).to("out", "orders", value_format="json")


def wrote(number: int, schema: str) -> dict[str, Any]:
    return {"id": number, "avro_schema": schema}


def test_a_source_reads_what_several_writers_wrote() -> None:
    nullable = ORDER.replace('"long"', '"int"')
    assert said(reading(avro_header="confluent", value_schema_id=7, value_writer_schemas=[wrote(8, nullable)])) == []
    assert said(reading(avro_header="confluent", value_writer_schemas=[wrote(8, nullable)])) == []


def test_a_time_in_another_unit_is_not_written_as_it_is() -> None:
    at = {"type": "record", "name": "E", "fields": [{"name": "at", "type": {"type": "long"}}]}
    millis, micros = (
        json.dumps(at | {"fields": [{"name": "at", "type": {"type": "long", "logicalType": f"timestamp-{unit}"}}]})
        for unit in ("millis", "micros")
    )
    builder = GraphBuilder().stream("in", value_format="avro", value_type=None, value_schema=millis)

    (issue,) = check(builder.to("out", "in", value_format="avro", value_schema=micros).graph)

    assert issue.message == "The Avro schema needs timestamp-micros for `at`, but the value has timestamp-millis."


@pytest.mark.parametrize(
    ("names", "difference"),
    [
        ("abc", "needs the fields c, but the value has only its other fields."),
        ("a", "needs only its own fields, but the value has also the fields b."),
        ("acd", "needs the fields c, d, but the value has the fields b instead."),
        ("xy", "needs the fields x, y, but the value has the fields a, b."),
    ],
)
def test_of_fields_that_do_not_fit_only_the_difference_is_told(names: str, difference: str) -> None:
    schema = {"type": "record", "name": "Wide", "fields": [{"name": name, "type": "long"} for name in names]}
    builder = GraphBuilder().stream("in", struct(a=INTEGER, b=INTEGER))

    (issue,) = check(builder.to("out", "in", value_format="avro", value_schema=json.dumps(schema)).graph)

    assert issue.message == f"The Avro schema {difference}"


def test_a_schema_makes_the_format_avro() -> None:
    assert said(written(value_schema=ORDER)) == []


@pytest.mark.parametrize(
    ("builder", "issue"),
    [
        (written(value_format="avro"), ("avro.schema_missing", "value_schema")),
        (written(value_format="avro", value_schema="{"), ("avro.not_json", "value_schema")),
        (written(STRING, value_format="avro", value_schema=ORDER), ("avro.misfit", "value_format")),
        (written(value_schema=ORDER, avro_header="confluent"), ("avro.id_missing", "value_schema_id")),
        (reading(avro_header="confluent"), ("avro.no_id", "value_schema_id")),
        (
            reading(avro_header="confluent", value_schema_id=7, value_writer_schemas=[wrote(7, ORDER)]),
            ("avro.id_twice", "value_writer_schemas.0.id"),
        ),
        (
            reading(avro_header="confluent", value_schema_id=7, value_writer_schemas=[wrote(8, '"long"')]),
            ("avro.writer_unlike", "value_writer_schemas.0.avro_schema"),
        ),
        (
            GraphBuilder().stream("orders", key_format="avro").to("out", "orders", key_format="json"),
            ("avro.schema_missing", "key_schema"),
        ),
    ],
)
def test_what_is_missing_is_said_at_its_field(builder: GraphBuilder, issue: tuple[str, str]) -> None:
    assert issue in said(builder)
