"""Topics that changed while no run read them."""

from __future__ import annotations

from uuid import uuid4

import pytest

from runner.kafka import KafkaCluster, TopicMissing
from runner.plan import TopicFacts
from runner.spark.failures import of_refusal
from runner.spark.preparing import refuse_changed


def test_a_topic_that_was_deleted_is_created_again_and_the_job_deployed(kafka_servers: str):
    name = f"orders-{uuid4().hex[:8]}"

    with pytest.raises(TopicMissing) as missing:
        refuse_changed({name: TopicFacts(id="id", partitions=1, start=[0])}, KafkaCluster(kafka_servers))

    failure = of_refusal(missing.value)
    assert failure.code == "topic.missing"
    assert failure.hint.startswith("Create it again, then deploy the job: the dialog offers to keep its state")
