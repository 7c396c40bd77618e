"""What two graphs differ in."""

import json
from dataclasses import replace
from typing import Any

import pytest

from designer.topology.differences import compare
from designer.topology.graph import Area, Edge, Graph, Node, Note, Position
from tests.designer.graphs import drawn, node

BEFORE = Graph(
    (Node("flights", "stream", {"topic": "flights"}), Node("late", "filter", {"predicate": "delay > 15"})),
    (Edge("flights", "result", "late", "in"),),
)


def test_equal_graphs_differ_in_nothing_wherever_their_nodes_stand() -> None:
    moved = Graph(tuple(Node(n.id, n.operator, n.config, Position(9, 9)) for n in BEFORE.nodes), BEFORE.edges)

    assert not compare(BEFORE, moved)
    assert compare(BEFORE, moved).text() == ""


def test_nodes_fields_and_edges_are_told_apart() -> None:
    after = Graph(
        (
            Node("late", "filter_not", {"predicate": "delay > 15", "on_error": "skip"}),
            Node("out", "to", {"topic": "late\nflights", "columns": ["a", "b"]}),
        ),
        (Edge("late", "result", "out", "in"),),
    )

    assert compare(BEFORE, after).text().split("\n") == [
        "- flights (stream)",
        '-   topic: "flights"',
        "+ out (to)",
        "+   columns: [",
        '+     "a",',
        '+     "b"',
        "+   ]",
        '+   topic: "late',
        '+   flights"',
        "~ late (filter_not)",
        '-   operator: "filter"',
        '+   operator: "filter_not"',
        '+   on_error: "skip"',
        "- edge flights.result → late.in",
        "+ edge late.result → out.in",
    ]


def test_a_null_is_as_no_field() -> None:
    before = drawn(a=node("stream", topic="t", pattern=None))

    assert not compare(before, drawn(a=node("stream", topic="t")))


def test_a_bypass_is_a_difference() -> None:
    flights, late = BEFORE.nodes
    after = Graph((flights, replace(late, bypassed=True)), BEFORE.edges)

    assert compare(BEFORE, after).text().split("\n") == ["~ late (filter)", "+   bypassed: true"]


def test_colours_and_notes_are_differences_but_not_their_places() -> None:
    flights, late = BEFORE.nodes
    notes = (Note("#a", text="Flights\nof today"), Note("#b", "frame", "Late"))
    before = replace(BEFORE, notes=notes)
    after = Graph(
        (flights, replace(late, colour="red")),
        BEFORE.edges,
        (replace(notes[0], text="Flights", position=Area(9, 9, 99, 99)), Note("#c", colour="blue")),
    )

    assert compare(before, after).text().split("\n") == [
        "~ late (filter)",
        '+   colour: "red"',
        "~ note #a",
        '-   text: "Flights',
        '-   of today"',
        '+   text: "Flights"',
        "+ note #c",
        '+   colour: "blue"',
        "- frame #b",
        '-   text: "Late"',
    ]
    found = compare(before, after).to_json()
    assert [(each["before"] and each["before"]["id"], each["after"] is None) for each in found["notes"]] == [
        ("#a", False),
        (None, False),
        ("#b", True),
    ]
    moved = replace(before, notes=(replace(notes[0], position=Area(9, 9)), notes[1]))
    assert not compare(before, moved)


def test_times_are_written_for_people_too() -> None:
    before = Graph((Node("hourly", "windowed_by", {"kind": "tumbling", "size_ms": 3_600_000}),))
    after = Graph((Node("hourly", "windowed_by", {"kind": "tumbling", "size_ms": 5_400_000}),))

    assert compare(before, after).text().splitlines()[1:] == [
        "-   size_ms: 3600000 (1 h)",
        "+   size_ms: 5400000 (1 h 30 min)",
    ]


@pytest.mark.parametrize(
    ("wrong", "told"), [(2**63 - 1, " (106751991167 d 7 h)"), (-2_000, " (-2 s)"), (True, ""), (1.5, "")]
)
def test_a_duration_that_is_wrong_is_told_as_well(wrong: Any, told: str) -> None:
    after = Graph((Node("hourly", "windowed_by", {"size_ms": wrong}),))

    assert compare(Graph(), after).text().endswith(f"size_ms: {json.dumps(wrong)}{told}")
