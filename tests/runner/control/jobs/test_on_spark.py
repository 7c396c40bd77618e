"""One job with nothing in anyone's place: agent, supervisor, Spark, Kafka, Redis."""

import json
from typing import Any

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import NewPartitions  # type: ignore[attr-defined]
from django.conf import settings

from runner.kafka import Message

from .conftest import AgentProcess, Stage, eventually
from .test_losses import delete_before, make_again


def order(stage: Stage, numbers: range, **how: Any) -> None:
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    for number in numbers:
        producer.produce(stage.orders, json.dumps({"id": number}).encode(), key=b"ada" if number % 2 else b"eve", **how)
    producer.flush()


def counts(stage: Stage) -> dict[bytes | None, bytes | None]:
    """The newest count of each key in the output topic."""
    return {message.key: message.value for message in stage.cluster.sample(f"{stage.name}-counts", 100)}


@pytest.mark.spark
@pytest.mark.soak
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

    stage.cluster.admin.create_partitions([NewPartitions(stage.orders, 3)])[stage.orders].result()
    eventually(lambda: len(source(stage)["ends"]) == 3, "the new partition's end")
    order(stage, range(14, 16), partition=2)
    every = {b"ada": (8).to_bytes(8), b"eve": (8).to_bytes(8)}
    eventually(lambda: counts(stage) == every, "the new partition's orders counted")
    eventually(lambda: source(stage)["lag"] == [0, 0, 0] and len(source(stage)["offsets"]) == 3, "the lag of all three")

    writer = Producer({"bootstrap.servers": stage.cluster.servers, "transactional.id": stage.name + "-writer"})
    writer.init_transactions(10)
    writer.begin_transaction()
    for _ in range(3):
        writer.produce(stage.orders, b'{"id": 1}', key=b"ada", partition=2)
    writer.flush()
    eventually(
        lambda: source(stage)["total_waiting"] == 3 and source(stage)["waiting_s"] > 0, "what waits for a commit"
    )
    assert (source(stage)["waiting"], source(stage)["total_lag"]) == ([0, 0, 3], 0)
    eventually(lambda: history(stage)[-1]["waiting"] == 3 and history(stage)[-1]["lag"] == 0, "the same in the history")
    writer.abort_transaction(10)
    eventually(lambda: (source(stage)["total_waiting"], source(stage)["total_lag"]) == (0, 0), "nothing waits")
    stage.client.post(f"/api/jobs/{stage.job().id}/stop")
    stage.await_status("stopped")


@pytest.mark.spark
@pytest.mark.soak
def test_a_job_goes_on_with_its_state_after_records_were_deleted_and_after_its_topic_was_made_again(
    stage: Stage, spark_agent: AgentProcess, reconcile: Any
) -> None:
    order(stage, range(10), partition=0)
    stage.deploy(stage.topology(), settings={"slots": 1})
    reconcile(stage)
    eventually(lambda: counts(stage) == {b"ada": (5).to_bytes(8), b"eve": (5).to_bytes(8)}, "ten orders counted")
    stop(stage)

    order(stage, range(10, 20), partition=0)
    delete_before(stage, [16, 0])  # of ten unread records six are gone
    stage.deploy(stage.job().topology, expect=409)
    stage.deploy(stage.job().topology, on_state="skip_lost")
    reconcile(stage)
    eventually(lambda: counts(stage) == {b"ada": (7).to_bytes(8), b"eve": (7).to_bytes(8)}, "what is left counted")
    order(stage, range(20, 22), partition=1)
    eventually(lambda: counts(stage) == {b"ada": (8).to_bytes(8), b"eve": (8).to_bytes(8)}, "new orders counted")
    stop(stage)

    make_again(stage, 1)
    order(stage, range(4), partition=0)
    stage.deploy(stage.job().topology, expect=409)
    stage.deploy(stage.job().topology, on_state="skip_lost")
    reconcile(stage)
    eventually(lambda: counts(stage) == {b"ada": (10).to_bytes(8), b"eve": (10).to_bytes(8)}, "the new topic counted")
    stop(stage)

    written = [int.from_bytes(each.value or b"") for each in updates(stage, b"ada")]
    assert written == sorted(set(written))  # no record counted twice, nothing written again
    assert stage.run().epoch == 3


def updates(stage: Stage, key: bytes) -> list[Message]:
    """What was written for a key, oldest first; each batch writes its last count."""
    return sorted((one for one in stage.cluster.sample(f"{stage.name}-counts", 100) if one.key == key), key=_offset)


def _offset(message: Message) -> int:
    return message.offset


def stop(stage: Stage) -> None:
    stage.client.post(f"/api/jobs/{stage.job().id}/stop")
    stage.await_status("stopped")


def source(stage: Stage) -> dict[str, Any]:
    found: dict[str, Any] = live(stage)["sources"][stage.orders]
    return found


def history(stage: Stage) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = stage.client.get(f"/api/jobs/{stage.job().id}/history").json()
    return found


def live(stage: Stage) -> dict[str, Any]:
    found: dict[str, Any] = stage.client.get(f"/api/jobs/{stage.job().id}/live").json()["numbers"]
    return found
