"""Parts with a given address that are not started here: they must answer before we continue."""

import urllib.error
import urllib.request

import psycopg
import redis
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from .problem import Problem
from .secret import without_password

SECONDS = 5


def check(addresses: dict[str, str]) -> None:
    """Raises a Problem for the first given part that does not answer."""
    for variable, address in addresses.items():
        if not CHECKS[variable](address):
            raise Problem(
                f"{variable} points to {without_password(address)}, where no {NAMES[variable]} answers: "
                f"start it, correct {variable}, or unset it to use {INSTEAD[variable]}."
            )


def postgres_answers(url: str) -> bool:
    """Whether a database opens at `url`."""
    try:
        psycopg.connect(url, connect_timeout=SECONDS).close()
    except psycopg.Error:
        return False
    return True


def redis_answers(url: str) -> bool:
    """Whether a Redis answers at `url`."""
    try:
        with redis.Redis.from_url(url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS) as client:
            return bool(client.ping())
    except (redis.RedisError, ValueError):
        return False


def kafka_answers(servers: str) -> bool:
    """Whether a broker returns its metadata at `servers`."""
    try:
        AdminClient({"bootstrap.servers": servers, "log_level": 0}).list_topics(timeout=SECONDS)
    except KafkaException:
        return False
    return True


def registry_answers(url: str) -> bool:
    """Whether something serves HTTP at `url`, perhaps after a sign-in."""
    try:
        urllib.request.urlopen(f"{url.rstrip('/')}/subjects", timeout=SECONDS).close()
    except urllib.error.HTTPError:
        return True
    except (urllib.error.URLError, TimeoutError, ConnectionError, ValueError):
        return False
    return True


CHECKS = {
    "DATABASE_URL": postgres_answers,
    "REDIS_URL": redis_answers,
    "KAFKA_BOOTSTRAP_SERVERS": kafka_answers,
    "SCHEMA_REGISTRY_URL": registry_answers,
}
INSTEAD = {
    "DATABASE_URL": "one that starts with Streamwright",
    "REDIS_URL": "one that starts with Streamwright",
    "KAFKA_BOOTSTRAP_SERVERS": "one that starts with Streamwright",
    "SCHEMA_REGISTRY_URL": "none",
}
NAMES = {
    "DATABASE_URL": "Postgres",
    "REDIS_URL": "Redis",
    "KAFKA_BOOTSTRAP_SERVERS": "Kafka",
    "SCHEMA_REGISTRY_URL": "schema registry",
}
