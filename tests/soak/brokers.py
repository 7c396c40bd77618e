"""Three brokers that stop, die and go away together, under a job with joins and windows.

Each topic has three replicas and takes no write without two of them, as on a cluster in production. Outputs are
compared with the oracle at the end. `python -m tests.soak.brokers` runs this alone.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.proof.compare import all_flights_equal_the_oracle
from tests.proof.product import Product, make_home
from webapp.local.kafka import Kafka, make_properties
from webapp.local.parts import JARS, wait_for
from webapp.local.ports import choose_port

BROKERS = 3
AWAY_SECONDS = 20.0


class Broker(Kafka):
    """One of three brokers, each of them a controller too. All of them get the cluster id of the first."""

    def __init__(self, home: Path, number: int, controllers: list[int], cluster_id: str) -> None:
        super().__init__(home, JARS, is_passing=True)
        self.number = number
        self.controllers = controllers
        (home / "kafka.cluster").write_text(cluster_id)

    def _write_properties(self) -> Path:
        own = self.controllers[self.number - 1]
        voters = ",".join(f"{number}@127.0.0.1:{port}" for number, port in enumerate(self.controllers, 1))
        text = make_properties(self.port, own, self.data.name)
        text = text.replace("node.id=1", f"node.id={self.number}")
        text = text.replace(f"voters=1@127.0.0.1:{own}", f"voters={voters}")
        text = text.replace("replication.factor=1", f"replication.factor={BROKERS}").replace("min.isr=1", "min.isr=2")
        path = self.home / "kafka.properties"
        path.write_text(f"{text}default.replication.factor={BROKERS}\nmin.insync.replicas=2\n")
        return path

    def kill(self) -> None:
        assert self.child is not None and self.child.process is not None
        self.child.process.kill()
        self.child.process.wait()


class ProductOfThree(Product):
    """The product on these brokers."""

    def __init__(self, home: Path, brokers: Iterable[Broker]) -> None:
        super().__init__(home, variables={"KAFKA_BOOTSTRAP_SERVERS": ",".join(each.servers for each in brokers)})

    @property
    def kafka(self) -> str:
        return self.variables["KAFKA_BOOTSTRAP_SERVERS"]


@contextmanager
def three_brokers(home: Path) -> Iterator[list[Broker]]:
    """Brokers that answer, each in a folder of its own."""
    homes = [home / f"broker-{number}" for number in range(1, BROKERS + 1)]
    for each in homes:
        (each / "logs").mkdir(parents=True)
    cluster_id = Kafka(homes[0], JARS).cluster_id()
    controllers = [choose_port(each, "kafka-controller") for each in homes]
    brokers = [Broker(each, number, controllers, cluster_id) for number, each in enumerate(homes, 1)]
    with ExitStack() as stack:
        for broker in brokers:
            broker.start()
            stack.callback(broker.stop)
        for broker in brokers:
            wait_for(broker)
        yield brokers


def restart(broker: Broker) -> None:
    broker.stop()
    broker.start()
    wait_for(broker)


def die(broker: Broker) -> None:
    broker.kill()
    broker.start()
    wait_for(broker)


def wrong_after(rounds: int) -> int:
    """Breaks the brokers so often. Raises AssertionError if a record is lost or repeated, or the job does not go on."""
    home = make_home()
    with three_brokers(home) as brokers, ProductOfThree(home / "product", brokers) as product:
        _break_all(product, brokers, rounds)
    shutil.rmtree(home)
    return 0


def _break_all(product: Product, brokers: list[Broker], rounds: int) -> None:
    faults: list[tuple[str, Callable[[], None]]] = []
    for broker in brokers * rounds:
        faults.append((f"broker {broker.number} restarts", lambda broker=broker: restart(broker)))  # type: ignore[misc]
        faults.append((f"broker {broker.number} is killed", lambda broker=broker: die(broker)))  # type: ignore[misc]
    faults += [("all brokers are away", lambda: _all_away(brokers))] * rounds
    with product.running_sample(rate=200) as job:
        for name, fault in faults:
            fault()
            batch, began = product.batch(job) or 0, time.monotonic()
            product.wait(lambda batch=batch: (product.batch(job) or 0) > batch + 1, "batches")  # type: ignore[misc]
            print(f"{name}: batches go on after {time.monotonic() - began:.0f} s", flush=True)
    fed = all_flights_equal_the_oracle(product, job)
    print(f"{len(faults)} faults of brokers, {fed:,} flights: nothing lost, nothing repeated", flush=True)


def _all_away(brokers: list[Broker]) -> None:
    for broker in brokers:
        broker.kill()
    time.sleep(AWAY_SECONDS)
    for broker in brokers:
        broker.start()
    for broker in brokers:
        wait_for(broker)


if __name__ == "__main__":
    sys.exit(wrong_after(1))
