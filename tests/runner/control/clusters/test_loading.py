"""Reference data from a file into the topic of a table."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from runner.control.clusters.loading import BadRow, read_csv_rows, read_json_rows
from runner.kafka import KafkaCluster
from tests.settled import settled_ends

CUSTOMERS = 'id,name,zip,limit,vip\n7,"Ada, Lady",02134,1e3,true\n8,Bob,,0.5,\n'
ROWS = [
    {"id": 7, "name": "Ada, Lady", "zip": "02134", "limit": 1000.0, "vip": True},
    {"id": 8, "name": "Bob", "zip": None, "limit": 0.5, "vip": None},
]


@pytest.fixture
def cluster(transactional_db: None, kafka_servers: str) -> KafkaCluster:
    return KafkaCluster(kafka_servers)


@pytest.fixture
def topic() -> str:
    return f"customers-{uuid4().hex[:8]}"


def held(cluster: KafkaCluster, topic: str) -> dict[bytes | None, Any]:
    settled_ends(cluster.servers, topic)
    return {record.key: json.loads(record.value or b"null") for record in cluster.sample(topic)}


def test_columns_of_numbers_and_truths_are_read_as_such_and_texts_stay_texts():
    assert read_csv_rows(io.StringIO(CUSTOMERS)) == ROWS


def test_a_column_of_numbers_and_booleans_is_text_and_so_is_a_number_that_is_too_long():
    long = "9" * 5_000

    assert read_csv_rows(io.StringIO(f"a,b\n1,{long}\ntrue,1\n")) == [{"a": "1", "b": long}, {"a": "true", "b": "1"}]


def test_empty_lines_are_skipped():
    assert read_csv_rows(io.StringIO("a,b\n\n1,2\n\n")) == [{"a": 1, "b": 2}]


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_csv_rows, "a,b\n1,2,3\n", "Line 2 has 3 cells; the first line names 2 columns."),
        (read_csv_rows, "a,a\n1,2\n", "The first line must name each column once."),
        (read_csv_rows, f"a\n1\n{'x' * 200_000}\n", "Line 3 cannot be read: field larger than field limit"),
        (read_csv_rows, "a,b\n1\n", "Line 2 has 1 cell; the first line names 2 columns."),
        (read_csv_rows, 'a,b\n1,"x\n2,y\n3,z\n', "Line 4 cannot be read: unexpected end of data."),
        (read_json_rows, '{"a": 1}\n{"a":\n', "Line 2 is not valid JSON"),
        (read_json_rows, "[1]\n", "Line 1 is not an object."),
    ],
)
def test_what_is_no_row_is_named_with_its_line(read: Any, text: str, message: str):
    with pytest.raises(BadRow, match=message):
        list(read(io.StringIO(text)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"id": 1}\n{"id": 2, "a": ' + '{"a": ' * 600 + "1" + "}" * 601,
            "Row 2 cannot be written as JSON: it is nested",
        ),
        (f'{{"id": 1, "a": "{"x" * 2_000_000}"}}', "Row 1 is too large for a record: it has 2,000,015 bytes."),
        ('{"id": null, "a": 1}', "Row 1 has no `id`. Name the field that is the key; the row has `a`."),
    ],
)
def test_a_row_that_cannot_be_a_record_is_named_and_nothing_is_written(
    cluster: KafkaCluster, topic: str, tmp_path: Path, text: str, message: str
):
    file = tmp_path / "rows.json"
    file.write_text(text)

    with pytest.raises(CommandError, match=message):
        call_command("load", topic, str(file), "--key", "id")

    assert not cluster.find([topic]) or held(cluster, topic) == {}


def test_bytes_of_a_pipe_that_are_not_utf_8_are_refused_in_any_locale(
    cluster: KafkaCluster, topic: str, monkeypatch: pytest.MonkeyPatch
):
    pipe = io.TextIOWrapper(io.BytesIO(b"id,name\n1,\xe9\n"), encoding="utf-8", errors="surrogateescape")
    monkeypatch.setattr(sys, "stdin", pipe)

    with pytest.raises(CommandError, match="- is not text in UTF-8"):
        call_command("load", topic, "-", "--key", "id")


def test_rows_of_a_file_are_records_of_a_compacted_topic(cluster: KafkaCluster, topic: str, tmp_path: Path):
    file = tmp_path / "customers.csv"
    file.write_text(CUSTOMERS)
    said = io.StringIO()

    call_command("load", topic, str(file), "--key", "id", stdout=said)

    assert said.getvalue() == f"2 records written to {topic}.\n"
    assert held(cluster, topic) == {b"7": ROWS[0], b"8": ROWS[1]}
    assert cluster.configs(topic)["cleanup.policy"] == "compact"


def test_rows_come_from_a_pipe_too_and_replace_those_of_their_key(
    cluster: KafkaCluster, topic: str, monkeypatch: pytest.MonkeyPatch
):
    for text in ('{"id": "a", "n": 1}\n', '{"id": "a", "n": 2}\n\n{"id": "b", "n": 3}\n'):
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        call_command("load", topic, "-", "--key", "id", "--format", "json", stdout=io.StringIO())

    assert held(cluster, topic) == {b"a": {"id": "a", "n": 2}, b"b": {"id": "b", "n": 3}}


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (CUSTOMERS, ["--key", "number"], "Row 1 has no `number`. Name the field that is the key; the row has `id`"),
        (CUSTOMERS, ["--key", "zip"], "Row 2 has no `zip`."),
        (CUSTOMERS, ["--key", "id", "--cluster", "nowhere"], "There is no cluster `nowhere`."),
    ],
)
def test_what_cannot_be_loaded_is_said_and_nothing_is_written(
    cluster: KafkaCluster, topic: str, text: str, words: list[str], message: str, tmp_path: Path
):
    file = tmp_path / "customers.csv"
    file.write_text(text)

    with pytest.raises(CommandError, match=message):
        call_command("load", topic, str(file), *words)

    assert not cluster.find([topic])


def test_a_file_that_is_not_there_or_says_not_what_it_holds_is_named(cluster: KafkaCluster, topic: str, tmp_path: Path):
    odd = tmp_path / "customers.dat"
    odd.write_text(CUSTOMERS)

    with pytest.raises(CommandError, match="cannot be read"):
        call_command("load", topic, str(tmp_path / "none.csv"), "--key", "id")
    with pytest.raises(CommandError, match="Add --format csv or --format json"):
        call_command("load", topic, str(odd), "--key", "id")
