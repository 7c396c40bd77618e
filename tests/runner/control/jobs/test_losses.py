"""Records that are gone before a job has read them: said before a deploy, then skipped with the state kept."""

from collections.abc import Sequence
from typing import Any

import pytest
from confluent_kafka import Producer, TopicPartition
from django.core.management import CommandError, call_command

from runner.control.jobs.plans.next_epoch import without_losses
from runner.control.jobs.plans.remains import Loss, find_losses
from runner.plan import TopicFacts

from .conftest import Stage, list_ways
from .test_state import batch_done, deployed, ended, preview, summed


def fill(stage: Stage, counts: Sequence[int], timestamp: int | None = None) -> None:
    """So many records in each partition of the orders, of now or of a time (ms)."""
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    for partition, count in enumerate(counts):
        for _ in range(count):
            producer.produce(stage.orders, b'{"id": 1}', key=b"k", partition=partition, timestamp=timestamp or 0)
    producer.flush()


def delete_before(stage: Stage, offsets: Sequence[int]) -> None:
    places = [TopicPartition(stage.orders, partition, offset) for partition, offset in enumerate(offsets)]
    for future in stage.cluster.admin.delete_records(places).values():
        future.result()


def make_again(stage: Stage, partitions: int) -> None:
    stage.cluster.delete(stage.orders)
    while stage.cluster.find([stage.orders]):
        pass
    stage.cluster.create(stage.orders, partitions)


def test_records_that_are_gone_are_named_and_a_deploy_asks_what_to_do(stage: Stage, host: str, reconcile: Any) -> None:
    deployed(stage, reconcile)  # read to 30 and 12
    fill(stage, [50, 50])
    delete_before(stage, [40, 12])

    found = preview(stage, stage.counting())
    refused = stage.deploy(stage.job().topology, expect=409)

    loss = {"topic": stage.orders, "partition": 0, "why": "deleted", "read_to": 30, "first": 40, "goes_on": 40}
    assert found["losses"] == [loss | {"skipped": 10}]
    assert (found["has_new_epoch"], list_ways(found)) == (True, ["skip_lost", "fresh_from_earliest"])
    assert found["question"].startswith("Kafka deleted records that the job has not read.")
    assert (refused["code"], refused["losses"]) == ("deploy.offsets_lost", found["losses"])
    assert f"Partition 0 of topic `{stage.orders}` was read to offset 30" in refused["message"]
    with pytest.raises(CommandError, match="skip_lost"):
        call_command("deploy", stage.name)


@pytest.mark.parametrize(("start", "goes_on"), [("earliest", [40, 12]), ("latest", [50, 12])])
def test_the_state_is_kept_and_the_job_goes_on_behind_what_is_gone(
    stage: Stage, host: str, reconcile: Any, start: str, goes_on: list[int]
) -> None:
    old = deployed(stage, reconcile, stage.counting(start=start))
    fill(stage, [50, 50])
    delete_before(stage, [40, 12])

    call_command("deploy", stage.name, on_state="skip_lost")
    reconcile(stage)

    new = stage.run().read_plan()
    assert (new.epoch, new.topics[stage.orders].start) == (2, goes_on)
    assert new.seed is not None
    assert (new.seed.stores, new.seed.checkpoint) == (["counted"], old.checkpoint)
    batch_done(stage, new, 0, [45, 20])
    ended(stage)
    assert preview(stage, stage.counting(start=start))["losses"] == []
    stage.deploy(stage.job().topology)
    reconcile(stage)
    assert (stage.run().epoch, stage.run().read_plan().topics) == (2, new.topics)


@pytest.mark.parametrize("partitions", [1, 3])
def test_a_topic_that_was_made_again_is_gone_on_with(stage: Stage, host: str, reconcile: Any, partitions: int) -> None:
    old = deployed(stage, reconcile)
    make_again(stage, partitions)

    answer = preview(stage, stage.counting())
    found = answer["losses"]
    refused = stage.deploy(stage.job().topology, expect=409)
    stage.deploy(stage.job().topology, on_state="skip_lost")
    reconcile(stage)

    new = stage.run().read_plan()
    assert [(loss["why"], loss["partition"], loss["skipped"]) for loss in found] == [
        ("recreated", partition, None) for partition in range(partitions)
    ]
    assert answer["question"].startswith("A topic was deleted and created again since the job read it.")
    assert answer["choices"][0]["title"] == "Keep the state and continue with the new topic"
    assert (refused["code"], "deleted and created again" in refused["message"]) == ("deploy.offsets_lost", True)
    assert (new.epoch, new.topics[stage.orders].start) == (2, [-2] * partitions)
    assert new.seed is not None
    assert (new.seed.stores, new.seed.checkpoint, new.tasks) == (["counted"], old.checkpoint, old.tasks)


def test_state_that_cannot_be_kept_is_asked_for_together_with_what_is_gone(
    stage: Stage, host: str, reconcile: Any
) -> None:
    deployed(stage, reconcile, summed(stage))
    make_again(stage, 2)
    topology = stage.redraw(stage.job().topology, summed(stage, "avg"))

    refused = stage.deploy(topology, expect=409, on_state="fresh_from_now")
    stage.deploy(topology, on_state="skip_lost")
    reconcile(stage)

    new = stage.run().read_plan()
    assert refused["code"] == "deploy.offsets_lost"
    assert (new.epoch, new.seed, new.topics[stage.orders].start) == (2, None, [-2, -2])


def test_nothing_is_lost_of_a_topic_that_still_holds_what_comes_next(stage: Stage, host: str, reconcile: Any) -> None:
    deployed(stage, reconcile)
    fill(stage, [50, 50])
    delete_before(stage, [30, 12])

    assert preview(stage, stage.counting())["losses"] == []
    stage.deploy(stage.job().topology)


def test_a_start_by_time_goes_on_there_but_never_before_what_is_left(stage: Stage) -> None:
    fill(stage, [50, 50])
    delete_before(stage, [40, 40])
    topic = stage.cluster.topic(stage.orders)
    old = {topic.name: TopicFacts(id=topic.id, partitions=2, start=[0, 0])}
    by_time = {topic.name: TopicFacts(id=topic.id, partitions=2, start=[45, 10])}
    read_to = {topic.name: [30, 39]}

    found = find_losses(old, by_time, read_to, {}, stage.cluster)

    assert found == [Loss(topic.name, 0, "deleted", 30, 40, 45), Loss(topic.name, 1, "deleted", 39, 40, 40)]
    assert [loss.skipped_count for loss in found] == [15, 1]
    assert without_losses(read_to, found) == {topic.name: [45, 40]}
