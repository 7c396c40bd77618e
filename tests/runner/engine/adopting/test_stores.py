"""Rows from changelogs of Kafka Streams 4.4 are those that our own stores write for the same records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from designer.topology.graph import Graph
from runner.engine.adopting.serialization import START, START_AND_NUMBER, ChangelogRecord, Unreadable
from runner.engine.adopting.stores import AdoptedTask, find_adoptable, find_inner_key, find_obstacle
from runner.engine.driver import Driver
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.layout import Layout
from runner.engine.stores.state import MemoryState
from tests.proof.adopting.drawings import draw

CHANGELOGS = json.loads(Path(__file__).with_name("changelogs.json").read_text())
"""By program and store: the key and value in hex, the timestamp, and the headers of each record of one partition."""
RIGHT = [("a", "one", 1_000), ("b", "two", 2_000), ("a", "three", 3_000)]
LEFT = [
    ("a", "x", 10_000),
    ("b", "y", 11_000),
    ("a", "x", 12_000),
    ("a", "z", 31_000),
    ("b", "ü", 32_500),
    ("a", "x", 33_000),
]
"""The records that the programs have read, in order."""
STORES = {"held.buffer": "held-store", "left": "left-STATE-STORE-0000000000", "right": "right-STATE-STORE-0000000003"}
"""Names of stores in the application, where the drawing has others."""


def read_changelog(program: str, store: str) -> list[ChangelogRecord]:
    newest: dict[str, ChangelogRecord] = {}
    for key, value, timestamp, headers in CHANGELOGS[program][STORES.get(store, store)]:
        newest.pop(key, None)
        newest[key] = ChangelogRecord(
            bytes.fromhex(key), None if value is None else bytes.fromhex(value), timestamp, headers
        )
    return list(newest.values())


def adopt(program: str, layout: Layout) -> MemoryState:
    state = MemoryState()
    task = AdoptedTask(layout, 0, state)
    for number in find_adoptable(layout):
        assert find_obstacle(layout, layout.stores[number]) is None
        task.put(number, read_changelog(program, layout.stores[number].name))
    task.close()
    return state


def make_graph(program: str) -> Graph:
    return Graph.from_json(draw(program, "left", "right", "out"))


def pipe(driver: Driver, program: str) -> None:
    for topic, records in (("right", RIGHT if "table" in program else []), ("left", LEFT)):
        for key, value, timestamp in records:
            driver.pipe(topic, key=key, value=value, timestamp=timestamp)


@pytest.mark.parametrize("program", ["word-count", "windows", "sessions", "stream-table", "table-table"])
def test_the_rows_are_those_that_the_drawing_has_after_the_same_records(program: str) -> None:
    driver = Driver(make_graph(program), is_one_life=False)
    pipe(driver, program)

    state = adopt(program, driver.layout)

    assert state.values == driver.state.values
    assert state.values


def test_what_suppress_holds_back_leaves_as_if_the_drawing_had_held_it() -> None:
    graph = make_graph("suppress")
    ours, taken = (Driver(graph, is_one_life=False) for _ in range(2))
    pipe(ours, "suppress")
    ours.read("out")
    taken.state = adopt("suppress", taken.layout)
    taken._start()

    for driver in (ours, taken):
        driver.pipe("left", key="b", value="x", timestamp=34_000)
        driver.pipe("left", key="c", value="x", timestamp=60_000)

    assert taken.read("out") == ours.read("out") != []


def test_sliding_windows_are_found_by_their_key_again() -> None:
    drawing = draw("windows", "left", "right", "out")
    drawing["nodes"][2]["config"] = {"type": "sliding", "difference_ms": 5_000, "grace_ms": 1_000}
    driver = Driver(Graph.from_json(drawing), is_one_life=False)
    for timestamp in (10_000, 12_000):
        driver.pipe("left", key="a", value="x", timestamp=timestamp)
    rows = [(5_000, 1, 10_000), (7_000, 2, 12_000), (10_001, 1, 12_000)]
    records = [
        ChangelogRecord(b"a" + START_AND_NUMBER.pack(start, 0), START.pack(count), timestamp)
        for start, count, timestamp in rows
    ]

    task = AdoptedTask(driver.layout, 0, state := MemoryState())
    task.put(0, records)
    task.close()

    assert state.values == driver.state.values


def test_a_window_that_has_left_suppress_does_not_open_again() -> None:
    driver = Driver(make_graph("suppress"), is_one_life=False)
    driver.state = adopt("suppress", driver.layout)
    driver._start()

    driver.pipe("left", key="a", value="x", timestamp=13_000)
    driver.pipe("left", key="c", value="x", timestamp=33_000)

    assert driver.read("out") == []


def test_the_inner_key_decides_the_partition() -> None:
    layout = lay_out(make_graph("suppress"))
    keys = {
        store.name: {find_inner_key(layout, store, record.key) for record in read_changelog("suppress", store.name)}
        for store in layout.stores
    }

    assert keys == {"window-counts": {b"a", b"b"}, "held.buffer": {b"a", b"b"}}


def test_what_cannot_be_taken_over_is_named() -> None:
    graph = draw("windows", "left", "right", "out")
    graph["nodes"][2]["config"]["emit"] = "on_close"
    layout = lay_out(Graph.from_json(graph))

    obstacles = [find_obstacle(layout, layout.stores[number]) for number in find_adoptable(layout)]

    assert obstacles == ["`window-counts` emits on close, and what it has emitted is not in a changelog."]


def test_functions_have_no_values_of_kafka_streams() -> None:
    graph = draw("word-count", "left", "right", "out")
    graph["nodes"][2] |= {
        "operator": "aggregate",
        "config": {"functions": [{"name": "n", "function": "count"}], "store": "word-counts"},
    }
    layout = lay_out(Graph.from_json(graph))

    obstacles = [find_obstacle(layout, layout.stores[number]) for number in find_adoptable(layout)]

    assert obstacles and "Write the aggregation as `init` and `add`." in str(obstacles[0])


def test_a_store_of_another_kind_is_refused() -> None:
    layout = lay_out(make_graph("sessions"))

    with pytest.raises(Unreadable, match="too short"):
        AdoptedTask(layout, 0, MemoryState()).put(0, read_changelog("word-count", "word-counts"))
