"""How long the state of one slot takes for a record on one core, without Spark and engine.

`python -m tests.bench.slot_speed [KEYS]`: so many keys are written once, then batches of updates of keys drawn at
random are read, written and committed.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from runner.engine.stores.state import PREFIX
from runner.spark.state import SlotState
from tests.runner.spark.state.spark_store import SparkStore

KEYS = 2_000_000
UPDATES = 250_000
BATCHES = 4


def main() -> None:
    keys = int(sys.argv[1]) if sys.argv[1:] else KEYS
    drawn = np.random.Generator(np.random.PCG64(keys))
    store = SparkStore()
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, keys, UPDATES):
            batch(store, Path(folder), range(start, min(start + UPDATES, keys)))
        for _ in range(BATCHES):
            loaded, changed, committed = batch(store, Path(folder), drawn.integers(0, keys, UPDATES).tolist())
            a_record = (loaded + changed + committed) / UPDATES * 1e6
            laps = f"load {loaded:.2f} s, read and write {changed:.2f} s, commit {committed:.2f} s"
            print(f"{a_record:6.2f} µs a record: {laps}")


def batch(store: SparkStore, directory: Path, numbers: Sequence[int]) -> tuple[float, float, float]:
    """Seconds to load the state, to read and write these keys, and to commit."""
    began = time.perf_counter()
    with SlotState.load(store.attempt(), directory) as state:
        loaded = time.perf_counter()
        for number in numbers:
            key = PREFIX.pack(0, 1) + b"k%08d" % number
            state.put(key, b"%016d" % (int(state.get(key) or 0) + 1))
        changed = time.perf_counter()
        state.commit()
    store.commit()
    del store.versions[:-1]
    return loaded - began, changed - loaded, time.perf_counter() - changed


if __name__ == "__main__":
    main()
