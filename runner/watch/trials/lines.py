"""Made-up records for a trial, one line of JSON each, and the expected output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from designer.refusals import Refusal
from designer.values import exact_json
from runner.engine.trial import Line, MadeUpRecord
from runner.watch.codes import WatchCode
from runner.watch.trials.differences import BYTES, REASON

Json = dict[str, Any]
"""An object of a line before its check."""
MAX_RECORDS = 1_000
EXAMPLE = '{"topic": "orders", "key": "a", "value": {"amount": 3}, "timestamp": 1000}'
NAMES = ("topic", "key", "value", "timestamp")
LETTER = ("dead_letter", "record")
"""A dead letter instead of an output: the node of the failure, and the number of the record, from 1. Its `reason` is
optional.
"""


class BadLine(Refusal):
    """A line is not a record."""

    code = WatchCode.TRIAL_BAD_LINE
    status = 422


def read_lines(text: str) -> list[MadeUpRecord]:
    """The records, in order. Missing keys and values are null. A missing time (ms) is that of the line before.

    Raises BadLine with the number of the line.
    """
    lines = _parse_objects(text)
    if len(lines) > MAX_RECORDS:
        raise BadLine(
            f"These are {len(lines):,} records; at most {MAX_RECORDS:,} can be tried at a time.", "Remove some records."
        )
    records: list[MadeUpRecord] = []
    for number, read in lines:
        _check_line(number, read)
        time = read.get("timestamp", records[-1].timestamp if records else 0)
        records.append(MadeUpRecord(read["topic"], read.get("key"), read.get("value"), time))
    return records


def read_expected(text: str) -> list[Line]:
    """The expected records as objects, in order. Missing keys and values are null. Without a time, any matches.

    `value_bytes` and `key_bytes` are what Kafka gets, as text or `base64:` and base64. With `value_bytes`, the value
    may be left out.

    Raises BadLine with the number of the line.
    """
    try:
        return [_check_expected(number, read) for number, read in _parse_objects(text)]
    except BadLine as bad:
        raise BadLine(f"Expected records: {bad.message}", bad.hint, **bad.details) from bad


def _check_expected(number: int, read: Json) -> Line:
    if read.keys() - {REASON} == set(LETTER):
        return cast(Line, read)
    _check_line(number, read, (*NAMES, *BYTES))
    for name in BYTES:
        if not isinstance(read.get(name), str | None):
            raise _make_bad_line(number, f"has a `{name}` that is neither a text nor null")
    return cast(Line, {"key": None} | ({} if "value_bytes" in read else {"value": None}) | read)


def write_line(record: Mapping[str, object]) -> str:
    """A record as a line, in the page's form."""
    names = (name for name in (*NAMES, *BYTES, *LETTER, REASON) if name in record)
    members = (f'"{name}": {exact_json.dumps(record[name]).decode()}' for name in names)
    return f"{{{', '.join(members)}}}"


def write_lines(records: Sequence[Line]) -> str:
    """The output of a topology, one record a line, as a test case expects it: without bytes."""
    return "\n".join(
        write_line({name: value for name, value in record.items() if name not in BYTES}) for record in records
    )


def _parse_objects(text: str) -> list[tuple[int, Json]]:
    """The objects of lines that are not blank, with their number. JSON may contain other line ends."""
    return [(number, _parse_object(number, line)) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _parse_object(number: int, line: str) -> Json:
    try:
        read: Any = exact_json.loads(line)
    except ValueError as error:
        raise _make_bad_line(number, f"is not valid JSON: {error}") from error
    if not isinstance(read, dict):
        raise _make_bad_line(number, "is not a JSON object")
    return read


def _check_line(number: int, read: Json, names: Sequence[str] = NAMES) -> None:
    for name in read:
        if name not in names:
            raise _make_bad_line(number, f"has `{name[:80]}`. Known: {', '.join(names)}")
    if not isinstance(read.get("topic"), str):
        raise _make_bad_line(number, "names no `topic`")
    timestamp = read.get("timestamp", 0)
    if not isinstance(timestamp, int) or isinstance(timestamp, bool) or not -(2**63) <= timestamp < 2**63:
        raise _make_bad_line(number, "has a `timestamp` that is not a whole number of milliseconds since 1970")


def _make_bad_line(number: int, what: str) -> BadLine:
    return BadLine(f"Line {number} {what}.", f"Write each record on one line: {EXAMPLE}", line=number)
