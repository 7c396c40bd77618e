"""Cases in the test driver."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, Literal

from designer.topology.graph import Graph
from runner.engine.driver import Driver
from tests.conformance.product.cases import Case, Result, result
from tests.conformance.product.compare import Answer

Batches = Literal["each", "one", "random"]
"""Each record in its own batch, all in one, or cut at random."""
ReadValue = Callable[[bytes], bytes]


def answer(
    case: Case,
    graph: Graph,
    *,
    batches: Batches = "each",
    cache: bool = False,
    is_one_life: bool = True,
    seed: str = "1",
    kind: type[Driver] = Driver,
    read: ReadValue = bytes,
) -> Answer:
    """What the driver emits for each record of a case, at last for the end of the batch; whatever fails raises.

    `read` makes JSON of a value that was written.
    """
    driver = kind(graph, cache=cache, is_one_life=is_one_life, deserialization="fail", processing="fail")
    chance = random.Random(f"{seed}/{case['name']}")
    steps: list[list[Result]] = []
    with ExitStack() as batch:
        for record in case["inputs"]:
            if batches == "random" and chance.random() < 0.3:
                batch.close()
            if batches != "each" and not driver.in_batch:
                batch.enter_context(driver.batch())
            steps.append(_piped(driver, record, read))
    flushed = _written(driver, read)
    return Answer([*steps, flushed] if flushed else steps, driver.dropped_records, driver.count_passed())


def _piped(driver: Driver, record: Mapping[str, Any], read: ReadValue) -> list[Result]:
    driver.pipe(
        record["topic"],
        key=record["key"],
        value=record["value"],
        timestamp=record["timestamp"],
        headers={name: None if text is None else text.encode() for name, text in record.get("headers", ())},
    )
    return _written(driver, read)


def _written(driver: Driver, read: ReadValue) -> list[Result]:
    return [
        result(topic, row[1], None if row[2] is None else read(row[2]), row[3], row[4]) for topic, row in driver.rows()
    ]
