"""Nothing vanishes uncounted: the outcomes of every node balance, whatever the records, in all graphs of the cases."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from designer.topology.graph import Graph
from runner.engine.trial import Trial
from tests.balance import GARBAGE, imbalances, pipe
from tests.conformance.kept import graphs
from tests.conformance.product.cases import Case

RECORDS = 60
STEPS_MS = (0, 1, 250, 1_000, 60_000, -400, -70_000, 5_000_000)
VALUES = (None, GARBAGE, 2**63 - 1, "a|b", "x")

every_graph = pytest.mark.parametrize(("case", "graph"), [pytest.param(*each, id=each[0]["name"]) for each in graphs()])


@every_graph
def test_the_counters_balance(case: Case, graph: Graph):
    """In batches of any size, over recreated tasks; for every other case with caches."""
    chance = random.Random(case["name"])
    trial, records = Trial(graph, cache=chance.random() < 0.5, is_one_life=False), list(drawn(case, chance))

    while records:
        size = chance.choice((1, 2, 10))
        with trial.batch():
            for record in records[:size]:
                pipe(trial, *record)
        del records[:size]

    assert imbalances(trial) == {}


def drawn(case: Case, chance: random.Random) -> Iterator[tuple[str, Any, Any, int]]:
    """Random records for the topics of a case, with its own parts: some null, unreadable or of another type."""
    inputs, time = case["inputs"], 0
    for _ in range(RECORDS):
        time = max(0, time + chance.choice(STEPS_MS))
        topic = chance.choice(inputs)["topic"]
        of_topic = [each for each in inputs if each["topic"] == topic]
        key = chance.choice([*(each["key"] for each in of_topic), None, GARBAGE])
        value = chance.choice([*(each["value"] for each in of_topic), *VALUES])
        yield topic, key, value, time
