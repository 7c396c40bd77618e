"""Fresh random cases, answered by Kafka Streams and by us: in the driver by both engines, and on Spark."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.conformance.oracle.random_cases import random_cases
from tests.conformance.oracle.shrinking import shrunk
from tests.conformance.product.cases import Case
from tests.conformance.product.compare import Level
from tests.conformance.product.report import Ask, failure, in_driver, in_spark
from tests.conformance.product.translation import counts_bytes
from tests.runner.kernel_driver import KernelDriver

AT_ONCE = 500
ON_SPARK = 10
"""One case in so many runs on Spark too."""
WAYS: Sequence[tuple[str, Level, Ask]] = (
    ("record by record", "stepwise", in_driver("stepwise")),
    ("in random batches", "per-key", in_driver("per-key", "random")),
    ("record by record in the kernel", "stepwise", in_driver("stepwise", kind=KernelDriver)),
)


def differing_cases(seed: str, count: int, servers: str, folder: Path) -> int:
    """How many of the cases differ. The smallest form of each is written to a file in `folder`."""
    found = 0
    for start in range(0, count, AT_ONCE):
        cases = random_cases(f"{seed}-{start}", min(AT_ONCE, count - start))
        found += sum(_differs(case, folder) for case in cases)
        on_spark = [case for case in cases[::ON_SPARK] if not counts_bytes(case)]
        for verdict in in_spark(on_spark, "per-key", servers, "random", seed):
            if verdict.failure:
                found += 1
                _told(verdict.case, "on Spark", verdict.failure, folder)
        print(f"{start + len(cases)} random cases, {found} differ", flush=True)
    return found


def _differs(case: Case, folder: Path) -> bool:
    """Whether a case differs in the driver."""
    for how, level, ask in WAYS:
        if failure(case, ask, level):
            small = shrunk(case, partial(_fails, ask, level))
            _told(small, how, str(failure(small, ask, level)), folder)
            return True
    return False


def _fails(ask: Ask, level: Level, case: Case) -> bool:
    return failure(case, ask, level) is not None


def _told(case: Case, how: str, why: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{case['name']}.json"
    file.write_text(json.dumps(case, ensure_ascii=False, indent=1))
    print(f"{case['name']} {how}: {file}\n{why}", flush=True)
