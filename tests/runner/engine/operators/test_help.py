"""What an operator says of itself: where in Kafka Streams its rules come from."""

import inspect
import re
from pathlib import Path

import pytest

import runner.engine.operators  # noqa: F401 - fills the catalogue
from designer.catalogue import catalogue

OURS = {"deduplicate"}
"""What Kafka Streams does not have."""
OF_KAFKA = re.compile(r"KIP-\d+|\b(KStream|KTable|KGroupedStream|StreamsBuilder|Printed|TopicName)[A-Z.]\w+")


@pytest.mark.parametrize("name", sorted(catalogue().keys() - OURS))
def test_the_file_of_an_operator_names_the_class_of_kafka_streams_or_the_kip(name: str) -> None:
    module = inspect.getmodule(catalogue()[name])
    assert module is not None

    docstrings = re.findall(r'"""(.*?)"""', inspect.getsource(module), re.DOTALL)

    assert any(map(OF_KAFKA.search, docstrings))


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_each_operator_has_its_own_sentences(name: str) -> None:
    assert (Path(__file__).parent / f"test_{name}.py").exists()
