"""Clocks that are set while a product works: an hour and a day forward and back, under jobs that count and punctuate.

`clock.c` shifts the time of day of processes that live, and leaves the monotonic clock alone. In turn the clocks of the
runs, of the control plane, of the broker, of Redis and Postgres, and of all of them are set. After each step the job
with joins, windows, sessions and suppress must have written what its oracle expects (`tests.proof.life`), the
punctuator of the other one must have ticked on, and its live numbers must be right.

`python -m tests.soak.clock` runs this alone. It needs `cc` and glibc.
"""

from __future__ import annotations

import shlex
import shutil
import struct
import subprocess
import sys
import textwrap
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic  # type: ignore[attr-defined]

from runner.watch.alerts.kinds import AlertKind
from tests.patience import PATIENCE_SECONDS
from tests.proof.life import Life
from tests.proof.product import Product, make_home, options_for_java

HOUR, DAY = 3_600, 86_400
STEPS = (HOUR, 0, -HOUR, 0, DAY, 0)
"""Seconds by which a clock is wrong, one after the other."""
GROUPS: dict[str, tuple[str, ...]] = {
    "broker": ("kafka.Kafka",),
    "run": ("runner.spark", "webapp supervise", "org.apache.spark", "pyspark"),
    "control plane": ("webapp agent", "celery", "uvicorn"),
    "Redis and Postgres": ("redis-server", "postgres"),
}
"""Processes whose clocks are set together, by words of their command lines. The first word that is there counts."""
ROW = struct.Struct("<56sq")
RATE = 50
TICKS = 10
"""Of both tasks together, after each step."""
LOOK_SECONDS = 12.0
"""Live rates are means of ten seconds."""
TICKER = """
    class Ticker(Processor):
        def init(self, context):
            self.context = context
            self.seen = context.store("seen")
            context.schedule(500, "wall_clock", self.tick)

        def process(self, record):
            self.seen.put("records", (self.seen.get("records") or 0) + 1)

        def tick(self, now):
            number = (self.seen.get("ticks") or 0) + 1
            self.seen.put("ticks", number)
            seen = {"tick": number, "at": now, "records": self.seen.get("records") or 0}
            self.context.forward(Record(str(self.context.task), seen, now))
"""


class Clocks:
    """The clocks of a product, which a test sets while its processes live."""

    def __init__(self, folder: Path) -> None:
        self.library, self.file = folder / "clock.so", folder / "clocks"
        source = Path(__file__).with_suffix(".c")
        subprocess.run([find_compiler(), "-O2", "-fPIC", "-shared", "-o", self.library, source], check=True)
        self.library.chmod(0o755)  # Postgres runs as another user when we are root
        self.rows = [(group, word) for group, words in GROUPS.items() for word in words]
        self.file.write_bytes(b"".join(ROW.pack(word.encode(), 0) for _, word in self.rows))
        self.file.chmod(0o644)

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs in its environment."""
        return {"LD_PRELOAD": str(self.library), "CLOCK_FILE": str(self.file)}

    def variables(self) -> dict[str, str]:
        """What a product needs in its environment. To a run, whose environment is a clean one, its command gives it."""
        own = options_for_java().get("CHILD_COMMAND") or shlex.join([sys.executable, "-m", "runner.spark"])
        run = ["env", *(f"{name}={value}" for name, value in self.environment.items()), *shlex.split(own)]
        return self.environment | {"CHILD_COMMAND": shlex.join(run)}

    def set(self, seconds: int, *groups: str) -> None:
        """Let clocks be wrong by so many seconds."""
        with self.file.open("r+b") as file:
            for place, (group, _) in enumerate(self.rows):
                if group in groups:
                    file.seek(place * ROW.size + ROW.size - 8)
                    file.write(struct.pack("<q", seconds * 1_000_000_000))


def find_compiler() -> str:
    """Raises RuntimeError if there is none."""
    if (found := shutil.which("cc")) is None:
        raise RuntimeError("tests.soak.clock needs a C compiler as `cc`, for example of the package build-essential.")
    return found


class Ticking:
    """A job whose punctuator writes the number of each call, and how many records it has seen."""

    def __init__(self, product: Product) -> None:
        self.product = product
        self.fed = 0
        self.is_over = threading.Event()
        self.producer = Producer({"bootstrap.servers": product.kafka})
        admin = AdminClient({"bootstrap.servers": product.kafka})
        any_time = {"message.timestamp.after.max.ms": str(2**63 - 1)}  # a tick has the time of the run, a day ahead
        topics = [NewTopic("records", 2, 1), NewTopic("ticks", 1, 1, config=any_time)]
        for future in admin.create_topics(topics).values():
            future.result()
        topology = product.post("/topologies", {"name": "ticking", "graph": draw_ticking()})
        settings = {"slots": 1, "cache": False}
        self.job = product.post("/jobs/deploy", {"topology": topology["id"], "name": "ticking", "settings": settings})
        self.id = int(self.job["id"])
        self.feeding = threading.Thread(target=self._feed, daemon=True)
        self.feeding.start()

    def _feed(self) -> None:
        while not self.is_over.wait(1 / RATE):
            self.producer.produce("records", f"{self.fed}", f"k{self.fed % 10}")
            self.fed += 1
            self.producer.poll(0)
        assert self.producer.flush(60) == 0

    def end_feed(self) -> None:
        self.is_over.set()
        self.feeding.join()

    def read(self) -> dict[str, list[Mapping[str, int]]]:
        """The ticks so far, by task."""
        found = defaultdict(list)
        for key, value, _ in self.product.read("ticks"):
            found[key].append(value)
        return found

    def find_wrong(self) -> list[str]:
        """What is wrong with the ticks so far: each comes once, and later than the one before it."""
        wrong = []
        for task, ticks in self.read().items():
            numbers = [tick["tick"] for tick in ticks]
            if numbers != list(range(1, len(numbers) + 1)):
                wrong.append(f"task {task}: ticks are lost or repeated")
            wrong += [f"task {task}: {b} follows {a}" for a, b in pairwise(ticks) if b["at"] <= a["at"]]
            wrong += [f"task {task}: {b} follows {a}" for a, b in pairwise(ticks) if b["records"] < a["records"]]
        return wrong

    def count(self) -> int:
        return sum(map(len, self.read().values()))

    def count_records(self) -> int:
        """The records that the tasks had seen at their last ticks."""
        return sum(ticks[-1]["records"] for ticks in self.read().values())


def draw_ticking() -> dict[str, Any]:
    config = {
        "code": textwrap.dedent(TICKER),
        "stores": [{"name": "seen", "key_format": "string"}],
        "key_type": {"kind": "string"},
    }
    nodes: list[tuple[str, str, dict[str, Any]]] = [
        ("records", "stream", {"topic": "records", "key_format": "string", "value_format": "string"}),
        ("ticking", "process", config),
        ("ticks", "to", {"topic": "ticks"}),
    ]
    return {
        "nodes": [
            {"id": node, "operator": operator, "config": config, "position": {"x": 200 * place, "y": 0}}
            for place, (node, operator, config) in enumerate(nodes)
        ],
        "edges": [
            {"source": source, "source_port": "result", "target": target, "target_port": "stream"}
            for source, target in (("records", "ticking"), ("ticking", "ticks"))
        ],
    }


class Watch:
    """Looks all the time whether a job has more than one live run, or more of them than jobs work on this machine."""

    def __init__(self, product: Product, jobs: int) -> None:
        self.product, self.jobs = product, jobs
        self.found: list[str] = []
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._look_on, daemon=True)

    @contextmanager
    def looking(self) -> Iterator[None]:
        self.thread.start()
        try:
            yield
        finally:
            self.is_over.set()
            self.thread.join()

    def _look_on(self) -> None:
        while not self.is_over.wait(1.0):
            runs = [each for each in self.product.processes("-m runner.spark") if self._is_run(each)]
            if len(runs) > self.jobs:
                self.found.append(f"{len(runs)} runs of {self.jobs} jobs at once: {runs}")

    @staticmethod
    def _is_run(process: Any) -> bool:
        try:
            return "supervise" in " ".join(process.parent().cmdline())
        except Exception:  # it has just ended
            return False


EACH: dict[str, tuple[str, ...]] = {name: (name,) for name in GROUPS} | {"all": (*GROUPS,)}
"""The groups that are set, one after the other, and then all at once."""


def wrong_after(groups: Mapping[str, tuple[str, ...]] = EACH) -> int:
    """Set the clocks of each group in turn. Return how many findings there are; each is printed."""
    home = make_home()
    clocks = Clocks(home)
    with Product(home, variables=clocks.variables() | {"STREAMWRIGHT_ALLOW_PYTHON": "1"}) as product:
        found = _set_all(product, clocks, groups)
    if not found:
        shutil.rmtree(home)
    return len(found)


def _set_all(product: Product, clocks: Clocks, groups: Mapping[str, tuple[str, ...]]) -> list[str]:
    life = Life(product, "clock")
    life.begin()
    ticking = Ticking(product)
    product.wait(lambda: product.batch(ticking.id) is not None, "the first batch")
    found: list[str] = []
    watch = Watch(product, jobs=2)
    with watch.looking():
        for name, parts in groups.items():
            for before, seconds in pairwise((0, *STEPS)):
                runs = [product.job(each)["generation"] for each in (life.job, ticking.id)]
                clocks.set(seconds, *parts)
                new = _look_after(product, life, ticking)
                after = [product.job(each)["generation"] for each in (life.job, ticking.id)]
                text = "as expected" if not new else "; ".join(new)
                restarts = sum(after) - sum(runs)
                print(f"{name}: from {before:+} s to {seconds:+} s: {text}, {restarts} restarts", flush=True)
                found += new
        product.wait(lambda: _is_kept(product, ticking.id), "a row of the history")
        ticking.end_feed()
        life.end()
        product.wait(lambda: ticking.count_records() >= ticking.fed, f"{ticking.fed} records seen")
    found += [*ticking.find_wrong(), *watch.found]
    if ticking.count_records() != ticking.fed:
        found.append(f"{ticking.count_records()} records seen of {ticking.fed}")
    print(f"{ticking.fed:,} records, {ticking.count():,} ticks, {life.n} records of a life", flush=True)
    print(*found, sep="\n", flush=True)
    return found


def _look_after(product: Product, life: Life, ticking: Ticking) -> list[str]:
    """What is wrong after a step, in words. Both jobs go on meanwhile. On a busy machine it waits for the numbers."""
    began, ticks = time.monotonic(), ticking.count()
    life.feed()
    while time.monotonic() - began < LOOK_SECONDS:
        time.sleep(0.3)
        life.feed(new=False)
    life.agree("the clock was set")
    life.feed()
    life.agree("the clock was set")
    found = []
    if not _comes_true(lambda: ticking.count() >= ticks + TICKS):
        found.append(f"{ticking.count() - ticks} ticks in {time.monotonic() - began:.0f} s")
    if not _comes_true(lambda: not _judge(product, ticking)):
        found += _judge(product, ticking)
    for job in (life.job, ticking.id):
        if (state := product.job(job))["is_blocked"]:
            found.append(f"{state['name']} is blocked: {state['problem']}")
    return found


def _comes_true(claim: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not claim():
        if time.monotonic() > deadline:
            return False
        time.sleep(1.0)
    return True


def _is_kept(product: Product, job: int) -> bool:
    """Whether the numbers of the last minutes are in the history, as they are a minute after they were seen."""
    rates = product.get(f"/jobs/{job}/metrics?span=hour")["lines"]["rate"]
    return any(rate is not None for rate in rates[-2:])


def _judge(product: Product, ticking: Ticking) -> list[str]:
    """What is wrong with the live numbers of the ticking job now, and the alerts of jobs that fire."""
    live = product.live(ticking.id)
    if live["is_stale"] or live["status"] != "running":
        return [f"{live['status']}, numbers are stale: {live['is_stale']}"]
    numbers = live["numbers"]
    # a run ends when its clock is set back, and three of them within ten minutes are told
    alerts = [each for each in product.get("/alerts") if each["kind"] != AlertKind.RESTARTING]
    wrong = [each["text"] for each in alerts if each["job"] and each["state"] == "firing"]
    if not RATE / 2 < numbers["rate"] < RATE * 2:
        wrong.append(f"rate {numbers['rate']} instead of {RATE}")
    if not 0 <= (numbers["latency_ms"] or 0) < 60_000:
        wrong.append(f"latency {numbers['latency_ms']} ms")
    if not 0 <= numbers["batch"]["duration_ms"] < 60_000:
        wrong.append(f"a batch of {numbers['batch']['duration_ms']} ms")
    if not 0 <= numbers["uncommitted_s"] < 60:
        wrong.append(f"records wait for {numbers['uncommitted_s']} s")
    if numbers["lag"] is None or numbers["lag"] > RATE * 20:
        wrong.append(f"lag {numbers['lag']}")
    return wrong


if __name__ == "__main__":
    chosen = {name: EACH[name] for name in sys.argv[1:]}
    sys.exit(bool(wrong_after(chosen) if chosen else wrong_after()))
