"""What is said of a Spark cluster that does not answer, or cannot do what a run needs; test_session.py has more."""

import socket

import pytest

from runner.plan import Executors
from runner.spark.failures import RunFailed
from runner.spark.probe.probing import _look
from runner.spark.session.cluster import refuse_unreachable


@pytest.fixture
def address() -> str:
    """Where no one listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def cluster(addresses: str) -> Executors:
    return Executors(name="blue", master=f"spark://{addresses}")


def test_a_master_that_does_not_answer_is_named_and_tried_again(address: str) -> None:
    with pytest.raises(RunFailed, match=f"The Spark cluster `blue` does not answer at spark://{address}.") as failed:
        refuse_unreachable(cluster(address))

    assert (failed.value.code, failed.value.retriable) == ("spark.unreachable", True)


def test_one_of_several_masters_is_enough(address: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        refuse_unreachable(cluster(f"{address},127.0.0.1:{server.getsockname()[1]}"))


@pytest.mark.services
def test_a_host_says_which_kafka_cluster_it_does_not_reach(address: str, kafka_servers: str, impatience: None) -> None:
    asked = {name: {"bootstrap.servers": at} for name, at in (("far", address), ("near", kafka_servers))}

    (found,) = _look(asked, iter(()))

    ((name, why),) = found.to_pylist()[0]["kafka"]
    assert (name, address in why) == ("far", True)
