"""Case files: what may stand in them, and what the engine's rows are in their words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from runner.engine.records.headers import read_headers_as_text

Case = Mapping[str, Any]
Result = Mapping[str, Any]
"""A record that was emitted: topic, key, value, timestamp, the window of a windowed key, and headers if it has some."""


def read_cases(file: Path) -> Iterator[Case]:
    """The cases of a file: one, a list, a file of a family, or any number of these in a row (JSON lines).

    JSON lines are read one at a time.
    """
    number = 0
    for found in _documents(file):
        if isinstance(found, dict) and "cases" in found:
            found = found["cases"]
        for case in found if isinstance(found, list) else [found]:
            number += 1
            yield _case(case, f"case {number} of {file.name}")


def expected_by_step(case: Case) -> list[list[Result]] | None:
    """What Kafka Streams emits for each input record, where the case tells them apart."""
    steps = case.get("expected_by_step")
    return None if steps is None else [[_record(each) for each in step] for step in steps]


def expected(case: Case) -> list[Result]:
    """What Kafka Streams emits, in order."""
    steps = expected_by_step(case)
    if steps is not None:
        return [result for step in steps for result in step]
    if case.get("expected") is None:
        raise ValueError("it has neither `expected` nor `expected_by_step`.")
    return [_record(each) for each in case["expected"]]


def result(topic: str, key: bytes | None, value: bytes | None, timestamp: int, headers: str | None = None) -> Result:
    """A row that a sink wrote as JSON, in the words of the cases."""
    found = {"topic": topic, "key": _loaded(key), "value": _loaded(value), "timestamp": timestamp}
    if isinstance(window := found["key"], dict):
        found |= {"key": window["key"], "window": {"start": window["start"], "end": window["end"]}}
    return found | (
        {"headers": [[each["key"], each["value"]] for each in read_headers_as_text(headers)]} if headers else {}
    )


def text_of(results: Any) -> str:
    """The same for the same results, and for no others: 1 and 1.0 differ."""
    return json.dumps(results, sort_keys=True, ensure_ascii=False)


def _case(found: Any, name: str) -> Case:
    """A case with a name, and with both sides of each input record; one that is left out is null."""
    if not (isinstance(found, dict) and isinstance(found.get("topology"), list)):
        raise ValueError(f"{name} is not an object with a `topology`.")
    inputs = [{"key": None, "value": None, **each} for each in found.get("inputs") or ()]
    return {"name": name, **found, "inputs": inputs}


def _record(found: Mapping[str, Any]) -> Result:
    """What is compared of an expected record."""
    record = {field: found.get(field) for field in ("topic", "key", "value", "timestamp")}
    if (window := found.get("window")) is not None:
        record["window"] = {"start": window["start"], "end": window["end"]}
    return record | ({"headers": found["headers"]} if found.get("headers") else {})


def _loaded(data: bytes | None) -> Any:
    return None if data is None else orjson.loads(data)


def _documents(file: Path) -> Iterator[Any]:
    """The JSON documents of a file: line by line, until a document does not end with its line."""
    with file.open(encoding="utf-8-sig") as lines:
        for line in lines:
            try:
                found = list(_decoded(line))
            except json.JSONDecodeError:
                found = list(_decoded(line + lines.read()))
            yield from found


def _decoded(text: str) -> Iterator[Any]:
    decoder, at = json.JSONDecoder(), 0
    while (at := _behind_space(text, at)) < len(text):
        found, at = decoder.raw_decode(text, at)
        yield found


def _behind_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
