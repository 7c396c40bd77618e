"""Layers on Spark: what calls count and hold, and what a new epoch begins with. Without Spark and Kafka."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from designer.values.schemas import STRING, struct
from runner.engine.stores.state import PREFIX, TIMES
from runner.spark.stage.renumbering import Renumbering
from tests.runner.graph_builder import GraphBuilder
from tests.runner.spark.stage.test_counters import PARTITIONS, Batches, program_for

FIELDS = [{"name": "boss", "expression": "right.name"}]


def people(**config: Any) -> GraphBuilder:
    return GraphBuilder().table("people", struct(boss=STRING, name=STRING), **config)


def bosses(**config: Any) -> GraphBuilder:
    """People joined with people: a table that names rows of its own."""
    builder = people(**config)
    builder.add("bosses", "join", {"foreign_key": "boss", "fields": FIELDS}, left="people", right="people")
    return builder.updates_to("out", "bosses")


def test_what_is_done_twice_counts_once(tmp_path: Path):
    batches = Batches(program_for(bosses().graph, "people"), tmp_path)

    event = batches.run("people", [(key, {"boss": "a", "name": key}) for key in "ab"] + [("c", {"boss": 1})])
    batches.close()

    assert event["records_in"] == 3
    assert event["nodes"]["people"] == {"in": 3, "out": 2, "dropped": 0, "errors": 1, "unlikely_times": 3}
    assert event["stores"]["people"]["rows"] == 2
    assert set(event["nodes"]) == {"people", "bosses", "bosses-updates", "out"}


def test_the_store_of_a_new_clone_begins_with_what_its_original_held():
    old = program_for(people(store="staff").updates_to("out", "people").graph)
    new = program_for(bosses(store="staff").graph)
    names = [store.name for store in new.layout.stores]

    move = Renumbering.renumber(old, new, ["staff"])

    (kept,) = (number for number, store in enumerate(old.layout.stores) if store.name == "staff")
    assert [key for _, (key, _) in move.move_row((PREFIX.pack(3, kept) + b"a", b""))] == [
        PREFIX.pack(3, names.index(name)) + b"a" for name in ("staff", "staff.again")
    ]
    assert [place[0] for place, _ in move.move_row((PREFIX.pack(3, kept) + b"a", b""))] == [1, 2]


def test_stores_and_times_of_clones_go_with_those_of_their_originals():
    old, new = program_for(bosses(store="staff").graph), program_for(bosses(store="staff").graph)

    move = Renumbering.renumber(old, new, ["staff"])

    for number, store in enumerate(old.layout.stores):
        moved = [key for _, (key, _) in move.move_row((PREFIX.pack(0, number) + b"a", b""))]
        assert moved == ([PREFIX.pack(0, number) + b"a"] if store.name.startswith("staff") else [])
    times = PREFIX.pack(PARTITIONS - 1, TIMES) + b"people.again/history"
    assert [key for _, (key, _) in move.move_row((times, b""))] == [times]
