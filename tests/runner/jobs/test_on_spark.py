"""One job with nothing in anybody's place: agent, drive, Spark, Kafka, Redis."""

import json
from typing import Any

import pytest
from confluent_kafka import Producer
from django.conf import settings

from .conftest import AgentProcess, Stage, eventually


def order(stage: Stage, numbers: range) -> None:
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    for number in numbers:
        producer.produce(stage.orders, json.dumps({"id": number}).encode(), key=b"ada" if number % 2 else b"eve")
    producer.flush()


def counts(stage: Stage) -> dict[bytes | None, bytes | None]:
    """The newest count of each key in the output topic."""
    return {message.key: message.value for message in stage.cluster.sample(f"{stage.name}-counts", 100)}


@pytest.mark.spark
@pytest.mark.slow
def test_a_changed_job_goes_on_with_its_state_and_nothing_lost_or_repeated(
    stage: Stage, spark_agent: AgentProcess, reconcile: Any
) -> None:
    order(stage, range(10))
    stage.deploy(stage.topology())
    reconcile(stage)
    eventually(lambda: counts(stage).get(b"ada") == (5).to_bytes(8), "five orders counted")
    eventually(lambda: live(stage)["sources"][stage.orders]["total_lag"] == 0, "no lag")
    shown = live(stage)

    stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="earliest")))
    eventually(lambda: stage.run().status == "stopped", "the end of the old run")
    order(stage, range(10, 14))
    reconcile(stage)
    eventually(lambda: counts(stage).get(b"ada") == (7).to_bytes(8), "seven orders counted")

    assert shown["nodes"]["counted"]["in"] == 10
    assert counts(stage) == {b"ada": (7).to_bytes(8), b"eve": (7).to_bytes(8)}
    assert (stage.run().epoch, stage.run().read_plan().seed is not None) == (2, True)
    epochs = settings.HOME / "checkpoints" / stage.name
    eventually(lambda: [path.name for path in epochs.iterdir()] == ["epoch-2"], "the first epoch cleared away")
    stage.client.post(f"/api/jobs/{stage.job().id}/stop")
    stage.await_status("stopped")


def live(stage: Stage) -> dict[str, Any]:
    found: dict[str, Any] = stage.client.get(f"/api/jobs/{stage.job().id}/live").json()["numbers"]
    return found
