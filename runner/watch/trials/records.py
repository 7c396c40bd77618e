"""Reads the records and batches of a question."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import orjson

from runner.engine.records.record import Row
from runner.spark.columns import RecordColumns
from runner.spark.replay import BatchInputs
from runner.watch.trials import questions


def read_records(rows: list[questions.SentRecord]) -> Iterator[tuple[str, Row]]:
    """Each record with its topic. Its values stay bytes."""
    for topic, partition, offset, timestamp, key, value, headers in rows:
        text = (
            orjson.dumps([{"key": name, "value": content} for name, content in headers]).decode() if headers else None
        )
        yield topic, (0, _decode_base64(key), _decode_base64(value), timestamp, text, partition, offset)


def read_batch(sent: questions.SentBatch) -> BatchInputs:
    """A kept batch, with the records that it read."""
    batch_time, is_caught_up, parts, answers = sent
    inputs = [
        (
            number,
            partition,
            RecordColumns(offsets, times, [*map(_decode_base64, keys)], [*map(_decode_base64, values)], headers),
        )
        for number, partition, offsets, times, keys, values, headers in parts
    ]
    return BatchInputs(batch_time, inputs, is_caught_up, answers)


def _decode_base64(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
