"""The guard: one answer for each drawing and job that reads a topic, before its schema changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from designer.projects.models import Project, Topology
from designer.projects.roles import Role
from designer.projects.services import create_topology, save_draft
from designer.streams.lineage import find_lineage
from designer.streams.topics import ReadsTopic
from designer.topology.graph import Graph
from designer.values.schemas import SchemaText
from runner.control.clusters.models import Choice, Cluster
from runner.control.jobs.models import Job
from runner.kafka import KafkaCluster
from runner.registry import Reference, Verdict
from runner.watch.topics import tasks
from runner.watch.topics.guard import Consequence, find_consequences
from runner.watch.topics.lines import describe_report
from runner.watch.topics.models import JudgedVersion, find_breaking
from tests.designer.graphs import drawn, node
from tests.people import person
from tests.runner.graph_builder import GraphBuilder
from tests.runner.watch.topics.test_api import deploy_draft
from webapp import remote
from webapp.accounts import tokens
from webapp.accounts.models import User

INT, TEXT = "int", "string"
NO_DEFAULT = object()


def avro(*fields: Sequence[Any], name: str = "Order") -> str:
    """A record with fields of (name, type) or (name, type, default)."""
    rows = [{"name": f[0], "type": f[1], **({"default": f[2]} if len(f) > 2 else {})} for f in fields]
    return json.dumps({"type": "record", "name": name, "fields": rows})


READ = avro(("id", INT), ("amount", "double"), ("country", TEXT, "DK"), ("note", TEXT), ("unused", INT))


def drawing(schema: str = READ, **source: Any) -> Graph:
    """Big orders, counted and summed by country, as JSON."""
    sums = [{"name": "total", "function": "sum", "expression": "amount"}]
    return drawn(
        "orders > big > keyed > grouped > sums > updates > out",
        orders=node("stream", topic="orders", key_format="string", value_schema=schema, schema_registry=True, **source),
        big=node("filter", predicate="amount > 100 AND note <> 'test'"),
        keyed=node("select_key", key="country"),
        grouped=node("group_by_key"),
        sums=node("aggregate", functions=sums, store="sums"),
        updates=node("to_stream"),
        out=node("to", topic="totals"),
    )


def accept(subject: str, schema: SchemaText) -> Verdict | None:
    return Verdict(True, "BACKWARD")


def consequences(graph: Graph, new: str, judge: Any = accept, kind: str = "AVRO") -> list[Consequence]:
    lineage = find_lineage(graph)
    source = lineage.flows["orders"].operator
    assert isinstance(source, ReadsTopic)
    return list(find_consequences(graph, {}, lineage, "orders", source, "value", SchemaText(kind, new), judge))


def at_once(found: list[Consequence]) -> list[tuple[str, str, str, str]]:
    return [(each.kind, each.node, each.field, each.column) for each in found if each.when == "at_once"]


def adopted(found: list[Consequence]) -> list[tuple[str, str, str]]:
    return [(each.kind, each.node, each.message) for each in found if each.when == "adopted"]


def test_the_same_schema_and_an_added_field_do_nothing_at_once() -> None:
    assert consequences(drawing(), json.dumps(json.loads(READ), indent=2)) == []
    more = READ.replace('"fields": [', '"fields": [{"name": "more", "type": "int"}, ')

    assert at_once(consequences(drawing(), more)) == []


def test_a_lost_column_names_every_node_and_field_that_reads_it() -> None:
    found = at_once(consequences(drawing(), avro(("id", INT), ("country", TEXT), ("note", TEXT), ("unused", INT))))

    assert found == [
        ("needs_default", "orders", "value_schema", "amount"),
        ("loses_column", "big", "predicate", "amount"),
        ("loses_column", "sums", "functions.0.expression", "amount"),
    ]


def test_a_column_that_no_node_reads_only_needs_a_default() -> None:
    found = consequences(drawing(), avro(("id", INT), ("amount", "double"), ("country", TEXT), ("note", TEXT)))

    assert at_once(found) == [("needs_default", "orders", "value_schema", "unused")]
    assert found[0].message == (
        "Records lack `unused`, and the schema here has no default for it, so each one fails. "
        "No node reads it: take it out of the source's schema, or give it a default."
    )


def test_a_lost_column_with_a_default_says_who_reads_the_default() -> None:
    found = at_once(consequences(drawing(), avro(("id", INT), ("amount", "double"), ("note", TEXT), ("unused", INT))))

    assert found == [("gets_default", "keyed", "key", "country")]


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ("float", []),
        ("string", [("not_read", "orders", "value_schema", "")]),
        (["null", "double"], [("not_read", "orders", "value_schema", "")]),
        (["float", "int"], []),
    ],
)
def test_a_changed_type_is_judged_by_the_rules_of_avro(of: Any, expected: list[Any]) -> None:
    new = avro(("id", INT), ("amount", of), ("country", TEXT), ("note", TEXT), ("unused", INT))

    assert at_once(consequences(drawing(), new)) == expected


def test_types_of_which_only_some_values_can_be_read_are_named() -> None:
    """Nullable fields are unions in Avro: one that changes its type still has null in common."""
    own = avro(("id", INT), ("amount", ["null", "double"], None), ("note", TEXT, ""), ("country", TEXT, "DK"))
    (found,) = [
        each for each in consequences(drawing(own), own.replace('"double"', '"string"')) if each.when == "at_once"
    ]

    assert (found.kind, found.message) == (
        "not_read",
        "Some of its records cannot be read: Field `amount` is written as string and read as union of null, double.",
    )


def test_a_renamed_field_is_found_by_the_alias_of_the_source() -> None:
    reader = json.loads(READ)
    reader["fields"][1]["aliases"] = ["price"]
    new = avro(("id", INT), ("price", "double"), ("country", TEXT), ("note", TEXT), ("unused", INT))

    assert at_once(consequences(drawing(json.dumps(reader)), new)) == []
    assert ("needs_default", "orders", "value_schema", "amount") in at_once(consequences(drawing(), new))


def test_adopted_it_names_the_broken_fields_the_state_and_the_changed_sinks() -> None:
    new = avro(("id", INT), ("amount", "long"), ("country", TEXT), ("text", TEXT), ("unused", INT))
    found = adopted(consequences(drawing(), new))

    assert [(kind, at) for kind, at, _ in found] == [("issue", "big")]  # what comes after it is not known
    assert "`note`" in found[0][2]
    whole = adopted(consequences(drawing(), new.replace('"text"', '"note"')))
    assert whole == [
        (
            "state_rebuilt",
            "sums",
            "The state `sums` must be rebuilt: the format or type of its values changed.",
        ),
        ("sink_changes", "out", "Its value in `totals` changes `total` from double to integer."),
    ]


def test_a_store_of_whole_records_goes_on_with_a_field_that_has_a_default() -> None:
    reads = {"topic": "orders", "key_format": "string", "value_schema": READ, "schema_registry": True}
    builder = GraphBuilder().add("orders", "stream", reads).add("grouped", "group_by_key", stream="orders")
    builder.add("largest", "reduce", {"add": "if(value.amount > agg.amount, value, agg)"}, grouped="grouped")
    builder.add("updates", "to_stream", table="largest")
    graph = builder.to("out", "updates", value_format="json").graph
    more = READ.replace('"fields": [', '"fields": [{"name": "more", "type": ["null", "int"], "default": null}, ')
    narrow = READ.replace('"double"', '"float"')

    kinds = {new: {each.kind for each in consequences(graph, new) if each.when == "adopted"} for new in (more, narrow)}
    assert kinds == {more: {"sink_changes"}, narrow: {"state_rebuilt"}}


def test_a_sink_that_writes_the_schema_on_is_judged_by_its_own_subject() -> None:
    graph = drawn(
        "orders > out",
        orders=node("stream", topic="orders", key_format="string", value_schema=READ, schema_registry=True),
        out=node("to", topic="copies"),
    )
    asked = []

    def refuse(subject: str, schema: SchemaText) -> Verdict | None:
        asked.append(subject)
        return Verdict(False, "FULL", ("READER_FIELD_MISSING_DEFAULT_VALUE: more",))

    new = READ.replace('"fields": [', '"fields": [{"name": "more", "type": "int"}, ')
    found = adopted(consequences(graph, new, refuse))

    assert asked == ["copies-value"]
    assert [kind for kind, _, _ in found] == ["sink_changes", "sink_refused"]
    assert "at the level FULL: READER_FIELD_MISSING_DEFAULT_VALUE: more" in found[1][2]


def test_a_source_of_fixed_ids_fails_on_every_record_of_a_new_schema() -> None:
    graph = drawing(avro_header="confluent", value_schema_id=7)
    fixed = Graph.from_json(
        json.loads(json.dumps(graph.to_json()).replace('"schema_registry": true', '"schema_registry": false'))
    )
    more = READ.replace('"fields": [', '"fields": [{"name": "more", "type": "int"}, ')

    assert at_once(consequences(fixed, more)) == [("unknown_id", "orders", "value_writer_schemas", "")]


PAID: dict[str, Any] = {
    "type": "record",
    "name": "shop.Paid",
    "fields": [{"name": "id", "type": "long"}, {"name": "amount", "type": "double"}],
}
SENT = {"type": "record", "name": "shop.Sent", "fields": [{"name": "id", "type": "long"}]}


def test_a_schema_of_one_type_of_a_topic_is_judged_for_that_type_alone() -> None:
    reads = {"key_format": "string", "value_schema": json.dumps([PAID, SENT]), "schema_registry": True}
    branches = [{"name": "paid", "type": "shop.Paid"}, {"name": "sent", "type": "shop.Sent"}]
    builder = GraphBuilder().add("orders", "stream", {"topic": "orders", **reads})
    builder.add("kinds", "split", {"branches": branches}, stream="orders")
    builder.add("big", "filter", {"predicate": "amount > 100"}, records="kinds:paid").to("bigs", "big")
    builder.add("marked", "filter", {"predicate": "id > 7"}, records="kinds:sent").to("marks", "marked")
    graph = builder.graph
    less = {**PAID, "fields": PAID["fields"][1:]}
    without = {**PAID, "fields": PAID["fields"][:1]}

    assert consequences(graph, json.dumps(PAID)) == []
    assert at_once(consequences(graph, json.dumps(less))) == [("needs_default", "orders", "value_schema", "id")]
    found = consequences(graph, json.dumps(without))
    assert at_once(found) == [
        ("needs_default", "orders", "value_schema", "amount"),
        ("loses_column", "big", "predicate", "amount"),
    ]
    assert {(kind, name) for kind, name, _ in adopted(found)} == {("issue", "big")}
    other = consequences(graph, json.dumps({**SENT, "name": "shop.Lost"}))
    assert [each.message for each in other] == [
        "It is not one of the types that the source reads (shop.Paid, shop.Sent), so each record fails."
    ]


def test_a_property_that_a_json_schema_no_longer_has_is_read_as_null() -> None:
    def properties(**types: str) -> str:
        return json.dumps({"type": "object", "properties": {name: {"type": of} for name, of in types.items()}})

    graph = drawing(value_format="json_schema", schema=properties(amount="number", country="string", note="string"))
    found = at_once(consequences(graph, properties(amount="number", note="string"), kind="JSON"))

    assert found == [("gets_default", "keyed", "key", "country")]
    other = at_once(consequences(graph, properties(amount="string", country="string", note="string"), kind="JSON"))
    assert other == [("not_read", "orders", "value_schema", "")]


def test_a_property_that_the_source_requires_must_be_written() -> None:
    def properties(*names: str, required: Sequence[str]) -> str:
        members = {name: {"type": "number" if name == "amount" else "string"} for name in names}
        return json.dumps({"type": "object", "required": required, "properties": members})

    own = properties("amount", "country", "note", "unused", required=("amount", "unused"))
    graph = drawing(value_format="json_schema", schema=own)
    lost = at_once(consequences(graph, properties("country", "note", "unused", required=("unused",)), kind="JSON"))
    optional = properties("amount", "country", "note", "unused", required=("unused",))
    (some,) = [each for each in consequences(graph, optional, kind="JSON") if each.when == "at_once"]

    assert lost == [
        ("needs_default", "orders", "value_schema", "amount"),
        ("loses_column", "big", "predicate", "amount"),
        ("loses_column", "sums", "functions.0.expression", "amount"),
    ]
    assert (some.kind, some.message) == (
        "not_read",
        "Its records may lack `amount`, which the schema here requires: such a record fails.",
    )


def test_fields_of_protobuf_are_found_by_their_numbers() -> None:
    def message(*fields: str, inner: str = "string code = 1;") -> str:
        body = "".join(f"optional {field} = {at};" for at, field in enumerate(fields, 1))
        return f'syntax = "proto2"; message Order {{ {body} }} message Place {{ optional {inner} }}'

    own = message("double amount", "string note", "Place place", "string country")
    graph = drawing(value_format="protobuf", schema=own.replace("optional string note", "required string note"))
    renamed = message("double price", "string note", "Place place", "string country", inner="string name = 1;")
    lost = message("double amount", "string note", "Place place", inner="string name = 2;")

    assert at_once(consequences(graph, renamed, kind="PROTOBUF")) == []
    assert at_once(consequences(graph, lost, kind="PROTOBUF")) == [("gets_default", "keyed", "key", "country")]
    assert at_once(consequences(graph, message("double amount"), kind="PROTOBUF")) == [
        ("needs_default", "orders", "value_schema", "note"),
        ("loses_column", "big", "predicate", "note"),
        ("gets_default", "keyed", "key", "country"),
    ]


def test_a_schema_of_another_kind_fails_where_a_schema_is_read() -> None:
    """As if a pipeline names the wrong file."""
    (found,) = consequences(drawing(), 'syntax = "proto3"; message Order { int64 id = 1; }', kind="PROTOBUF")

    assert (found.kind, found.node, found.field) == ("not_read", "orders", "value_format")
    assert found.message == "It reads Avro, and the new schema is Protobuf: each record with it fails."


def test_a_source_of_another_format_is_not_affected() -> None:
    graph = drawn("orders > out", orders=node("stream", topic="orders", value_format="json"), out=node("to", topic="o"))

    assert consequences(graph, READ) == []


@pytest.fixture
def reading(cluster: KafkaCluster, topic: str, job: Job, user: User, registry_url: str) -> str:
    """A topic that the job's version reads, and a draft of another project. The registry has its schema."""
    where = Cluster.objects.get(name="orders")
    where.registry_url, where.is_registry_internal = registry_url, True
    where.save()
    cluster.create(topic, 1)
    save(job.topology, drawing(), topic, user)
    deploy_draft(job, user)
    project = Project.objects.create(name="beta")
    eve = person("eve", Role.ADMINISTRATOR, project)
    mine = create_topology(name="mine", by=eve, project=project)
    Choice.objects.create(topology=mine, cluster=where)
    save(mine, drawing(), topic, eve)
    where.connect_registry().register(f"{topic}-value", SchemaText("AVRO", READ))
    return topic


def save(topology: Topology, graph: Graph, topic: str, by: User) -> None:
    json_text = json.dumps(graph.to_json()).replace('"topic": "orders"', f'"topic": "{topic}"')
    save_draft(topology=topology, graph=json.loads(json_text), revision=topology.draft.revision, by=by)


LOSES_AMOUNT = avro(("id", INT), ("country", TEXT), ("note", TEXT), ("unused", INT))


def ask(client: Client, topic: str, text: str) -> Any:
    path = f"/api/clusters/orders/topics/{topic}/guard"
    return client.generic("POST", path, json.dumps({"text": text}), "application/json")


def test_the_report_has_the_registrys_verdict_and_what_the_user_may_see(client: Client, reading: str, job: Job) -> None:
    answer = ask(client, reading, LOSES_AMOUNT)

    assert answer.status_code == 200, answer.content
    report = answer.json()
    assert (report["subject"], report["breaks"], report["unseen"]) == (f"{reading}-value", True, 1)
    assert report["verdict"]["is_compatible"] is True  # a registry checks who reads with the new one, not who is there
    assert [(each["name"], each["job"], each["effect"]) for each in report["affected"]] == [
        (job.topology.name, job.id, "breaks"),
    ]  # its draft is the same
    assert "mine" not in answer.content.decode()
    assert "sums" in describe_report(report)


def test_a_drawing_with_problems_is_not_wholly_judged(client: Client, reading: str, job: Job, user: User) -> None:
    text = json.dumps(drawing().to_json()).replace("amount > 100 AND note <> 'test'", "no_such > 1")
    save(job.topology, Graph.from_json(json.loads(text)), reading, user)

    report = ask(client, reading, READ).json()

    assert [(each["job"], each["effect"], each["has_problems"]) for each in report["affected"]] == [
        (job.id, "unaffected", False),
        (None, "unaffected", True),
    ]
    assert describe_report(report).count("It has problems of its own") == 1


def test_a_text_that_is_no_schema_is_refused_with_its_reason(client: Client, reading: str) -> None:
    answer = ask(client, reading, "{")

    assert (answer.status_code, answer.json()["code"]) == (422, "schema.bad")


def notice(client: Client) -> Any:
    answer = client.post("/api/clusters/orders/registry/notice")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_new_version_is_noticed_judged_and_shown_once(client: Client, reading: str, job: Job) -> None:
    subject, registry = f"{reading}-value", Cluster.objects.get(name="orders").connect_registry()
    [first] = notice(client)
    assert (first["version"], first["affected"], first["unseen"]) == (1, [], 0)
    registry.register(subject, SchemaText("AVRO", LOSES_AMOUNT))

    tasks.notice_schemas()

    details = client.get(f"/api/clusters/orders/subjects/{subject}").json()
    [judged] = details["judged"]
    assert (judged["version"], judged["topic"], judged["unseen"]) == (2, reading, 1)
    assert [(each["job"], each["effect"]) for each in judged["affected"]] == [(job.id, "breaks")]
    assert details["breaks"] is True
    [breaking] = find_breaking()[job.id]
    assert (breaking["version"], breaking["topic"], breaking["places"]) == (2, reading, 3)
    [again] = notice(client)
    assert again["noticed_at"] == judged["noticed_at"]


def test_a_drawing_that_adopts_the_new_version_is_judged_again(
    client: Client, reading: str, job: Job, user: User
) -> None:
    registry = Cluster.objects.get(name="orders").connect_registry()
    registry.register(f"{reading}-value", SchemaText("AVRO", LOSES_AMOUNT))
    [before] = notice(client)
    assert before["breaks"]
    narrow = drawn(
        "orders > out",
        orders=node("stream", topic="orders", value_schema=LOSES_AMOUNT, schema_registry=True),
        out=node("to", topic="totals"),
    )
    save(job.topology, narrow, reading, user)
    deploy_draft(job, user)

    [after] = notice(client)

    assert [each["job"] for each in after["affected"]] == []
    assert job.id not in find_breaking()


def test_only_drawings_that_read_a_topic_have_its_schemas_judged_again(
    client: Client, reading: str, job: Job, user: User
) -> None:
    def save_text(predicate: str, topology_id: int, topic: str) -> str:
        text = json.dumps(drawing().to_json()).replace("amount > 100", predicate)
        save(Topology.objects.get(id=topology_id), Graph.from_json(json.loads(text)), topic, user)
        notice(client)
        return JudgedVersion.objects.get(topic=reading).drawn

    other = create_topology(name="Other orders", by=user)
    Choice.objects.create(topology=other, cluster=job.cluster)
    before = save_text("amount > 1", job.topology.id, reading)
    by_other = save_text("amount > 2", other.id, f"other-{reading}")
    by_own = save_text("amount > 3", job.topology.id, reading)

    assert (by_other == before, by_own == before) == (True, False)


def test_a_registry_that_is_away_is_asked_again_later(reading: str) -> None:
    tasks.notice_schemas()
    Cluster.objects.filter(name="orders").update(registry_url="http://127.0.0.1:1")

    tasks.notice_schemas()

    assert JudgedVersion.objects.get().version == 1


def test_a_schema_is_judged_with_the_files_that_it_imports(client: Client, reading: str) -> None:
    registry = Cluster.objects.get(name="orders").connect_registry()
    path = f"{reading}/money.proto"
    text = f'syntax = "proto3"; import "{path}"; message Order {{ Money price = 1; }}'
    money = 'syntax = "proto3"; message Money { int64 units = 1; }'
    registry.register(path, SchemaText("PROTOBUF", money))
    registry.register(f"{reading}-key", SchemaText("PROTOBUF", text), [Reference(path, path, 1)])
    body = {"kind": "PROTOBUF", "side": "key"}

    for given in (text.replace("price", "cost"), f"{text}\n// file: {path}\n{money}"):
        answer = client.generic(
            "POST",
            f"/api/clusters/orders/topics/{reading}/guard",
            json.dumps(body | {"text": given}),
            "application/json",
        )

        assert answer.status_code == 200, answer.content
        assert answer.json()["verdict"]["is_compatible"] is True


def test_a_pipeline_learns_from_the_exit_status(
    live_server: Any, user: User, reading: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, token = tokens.create(user=user, name="laptop", days=1)
    file = tmp_path / "order.avsc"

    def run(data: bytes, cluster: str = "orders") -> tuple[int, str]:
        file.write_bytes(data)
        command = ["--url", live_server.url, "guard", reading, str(file), "--cluster", cluster]
        code = remote.main(command, token)
        return code, "".join(capsys.readouterr())

    code, said = run(READ.encode())
    assert code == 0 and "unaffected" in said
    code, said = run(LOSES_AMOUNT.encode())
    assert code == 1 and "`big` loses `amount`" in said
    for data, why in ((b"{ no", "cannot be read"), (b" \n", "is empty"), (b"\xff\xfe", "is not text in UTF-8")):
        code, said = run(data)
        assert code == 2 and why in said
    code, said = run(READ.encode(), "nowhere")
    assert code == 2 and "There is no cluster `nowhere`" in said
    Cluster.objects.filter(name="orders").update(registry_url="http://127.0.0.1:9")
    code, said = run(READ.encode())
    assert (
        code == 2 and f"{reading}-value: the registry gave no verdict. The schema registry of `orders` does not" in said
    )
    assert "unaffected" in said
    code, said = run(LOSES_AMOUNT.encode())
    assert code == 1
