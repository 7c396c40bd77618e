"""`python -m tests.bench.past`: how long a batch of much state takes to open, and the disk that the kept past takes.

Without a product: a slot with a state of so many GiB (`--gib 1`), and batches that change a few of its rows. A batch is
opened as the page does it (`Past`): in a process that has not had the files open before.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import orjson

from runner.engine.stores.state import PREFIX
from runner.spark.replay import HeadOnly
from runner.spark.state import Changelog, Past, SlotState
from runner.spark.state.changelog import Head
from runner.spark.state.working_copy import WorkingCopy
from tests.bench.figures import Row
from tests.proof.product import ROOT

VALUE = 1_000
"""Bytes of a row's value."""
BATCHES, CHANGED = 600, 100
"""A minute of batches at 1,000 records/s, and the rows that each changes."""
DAY_BATCHES = 86_400 * 10


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--gib", type=float, default=1.0)
    parser.add_argument("--open", type=Path, help=f"Open the first of {BATCHES} batches of a directory, and say how.")
    options = parser.parse_args()
    if options.open is not None:
        print(orjson.dumps(open_first(options.open)).decode())
        return
    with tempfile.TemporaryDirectory(prefix="past-", dir=ROOT / ".run") as folder:
        for row in measure(Path(folder), int(options.gib * 2**30)):
            print(*row, sep=" | ", flush=True)


def measure(folder: Path, size: int) -> Iterator[Row]:
    """Rows of the report."""
    count = size // VALUE
    draw = random.Random(1)
    rows = ((key_of(number), draw.randbytes(VALUE)) for number in range(count))
    heads = HeadOnly(WorkingCopy(folder).begin(rows, Head()))
    for number in range(BATCHES):
        with SlotState.load(Changelog(heads), folder) as state:
            for at in draw.sample(range(count), CHANGED):
                state.put(key_of(at), draw.randbytes(VALUE))
            state.commit(number + 1, 1 << 40)
    kept = sum(path.stat().st_size for path in folder.glob("history*"))
    command = [sys.executable, "-m", "tests.bench.past", "--open", str(folder)]
    found = [orjson.loads(subprocess.check_output(command, cwd=ROOT)) for _ in range(3)]
    wall, cpu = (sorted(each[name] for each in found)[1] for name in ("wall_s", "cpu_s"))
    about = f"state of {size / 2**30:.1f} GiB, {BATCHES} batches back, to a page of 100 rows; {cpu:.2f} s of processor"
    yield "open a batch", f"{wall:.2f} s", f"{about}; median of 3; aim 5 s"
    a_row = kept / BATCHES / CHANGED
    day = a_row * CHANGED * DAY_BATCHES / 2**30
    yield "disk of changes of state", f"{a_row:,.0f} B", f"for each changed row of {VALUE:,} B, so {day:,.1f} GiB a day"


def open_first(folder: Path) -> dict[str, float]:
    """Seconds until a page of rows before the first batch is read."""
    began, used = time.monotonic(), time.process_time()
    past = Past(folder, 1)
    rows = past.view().range(b"", None)
    page = [next(rows) for _ in range(100)]
    assert len(page) == 100
    past.close()
    return {"wall_s": time.monotonic() - began, "cpu_s": time.process_time() - used}


def key_of(number: int) -> bytes:
    return PREFIX.pack(0, 0) + number.to_bytes(8)


if __name__ == "__main__":
    main()
