"""Where topics end for those who read what is committed. A commit is answered before its marks stand in the topics."""

from __future__ import annotations

import time

from confluent_kafka import TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.admin._listoffsets import OffsetSpec

from runner.kafka import KafkaCluster

SECONDS = 10.0
"""For so long at most; a topic that is written all the time settles never."""


def settled_ends(servers: str, topic: str) -> list[int]:
    """The end of each partition once nothing is between it and what a transaction has just written."""
    cluster, admin = KafkaCluster(servers), AdminClient({"bootstrap.servers": servers})
    facts = cluster.topic(topic)
    asked = {TopicPartition(topic, number): OffsetSpec.latest() for number in range(facts.partitions)}
    deadline = time.monotonic() + SECONDS
    while True:
        written = [future.result().offset for future in admin.list_offsets(asked).values()]
        ends = cluster.end_offsets([facts])[topic]
        if sorted(ends) == sorted(written) or time.monotonic() > deadline:
            return ends
        time.sleep(0.02)
