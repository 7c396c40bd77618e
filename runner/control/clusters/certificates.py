"""When the certificates of a cluster's connection end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from cryptography import x509
from django.utils import timezone

LEAF, AUTHORITIES = "ssl.certificate.pem", ("ssl.ca.pem", "https.ca.pem")


class Certificate(NamedTuple):
    """What stands in a setting, and when it is of no use any more."""

    setting: str
    ends_at: datetime

    @property
    def days(self) -> int:
        """Whole days until its end; negative afterwards."""
        return (self.ends_at - timezone.now()).days


def certificates_of(config: Mapping[str, str]) -> list[Certificate]:
    """The certificates of a connection. What cannot be read is none: Kafka's client says what is wrong with it."""
    return list(_find(config))


def _find(config: Mapping[str, str]) -> Iterator[Certificate]:
    """A chain ends with its first certificate, and a bundle of authorities serves as long as one of them."""
    for setting, last in ((LEAF, min), *((name, max) for name in AUTHORITIES)):
        if ends := _read_ends(config.get(setting, "")):
            yield Certificate(setting, last(ends))


@lru_cache(maxsize=256)
def _read_ends(pem: str) -> list[datetime]:
    """When each certificate ends. Alerts look at all jobs every few seconds, and a bundle may hold hundreds."""
    try:
        return [each.not_valid_after_utc for each in x509.load_pem_x509_certificates(pem.encode())]
    except ValueError:
        return []
