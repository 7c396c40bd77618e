"""Loads rows of a file as a table's records: reference data that jobs look up instead of asking a database."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from confluent_kafka import KafkaError, KafkaException, Producer

from designer.refusals import Refusal
from designer.text import write_count
from designer.values import exact_json
from runner.control.codes import ControlCode
from runner.kafka import KafkaCluster

Row = Mapping[str, Any]
PARTITIONS = 4
SECONDS = 60.0
MAX_NAMES = 20
"""Number of fields to name of a row that lacks the key."""
NUMBER = re.compile(rf"-?(0|[1-9][0-9]{{0,{exact_json.MAX_DIGITS - 1}}})(\.[0-9]+)?([eE][+-]?[0-9]+)?")
"""Cells that are numbers in JSON. 02134 is not one, and stays text."""
BOOLEAN = re.compile("true|false")


class BadRow(Refusal):
    """A file is malformed. The message names the line or the row."""

    code = ControlCode.LOAD_BAD_ROW
    status = 422


def read_csv_rows(lines: Iterable[str]) -> list[Row]:
    """The rows under a line of names. A column of only numbers, or only booleans, is read with that type. Empty cells
    are null, and empty lines are skipped. Raises BadRow, also for a quote that nothing closes: it would take all rows
    after it as its text.
    """
    reader = csv.reader(lines, strict=True)
    filled_lines, cells = filter(None, reader), []
    try:
        names = next(filled_lines, [])
        if len(set(names)) < len(names) or not all(names):
            raise BadRow(
                "The first line must name each column once.", "Write the names of the columns in the first line."
            )
        for row in filled_lines:
            if len(row) != len(names):
                cell_count, column_count = write_count(len(row), "cell"), write_count(len(names), "column")
                message = f"Line {reader.line_num} has {cell_count}; the first line names {column_count}."
                raise BadRow(message, "Put texts that contain a comma in double quotes.")
            cells.append(row)
    except csv.Error as error:
        raise BadRow(
            f"Line {reader.line_num} cannot be read: {error}.", "Write the rows as one JSON object per line instead."
        ) from error
    columns = [_read_column(column) for column in zip(*cells, strict=True)]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def read_json_rows(lines: Iterable[str]) -> Iterator[Row]:
    """One object per line. Skips empty lines. Raises BadRow."""
    return (_read_object(line, number) for number, line in enumerate(lines, 1) if line.strip())


def load(cluster: KafkaCluster, topic: str, rows: Iterable[Row], key: str) -> int:
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
        except (KafkaException, BadRow):
            producer.abort_transaction(SECONDS)
            raise
    return len(records)


def _make_records(rows: Iterable[Row], key: str) -> Iterator[tuple[bytes, bytes]]:
    for number, row in enumerate(rows, 1):
        if row.get(key) is None:
            filled = [f"`{name}`" for name, value in row.items() if value is not None]
            names = ", ".join([*filled[:MAX_NAMES], *["…"][: len(filled) - MAX_NAMES]]) or "nothing"
            raise BadRow(f"Row {number} has no `{key}`.", f"Name the field that is the key; the row has {names}.")
        try:
            text = row[key] if isinstance(row[key], str) else exact_json.dumps(row[key]).decode()
            yield text.encode(), exact_json.dumps(row)
        except TypeError as error:
            raise BadRow(f"Row {number} cannot be written as JSON: {error}.", "Correct it in the file.") from error


def _produce(producer: Producer, topic: str, records: Iterable[tuple[bytes, bytes]]) -> None:
    for number, (key, value) in enumerate(records, 1):
        while True:
            try:
                producer.produce(topic, value, key)
                break
            except BufferError:  # librdkafka's queue is full
                producer.poll(0.1)
            except KafkaException as error:
                if error.args[0].code() != KafkaError.MSG_SIZE_TOO_LARGE:
                    raise
                raise BadRow(
                    f"Row {number} is too large for a record: it has {len(value):,} bytes.",
                    "Leave out its large fields, or store them elsewhere.",
                ) from error


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
