"""What Kafka Streams answers, we answer: every case, record by record, in the driver."""

from __future__ import annotations

import pytest

from designer.topology.graph import Graph
from runner.engine.trial import Trial
from tests.conformance.kept import CASES, FAMILIES, graphs
from tests.conformance.product.cases import Case
from tests.conformance.product.compare import difference, has_one_end
from tests.conformance.product.on_driver import answer

every_case = pytest.mark.parametrize(("case", "graph"), [pytest.param(*each, id=each[0]["name"]) for each in graphs()])


def test_all_families_are_here():
    assert len(FAMILIES) >= 25
    assert len(CASES) >= 612


@every_case
def test_each_record_has_the_consequences_it_has_in_kafka_streams(case: Case, graph: Graph):
    found = answer(case, graph)

    assert difference(case, found, "stepwise") is None


@every_case
def test_looking_at_what_leaves_each_node_changes_nothing(case: Case, graph: Graph):
    found = answer(case, graph, kind=Trial)

    assert difference(case, found, "stepwise") is None


@every_case
def test_tasks_made_anew_for_each_record_go_on_from_their_state(case: Case, graph: Graph):
    found = answer(case, graph, is_one_life=False)

    assert difference(case, found, "stepwise") is None


@every_case
def test_one_batch_of_all_records_gives_the_same(case: Case, graph: Graph):
    found = answer(case, graph, batches="one")

    assert difference(case, found, "per-key") is None
    assert found.counted == answer(case, graph).counted


@pytest.mark.parametrize(
    ("case", "graph"), [pytest.param(*each, id=each[0]["name"]) for each in graphs() if has_one_end(each[0])]
)
def test_with_caches_the_tables_end_the_same(case: Case, graph: Graph):
    found = answer(case, graph, batches="one", cache=True)

    assert difference(case, found, "final") is None
