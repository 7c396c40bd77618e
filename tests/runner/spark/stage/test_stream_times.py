"""The stream times that a batch leaves, as its manifest names them. Without Spark and Kafka."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.kernel import SWITCH
from tests.runner.spark.past.test_following import Job
from tests.runner.spark.proving.test_changes import BATCHES, EDGES, NODES, draw, make


@pytest.mark.parametrize("engine", ["kernel", "off"])
def test_a_batch_names_the_stream_times_of_its_nodes(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(SWITCH, engine)
    job = Job(make(draw(NODES, EDGES), tmp_path / "job"))
    for records in BATCHES[:3]:
        job.run_batch(records)
    job.close()

    named = [
        [(name, time) for call in results.counters for name, time in call.get("stream_times", {}).items()]
        for results in job.results
    ]
    assert [max(time for _, time in each) for each in named] == [2_000, 50_000, 61_000]  # 55,000 is of a small order
    assert {name for each in named for name, _ in each} == {"once", "totals"}
