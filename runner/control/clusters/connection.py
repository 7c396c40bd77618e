"""Checks connections before any request to a broker, so that the reason is clear."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from runner.kafka import OAUTHBEARER, BadConnection, check_allowed
from runner.outgoing import NoAddress, resolve

PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
PASSWORD = {"sasl.username", "sasl.password"}
TOKEN = {
    "sasl.oauthbearer.client.id",
    "sasl.oauthbearer.client.secret",
    "sasl.oauthbearer.token.endpoint.url",
}
FURTHER = {"sasl.oauthbearer.scope", "sasl.oauthbearer.extensions", "https.ca.pem"}
"""Optional settings for fetching tokens."""
MECHANISMS = {"PLAIN": PASSWORD, "SCRAM-SHA-256": PASSWORD, "SCRAM-SHA-512": PASSWORD, OAUTHBEARER: TOKEN}
"""Required settings by mechanism."""
UNSUPPORTED_MECHANISMS = {
    "GSSAPI": "Kerberos (GSSAPI) is not supported.",
    "AWS_MSK_IAM": "AWS_MSK_IAM is not supported. MSK also offers SCRAM-SHA-512.",
}
SERVER = re.compile(r"(?:\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5}")


def check_settings(servers: str, config: Mapping[str, str]) -> None:
    """Raises BadConnection naming the first wrong `setting`, or SettingNotAllowed."""
    check_allowed(config)
    for setting, message, hint in (*_check_addresses(servers), *_check_security(config)):
        raise BadConnection(message, hint, setting=setting)
    check_token_endpoint(config)


def check_token_endpoint(config: Mapping[str, str]) -> None:
    """Raises AddressRefused if the server that gives tokens for Kafka is at an address where no request may go.

    librdkafka itself asks for tokens, so this is checked whenever a connection begins. A name without an address is
    left to librdkafka, which tries again.
    """
    url = config.get("sasl.oauthbearer.token.endpoint.url")
    if url is not None:
        with suppress(NoAddress):
            resolve(url, is_internal=True)


def _check_addresses(servers: str) -> Iterator[tuple[str, str, str]]:
    for server in servers.split(","):
        if not SERVER.fullmatch(server.strip()):
            message = (
                f"`{server.strip()[:80]}` is not a broker address." if server.strip() else "An address is missing."
            )
            yield (
                "bootstrap.servers",
                message,
                "Write host:port, and separate several with commas: kafka1:9092,kafka2:9092.",
            )


def _check_security(config: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    protocol = config.get("security.protocol", "PLAINTEXT")
    if protocol not in PROTOCOLS:
        yield "security.protocol", f"There is no security protocol `{protocol[:80]}`.", _join_words(PROTOCOLS)
    yield from _check_login(protocol, config)
    tls = {"ssl.ca.pem", "ssl.certificate.pem", "ssl.key.pem", "ssl.key.password"}
    yield from _check_together(protocol, protocol.endswith("SSL"), set(), tls & config.keys())
    pair = {"ssl.certificate.pem", "ssl.key.pem"}
    if lacking := sorted(pair - config.keys()) if pair & config.keys() else []:
        yield lacking[0], f"`{lacking[0]}` is missing.", "A client certificate needs a key. Fill in both."


def _check_login(protocol: str, config: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Checks the sign-in: with a password, or with tokens of an OAuth server."""
    mechanism = config.get("sasl.mechanism", "PLAIN")
    if mechanism not in MECHANISMS:
        message = UNSUPPORTED_MECHANISMS.get(mechanism, f"The mechanism `{mechanism[:80]}` is not known.")
        yield "sasl.mechanism", message, _join_words(MECHANISMS)
        return
    needs = MECHANISMS[mechanism]
    names = (PASSWORD | TOKEN | FURTHER | {"sasl.mechanism"}) & config.keys()
    yield from _check_together(protocol, protocol.startswith("SASL_"), {"sasl.mechanism"} | needs, names)
    for setting in sorted(names - needs - {"sasl.mechanism"} - (FURTHER if mechanism == OAUTHBEARER else set())):
        yield setting, f"`{setting}` is not used with {mechanism}.", "Remove it, or choose another mechanism."
    if config.get("sasl.oauthbearer.method", "oidc") != "oidc":
        yield "sasl.oauthbearer.method", "The only method is `oidc`.", "Leave the method out."
    url = config.get("sasl.oauthbearer.token.endpoint.url", "https://")
    if not url.startswith(("https://", "http://")):
        message = f"`{url[:80]}` is not the address of a token endpoint."
        yield "sasl.oauthbearer.token.endpoint.url", message, "Write it such as https://id.example.com/token."


def _check_together(protocol: str, is_wanted: bool, needs: set[str], names: set[str]) -> Iterator[tuple[str, str, str]]:
    """A protocol's required settings must be there. Settings without effect must not: users would rely on them."""
    if is_wanted and (lacking := sorted(needs - names)):
        yield lacking[0], f"`{lacking[0]}` is missing, which {protocol} needs.", "Fill it in, or change the protocol."
    if not is_wanted and names:
        first = sorted(names)[0]
        yield first, f"`{first}` is not used with {protocol}.", "Remove it, or choose a protocol that uses it."


def _join_words(words: Iterable[str]) -> str:
    return f"Choose one of {', '.join(words)}."
