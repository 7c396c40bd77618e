"""Marks of dead letters that went back to their source topic, each written in the transaction of its record.

Marks are in a compacted topic beside the dead letters. The key names the letter by the id of its topic, so a recreated
topic begins without marks.
"""

from __future__ import annotations

from typing import NotRequired

import orjson
from typing_extensions import TypedDict

from runner.kafka import KafkaCluster, Place, Topic, TopicReader

PARTITIONS = 1


class Edit(TypedDict):
    """A key and value as `runner.watch.topics.texts` writes them."""

    key: str | None
    value: str | None


class Mark(TypedDict):
    """Who sent a letter back, when (ms since 1970), by which redrive and where to; of an edited one both contents."""

    redrive: int
    by: str
    at: int
    to: str
    original: NotRequired[Edit]
    edited: NotRequired[Edit]


Marks = dict[Place, Mark]


def name_topic_of_marks(letters: str) -> str:
    return f"{letters}-redriven"


def make_topic(cluster: KafkaCluster, letters: str) -> None:
    """Create the topic of marks if it is missing."""
    cluster.create(name_topic_of_marks(letters), PARTITIONS, {"cleanup.policy": "compact"})


def read_marks(cluster: KafkaCluster, letters: Topic) -> Marks:
    """All committed marks. A redriver calls it after `init_transactions`, when no one else can write any."""
    name = name_topic_of_marks(letters.name)
    topics = cluster.find([name])
    if name not in topics:
        return {}
    marks: Marks = {}
    reader = TopicReader(cluster, topics[name])
    try:
        ends = reader.ends()
        reader.go(reader.starts())
        while any(reader.at[number] < end for number, end in ends.items()):
            for message in reader.read(5_000, 0.05):
                topic_id, partition, offset = (message.key or b"").decode().rsplit("/", 2)
                if topic_id == letters.id:
                    marks[int(partition), int(offset)] = orjson.loads(message.value or b"")
    finally:
        reader.close()
    return marks


def make_record(letters: Topic, place: Place, mark: Mark) -> tuple[bytes, bytes]:
    """Key and value of a mark's record."""
    return f"{letters.id}/{place[0]}/{place[1]}".encode(), orjson.dumps(mark)
