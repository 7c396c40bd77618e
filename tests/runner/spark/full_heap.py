"""A run whose Java process fills its heap in the second batch: `python -m tests.runner.spark.full_heap`."""

import sys

from pyspark.sql import DataFrame

from runner.spark.batches import Batches
from runner.spark.private import get_gateway
from runner.spark.run import main


def fill_heap() -> None:
    run = Batches.run

    def run_full(batches: Batches, packs: DataFrame, batch: int) -> None:
        if batch == 1:
            gateway = get_gateway(packs.sparkSession)
            gateway.new_array(gateway.jvm.long, 1 << 30)
        run(batches, packs, batch)

    Batches.run = run_full  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    fill_heap()
    sys.exit(main())
