"""Sends records back to their source topics: a record and the marks of its letters are one Kafka transaction.

All redrivers of a topic of dead letters have one transactional id. The newest fences the others, and then reads the
marks: commits of a killed one are marked, and the rest left no trace.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from confluent_kafka import KafkaError, KafkaException, Producer

from runner.kafka import KafkaCluster, Topic
from runner.spark.sink.producer import MAX_BATCH, is_refusal
from runner.watch.dead_letters.contents import Content, DeadLettersOfRecord, Reads, read_contents
from runner.watch.dead_letters.marks import Mark, make_record, make_topic, name_topic_of_marks, read_marks

AT_ONCE = 500
"""Maximum number of records in a transaction."""
TRANSACTION_MS = 30_000
"""How long an open transaction of a killed redriver blocks readers of committed records, if no one continues."""
ANSWER_SECONDS = 30.0


class RefusedRecord(NamedTuple):
    """A record that cannot go back, and why."""

    letters: DeadLettersOfRecord
    why: str


class RedriveOrder(NamedTuple):
    """The records to send back in order, the maximum per second, the user, and the edited contents.

    `sent` is the number of records that were sent before, as Postgres knows it.
    """

    records: Sequence[DeadLettersOfRecord]
    rate: float | None
    mark: Mark
    sent: int = 0
    edit: tuple[bytes | None, bytes | None] | None = None


class MarksLost(Exception):
    """Someone deleted marks, or their topic: to continue would send records a second time."""


class Redriver:
    """Executes a redrive from its present place. Refused records do not stop the others."""

    def __init__(self, cluster: KafkaCluster, topic: Topic, reads: Reads) -> None:
        self.cluster = cluster
        self.topic = topic
        self.reads = reads
        self.partitions: dict[str, int] = {}
        self.reason = ""

    def carry_out(self, order: RedriveOrder, refusals: list[RefusedRecord], tell: Callable[[int], bool]) -> bool:
        """Send the remaining records, each exactly once. Return whether nothing is left.

        1. Fence all other redrivers of the topic, then read the marks. The other way round, a redriver that still
           lived could send records after their marks were read.
        2. Leave out every record that has a mark, of this redrive or an earlier one, and those that were refused. If
           there are fewer marks than Postgres has counted, someone deleted marks: stop, because records would go twice.
        3. Ask `tell`, which notes the number sent and says whether to go on.
        4. Read the next records, and send them in one transaction with a mark for each of their dead letters.
        5. If Kafka does not accept a record, nothing of the transaction is visible. Begin at 1 with half as many, until
           the one that it refuses is alone.

        A kill in 4 leaves an open transaction: nothing of it is visible, and the next 1 ends it. A kill after 4 leaves
        marks that the next 2 finds, whatever Postgres has noted. `test_kills.py` kills redrivers at random and finds
        each record once and in order. `test_redrive.py` shows 1
        (`test_a_redriver_that_another_one_shut_out_sends_nothing_more`) and 2
        (`test_letters_are_not_sent_twice_once_someone_deleted_the_marks`).

        Raises MarksLost, and KafkaException if Kafka does not answer or another redriver took over.
        """
        size = AT_ONCE if order.rate is None else max(1, min(AT_ONCE, int(order.rate)))
        producer, left, sent_count = self._start(order, refusals)  # 1, 2
        while left and tell(sent_count):  # 3
            began, chunk = time.monotonic(), [left[number] for number in range(min(size, len(left)))]
            contents = read_contents(self.cluster, self.topic, chunk, self.reads)
            try:
                self._send(producer, order, contents)  # 4
            except KafkaException as error:
                if not is_refusal(error):
                    raise
                if len(chunk) == 1:
                    refusals.append(
                        RefusedRecord(chunk[0], f"Kafka did not accept it: {self.reason or error.args[0].str()}")
                    )
                size = max(1, len(chunk) // 2)
                producer, left, sent_count = self._start(order, refusals)  # 5
                continue
            refusals += [RefusedRecord(each.letters, each.why) for each in contents if each.message is None]
            sent_count += sum(each.message is not None for each in contents)
            for _ in chunk:
                left.popleft()
            if order.rate is not None and left:
                time.sleep(max(0.0, began + len(chunk) / order.rate - time.monotonic()))
        tell(sent_count)
        return not left

    def _start(
        self, order: RedriveOrder, refusals: Sequence[RefusedRecord]
    ) -> tuple[Producer, deque[DeadLettersOfRecord], int]:
        """Return a producer that has fenced all others, the remaining records, and how many this redrive has sent."""
        make_topic(self.cluster, self.topic.name)
        producer = Producer(self._choose_settings())
        producer.list_topics(timeout=ANSWER_SECONDS)
        producer.init_transactions(ANSWER_SECONDS)  # fences: only then read the marks
        marks = read_marks(self.cluster, self.topic)
        without = {each.letters for each in refusals}
        own = [letters for letters in order.records if _is_of(order, marks.get(letters[0]))]
        if len(own) < order.sent:
            raise MarksLost(f"{order.sent:,} records were sent back, and the marks name {len(own):,}.")
        left = [each for each in order.records if each not in without and not any(place in marks for place in each)]
        return producer, deque(left), len(own)

    def _send(self, producer: Producer, order: RedriveOrder, contents: Sequence[Content]) -> None:
        producer.begin_transaction()
        try:
            for content in contents:
                if content.message is not None:
                    self._put(producer, order, content)
        except KafkaException as error:
            # a refusal has failed the transaction while others were sent: only the commit says which error it was
            if error.args[0].code() == KafkaError._STATE:
                producer.commit_transaction(ANSWER_SECONDS)
            raise
        producer.commit_transaction(ANSWER_SECONDS)

    def _put(self, producer: Producer, order: RedriveOrder, content: Content) -> None:
        message, origin = content.message, content.origin
        assert message is not None and origin is not None
        key, value = order.edit or (message.key, message.value)
        stays = key == message.key and origin.partition < self._count_partitions(origin.topic)
        self._produce(
            producer,
            topic=origin.topic,
            key=key,
            value=value,
            partition=origin.partition if stays else -1,
            timestamp=message.timestamp,
            headers=list(message.headers),
        )
        mark: Mark = {**order.mark, "to": origin.topic, "at": time.time_ns() // 1_000_000}
        for place in content.letters:
            mark_key, mark_value = make_record(self.topic, place, mark)
            self._produce(producer, topic=name_topic_of_marks(self.topic.name), key=mark_key, value=mark_value)

    def _produce(self, producer: Producer, **record: Any) -> None:
        while True:
            try:
                producer.produce(**record, on_delivery=self._note_delivery)
                return
            except BufferError:
                producer.poll(0.05)

    def _note_delivery(self, error: KafkaError | None, message: Any) -> None:
        if error is not None and error.code() not in (KafkaError._PURGE_QUEUE, KafkaError._PURGE_INFLIGHT):
            self.reason = error.str()

    def _count_partitions(self, topic: str) -> int:
        if topic not in self.partitions:
            self.partitions[topic] = self.cluster.topic(topic).partitions
        return self.partitions[topic]

    def _choose_settings(self) -> dict[str, Any]:
        return {
            **self.cluster.settings,
            "transactional.id": f"{self.topic.name}-redrive",
            "transaction.timeout.ms": TRANSACTION_MS,
            "partitioner": "murmur2_random",
            "compression.type": "lz4",
            "message.max.bytes": 1_000_000_000,
            "batch.size": MAX_BATCH,
            "linger.ms": 5,
            "log_level": "2",
        }


def _is_of(order: RedriveOrder, mark: Mark | None) -> bool:
    return mark is not None and mark["redrive"] == order.mark["redrive"]
