"""Settings of a connection to a schema registry.

Names are those of Confluent's clients. TLS material is PEM text, as in a connection to Kafka.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from runner.outgoing import AddressRefused, split_url
from runner.registry.refusals import BadRegistry

EXAMPLE = "https://schemas.example.com:8081"
BASIC = {"basic.auth.user", "basic.auth.password"}
TOKEN = {"bearer.auth.issuer.endpoint.url", "bearer.auth.client.id", "bearer.auth.client.secret"}
TOKEN_OPTIONS = {"bearer.auth.scope", "bearer.auth.logical.cluster", "bearer.auth.identity.pool.id"}
"""Optional settings for tokens. Confluent Cloud needs the last two."""
TLS = {"ssl.ca.pem", "ssl.certificate.pem", "ssl.key.pem", "ssl.key.password"}
SETTINGS = frozenset(BASIC | TOKEN | TOKEN_OPTIONS | TLS)
SECRETS = frozenset({"basic.auth.password", "bearer.auth.client.secret", "ssl.key.pem", "ssl.key.password"})


def check_settings(url: str, config: Mapping[str, str]) -> None:
    """Raises BadRegistry naming the first wrong `setting`."""
    for setting, message, hint in (*_check_url("url", url), *_check_names(config), *_check_parts(config)):
        raise BadRegistry(message, hint, setting=setting)


def _check_url(setting: str, url: str) -> Iterator[tuple[str, str, str]]:
    try:
        split_url(url, example=EXAMPLE)
    except AddressRefused as refusal:
        yield setting, refusal.message, refusal.hint


def _check_names(config: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for name in sorted(config.keys() - SETTINGS):
        yield name, f"`{name}` cannot be set for a registry.", f"Allowed are {', '.join(sorted(SETTINGS))}."


def _check_parts(config: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    names = set(config)
    if names & BASIC and names & (TOKEN | TOKEN_OPTIONS):
        yield "basic.auth.user", "Both a password and tokens are given.", "Choose one of them."
    for needs, parts in ((BASIC, BASIC), (TOKEN, TOKEN | TOKEN_OPTIONS)):
        if names & parts and (lacking := sorted(needs - names)):
            yield lacking[0], f"`{lacking[0]}` is missing.", "Fill it in, or remove the other settings of the sign-in."
    pair = {"ssl.certificate.pem", "ssl.key.pem"}
    if names & (pair | {"ssl.key.password"}) and (lacking := sorted(pair - names)):
        yield lacking[0], f"`{lacking[0]}` is missing.", "A client certificate needs a key. Fill in both."
    if "bearer.auth.issuer.endpoint.url" in config:
        yield from _check_url("bearer.auth.issuer.endpoint.url", config["bearer.auth.issuer.endpoint.url"])
