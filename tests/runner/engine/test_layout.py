import pytest

from designer.refusals import Refusal
from designer.values.schemas import INTEGER, STRING, struct
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.layout import DeadLetterSink, Shuffle, Sink, Source, Stage, TopologyLoops
from tests.runner.graph_builder import GraphBuilder

FLIGHT = struct(carrier=STRING, origin=STRING, delay=INTEGER)
RANDOM = """
import random

class Draw(Processor):
    def process(self, record):
        self.context.forward(record.with_value({"name": random.choice("abc")}))
"""
NAMED = {"fields": [{"name": "name", "expression": "right.name"}]}


def flight_delays() -> GraphBuilder:
    builder = GraphBuilder().stream("flights", FLIGHT)
    builder.global_table("airlines", struct(name=STRING)).table("planes", struct(name=STRING))
    builder.add("departed", "filter", {"predicate": "delay IS NOT NULL"}, records="flights")
    builder.add("with-airline", "join", {"key": "carrier"} | NAMED, left="departed", right="airlines")
    builder.add("with-plane", "left_join", NAMED, left="with-airline", right="planes")
    builder.add("late", "filter", {"predicate": "delay > 60"}, records="with-plane").to("late-flights", "late")
    builder.add("by-origin", "select_key", {"key": "origin"}, stream="with-plane")
    builder.add("grouped", "group_by_key", stream="by-origin")
    builder.add("hourly", "windowed_by", {"size_ms": 3_600_000, "grace_ms": 60_000}, grouped="grouped")
    builder.add("delays", "count", {"store": "delays-by-hour"}, grouped="hourly")
    return builder.updates_to("delays-by-airport", "delays")


def test_targets_are_sources_then_cuts_then_sinks_then_dead_letters():
    assert lay_out(flight_delays().graph).targets == (
        Source("flights", "flights", 0, "stream"),
        Source("airlines", "airlines", None, "global", readers=(0,)),
        Source("planes", "planes", 0, "table"),
        Shuffle("by-origin", "grouped", "stream", 0, 1, "grouped-repartition", keeps_null_keys=False),
        Sink("late-flights", "late-flights"),
        Sink("delays-by-airport", "delays-by-airport"),
        DeadLetterSink(),
    )


def test_sub_topologies_lie_between_changes_of_key():
    first, second = lay_out(flight_delays().graph).sub_topologies

    assert first.nodes == (
        *("flights", "planes", "departed", "with-airline", "with-plane", "late", "late-flights"),
        "by-origin",
    )
    assert (first.sources, first.is_stateful, first.depth) == (("flights", "planes"), True, 1)
    assert second.nodes == ("grouped", "hourly", "delays", "delays-updates", "delays-by-airport")
    assert (second.sources, second.is_stateful, second.depth) == ((), True, 2)


def test_stores_are_those_that_are_needed():
    stores = lay_out(flight_delays().graph).stores

    assert [(store.name, store.node, store.kind, store.sub_topology, store.retention_ms) for store in stores] == [
        ("airlines", "airlines", "key_value", None, None),
        ("planes", "planes", "key_value", 0, None),
        ("delays-by-hour", "delays", "window", 1, 3_660_000),
    ]


def kept() -> GraphBuilder:
    """Tables and aggregates that keep more than the last value of each key."""
    builder = GraphBuilder().table("planes", struct(name=STRING), store="fleet", history_ms=5)
    builder.table("crews", struct(name=STRING), ttl_ms=9).stream("flights", FLIGHT)
    builder.add("joined", "join", NAMED | {"grace_ms": 3}, left="flights", right="planes")
    builder.add("grouped", "group_by_key", stream="flights")
    builder.add("hourly", "windowed_by", {"size_ms": 10, "grace_ms": 5}, grouped="grouped")
    builder.add("longer", "windowed_by", {"size_ms": 10, "grace_ms": 5, "retention_ms": 100}, grouped="grouped")
    builder.add("visits", "windowed_by", {"type": "session", "gap_ms": 10, "grace_ms": 5}, grouped="grouped")
    for windows in ("hourly", "longer", "visits"):
        builder.add(f"{windows}-counts", "count", grouped=windows)
    functions = [{"name": name, "function": name, "expression": "delay"} for name in ("sum", "avg")]
    return builder.add("sums", "aggregate", {"functions": functions}, grouped="grouped")


def test_a_store_is_of_the_kind_of_its_table_and_has_others_beside_it():
    stores = lay_out(kept().graph).stores

    assert [(each.name, each.node, each.kind, each.part, each.retention_ms, each.form) for each in stores] == [
        ("fleet", "planes", "versioned", None, 5, ""),
        ("planes.history", "planes", "own", "history", 5, ""),
        ("crews", "crews", "key_value", None, 9, ""),
        ("crews.by-time", "crews", "own", "by_time", 9, ""),
        ("joined.waiting", "joined", "own", "waiting", None, ""),
        ("hourly-counts", "hourly-counts", "window", None, 15, ""),
        ("longer-counts", "longer-counts", "window", None, 100, ""),
        ("visits-counts", "visits-counts", "session", None, 15, ""),
        ("sums", "sums", "key_value", None, None, "sum, avg"),
    ]
    assert [(each.key.format, each.value.format, each.window and each.window.kind) for each in stores] == [
        *[("string", "json", None)] * 5,
        *[("string", "long", kind) for kind in ("tumbling", "tumbling", "session")],
        ("string", "json", None),
    ]


def test_what_belongs_to_a_node_is_found_by_its_part():
    laid_out = lay_out(kept().graph)

    assert laid_out.store_of == {
        "planes": 0,
        "crews": 2,
        "hourly-counts": 5,
        "longer-counts": 6,
        "visits-counts": 7,
        "sums": 8,
    }
    assert laid_out.own_store_of == {("planes", "history"): 1, ("crews", "by_time"): 3, ("joined", "waiting"): 4}


def test_a_stage_runs_the_sub_topologies_of_one_depth():
    assert lay_out(flight_delays().graph).stages == (
        Stage(1, (0,), True, (0, 1, 2)),
        Stage(2, (1,), True, (3,)),
    )


def test_what_needs_no_state_before_the_first_shuffle_is_a_stateless_stage():
    builder = GraphBuilder().stream("flights", FLIGHT)
    builder.add("by-origin", "select_key", {"key": "origin"}, stream="flights")
    builder.add("grouped", "group_by_key", stream="by-origin").add("counts", "count", grouped="grouped")

    stages = lay_out(builder.updates_to("out", "counts").graph).stages

    assert [(stage.depth, stage.is_stateful) for stage in stages] == [(0, False), (1, True)]


def test_a_topology_without_state_has_one_stateless_stage():
    laid_out = lay_out(GraphBuilder().stream("flights", FLIGHT).to("out", "flights").graph)

    assert [(stage.depth, stage.is_stateful) for stage in laid_out.stages] == [(0, False)]


def test_a_key_that_was_not_changed_needs_no_shuffle():
    builder = GraphBuilder().stream("flights", FLIGHT).add("grouped", "group_by_key", stream="flights")

    laid_out = lay_out(builder.add("counts", "count", grouped="grouped").updates_to("out", "counts").graph)

    assert len(laid_out.sub_topologies) == 1
    assert not laid_out.shuffle_of


def two_counts_of_one_group() -> GraphBuilder:
    builder = (
        GraphBuilder().stream("flights", FLIGHT).add("by-origin", "group_by", {"key": "origin"}, records="flights")
    )
    builder.add("hourly", "windowed_by", {"size_ms": 3_600_000}, grouped="by-origin")
    builder.add("all", "count", grouped="by-origin").add("in-hours", "count", grouped="hourly")
    return builder.updates_to("out", "all").updates_to("out-in-hours", "in-hours")


def test_aggregates_of_one_group_share_one_shuffle():
    laid_out = lay_out(two_counts_of_one_group().graph)

    shuffles = [target for target in laid_out.targets if isinstance(target, Shuffle)]
    assert [(shuffle.from_node, shuffle.to_node, shuffle.name) for shuffle in shuffles] == [
        ("by-origin.key", "by-origin", "by-origin-repartition")
    ]
    assert {"all", "in-hours"} <= set(laid_out.sub_topologies[1].nodes)


def test_plans_of_an_older_form_have_a_shuffle_for_each_aggregate():
    shared, apart = (lay_out(two_counts_of_one_group().graph, shares_shuffles=each) for each in (True, False))

    shuffles = [target for target in apart.targets if isinstance(target, Shuffle)]
    assert [(shuffle.from_node, shuffle.to_node) for shuffle in shuffles] == [
        ("by-origin", "all"),
        ("hourly", "in-hours"),
    ]
    assert [store.name for store in apart.stores] == [store.name for store in shared.stores]


def test_topologies_side_by_side_are_sub_topologies_in_order_of_definition():
    builder = GraphBuilder().stream("b").stream("a").to("from-a", "a").to("from-b", "b")

    laid_out = lay_out(builder.graph)

    assert [each.nodes for each in laid_out.sub_topologies] == [("b", "from-b"), ("a", "from-a")]


def test_a_store_is_numbered_by_its_node_in_order_of_definition_whatever_the_order_of_edges():
    builder = flight_delays()
    again = flight_delays()
    again.edges.reverse()

    assert lay_out(builder.graph).targets == lay_out(again.graph).targets
    assert lay_out(builder.graph).stores == lay_out(again.graph).stores


def test_a_sub_topology_that_feeds_itself_has_no_stages_without_layers():
    builder = GraphBuilder().stream("flights", FLIGHT).table("planes", struct(name=STRING))
    builder.add("once", "join", NAMED, left="flights", right="planes")
    builder.add("by-origin", "select_key", {"key": "origin"}, stream="once")
    builder.add("twice", "join", NAMED, left="by-origin", right="planes").to("out", "twice")

    assert len(lay_out(builder.graph).stages) == 2
    with pytest.raises(TopologyLoops, match="`twice`"):
        lay_out(builder.graph, is_layered=False).stages


def test_code_of_a_user_runs_once_so_that_a_loop_in_front_of_which_it_stands_has_no_stages():
    builder = GraphBuilder().stream("flights", FLIGHT).stream("names", struct(name=STRING))
    builder.add(
        "drawn", "process_values", {"code": RANDOM, "value_type": struct(name=STRING).to_json()}, stream="names"
    )
    builder.add("planes", "to_table", stream="drawn").add("once", "join", NAMED, left="flights", right="planes")
    builder.add("by-origin", "select_key", {"key": "origin"}, stream="once")
    builder.add("twice", "join", NAMED, left="by-origin", right="planes").to("out", "twice")

    with pytest.raises(TopologyLoops, match="`drawn`"):
        lay_out(builder.graph).stages


def test_a_graph_with_issues_is_refused():
    builder = GraphBuilder().stream("flights", FLIGHT)
    builder.add("late", "filter", {"predicate": "dleay > 60"}, records="flights").to("out", "late")

    with pytest.raises(Refusal, match="`late`"):
        lay_out(builder.graph)
