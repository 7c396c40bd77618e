"""Large state: the speed of ten million keys beside a hundred thousand, and a lost disk; `python -m tests.bench state`.

A count by key over small records. Of each topic the first records bring every key once, the rest are updates of keys
drawn at random; the rate is that of the updates alone.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from types import TracebackType

import numpy as np
import psutil

from runner.kafka import KafkaCluster
from tests.bench.rivals import fill
from tests.bench.watching import Batch, Watch, batches
from tests.bench.workloads import INTEGER, Json, draw, reads
from tests.proof.product import Product

FEW, MILLION, MANY = 100_000, 1_000_000, 10_000_000
UPDATES = 10_000_000
BASE_MS = 1_767_225_600_000
Row = tuple[str, str, str]


def large_state(product: Product) -> Iterator[Row]:
    """Rows of the report; the product must have no standby."""
    cluster, rates = KafkaCluster(product.kafka), {}
    for keys in (FEW, MANY):
        fill(cluster, product.kafka, f"keys-{keys}", _records(keys, UPDATES))
        with Workers(product) as workers:
            job, seen = caught_up(product, keys)
        rates[keys] = _rate(seen, keys)
        product.post(f"/jobs/{job}/stop")
        product.wait_for_status(job, "stopped")
        about = (
            f"{UPDATES:,} updates of random keys, exactly once; workers of their own memory {workers.most_mb:,.0f} MB"
        )
        yield f"count of {keys:,} keys", f"{rates[keys]:,.0f} records/s", f"{about} at most"
    yield "many keys beside few", f"{rates[MANY] / rates[FEW]:.0%}", "of the speed; aim 70 %"
    fill(cluster, product.kafka, f"keys-{MILLION}", _records(MILLION, 0))
    yield from restored(product)


def restored(product: Product) -> Iterator[Row]:
    """Seconds from the start of a stopped job whose local disk was lost until it has caught up, in every slot.

    Also the keys that it restores in each second beyond a start with the disk kept, and the bytes of a key.
    """
    job, _ = caught_up(product, MILLION)
    size = product.live(job)["numbers"]["state"]
    yield "bytes of a key and its count in the state", f"{size['bytes'] / size['rows']:.0f} B", f"{size['rows']:,} rows"
    kept, lost = (_back(product, job, lose=lose) for lose in (False, True))
    about = f"from the start of a stopped job to its next batch, local disk lost ({kept:.1f} s if kept)"
    yield f"restore of {MILLION:,} keys", f"{lost:.1f} s", about
    if lost > kept:
        yield "restored keys", f"{MILLION / (lost - kept):,.0f} keys/s", "in the time beyond a start with the disk kept"


def caught_up(product: Product, keys: int) -> tuple[int, list[Batch]]:
    """The job that counts a topic, at its end, and the batches it took."""
    name = f"count-{keys}"
    topology = product.post("/topologies", {"name": name, "graph": counting(f"keys-{keys}", name)})["id"]
    job = product.post("/jobs/deploy", {"topology": topology, "name": name})["id"]
    return job, batches(Watch(product, job), until=lambda: product.lag(job) == 0)


def _back(product: Product, job: int, *, lose: bool) -> float:
    product.post(f"/jobs/{job}/stop")
    product.wait_for_status(job, "stopped")
    if lose:
        for folder in (product.home / "state").iterdir():
            shutil.rmtree(folder)
    for key in range(100):  # some for every slot
        product.produce(f"keys-{MILLION}", key_text(key), {"n": 1})
    began = time.monotonic()
    product.post(f"/jobs/{job}/restart")
    product.wait(lambda: product.batch(job) is not None and product.lag(job) == 0, "the job to be back")
    return time.monotonic() - began


def _records(keys: int, updates: int) -> Iterator[tuple[str, str, int]]:
    for key in range(keys):
        yield key_text(key), '{"n":1}', BASE_MS + key
    drawn = np.random.Generator(np.random.PCG64(keys)).integers(0, keys, updates)
    for number, key in enumerate(drawn.tolist(), keys):
        yield key_text(key), '{"n":1}', BASE_MS + number


def key_text(number: int) -> str:
    """The key of that number."""
    return f"k{number:08d}"


def _rate(seen: list[Batch], keys: int) -> float:
    """Records a second from the first batch behind the one that brought the last new keys."""
    behind = [batch for batch in seen if batch.records >= keys]
    first, last = behind[0], behind[-1]
    return (last.records - first.records) / (last.at - first.at) * 1_000


def counting(topic: str, output: str) -> Json:
    """The graph of a count by key."""
    nodes = {
        "numbers": reads("stream", topic, {"n": INTEGER}),
        "by-key": ("group_by_key", {}),
        "counts": ("count", {}),
        "updates": ("to_stream", {}),
        "out": ("to", {"topic": output}),
    }
    return draw("numbers > by-key.stream, by-key > counts.grouped, counts > updates.table, updates > out.stream", nodes)


class Workers:
    """Looks every two seconds at the memory of Spark's Python workers that is theirs alone, not a file's."""

    def __init__(self, product: Product) -> None:
        self.product = product
        self.most_mb = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Workers:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(2):
            self.most_mb = max(self.most_mb, sum(map(own_mb, self.product.processes("-m runner.spark.session.daemon"))))


def own_mb(process: psutil.Process) -> float:
    """Anonymous memory, shared pages by share (PSS): what the kernel cannot take back; 0 of a process that is gone."""
    try:
        with open(f"/proc/{process.pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Pss_Anon")) / 1_024
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
