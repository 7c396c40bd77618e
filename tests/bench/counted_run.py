"""A run that counts its calls to the JVM for `tests/bench/batch.py`: `python -m tests.bench.counted_run`.

It appends the count so far to the file of `STREAMWRIGHT_CALLS` whenever a batch begins.
"""

import os
import sys
from pathlib import Path
from typing import Any

from py4j.java_gateway import GatewayClient
from pyspark.sql import DataFrame

from runner.spark.batches import Batches
from runner.spark.run import main

VARIABLE = "STREAMWRIGHT_CALLS"


def count_calls(file: Path) -> None:
    """Counts the calls of this process from now on."""
    calls = 0
    send, run = GatewayClient.send_command, Batches.run

    def send_counted(*args: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        return send(*args, **options)

    def run_noted(batches: Batches, packs: DataFrame, batch: int) -> None:
        with file.open("a") as lines:
            lines.write(f"{batch} {calls}\n")
        run(batches, packs, batch)

    GatewayClient.send_command = send_counted
    Batches.run = run_noted  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    count_calls(Path(os.environ[VARIABLE]))
    sys.exit(main())
