"""What an operator says of itself: where in Kafka Streams its rules come from."""

import inspect
import re
from pathlib import Path

import pytest

import runner.engine.operators  # noqa: F401 - fills the catalogue
from designer.topology.catalogue import get_catalogue, sort_for_palette

OURS = {"deduplicate"}
"""What Kafka Streams does not have."""
OF_KAFKA = re.compile(r"KIP-\d+|\b(KStream|KTable|KGroupedStream|StreamsBuilder|Printed|TopicName)[A-Z.]\w+")


@pytest.mark.parametrize("name", sorted(get_catalogue().keys() - OURS))
def test_the_file_of_an_operator_names_the_class_of_kafka_streams_or_the_kip(name: str) -> None:
    module = inspect.getmodule(get_catalogue()[name])
    assert module is not None

    docstrings = re.findall(r'"""(.*?)"""', inspect.getsource(module), re.DOTALL)

    assert any(map(OF_KAFKA.search, docstrings))


@pytest.mark.parametrize("name", sorted(get_catalogue()))
def test_each_operator_has_its_own_sentences(name: str) -> None:
    assert (Path(__file__).parent / f"test_{name}.py").exists()


def test_the_palette_shows_first_what_most_graphs_begin_and_end_with() -> None:
    shown = [(each.family, each.operator_name()) for each in sort_for_palette()]

    assert [name for family, name in shown if family == "sources"] == ["stream", "table", "global_table"]
    assert next(name for family, name in shown if family == "sinks") == "to"


@pytest.mark.parametrize(
    ("name", "operator"),
    [("branch", "split"), ("transformValues", "process_values"), ("SessionWindows", "windowed_by")],
)
def test_an_operator_declares_the_names_that_kafka_streams_has_for_it(name: str, operator: str) -> None:
    assert [found for found, each in get_catalogue().items() if name in each.kafka_names] == [operator]


@pytest.mark.parametrize("name", sorted(get_catalogue()))
def test_what_an_empty_field_means_is_a_fact_of_the_catalogue_and_not_a_sentence(name: str) -> None:
    assert "Empty: " not in str(get_catalogue()[name].model_json_schema())
