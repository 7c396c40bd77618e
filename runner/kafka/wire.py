"""One connection to one broker, for the few requests that confluent-kafka cannot make. https://kafka.apache.org/protocol

It uses the security of the cluster: TLS, SASL PLAIN, SCRAM and OAUTHBEARER.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import socket
import ssl
import struct
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from tempfile import NamedTemporaryFile
from typing import Any, TypeVar
from urllib.parse import urlencode

from runner.kafka.refusals import KafkaUnreachable
from runner.kafka.settings import OAUTHBEARER
from runner.outgoing import NoAnswer, call, describe_error

SECONDS = 5.0
MAX_ANSWER = 64 * 1_024 * 1_024
SASL_HANDSHAKE, SASL_AUTHENTICATE = 17, 36
T = TypeVar("T")


class BrokerError(Exception):
    """A broker answered with an error or with unreadable data."""


class Answer:
    """Reads the bytes of an answer from the front."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        if count < 0 or self.at + count > len(self.data):
            raise BrokerError("The broker's answer ends too early.")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, layout: str) -> Any:
        """Read one number, by its `struct` letter: b, h, i or q."""
        return struct.unpack(f">{layout}", self.take(struct.calcsize(f">{layout}")))[0]

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def text(self) -> str:
        return self.take(max(0, self.number("h"))).decode()

    def compact_text(self) -> str:
        return self.take(max(0, self.varint() - 1)).decode()

    def items(self, read: Callable[[Answer], T]) -> list[T]:
        return [read(self) for _ in range(self.number("i"))]

    def compact_items(self, read: Callable[[Answer], T]) -> list[T]:
        return [read(self) for _ in range(self.varint() - 1)]

    def nullable(self, read: Callable[[Answer], T]) -> T | None:
        """Read a structure that may be null."""
        return read(self) if self.number("b") > 0 else None

    def tags(self) -> None:
        """Skip the fields that newer brokers add."""
        for _ in range(self.varint()):
            self.varint()
            self.take(self.varint())

    def check(self, code: int, codes: tuple[int, ...] = ()) -> int:
        """Raises BrokerError for an error code that is not among `codes`."""
        if code and code not in codes:
            raise BrokerError(f"The broker answered with the error code {code}.")
        return code


def write_varint(number: int) -> bytes:
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*data, number])


def write_text(content: str) -> bytes:
    data = content.encode()
    return struct.pack(">h", len(data)) + data


def compact_text(content: str) -> bytes:
    data = content.encode()
    return write_varint(len(data) + 1) + data


def compact_items(items: list[bytes]) -> bytes:
    return write_varint(len(items) + 1) + b"".join(items)


# confluent-kafka lacks these requests. Kafka's Java client has them, but each question would start a JVM.
class Wire:
    """A signed-in connection to one broker. Raises KafkaUnreachable and BrokerError."""

    def __init__(self, host: str, port: int, settings: Mapping[str, str]) -> None:
        self.place = f"{host}:{port}"
        self.request_count = 0
        protocol = settings.get("security.protocol", "PLAINTEXT").upper()
        self.socket: socket.socket = _connect(host, port, settings)
        if protocol.startswith("SASL_"):
            self._sign_in(settings)

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def ask(self, api: int, version: int, body: bytes, *, is_compact: bool = True) -> Answer:
        """Returns the answer to a request. `is_compact` is for the versions of an API that Kafka calls flexible."""
        self.request_count += 1
        head = struct.pack(">hhi", api, version, self.request_count) + write_text("streamwright") + b"\0" * is_compact
        try:
            self.socket.sendall(struct.pack(">i", len(head + body)) + head + body)
            size = struct.unpack(">i", self._read(4))[0]
            if not 4 <= size <= MAX_ANSWER:
                raise BrokerError(f"The broker's answer of {size} bytes cannot be read.")
            answer = Answer(self._read(size))
        except OSError as error:
            raise _make_unreachable(self.place, error) from error
        answer.number("i")
        if is_compact:
            answer.tags()
        return answer

    def _read(self, count: int) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            part = self.socket.recv(count - len(parts))
            if not part:
                raise ConnectionError("the broker closed the connection")
            parts += part
        return bytes(parts)

    def _sign_in(self, settings: Mapping[str, str]) -> None:
        mechanism = settings.get("sasl.mechanism", "PLAIN").upper()
        user, password = settings.get("sasl.username", ""), settings.get("sasl.password", "")
        answer = self.ask(SASL_HANDSHAKE, 1, write_text(mechanism), is_compact=False)
        answer.check(answer.number("h"))
        if mechanism == "PLAIN":
            self._authenticate(f"\0{user}\0{password}".encode())
        elif mechanism == OAUTHBEARER:
            self._authenticate_by_token(_fetch_token(settings), settings.get("sasl.oauthbearer.extensions", ""))
        else:
            self._authenticate_by_scram(f"sha{mechanism.rpartition('-')[2]}", user, password)

    def _authenticate(self, data: bytes) -> bytes:
        answer = self.ask(SASL_AUTHENTICATE, 0, struct.pack(">i", len(data)) + data, is_compact=False)
        answer.check(answer.number("h"))
        answer.text()
        return answer.take(max(0, answer.number("i")))

    def _authenticate_by_token(self, token: str, extensions: str) -> None:
        """RFC 7628. The first answer says why a token is wrong."""
        extension_text = "".join(f"{part.strip()}\1" for part in extensions.split(",") if part)
        if refusal := self._authenticate(f"n,,\1auth=Bearer {token}\1{extension_text}\1".encode()):
            raise BrokerError(f"The broker does not accept the token: {refusal.decode()[:200]}")

    def _authenticate_by_scram(self, digest: str, user: str, password: str) -> None:
        """RFC 5802."""
        nonce = secrets.token_urlsafe(24)
        first = f"n={user.replace('=', '=3D').replace(',', '=2C')},r={nonce}"
        answer = self._authenticate(f"n,,{first}".encode()).decode()
        fields = dict(part.split("=", 1) for part in answer.split(","))
        if not fields["r"].startswith(nonce):
            raise BrokerError("The broker answered another sign-in.")
        salted_password = hashlib.pbkdf2_hmac(digest, password.encode(), b64decode(fields["s"]), int(fields["i"]))
        client = hmac.digest(salted_password, b"Client Key", digest)
        last = f"c=biws,r={fields['r']}"
        whole = f"{first},{answer},{last}".encode()
        proof = hmac.digest(hashlib.new(digest, client).digest(), whole, digest)
        proof_text = b64encode(bytes(a ^ b for a, b in zip(client, proof, strict=True))).decode()
        final = self._authenticate(f"{last},p={proof_text}".encode()).decode()
        signature = hmac.digest(hmac.digest(salted_password, b"Server Key", digest), whole, digest)
        if not hmac.compare_digest(final.removeprefix("v="), b64encode(signature).decode()):
            raise BrokerError("The broker does not know the password either.")


def find_certificate_end(host: str, port: int, settings: Mapping[str, str]) -> int:
    """When the certificate that a broker shows ends, in s since 1970. Raises KafkaUnreachable."""
    with _connect(host, port, settings) as connection:
        assert isinstance(connection, ssl.SSLSocket)
        certificate: Any = connection.getpeercert()
        return int(ssl.cert_time_to_seconds(certificate["notAfter"]))


def _connect(host: str, port: int, settings: Mapping[str, str]) -> socket.socket:
    try:
        connection = socket.create_connection((host, port), SECONDS)
        if settings.get("security.protocol", "").upper().endswith("SSL"):
            connection = _make_context(settings).wrap_socket(connection, server_hostname=host)
    except OSError as error:
        raise _make_unreachable(f"{host}:{port}", error) from error
    return connection


def _make_unreachable(place: str, error: OSError) -> KafkaUnreachable:
    return KafkaUnreachable(describe_error(error, f"The broker {place}"), "Try again.")


def _fetch_token(settings: Mapping[str, str]) -> str:
    """Fetch a token with the client credentials as librdkafka does, which gives its own token to no one."""
    url = settings["sasl.oauthbearer.token.endpoint.url"]
    client, secret = settings["sasl.oauthbearer.client.id"], settings["sasl.oauthbearer.client.secret"]
    scope = settings.get("sasl.oauthbearer.scope")
    form = {"grant_type": "client_credentials"} | ({"scope": scope} if scope else {})
    identity = b64encode(f"{client}:{secret}".encode()).decode()
    headers = {"Authorization": f"Basic {identity}", "Content-Type": "application/x-www-form-urlencoded"}
    tls = ssl.create_default_context(cadata=settings.get("https.ca.pem"))
    body = urlencode(form).encode()
    try:
        answer = call(url, method="POST", body=body, headers=headers, is_internal=True, seconds=SECONDS, tls=tls)
        return str(json.loads(answer.body)["access_token"])
    except NoAnswer as reason:
        raise BrokerError(f"The token endpoint gives no token. {reason}") from reason
    except (ValueError, KeyError, TypeError) as error:
        raise BrokerError(f"The token endpoint gives no token, but HTTP {answer.status}.") from error


def _make_context(settings: Mapping[str, str]) -> ssl.SSLContext:
    context = ssl.create_default_context(cadata=settings.get("ssl.ca.pem"))
    if "ssl.certificate.pem" in settings:
        with NamedTemporaryFile("w", suffix=".pem") as file:  # Python reads them from files only, and this one is 0600
            file.write(f"{settings['ssl.certificate.pem']}\n{settings['ssl.key.pem']}\n")
            file.flush()
            context.load_cert_chain(file.name, password=settings.get("ssl.key.password"))
    return context
