"""Makes docs/examples.json: a worked example of each operator, as the operator's own test draws and pipes it.

`python -m tests.docs.examples [OPERATOR…]` writes those of some or all; the reference page of operators shows it
(`webapp.docs.reference`).
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

import runner.engine.operators  # noqa: F401 - fills the catalogue
from designer.topology.catalogue import get_catalogue
from designer.topology.graph import Graph
from designer.topology.user_code import ALLOW
from designer.values.tuples import Windowed
from runner.engine.code.user_code import trust_this_process
from runner.engine.driver import Driver
from runner.engine.formats.display import write_shown
from runner.engine.planning.layout import Sink
from tests.docs.pages import ROOT

EXAMPLES = ROOT / "docs" / "examples.json"
MAX_RECORDS = 5
USUAL = {"one_life", "wall_clock"}
"""The options of a driver that leave its results as they are."""

Step = dict[str, Any]
"""A record that is piped (`in`), the records that are written for it (`out`), and lines of the log (`log`)."""


class RecordedDriver(Driver):
    """A driver that keeps what it is given. `is_plain` says whether single records are all of it."""

    def __init__(self, graph: Graph, **options: Any) -> None:
        self.graph = graph
        self.piped: list[Mapping[str, Any]] = []
        self.is_plain = options.keys() <= USUAL
        super().__init__(graph, **options)

    def pipe(self, topic: str, **record: Any) -> None:
        self.piped.append({"topic": topic, "key": None, "value": None, "timestamp": 0} | record)
        super().pipe(topic, **record)

    def pipe_bytes(self, topic: str, *record: Any, **more: Any) -> None:
        self.is_plain &= bool(self.piped) and not more
        super().pipe_bytes(topic, *record, **more)

    @contextmanager
    def batch(self) -> Iterator[None]:
        self.is_plain = False
        with super().batch():
            yield

    def advance_wall_clock(self, ms: int) -> None:
        self.is_plain = False
        super().advance_wall_clock(ms)


class Recorder:
    """A pytest plugin that keeps the drivers of each test that passed."""

    def __init__(self) -> None:
        self.drivers: list[RecordedDriver] = []
        self.passed: dict[str, list[RecordedDriver]] = {}

    def driver(self, graph: Graph, **options: Any) -> Driver:
        self.drivers.append(RecordedDriver(graph, **options))
        return self.drivers[-1]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.passed.setdefault(report.nodeid.partition("[")[0], self.drivers if report.passed else [])
            self.drivers = []


def steps(graph: Graph, records: Sequence[Mapping[str, Any]]) -> list[Step]:
    """What a topology makes of each of some records."""
    driver = Driver(graph, wall_clock=lambda: 0)
    topics = [target.topic for target in driver.layout.targets if isinstance(target, Sink)]
    return [_step(driver, record, topics) for record in records]


def _step(driver: Driver, record: Mapping[str, Any], topics: Sequence[str]) -> Step:
    with _log() as lines:
        driver.pipe(**record)
    out = [
        {"topic": topic, "key": _json(each.key), "value": _json(each.value), "timestamp": each.timestamp}
        for topic in dict.fromkeys(topics)
        for each in driver.records(topic)
    ]
    return {"in": dict(record), "out": out, "log": lines}


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


@contextmanager
def _log() -> Iterator[list[str]]:
    """The lines that nodes write into the run's log."""
    lines, logger = _Lines(), logging.getLogger("record")
    level = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(lines)
    try:
        yield lines.said
    finally:
        logger.removeHandler(lines)
        logger.setLevel(level)


def _json(value: Any) -> Any:
    if isinstance(value, Windowed):
        return {"key": _json(value.key), "start": value.start, "end": value.end}
    return json.loads(write_shown(value))


def example(operator: str) -> dict[str, Any]:
    """The first driver of the operator's test that shows it: its graph, and what becomes of its records."""
    file = f"tests/runner/engine/operators/test_{operator}.py"
    recorder = Recorder()
    with patch("tests.runner.graph_builder.Driver", recorder.driver):
        pytest.main([file, "-q", "-p", "no:cacheprovider"], plugins=[recorder])
    for test, drivers in recorder.passed.items():
        for driver in drivers:
            if driver.is_plain and any(node.operator == operator for node in driver.graph.nodes):
                found = steps(driver.graph, driver.piped[:MAX_RECORDS])
                if any(step["out"] or step["log"] for step in found):
                    return {"test": test, "graph": driver.graph.to_json(), "steps": found}
    raise LookupError(f"No test of {file} pipes single records through {operator} and reads what comes out.")


if __name__ == "__main__":
    os.environ[ALLOW] = "1"
    trust_this_process()
    made = {name: example(name) for name in sys.argv[1:] or get_catalogue()}
    kept = {name: each for name, each in json.loads(EXAMPLES.read_text()).items() if name in get_catalogue()} | made
    found = (f"{json.dumps(name)}: {json.dumps(kept[name])}" for name in sorted(kept))
    EXAMPLES.write_text("{" + ",\n".join(found) + "}\n")
