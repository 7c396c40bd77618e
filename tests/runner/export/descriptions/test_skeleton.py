"""What Kafka Streams prints of a topology is drawn as that topology."""

from __future__ import annotations

import random
import re
from contextlib import suppress

import pytest

from designer.checks import check
from designer.refusals import Refusal
from designer.topology.catalogue import get_catalogue
from runner.export.describe.kinds import OPERATORS
from runner.export.describe.skeleton import draw_skeleton
from tests.conformance.kept import CASES as KEPT
from tests.conformance.product.translation import translated
from tests.runner.export.descriptions.sketch import described, lines, told

CASES = described("cases.txt")
NAMED = described("named.txt")
"""Topologies in which a user named things, and others that show what no case does."""
WINDOWED = described("windows.txt")
"""Topologies of applications with windows, which Kafka Streams does not print."""
BY_NAME = {case["name"]: case for case in KEPT}


@pytest.mark.parametrize("name", CASES)
def test_a_skeleton_is_the_graph_of_its_case(name: str) -> None:
    graph = translated(BY_NAME[name.removesuffix(" (optimized)")])

    assert told(draw_skeleton(CASES[name]).graph) == told(graph)


@pytest.mark.parametrize("text", [*CASES.values(), *NAMED.values()], ids=[*CASES, *NAMED])
def test_edges_fit_and_what_is_left_to_do_stands_at_fields(text: str) -> None:
    graph = draw_skeleton(text).graph

    codes = {issue.code.split(".")[0] for issue in check(graph, {})}

    assert codes.isdisjoint({"port", "edge", "operator"})


@pytest.mark.parametrize("text", [*CASES.values(), *NAMED.values()], ids=[*CASES, *NAMED])
def test_all_topics_and_named_stores_are_drawn(text: str) -> None:
    configs = [node.config for node in draw_skeleton(text).graph.nodes]
    read = set(re.findall(r"topics?: \[?([a-z][\w-]*?)(?:, [\w-]+)?[\])]", text))
    stores = {each for found in re.findall(r"Processor: .*stores: \[(.+)\]", text) for each in found.split(", ")}

    assert {each for each in read if not each.endswith(("-repartition", "-topic"))} <= {c.get("topic") for c in configs}
    assert {each for each in stores if re.fullmatch("(agg|mv|j|t|f)[0-9]+|[a-z]+-store", each)} - NOT_DRAWN <= {
        each for config in configs for each in (config.get("store"), *(s["name"] for s in config.get("stores", ())))
    }


NOT_DRAWN = {"final-store", "fkj-subscription-store"}
"""Suppress and foreign-key joins name these themselves, after what the user named."""


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("word-count", "to word-counts (to_stream (count (group_by (flat_map_values (stream lines)))))"),
        ("split-generated", "to out0 (split (stream in).default)"),
        ("split-generated", "to out2 (split (stream in).branch2)"),
        ("split-named", "to out-small (split (stream in).small)"),
        ("named-table", "to out (to_stream (filter (table customers)))"),
        ("two-globals", "left_join (left: stream in) (right: global_table countries)"),
        ("rekeyed-named-stream-table", "join (left: select_key (stream orders)) (right: table customers)"),
        ("stream-filtered-table", "join (left: stream orders) (right: filter (table customers))"),
        ("stream-grace-table", "join (left: stream orders) (right: table customers)"),
        ("named-stream-stream-nostore", "left_join (left: stream l) (right: stream r)"),
        ("named-stream-stream-outer-optimized", "outer_join (left: select_key (stream l)) (right: map (stream r))"),
        ("self-join-optimized", "join (left: stream l) (right: stream l)"),
        ("named-table-table", "join (left: table l) (right: table r)"),
        ("named-fk", "join (left: table l) (right: table r)"),
        ("cogroup-named", "aggregate (cogroup (group_by_key (stream a)) (group_by_key (stream b)))"),
        ("named-suppress", "map (to_stream (suppress (count (group_by_key (stream a)))))"),
        ("sessions", "count (windowed_by (group_by (stream clicks)))"),
        ("repartition-named", "to out (map_values (repartition (stream a)))"),
        ("repartition", "group_by_key (repartition (map (stream a)))"),
        ("process", "process_values (process (process (process (stream a))))"),
        ("table-group", "aggregate (group_by (table u))"),
        ("two-aggregates", "to o2 (to_stream (reduce (group_by (stream a))))"),
        ("two-aggregates", "to o4 (to_stream (reduce (group_by_key (stream z))))"),
        ("through", "to middle (map_values (stream a))"),
        ("global-store", "global_table rules"),
        ("processor-api", "to sink-topic (process (stream source-topic))"),
    ],
)  # fmt: skip
def test_what_the_user_named_is_known_by_what_is_around_it(name: str, drawn: str) -> None:
    assert drawn in lines(draw_skeleton(NAMED[name]).graph)


def test_a_chain_of_names_is_drawn_with_them_and_each_choice_is_told() -> None:
    graph, notes, _ = draw_skeleton(NAMED["all-named"])

    assert {node.id: node.operator for node in graph.nodes} == {
        "orders": "stream",
        "large-only": "map_values",
        "drop-tests": "map_values",
        "with-total": "map_values",
        "by-customer": "group_by",
        "count-orders": "count",
        "regulars": "map_values",
        "regulars-stream": "to_stream",
        "write-regulars": "to",
    }
    assert graph.node("orders").config == {"topic": "orders", "topics": ["orders-eu"]}
    assert graph.node("count-orders").config == {"store": "orders-by-customer"}
    assert [note.node for note in notes] == [
        "large-only", "drop-tests", "with-total", "by-customer", "count-orders", "regulars",
    ]  # fmt: skip


@pytest.mark.parametrize("name", WINDOWED)
def test_an_aggregate_of_a_stream_says_that_windows_are_not_in_the_text(name: str) -> None:
    """An application with windows was drawn without them, and nothing said so."""
    graph, notes, aggregates = draw_skeleton(WINDOWED[name])

    (aggregate,) = aggregates
    assert graph.node(aggregate.node).operator in ("aggregate", "reduce")
    assert aggregate.windows is None
    (message,) = [note.message for note in notes if note.node == aggregate.node]
    assert "Kafka Streams does not print windows; put windowed_by before it if it has some" in message


def test_chosen_windows_are_drawn_before_their_aggregate() -> None:
    step = "KSTREAM-AGGREGATE-0000000002"

    graph, notes, aggregates = draw_skeleton(WINDOWED["000-tumbling"], {step: "session"})
    plain = draw_skeleton(WINDOWED["000-tumbling"], {step: "none"})

    assert "aggregate (windowed_by (group_by_key (stream s)))" in lines(graph)
    assert graph.node("windowed-by").config == {"type": "session"}
    assert (notes, aggregates) == ((), ((step, "aggregate", "session"),))
    assert "aggregate (group_by_key (stream s))" in lines(plain.graph)
    assert plain.notes == ()


def test_windows_that_the_name_of_a_store_tells_can_be_chosen_otherwise() -> None:
    (step,) = (each.step for each in draw_skeleton(NAMED["sessions"]).aggregates)

    graph = draw_skeleton(NAMED["sessions"], {step: "tumbling"}).graph

    assert [each.config["type"] for each in graph.nodes if each.operator == "windowed_by"] == ["tumbling"]


@pytest.mark.parametrize("windows", [[], {"a": "daily"}, {"a": {}}, "session"])
def test_windows_that_do_not_exist_are_refused(windows: object) -> None:
    with pytest.raises(Refusal, match="`windows` is not an object with windows by step"):
        draw_skeleton(WINDOWED["000-tumbling"], windows)


def test_a_name_that_holds_an_operator_is_that_operator() -> None:
    (text,) = (NAMED["all-named"].replace("large-only", "my-filter"),)

    assert draw_skeleton(text).graph.node("my-filter").operator == "filter"


def test_a_pattern_and_a_chosen_topic_are_kept() -> None:
    graph, notes, _ = draw_skeleton(NAMED["pattern-extractor"])

    assert graph.node("stream").config == {"pattern": "orders-.*"}
    assert "a lambda of `oracle.NamedOnes` chooses the topic" in next(
        note.message for note in notes if note.node == "to"
    )


def notes_of(name: str) -> dict[str, str]:
    return {note.node: note.message for note in draw_skeleton(NAMED[name]).notes}


def test_a_processor_of_several_streams_is_drawn_with_its_stores_behind_a_merge() -> None:
    """Such a processor was drawn as a merge without its stores, and nothing said so."""
    graph = draw_skeleton(NAMED["processor-api-several-inputs"]).graph

    book = "process (merge (map_values (stream orders)) (stream cancels))"
    assert book in lines(graph)
    assert graph.node("book").config == {"stores": [{"name": "book"}, {"name": "index"}]}
    assert f"to trades (merge (map_values (stream orders)) ({book}))" in lines(graph)
    assert "does not say what it is" in notes_of("processor-api-several-inputs")["book"]


def test_a_store_of_two_processors_is_told() -> None:
    assert notes_of("shared-store") == {
        "dedupe": "Drawn as process: the name `dedupe` does not say what it is; `process` shares its store `seen`, but "
        "here each node has its own.",
        "process": "Drawn as process: `dedupe` shares its store `seen`, but here each node has its own.",
    }


def test_a_processor_before_an_implied_shuffle_shares_its_store_with_no_one() -> None:
    """The steps of the shuffle are drawn as an edge, and were taken for other processors with that store."""
    text = """Topologies:
   Sub-topology: 0
    Source: KSTREAM-SOURCE-0000000001 (topics: [updates])
      --> KSTREAM-PROCESSOR-0000000002
    Processor: KSTREAM-PROCESSOR-0000000002 (stores: [purge])
      --> rows-repartition-filter
      <-- KSTREAM-SOURCE-0000000001
    Processor: rows-repartition-filter (stores: [])
      --> rows-repartition-sink
      <-- KSTREAM-PROCESSOR-0000000002
    Sink: rows-repartition-sink (topic: rows-repartition)
      <-- rows-repartition-filter
  Sub-topology: 1
    Source: rows-repartition-source (topics: [rows-repartition])
      --> KSTREAM-AGGREGATE-0000000003
    Processor: KSTREAM-AGGREGATE-0000000003 (stores: [rows])
      --> none
      <-- rows-repartition-source
"""
    assert [note.node for note in draw_skeleton(text).notes] == ["rows"]


def test_numbered_branches_are_in_the_order_in_which_they_are_tried() -> None:
    graph, notes, _ = draw_skeleton(NAMED["split-merged"])

    assert graph.node("split").config == {"branches": [{"name": f"branch{number}"} for number in (1, 2, 3)]}
    assert notes == ()


def test_named_branches_of_a_split_without_a_name_have_an_unknown_order() -> None:
    assert "their order and default are unknown" in notes_of("split-named-branches")["split"]


def test_a_foreign_key_is_asked_for() -> None:
    """A foreign-key join was drawn as one by equal keys, without an issue."""
    graph = draw_skeleton(NAMED["named-fk"]).graph

    (join,) = (node for node in graph.nodes if node.operator == "join")
    assert ("foreign_key", "field.invalid") in {(each.field, each.code) for each in check(graph, {})}
    assert "inner and left joins by a foreign key" in notes_of("named-fk")[join.id]


def test_a_join_that_waits_for_late_rows_says_so() -> None:
    (message,) = (each for each in notes_of("stream-grace-table").values() if "late rows" in each)

    assert "set its `grace_ms` and the `history_ms` of the table" in message


def test_every_operator_that_is_drawn_is_there() -> None:
    assert set(OPERATORS.values()) <= set(get_catalogue())


@pytest.mark.parametrize("seed", range(30))
def test_mangled_texts_are_drawn_or_refused_in_words(seed: int) -> None:
    """Lines lost, doubled, swapped or called otherwise: never an error of ours."""
    chance = random.Random(seed)
    for text in (*CASES.values(), *NAMED.values()):
        with suppress(Refusal):
            draw_skeleton(mangled(text, chance))


def mangled(text: str, chance: random.Random) -> str:
    """A neighbour is renamed everywhere, or lines are lost, doubled or swapped."""
    rows = text.splitlines()
    names = re.findall(r"(?:Source|Processor|Sink): (\S+)", text)
    for _ in range(chance.randint(1, 3)):
        at, other = chance.randrange(1, len(rows)), chance.randrange(1, len(rows))
        match chance.randrange(5):
            case 0:
                del rows[min(at, len(rows) - 1)]
                rows.append("")
            case 1:
                rows.insert(at, rows[other])
            case 2:
                rows[at], rows[other] = rows[other], rows[at]
            case _:
                made = chance.choice([*names, *(f"{kind}-0000000099" for kind in (*OPERATORS, "KSTREAM-WINDOWED"))])
                name = chance.choice(names)
                rows = [re.sub(rf"(?<!\S){re.escape(name)}(?=[ ,]|$)", made, row) for row in rows]
    return "\n".join(rows)
