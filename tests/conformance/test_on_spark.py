"""What Kafka Streams and the gallery answer, we answer on Spark: through Kafka, shuffles, real state and restarts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from designer.topology.user_code import ALLOW
from runner.engine.code import user_code
from tests.conformance.kept import FAMILIES
from tests.conformance.product.cases import Case
from tests.conformance.product.compare import Answer, Level, difference, has_one_end
from tests.conformance.product.on_driver import answer
from tests.conformance.product.on_spark import Batches, World, answers, session
from tests.conformance.product.translation import translated, why_alone
from tests.gallery.answering import graph_of, on_spark, without_times
from tests.gallery.probes import PROBES

pytestmark = [pytest.mark.spark, pytest.mark.slow]
EACH = 18
"""One case in so many; `manage.py conformance --on spark` runs all."""
SAMPLE = [case for family in FAMILIES.values() for case in family[::EACH] if not why_alone(case)]
WITH_ONE_END = [case for case in SAMPLE if has_one_end(case)]


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Its workers execute Python of users: applications of the gallery have some."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ALLOW, "1")
        with session(tmp_path_factory.mktemp("session")) as made:
            yield made


@pytest.fixture
def world(spark: SparkSession, kafka_servers: str, tmp_path: Path) -> World:
    return World(spark, kafka_servers, tmp_path)


@pytest.mark.parametrize(("batches", "slots"), [("one", 1), ("random", 2)])
def test_a_sample_of_each_family_answers_as_kafka_streams(world: World, batches: Batches, slots: int):
    """With one slot all stages are one operator of Spark's."""
    found = answers(replace(world, slots=slots), SAMPLE, batches=batches)

    assert failing(SAMPLE, found, "per-key") == {}
    assert counted_differently(SAMPLE, found) == {}


@pytest.mark.soak
def test_with_caches_tables_end_the_same(world: World):
    """`make test` compares runs with caches in tests/proof, and caches alone in the driver."""
    found = answers(world, WITH_ONE_END, cache=True, batches="random")

    assert failing(WITH_ONE_END, found, "final") == {}


def test_all_applications_of_the_gallery_answer_their_probes(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(user_code, "_is_trusted", True)

    answers = on_spark(world, [graph_of(of) for of in PROBES], list(PROBES.values()))

    for of, probe, found in zip(PROBES, PROBES.values(), answers, strict=True):
        assert not isinstance(found, Exception), f"{of}: {found}"
        if probe.at_once is None:
            assert found.written == {topic: list(records) for topic, records in probe.written.items()}, of
        else:
            assert without_times(found.written) == {topic: each for topic, each in probe.at_once.items() if each}, of


def counted_differently(cases: list[Case], found: list[Answer | Exception]) -> dict[str, str]:
    """Where the numbers of nodes differ from those of the driver, by name of the case."""
    pairs = [
        (case["name"], _counted(each), _counted(answer(case, translated(case))))
        for case, each in zip(cases, found, strict=True)
    ]
    return {name: f"{each} is not {wanted}" for name, each, wanted in pairs if each != wanted}


def _counted(answer: Answer | Exception) -> dict[str, Any]:
    """What nodes counted; not those that no record came to, of which a task that did not run says nothing.

    Nor unlikely times: Spark's intake counts them, a column at a time, and the driver has no intake.
    """
    assert isinstance(answer, Answer) and answer.counted is not None
    counters, outcomes = answer.counted
    counted = {
        node: {name: count for name, count in counts.items() if name != "unlikely_times"}
        for node, counts in counters.items()
    }
    return {node: (counts, outcomes.get(node)) for node, counts in counted.items() if any(counts.values())}


def failing(cases: list[Case], found: list[Answer | Exception], level: Level) -> dict[str, str]:
    """Why cases fail, by name."""
    whys = {
        case["name"]: each if isinstance(each, Exception) else difference(case, each, level)
        for case, each in zip(cases, found, strict=True)
    }
    return {name: str(why) for name, why in whys.items() if why is not None}
