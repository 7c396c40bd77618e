"""Records pass a bypassed node as they are, and the running topology does not have it."""

from dataclasses import replace

from designer.graph import Graph
from designer.schemas import INTEGER, struct
from runner.engine.driver import Driver
from tests.runner.drawing import Drawing

ORDER = struct(amount=INTEGER)


def bypassed(drawing: Drawing, *names: str) -> Driver:
    nodes = (replace(node, bypassed=node.id in names) for node in drawing.nodes)
    return Driver(Graph(tuple(nodes), tuple(drawing.edges)))


def test_a_bypassed_filter_keeps_every_record():
    drawing = Drawing().stream("orders", ORDER).add("dear", "filter", {"predicate": "amount > 5"}, records="orders")
    driver = bypassed(drawing.to("out", "dear"), "dear")

    driver.pipe("orders", key="a", value={"amount": 1})

    assert driver.read("out") == [("a", {"amount": 1})]
    assert "dear" not in driver.counters()


def test_a_table_behind_a_bypassed_node_is_the_one_before_it():
    drawing = Drawing().table("prices", INTEGER).add("dear", "filter", {"predicate": "value > 5"}, records="prices")
    drawing.stream("sales", INTEGER)
    drawing.add("priced", "join", {"value": "left + right"}, left="sales", right="dear")
    driver = bypassed(drawing.to("out", "priced"), "dear")

    driver.pipe("prices", key="a", value=1)
    driver.pipe("sales", key="a", value=10)

    assert driver.read("out") == [("a", 11)]
