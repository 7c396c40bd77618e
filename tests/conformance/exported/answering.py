"""Topologies exported as Java, compiled with one javac and answered in one JVM (`src/Harness.java`)."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from designer.streams.flows import find_flows
from designer.streams.topics import ReadsTopic, WritesTopic
from designer.topology.graph import Edge, Graph
from designer.values.schemas import Schema, Side
from runner.engine.formats.sides import make_encoder_of
from runner.export.java.project import SUPPORT, write_java_class, write_java_source
from tests import java
from tests.conformance.product.cases import Case, Result, result
from tests.conformance.product.compare import Answer
from tests.conformance.product.on_driver import ReadValue
from tests.conformance.product.translation import APPLICATION
from tests.java import class_path, javac

HARNESS = Path(__file__).with_name("src")
QUIET = ("-Dorg.apache.logging.log4j.level=OFF", "-Dorg.slf4j.simpleLogger.defaultLogLevel=off")


@dataclass(frozen=True, slots=True)
class Exported:
    """A graph and its class; `notes` say what is not in it."""

    class_name: str
    graph: Graph
    source: str
    notes: Sequence[str]


def export_class(class_name: str, graph: Graph, schemas: Mapping[str, Schema] | None = None) -> Exported:
    made, notes = write_java_class(graph, schemas or {})
    source = write_java_source(made, class_name, class_name, class_name.lower())
    return Exported(class_name, graph, source, tuple(f"{note.node}: {note.message}" for note in notes))


def compile_classes(classes: Iterable[Exported], folder: Path) -> Path:
    """Compiles them, with the classes that travel along and the harness, by one javac. Raises AssertionError."""
    sources, into = folder / "streamwright", folder / "classes"
    sources.mkdir(parents=True)
    for each in classes:
        (sources / f"{each.class_name}.java").write_text(each.source)
    for file in (*SUPPORT.glob("*.java"), *HARNESS.glob("*.java")):
        shutil.copy(file, sources)
    listed = folder / "sources.txt"
    listed.write_text("\n".join(f'"{file}"' for file in sorted(sources.glob("*.java"))))
    options = ["-nowarn", "-proc:none", "-encoding", "UTF-8", "-d", str(into), "-cp", class_path()]
    done = subprocess.run([str(javac()), *options, f"@{listed}"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4_000:]
    return into


def answers(asked: Iterable[tuple[Case, Exported]], classes: Path, read: ReadValue = bytes) -> list[Answer | str]:
    """What each class makes of the records of its case, or its error. `read` makes JSON of a value."""
    return [_answer(found, read) for found in _ask((_question(case, each) for case, each in asked), classes)]


def descriptions(asked: Iterable[Exported], classes: Path) -> list[str]:
    """What Kafka Streams' own describe() says of each class."""
    found = _ask(({"class": each.class_name} for each in asked), classes)
    return [each.get("described") or each["error"] for each in found]


def _ask(questions: Iterable[Mapping[str, Any]], classes: Path) -> list[Mapping[str, Any]]:
    words = ["-Xmx700m", *QUIET, "-cp", f"{classes}:{class_path()}", "streamwright.Harness"]
    done = java.run(words, "\n".join(map(json.dumps, questions)))
    assert done.returncode == 0, done.stderr[-4_000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def in_order_of_topics(steps: Iterable[Sequence[Result]]) -> list[list[Result]]:
    """Each step by topic: the test driver tells the order of records within a topic only."""
    return [sorted(step, key=lambda each: str(each["topic"])) for step in steps]


def without_application(graph: Graph) -> Graph:
    """Where bytes count, node ids begin with the oracle's application id, which Kafka Streams itself puts before."""

    def bare(node: str) -> str:
        return node.removeprefix(APPLICATION)

    nodes = tuple(replace(node, id=bare(node.id)) for node in graph.nodes)
    edges = (Edge(bare(each.source), each.source_port, bare(each.target), each.target_port) for each in graph.edges)
    return Graph(nodes, tuple(edges))


def _question(case: Case, each: Exported) -> dict[str, Any]:
    nodes = find_flows(each.graph).values()
    topics = {topic for at in nodes if isinstance(at.operator, WritesTopic) for topic in at.operator.topic_names()}
    read = {
        topic: at.outputs["result"].schema
        for at in nodes
        if isinstance(at.operator, ReadsTopic)
        for topic in at.operator.topic_names()
    }
    taken: list[dict[str, Any]] = []
    for record in case["inputs"]:
        schema = read[record["topic"]]
        key, value = _encode(schema.key, record["key"]), _encode(schema.value, record["value"])
        headers = [[name, None if text is None else _base64(text.encode())] for name, text in record.get("headers", ())]
        taken.append(
            {
                "topic": record["topic"],
                "key": _base64(key),
                "value": _base64(value),
                "timestamp": record["timestamp"],
                "headers": headers,
            }
        )
    return {
        "class": each.class_name,
        "application": APPLICATION.removesuffix("-"),
        "topics": sorted(topics),
        "records": taken,
    }


def _encode(side: Side, value: Any) -> bytes | None:
    """The bytes of a value; bytes are those already."""
    return value if value is None or isinstance(value, bytes) else make_encoder_of(side)(value)


def _base64(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


def _answer(found: Mapping[str, Any], read: ReadValue) -> Answer | str:
    if "error" in found:
        return str(found["error"])
    return Answer([[_result(each, read) for each in step] for step in found["steps"]])


def _result(found: Mapping[str, Any], read: ReadValue) -> Result:
    key, value = (None if found[side] is None else base64.b64decode(found[side]) for side in ("key", "value"))
    headers = [{"key": name, "value": value} for name, value in found["headers"]]
    value = None if value is None else read(value)
    return result(found["topic"], key, value, found["timestamp"], json.dumps(headers) if headers else None)
