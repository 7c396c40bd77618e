"""The whole product as a user starts it, in its own folder: `manage.py up`, its API, its processes, its Kafka."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import httpx
import orjson
import psutil
from confluent_kafka import Consumer, KafkaError, Producer, TopicPartition

from runner.demo.samples import FLIGHT_DELAYS, get_sample
from runner.kafka import KafkaCluster
from tests.patience import PATIENCE_SECONDS
from tests.settled import settled_ends

ROOT = Path(__file__).resolve().parents[2]
OF_THE_TESTS = (
    "DATABASE_URL",
    "REDIS_URL",
    "KAFKA_BOOTSTRAP_SERVERS",
    "SCHEMA_REGISTRY_URL",
    "SECRET_KEY_FILE",
    "STREAMWRIGHT_LOADED",
)
Answer = Any


class Product:
    """A started Streamwright, signed in. A standby would slow what else runs on a small machine: say so to have one.

    `root` is the checkout whose code runs, and `variables` are what an administrator sets. As a context manager it
    starts, and stops at the end.
    """

    def __init__(
        self, home: Path, *, standby: bool = False, root: Path = ROOT, variables: Mapping[str, str] | None = None
    ) -> None:
        self.home = home
        self.root = root
        self.standby = standby
        self.variables = dict(variables or {})
        self.up: subprocess.Popen[bytes]
        self.http: httpx.Client

    def start(self) -> None:
        """Start it without feed and sample, and sign in through the link it prints."""
        self.home.mkdir(parents=True, exist_ok=True)
        if not (self.home / "jars").exists():
            (self.home / "jars").symlink_to(ROOT / ".run" / "jars")
        self.output = self.home / "up.log"
        with self.output.open("wb") as output:
            self.up = subprocess.Popen(
                [sys.executable, str(self.root / "manage.py"), "up", "--empty"],
                cwd=self.root,
                env=self._environment(),
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            link = self.wait(self._link, "the address")
            address = link.partition("/enter")[0]
            self.http = httpx.Client(base_url=address, follow_redirects=True, timeout=PATIENCE_SECONDS)
            self.http.get(link).raise_for_status()
        except BaseException:
            self.up.send_signal(signal.SIGINT)
            raise

    def stop(self) -> float:
        """Ctrl-C; the seconds it took."""
        self.http.close()
        began = time.monotonic()
        self.up.send_signal(signal.SIGINT)
        self.up.wait(PATIENCE_SECONDS)
        return time.monotonic() - began

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def get(self, path: str) -> Answer:
        return self.http.get(f"/api{path}").raise_for_status().json()

    def post(self, path: str, body: Any = None) -> Answer:
        return self.send("POST", path, body)

    def send(self, method: str, path: str, body: Any = None) -> Answer:
        token = {"X-CSRFToken": self.http.cookies["csrftoken"]}
        answer = self.http.request(method, f"/api{path}", json=body, headers=token)
        assert answer.status_code < 300, answer.text
        return answer.json()

    @contextmanager
    def feed_paused(self) -> Iterator[None]:
        """Nothing new comes meanwhile, so that a lag can fall to 0 on any machine."""
        token = {"X-CSRFToken": self.http.cookies["csrftoken"]}
        self.http.patch("/api/sample-feed", json={"is_paused": True}, headers=token).raise_for_status()
        try:
            yield
        finally:
            self.http.patch("/api/sample-feed", json={"is_paused": False}, headers=token).raise_for_status()

    def delete(self, path: str) -> None:
        answer = self.http.delete(f"/api{path}", headers={"X-CSRFToken": self.http.cookies["csrftoken"]})
        assert answer.status_code in (202, 204), answer.text

    def deploy_sample(self, name: str, *, spark: str = "", **settings: Any) -> int:
        """Import "Flight delays" and deploy it as job `name`, on a Spark cluster if one is named; the job's id."""
        topology = self.post("/topologies/import", get_sample(FLIGHT_DELAYS))
        wanted = {"topology": topology["id"], "name": name, "spark": spark, "settings": settings}
        return int(self.post("/jobs/deploy", wanted)["id"])

    @contextmanager
    def running_sample(self, rate: int) -> Iterator[int]:
        """Run "Flight delays" while so many flights arrive each second. Yield its job once it has committed a batch."""
        assert self.feed("--tables-only").wait() == 0
        job = self.deploy_sample("flight-delays", slots=2)
        feed = self.feed("--rate", str(rate))
        try:
            self.wait(lambda: self.batch(job) is not None, "the first batch")
            yield job
        finally:
            feed.terminate()
            feed.wait()

    def topics(self) -> set[str]:
        return {topic["name"] for topic in self.get("/clusters/local/topics")}

    def job(self, job: int) -> Answer:
        return self.get(f"/jobs/{job}")

    def live(self, job: int) -> Answer:
        return self.get(f"/jobs/{job}/live")

    def batch(self, job: int) -> int | None:
        """The newest batch the running run has committed, by fresh numbers; None before its first."""
        live = self.live(job)
        fresh = live["status"] == "running" and not live["is_stale"]
        return live["numbers"]["batch"]["number"] if fresh else None

    def lag(self, job: int) -> int | None:
        """Records not yet read, over all sources, by fresh numbers; None while they are not known."""
        live = self.live(job)
        if live["is_stale"] or live["status"] != "running":
            return None
        lags = [source["total_lag"] for source in live["numbers"]["sources"].values()]
        return None if None in lags else sum(lags)

    def await_read(self, job: int, topic: str) -> None:
        """Wait until a job has committed the results of all records that a topic holds now.

        Kafka has the offsets in the transaction of the results. A lag of 0 may be older than the last records.
        """
        cluster, group = KafkaCluster(self.kafka), self.job(job)["application_id"]
        facts, ends = cluster.topic(topic), settled_ends(self.kafka, topic)

        def has_read() -> bool:
            committed = cluster.read_committed_of(group, [facts])[topic]
            return all(
                end == 0 or (each is not None and each.offset >= end) for each, end in zip(committed, ends, strict=True)
            )

        self.wait(has_read, f"job {job} to have read {topic}")

    def wait_for_status(self, job: int, *wanted: str) -> Answer:
        def reached() -> Answer:
            found = self.job(job)
            return found if found["status"] in wanted else None

        return self.wait(reached, f"job {job} to be {' or '.join(wanted)}")

    def feed(self, *options: str) -> subprocess.Popen[bytes]:
        """`manage.py feed` with these options, running."""
        with (self.home / "feed.log").open("ab") as log:
            command = [sys.executable, str(self.root / "manage.py"), "feed", "--servers", self.kafka, *options]
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=self.root, env=self._environment())

    @property
    def kafka(self) -> str:
        ports = orjson.loads((self.home / "ports.json").read_bytes())
        return f"127.0.0.1:{ports['kafka']}"

    def processes(self, *words: str) -> list[psutil.Process]:
        """This product's processes whose command line holds all of `words`."""
        ours = [process for process in psutil.process_iter() if self._is_ours(process)]
        below = [child for process in ours for child in _below(process)]
        return [process for process in {*ours, *below} if all(word in command_line(process) for word in words)]

    def kill(self, *words: str) -> set[psutil.Process]:
        """kill -9 every process of this product whose command line holds all of `words`; one at least."""
        found = set(self.processes(*words))
        assert found, f"no process with {words}"
        _kill(found)
        return found

    def kill_all(self) -> None:
        """kill -9 every process; the supervisor first, for it starts again what dies."""
        self.up.kill()
        self.up.wait()
        while left := self.processes():
            _kill(left)

    @property
    def failpoint(self) -> Path:
        return self.home / "failpoint"

    def fail_at(self, place: str) -> None:
        """The next process that comes to this place of runner.spark dies there, once."""
        self.failpoint.write_text(place)

    def answers(self) -> bool:
        try:
            return self.http.get("/health").status_code == 200
        except httpx.TransportError:
            return False

    def standby_is_ready(self) -> bool:
        log = self.home / "logs" / "standby.log"
        return log.exists() and "Ready after" in log.read_text()

    def produce(self, topic: str, key: str, value: Any) -> None:
        producer = Producer({"bootstrap.servers": self.kafka})
        producer.produce(topic, orjson.dumps(value), key.encode())
        assert producer.flush(10) == 0

    def read(self, topic: str) -> list[tuple[Any, Any, int]]:
        """Everything a plain read-committed consumer sees in a topic, by partition: (key, value, timestamp ms)."""
        with consumer(self.kafka, topic) as reader:
            return list(records(reader))

    def wait(self, condition: Callable[[], Answer], what: str) -> Answer:
        """The first truthy answer; fails saying what was waited for."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            if answer := condition():
                return answer
            time.sleep(0.2)
        raise AssertionError(f"waited {PATIENCE_SECONDS:.0f} s for {what}; see {self.home}/logs")

    def _environment(self) -> dict[str, str]:
        """Ours, without what the tests' own parts put there."""
        kept = {name: value for name, value in os.environ.items() if name not in OF_THE_TESTS}
        return {
            **kept,
            **options_for_java(),
            **self.variables,
            "STREAMWRIGHT_HOME": str(self.home),
            "STREAMWRIGHT_FAILPOINT": str(self.failpoint),
            "STREAMWRIGHT_STANDBY": str(int(self.standby)),
        }

    def _link(self) -> str | None:
        if self.up.poll() is not None:
            raise AssertionError(self.output.read_text())
        found = re.search(r"Open (http\S+)", self.output.read_text())
        return found and found[1]

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            return process.environ().get("STREAMWRIGHT_HOME") == str(self.home)
        except psutil.Error:
            return False


def make_home(name: str = "soak") -> Path:
    """A new folder for a product below `.run`. Postgres may enter it as another user, as it does if we are root."""
    home = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=ROOT / ".run"))
    home.chmod(0o755)
    return home


def options_for_java() -> dict[str, str]:
    """Kafka inherits those of the tests; to a run, whose environment is a clean one, its command gives them."""
    if not (options := os.environ.get("JAVA_TOOL_OPTIONS")):
        return {}
    run = ["env", f"JAVA_TOOL_OPTIONS={options}", sys.executable, "-m", "runner.spark"]
    return {"CHILD_COMMAND": shlex.join(run)}


def _kill(processes: Iterable[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # it has just ended
            process.kill()


def _below(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.Error:  # it has just ended
        return []


def command_line(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


@contextmanager
def consumer(servers: str, topic: str) -> Iterator[Consumer]:
    """A plain read-committed consumer at the beginning of every partition of a topic that has settled."""
    reader = Consumer(
        {
            "bootstrap.servers": servers,
            "group.id": "tests",
            "isolation.level": "read_committed",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
        }
    )
    reader.assign([TopicPartition(topic, number, 0) for number, _ in enumerate(settled_ends(servers, topic))])
    try:
        yield reader
    finally:
        reader.close()


def records(reader: Consumer) -> Iterator[tuple[Any, Any, int]]:
    """What stands in the topic now, to the end of each partition: (key, value, timestamp ms)."""
    left = {partition.partition for partition in reader.assignment()}
    while left:
        for message in reader.consume(10_000, timeout=0.2):
            if message.error() is None:
                yield read_content(message.key()), read_content(message.value()), message.timestamp()[1]
            elif message.error().code() == KafkaError._PARTITION_EOF:  # type: ignore[union-attr]
                left.discard(message.partition())  # more than once where more comes meanwhile
            else:
                raise AssertionError(message.error())


def read_content(content: bytes | None) -> Any:
    """JSON objects and lists as values; all else, malformed ones too, as text."""
    if content is None:
        return None
    try:
        return orjson.loads(content) if content[:1] in b"{[" else content.decode()
    except ValueError:
        return content.decode(errors="replace")
