"""A child whose Kafka is silent at its start: real Spark and real Kafka, behind a door that can be shut."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from runner.plan import Plan
from tests.runner.spark.runs import Event, World, counting, started

pytestmark = pytest.mark.spark


class Door:
    """An address before a broker's own: shut until it is opened."""

    def __init__(self, broker: str) -> None:
        host, port = broker.split(":")
        self.broker = host, int(port)
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.socket.getsockname()[1]}"

    def open(self) -> None:
        self.socket.listen()
        threading.Thread(target=self._let_in, daemon=True).start()

    def _let_in(self) -> None:
        while True:
            try:
                caller, _ = self.socket.accept()
            except OSError:  # the test is over
                return
            broker = socket.create_connection(self.broker)
            for one, other in ((caller, broker), (broker, caller)):
                threading.Thread(target=_pass_on, args=(one, other), daemon=True).start()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):  # either may be gone
        while data := one.recv(65_536):
            other.sendall(data)
        other.shutdown(socket.SHUT_WR)


@pytest.fixture
def door(kafka_servers: str) -> Iterator[Door]:
    door = Door(kafka_servers)
    with door.socket:
        yield door


@pytest.fixture
def plan(world: World, door: Door) -> Plan:
    orders, counts = world.topic("orders", 1), world.topic("counts", 1)
    found = world.plan(counting(orders, counts), [orders])
    return found.model_copy(update={"kafka": found.kafka | {"bootstrap.servers": door.address}})


def step(name: str) -> Any:
    return lambda event: event.get("step") == name


def test_a_run_waits_for_a_silent_kafka_and_comes_to_running_though_no_record_is_there(
    plan: Plan, door: Door, world: World
) -> None:
    with started(plan) as child:
        child.wait_for(step("kafka"))
        door.open()
        child.wait_for(step("running"))
        world.produce(world.name("orders"), [("ada", "{}", 1)])
        child.wait_for_offsets(world.name("orders"), 1)
        assert child.stop() == 0

    assert steps(child.events) == ["kafka", "session", "first_batch", "running"]
    assert len(world.read(world.name("counts"))) == 1


def test_a_run_that_waits_for_kafka_has_described_its_topology_and_can_be_stopped(plan: Plan, world: World) -> None:
    with started(plan) as child:
        child.wait_for(step("kafka"))

        assert child.stop() == 0

    assert child.events[-1] == {"type": "status", "status": "stopped"}
    lines = child.log.read_text().splitlines()
    (first,) = (number for number, line in enumerate(lines) if line.endswith("INFO runner.spark.run: Topologies:"))
    assert lines[first + 1] == "   Sub-topology: 0"
    assert f"    Source: orders (topics: [{world.name('orders')}])" in lines


def steps(events: list[Event]) -> list[str]:
    return [event["step"] for event in events if event["type"] == "step"]
