"""Reads the newest letters of a topic, within limits, and reports the part it read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from typing_extensions import TypedDict

from runner.kafka import KafkaCluster, Message, Topic, TopicReader

MAX_DEAD_LETTERS = 100_000
MAX_SECONDS = 10.0


class ReadOut(TypedDict):
    """What an answer rests on: how many letters were read, of how many offsets the topic holds (marks of transactions
    have offsets too), and whether that is all."""

    letters: int
    offsets: int
    is_all: bool
    seconds: float


class Reading:
    """One look at a topic: `messages` yields its letters, oldest first within a partition, and then sets `summary`.

    For a topic with more than `MAX_DEAD_LETTERS` these are the newest of each partition.
    """

    def __init__(self, cluster: KafkaCluster, topic: Topic, clock: Callable[[], float] = time.monotonic) -> None:
        self.cluster = cluster
        self.topic = topic
        self.clock = clock
        self.summary: ReadOut = {"letters": 0, "offsets": 0, "is_all": True, "seconds": 0.0}

    def messages(self) -> Iterator[Message]:
        began = self.clock()
        reader = TopicReader(self.cluster, self.topic)
        try:
            starts, ends = reader.starts(), reader.ends()
            share = max(1, MAX_DEAD_LETTERS // len(ends))
            places = {number: max(starts[number], end - share) for number, end in ends.items()}
            reader.go(places)
            self.summary["offsets"] = sum(ends.values()) - sum(starts.values())
            while (has_more := any(reader.at[number] < end for number, end in ends.items())) and (
                self.clock() - began < MAX_SECONDS
            ):
                for message in reader.read(1_000, 0.05):
                    if message.offset < ends[message.partition]:
                        self.summary["letters"] += 1
                        yield message
            self.summary["is_all"] = not has_more and places == starts
        finally:
            self.summary["seconds"] = round(self.clock() - began, 1)
            reader.close()
