"""The topologies of Kafka Streams applications that brokers keep."""

import subprocess
from uuid import uuid4

import pytest

from designer.refusals import NotFound
from runner.export.describe.skeleton import draw_skeleton
from runner.kafka import KafkaCluster, describe_topology, list_group_states
from tests.proof.adopting.programs import Programs
from webapp.local.java import find_java
from webapp.local.parts import JARS

pytestmark = [pytest.mark.services, pytest.mark.slow]


def describe_with_kafka(servers: str, application: str) -> str:
    """What Kafka's own tool prints."""
    tool = "org.apache.kafka.tools.streams.StreamsGroupCommand"
    words = ["--bootstrap-server", servers, "--describe", "--topology", "--group", application]
    run = [str(find_java()), "-cp", str(JARS / "*"), tool, *words]
    return subprocess.run(run, check=True, capture_output=True, text=True).stdout


def lines_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("program", ["suppress", "stream-table"])
def test_an_application_is_described_as_by_kafkas_own_tool(kafka_servers: str, program: str) -> None:
    streams = Programs(kafka_servers, program, protocol="streams")

    found = describe_topology(KafkaCluster(kafka_servers), streams.application)

    assert lines_of(found) == lines_of(describe_with_kafka(kafka_servers, streams.application))
    graph, _, _ = draw_skeleton(found, {})
    assert streams.left in {node.config.get("topic") for node in graph.nodes}
    assert list_group_states(KafkaCluster(kafka_servers))[streams.application] == "Empty"


def test_an_application_that_no_broker_knows_is_named(kafka_servers: str) -> None:
    name = f"app-{uuid4().hex[:6]}"

    with pytest.raises(NotFound, match=name) as refused:
        describe_topology(KafkaCluster(kafka_servers), name)

    assert "group.protocol=classic" in refused.value.hint
