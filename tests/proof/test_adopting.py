"""A job continues real Kafka Streams applications, and ends with the results of one that never stopped."""

from __future__ import annotations

from collections import Counter

import pytest

from runner.kafka import KafkaCluster
from tests.proof.adopting.drawings import draw
from tests.proof.adopting.programs import Programs
from tests.proof.product import Product

pytestmark = pytest.mark.proof


STEPS = (*(f"adopting@{number}" for number in range(1, 9)), "planned", "before-commit", "after-commit")
"""The steps of `runner.spark.adopting`. The ninth is the first batch, which has several places to die at."""


def adopt(product: Product, program: str, dies_at: str | None = None) -> None:
    """The application reads the first half and stops. A job continues it. A process dies at one step, if wanted."""
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
    before = read_group(product, programs)
    if dies_at is not None:
        product.fail_at(dies_at)
    job = int(product.post("/jobs/adopt", body)["id"])
    product.wait(lambda: dies_at is None or not product.failpoint.exists(), f"a process to die at {dies_at}")
    product.await_read(job, programs.left)
    product.post(f"/jobs/{job}/stop")
    product.wait_for_status(job, "stopped")

    assert (look["problems"], look["guarantee"]) == ([], "exactly_once")
    assert (compared["is_equal"], compared["limits"]) == (True, []), compared
    results = Counter((key, value) for key, value, _ in product.read(programs.out))
    assert results == Counter((key, value) for key, value, _ in product.read(programs.expected))
    assert 0 < first < results.total()
    assert read_group(product, programs) == before  # the application could still go on where it stopped
    product.delete(f"/jobs/{job}")


def read_group(product: Product, programs: Programs) -> dict[str, list[int | None]]:
    """The offsets that the application has committed."""
    cluster = KafkaCluster(product.kafka)
    committed = cluster.read_committed_of(programs.application, [cluster.topic(programs.left)])
    return {topic: [None if each is None else each.offset for each in offsets] for topic, offsets in committed.items()}


def test_counts_behind_a_repartition_go_on(product: Product) -> None:
    adopt(product, "word-count")


@pytest.mark.soak
@pytest.mark.parametrize("program", ["windows", "sessions", "suppress", "stream-table", "table-table"])
def test_every_kind_of_state_goes_on(product: Product, program: str) -> None:
    adopt(product, program)


@pytest.mark.soak
@pytest.mark.parametrize("step", STEPS)
def test_a_process_that_dies_at_any_step_loses_and_repeats_nothing(product: Product, step: str) -> None:
    adopt(product, "word-count", step)
