"""What the tests of runs share: a broker with their own topics, and one Spark session for a module."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from runner.spark.start.warming import start
from tests.runner.spark.runs import World, counting


@pytest.fixture
def world(kafka_servers: str, tmp_path: Path) -> World:
    return World(kafka_servers, tmp_path)


@pytest.fixture(scope="module")
def spark(kafka_servers: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session in this process. It ends with its file: the next file may start one with other settings."""
    made = World(kafka_servers, tmp_path_factory.mktemp("session"))
    topic = made.topic("any")
    ready = start(made.plan(counting(topic, topic), [topic]))
    yield ready.spark
    ready.spark.stop()
    ready.forks.close()
