"""Topics in Avro, Protobuf and JSON Schema, as an exported program reads and writes them in Kafka Streams."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import orjson
import pytest

from designer.values.schemas import SchemaText
from runner.registry import Registry
from tests.conformance.exported.answering import answers, compile_classes, export_class
from tests.conformance.exported.graphs import rich
from tests.conformance.exported.test_exported import export_cases, find_differing, plain
from tests.conformance.formats import SCHEMAS, cases_in, read_plain
from tests.conformance.product.compare import Answer
from tests.conformance.product.on_driver import answer
from tests.runner.graph_builder import GraphBuilder

pytestmark = pytest.mark.services


def as_text(data: bytes) -> bytes:
    """The bytes of a value themselves, as JSON."""
    return orjson.dumps(base64.b64encode(data).decode())


def test_exported_programs_read_and_write_formats_with_a_schema(tmp_path: Path):
    kept = {name: export_cases(f"In{name.title().replace('_', '')}", cases_in(name, one_in=50)) for name in SCHEMAS}
    drawn = [rich(name) for name in SCHEMAS]
    rich_classes = [export_class(f"Rich{number}", graph) for number, (_, graph) in enumerate(drawn)]
    classes = compile_classes([*(each for every in kept.values() for _, each in every), *rich_classes], tmp_path)

    for name, every in kept.items():
        found = answers(every, classes, read_plain(name))
        assert len(every) > 8
        assert find_differing(every, dict(zip((each.class_name for _, each in every), found, strict=True))) == {}
    found = answers([(case, each) for (case, _), each in zip(drawn, rich_classes, strict=True)], classes, as_text)
    for (case, graph), exported, given in zip(drawn, rich_classes, found, strict=True):
        assert exported.notes == ()
        assert isinstance(given, Answer), given
        assert plain(given.steps) == plain(answer(case, graph, read=as_text).steps), case["name"]


def test_an_exported_program_registers_its_schema_and_finds_those_of_other_writers(
    registry_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SCHEMA_REGISTRY_URL", registry_url)
    registry = Registry(registry_url, {}, is_internal=True)
    text = json.dumps({"type": "record", "name": "Sum", "fields": [{"name": "sum", "type": "long"}]})
    as_avro = {"value_format": "avro", "value_schema": text, "schema_registry": "register"}
    narrow = SchemaText("AVRO", text.replace("long", "int"))
    builder = GraphBuilder().add(
        "sums", "stream", {"topic": "sums", "key_format": "string", **as_avro, "schema_registry": True}
    )
    builder.to("exported", "sums", key_format="json", **as_avro)
    program = export_class("Sums", builder.graph)
    data = bytes(1) + registry.register("sums-value", narrow).to_bytes(4) + b"\x0e"
    case = {"name": "sums", "inputs": [{"topic": "sums", "key": "a", "value": data, "timestamp": 1}]}

    (found,) = answers([(case, program)], compile_classes([program], tmp_path), as_text)

    assert isinstance(found, Answer), found
    written = base64.b64decode(found.results[0]["value"])
    assert registry.version("exported-value").schema.text == text
    assert written == bytes(1) + registry.version("exported-value").id.to_bytes(4) + b"\x0e"
