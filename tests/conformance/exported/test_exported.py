"""What Export as Java writes compiles and answers as we do: a sample of the cases here, all of them in the soak."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from designer.checks import check as check_graph
from designer.expressions import check
from designer.expressions.functions import FUNCTIONS
from designer.expressions.java import NotInJava, make_java_method, write_comment
from designer.projects.exchange import read_schemas
from designer.topology.catalogue import Scope
from designer.topology.graph import Graph, Node
from designer.values.schemas import BOOLEAN
from runner.demo.gallery import read_gallery
from runner.export.describe.skeleton import draw_skeleton
from runner.export.java.program import JavaClass
from runner.export.java.project import write_java_source
from tests.conformance.exported import graphs as drawn
from tests.conformance.exported.answering import (
    Exported,
    answers,
    compile_classes,
    descriptions,
    export_class,
    in_order_of_topics,
    without_application,
)
from tests.conformance.kept import graphs
from tests.conformance.product.cases import Case, expected_by_step, text_of
from tests.conformance.product.compare import Answer
from tests.conformance.product.on_driver import answer
from tests.conformance.product.translation import counts_bytes
from tests.designer.expressions.sample import compute
from tests.designer.expressions.spark_lists import FILE as SPARK_LISTS
from tests.runner.export.descriptions.sketch import GROUPS

ONE_IN = 25
LACKING: Mapping[str, Sequence[str]] = {
    "e05-session-processor": ("sessions: Left out: process runs Python.", "updated-sessions: Left out: it is fed by"),
    "e19-bad-records": ("orders: Exported, but `on_error` skip is not exported",),
    "e29-order-enrichment": ("customers: Exported, but `load_first` has no equivalent",),
    "e38-sessions-of-a-maximum-length": (
        "sessions: Left out: `ttl_ms` has no equivalent",
        "updates: Left out: it is fed by",
        "capped-sessions: Left out: it is fed by",
    ),
}
"""How the notes on gallery applications begin."""


def kept_cases(one_in: int) -> list[tuple[Case, Graph]]:
    """One kept case in so many."""
    return [(case, without_application(graph) if counts_bytes(case) else graph) for case, graph in graphs()[::one_in]]


def export_cases(prefix: str, cases: Sequence[tuple[Case, Graph]]) -> list[tuple[Case, Exported]]:
    return [(case, export_class(f"{prefix}{number}", graph)) for number, (case, graph) in enumerate(cases)]


def applications() -> dict[str, Exported]:
    return {
        name: export_class(f"App{number}", Graph.from_json(each["graph"]), read_schemas(each.get("schemas", {})))
        for number, (name, each) in enumerate(read_gallery().items())
    }


def answers_of_spark() -> list[str]:
    """Expressions that are true in Spark, and here to the letter of their JSON."""
    answers = [(text, answer) for text, answer in json.loads(SPARK_LISTS.read_text()) if answer is not None]
    written = [(f"to_json(named_struct('r', {text}))", answer) for text, answer in answers]
    return [f"{text} = {quote(answer)}" for text, answer in written if compute(text) == answer]


def quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def examples() -> tuple[list[str], Exported]:
    """Each true line in the help of a function, what Spark answered about lists, and the class that asks them all."""
    made, texts = JavaClass(), list[str]()
    helpful = [text for function in FUNCTIONS.values() for text in function.examples]
    for text in dict.fromkeys([*helpful, *answers_of_spark()]):
        try:
            method = make_java_method(check(text, Scope({}), BOOLEAN), f"example{len(texts)}", {})
        except NotInJava:
            continue
        made.add_method(write_comment(text), method)
        texts.append(text)
    calls = ", ".join(f"example{number}()" for number in range(len(texts)))
    made.statements = [
        'var asked = builder.stream("orders", Consumed.with(Serdes.String(), Json.serde(Json.ANY)))',
        f"KStream<String, Object> told = asked.mapValues(value -> Sql.array({calls}))",
        'told.to("out", Produced.with(Json.serde(Json.STRING), Json.serde(Json.ANY)))',
    ]
    made.statements = [f"{each};" for each in made.statements]
    return texts, Exported(
        "Examples", drawn.typed()[1], write_java_source(made, "Examples", "Examples", "examples"), ()
    )


class Program:
    """All that this module runs, compiled at once and answered in one JVM."""

    def __init__(self, folder: Path) -> None:
        self.sample = export_cases("Case", kept_cases(ONE_IN))
        self.drawn = export_cases("Drawn", drawn.ALL)
        self.applications = applications()
        self.examples, asking = examples()
        asked = [*self.sample, *self.drawn, ({"name": "examples", "inputs": drawn.SOME[:1]}, asking)]
        classes = compile_classes([*(each for _, each in asked), *self.applications.values()], folder)
        self.classes = classes
        self.found = dict(zip((each.class_name for _, each in asked), answers(asked, classes), strict=True))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return Program(tmp_path_factory.mktemp("exported"))


def find_differing(asked: Sequence[tuple[Case, Exported]], found: Mapping[str, Answer | str]) -> dict[str, Any]:
    """The cases whose answer is not that of Kafka Streams, with what was answered."""
    wrong: dict[str, Any] = {}
    for case, each in asked:
        wanted = expected_by_step(case)
        assert wanted is not None and not each.notes, (case["name"], each.notes)
        given = found[each.class_name]
        if isinstance(given, str) or not are_same(wanted, given.steps):
            wrong[case["name"]] = given
    return wrong


def are_same(one: Any, other: Any) -> bool:
    return text_of(in_order_of_topics(one)) == text_of(in_order_of_topics(other))


@pytest.mark.services
def test_a_sample_of_the_kept_cases_is_answered_as_kafka_streams_answered_it(program: Program):
    assert len(program.sample) > 20
    assert find_differing(program.sample, program.found) == {}


@pytest.mark.soak
def test_every_kept_case_is_answered_as_kafka_streams_answered_it(tmp_path: Path):
    every = export_cases("Case", kept_cases(1))

    found = answers(every, compile_classes([each for _, each in every], tmp_path))

    assert len(every) == 612
    assert find_differing(every, dict(zip((each.class_name for _, each in every), found, strict=True))) == {}


@pytest.mark.services
@pytest.mark.parametrize("number", range(len(drawn.ALL)), ids=[case["name"] for case, _ in drawn.ALL])
def test_typed_values_times_functions_and_hostile_texts_are_answered_as_the_driver_answers(
    program: Program, number: int
):
    case, graph = drawn.ALL[number]
    found = program.found[f"Drawn{number}"]

    assert program.drawn[number][1].notes == ()
    assert isinstance(found, Answer), found
    assert plain(found.steps) == plain(answer(case, graph).steps)


def plain(steps: Any) -> Any:
    return json.loads(text_of(in_order_of_topics(steps)))


@pytest.mark.services
def test_every_example_of_a_function_is_true_in_java(program: Program):
    found = program.found["Examples"]

    assert isinstance(found, Answer), found
    (result,) = found.results
    assert [text for text, value in zip(program.examples, result["value"], strict=True) if value is not True] == []
    assert len(program.examples) > 550


@pytest.mark.services
def test_gallery_applications_compile_and_what_they_lack_is_named(program: Program):
    lacking = {name: each.notes for name, each in program.applications.items() if each.notes}

    assert {name: len(notes) for name, notes in lacking.items()} == {name: len(each) for name, each in LACKING.items()}
    for name, notes in lacking.items():
        assert all(note.startswith(begin) for note, begin in zip(notes, LACKING[name], strict=True)), notes


UNNAMED = {*GROUPS, "windowed_by", "repartition"}
"""Operators that Kafka Streams' describe() does not name."""


@pytest.mark.services
def test_what_an_exported_program_describes_is_drawn_with_its_names_and_topics(program: Program):
    """What a named node does, a filter or a mapValues, describe() does not say."""
    exported = [each for _, each in program.sample] + [each for each in program.applications.values() if not each.notes]

    for text, each in zip(descriptions(exported, program.classes), exported, strict=True):
        drawn = draw_skeleton(text).graph
        named = {node.id for node in each.graph.nodes if node.operator not in UNNAMED}
        named -= {node.id for node in each.graph.nodes if is_merged_with_itself(each.graph, node)}
        assert named <= drawn.by_id.keys(), text
        assert topics_of(drawn) == topics_of(each.graph), text
        assert {issue.code.split(".")[0] for issue in check_graph(drawn, {})}.isdisjoint({"port", "edge", "operator"})


def is_merged_with_itself(graph: Graph, node: Node) -> bool:
    """Whether a node merges a stream with itself, which Kafka Streams leaves out if it is repartitioned."""
    return node.operator == "merge" and len({edge.source for edge in graph.edges_into(node.id)}) == 1


def topics_of(graph: Graph) -> set[str]:
    return {
        str(node.config[name])
        for node in graph.nodes
        for name in ("topic", "topics", "pattern")
        if node.operator not in UNNAMED and name in node.config
    }
