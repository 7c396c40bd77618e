"""Case files: what may stand in them, and what the engine's rows are in their words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

Case = Mapping[str, Any]
Result = Mapping[str, Any]
"""A record that was emitted: topic, key, value, timestamp, and the window of a windowed key."""


def read_cases(file: Path) -> Iterator[Case]:
    """The cases of a file: one, a list, a file of a family, or any number of these in a row (JSON lines)."""
    text, decoder, at = file.read_text(), json.JSONDecoder(), 0
    while (at := _behind_space(text, at)) < len(text):
        found, at = decoder.raw_decode(text, at)
        if isinstance(found, dict) and "cases" in found:
            found = found["cases"]
        yield from found if isinstance(found, list) else [found]


def expected_by_step(case: Case) -> list[list[Result]] | None:
    """What Kafka Streams emits for each input record, where the case tells them apart."""
    steps = case.get("expected_by_step")
    return None if steps is None else [list(step) for step in steps]


def expected(case: Case) -> list[Result]:
    """What Kafka Streams emits, in order."""
    steps = expected_by_step(case)
    return list(case["expected"]) if steps is None else [result for step in steps for result in step]


def result(topic: str, key: bytes | None, value: bytes | None, timestamp: int) -> Result:
    """A row that a sink wrote as JSON, in the words of the cases."""
    found = {"topic": topic, "key": _loaded(key), "value": _loaded(value), "timestamp": timestamp}
    if isinstance(window := found["key"], dict):
        found |= {"key": window["key"], "window": {"start": window["start"], "end": window["end"]}}
    return found


def text_of(results: Any) -> str:
    """The same for the same results, and for no others: 1 and 1.0 differ."""
    return json.dumps(results, sort_keys=True, ensure_ascii=False)


def _loaded(data: bytes | None) -> Any:
    return None if data is None else orjson.loads(data)


def _behind_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
