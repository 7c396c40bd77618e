"""Notes, frames and colours: what is read of them, and that nothing that runs depends on them."""

from __future__ import annotations

from typing import Any

import pytest

from designer.refusals import MalformedGraph
from designer.topology.graph import MAX_NOTE_LENGTH, Area, Graph, Note

NODE = {"id": "orders", "operator": "stream", "config": {"topic": "orders"}, "position": {"x": 8, "y": 0}}
NOTE = {"id": "#a1", "kind": "note", "text": "# Orders", "position": {"x": 1, "y": 2, "width": 300, "height": 90}}


def graph(**more: Any) -> dict[str, Any]:
    return {"nodes": [NODE], "edges": [], **more}


def test_notes_and_colours_are_kept_in_json() -> None:
    written = graph(nodes=[NODE | {"colour": "red"}], notes=[NOTE, NOTE | {"id": "#b", "kind": "frame"}])

    read = Graph.from_json(written)

    assert read.notes[0] == Note("#a1", "note", "# Orders", "", Area(1, 2, 300, 90))
    assert read.to_json() == written


def test_a_graph_without_them_says_nothing_of_them() -> None:
    assert Graph.from_json(graph(notes=[])).to_json() == graph()


def test_they_mean_nothing_to_what_runs() -> None:
    seen = graph(nodes=[NODE | {"colour": "red", "position": {"x": 0, "y": 9}}], notes=[NOTE])

    assert Graph.from_json(seen).keep_meaning() == Graph.from_json(graph()).keep_meaning()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"notes": [NOTE | {"id": "orders"}]}, "notes[0].id is `orders`; expected #"),
        ({"notes": [NOTE, NOTE]}, "Two notes have one id."),
        ({"notes": [NOTE | {"kind": "arrow"}]}, "notes[0].kind is `arrow`. Known: note, frame."),
        ({"notes": [NOTE | {"colour": "#f00"}]}, "notes[0].colour is `#f00`. Known: red, orange"),
        ({"notes": [NOTE | {"text": "x" * (MAX_NOTE_LENGTH + 1)}]}, "notes[0].text has more than 4,000"),
        ({"notes": [NOTE | {"position": {"z": 1}}]}, "notes[0].position has `z`"),
        ({"notes": [NOTE | {"id": f"#{number}"} for number in range(201)]}, "at most 200 notes and frames"),
        ({"nodes": [NODE | {"colour": "pink"}]}, "nodes[0].colour is `pink`"),
    ],
)
def test_what_is_malformed_is_named(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(MalformedGraph) as refused:
        Graph.from_json(graph(**wrong))

    assert message in refused.value.message
