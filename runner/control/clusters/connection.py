"""What makes a connection whole: checked before anything is asked of a broker, so that the reason is said plainly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from runner.kafka import BadConnection, check_allowed

PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
SERVER = re.compile(r"(?:\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5}")


def check_settings(servers: str, config: Mapping[str, str]) -> None:
    """Raises BadConnection naming the first wrong `setting`, or SettingNotAllowed."""
    check_allowed(config)
    for setting, message, hint in (*_addresses(servers), *_security(config)):
        raise BadConnection(message, hint, setting=setting)


def _addresses(servers: str) -> Iterator[tuple[str, str, str]]:
    for server in servers.split(","):
        if not SERVER.fullmatch(server.strip()):
            said = f"`{server.strip()[:80]}` is not a broker address." if server.strip() else "An address is missing."
            yield (
                "bootstrap.servers",
                said,
                "Write host:port, and separate several with commas: kafka1:9092,kafka2:9092.",
            )


def _security(config: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    protocol = config.get("security.protocol", "PLAINTEXT")
    if protocol not in PROTOCOLS:
        yield "security.protocol", f"There is no security protocol `{protocol[:80]}`.", _one_of(PROTOCOLS)
    sasl = {"sasl.mechanism", "sasl.username", "sasl.password"}
    yield from _together(protocol, protocol.startswith("SASL_"), sasl, sasl & config.keys())
    tls = {"ssl.ca.pem", "ssl.certificate.pem", "ssl.key.pem", "ssl.key.password"}
    yield from _together(protocol, protocol.endswith("SSL"), set(), tls & config.keys())
    if config.get("sasl.mechanism", MECHANISMS[0]) not in MECHANISMS:
        yield "sasl.mechanism", f"The mechanism `{config['sasl.mechanism'][:80]}` is not known.", _one_of(MECHANISMS)
    pair = {"ssl.certificate.pem", "ssl.key.pem"}
    if lacking := sorted(pair - config.keys()) if pair & config.keys() else []:
        yield lacking[0], f"`{lacking[0]}` is missing.", "A client certificate needs a key. Fill in both."


def _together(protocol: str, wanted: bool, needed: set[str], given: set[str]) -> Iterator[tuple[str, str, str]]:
    """What a protocol needs must be there, and what it has no use for must not: it would be thought to protect."""
    if wanted and (lacking := sorted(needed - given)):
        yield lacking[0], f"`{lacking[0]}` is missing, which {protocol} needs.", "Fill it in, or change the protocol."
    if not wanted and given:
        first = sorted(given)[0]
        yield first, f"`{first}` is not used with {protocol}.", "Remove it, or choose a protocol that uses it."


def _one_of(words: tuple[str, ...]) -> str:
    return f"Choose one of {', '.join(words)}."
