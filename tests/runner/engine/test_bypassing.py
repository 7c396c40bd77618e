"""Records pass a bypassed node as they are, and the running topology does not have it."""

from dataclasses import replace

from designer.topology.bypassing import remove_bypassed
from designer.topology.graph import Graph
from designer.values.schemas import INTEGER, struct
from runner.engine.driver import Driver
from runner.engine.planning.lay_out import lay_out
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(amount=INTEGER)


def bypassed(builder: GraphBuilder, *names: str) -> Driver:
    nodes = (replace(node, bypassed=node.id in names) for node in builder.nodes)
    return Driver(Graph(tuple(nodes), tuple(builder.edges)))


def test_a_bypassed_filter_keeps_every_record():
    builder = (
        GraphBuilder().stream("orders", ORDER).add("dear", "filter", {"predicate": "amount > 5"}, records="orders")
    )
    driver = bypassed(builder.to("out", "dear"), "dear")

    driver.pipe("orders", key="a", value={"amount": 1})

    assert driver.read("out") == [("a", {"amount": 1})]
    assert "dear" not in driver.counters()


def test_a_table_behind_a_bypassed_node_is_the_one_before_it():
    builder = (
        GraphBuilder().table("prices", INTEGER).add("dear", "filter", {"predicate": "value > 5"}, records="prices")
    )
    builder.stream("sales", INTEGER)
    builder.add("priced", "join", {"value": "left + right"}, left="sales", right="dear")
    driver = bypassed(builder.to("out", "priced"), "dear")

    driver.pipe("prices", key="a", value=1)
    driver.pipe("sales", key="a", value=10)

    assert driver.read("out") == [("a", 11)]


def test_a_versioned_table_behind_a_bypassed_node_keeps_its_history():
    builder = GraphBuilder().table("prices", INTEGER, history_ms=100)
    builder.add("dear", "filter", {"predicate": "value > 5"}, records="prices")
    builder.add("cheap", "filter", {"predicate": "value < 9"}, records="dear")
    graph = builder.updates_to("out", "cheap").graph
    bypassed_graph = replace(graph, nodes=tuple(replace(node, bypassed=node.id == "dear") for node in graph.nodes))

    assert lay_out(bypassed_graph).nodes == lay_out(remove_bypassed(bypassed_graph)).nodes
