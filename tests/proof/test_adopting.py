"""A job continues real Kafka Streams applications, and ends with the results of one that never stopped."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.proof.adopting.drawings import draw
from tests.proof.adopting.programs import Programs
from tests.proof.product import Product

pytestmark = pytest.mark.proof


def adopt(product: Product, program: str) -> None:
    """The application reads the first half and stops. A job continues it."""
    programs = Programs(product.kafka, program)
    first = len(product.read(programs.out))
    drawing = draw(program, programs.left, programs.right, programs.out)
    topology = product.post("/topologies/import", {"streamwright": 1, "name": programs.tag, "graph": drawing})["id"]
    body = {
        "topology": topology,
        "application": programs.application,
        "name": f"job-{programs.tag}",
        "settings": {"cache": False},
    }

    compared = product.post("/jobs/compare-adoption", body)
    programs.go_on()
    look = product.post("/jobs/preview-adoption", body)
    job = int(product.post("/jobs/adopt", body)["id"])
    product.wait(lambda: product.lag(job) == 0, f"the job to have read everything for {program}")
    product.post(f"/jobs/{job}/stop")
    product.wait_for_status(job, "stopped")

    assert (look["problems"], look["guarantee"]) == ([], "exactly_once")
    assert (compared["is_equal"], compared["limits"]) == (True, []), compared
    results = Counter((key, value) for key, value, _ in product.read(programs.out))
    assert results == Counter((key, value) for key, value, _ in product.read(programs.expected))
    assert 0 < first < results.total()


def test_counts_behind_a_repartition_go_on(product: Product) -> None:
    adopt(product, "word-count")


@pytest.mark.soak
@pytest.mark.parametrize("program", ["windows", "sessions", "suppress", "stream-table", "table-table"])
def test_every_kind_of_state_goes_on(product: Product, program: str) -> None:
    adopt(product, program)
