"""Topics in Avro, Protobuf and JSON Schema, as an exported program reads and writes them in Kafka Streams."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from uuid import uuid4

import orjson
import pytest

from designer import protobuf
from designer.values.schemas import SchemaText
from runner.registry import Registry
from tests.conformance.exported.answering import answers, compile_classes, export_class
from tests.conformance.exported.graphs import rich, rich_again
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


def test_exported_programs_write_and_read_ids_in_headers(tmp_path: Path):
    written = [rich(name, "id_header", 77) for name in SCHEMAS]  # bytes that are text, as headers of cases are
    ours = [answer(case, graph, read=as_text) for case, graph in written]
    read = [rich_again(graph, each) for (_, graph), each in zip(written, ours, strict=True)]
    programs = [export_class(f"Headed{number}", graph) for number, (_, graph) in enumerate([*written, *read])]
    asked = [(case, each) for (case, _), each in zip([*written, *read], programs, strict=True)]

    found = answers(asked, compile_classes(programs, tmp_path), as_text)

    for mine, headed, prefixed in zip(ours, found[: len(SCHEMAS)], found[len(SCHEMAS) :], strict=True):
        assert isinstance(headed, Answer) and isinstance(prefixed, Answer), (headed, prefixed)
        assert plain(headed.steps) == plain(mine.steps)
        sent = [each for each in mine.results if each["topic"] == "out"]
        assert [name for each in sent for name, _ in each["headers"]] == ["__value_schema_id"] * len(sent) != []
        frames = [content.encode() + base64.b64decode(each["value"]) for each in sent for _, content in each["headers"]]
        assert [base64.b64decode(each["value"]) for each in prefixed.results] == frames
        assert [each for each in prefixed.results if "headers" in each] == []


def test_an_exported_program_registers_what_a_protobuf_schema_imports(
    registry_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SCHEMA_REGISTRY_URL", registry_url)
    registry = Registry(registry_url, {}, is_internal=True)
    currency, money = f"shop/currency-{uuid4().hex}.proto", f"shop/money-{uuid4().hex}.proto"
    head = 'syntax = "proto3"; package shop;'
    files = {
        currency: f"{head} message Currency {{ string code = 1; }}",
        money: f'{head} import "{currency}"; message Money {{ int64 cents = 1; Currency currency = 2; }}',
    }
    main = f'{head} import "{money}"; import "google/protobuf/timestamp.proto"; message Order {{ Money total = 1; }}'
    schema = protobuf.inline_references(SchemaText("PROTOBUF", main, tuple(files.items())))
    form = {"value_format": "protobuf", "value_schema": schema, "value_message": "shop.Order"}
    builder = GraphBuilder().add("orders", "stream", {"topic": "orders", "key_format": "string", **form})
    topic = f"imported-{uuid4().hex}"
    builder.to(topic, "orders", key_format="json", schema_registry="register", **form)
    program = export_class("Imported", builder.graph)
    data = bytes.fromhex("0a 04 08 05 12 00")
    case = {"name": "imported", "inputs": [{"topic": "orders", "key": "a", "value": data, "timestamp": 1}]}

    (found,) = answers([(case, program)], compile_classes([program], tmp_path), as_text)

    assert program.notes == ()
    assert isinstance(found, Answer), found
    registered = registry.version(f"{topic}-value")
    assert base64.b64decode(found.results[0]["value"]) == bytes(1) + registered.id.to_bytes(4) + b"\0" + data
    assert {path for path, _ in registered.schema.references} == files.keys()


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
