"""Reads records from Kafka in the workers of a query: some ranges of offsets, each to its end."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import groupby
from typing import Any, NamedTuple

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from runner.engine.records.headers import write_headers
from runner.kafka import AUTHORIZATION_ERRORS, NotAllowed
from runner.kafka.codes import KafkaCode
from runner.spark.codes import RunCode
from runner.spark.columns import RecordColumns, Records
from runner.spark.failures import RunFailed

AT_ONCE = 5_000
"""Messages taken from librdkafka at a time."""
FIRST_MS = 100
"""Longest wait for the first of them."""
SILENCE_SECONDS = 30.0
"""Longest silence of a broker about a range that is known to exist."""
READING = {
    "group.id": "streamwright-run",
    "enable.auto.commit": False,
    "isolation.level": "read_committed",
    # a range may end with markers of transactions, which are not messages
    "enable.partition.eof": True,
    # lost offsets end the run, so nothing is left out
    "auto.offset.reset": "error",
    "fetch.wait.max.ms": 10,
    # both hold for each partition. librdkafka takes about three times the bytes of small messages to hold them, and
    # throws away what is fetched after the end of a range
    "fetch.message.max.bytes": 1 << 20,
    "queued.max.messages.kbytes": 2_048,
    "fetch.queue.backoff.ms": 5,
    "log_level": "2",
}
OF_MESSAGE: Any = Message
"""Its types allow None, but each message of a consumer has a value."""
LOST_ERRORS = frozenset({KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE})


class Range(NamedTuple):
    """Offsets of one partition of the topic of an `Input`, without `end`."""

    input: int
    topic: str
    partition: int
    start: int
    end: int


Place = tuple[str | None, int]
"""Topic and partition. Errors of the whole client have no topic."""


class _Run(NamedTuple):
    """Consecutive messages of one partition. `end` is the offset after them, `records` makes those up to an offset."""

    place: Place
    end: int
    errors: Sequence[KafkaError]
    records: Callable[[int], Records]


Fetch = Callable[[Consumer], Iterator[_Run]]
"""Takes the messages that wait, or waits a moment for the first."""


def read(kafka: Mapping[str, str], ranges: Sequence[Range]) -> Iterator[tuple[Range, Records]]:
    """All committed records of the ranges, each range in order.

    Raises RunFailed if some are gone or no broker hands them out, NotAllowed if the user may not read them.
    """
    yield from _read_all(_get_consumer(tuple(kafka.items())), ranges)


def read_alone(kafka: Mapping[str, str], ranges: Sequence[Range]) -> Iterator[tuple[Range, Records]]:
    """What `read` gives, with a consumer of its own, for a process whose threads read at the same time."""
    consumer = Consumer({**kafka, **READING})
    try:
        yield from _read_all(consumer, ranges)
    finally:
        consumer.close()


def _read_all(consumer: Consumer, ranges: Sequence[Range]) -> Iterator[tuple[Range, Records]]:
    # one topic may feed two inputs, but a consumer has one place in a partition
    while ranges:
        here: dict[Place, Range] = {(each.topic, each.partition): each for each in reversed(ranges)}
        ranges = [each for each in ranges if each is not here[each.topic, each.partition]]
        with _open(consumer, here) as fetch:
            yield from _read(consumer, here, fetch)


def _read(consumer: Consumer, left: dict[Place, Range], fetch: Fetch) -> Iterator[tuple[Range, Records]]:
    consumer.assign([TopicPartition(each.topic, each.partition, each.start) for each in left.values()])
    moved_at = time.monotonic()
    try:
        while left:
            before = len(left)
            parts = _take(consumer, fetch(consumer), left)
            yield from parts
            if parts or len(left) < before:
                moved_at = time.monotonic()
            elif time.monotonic() - moved_at > SILENCE_SECONDS:
                raise _make_silence_failure(next(iter(left.values())))
    finally:
        consumer.unassign()


def _take(consumer: Consumer, runs: Iterable[_Run], left: dict[Place, Range]) -> list[tuple[Range, Records]]:
    """Records of the unfinished ranges. Ranges that are read to their end leave `left`."""
    parts = list[tuple[Range, Records]]()
    for run in runs:
        range_ = left.get(run.place)
        for error in run.errors:
            _refuse(consumer, error, range_)
        if range_ is None:
            continue
        records = run.records(range_.end)
        if not records.is_empty:
            parts.append((range_, records))
        if run.end >= range_.end:
            del left[run.place]
            consumer.incremental_unassign([TopicPartition(range_.topic, range_.partition)])
    return parts


@contextmanager
def _open(consumer: Consumer, places: Iterable[Place]) -> Iterator[Fetch]:
    """A way without a Python object for each message, if there is one."""
    from runner.spark import librdkafka  # it loads Arrow, which the web server does without

    way = librdkafka.load()
    if way is None:
        yield _fetch_messages
        return
    inbox = librdkafka.Inbox(way, consumer, [(topic, partition) for topic, partition in places if topic is not None])

    def fetch(consumer: Consumer) -> Iterator[_Run]:
        reported = consumer.poll(0)  # errors of the whole client
        yield from _make_runs([] if reported is None else [reported])
        for run in inbox.take(AT_ONCE, FIRST_MS):
            errors = [KafkaError(code, words) for code, words in run["errors"]]
            records = partial(librdkafka.read_records, run, write_headers)
            yield _Run((run["topic"] or None, run["partition"]), run["end"], errors, records)

    try:
        yield fetch
    finally:
        inbox.close()


def _fetch_messages(consumer: Consumer) -> Iterator[_Run]:
    """Asks confluent-kafka. Handles a column at a time, which costs half as much as a message at a time."""
    first = consumer.poll(FIRST_MS / 1_000)  # consume() alone waits until it has all requested messages
    yield from _make_runs([] if first is None else [first, *consumer.consume(AT_ONCE, timeout=0)])


def _make_runs(messages: Sequence[Any]) -> Iterator[_Run]:
    for place, run in _find_runs(messages):
        errors = [*filter(None, map(OF_MESSAGE.error, run))]
        end = max(message.offset() + (message.error() is None) for message in (run if errors else run[-1:]))
        if errors:  # the end of a partition is an error at its offset
            run = [message for message in run if message.error() is None]
        yield _Run(place, end, errors, partial(_make_columns, run))


def _find_runs(messages: Sequence[Any]) -> Iterator[tuple[Place, Sequence[Any]]]:
    """Groups of consecutive messages of one partition, with their topic and partition number."""
    start = 0
    for place, run in groupby(zip(map(OF_MESSAGE.topic, messages), map(OF_MESSAGE.partition, messages), strict=True)):
        end = start + sum(1 for _ in run)
        yield place, messages[start:end]
        start = end


def _make_columns(messages: Sequence[Any], end: int) -> RecordColumns:
    """The records up to an offset."""
    offsets = [*map(OF_MESSAGE.offset, messages)]
    if offsets and offsets[-1] >= end:
        messages = messages[: bisect_left(offsets, end)]
        offsets = offsets[: len(messages)]
    headers = [*map(OF_MESSAGE.headers, messages)]
    return RecordColumns(
        offsets,
        [time for _, time in map(OF_MESSAGE.timestamp, messages)],
        [*map(OF_MESSAGE.key, messages)],
        [*map(OF_MESSAGE.value, messages)],
        [*map(write_headers, headers)] if any(headers) else [None] * len(headers),
    )


@lru_cache(maxsize=1)
def _get_consumer(settings: tuple[tuple[str, str], ...]) -> Consumer:
    """The only consumer of this process. It keeps its connections from batch to batch."""
    return Consumer({**dict(settings), **READING})


def _refuse(consumer: Consumer, error: KafkaError, share: Range | None) -> None:
    """Raises if waiting does not help for an error. librdkafka itself tries again after any other error."""
    if share is not None and error.code() in LOST_ERRORS:
        place = _describe_place(share) + _describe_begin(consumer, share)
        raise RunFailed(
            RunCode.OFFSETS_LOST,
            f"Kafka deleted records before the job read them: {place}. {error.str()}",
            "Deploy the job again: the dialog offers to keep its state and continue after them (on_state skip_lost), "
            "or to start fresh. Give the topic a longer retention.",
        )
    if error.code() in AUTHORIZATION_ERRORS:
        raise NotAllowed(error.str())


def _make_silence_failure(share: Range) -> RunFailed:
    message = f"Kafka did not answer for {_describe_place(share)}."
    hint = "Check that its brokers run. The run restarts automatically."
    return RunFailed(KafkaCode.KAFKA_UNREACHABLE, message, hint, retriable=True)


def _describe_begin(consumer: Consumer, share: Range) -> str:
    """The first offset that exists, if Kafka says so."""
    try:
        first, _ = consumer.get_watermark_offsets(TopicPartition(share.topic, share.partition), timeout=5)
    except KafkaException:
        return ""
    return f", which begins with offset {first} now" if first > share.start else ""


def _describe_place(share: Range) -> str:
    return f"offset {share.start} of partition {share.partition} of topic {share.topic}"
