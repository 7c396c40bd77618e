"""The record of a letter, as it goes back to its source topic.

A letter that failed at its source is that record, with the same key, value, headers and time. One that failed after a
shuffle, or in a sink, holds the result of nodes. Its record is read from the source topic again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from designer.streams.flows import make_operator
from designer.streams.topics import ReadsTopic
from designer.topology.graph import Graph
from runner.kafka import KafkaCluster, Message, Place, Topic, TopicMissing, read_records_at
from runner.watch.topics.dead_letters import read_dead_letter, without_story

DeadLettersOfRecord = tuple[Place, ...]
"""Places of one record's letters: it may have failed at several nodes, and goes back once."""
Reads = Callable[[str], bool]
"""Whether the job reads a topic."""


class Origin(NamedTuple):
    """The place of a source record. Letters sorted by it go back in the order of their records."""

    topic: str
    partition: int
    offset: int


class Content(NamedTuple):
    """A record to send back, and its letters. Without a message, `why` explains it."""

    letters: DeadLettersOfRecord
    origin: Origin | None
    message: Message | None
    why: str = ""


def find_origin(message: Message) -> Origin | None:
    """The source of a letter's record. None for a letter without a record."""
    letter = read_dead_letter(message)
    topic, partition, offset = letter["topic"], letter["partition"], letter["offset"]
    return None if topic is None or partition is None or offset is None else Origin(topic, partition, offset)


def read_contents(
    cluster: KafkaCluster, topic: Topic, records: Sequence[DeadLettersOfRecord], reads: Reads
) -> list[Content]:
    """The content to send back for each record, in the given order. Raises KafkaUnreachable."""
    messages = read_records_at(cluster, topic, [place for letters in records for place in letters])
    here = [[messages[place] for place in letters if place in messages] for letters in records]
    elsewhere = _read_originals(cluster, (find_origin(each[0]) for each in here if each and _find_input(each) is None))
    return [_make_content(*pair, elsewhere, reads) for pair in zip(records, here, strict=True)]


def _make_content(
    letters: DeadLettersOfRecord, here: Sequence[Message], elsewhere: Mapping[Origin, Message], reads: Reads
) -> Content:
    if not here:
        return Content(letters, None, None, "The topic no longer holds the dead letter.")
    origin = find_origin(here[0])
    if origin is None:
        return Content(letters, None, None, "No record of a topic led to it, so it has nowhere to go back to.")
    if not reads(origin.topic):
        return Content(letters, origin, None, f"The job no longer reads `{origin.topic}`.")
    if (own := _find_input(here)) is not None:
        return Content(letters, origin, without_story(own))
    if (original := elsewhere.get(origin)) is not None:
        return Content(letters, origin, original)
    return Content(
        letters,
        origin,
        None,
        f"`{origin.topic}` no longer holds its record, and the dead letter holds what nodes made of it.",
    )


def _find_input(here: Iterable[Message]) -> Message | None:
    return next((each for each in here if read_dead_letter(each)["is_input"]), None)


def _read_originals(cluster: KafkaCluster, origins: Iterable[Origin | None]) -> dict[Origin, Message]:
    by_topic: dict[str, list[Place]] = {}
    for origin in origins:
        if origin is not None:
            by_topic.setdefault(origin.topic, []).append((origin.partition, origin.offset))
    return {origin: message for name, places in by_topic.items() for origin, message in _read(cluster, name, places)}


def _read(cluster: KafkaCluster, name: str, places: Sequence[Place]) -> Iterator[tuple[Origin, Message]]:
    try:
        messages = read_records_at(cluster, cluster.topic(name), places)
    except TopicMissing:
        return
    for (partition, offset), message in messages.items():
        yield Origin(name, partition, offset), message


def find_reads(graph: Graph) -> Reads:
    """The topics that a graph reads."""
    readers = [each for node in graph.nodes if isinstance(each := make_operator(node), ReadsTopic)]
    return lambda topic: any(reader.reads(topic) for reader in readers)
