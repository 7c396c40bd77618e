"""The steps of a batch, as Spark's event log and the run's own events tell them."""

import json
from pathlib import Path

from tests.bench.batch import BATCH_OF_JOB, read_steps

BEGIN = 1_795_873_340_000
"""2026-11-28T13:42:20Z"""


def log(batch: int, job: int, at: int) -> list[dict[str, object]]:
    """What Spark writes about a batch of two stages that begins `at` ms after BEGIN."""
    began = BEGIN + at
    stages = [2 * job, 2 * job + 1]
    tasks = [
        {"Event": "SparkListenerTaskEnd", "Stage ID": stage, "Task Info": {"Launch Time": first, "Finish Time": last}}
        for stage, first, last in [(stages[0], began + 35, began + 50), (stages[1], began + 52, began + 80)]
    ]
    submitted = {"Job ID": job, "Submission Time": began + 30, "Stage IDs": stages}
    durations = {"latestOffset": 2, "walCommit": 3, "queryPlanning": 10}
    progress = {
        "batchId": batch,
        "timestamp": f"2026-11-28T13:42:20.{at:03}Z",
        "durationMs": durations,
        "stateOperators": [{"commitTimeMs": 8, "numShufflePartitions": 2}],
    }
    return [
        {"Event": "SparkListenerJobStart", "Properties": {BATCH_OF_JOB: str(batch)}, **submitted},
        *tasks,
        {"Event": "org.apache.spark.sql.streaming.StreamingQueryListener$QueryProgressEvent", "progress": progress},
    ]


def test_the_steps_of_a_batch_follow_each_other_up_to_its_commit(tmp_path: Path) -> None:
    events = [*log(7, 0, 0), *log(8, 1, 400), {"Event": "SparkListenerApplicationEnd"}]
    (tmp_path / "local-1").write_text("".join(json.dumps(event) + "\n" for event in events))
    run = {
        batch: {
            "started_at": BEGIN + at + 20,
            "committed_at": BEGIN + at + 97,
            "phases": {"process_ms": 65, "produce_ms": 5, "load_ms": 3, "engine_ms": 20, "save_ms": 6},
        }
        for batch, at in ((7, 0), (8, 400))
    }

    steps = read_steps(tmp_path, run)

    assert steps == {
        "ask for the ends": 2,
        "record the offsets": 3,
        "plan": 10,
        "call foreachBatch": 5,
        "plan the collection": 10,
        "schedule": 5,
        "tasks: load the state in Python": 3,
        "tasks: process the records": 20,
        "tasks: save the state from Python": 6,
        "tasks: commit the state": 4,
        "tasks: Spark, and the way to Python": 12,
        "collect": 5,
        "produce": 5,
        "marker and commit": 7,
    }
    assert sum(steps.values()) == 97
