"""`manage.py feed`: sample data for Kafka."""

import signal
import sys
import time
from argparse import ArgumentParser
from typing import Any

from confluent_kafka import KafkaException
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, InterfaceError

from designer.projects.roles import SERVER
from runner.control.clusters.services import get_local_cluster
from runner.control.hosts.database import limit_waits
from runner.demo.samples.control import PostgresControl
from runner.demo.samples.feed import Control, Feed
from runner.demo.samples.flights import Row, describe_moment, get_record_time
from runner.demo.samples.pace import START_RATE
from runner.demo.samples.registered import RegisteredFlights
from runner.kafka import KafkaCluster


class Command(BaseCommand):
    """Plays the flights of New York City in 2013 into Kafka."""

    needs = SERVER
    help = "Write airlines, airports, planes and weather if missing, then flights from where their topic ends."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declares the options."""
        parser.add_argument(
            "--rate", type=float, help="Flights a second at first. 0: no limit. Default: the last rate."
        )
        parser.add_argument("--max", type=int, help="Stop after so many flights.")
        parser.add_argument("--loop", action="store_true", help="Repeat the data forever, each round one year later.")
        parser.add_argument(
            "--bad", type=int, default=0, metavar="N", help="Write a malformed record after every N flights."
        )
        parser.add_argument("--tables-only", action="store_true", help="Write no flights.")
        parser.add_argument("--servers", default=settings.KAFKA_BOOTSTRAP_SERVERS, help="Kafka, as host:port.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the tables, then the flights."""
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        servers = options["servers"]
        rate = START_RATE if options["rate"] is None else options["rate"]
        progress = FeedProgress(self.stdout.write)
        control = None if options["tables_only"] else _make_control(servers, options["rate"])
        registered = None if control is None else make_registered(servers)
        feed = Feed(servers, rate, options["max"], options["loop"], options["bad"], progress, control, registered)
        try:
            self.stdout.write(f"tables: {feed.tables():,} records written")
            flight_count = 0 if options["tables_only"] else feed.flights()
        except KafkaException as error:
            raise CommandError(f"Kafka at {servers} did not accept the records: {error.args[0].str()}.") from error
        except KeyboardInterrupt:
            sys.exit(130)
        self.stdout.write(f"flights: {flight_count:,} written {progress.describe_speed(flight_count)}")


class FeedProgress:
    """Reports the feed's progress: every second on a terminal, every 30 s in a log."""

    def __init__(self, write: Any) -> None:
        self.write = write
        self.began = self.said_at = time.monotonic()
        self.every = 1.0 if sys.stdout.isatty() else 30.0

    def __call__(self, flight_count: int, row: Row) -> None:
        """Counts one more flight."""
        if flight_count % 100 == 0 and time.monotonic() - self.said_at > self.every:
            self.said_at = time.monotonic()
            self.write(
                f"flights: {flight_count:,} written, now at {describe_moment(get_record_time(row))} "
                f"{self.describe_speed(flight_count)}"
            )

    def describe_speed(self, flight_count: int) -> str:
        """The average speed since the start."""
        return f"({flight_count / max(0.001, time.monotonic() - self.began):,.0f} a second)"


def make_registered(servers: str) -> RegisteredFlights | None:
    """The flights with schemas, if the local cluster has a registry. Without Postgres nobody knows of one."""
    try:
        registry = get_local_cluster().find_registry()
    except (DatabaseError, InterfaceError):
        return None
    return None if registry is None else RegisteredFlights(registry, KafkaCluster(servers))


def _make_control(servers: str, rate: float | None) -> Control | None:
    """The users' control, if the feed goes into this installation's Kafka."""
    if servers != settings.KAFKA_BOOTSTRAP_SERVERS:
        return None
    limit_waits()
    return PostgresControl(rate)
