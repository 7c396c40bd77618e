"""A Kafka that asks for a token of the provider (SASL OAUTHBEARER), and lets each client do what its ACLs say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.openid.people import SECRET
from tests.openid.provider import OpenId
from tests.parts import HOME
from webapp.local.kafka import Kafka
from webapp.local.parts import JARS, running
from webapp.local.ports import remember_port

SUPER = "operator"
"""The client that may do everything."""
PROPERTIES = """\
sasl.enabled.mechanisms=OAUTHBEARER
listener.name.clients.sasl.enabled.mechanisms=OAUTHBEARER
listener.name.clients.oauthbearer.sasl.jaas.config=\
org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;
listener.name.clients.oauthbearer.sasl.server.callback.handler.class=\
org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler
listener.name.clients.oauthbearer.sasl.oauthbearer.jwks.endpoint.url={keys}
listener.name.clients.oauthbearer.sasl.oauthbearer.expected.audience=kafka
listener.name.clients.oauthbearer.sasl.oauthbearer.expected.issuer={issuer}
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS;User:{super}
"""


class GuardedKafka(Kafka):
    """The broker of `make run` with a second listener, which asks for tokens."""

    def __init__(self, home: Path, jars: Path, provider: OpenId) -> None:
        super().__init__(home, jars, passing=True)
        self.provider = provider
        self.clients_port = remember_port(home, "kafka-clients")

    def _configure(self) -> Path:
        path = super()._configure()
        listener = f",CLIENTS://127.0.0.1:{self.clients_port}"
        lines = []
        for line in path.read_text().splitlines():
            name = line.partition("=")[0]
            if name in ("listeners", "advertised.listeners"):
                line += listener
            if name == "listener.security.protocol.map":
                line += ",CLIENTS:SASL_PLAINTEXT"
            lines.append(line)
        guard = PROPERTIES.replace("{keys}", self.provider.keys_url).replace("{super}", SUPER)
        guard = guard.replace("{issuer}", self.provider.issuer)
        path.write_text("\n".join(lines) + "\n" + guard)
        return path

    def _java(self, *arguments: str) -> list[str]:
        command = super()._java(*arguments)
        allowed = f"-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={self.provider.keys_url}"
        return [command[0], allowed, *command[1:]]


@dataclass(frozen=True)
class Guarded:
    """How the guarded Kafka is reached."""

    servers: str
    provider: OpenId

    def config(self, client: str = SUPER) -> dict[str, str]:
        """The settings of a client."""
        return {
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "OAUTHBEARER",
            "sasl.oauthbearer.client.id": client,
            "sasl.oauthbearer.client.secret": SECRET,
            "sasl.oauthbearer.token.endpoint.url": self.provider.token_url,
            "sasl.oauthbearer.scope": "kafka",
        }


@pytest.fixture(scope="session")
def guarded(openid: OpenId) -> Iterator[Guarded]:
    """A Kafka that lets in who has a token of the provider."""
    home = HOME / "guarded"
    (home / "logs").mkdir(parents=True)
    broker = GuardedKafka(home, JARS, openid)
    with running(broker):
        yield Guarded(f"127.0.0.1:{broker.clients_port}", openid)
