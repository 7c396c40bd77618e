"""Sub-topologies that loop, split into layers; what comes out is what Kafka Streams' own sub-topologies give."""

from __future__ import annotations

import logging
import random

import pytest

from designer.values.schemas import INTEGER, STRING, struct
from runner.control.jobs.plans.planner import count_tasks
from runner.engine.driver import Driver
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.layout import Shuffle, Source
from tests.runner.graph_builder import GraphBuilder

PERSON = struct(boss=STRING, pay=INTEGER)
BOTH = {"fields": [{"name": "boss", "expression": "left.boss"}, {"name": "pay", "expression": "left.pay + right.pay"}]}
LAST = {"add": "value"}


def bosses() -> GraphBuilder:
    """People joined with people: a table that names rows of its own."""
    builder = GraphBuilder().table("people", PERSON)
    return builder.add("bosses", "join", {"foreign_key": "boss"} | BOTH, left="people", right="people")


def teams() -> GraphBuilder:
    """Bosses joined with the last one hired by each: the shuffle leads back to the table."""
    builder = GraphBuilder().table("people", PERSON, store="staff").add("raw", "to_stream", table="people")
    builder.add("hired", "filter", {"predicate": "pay > 0"}, records="raw")
    builder.add("by-boss", "select_key", {"key": "boss"}, stream="hired")
    builder.add("grouped", "group_by_key", stream="by-boss").add("latest", "reduce", LAST, grouped="grouped")
    return builder.add("teams", "join", BOTH, left="people", right="latest")


def latest_twice() -> GraphBuilder:
    """A table after a shuffle, looked up by a stream that came from it."""
    builder = GraphBuilder().stream("people", PERSON).add("by-boss", "select_key", {"key": "boss"}, stream="people")
    builder.add("grouped", "group_by_key", stream="by-boss").add("latest", "reduce", LAST, grouped="grouped")
    builder.add("changes", "to_stream", table="latest")
    builder.add("by-pay", "select_key", {"key": "cast(pay AS string)"}, stream="changes")
    return builder.add("joined", "left_join", BOTH, left="by-pay", right="latest").to("out", "joined")


def test_what_rows_come_back_to_is_a_layer_of_its_own_with_clones_of_what_feeds_it():
    laid_out = lay_out(bosses().updates_to("out", "bosses").graph)

    assert [(each.nodes, each.depth) for each in laid_out.sub_topologies] == [
        (("people", "bosses.subscribe"), 1),
        (("people.again", "bosses.lookup"), 2),
        (("bosses", "bosses-updates", "out"), 3),
    ]


def test_both_get_the_rows_of_a_source():
    laid_out = lay_out(bosses().graph)

    assert [target for target in laid_out.targets if isinstance(target, Source)] == [
        Source("people", "people", 0, "table"),
        Source("people.again", "people", 1, "table"),
    ]


def test_both_get_the_rows_of_a_shuffle_which_are_sent_once():
    laid_out = lay_out(latest_twice().graph)

    (copied,) = laid_out.copies.items()
    original, (copy,) = copied
    first, second = laid_out.targets[original], laid_out.targets[copy]

    assert isinstance(first, Shuffle) and isinstance(second, Shuffle)
    assert (first.to_node, second.to_node, second.name) == ("grouped", "grouped.again", first.name)
    assert [edge.target for edge in laid_out.children["by-boss"]] == ["grouped"]


def test_a_clone_has_stores_of_its_own_with_names_of_their_own():
    stores = lay_out(teams().graph).stores

    assert [(store.name, store.node, store.sub_topology) for store in stores] == [
        ("staff", "people", 0),
        ("staff.again", "people.again", 1),
        ("latest", "latest", 1),
    ]


def test_a_clone_looks_up_the_clone_of_what_its_original_looks_up():
    builder = GraphBuilder().table("extra", PERSON).stream("raw", PERSON)
    builder.add("seen", "join", BOTH, left="raw", right="extra").add("people", "to_table", stream="seen")
    builder.add("bosses", "join", {"foreign_key": "boss"} | BOTH, left="people", right="people")

    laid_out = lay_out(builder.graph)

    assert laid_out.looked_up == {("seen", "right"), ("seen.again", "right")}
    assert [each.nodes for each in laid_out.sub_topologies] == [
        ("extra", "raw", "seen", "people", "bosses.subscribe"),
        ("extra.again", "raw.again", "seen.again", "people.again", "bosses.lookup"),
        ("bosses",),
    ]
    assert [edge.target for edge in laid_out.children["extra.again"]] == []
    assert laid_out.tables["extra.again"] is laid_out.tables["extra"]


def test_what_feeds_only_the_later_layer_moves_there():
    builder = bosses().table("bonuses", PERSON)
    builder.add("paid", "join", BOTH, left="people", right="bonuses")
    builder.add("of-boss", "join", {"foreign_key": "boss"} | BOTH, left="people", right="paid")

    layers = lay_out(builder.graph).sub_topologies

    assert [each.nodes for each in layers if "bonuses" in each.nodes] == [
        ("people.again", "bosses.lookup", "bonuses", "paid", "of-boss.lookup")
    ]


def test_a_layer_behind_a_layer_has_clones_of_clones():
    builder = teams()
    builder.add("more", "join", {"foreign_key": "boss"} | BOTH, left="teams", right="people")

    laid_out = lay_out(builder.graph)

    assert max(stage.depth for stage in laid_out.stages) == 4
    assert {"people.again", "people.again.again"} <= set(laid_out.nodes)


def test_layers_have_the_same_tasks_as_the_sub_topology_they_were():
    builder = bosses().stream("raises", PERSON).add("raised", "join", BOTH, left="raises", right="people")
    laid_out = lay_out(builder.to("out", "raised").graph)

    tasks = count_tasks(laid_out, {"people": 2, "raises": 6})

    assert {tasks[each] for each in laid_out.layers_of(0)} == {6}
    assert len(laid_out.layers_of(0)) == 2


@pytest.mark.parametrize("one_life", [True, False])
@pytest.mark.parametrize("drawn", [bosses, teams])
def test_layers_give_the_same_and_count_the_same(drawn, one_life):
    builder = drawn()
    builder.updates_to("out", builder.nodes[-1].id)
    whole, layered = builder.driver(), builder.driver(is_layered=True, is_one_life=one_life)

    for driver in (whole, layered):
        _pipe(driver)

    assert layered.read("out") == whole.read("out") != []
    assert layered.counters() == whole.counters()
    assert layered.drops() == whole.drops()


@pytest.mark.parametrize("one_life", [True, False])
def test_what_is_behind_a_shuffle_may_be_cloned(one_life):
    whole = latest_twice().driver()
    layered = latest_twice().driver(is_layered=True, is_one_life=one_life)

    for driver in (whole, layered):
        _pipe(driver)

    assert layered.read("out") == whole.read("out") != []
    assert layered.counters() == whole.counters()


def test_a_record_that_fails_in_a_clone_too_is_a_dead_letter_once():
    builder = GraphBuilder().table("raw", PERSON)
    fields = [{"name": "boss", "expression": "boss"}, {"name": "pay", "expression": "100 / pay"}]
    builder.add("people", "map_values", {"fields": fields}, records="raw")
    builder.add("bosses", "join", {"foreign_key": "boss"} | BOTH, left="people", right="people")
    driver = builder.updates_to("out", "bosses").driver(is_layered=True)

    driver.pipe("raw", key="a", value={"boss": "a", "pay": 0})
    driver.pipe_bytes("raw", b"a", b"{")
    driver.pipe("raw", key="b", value={"boss": "b", "pay": 5})

    assert len(driver.dead_letters()) == 2
    assert driver.read("out") == [("b", {"boss": "b", "pay": 40})]
    assert driver.counters()["raw"] == {"in": 3, "out": 2, "dropped": 0, "errors": 1}
    assert driver.counters()["people"] == {"in": 2, "out": 1, "dropped": 0, "errors": 1}


def test_a_clone_writes_no_lines(caplog: pytest.LogCaptureFixture):
    builder = (
        GraphBuilder().stream("raw", PERSON).add("seen", "peek", stream="raw").add("people", "to_table", stream="seen")
    )
    builder.add("bosses", "join", {"foreign_key": "boss"} | BOTH, left="people", right="people")
    driver = builder.driver(is_layered=True)

    with caplog.at_level(logging.INFO, "record"):
        driver.pipe("raw", key="a", value={"boss": "a", "pay": 5})

    assert "seen.again" in driver.layout.nodes
    assert len(caplog.records) == 1


def _pipe(driver: Driver) -> None:
    chance = random.Random(1)
    for time in range(60):
        value = {"boss": chance.choice("abc"), "pay": chance.randint(0, 9)}
        driver.pipe("people", key=chance.choice("abc"), value=value, timestamp=time)
