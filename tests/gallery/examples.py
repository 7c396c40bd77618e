"""`python -m tests.gallery.examples`: writes what each application makes of five records, as the gallery shows it.

The records are five in a row of its probe, those that give most; the results are the driver's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import orjson

from designer.topology.user_code import ALLOW
from runner.demo.gallery import EXAMPLES, read_gallery
from runner.engine.code import user_code
from runner.engine.tasks.errors import RecordFailed
from tests.gallery.answering import graph_of, in_driver
from tests.gallery.probe import T0, Given, Probe
from tests.gallery.probes import PROBES

SHOWN = 5
Row = dict[str, Any]


def example_of(application_id: str) -> dict[str, Any]:
    """Five records for an application, and the first that they give."""
    probe = PROBES[application_id]
    starts = range(max(1, len(probe.given) - SHOWN + 1))
    tried = [(records, results) for at in starts for records, results in _try(application_id, probe, at)]
    records, results = max(tried, key=lambda each: len(each[1]))
    return {"records": [_row(*each) for each in records], "results": results[:SHOWN]}


def _try(application_id: str, probe: Probe, at: int) -> Iterator[tuple[list[Given], list[Row]]]:
    chosen = slice(at, at + SHOWN)
    given = [each for each in probe.given[chosen] if not isinstance(each[2], bytes)]
    some = replace(probe, given=given, arrivals=probe.arrivals[chosen])
    try:
        written = in_driver(graph_of(application_id), some).written
    except RecordFailed:
        return
    found = [_row(topic, *record) for topic, records in written.items() for record in records]
    yield given, found


def _row(topic: str, key: Any, value: Any, time: int) -> Row:
    return {"topic": topic, "key": key, "value": value, "timestamp": T0 + time}


def examples() -> Mapping[str, Any]:
    """Of every application."""
    return {application_id: example_of(application_id) for application_id in read_gallery()}


def main() -> None:
    os.environ[ALLOW] = "1"
    user_code.trust_this_process()
    lines = [orjson.dumps({"id": name, **example}) for name, example in examples().items()]
    EXAMPLES.write_bytes(b"\n".join(lines) + b"\n")


if __name__ == "__main__":
    main()
