"""Expiry of the certificates in a cluster's connection, and of those that its brokers show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from cryptography import x509
from django.core.cache import cache
from django.utils import timezone
from redis.exceptions import RedisError

from runner import kafka
from runner.control.clusters.models import Cluster

KEPT_SECONDS = 86_400
"""How long the brokers' certificates are remembered."""
LEAF, AUTHORITIES = "ssl.certificate.pem", ("ssl.ca.pem", "https.ca.pem")


class Certificate(NamedTuple):
    """A certificate of a setting or a broker (`broker kafka1:9093`), and the moment after which it is useless."""

    setting: str
    ends_at: datetime

    @property
    def days(self) -> int:
        """Whole days until its end; negative afterwards."""
        return (self.ends_at - timezone.now()).days


def list_certificates(cluster: Cluster) -> list[Certificate]:
    """The certificates of a cluster's connection, and those that its brokers showed at the last look."""
    expiries: dict[str, int] = {}
    if _has_tls(cluster):
        with suppress(RedisError):  # without Redis, nobody knows of the brokers'
            expiries = cache.get(_name_key(cluster), {})
    ends = ((f"broker {place}", datetime.fromtimestamp(at, UTC)) for place, at in expiries.items())
    return [*read_certificates(cluster.config), *(Certificate(*each) for each in ends)]


def look_at_brokers(cluster: Cluster) -> None:
    """Ask the brokers for their certificates, and remember their expiry. Raises KafkaUnreachable, SecretLost."""
    if _has_tls(cluster):
        ends = kafka.find_certificate_ends(cluster.connect())
        with suppress(RedisError):
            cache.set(_name_key(cluster), ends, KEPT_SECONDS)


def _has_tls(cluster: Cluster) -> bool:
    return bool(cluster.config.get("security.protocol", "").endswith("SSL"))


def _name_key(cluster: Cluster) -> str:
    return f"clusters.certificates.{cluster.pk}"


def read_certificates(config: Mapping[str, str]) -> list[Certificate]:
    """The certificates of a connection. Leaves out unreadable ones: Kafka's client says what is wrong with them."""
    return list(_find(config))


def _find(config: Mapping[str, str]) -> Iterator[Certificate]:
    """A chain ends with its first certificate. A bundle of authorities serves as long as one of them."""
    for setting, last in ((LEAF, min), *((name, max) for name in AUTHORITIES)):
        if ends := _read_ends(config.get(setting, "")):
            yield Certificate(setting, last(ends))


@lru_cache(maxsize=256)
def _read_ends(pem: str) -> list[datetime]:
    """The end of each certificate. Alerts look at all jobs every few seconds, and a bundle may hold hundreds."""
    try:
        return [each.not_valid_after_utc for each in x509.load_pem_x509_certificates(pem.encode())]
    except ValueError:
        return []
