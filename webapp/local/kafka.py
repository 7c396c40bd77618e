"""A real single-node Kafka (KRaft) from plain jars, run as our child."""

import base64
import os
import shutil
import subprocess
import uuid
from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from .java import find_java
from .ports import choose_port, is_open
from .problem import Problem
from .process import ChildProcess
from .server import Server

HEAP = "320m"


class Kafka(Server):
    """Our own broker in `home`/kafka, on a port of 127.0.0.1."""

    name = "kafka"

    def __init__(self, home: Path, jars: Path, *, is_passing: bool = False) -> None:
        super().__init__(home, is_passing=is_passing)
        self.jars = jars
        self.data = home / "kafka"

    @property
    def servers(self) -> str:
        """Its address for clients (bootstrap servers)."""
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        """Formats the data folder once, then starts the broker without waiting for it."""
        config = self._write_properties()
        take_back_data(self.data)
        if not (self.data / "meta.properties").exists():
            self._format(config)
        log = self.home / "logs" / "kafka.log"
        options = [f"-Xmx{HEAP}", "-Xms128m", "-XX:+UseG1GC", f"-Dlog4j2.configurationFile={self._write_log_config()}"]
        options.append(f"-Djava.io.tmpdir={self._make_temporary()}")
        self.child = ChildProcess(
            self.name,
            self._make_java_command(*options, "kafka.Kafka", str(config)),
            log,
            cwd=self.home,
            is_tied=self.is_passing,
        )
        self.child.start()

    def is_ready(self) -> bool:
        """Whether the broker answers and is ours, not another on the same port."""
        if not is_open(self.port):
            return False
        try:
            admin = AdminClient({"bootstrap.servers": self.servers, "socket.timeout.ms": 2000})
            return admin.list_topics(timeout=2).cluster_id == self.cluster_id()
        except KafkaException:
            return False

    def cluster_id(self) -> str:
        """The id of this broker's cluster, created at first use."""
        path = self.home / "kafka.cluster"
        if not path.exists():
            path.write_text(base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("="))
        return path.read_text()

    def _write_properties(self) -> Path:
        controller = choose_port(self.home, "kafka-controller")
        path = self.home / "kafka.properties"
        path.write_text(make_properties(self.port, controller, self.data.name))
        return path

    def _format(self, config: Path) -> None:
        shutil.rmtree(self.data, ignore_errors=True)
        cluster = f"--cluster-id={self.cluster_id()}"  # an id may begin with a dash
        command = self._make_java_command("kafka.tools.StorageTool", "format", cluster, "-c", str(config))
        process = subprocess.run(command, cwd=self.home, capture_output=True, text=True)
        if process.returncode:
            raise Problem(f"Kafka could not format {self.data}: {process.stdout}{process.stderr}")

    def _write_log_config(self) -> Path:
        path = self.home / "kafka-log4j2.properties"
        path.write_text(LOG_CONFIG)
        return path

    def _make_temporary(self) -> Path:
        """An empty folder for the libraries that a broker unpacks. A killed broker leaves them."""
        path = self.home / "kafka-temporary"
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        return path

    def _make_java_command(self, *arguments: str) -> list[str]:
        return [str(find_java()), "-cp", os.path.join(self.jars, "*"), *arguments]


def take_back_data(data: Path) -> None:
    """Moves the data of 0.1.0 to `data` from where it is if the path has a letter beyond ASCII.

    Java reads properties as Latin-1: the broker made folders such as `/home/josÃ©`.
    """
    misread = Path(str(data).encode().decode("latin-1"))
    if misread != data and misread.exists() and not data.exists():
        shutil.move(misread, data)


def make_properties(port: int, controller: int, data: str) -> str:
    """The broker's settings, each different from the default for a reason.

    `data` is relative to the working folder, whose path may have letters and commas that this file cannot hold.
    """
    return f"""\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={data}
# one node
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
# small: 50 partitions each by default, every one with open files
offsets.topic.num.partitions=4
transaction.state.log.num.partitions=4
share.coordinator.state.topic.num.partitions=1
# topics are made on purpose, with the right number of partitions
auto.create.topics.enable=false
# record times are event times: 2013 is not too old to keep
log.retention.ms=-1
# ten years: the marker of a job that stands still must be there when it continues
offsets.retention.minutes=5256000
group.initial.rebalance.delay.ms=0
# applications of Kafka Streams send their topology, which can be imported by their name
group.streams.topology.description.plugin.class=org.apache.kafka.server.streams.InMemoryTopologyDescriptionPlugin
# small topics need no 128 MB to be compacted
log.cleaner.dedupe.buffer.size=16777216
# a dead writer's open transaction blocks readers until it is cleaned up (10 s by default)
transaction.abort.timed.out.transaction.cleanup.interval.ms=1000
"""


LOG_CONFIG = """\
status = warn
appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d %p %c{1} %m%n
rootLogger.level = warn
rootLogger.appenderRef.out.ref = out
"""
