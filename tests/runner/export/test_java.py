"""Export as Java: the files of the project, what is named as missing, and that no text leaves its literal."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from designer.expressions.java import quote_text, write_comment
from designer.projects.cases import create_case
from designer.projects.services import create_topology
from designer.refusals import Refusal
from designer.topology.graph import Area, Note
from designer.values.schemas import INTEGER, struct
from runner.export.java.layout import split_line
from runner.export.java.project import Project, make_java_project
from runner.export.java.testing import KeptCase
from tests.people import person
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(amount=INTEGER)
LARGE = """
    // large, predicate: amount > 100
    private static Boolean largePredicate(Map<String, Object> value) {
        Long amount = (Long) Sql.get(value, "amount");
        if (amount == null) {
            return null;
        }
        return amount > 100L;
    }
"""
MAIN = "src/main/java/streamwright/LargeOrders.java"


def large_orders() -> GraphBuilder:
    builder = (
        GraphBuilder().stream("orders", ORDER).add("large", "filter", {"predicate": "amount > 100"}, records="orders")
    )
    return builder.to("out", "large")


def project(builder: GraphBuilder, *cases: KeptCase, name: str = "Large orders") -> Project:
    return make_java_project(name, "large-orders", builder.graph, {}, cases)


def test_a_node_is_a_step_and_an_expression_a_method():
    source = project(large_orders()).files[MAIN]

    assert '(key, value) -> Sql.isTrue(largePredicate(value)),\n            Named.as("large"));' in source
    assert (
        "// large, predicate: amount > 100\n    private static Boolean largePredicate(Map<String, Object> value) {"
        in source
    )
    assert (
        'Long amount = (Long) Sql.get(value, "amount");\n        if (amount == null) {\n            return null;'
        in source
    )
    assert "return amount > 100L;" in source


def test_what_has_no_java_is_named_with_all_that_it_feeds():
    builder = large_orders().add("grouped", "group_by_key", stream="orders")
    builder.add("counts", "count", {"ttl_ms": 5}, grouped="grouped").updates_to("all", "counts")

    made = project(builder)

    assert [tuple(note) for note in made.notes] == [
        ("counts", "Left out: `ttl_ms` has no equivalent in Kafka Streams' DSL."),
        ("counts-updates", "Left out: it is fed by `counts`, which is not exported."),
        ("all", "Left out: it is fed by `counts-updates`, which is not exported."),
    ]
    assert "counts" not in made.files[MAIN] and "large" in made.files[MAIN]
    assert "- `counts`: Left out: `ttl_ms` has no equivalent in Kafka Streams' DSL.\n" in made.files["README.md"]


def test_python_and_problems_are_named():
    code = {"code": "class Mine(Processor):\n    pass\n"}
    builder = large_orders().add("mine", "process", code, stream="orders")
    builder.add("wrong", "filter", {"predicate": "amount >"}, records="orders")

    notes = {note.node: note.message for note in project(builder).notes}

    assert notes["mine"] == "Left out: process runs Python."
    assert notes["wrong"] == "Left out: it has problems, which the canvas shows."


def test_a_sink_without_the_schema_that_its_format_needs_is_named():
    notes = {
        note.node: note.message for note in project(large_orders().to("avro", "orders", value_format="avro")).notes
    }

    assert notes["avro"] == "Left out: its values are avro without a schema."


def test_a_topology_of_which_nothing_can_be_written_is_refused():
    with pytest.raises(Refusal, match="no nodes to export"):
        project(GraphBuilder())
    with pytest.raises(Refusal, match="`broken`: Left out: it has problems"):
        project(GraphBuilder().add("broken", "stream"))


def test_the_same_graph_gives_the_same_archive_in_one_folder():
    one, other = (project(large_orders()).to_zip() for _ in range(2))

    assert one == other
    assert {name.split("/")[0] for name in zipfile.ZipFile(io.BytesIO(one)).namelist()} == {"large-orders"}


def test_notes_stand_in_the_readme_from_top_to_bottom():
    below, above = (
        Note("n1", text="Ask *Ann* first."),
        Note("f1", "frame", "Large ones\nonly", position=Area(0.0, -50.0)),
    )
    graph = replace(large_orders().graph, notes=(below, above, Note("n2", text=" ")))

    readme = make_java_project("Large orders", "large-orders", graph, {}).files["README.md"]

    assert "\n## Notes of the topology\n\nLarge ones\nonly\n\nAsk *Ann* first.\n\n## Not exported\n" in readme
    assert "Notes" not in project(large_orders()).files["README.md"]


def test_test_cases_travel_as_they_are_kept_and_become_tests():
    case = KeptCase('a "large" one */', '{"topic": "orders", "value": {"amount": 101}}', "")

    files = project(large_orders(), case).files

    assert files["src/test/resources/cases/1.records.jsonl"] == case.records + "\n"
    assert '@DisplayName("a \\"large\\" one */")' in files["src/test/java/streamwright/LargeOrdersTest.java"]
    assert "cases.input(" in files["src/test/java/streamwright/LargeOrdersTest.java"]


@pytest.mark.parametrize("name", ["a\nb", "*/", "\\u000a int x;", "\x00\x1b", "\u2028", "ends with \\", "\r// x"])
def test_no_name_leaves_its_comment_or_its_literal(name: str):
    source = project(large_orders(), name=name).files[MAIN]
    line = next(line for line in source.splitlines() if ", drawn with Streamwright." in line)

    assert line.startswith("// ") and write_comment(name) in line
    assert not re.search(r"(?<!\\)(\\\\)*\\u", line)


@pytest.mark.parametrize("name", ["Map", "Test", "Number", "Exception", "Override", "Sql"])
def test_a_topology_may_be_called_like_a_class_that_the_program_uses(name: str):
    made = make_java_project(name, name.lower(), large_orders().graph, {})

    assert f"public final class {name}2 {{" in made.files[f"src/main/java/streamwright/{name}2.java"]


def test_long_statements_stand_on_several_lines_with_their_literals_whole():
    literal = quote_text("a, (b). " * 20)
    lines = split_line(
        f"KStream<String, Object> x = y.filter((key, value) -> f(key, {literal}), Named.as({literal}));", 8
    )

    assert len(lines) > 2 and "".join(line.strip() for line in lines).count(literal) == 2
    assert all(line.startswith(" " * 8) for line in lines)


@pytest.mark.django_db
def test_over_http_it_is_an_archive_with_what_is_not_in_it():
    user, client = person("ada"), Client()
    client.force_login(user)
    builder = large_orders().add("wrong", "filter", {"predicate": "amount >"}, records="orders")
    topology = create_topology(name="Large orders", by=user, graph=builder.graph.to_json())
    create_case(topology=topology, name="one", records="", expected="")

    answer = client.get(f"/api/topologies/{topology.id}/java").json()
    archive = zipfile.ZipFile(io.BytesIO(base64.b64decode(answer["archive"])))

    assert answer["file"] == "large-orders.zip"
    assert answer["notes"] == [{"node": "wrong", "message": "Left out: it has problems, which the canvas shows."}]
    assert f"large-orders/{MAIN}" in archive.namelist()
    assert "large-orders/src/test/java/streamwright/LargeOrdersTest.java" in archive.namelist()
    assert client.get("/api/topologies/987654/java").status_code == 404


@pytest.mark.django_db
def test_nothing_to_write_is_a_refusal_over_http():
    user, client = person("ada"), Client()
    client.force_login(user)
    topology = create_topology(name="Empty", by=user)

    answer = client.get(f"/api/topologies/{topology.id}/java")

    assert answer.status_code == 400 and "no nodes to export" in answer.json()["message"]


@pytest.mark.django_db
def test_the_command_writes_the_archive_and_says_what_is_not_in_it(tmp_path: Path):
    user, said = person("ada"), StringIO()
    builder = large_orders().add("wrong", "filter", {"predicate": "amount >"}, records="orders")
    create_topology(name="Large orders", by=user, graph=builder.graph.to_json())

    call_command("export", "large-orders", "--java", tmp_path / "it.zip", "--by", "ada", stderr=said)

    assert f"large-orders/{MAIN}" in zipfile.ZipFile(tmp_path / "it.zip").namelist()
    assert said.getvalue() == "wrong: Left out: it has problems, which the canvas shows.\n"


def test_a_project_names_the_libraries_of_its_formats_and_what_a_registry_does_here_only():
    text = '{"type": "record", "name": "Order", "fields": [{"name": "amount", "type": "long"}]}'
    written = {"value_format": "avro", "value_schema": text, "subject_strategy": "associated"}
    builder = GraphBuilder().stream("orders", ORDER)
    builder.to("out", "orders", schema_registry="latest", **written)
    builder.to("guids", "orders", avro_header="guid_header", schema_registry="require", **written)

    made = project(builder)

    assert "<artifactId>avro</artifactId>" in made.files["pom.xml"]
    assert "protobuf" not in made.files["pom.xml"]
    assert made.files.keys() >= {f"src/main/java/streamwright/{name}.java" for name in ("Avro", "SchemaFrame")}
    assert re.search(r'SchemaFrame\.registered\(\s*false,\s*"AVRO",', made.files[MAIN])
    assert '.writesGuid("__value_schema_id")' in made.files[MAIN]
    assert [note.node for note in made.notes] == ["out", "out", "guids"]
