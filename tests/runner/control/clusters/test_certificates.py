"""When the certificates of a connection end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from runner.control.clusters.certificates import list_certificates, read_certificates
from runner.control.clusters.models import Cluster


def pem(days: int) -> str:
    """A certificate that ends in a bit more than so many days."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "kafka")])
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    ends = made.not_valid_before(now - timedelta(days=400)).not_valid_after(now + timedelta(days=days, hours=1))
    return ends.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ({}, {}),
        ({"ssl.certificate.pem": "-----BEGIN nonsense"}, {}),
        ({"ssl.certificate.pem": pem(9)}, {"ssl.certificate.pem": 9}),
        ({"ssl.certificate.pem": pem(-2)}, {"ssl.certificate.pem": -2}),
        ({"ssl.certificate.pem": pem(9) + pem(100)}, {"ssl.certificate.pem": 9}),
        ({"ssl.ca.pem": pem(9) + pem(100), "https.ca.pem": pem(3)}, {"ssl.ca.pem": 100, "https.ca.pem": 3}),
    ],
)
def test_days_are_left_until_the_first_of_a_chain_and_the_last_of_a_bundle_ends(
    config: dict[str, str], found: dict[str, int]
):
    assert {each.setting: each.days for each in read_certificates(config)} == found


def test_certificates_of_a_connection_are_listed_while_redis_is_away(settings: Any):
    cache = settings.CACHES["default"] | {"LOCATION": "redis://127.0.0.1:1"}
    settings.CACHES = {"default": cache}
    cluster = Cluster(id=1, config={"security.protocol": "SSL", "ssl.ca.pem": pem(9)})

    assert [each.setting for each in list_certificates(cluster)] == ["ssl.ca.pem"]
