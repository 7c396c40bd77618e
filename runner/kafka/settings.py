"""Settings that a connection to Kafka may have."""

from __future__ import annotations

from collections.abc import Mapping

from runner.kafka.refusals import SettingNotAllowed

SETTINGS = frozenset(
    {"client.id", "security.protocol", "sasl.mechanism", "sasl.username", "sasl.password", "socket.timeout.ms"}
    | {"ssl.ca.pem", "ssl.certificate.pem", "ssl.key.pem", "ssl.key.password", "message.max.bytes"}
    | {"sasl.oauthbearer.client.id", "sasl.oauthbearer.client.secret", "sasl.oauthbearer.token.endpoint.url"}
    | {"sasl.oauthbearer.method", "sasl.oauthbearer.scope", "sasl.oauthbearer.extensions", "https.ca.pem"}
)
"""The librdkafka settings that a cluster may have. None of them names a file, a class or a library to load."""
OAUTHBEARER = "OAUTHBEARER"
SECRETS = frozenset({"sasl.password", "sasl.oauthbearer.client.secret", "ssl.key.pem", "ssl.key.password"})


def check_allowed(config: Mapping[str, str]) -> dict[str, str]:
    """Returns `config`. Raises SettingNotAllowed if it names a setting that users may not give."""
    for name in config:
        if name not in SETTINGS:
            raise SettingNotAllowed(
                f"`{name}` cannot be set on a cluster.", f"Allowed are {', '.join(sorted(SETTINGS))}."
            )
    return dict(config)


def complete_settings(config: Mapping[str, str]) -> dict[str, str]:
    """Returns `config`. If it wants tokens, makes librdkafka fetch and renew them itself."""
    wants_tokens = config.get("sasl.mechanism") == OAUTHBEARER
    return {**config, "sasl.oauthbearer.method": "oidc"} if wants_tokens else dict(config)
