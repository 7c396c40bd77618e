"""A Kafka that speaks TLS, asks for a token of the provider (SASL OAUTHBEARER), and lets each client do what its ACLs
say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.openid.people import SECRET
from tests.openid.provider import OpenId
from tests.parts import HOME
from webapp.local.kafka import Kafka
from webapp.local.parts import JARS, run_part
from webapp.local.ports import choose_port

SUPER = "operator"
"""The client that may do everything."""
CERTIFICATE_DAYS = 20
PROPERTIES = """\
listener.name.clients.ssl.keystore.type=PEM
listener.name.clients.ssl.keystore.certificate.chain={certificate}
listener.name.clients.ssl.keystore.key={key}
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


def make_certificate() -> tuple[str, str]:
    """A certificate of 127.0.0.1 that signs itself, and its key, as PEM."""
    key, now = rsa.generate_private_key(65_537, 2_048), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "kafka")])
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(days=1)).not_valid_after(
        now + timedelta(days=CERTIFICATE_DAYS, hours=1)
    )
    made = made.add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    certificate = made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM)
    return certificate.decode(), key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


class GuardedKafka(Kafka):
    """The broker of `make run` with a second listener, which speaks TLS and asks for tokens."""

    def __init__(self, home: Path, jars: Path, provider: OpenId) -> None:
        super().__init__(home, jars, is_passing=True)
        self.provider = provider
        self.certificate, self.key = make_certificate()
        self.clients_port = choose_port(home, "kafka-clients")

    def _write_properties(self) -> Path:
        path = super()._write_properties()
        listener = f",CLIENTS://127.0.0.1:{self.clients_port}"
        lines = []
        for line in path.read_text().splitlines():
            name = line.partition("=")[0]
            if name in ("listeners", "advertised.listeners"):
                line += listener
            if name == "listener.security.protocol.map":
                line += ",CLIENTS:SASL_SSL"
            lines.append(line)
        guard = PROPERTIES.replace("{keys}", self.provider.keys_url).replace("{super}", SUPER)
        guard = guard.replace("{issuer}", self.provider.issuer)
        for name, pem in (("{certificate}", self.certificate), ("{key}", self.key)):
            guard = guard.replace(name, pem.replace("\n", "\\n"))
        path.write_text("\n".join(lines) + "\n" + guard)
        return path

    def _make_java_command(self, *arguments: str) -> list[str]:
        command = super()._make_java_command(*arguments)
        allowed = f"-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={self.provider.keys_url}"
        return [command[0], allowed, *command[1:]]


@dataclass(frozen=True)
class Guarded:
    """How the guarded Kafka is reached."""

    servers: str
    provider: OpenId
    certificate: str

    def config(self, client: str = SUPER) -> dict[str, str]:
        """The settings of a client."""
        return {
            "security.protocol": "SASL_SSL",
            "ssl.ca.pem": self.certificate,
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
    with run_part(broker):
        yield Guarded(f"127.0.0.1:{broker.clients_port}", openid, broker.certificate)
