"""What may be wired, by examples that the page's own test reads too (frontend/src/editor/edges/wiring.test.ts)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import django
import pytest

from designer.checks import check
from designer.projects.presentation import describe_messages, describe_operators, describe_pairs, list_refused_edges
from designer.topology.graph import Edge, Graph, Node

FILE = Path(__file__).with_name("wiring.json")
GRAPHS = sorted((Path(__file__).parents[3] / "runner" / "demo").rglob("*.json"))
WIRING = json.loads(FILE.read_text())
CODES = {"port.unknown", "port.type", "port.pair", "port.fed_twice", "graph.cycle"}


def rules(names: set[str]) -> dict[str, Any]:
    """What the page knows of these operators, without words and forms; of a form only the defaults."""
    told = [operator.model_dump(mode="json") for operator in describe_operators() if operator.name in names]
    for operator in told:
        properties = operator["form"].get("properties", {}).items()
        defaults = {name: {"default": field["default"]} for name, field in properties if "default" in field}
        operator |= {"help": "", "kafka_names": [], "form": {"properties": defaults}, "expressions": []}
    return {
        "operators": told,
        "refused": [edge.model_dump(mode="json") for edge in list_refused_edges() if edge.operator in names],
        "pairs": [pair.model_dump(mode="json") for pair in describe_pairs() if pair.operator in names],
        "messages": {code: sentence.model_dump() for code, sentence in describe_messages().items()},
    }


def edge(text: str) -> Edge:
    """`a > b.left` runs from the output `result` of a; `a.rest > b.left` names another."""
    source, target = (end.partition(".") for end in text.split(" > "))
    return Edge(source[0], source[2] or "result", target[0], target[2])


def drawn(example: dict[str, Any]) -> Graph:
    """The graph of an example, with its edge."""
    nodes = tuple(Node(name, operator, config) for name, (operator, config) in example["nodes"].items())
    return Graph(nodes, tuple(edge(text) for text in (*example["edges"], example["edge"])))


@pytest.mark.parametrize("example", WIRING["examples"], ids=lambda example: example["edge"])
def test_an_example_holds(example: dict[str, Any]) -> None:
    found = {issue.code for issue in check(drawn(example))} & CODES

    assert found == ({example["refused"]} if example["refused"] else set())


def test_the_page_says_of_a_pair_what_the_check_says() -> None:
    told = {(pair.message, pair.hint) for pair in describe_pairs()}
    found = [
        (issue.message, issue.hint)
        for example in WIRING["examples"]
        if example["refused"] == "port.pair"
        for issue in check(drawn(example))
        if issue.code == "port.pair"
    ]

    assert found
    assert [each for each in found if each not in told] == []


def operators_used() -> set[str]:
    """Those of the examples, and of the graphs that the page's layout is tested with."""
    graphs = [json.loads(file.read_text())["graph"] for file in GRAPHS]
    used = {operator for example in WIRING["examples"] for operator, _ in example["nodes"].values()}
    return used | {node["operator"] for graph in graphs for node in graph["nodes"]}


def test_the_rules_beside_the_examples_are_those_of_the_catalogue() -> None:
    now = json.loads(json.dumps(rules(operators_used())))

    assert WIRING["rules"] == now, f"Write it again: python -m {__name__}"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    django.setup()
    FILE.write_text(json.dumps(WIRING | {"rules": rules(operators_used())}, indent=1) + "\n")
