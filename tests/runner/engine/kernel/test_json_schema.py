"""JSON Schema in the kernel: it only takes what is surely valid. `differential.py` draws schemas and documents."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from runner.engine.kernel.planning import KernelPlan, plan
from tests.runner.engine.kernel.test_equality import compare_engines
from tests.runner.graph_builder import GraphBuilder
from tests.runner.kernel_driver import KernelDriver, make_columns

ORDER = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "minLength": 1, "maxLength": 4},
        "amount": {"type": "number", "minimum": 0.1, "exclusiveMaximum": 100},
        "count": {"oneOf": [{"type": "null"}, {"type": "integer", "maximum": 7}]},
        "kind": {"enum": ["new", "paid", None]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
    },
    "required": ["id"],
    "additionalProperties": False,
}
PREFIX = b"\0\0\0\0\7"
GOOD = PREFIX + b'{"id":"a\xc3\xa4","amount":0.1,"count":null,"kind":"paid","tags":["x"]}'
BAD = [
    b'{"amount":1}',
    b'{"id":""}',
    b'{"id":"abcde"}',
    b'{"id":"a","amount":0.09999999999999999999}',
    b'{"id":"a","amount":0.09}',
    b'{"id":"a","amount":100}',
    b'{"id":"a","count":8}',
    b'{"id":"a","count":"1"}',
    b'{"id":"a","kind":"old"}',
    b'{"id":"a","tags":["x","y","z"]}',
    b'{"id":"a","tags":[1]}',
    b'{"id":"a","more":1}',
    b"[]",
]


def orders(schema: dict[str, Any] = ORDER) -> GraphBuilder:
    config: dict[str, Any] = {"value_format": "json_schema", "value_schema": orjson.dumps(schema).decode()}
    return GraphBuilder().stream("orders", **config, value_type=None, value_schema_id=7, avro_header="confluent")


def pipe(driver: KernelDriver) -> None:
    with driver.batch():
        for data in (GOOD, *(PREFIX + each for each in BAD), GOOD[5:], b"\0\0\0\0\1{}"):
            driver.pipe_bytes("orders", b"k", data)


def test_documents_are_judged_as_in_python():
    fields = [{"name": "id", "expression": "id"}, {"name": "twice", "expression": "amount * 2"}]
    compare_engines(orders().add("n", "map_values", {"fields": fields}, records="orders").to("out", "n"), pipe)


def test_written_documents_are_judged_as_in_python():
    own = {"value_format": "json_schema", "value_schema": orjson.dumps(ORDER).decode(), "avro_header": "plain"}
    changes = {"keep": True, "fields": [{"name": "amount", "expression": "amount * 900"}]}
    builder = orders().add("n", "map_values", changes, records="orders")
    compare_engines(builder.to("out", "n", **own).to("same", "orders", **own), pipe)


def test_only_documents_that_are_not_surely_valid_go_to_python():
    driver = KernelDriver(orders().to("json", "orders", value_format="json").graph)
    compiled = plan(driver.layout, driver.options, 0)
    assert isinstance(compiled, KernelPlan)
    rows = [(0, b"k", data, 0, None, 0, 0) for data in (GOOD, *(PREFIX + each for each in BAD), GOOD)]

    outcome = compiled.compiled.run(0, None, len(rows), *make_columns(rows))

    assert [place for place, _ in outcome["for_python"]] == list(range(1, len(rows) - 1))


@pytest.mark.parametrize(
    "more", [{"pattern": "a"}, {"format": "uuid"}, {"not": {}}, {"allOf": [{}]}, {"multipleOf": 2}]
)
def test_a_schema_of_other_keywords_runs_in_python(more: dict[str, Any]):
    schema = {"type": "object", "properties": {"id": {"type": "string", **more}}}
    driver = KernelDriver(orders(schema).to("json", "orders", value_format="json").graph)

    assert driver.list_reasons() == [f"the keyword `{next(iter(more))}` in JSON Schema on node `orders`"]
