"""A Kafka that lets no one in without a password (SASL PLAIN and SCRAM), to be reached as users' own clusters are."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from tests.parts import HOME
from webapp.local.kafka import Kafka
from webapp.local.parts import JARS, run_part
from webapp.local.ports import is_open

USER, PASSWORD = "ada", "canary-of-lovelace"
CONFIG = {
    "security.protocol": "SASL_PLAINTEXT",
    "sasl.mechanism": "PLAIN",
    "sasl.username": USER,
    "sasl.password": PASSWORD,
}
MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule"
PROPERTIES = f"""\
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256
sasl.mechanism.inter.broker.protocol=PLAIN
listener.name.plaintext.plain.sasl.jaas.config={MODULE} required \
username="{USER}" password="{PASSWORD}" user_{USER}="{PASSWORD}";
listener.name.plaintext.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
"""


class SecuredKafka(Kafka):
    """The broker of `make run`, whose listener asks for a name and a password."""

    def is_ready(self) -> bool:
        if not is_open(self.port):
            return False
        try:
            admin = AdminClient({"bootstrap.servers": self.servers, "socket.timeout.ms": 2000, **CONFIG})
            return admin.list_topics(timeout=2).cluster_id == self.cluster_id()
        except KafkaException:
            return False

    def _write_properties(self) -> Path:
        path = super()._write_properties()
        plain = path.read_text().replace("=PLAINTEXT:PLAINTEXT,", "=PLAINTEXT:SASL_PLAINTEXT,")
        path.write_text(plain + PROPERTIES)
        return path


@pytest.fixture(scope="session")
def secured() -> Iterator[str]:
    """The address of a Kafka that lets only USER in."""
    home = HOME / "secured"
    (home / "logs").mkdir(parents=True)
    broker = SecuredKafka(home, JARS, is_passing=True)
    with run_part(broker):
        yield broker.servers
