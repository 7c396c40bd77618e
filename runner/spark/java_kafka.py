"""A cluster's librdkafka settings in the words of Kafka's Java client, which Spark reads with."""

from __future__ import annotations

from collections.abc import Mapping

LOGIN = {
    "PLAIN": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "SCRAM-SHA-256": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "SCRAM-SHA-512": "org.apache.kafka.common.security.scram.ScramLoginModule",
}
SAME = ("bootstrap.servers", "client.id", "security.protocol", "sasl.mechanism", "ssl.key.password")
PEM = {
    "ssl.ca.pem": ("ssl.truststore.certificates", "ssl.truststore.type"),
    "ssl.certificate.pem": ("ssl.keystore.certificate.chain", "ssl.keystore.type"),
    "ssl.key.pem": ("ssl.keystore.key", "ssl.keystore.type"),
}
READING = {
    "isolation.level": "read_committed",
    "max.poll.records": "20000",
    "max.partition.fetch.bytes": "8388608",
    "fetch.max.wait.ms": "100",
    "receive.buffer.bytes": "1048576",
}
"""The defaults fit small consumers; a batch wants its records in few, large steps."""


def java_settings(settings: Mapping[str, str]) -> dict[str, str]:
    """Consumer settings for the cluster; those the Java client has no word for are left out."""
    found = {name: settings[name] for name in SAME if name in settings}
    for name, (place, kind) in PEM.items():
        if name in settings:
            found |= {place: settings[name], kind: "PEM"}
    if "sasl.username" in settings:
        found["sasl.jaas.config"] = _login(settings)
    return found | READING


def _login(settings: Mapping[str, str]) -> str:
    module = LOGIN[settings.get("sasl.mechanism", "PLAIN")]
    user, password = (_quoted(settings.get(name, "")) for name in ("sasl.username", "sasl.password"))
    return f"{module} required username={user} password={password};"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
