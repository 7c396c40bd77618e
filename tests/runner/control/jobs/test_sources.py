"""What a deploy makes of sources with several topics, a pattern or a time, and of sinks that choose their topic."""

from __future__ import annotations

from typing import Any

import pytest
from confluent_kafka import Producer

from .conftest import Stage


def test_a_pattern_stands_for_the_topics_that_match_it_now(stage: Stage, host: str, reconcile: Any) -> None:
    names = [f"{stage.name}-eu-clicks", f"{stage.name}-us-clicks"]
    for name in (*names, f"{stage.name}-clicks-of-others"):
        stage.cluster.create(name, 3)
    graph = stage.counting(topic=None, pattern=f"{stage.name}-..-clicks")

    stage.deploy(stage.topology(graph))
    reconcile(stage)

    plan = stage.run().read_plan()
    assert sorted(plan.topics) == names
    assert plan.tasks == [3]


def test_a_pattern_that_matches_nothing_is_refused(stage: Stage) -> None:
    refusal = stage.deploy(stage.topology(stage.counting(topic=None, pattern=f"{stage.name}-none-.*")), expect=422)

    assert (refusal["code"], refusal["node"]) == ("topic.missing", "orders")


def test_several_topics_are_one_stream_with_as_many_tasks_as_the_largest_has_partitions(
    stage: Stage, host: str, reconcile: Any
) -> None:
    more = stage.cluster.create(f"{stage.name}-more", 5)

    stage.deploy(stage.topology(stage.counting(topics=[more.name])))
    reconcile(stage)

    plan = stage.run().read_plan()
    assert sorted(plan.topics) == [more.name, stage.orders]
    assert plan.tasks == [5]


def test_a_time_to_start_at_becomes_the_first_offsets_from_then_on(stage: Stage, host: str, reconcile: Any) -> None:
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    for at in (1_000, 2_000, 3_000):
        producer.produce(stage.orders, b'{"id": 1, "amount": 2.5}', b"a", partition=0, timestamp=at)
    producer.flush()

    stage.deploy(stage.topology(stage.counting(start="1970-01-01T00:00:02Z")))
    reconcile(stage)

    assert stage.run().read_plan().topics[stage.orders].start == [1, 0]


@pytest.mark.parametrize("start", [1_700_000_000_000, "1700000000000", "2023-11-14T22:13:20Z"])
def test_a_job_may_say_the_time_that_its_streams_start_at(
    stage: Stage, host: str, reconcile: Any, start: int | str
) -> None:
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    for at in (-1_000, 0, 1_000):
        producer.produce(stage.orders, b'{"id": 1}', b"a", partition=0, timestamp=1_700_000_000_000 + at)
    producer.flush()

    job = stage.deploy(stage.topology(), settings={"start": start})
    reconcile(stage)

    assert job["settings"]["start"] == str(start)
    assert stage.run().read_plan().topics[stage.orders].start == [1, 0]


def test_a_start_of_a_job_that_is_no_time_is_refused(stage: Stage) -> None:
    refusal = stage.deploy(stage.topology(), expect=422, settings={"start": "yesterday"})

    assert refusal["setting"] == "start"
    assert refusal["message"].endswith("`start` is `yesterday`; expected `earliest`, `latest` or a time.")
    assert "ISO 8601" in refusal["hint"]


def test_the_topics_a_sink_may_choose_from_must_be_there(stage: Stage, host: str, reconcile: Any) -> None:
    allowed = [f"{stage.name}-few", f"{stage.name}-many"]
    graph = stage.counting()
    choice = f"CASE WHEN value > 10 THEN '{allowed[1]}' ELSE '{allowed[0]}' END"
    graph["nodes"][-1]["config"] = {"topics": allowed, "topic_expression": choice}
    topology = stage.topology(graph)
    refusal = stage.deploy(topology, expect=422)
    for name in allowed:
        stage.cluster.create(name, 2)

    stage.deploy(topology)

    assert (refusal["code"], refusal["node"], refusal["topic"]) == ("topic.missing", "counts", allowed[0])
