"""Deploys of sinks that write with a schema registry: what is shown before, registered once, and kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from designer.protobuf.files import split_files
from designer.values.schemas import SchemaText
from runner.control.clusters.services import get_local_cluster
from runner.control.jobs.models import Run
from runner.registry import Reference, Registry, SchemaMissing
from tests.gate import Gate, open_gate

from .conftest import Stage, edge, node

ID = {"name": "id", "type": "long"}
V1 = {"type": "record", "name": "Order", "namespace": "shop", "doc": "A sale.", "fields": [ID]}
V2 = V1 | {"fields": [*V1["fields"], {"name": "note", "type": "string"}]}
WITH_DEFAULT = V1 | {"fields": [*V1["fields"], {"name": "note", "type": "string", "default": "none"}]}


class Shop:
    """A topology that writes orders with a registry behind a gate."""

    def __init__(self, stage: Stage, gate: Gate, registry_url: str) -> None:
        self.stage, self.gate = stage, gate
        self.out = f"{stage.name}-out"
        self.subject = f"{self.out}-value"
        cluster = get_local_cluster()
        cluster.registry_url, cluster.is_registry_internal = gate.address, True
        cluster.save()
        self.registry = Registry(registry_url, {}, is_internal=True)

    def register(self, schema: Any) -> int:
        return self.registry.register(self.subject, SchemaText("AVRO", json.dumps(schema)))

    def draw(self, schema: Any = V1, **config: Any) -> dict[str, Any]:
        kinds = {"long": "integer", "int": "integer"}
        fields = [
            {"name": each["name"], "type": {"kind": kinds.get(str(each["type"]), "string")}}
            for each in schema["fields"]
        ]
        source = {
            "topic": self.stage.orders,
            "key_type": {"kind": "string"},
            "value_type": {"kind": "struct", "fields": fields},
        }
        sink = {"topic": self.out, "value_format": "avro", "value_schema": json.dumps(schema)}
        nodes = [
            node("orders", "stream", **source),
            node("out", "to", **sink | {"schema_registry": "register"} | config),
        ]
        return {"nodes": nodes, "edges": [edge("orders", "out")]}

    def preview(self, topology: Any) -> dict[str, Any]:
        answer = self.stage.client.post(
            "/api/jobs/preview-deploy", {"topology": topology.id}, content_type="application/json"
        )
        assert answer.status_code == 200, answer.content
        found: dict[str, Any] = answer.json()
        return found

    def look(self, topology: Any) -> dict[str, Any]:
        """What a preview says of the only schema."""
        [schema] = self.preview(topology)["schemas"]
        found: dict[str, Any] = schema
        return found

    @property
    def is_empty(self) -> bool:
        try:
            return not self.registry.versions(self.subject)
        except SchemaMissing:
            return True


@pytest.fixture
def shop(stage: Stage, registry_url: str, tmp_path: Path) -> Iterator[Shop]:
    with open_gate(Gate(registry_url), tmp_path) as (gate, _, _):
        yield Shop(stage, gate, registry_url)


def test_a_preview_says_what_will_be_registered_and_registers_nothing(shop: Shop, capsys: Any):
    topology = shop.stage.topology(shop.draw())

    found = shop.look(topology)
    call_command("deploy", topology.slug, "--preview", "--by", "ada")

    assert (found["does"], found["subject"], found["id"], found["problem"]) == ("registers", shop.subject, None, "")
    assert json.loads(found["text"]) == V1
    assert f"Registers the schema of out's values as {shop.subject}, level" in capsys.readouterr().out
    assert shop.is_empty


def test_a_deploy_registers_once_and_a_restart_asks_no_registry(shop: Shop, host: str, reconcile: Any):
    topology = shop.stage.topology(shop.draw())
    shop.stage.deploy(topology)
    reconcile(shop.stage)

    first = shop.stage.run().read_plan()
    [written] = first.written
    latest = shop.registry.version(shop.subject)
    assert (written.node, written.subject, written.id, written.version) == ("out", shop.subject, latest.id, 1)
    assert json.loads(latest.schema.text) == V1

    shop.gate.is_away = True
    shop.stage.client.post(f"/api/jobs/{shop.stage.job().id}/restart")
    Run.objects.update(status="stopped")
    reconcile(shop.stage)

    assert shop.stage.run().generation == first.generation + 1
    assert shop.stage.run().read_plan().written == [written]


def test_an_incompatible_schema_is_refused_with_the_level_that_counts_and_the_field(shop: Shop):
    shop.register(V1)
    shop.registry.client.set_compatibility(shop.subject, "BACKWARD")
    topology = shop.stage.topology(shop.draw(V2))

    found = shop.look(topology)
    refused = shop.stage.deploy(topology, expect=409)

    assert (found["does"], found["level"], found["field"]) == ("registers", "BACKWARD", "note")
    assert refused["code"] == "deploy.schemas_refused"
    assert (
        "does not accept the schema of `out` at level BACKWARD. Field `note` does not fit version 1."
        in refused["message"]
    )
    assert shop.registry.versions(shop.subject) == [1]


@pytest.mark.parametrize(
    ("level", "note", "fits"),
    [
        ("BACKWARD", {"type": "string"}, "Field `note` does not fit version 2."),
        ("FULL", {"type": "int"}, "Field `note` does not fit version 2."),
        ("BACKWARD", {"type": "int", "default": 0}, None),
        ("BACKWARD_TRANSITIVE", {"type": "int", "default": 0}, "Field `note` does not fit version 1."),
        ("FORWARD_TRANSITIVE", {"type": "int"}, "Field `note` does not fit version 1."),
        ("FULL_TRANSITIVE", {"type": "int", "default": 0}, "Field `note` does not fit version 1."),
        ("FULL_TRANSITIVE", {"type": ["string", "null"], "default": "none"}, "Field `note` does not fit version 1."),
    ],
)
def test_a_refusal_names_the_version_that_the_schema_does_not_fit(
    shop: Shop, level: str, note: dict[str, Any], fits: str | None, capsys: Any
):
    shop.register(WITH_DEFAULT)
    shop.register(V1)
    shop.registry.client.set_compatibility(shop.subject, level)
    topology = shop.stage.topology(shop.draw(V1 | {"fields": [ID, {"name": "note"} | note]}))

    found = shop.look(topology)
    call_command("deploy", topology.slug, "--preview", "--by", "ada")

    if fits is None:
        assert found["problem"] == ""
        return
    said = f"Subject {shop.subject} does not accept the schema of `out` at level {level}. {fits}"
    assert (found["problem"], found["field"]) == (said, "note")
    assert said in capsys.readouterr().out
    assert shop.stage.deploy(topology, expect=409)["message"] == said
    assert shop.registry.versions(shop.subject) == [1, 2]


def test_a_schema_that_the_level_allows_becomes_the_next_version(shop: Shop, host: str, reconcile: Any):
    shop.register(V1)
    shop.registry.client.set_compatibility(shop.subject, "BACKWARD")
    shop.stage.deploy(shop.stage.topology(shop.draw(WITH_DEFAULT)))

    reconcile(shop.stage)

    [written] = shop.stage.run().read_plan().written
    assert (written.version, shop.registry.versions(shop.subject)) == (2, [1, 2])


def test_a_required_schema_must_be_there(shop: Shop, host: str, reconcile: Any):
    topology = shop.stage.topology(shop.draw(schema_registry="require"))
    assert "does not have the schema" in shop.stage.deploy(topology, expect=409)["message"]
    assert shop.is_empty

    number = shop.register(V1)
    assert shop.look(topology)["does"] == "finds"
    shop.stage.deploy(topology)
    reconcile(shop.stage)

    [written] = shop.stage.run().read_plan().written
    assert (written.id, written.version) == (number, 1)


def test_the_latest_schema_is_compared_with_the_records(shop: Shop):
    topology = shop.stage.topology(shop.draw(schema_registry="latest"))
    assert "has no subject" in shop.look(topology)["problem"]

    shop.register(V1 | {"fields": [{"name": "id", "type": "string"}]})

    found = shop.look(topology)
    assert (found["does"], found["field"]) == ("takes", "id")
    assert found["problem"] == "`out`: The Avro schema needs string for `id`, but the value has integer."


def test_a_latest_that_changes_later_counts_from_the_next_deploy_on(shop: Shop, host: str, reconcile: Any):
    first = shop.register(V1)
    topology = shop.stage.topology(shop.draw(schema_registry="latest"))
    shop.stage.deploy(topology)
    reconcile(shop.stage)
    second = shop.register(WITH_DEFAULT)

    shop.stage.client.post(f"/api/jobs/{shop.stage.job().id}/restart")
    Run.objects.update(status="stopped")
    reconcile(shop.stage)
    assert [each.id for each in shop.stage.run().read_plan().written] == [first]

    shop.stage.deploy(topology)
    Run.objects.update(status="stopped")
    reconcile(shop.stage)
    assert [each.id for each in shop.stage.run().read_plan().written] == [second]


def test_a_fixed_id_is_taken_with_its_schema(shop: Shop, host: str, reconcile: Any):
    number = shop.register(WITH_DEFAULT)
    missing = shop.stage.topology(shop.draw(schema_registry="id", value_schema_id=4_000_000))
    assert "has no such schema" in shop.look(missing)["problem"]

    topology = shop.stage.redraw(missing, shop.draw(schema_registry="id", value_schema_id=number))
    shop.stage.deploy(topology)
    reconcile(shop.stage)

    [written] = shop.stage.run().read_plan().written
    assert (written.id, written.subject, json.loads(written.schema.text)) == (number, shop.subject, WITH_DEFAULT)


def test_a_guid_is_asked_for_before_the_deploy(shop: Shop):
    shop.register(V1)  # Apicurio 2.6 has none
    topology = shop.stage.topology(shop.draw(avro_header="guid_header"))

    assert "gives schemas no GUID" in shop.look(topology)["problem"]


def test_a_registry_that_is_away_refuses_a_deploy_and_says_so_in_a_preview(shop: Shop):
    topology = shop.stage.topology(shop.draw())
    shop.gate.is_away = True

    assert "cannot serve the request now" in shop.preview(topology)["registry"]
    assert shop.stage.deploy(topology, expect=503)["code"] == "registry.unreachable"


def test_a_cluster_without_a_registry_refuses_the_deploy(shop: Shop):
    cluster = get_local_cluster()
    cluster.registry_url = ""
    cluster.save()

    refused = shop.stage.deploy(shop.stage.topology(shop.draw()), expect=422)

    assert refused["code"] == "registry.missing"


def test_a_json_schema_is_registered_as_one(shop: Shop, host: str, reconcile: Any):
    schema = {"title": "Order", "type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    topology = shop.stage.topology(shop.draw(value_format="json_schema", value_schema=json.dumps(schema)))
    assert shop.look(topology)["type"] == "JSON"

    shop.stage.deploy(topology)
    reconcile(shop.stage)

    [written] = shop.stage.run().read_plan().written
    latest = shop.registry.version(shop.subject)
    assert (latest.id, latest.schema.kind, json.loads(latest.schema.text)) == (written.id, "JSON", schema)


def proto(unique: str, units: str = "int64 units = 1;") -> str:
    """An order with its price, whose unit is in a third file; the files are in no useful order."""
    return f"""syntax = "proto3";
package shop;
import "{unique}/money.proto";
message Order {{ int64 id = 1; Money price = 2; }}
// file: {unique}/money.proto
syntax = "proto3";
package shop;
import "{unique}/unit.proto";
import "google/protobuf/timestamp.proto";
message Money {{ {units} Unit unit = 2; google.protobuf.Timestamp at = 3; }}
// file: {unique}/unit.proto
syntax = "proto3";
package shop;
message Unit {{ string name = 1; }}
"""


def draw_proto(shop: Shop, text: str, **config: Any) -> dict[str, Any]:
    topic = {"value_format": "protobuf", "value_schema": text}
    sink = {"topic": shop.out, "schema_registry": "register", **topic, **config}
    nodes = [node("orders", "stream", topic=shop.stage.orders, **topic), node("out", "to", **sink)]
    return {"nodes": nodes, "edges": [edge("orders", "out")]}


def test_the_files_that_a_protobuf_schema_imports_are_registered_before_it(
    shop: Shop, host: str, reconcile: Any, capsys: Any
):
    unique = shop.stage.name
    topology = shop.stage.topology(draw_proto(shop, proto(unique)))
    paths = [f"{unique}/unit.proto", f"{unique}/money.proto"]

    found = shop.look(topology)
    call_command("deploy", topology.slug, "--preview", "--by", "ada")
    assert found["imports"] == [{"path": path, "version": None} for path in paths]
    assert (found["does"], found["problem"]) == ("registers", "")
    assert f"Registers {paths[0]}, which it imports\n" in capsys.readouterr().out
    assert shop.is_empty and not set(paths) & set(shop.registry.subjects())
    shop.stage.deploy(topology)
    reconcile(shop.stage)

    latest = shop.registry.version(shop.subject)
    assert [name for name, _ in latest.schema.references] == paths
    assert shop.registry.list_references(shop.subject, 1) == [(paths[1], paths[1], 1)]
    assert shop.registry.list_references(paths[1], 1) == [(paths[0], paths[0], 1)]
    [written] = shop.stage.run().read_plan().written
    assert (written.id, written.version) == (latest.id, 1)
    again = shop.look(topology)
    assert (again["does"], again["id"]) == ("finds", latest.id)


def test_a_subject_that_refuses_an_imported_file_refuses_the_deploy(shop: Shop):
    unique = shop.stage.name
    for name, imports in (("unit", ()), ("money", (Reference(f"{unique}/unit.proto", f"{unique}/unit.proto", 1),))):
        text = dict(split_files(proto(unique)))[f"{unique}/{name}.proto"]
        shop.registry.register(f"{unique}/{name}.proto", SchemaText("PROTOBUF", text), imports)
    shop.registry.client.set_compatibility(f"{unique}/money.proto", "BACKWARD")
    topology = shop.stage.topology(draw_proto(shop, proto(unique, "string units = 1;")))

    refused = shop.stage.deploy(topology, expect=409)

    assert f"Subject {unique}/money.proto does not accept the file" in refused["message"]
    assert shop.registry.versions(f"{unique}/money.proto") == [1]


def test_a_registry_that_judges_no_schema_with_imports_decides_when_it_is_registered(
    shop: Shop, host: str, reconcile: Any
):
    unique = shop.stage.name
    imports: list[Reference] = []
    for name in ("unit", "money"):
        path = f"{unique}/{name}.proto"
        text = dict(split_files(proto(unique)))[path]
        shop.registry.register(path, SchemaText("PROTOBUF", text), imports)
        imports = [Reference(path, path, 1)]
    topology = shop.stage.topology(draw_proto(shop, proto(unique)))
    shop.registry.register(shop.subject, SchemaText("PROTOBUF", 'syntax = "proto3"; package shop; message Order {}'))
    shop.gate.recorded = {
        "POST /compatibility/": (422, '{"message":"Syntax violation for Protobuf artifact.","error_code":42201}'),
        "POST /apis/registry/": (404, "{}"),  # as Apicurio 3.3.3 for who may not write
    }

    found = shop.look(topology)
    shop.stage.deploy(topology)
    reconcile(shop.stage)

    assert (found["does"], found["level"], found["problem"]) == ("registers", "", "")
    assert shop.registry.list_references(shop.subject, 2) == imports


def test_imports_under_subjects_of_other_names_are_found(shop: Shop, host: str, reconcile: Any):
    unique = shop.stage.name
    files = list(split_files(proto(unique)).items())
    references: list[Reference] = []
    for path, text in reversed(files[1:]):
        shop.registry.register(f"types-{path}", SchemaText("PROTOBUF", text), references)
        references = [Reference(path, f"types-{path}", 1)]
    number = shop.registry.register(shop.subject, SchemaText("PROTOBUF", files[0][1]), references)
    topology = shop.stage.topology(draw_proto(shop, proto(unique), schema_registry="require"))

    found = shop.look(topology)

    assert (found["does"], found["id"], found["problem"]) == ("finds", number, "")
