"""Topics in Avro, Protobuf and JSON Schema, as an exported program reads and writes them in Kafka Streams."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import orjson
import pytest

from designer import protobuf
from designer.values.schemas import INTEGER, SchemaText, struct
from runner.registry import Reference, Registry
from tests.confluent import confluent
from tests.conformance.exported.answering import answers, compile_classes, export_class
from tests.conformance.exported.graphs import UNION_SCHEMAS, rich, rich_again, unions
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


def test_exported_programs_read_keep_and_write_values_of_unions(tmp_path: Path):
    drawn = [unions(name) for name in UNION_SCHEMAS]
    programs = [export_class(f"Unions{number}", graph) for number, (_, graph) in enumerate(drawn)]
    asked = [(case, each) for (case, _), each in zip(drawn, programs, strict=True)]

    found = answers(asked, compile_classes(programs, tmp_path), as_text)

    for (case, graph), exported, given in zip(drawn, programs, found, strict=True):
        assert exported.notes == ()
        assert isinstance(given, Answer), given
        assert plain(given.steps) == plain(answer(case, graph, read=as_text).steps), case["name"]
        assert {"plain", "others", "by-out", "sent", "told-out", "newest-out", "both-out"} <= {
            each["topic"] for each in given.results
        }


TIMES = {"timestamp-micros": ("long", 1_999_999), "timestamp-nanos": ("long", 1_999_999), "date": ("int", 2)}
"""Logical types, with a time of each."""


def test_exported_programs_read_the_times_of_logical_types(tmp_path: Path):
    """A source with such a time was left out of the export."""
    drawn = []
    for logical, (kind, number) in TIMES.items():
        at = {"name": "at", "type": {"type": kind, "logicalType": logical}}
        schema = json.dumps({"type": "record", "name": "Event", "fields": [at]})
        form = {"value_format": "avro", "value_schema": schema, "key_format": "string"}
        builder = GraphBuilder().add(
            "events", "stream", {"topic": "events", "timestamp_from": "field", "timestamp_field": "at", **form}
        )
        builder.to("out", "events", key_format="json")
        case = {"name": logical, "inputs": [{"topic": "events", "key": "a", "value": {"at": number}, "timestamp": 9}]}
        drawn.append((case, builder.graph))
    programs = [export_class(f"Times{number}", graph) for number, (_, graph) in enumerate(drawn)]
    asked = [(case, each) for (case, _), each in zip(drawn, programs, strict=True)]

    found = answers(asked, compile_classes(programs, tmp_path), as_text)

    times = []
    for (case, graph), exported, given in zip(drawn, programs, found, strict=True):
        assert exported.notes == ()
        assert isinstance(given, Answer), given
        assert plain(given.steps) == plain(answer(case, graph, read=as_text).steps), case["name"]
        times += [each["timestamp"] for each in given.results]
    assert times == [1_999, 1, 172_800_000]


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
    assert json.loads(registry.version("exported-value").schema.text) == json.loads(text)
    assert written == bytes(1) + registry.version("exported-value").id.to_bytes(4) + b"\x0e"


CUSTOMER: dict[str, Any] = {"type": "record", "name": "shop.Customer", "fields": [{"name": "name", "type": "string"}]}
PAID: dict[str, Any] = {
    "type": "record",
    "name": "shop.Paid",
    "fields": [{"name": "id", "type": "long"}, {"name": "by", "type": "shop.Customer"}],
}
SENT: dict[str, Any] = {"type": "record", "name": "shop.Sent", "fields": [{"name": "id", "type": "long"}]}


def test_an_exported_program_reads_and_writes_each_type_of_a_topic_with_its_own_subject(
    registry_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SCHEMA_REGISTRY_URL", registry_url)
    registry = Registry(registry_url, {}, is_internal=True)
    mark = uuid4().hex
    referred = f"customer-{mark}"
    registry.register(referred, SchemaText("AVRO", json.dumps(CUSTOMER)))
    paid = registry.register(
        f"paid-{mark}", SchemaText("AVRO", json.dumps(PAID)), [Reference("shop.Customer", referred, 1)]
    )
    sent = registry.register(f"sent-{mark}", SchemaText("AVRO", json.dumps(SENT)))
    schema = {"value_format": "avro", "value_schema": json.dumps([CUSTOMER, PAID, SENT])}
    builder = GraphBuilder().add(
        "events", "stream", {"topic": "events", "key_format": "string", "schema_registry": True, **schema}
    )
    topic = f"types-{mark}"
    writes = {"schema_registry": "register", "subject_strategy": "topic_record", "key_format": "json"}
    program = export_class("Types", builder.to(topic, "events", **writes, **schema).graph)
    data = [paid.to_bytes(4) + b"\x02\x04Bo", sent.to_bytes(4) + b"\x04"]
    inputs = [{"topic": "events", "key": "a", "value": bytes(1) + each, "timestamp": 1} for each in data]

    (found,) = answers([({"name": "types", "inputs": inputs}, program)], compile_classes([program], tmp_path), as_text)

    assert program.notes == ()
    assert isinstance(found, Answer), found
    ids = [registry.version(f"{topic}-shop.{name}").id for name in ("Paid", "Sent")]
    written = [base64.b64decode(each["value"]) for each in found.results]
    assert written == [bytes(1) + number.to_bytes(4) + each[4:] for number, each in zip(ids, data, strict=True)]


PROTO = """
syntax = "proto3"; package shop;
message Paid { int64 id = 1; }
message Box { message Sent { int64 id = 1; string to = 2; } }
"""


@pytest.mark.parametrize("strategy", ["topic", "topic_record"])
def test_an_exported_program_knows_the_message_of_a_protobuf_record_by_its_own_schema(
    strategy: str, registry_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SCHEMA_REGISTRY_URL", registry_url)
    registry, mark = Registry(registry_url, {}, is_internal=True), uuid4().hex
    paid = """
        syntax = "proto3"; /* message Old { */ package shop; option java_package = "message Wrong {"; // message X {
        message First { oneof a { string message = 1; } map<string, int64> b = 2; message Paid { } enum C { D = 0; } }
        message Paid { int64 id = 1; string note = 2; }
    """
    sent = 'syntax = "proto3"; package shop; message Box { message Sent { int64 id = 1; } }'
    other = 'syntax = "proto3"; package shop; message Refund { int64 id = 1; }'
    ids = [
        registry.register(f"{name}-{mark}", SchemaText("PROTOBUF", text))
        for name, text in (("paid", paid), ("sent", sent), ("other", other))
    ]
    form = {"value_format": "protobuf", "value_schema": PROTO, "value_message": "Paid, Box.Sent"}
    builder = GraphBuilder().add(
        "events", "stream", {"topic": "events", "key_format": "string", "schema_registry": True, **form}
    )
    topic = f"messages-{mark}"
    builder.to(topic, "events", schema_registry="register", subject_strategy=strategy, key_format="json", **form)
    program = export_class("Messages", builder.graph)
    frames = [(ids[0], b"\2\2"), (ids[1], b"\4\0\0"), (ids[2], b"\0"), (ids[2], b"\2\0")]
    inputs = [
        {"topic": "events", "key": "a", "value": bytes(1) + number.to_bytes(4) + place + b"\x08\x05", "timestamp": 1}
        for number, place in frames
    ]
    asked = [
        ({"name": str(at), "inputs": given}, program) for at, given in enumerate((inputs[:2], inputs[2:3], inputs[3:]))
    ]

    found, *others = answers(asked, compile_classes([program], tmp_path), as_text)

    assert program.notes == ()
    assert isinstance(found, Answer), found
    subjects = (
        [f"{topic}-shop.Paid", f"{topic}-shop.Box.Sent"] if strategy == "topic_record" else [f"{topic}-value"] * 2
    )
    assert [base64.b64decode(each["value"]) for each in found.results] == [
        bytes(1) + registry.version(subject).id.to_bytes(4) + place + b"\x08\x05"
        for subject, place in zip(subjects, (b"\0", b"\4\2\0"), strict=True)
    ]
    assert all("is a message shop.Refund; expected one of [shop.Paid, shop.Box.Sent]" in str(each) for each in others)


def test_an_exported_program_writes_the_guid_of_its_schema_and_reads_those_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with confluent() as server:
        monkeypatch.setenv("SCHEMA_REGISTRY_URL", server.url)
        theirs = server.add("sent", {"schema": json.dumps(SENT).replace("long", "int")})
        schema = {"value_format": "avro", "value_schema": json.dumps(SENT)}
        reads = {"topic": "events", "key_format": "string", "schema_registry": True, **schema}
        writes = {"schema_registry": "register", "avro_header": "guid_header", "key_format": "json", **schema}
        program = export_class(
            "Guids", GraphBuilder().add("events", "stream", reads).to("out", "events", **writes).graph
        )
        case = {"topic": "events", "key": "a", "value": b"\x04", "timestamp": 1, "headers": [header_of(theirs)]}
        question = ({"name": "guids", "inputs": [case]}, program)

        (found,) = answers([question], compile_classes([program], tmp_path), as_text)

    assert program.notes == ()
    assert isinstance(found, Answer), found
    [result] = found.results
    [ours] = [each for each in server.schemas.values() if each["subject"] == "out-value"]
    assert base64.b64decode(result["value"]) == b"\x04"
    assert result["headers"] == [header_of(ours)]


def test_an_exported_program_knows_the_type_of_a_json_record_by_its_own_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    types = [{"title": name, "type": "object", "properties": {"id": {"type": "integer"}}} for name in ("Paid", "Sent")]
    definitions = {str(each["title"]): {"$id": f"http://schema.local/{each['title']}", **each} for each in types}
    both = {"anyOf": [{"$ref": f"#/definitions/{name}"} for name in definitions], "definitions": definitions}
    form = {"value_format": "json_schema", "value_schema": json.dumps(both)}
    reads = {"topic": "events", "key_format": "string", "schema_registry": True, **form}
    builder = GraphBuilder().add("events", "stream", reads)
    builder.add("type", "map_values", {"value": "union_tag(value)"}, records="events")
    writes = {"schema_registry": "register", "subject_strategy": "topic_record", "key_format": "json", **form}
    builder.to("types", "type", key_format="json", value_format="json").to("out", "events", **writes)
    program = export_class("JsonTypes", builder.graph)

    with confluent() as server:
        monkeypatch.setenv("SCHEMA_REGISTRY_URL", server.url)
        ids = [server.add(str(each["title"]), {"schema": json.dumps(each)})["id"] for each in types]
        data = [bytes(1) + number.to_bytes(4) + b'{"id":1}' for number in ids]
        inputs = [{"topic": "events", "key": "a", "value": each, "timestamp": 1} for each in data]
        classes = compile_classes([program], tmp_path)
        (found,) = answers([({"name": "types", "inputs": inputs}, program)], classes, as_text)

    assert program.notes == ()
    assert isinstance(found, Answer), found
    told = [base64.b64decode(each["value"]) for each in found.results if each["topic"] == "types"]
    assert told == [b'"Paid"', b'"Sent"']
    written = [base64.b64decode(each["value"]) for each in found.results if each["topic"] == "out"]
    by_subject = {each["subject"]: each["id"] for each in server.schemas.values()}
    expected = [bytes(1) + by_subject[f"out-{name}"].to_bytes(4) + b'{"id":1}' for name in definitions]
    assert written == expected


def test_an_exported_program_gives_a_field_that_a_record_lacks_the_default_of_the_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    note = {"name": "note", "type": ["null", "string"], "default": None}
    schema = SENT | {"fields": [*SENT["fields"], {"name": "weight", "type": "double", "default": 0.5}, note]}
    builder = GraphBuilder().stream("events", struct(id=INTEGER))
    writes = {"schema_registry": "latest", "value_format": "avro", "value_schema": json.dumps(schema)}
    program = export_class("Defaults", builder.to("out", "events", key_format="json", **writes).graph)
    case = {"topic": "events", "key": "a", "value": {"id": 2}, "timestamp": 1}

    with confluent() as server:
        monkeypatch.setenv("SCHEMA_REGISTRY_URL", server.url)
        classes = compile_classes([program], tmp_path)
        (found,) = answers([({"name": "defaults", "inputs": [case]}, program)], classes, as_text)

    assert isinstance(found, Answer), found
    assert base64.b64decode(found.results[0]["value"])[5:] == b"\x04" + bytes(6) + b"\xe0\x3f" + b"\0"


def header_of(schema: Mapping[str, Any]) -> list[str]:
    """The header that names a schema by its GUID."""
    return ["__value_schema_id", "\1" + UUID(schema["guid"]).bytes.decode()]
