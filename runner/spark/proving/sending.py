"""Sends prepared corrections to Kafka, once."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

import msgpack
import pyarrow as pa
from confluent_kafka import KafkaException

from designer.refusals import Conflict, Refusal
from runner.kafka import KafkaCluster
from runner.plan import Plan
from runner.spark.codes import RunCode
from runner.spark.failpoints import fail_at
from runner.spark.proving.corrections import Correction
from runner.spark.sink.marker import Marker, Markers
from runner.spark.sink.producer import RecordProducer, is_fenced
from runner.spark.stage.rows import RECORD

AT_ONCE = 10_000
"""Records passed to the producer at a time."""
RECORDS_PER_SECOND = 5_000
"""What a transaction takes at least. `transaction.timeout.ms` allows for this rate."""
MAX_RECORD = 1_000_000_000
"""The broker decides how large a record may be."""
COLUMNS = pa.schema([RECORD.field(name) for name in ("timestamp", "key", "value", "headers")])
Row = tuple[str, bytes | None, bytes | None, int, str | None]
"""Topic, key, value, time (ms) and the engine's text of headers."""


class NotSent(Refusal):
    """Kafka did not say that it took the corrections."""

    code = RunCode.KAFKA_WRITE_FAILED
    status = 503


def write_file(path: Path, corrections: Sequence[Correction]) -> str:
    """Write the records to send. Return their digest."""
    content = msgpack.packb([each[:5] for each in corrections])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return blake2b(content, digest_size=16).hexdigest()


def read_file(path: Path, digest: str) -> list[Row]:
    """Read the records to send. Raises Conflict if they are not those that were prepared."""
    content = path.read_bytes() if path.exists() else b""
    if blake2b(content, digest_size=16).hexdigest() != digest:
        raise Conflict("The prepared corrections are no longer on this host.", "Prepare them again.")
    return [tuple(row) for row in msgpack.unpackb(content)]


def send(plan: Plan, *, token: str, digest: str, last_batch: int, file: Path) -> None:
    """Send corrections of the results of a stopped job, exactly once: all of them or none.

    1. Fence all other writers with the transactional id of the job. A run that still lives can no longer commit, nor
       can another sender. An open transaction of a killed sender ends.
    2. Read the marker of corrections. If it names this correction, everything is sent already.
    3. Read the marker of the job: its last batch must be the last one that the corrections know of. Otherwise a newer
       result of a key could be in a topic, and a correction would replace it. The other way round, a run could commit
       between this and 1.
    4. Read the file, whose digest must be that of what the user has seen.
    5. Begin a transaction, and send the records.
    6. Add the marker of corrections, which names this one.
    7. Commit.

    A crash before 7 leaves nothing for readers of committed records, and the next try begins at 1. A crash after 7 is
    found by 2. If a run of the job starts meanwhile, it fences this sender: then 7 fails, and nothing was sent.
    `tests/runner/watch/proving/test_correcting.py` kills a sender before and after 7, and lets a run come between.

    Raises Conflict, NotSent.
    """
    exactly_once = plan.settings.model_copy(update={"guarantee": "exactly_once"})
    plan = plan.model_copy(update={"settings": exactly_once})
    try:
        producer = RecordProducer(plan, {"": MAX_RECORD}, timeout_ms=_choose_timeout(file))  # 1
        try:
            markers = Markers(plan, plan.corrections_group)
            sent = markers.read()  # 2
            if sent is not None and sent.query_id == token:
                return
            _refuse_other(Markers(plan).read(), last_batch)  # 3
            rows = read_file(file, digest)  # 4
            producer.begin()  # 5
            for topic, records in _make_batches(rows):
                producer.send(topic, records)
            producer.flush()
            marker = Marker(last_batch, token, plan.generation, digest, time.time_ns() // 1_000_000)
            producer.send_offsets(plan.corrections_group, [marker.offset(plan.marker_topic)])  # 6
            fail_at("before-commit", last_batch)
            producer.commit()  # 7
            fail_at("after-commit", last_batch)
        except KafkaException as error:
            if is_fenced(error) and producer.is_overdue:
                raise _make_overdue(producer.timeout_ms) from error
            raise
        finally:
            producer.close()
    except KafkaException as error:
        raise _make_not_sent(error) from error


def is_sent(plan: Plan, token: str) -> bool:
    """Return whether a correction is in Kafka. Waits until no transaction is open."""
    marker = Markers(plan, plan.corrections_group).read()
    return marker is not None and marker.query_id == token


def create_topic(cluster: KafkaCluster, plan: Plan, name: str) -> None:
    """Create the topic of corrections, if it is missing."""
    cluster.create(name, max([facts.partitions for facts in plan.topics.values()], default=1))


def _refuse_other(marker: Marker | None, last_batch: int) -> None:
    if marker is None or marker.is_closed:
        raise Conflict("Another version of the job has taken over since.", "Prepare the corrections again.")
    if marker.batch != last_batch:
        raise Conflict(
            f"The job has written batch {marker.batch} since, but the corrections end with batch {last_batch}.",
            "Prepare the corrections again now that the job has stopped.",
        )


def _choose_timeout(file: Path) -> int:
    """Return how long (ms) the transaction may be open. A record takes at least about 20 bytes of the file."""
    size = file.stat().st_size if file.exists() else 0
    return min(900_000, 30_000 + size // 20 * 1_000 // RECORDS_PER_SECOND)


def _make_batches(rows: Sequence[Row]) -> Iterator[tuple[str, pa.RecordBatch]]:
    by_topic: dict[str, list[Row]] = {}
    for row in rows:
        by_topic.setdefault(row[0], []).append(row)
    for topic, of_topic in by_topic.items():
        for start in range(0, len(of_topic), AT_ONCE):
            _, keys, values, times, headers = zip(*of_topic[start : start + AT_ONCE], strict=True)
            yield (
                topic,
                pa.RecordBatch.from_arrays(
                    [
                        pa.array(each, field.type)
                        for each, field in zip((times, keys, values, headers), COLUMNS, strict=True)
                    ],
                    schema=COLUMNS,
                ),
            )


def _make_overdue(timeout_ms: int) -> NotSent:
    return NotSent(
        f"Kafka ended the transaction of the corrections, because it was open for more than {timeout_ms // 1_000} "
        "seconds. Nothing was sent.",
        "Send them again when the host and the brokers are less busy.",
    )


def _make_not_sent(error: KafkaException) -> Refusal:
    if is_fenced(error):
        return Conflict(
            "A run of the job has started, or someone else sends corrections. Nothing was sent.",
            "Stop the job, and prepare the corrections again.",
        )
    return NotSent(
        f"Kafka did not confirm that it took the corrections: {error.args[0].str()}. It has all of them, or none.",
        "Check that its brokers run and accept records of this size. Then send them again: nothing is sent twice.",
    )
