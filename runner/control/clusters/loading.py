"""Loads rows of a file as a table's records: reference data that jobs look up instead of asking a database."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from confluent_kafka import KafkaException, Producer

from designer.refusals import Refusal
from designer.values import exact_json
from runner.control.codes import ControlCode
from runner.kafka import KafkaCluster

Row = Mapping[str, Any]
PARTITIONS = 4
SECONDS = 60.0
NUMBER = re.compile(rf"-?(0|[1-9][0-9]{{0,{exact_json.MAX_DIGITS - 1}}})(\.[0-9]+)?([eE][+-]?[0-9]+)?")
"""Cells that are numbers in JSON. 02134 is not one, and stays text."""
BOOLEAN = re.compile("true|false")


class BadRow(Refusal):
    """A file is malformed. The message names the line or the row."""

    code = ControlCode.LOAD_BAD_ROW
    status = 422


def read_csv_rows(lines: Iterable[str]) -> list[Row]:
    """The rows under a line of names. A column of only numbers, or only booleans, is read with that type. Empty cells
    are null, and empty lines are skipped. Raises BadRow.
    """
    reader = csv.reader(lines)
    filled_lines, cells = filter(None, reader), []
    try:
        names = next(filled_lines, [])
        if len(set(names)) < len(names) or not all(names):
            raise BadRow(
                "The first line must name each column once.", "Write the names of the columns in the first line."
            )
        for row in filled_lines:
            if len(row) != len(names):
                message = f"Line {reader.line_num} has {len(row)} cells; the first line names {len(names)} columns."
                raise BadRow(message, "Put texts that contain a comma in double quotes.")
            cells.append(row)
    except csv.Error as error:
        raise BadRow(
            f"Line {reader.line_num} cannot be read: {error}.", "Write the rows as one JSON object per line instead."
        ) from error
    columns = [_read_column(column) for column in zip(*cells, strict=True)]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def read_json_rows(lines: Iterable[str]) -> list[Row]:
    """One object per line. Skips empty lines. Raises BadRow."""
    return [_read_object(line, number) for number, line in enumerate(lines, 1) if line.strip()]


def load(cluster: KafkaCluster, topic: str, rows: Sequence[Row], key: str) -> int:
    """Write the rows in one transaction, each as JSON under the text of its `key`. Returns their number.

    Creates a missing topic, compacted. Raises BadRow, KafkaUnreachable, NotAllowed.
    """
    records = list(_make_records(rows, key))
    if not cluster.find([topic]):
        cluster.create(topic, PARTITIONS, {"cleanup.policy": "compact"})
    with cluster.answers():
        settings = {"transactional.id": f"streamwright-load-{topic}", "partitioner": "murmur2_random", "log_level": "3"}
        producer = Producer({**cluster.settings, **settings})
        producer.init_transactions(SECONDS)
        producer.begin_transaction()
        try:
            _produce(producer, topic, records)
            producer.commit_transaction(SECONDS)
        except KafkaException:
            producer.abort_transaction(SECONDS)
            raise
    return len(records)


def _make_records(rows: Sequence[Row], key: str) -> Iterator[tuple[bytes, bytes]]:
    for number, row in enumerate(rows, 1):
        if row.get(key) is None:
            names = ", ".join(f"`{name}`" for name in row)
            raise BadRow(f"Row {number} has no `{key}`.", f"Name the field that is the key; the row has {names}.")
        text = row[key] if isinstance(row[key], str) else exact_json.dumps(row[key]).decode()
        yield text.encode(), exact_json.dumps(row)


def _produce(producer: Producer, topic: str, records: Iterable[tuple[bytes, bytes]]) -> None:
    for key, value in records:
        while True:
            try:
                producer.produce(topic, value, key)
                break
            except BufferError:  # librdkafka's queue is full
                producer.poll(0.1)


def _read_column(cells: Sequence[str]) -> list[Any]:
    is_plain = any(all(kind.fullmatch(cell) for cell in cells if cell) for kind in (NUMBER, BOOLEAN))
    return [None if not cell else exact_json.loads(cell) if is_plain else cell for cell in cells]


def _read_object(line: str, number: int) -> Row:
    try:
        row = exact_json.loads(line)
    except ValueError as error:
        raise BadRow(f"Line {number} is not valid JSON: {error}.", "Write one JSON object per line.") from error
    if not isinstance(row, dict):
        raise BadRow(f"Line {number} is not an object.", "Write one JSON object per line.")
    return row
