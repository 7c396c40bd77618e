"""Lives of jobs: random sequences of what users and faults do to a job, each step compared with an oracle.

A life deploys one job with a filter, joins, counts, windows, sessions, suppress and deduplicate. Then it takes its
steps: it changes the job, kills it, moves it, damages it. After each step it feeds records, and every output topic
must hold exactly what `Oracle` expects: every record once, every count without a gap.

`draw` makes the steps from a seed. `tests/proof/test_life.py` lives a few seeds, and `python -m tests.soak.lives` as
many as you like. A life that fails is shortened to the fewest steps that still fail, and printed.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import orjson
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions, NewTopic  # type: ignore[attr-defined]

from tests.patience import PATIENCE_SECONDS
from tests.proof.life_job import APART_MS, OUTPUTS, SIZES_MS, STEP_MS, Expected, Oracle, Record, Shape, draw_graph
from tests.proof.product import Answer, Product

MAX_PARTITIONS = 4
KEYS = 3
"""Keys of each partition. A key stays in its partition when the topic grows."""
LOOK_SECONDS = 2.0
"""Between two requests that ask whether a job is blocked. Each takes processor time from the run."""
BATCHES = 25
"""More than the 20 batches of which Spark keeps records."""
PLACES = ("planned", "before-produce", "before-commit", "after-commit", "ahead")
"""Where a run dies: its batch is planned, executed, committed in Spark, committed in Kafka, or one ahead of Kafka."""


class LifeFailed(AssertionError):
    """A step after which the job does not continue, or its outputs are not the oracle's."""


class Outputs:
    """Reads the output topics of a job as a read-committed consumer does, from where it was."""

    def __init__(self, servers: str, prefix: str) -> None:
        self.prefix = prefix
        self.found: Expected = {name: defaultdict(list) for name in OUTPUTS}
        self.consumer = Consumer(
            {
                "bootstrap.servers": servers,
                "group.id": f"{prefix}-outputs",
                "isolation.level": "read_committed",
                "enable.auto.commit": False,
                "enable.partition.eof": True,
            }
        )
        self.consumer.assign([TopicPartition(f"{prefix}-{name}", n, 0) for name in OUTPUTS for n in range(2)])

    def poll(self) -> None:
        for message in self.consumer.consume(10_000, timeout=0.3):
            if message.error() is None:
                name = str(message.topic()).removeprefix(f"{self.prefix}-")
                self.found[name][_read_key(message.key() or b"")].append(_read_value(message.value()))
            elif message.error().code() != KafkaError._PARTITION_EOF:  # type: ignore[union-attr]
                raise LifeFailed(str(message.error()))

    def find_missing(self, expected: Expected) -> str:
        """What is not written yet, in words. Empty if nothing is missing."""
        counts = {
            name: sum(map(len, expected[name].values())) - sum(map(len, self.found[name].values())) for name in OUTPUTS
        }
        return ", ".join(f"{count} of {name}" for name, count in counts.items() if count)

    def find_wrong(self, expected: Expected) -> str:
        """The first key that has something which no later result can make right, in words. Empty if there is none."""
        for name in OUTPUTS:
            for key, got in self.found[name].items():
                want = expected[name].get(key, [])
                if got != want[: len(got)]:
                    place = next(
                        (n for n, pair in enumerate(zip(got, want, strict=False)) if pair[0] != pair[1]), len(want)
                    )
                    near = slice(max(0, place - 3), place + 3)
                    return f"{name} {key}, from value {near.start} on: expected {want[near]}, found {got[near]}"
        return ""


def _read_key(key: bytes) -> Any:
    if not key.startswith(b"{"):
        return key.decode()
    window = orjson.loads(key)
    is_session = (window["end"] - window["start"]) not in SIZES_MS
    return (window["key"], window["start"], window["end"]) if is_session else (window["key"], window["start"])


def _read_value(value: bytes | None) -> Any:
    if value is None:
        return None
    if not value.startswith(b"{"):
        return int.from_bytes(value) if len(value) == 8 and not value.isdigit() else int(value)
    data = orjson.loads(value)
    if "left" in data:
        return data["left"], data["right"]
    return (data["n"], data["name"]) if "name" in data else data["n"]


class Life:
    """One job from its first deploy on."""

    def __init__(self, product: Product, seed: str, clusters: Sequence[str] = ()) -> None:
        self.product = product
        self.chance = random.Random(seed)
        self.clusters = clusters
        """Names of Spark clusters that the product knows."""
        self.prefix = f"life-{uuid4().hex[:6]}"
        self.partitions, self.step, self.n = 2, 0, 0
        self.settings: dict[str, Any] = {"cache": False, "slots": 1, "batch_interval_ms": 50}
        self.spark = ""
        self.shape, self.oracle = Shape(), Oracle(Shape())
        self.versions: list[tuple[int, Shape]] = []
        self.is_stopped = self.has_unread = False
        self.run_before: int | None = None
        self.producer = Producer({"bootstrap.servers": product.kafka})
        self.admin = AdminClient({"bootstrap.servers": product.kafka})
        self._create_topics()
        self.outputs = Outputs(product.kafka, self.prefix)
        topology = {"name": self.prefix, "graph": draw_graph(self.prefix, self.shape)}
        self.topology = product.post("/topologies", topology)["id"]
        self.job = 0

    def begin(self) -> None:
        """Deploys the job and sees its first results."""
        self._deploy()
        self.feed()
        self.agree("deploy")

    def take(self, step: str) -> None:
        """Takes one step of a sequence. A step that ends with `!` is followed at once by the next one."""
        name, _, place = step.removesuffix("!").partition(":")
        STEPS[name](self, place) if place else STEPS[name](self)
        if not step.endswith("!") and not self.is_stopped:
            self.feed()
            if name in HAND_OVERS:  # the run before may have read all, and a deploy would take the place of a cut over
                self.await_run()
            self.agree(step)

    def end(self) -> None:
        """Starts a stopped job, sees its results, and removes it."""
        if self.is_stopped:
            self.start()
        self.feed()
        self.agree("end")
        self.stop()

    def go_on(self, product: Product) -> None:
        """The same job in a product that was upgraded and started again."""
        self.product = product
        self.admin = AdminClient({"bootstrap.servers": product.kafka})
        self.producer = Producer({"bootstrap.servers": product.kafka})
        found, self.outputs = self.outputs, Outputs(product.kafka, self.prefix)
        found.consumer.close()
        if not self.is_stopped:
            self.feed()
            self.agree("the upgrade")

    def close(self) -> None:
        """Stops the job, whatever its state is."""
        self.outputs.consumer.close()
        with suppress(AssertionError, httpx.HTTPError):
            self.product.failpoint.unlink(missing_ok=True)
            self.product.post(f"/jobs/{self.job}/stop")

    # what users do

    def change_filter(self) -> None:
        """Deploy a version that keeps all state in a new epoch."""
        self._deploy(replace(self.shape, constant=len(self.versions)))

    def change_shape(self) -> None:
        """Deploy a version with a further aggregate, or without it."""
        self._deploy(replace(self.shape, has_extra=not self.shape.has_extra, constant=len(self.versions)))

    def change_windows(self) -> None:
        """Deploy a version whose windows cannot keep their state."""
        size_ms = next(each for each in SIZES_MS if each != self.shape.size_ms)
        self._deploy(replace(self.shape, size_ms=size_ms, constant=len(self.versions)))

    def roll_back(self) -> None:
        """Deploy an earlier version."""
        self._deploy_version(*self.chance.choice(self.versions))

    def change_slots(self) -> None:
        self._deploy(slots=3 - self.settings["slots"])

    def change_settings(self) -> None:
        self._deploy(batch_interval_ms=150 - self.settings["batch_interval_ms"])

    def start_fresh(self) -> None:
        """Read everything again."""
        self._stop_reading()
        self._deploy(on_state="fresh_from_earliest")

    def move(self) -> None:
        """Run somewhere else: on a Spark cluster, each with its own checkpoint folder, or on a host."""
        places = [place for place in ("", *self.clusters) if place != self.spark]
        if places:
            self.spark = self.chance.choice(places)
            self._deploy()

    def add_partition(self) -> None:
        if self.partitions < MAX_PARTITIONS:
            self.partitions += 1
            topic = f"{self.prefix}-in"
            for future in self.admin.create_partitions([NewPartitions(topic, self.partitions)]).values():
                future.result()
            self._wait(lambda: len(self._ask_partitions(topic)) == self.partitions, "the partition to be known")

    def _ask_partitions(self, topic: str) -> Mapping[int, Any]:
        """The partitions of a topic. From now on the producer knows them, too."""
        partitions: Mapping[int, Any] = self.producer.list_topics(topic, timeout=30).topics[topic].partitions
        return partitions

    def repair(self) -> None:
        """A file of the checkpoint is cut off while the job is stopped. The user chooses to repair it."""
        if self.is_stopped:
            self.start()
        self.await_run()
        self._stop_reading()
        folder = self._find_checkpoint()
        newest = [max((folder / log).glob("[0-9]*"), key=lambda path: int(path.name)) for log in ("offsets", "commits")]
        known = [file for file in newest if (file.parent.name, file.name) != ("offsets", "0")]  # those are nowhere else
        file = self.chance.choice([folder / "metadata", *known])
        file.write_bytes(file.read_bytes()[:5])
        self._deploy(on_state="repair")

    def skip_lost(self) -> None:
        """Kafka deletes records that the stopped job has not read. The user chooses to skip them."""
        self._stop_reading()
        (end,) = self._ends(0)
        self.feed(lost=2)
        places = [TopicPartition(f"{self.prefix}-in", 0, end + 2)]
        for future in self.admin.delete_records(places).values():
            future.result()
        # Kafka deletes from the first record on, so earlier records are gone from the topic, too
        self.oracle.records = [each for each in self.oracle.records if each.partition != 0 or each.step == self.step]
        self._deploy(on_state="skip_lost")

    def stop(self) -> None:
        self.product.post(f"/jobs/{self.job}/stop")
        self.product.wait_for_status(self.job, "stopped", "failed")
        self.is_stopped = True

    def start(self) -> None:
        self.run_before = self.product.job(self.job)["run"]
        self.product.post(f"/jobs/{self.job}/restart")
        self.is_stopped = False

    def cut_over(self, place: str = "") -> None:
        """Prove a version that keeps all state, and let it take over. With a place, a run dies there meanwhile."""
        self.await_run()
        shape = replace(self.shape, constant=len(self.versions))
        self._save(shape)
        self.product.post(f"/jobs/{self.job}/proof", {"minutes": 60})
        proof = self._wait(self._find_proof, "the end of the proof")
        assert proof["status"] == "equal", proof["failure"] or proof["report"]["sentence"]
        self.shape = shape
        self._hand_over(f"/jobs/{self.job}/proof/cut-over", {}, place)

    def cut_over_rebuilt(self, place: str = "") -> None:
        """Prove a version with a further aggregate, whose state is rebuilt from the topics, and let it take over.

        Its new count goes on as if it had counted all records, also those read since the proof.
        """
        self.await_run()
        shape = replace(self.shape, has_extra=True, constant=len(self.versions))
        self._save(shape)
        self.product.post(f"/jobs/{self.job}/proof", {"minutes": 60, "is_rebuilt": True})
        proof = self._wait(self._find_proof, "the end of the proof")
        assert (proof["failure"], proof["takes_state"]) == (None, True), proof
        grades = {topic: of["grades"] for topic, of in proof["report"]["topics"].items() if of["grades"]}
        assert set(grades) == {f"{self.prefix}-extra"}, grades
        self.feed()
        self.agree("the proof")
        self.oracle.change(shape)
        self.oracle.extra = self.oracle.counts.copy()
        self.shape, self.run_before = shape, self.product.job(self.job)["run"]
        if place:
            self.product.fail_at(place)
        job = self.product.post(f"/jobs/{self.job}/proof/cut-over", {})
        self.versions.append((job["version"], self.shape))
        if place:
            self._await_death(place)
        self.await_run()

    def _find_proof(self) -> Answer:
        proof = self.product.get(f"/jobs/{self.job}/proof")
        return None if proof["status"] == "running" else proof

    def go_back(self, place: str = "") -> None:
        """Let the version before the last cut over take over again."""
        self.await_run()
        self._wait(lambda: self.product.get(f"/jobs/{self.job}/cut-over")["back"], "a kept version")
        self._hand_over(f"/jobs/{self.job}/back", {"at_once": False}, place)

    def _hand_over(self, path: str, body: Answer, place: str) -> None:
        """Another version takes over. It must have the state of all records, for the oracle does not change."""
        self.run_before = self.product.job(self.job)["run"]
        if place:
            self.product.fail_at(place)
        self.feed(new=False)
        job = self.product.post(path, body)
        self.versions.append((job["version"], self.shape))
        self.feed(new=False)
        if place:
            self._await_death(place)

    # what happens to jobs

    def kill(self, place: str) -> None:
        """The run dies at a place of the protocol."""
        if self.is_stopped:
            self.start()
        self.product.fail_at(place)
        self.feed()
        self._await_death(place)

    def _await_death(self, place: str) -> None:
        if place == "ahead":
            self._wait(self._dies_ahead, "a run to die ahead of Kafka")
        else:
            self._wait(lambda: not self.product.failpoint.exists(), f"a run to die at {place}")

    def _dies_ahead(self) -> bool:
        """A batch waits for the next one, in which the run dies. So there must be records for another one."""
        if not self.product.failpoint.exists():
            return True
        self.feed(new=False)
        time.sleep(LOOK_SECONDS)
        return False

    def lose_host(self, moment: str = "") -> None:
        """The agent and the worker, the run supervisors and their runs die at once, after a moment of a hand-over."""
        self._wait(lambda: self.product.processes("-m webapp agent"), "an agent")
        if moment:
            self._wait(partial(MOMENTS[moment], self), f"the hand-over to be {moment}")
        for each in ("-m webapp agent", "-m webapp supervise", "runner.spark", "celery -A webapp worker"):
            with suppress(AssertionError):  # it may have just ended
                self.product.kill(each)

    def has_ended(self) -> bool:
        """Whether the run before the hand-over has ended."""
        runs = self.product.get(f"/jobs/{self.job}/runs")
        return any(run["id"] == self.run_before and run["ended_at"] for run in runs)

    def write_batches(self) -> None:
        """The run commits so many batches that Spark forgets its first ones."""
        if self.is_stopped:
            self.start()
        self.await_run()
        self.feed()
        for _ in range(BATCHES):
            last = self.product.batch(self.job)
            self.feed(new=False)
            self._wait(lambda last=last: self._is_behind(last), "the next batch")  # type: ignore[misc]

    def _is_behind(self, batch: int | None) -> bool:
        self._refuse_blocked("batches")
        newest = self.product.batch(self.job)
        return newest is not None and newest != batch

    # the rest

    def feed(self, *, new: bool = True, lost: int = 0) -> None:
        """Produce records: some of each partition as a new step, or one more of the same step.

        A new step has each key once at least: a task whose windows are open then sees a later record, and closes them.
        First come `lost` records of partition 0, which the oracle does not see.
        """
        if new:
            self.step += 1
            self.place = 0
            each_key = [(partition, key) for partition in range(self.partitions) for key in range(KEYS)]
            places = each_key + self.chance.choices(each_key, k=4)
            self.chance.shuffle(places)
            places = [(0, 0)] * lost + places
        else:
            places = [(self.chance.randrange(self.partitions), self.chance.randrange(KEYS))]
        records = [self._make_record(partition, key) for partition, key in places]
        for each in records:
            value = orjson.dumps({"n": each.n, "id": each.id})
            self.producer.produce(
                f"{self.prefix}-in", value, each.key, partition=each.partition, timestamp=each.timestamp
            )
        assert self.producer.flush(PATIENCE_SECONDS) == 0
        self.has_unread = True
        self.oracle.read(records[lost:])

    def _make_record(self, partition: int, number: int) -> Record:
        self.n += 1
        self.place += 1
        key = f"k{partition}-{number}"
        timestamp = self.step * STEP_MS + min(self.place * APART_MS, SIZES_MS[0] - 1)
        recent = [each.id for each in self.oracle.records[-20:] if each.key == key]
        is_repeat = recent and self.chance.random() < 0.2
        return Record(partition, key, self.n, self.chance.choice(recent) if is_repeat else self.n, self.step, timestamp)

    def await_run(self) -> None:
        """Waits until a run of the newest request has committed a batch: what is fed now, it reads."""

        def has_begun() -> bool:
            self._refuse_blocked("run")
            return self.product.batch(self.job) is not None and self._is_newest()

        self._wait(has_begun, "a run of the newest request with a batch")

    def _is_newest(self) -> bool:
        return bool(self.product.job(self.job)["run"] != self.run_before)

    def agree(self, step: str) -> None:
        """Waits until the outputs are the oracle's. Raises LifeFailed at once if they cannot become so."""
        deadline, next_look = time.monotonic() + PATIENCE_SECONDS, 0.0
        while missing := self.outputs.find_missing(self.oracle.expected):
            if wrong := self.outputs.find_wrong(self.oracle.expected):
                raise LifeFailed(f"after {step}: {wrong}")
            if time.monotonic() > deadline:
                raise LifeFailed(f"after {step} these results are missing: {missing}")
            if time.monotonic() > next_look:
                self._refuse_blocked(step)
                next_look = time.monotonic() + LOOK_SECONDS
            self.outputs.poll()
        if wrong := self.outputs.find_wrong(self.oracle.expected):
            raise LifeFailed(f"after {step}: {wrong}")
        self.has_unread = False

    def _refuse_blocked(self, step: str) -> None:
        job = self.product.job(self.job)
        if job["is_blocked"]:
            raise LifeFailed(f"after {step} the job is blocked: {job['problem']}")

    def _deploy(self, shape: Shape | None = None, on_state: str = "", **settings: Any) -> None:
        """Save the draft and deploy it, with the choice that its state needs."""
        shape = shape or self.shape
        self._save(shape)
        self.settings |= settings
        self._send_deploy({"topology": self.topology}, shape, on_state)

    def _save(self, shape: Shape) -> None:
        revision = self.product.get(f"/topologies/{self.topology}/draft")["revision"]
        body = {"revision": revision, "graph": draw_graph(self.prefix, shape)}
        self.product.send("PUT", f"/topologies/{self.topology}/draft", body)

    def _deploy_version(self, version: int, shape: Shape) -> None:
        self._send_deploy({"version": version}, shape, "")

    def _send_deploy(self, what: Mapping[str, Any], shape: Shape, on_state: str) -> None:
        loses_windows = shape.size_ms != self.shape.size_ms
        if loses_windows or (self.shape.has_extra != shape.has_extra):
            self._stop_reading()  # else records fed meanwhile may be read by the old version
        self.run_before = self.product.job(self.job)["run"] if self.job else None
        wanted = {**what, "name": self.prefix, "spark": self.spark, "settings": self.settings}
        on_state = on_state or ("fresh_from_now" if loses_windows else "")
        job = self.product.post("/jobs/deploy", wanted | ({"on_state": on_state} if on_state else {}))
        self.job, self.is_stopped = job["id"], False
        self.versions.append((job["version"], shape))
        if on_state == "fresh_from_earliest":
            self.oracle.start_fresh(shape)
        else:
            self.oracle.change(shape)
        self.shape = shape

    def _stop_reading(self) -> None:
        """Lets the job read all that is fed, and stops it."""
        if self.is_stopped and self.has_unread:
            self.start()
        if not self.is_stopped:
            self.agree("before a stop")
            self.stop()

    def _find_checkpoint(self) -> Path:
        job = self.product.job(self.job)
        name = f"{job['application_id']}/epoch-{job['epoch']}"
        (folder,) = (path for path in self.product.home.glob(f"*/{name}") if (path / "metadata").exists())
        return folder

    def _ends(self, *partitions: int) -> list[int]:
        places = (TopicPartition(f"{self.prefix}-in", each) for each in partitions)
        return [self.outputs.consumer.get_watermark_offsets(place, timeout=30)[1] for place in places]

    def _create_topics(self) -> None:
        topics = [NewTopic(f"{self.prefix}-in", self.partitions, 1), NewTopic(f"{self.prefix}-names", 1, 1)]
        topics += [NewTopic(f"{self.prefix}-{name}", 2, 1) for name in OUTPUTS]
        for future in self.admin.create_topics(topics).values():
            future.result()
        for key in (f"k{partition}-{number}" for partition in range(MAX_PARTITIONS) for number in range(KEYS)):
            self.producer.produce(f"{self.prefix}-names", orjson.dumps({"name": f"name of {key}"}), key, timestamp=1)
        assert self.producer.flush(PATIENCE_SECONDS) == 0

    def _wait(self, condition: Callable[[], Answer], what: str) -> Answer:
        return self.product.wait(condition, what)


STEPS: dict[str, Callable[..., None]] = {
    "change-filter": Life.change_filter,
    "change-shape": Life.change_shape,
    "change-windows": Life.change_windows,
    "roll-back": Life.roll_back,
    "slots": Life.change_slots,
    "settings": Life.change_settings,
    "fresh": Life.start_fresh,
    "move": Life.move,
    "partition": Life.add_partition,
    "repair": Life.repair,
    "skip-lost": Life.skip_lost,
    "cut-over": Life.cut_over,
    "cut-over-rebuilt": Life.cut_over_rebuilt,
    "back": Life.go_back,
    "stop": Life.stop,
    "start": Life.start,
    "kill": Life.kill,
    "host-dies": Life.lose_host,
    "batches": Life.write_batches,
}
"""The steps of a life by their names. `kill:planned` names a place of `PLACES`, `host-dies:ended` one of `MOMENTS`."""
MOMENTS: dict[str, Callable[[Life], bool]] = {
    "asked": lambda life: True,
    "ended": Life.has_ended,
    "begun": Life._is_newest,
}
"""Moments of a hand-over by their names: it is asked for, the old run has ended, the new one is there."""
DEPLOYS = ("change-filter", "change-shape", "change-windows", "roll-back", "slots", "settings", "fresh", "move")
HAND_OVERS = ("cut-over", "cut-over-rebuilt", "back")
"""They need a proof before, or a cut over: they are told, not drawn. `cut-over:planned` kills a run meanwhile."""
WEIGHTS = {"change-filter": 2, "kill": 4, "batches": 2, "start": 2}
"""How often a step is drawn, where it is not once."""


DRAWN = tuple(name for name in STEPS if name not in HAND_OVERS)


def draw(seed: str, length: int, names: Sequence[str] = DRAWN) -> list[str]:
    """The steps of a life, by its seed, from the steps of these names."""
    chance = random.Random(seed)
    weights = [WEIGHTS.get(name, 1) for name in names]
    return [_spell(name, chance) for name in chance.choices(names, weights, k=length)]


def _spell(name: str, chance: random.Random) -> str:
    place = f":{chance.choice(PLACES)}" if name == "kill" else ""
    is_hasty = name in (*DEPLOYS, "kill", "host-dies", "start") and chance.random() < 0.3
    return name + place + "!" * is_hasty


def live(product: Product, seed: str, steps: Sequence[str], clusters: Sequence[str] = ()) -> str:
    """Live through some steps. Return what went wrong, or an empty text."""
    life = Life(product, seed, clusters)
    done: list[str] = []
    try:
        life.begin()
        for step in steps:
            done.append(step)
            life.take(step)
        life.end()
    except (AssertionError, httpx.HTTPError, KafkaException) as error:
        return f"{life.prefix}, {' '.join(done)}: {error}"
    finally:
        life.close()
    return ""


def shorten(fails: Callable[[Sequence[str]], bool], steps: Sequence[str]) -> list[str]:
    """The fewest steps that still fail, found by leaving out one after the other. Each try is a whole life."""
    kept = list(steps)
    for place in reversed(range(len(kept))):
        fewer = kept[:place] + kept[place + 1 :]
        if fails(fewer):
            kept = fewer
    return kept
