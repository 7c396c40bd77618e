"""A topology as a Maven project: one class, the small classes it uses, its test cases, and notes on missing parts."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.expressions.java import NotInJava
from designer.expressions.java.source import make_identifier, quote_text, write_comment
from designer.refusals import Refusal
from designer.streams.flows import NodeFlows, find_flows
from designer.streams.shuffles import find_shuffles_in_graph
from designer.topology.bypassing import remove_bypassed
from designer.topology.graph import Edge, Graph, Node, read_notes
from designer.values.schemas import Schema
from runner.export.java import operators  # noqa: F401  (registers how each operator is written)
from runner.export.java.layout import IMPORTS, fill_frame, split_line, write_imports
from runner.export.java.program import JavaClass
from runner.export.java.registry import find_writer
from runner.export.java.testing import PACKAGE, KeptCase, write_tests
from runner.export.java.writer import JavaWriter

SUPPORT = Path(__file__).with_name("support")
ALWAYS = ("Sql", "Json", "Formats")
KAFKA, JACKSON = "4.4.0", "2.21.7"
LIBRARIES = {
    "Avro": "org.apache.avro:avro:1.12.1",
    "Protobuf": "com.google.protobuf:protobuf-java:4.33.1",
    "JsonSchema": "com.networknt:json-schema-validator:1.5.9",
}
"""What the project's classes for formats with a schema need."""
OF_JAVA = """ArithmeticException Boolean Character Class Double Exception Float IllegalArgumentException
    IllegalStateException Integer InterruptedException Long Math Number Object Override Record Runtime RuntimeException
    SafeVarargs String StringBuilder SuppressWarnings System Thread"""
"""Names of `java.lang` that the program and its own classes use: a class of the same package would hide them."""
OF_TESTS = "Cases DisplayName Test"
"""Names that the test cases use beside that of the program."""
SOURCES = f"src/main/java/{PACKAGE}"

DEFAULT_SERDE = "        config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, AnySerde.class);\n"


class Note(NamedTuple):
    """A part that the program lacks, or has incompletely: the node, and why."""

    node: str
    message: str


@dataclass(frozen=True, slots=True)
class Project:
    """The files of a project by their paths, and its notes."""

    name: str
    files: Mapping[str, str]
    notes: Sequence[Note]

    def to_zip(self) -> bytes:
        """The project in one folder. Equal projects have equal bytes."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, content in sorted(self.files.items()):
                archive.writestr(zipfile.ZipInfo(f"{self.name}/{path}"), content, zipfile.ZIP_DEFLATED)
        return buffer.getvalue()


def make_java_project(
    name: str, slug: str, graph: Graph, sources: Mapping[str, Schema], cases: Sequence[KeptCase] = ()
) -> Project:
    """The project of a topology and its test cases. Raises Refusal if it cannot write any part."""
    taken = {*IMPORTS, *OF_JAVA.split(), *OF_TESTS.split(), *(file.stem for file in SUPPORT.glob("*.java"))}
    class_name = make_identifier(slug, taken, is_class=True)
    java_class, notes = write_java_class(graph, sources)
    if not java_class.statements:
        raise make_refusal_of_nothing(graph, notes)
    files = {
        "pom.xml": fill_frame(
            "pom.xml",
            slug=slug,
            class_name=class_name,
            kafka=KAFKA,
            jackson=JACKSON,
            libraries="".join(map(_write_dependency, sorted(java_class.support & LIBRARIES.keys()))),
        ),
        f"{SOURCES}/{class_name}.java": write_java_source(java_class, class_name, name, slug),
        "README.md": _write_readme(name, class_name, notes, read_notes(graph.notes)),
    }
    files |= {
        f"{SOURCES}/{each}.java": (SUPPORT / f"{each}.java").read_text() for each in (*ALWAYS, *java_class.support)
    }
    files |= write_tests(class_name, java_class, cases)
    return Project(slug, files, notes)


def _write_dependency(name: str) -> str:
    group, artifact, version = LIBRARIES[name].split(":")
    return fill_frame("dependency.xml", group=group, artifact=artifact, version=version)


def make_refusal_of_nothing(graph: Graph, notes: Sequence[Note]) -> Refusal:
    """The refusal of a topology without a node in Java."""
    if not graph.nodes:
        return Refusal("This topology has no nodes to export.", "Draw something first.")
    reasons = " ".join(f"`{note.node}`: {note.message}" for note in notes)
    return Refusal(f"Nothing of this topology can be exported as Java. {reasons}", "Change these nodes.")


def write_java_class(graph: Graph, sources: Mapping[str, Schema]) -> tuple[JavaClass, list[Note]]:
    """The nodes' Java in the order of flow, and the missing parts."""
    graph = remove_bypassed(graph)
    flows = find_flows(graph, sources)
    java_class, notes = JavaClass(), list[Note]()
    shuffles = find_shuffles_in_graph(graph, flows)
    for node in graph.sort_nodes():
        missing = sorted({edge.source for edge in graph.edges_into(node.id)} - java_class.written_nodes)
        notes += _write(graph, node, flows.get(node.id), java_class, missing, shuffles)
    return java_class, notes


def _write(
    graph: Graph,
    node: Node,
    flows: NodeFlows | None,
    java_class: JavaClass,
    missing: Sequence[str],
    shuffles: Sequence[Edge],
) -> Iterable[Note]:
    """Lets the node write itself. Yields its notes."""
    if missing:
        names = ", ".join(f"`{each}`" for each in missing)
        return [Note(node.id, f"Left out: it is fed by {names}, which is not exported.")]
    if flows is None or not flows.is_valid:
        return [Note(node.id, "Left out: it has problems, which the canvas shows.")]
    write = find_writer(flows.operator)
    if write is None:
        return [Note(node.id, f"Left out: {_explain_no_java(flows)}.")]
    writer = JavaWriter(graph, node.id, flows, java_class, shuffles)
    before = java_class.mark()
    try:
        write(flows.operator, writer)
    except NotInJava as why:
        java_class.go_back_to(before)
        return [Note(node.id, f"Left out: {why}.")]
    if flows.operator.on_error is not None:
        writer.note(f"`on_error` {flows.operator.on_error} is not exported: set a processing.exception.handler")
    java_class.written_nodes.add(node.id)
    return [Note(node.id, f"Exported, but {message}.") for message in writer.notes]


def _explain_no_java(flows: NodeFlows) -> str:
    operator = flows.operator.operator_name()
    return f"{operator} runs Python" if flows.operator.runs_code else f"{operator} cannot be exported as Java yet"


def write_java_source(java_class: JavaClass, class_name: str, name: str, slug: str) -> str:
    """The text of the class."""
    statements = [line for each in java_class.statements for line in split_line(each, 8)]
    methods = [[line for each in method for line in _indent(each)] for method in java_class.methods]
    declarations = (
        f"private static final {type_} {name} = {value};" for (type_, value), name in java_class.constants.items()
    )
    constants = [line for each in declarations for line in split_line(each, 4)]
    body = fill_frame(
        "Topology.java",
        name=write_comment(f"{name}, drawn with Streamwright."),
        class_name=class_name,
        application=quote_text(slug),
        constants="".join(f"{line}\n" for line in constants),
        defaults=DEFAULT_SERDE if "AnySerde" in java_class.support else "",
        statements="\n".join(statements),
        methods="".join("\n" + "\n".join(method) + "\n" for method in methods),
    )
    head, _, rest = body.partition("// imports\n")
    return head + "\n".join(write_imports(rest.split("\n"))) + "\n" + rest


def _indent(line: str) -> list[str]:
    """A line of a method, indented, on several lines if it is long."""
    inner = line.lstrip()
    return split_line(inner, 4 + len(line) - len(inner))


def _write_readme(name: str, class_name: str, notes: Sequence[Note], lines: Sequence[str]) -> str:
    left_out = "".join(f"- `{note.node}`: {note.message}\n" for note in notes) or "Everything is exported.\n"
    title = " ".join(name.split())
    remarks = "".join(f"{text}\n\n" for text in ("## Notes of the topology", *lines)) if lines else ""
    return fill_frame("README.md", name=title, class_name=class_name, remarks=remarks, notes=left_out)
