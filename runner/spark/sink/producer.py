"""The Kafka producer of a run or of a slot. It is reused while transactions succeed, and dropped after any doubt."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, cast

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition

from runner.engine.records.headers import read_headers
from runner.plan import Plan
from runner.spark.sink.beside import call_beside
from runner.spark.sink.patience import call_patiently, call_within

if TYPE_CHECKING:  # the web server sends dead letters back, and would load Arrow only for a name
    import pyarrow as pa

ANSWER_SECONDS = 30.0
OFFSETS_SECONDS = 10.0
LOST_SECONDS = OFFSETS_SECONDS + 5
"""After so long, the answer to offsets no longer comes. It usually takes milliseconds."""
MAX_BATCH = 1_000_000
OPEN_MS = 60_000
"""How long a transaction may be open at least. A machine that pauses for less goes on as if nothing had been."""
Headers = list[tuple[str, str | bytes | None]]
FENCING_ERRORS = frozenset({KafkaError._FENCED, KafkaError.PRODUCER_FENCED, KafkaError.INVALID_PRODUCER_EPOCH})
Refusal = tuple[str, bytes | None, bytes | None, str]
"""Topic, key and value of a record that the broker refused, and its words."""


def is_fenced(error: KafkaException) -> bool:
    """Return whether another writer took over, or the brokers ended a transaction that was open for too long.

    librdkafka has one error for both: see `RecordProducer.is_overdue`.
    """
    return error.args[0].code() in FENCING_ERRORS


def is_refusal(error: KafkaException) -> bool:
    """Return whether the broker refused a record."""
    return error.args[0].code() in REFUSALS | {KafkaError._INCONSISTENT}


class RecordProducer:
    """Sends records. With exactly once, `commit` makes them visible together with the offsets.

    With `exactly_once` everything since `begin` is one transaction. `limits` holds the largest record of each topic.
    With `notes_deliveries`, `refusals` holds the records that the broker refused. Otherwise only the whole fails.
    A transaction may be open for `timeout_ms`. None: for as long as a batch of the plan may take.
    """

    def __init__(
        self,
        plan: Plan,
        limits: Mapping[str, int],
        *,
        transactional_id: str | None = None,
        notes_deliveries: bool = False,
        timeout_ms: int | None = None,
    ) -> None:
        self.transactional_id = transactional_id or plan.transactional_id
        self.exactly_once = plan.settings.guarantee == "exactly_once"
        self.settings = {**plan.kafka, "log_level": "3"}
        self.refusals: list[Refusal] = []
        self.failure: KafkaError | None = None
        self.groups: dict[str, object] = {}
        self.delivered_at = time.monotonic()
        """When the last flush ended."""
        self._delivery: Future[None] | None = None
        self.timeout_ms = timeout_ms or min(900_000, OPEN_MS + plan.settings.records_per_batch // 20)
        self.began_at = math.inf
        """When the open transaction began. Infinite: none is open."""
        settings = self._choose_settings(plan, limits) | (self._make_noting_settings() if notes_deliveries else {})
        self.producer = Producer(settings)
        self.has_callbacks = "on_delivery" in settings
        if self.exactly_once:
            # a producer that knows no broker yet looks for its coordinator only every half second
            call_patiently(lambda: self.producer.list_topics(timeout=ANSWER_SECONDS))
            call_patiently(lambda: self.producer.init_transactions(ANSWER_SECONDS))

    def begin(self) -> None:
        self.began_at = time.time()
        if self.exactly_once:
            self.producer.begin_transaction()

    @property
    def is_overdue(self) -> bool:
        """Whether the brokers have ended the open transaction by now, because it was open for `timeout_ms`.

        By the clock of the host, which also counts the time that a machine sleeps.
        """
        return self.exactly_once and (time.time() - self.began_at) * 1_000 >= self.timeout_ms

    def send(self, topic: str, records: pa.RecordBatch) -> None:
        """Queue records. Waits while the queue is full."""
        if self._send_columns(topic, records):
            return
        produce, poll = self.producer.produce, self.producer.poll
        for key, value, timestamp, headers in _make_messages(records):
            while True:
                try:
                    produce(topic, value, key, -1, None, None, timestamp, headers)
                    break
                except BufferError:
                    poll(0.05)

    def _send_columns(self, topic: str, records: pa.RecordBatch) -> bool:
        """Queue records without a Python object for each. Return False if that is not possible, as for headers."""
        from runner.spark import librdkafka  # it loads Arrow, which a caller with records has loaded already

        way = None if self.has_callbacks else librdkafka.load()
        if way is None or records.column("headers").null_count < records.num_rows:
            return False
        place = 0
        while place < records.num_rows:
            place, error = librdkafka.produce(way, self.producer, topic, records, place)
            if error == KafkaError._QUEUE_FULL:
                self.producer.poll(0.05)
            elif error:
                raise KafkaException(KafkaError(error))
        return True

    def flush_beside(self) -> None:
        """Begin to deliver everything, while offsets are added to the transaction. See `wait_for_delivery`."""
        self._delivery = call_beside(self.flush)

    def flush(self) -> None:
        """Wait until everything is delivered. Raises KafkaException for a failed delivery.

        Brokers that throttle, or are far away, may take their time: the wait ends when nothing more is delivered.
        """
        fewest, deadline = self.producer.flush(0.0), time.monotonic() + ANSWER_SECONDS
        # short waits, so that a failed delivery, which a callback notes, ends the wait for all others
        while (left := self.producer.flush(0.2)) and self.failure is None and time.monotonic() < deadline:
            if left < fewest and not self.is_overdue:
                fewest, deadline = left, time.monotonic() + ANSWER_SECONDS
        if self.failure is not None:
            raise KafkaException(self.failure)
        if left:
            raise KafkaException(KafkaError(KafkaError._TIMED_OUT, f"{left} records were not delivered"))
        self.delivered_at = time.monotonic()

    def wait_for_delivery(self) -> None:
        """Wait until everything that `flush_beside` began to deliver is delivered. Raises what `flush` raises."""
        if self._delivery is not None:
            self._delivery.result()
            self._delivery = None

    # librdkafka ignores this call's timeout (its issues 5456 and 5511). After 15 s the writer leaves the call and its
    # producer behind: the next producer fences the old one, and the marker says whether the batch was written.
    def send_offsets(self, group: str, offsets: Sequence[TopicPartition]) -> None:
        """Commit offsets for a group: inside the transaction, or else once everything is delivered."""
        if not self.exactly_once:
            self.wait_for_delivery()
            self._commit_as_consumer(group, offsets)
        elif offsets:
            send, metadata = self.producer.send_offsets_to_transaction, self._get_metadata(group)
            call_within(LOST_SECONDS, lambda: send(list(offsets), metadata, OFFSETS_SECONDS))

    def commit(self) -> None:
        """Make everything since `begin` visible, once all of it is delivered."""
        self.wait_for_delivery()
        if self.exactly_once:
            self.producer.commit_transaction(ANSWER_SECONDS)
        self.began_at = math.inf

    def close(self) -> None:
        """Drop the queue. An open transaction stays open until the next `init_transactions` of its id."""
        self.producer.purge()
        del self.producer  # its callbacks hold this object, which holds it

    def _choose_settings(self, plan: Plan, limits: Mapping[str, int]) -> dict[str, Any]:
        sizes = sorted(limits.values()) or [MAX_BATCH]
        settings: dict[str, Any] = {
            **self.settings,
            "partitioner": "murmur2_random",
            "acks": "all",
            "enable.idempotence": True,
            "compression.type": "lz4",
            # a batch is queued as a whole and then flushed, so waiting for full requests costs nothing
            "linger.ms": 50,
            "message.max.bytes": min(max(sizes[-1], 1_000), 1_000_000_000),
            # a full batch must fit into the topic with the smallest limit
            "batch.size": max(1, min(MAX_BATCH, sizes[0] - 1_000)),
            "queue.buffering.max.messages": 2_000_000,
            "queue.buffering.max.kbytes": 1_048_576,
        }
        if not self.exactly_once:
            settings |= {"delivery.report.only.error": True, "on_delivery": self._on_delivery}
        else:
            settings["transactional.id"] = self.transactional_id
            # brokers abort a longer transaction, and refuse a timeout above their `transaction.max.timeout.ms` (15 min)
            settings["transaction.timeout.ms"] = self.timeout_ms
        return settings

    def _make_noting_settings(self) -> dict[str, Any]:
        """Return settings with which `refusals` names each record that the broker refuses.

        A request then has one record, because a broker refuses whole requests. Only for a second try: callbacks are
        expensive, and with a callback the library cannot say that the producer is fenced.
        """
        return {"batch.num.messages": 1, "delivery.report.only.error": True, "on_delivery": self._on_delivery}

    def _on_delivery(self, error: KafkaError | None, message: Any) -> None:
        if error is None:
            return
        self.failure = self.failure or error
        if error.code() in REFUSALS:
            self.refusals.append((message.topic(), message.key(), message.value(), error.str()))

    def _get_metadata(self, group: str) -> object:
        # of a consumer that never joined: the coordinator then checks no generation. The producer's epoch is the fence
        if group not in self.groups:
            consumer = Consumer({**self.settings, "group.id": group})
            self.groups[group] = consumer.consumer_group_metadata()
            consumer.close()
        return self.groups[group]

    def _commit_as_consumer(self, group: str, offsets: Sequence[TopicPartition]) -> None:
        consumer = Consumer({**self.settings, "group.id": group, "enable.auto.commit": False})
        try:
            if offsets:
                consumer.commit(offsets=list(offsets), asynchronous=False)
        finally:
            consumer.close()


REFUSALS = frozenset(
    {KafkaError.MSG_SIZE_TOO_LARGE, KafkaError.INVALID_RECORD, KafkaError.INVALID_TIMESTAMP, KafkaError.INVALID_MSG}
    | {KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError._UNKNOWN_TOPIC, KafkaError._UNKNOWN_PARTITION}
)
"""A broker's errors about a record itself, not about the moment."""


def _make_messages(records: pa.RecordBatch) -> Iterator[tuple[bytes | None, bytes | None, int, Headers | None]]:
    key, value, timestamp = (
        records.column(name).to_numpy(zero_copy_only=False).tolist() for name in ("key", "value", "timestamp")
    )
    texts = records.column("headers")
    headers: list[Headers | None] = [None] * len(texts)
    if texts.null_count < len(texts):
        headers = [cast(Headers, read_headers(text)) or None for text in texts.to_pylist()]
    return zip(key, value, timestamp, headers, strict=True)
