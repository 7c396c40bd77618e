"""Each kind of state goes on exactly: a real application reads half of its records, and the drawing the rest.

The drawing runs without Spark (`Replay`). `tests/proof/test_adopting.py` adopts with the whole product.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from designer.topology.graph import Graph
from runner.plan import Plan
from runner.spark.adopting.application import look_at_application
from runner.spark.adopting.comparing import compare, shadow
from runner.spark.adopting.rows import read_adopted_rows
from runner.spark.columns import RecordColumns
from runner.spark.failures import RunFailed
from runner.spark.program import Program, make_program
from runner.spark.proving.process import Process, send_plan
from runner.spark.replay import BatchInputs, Replay
from runner.spark.source.reading import Range, read_alone
from tests.proof.adopting.drawings import draw
from tests.proof.adopting.programs import Programs
from tests.runner.spark.runs import World

Result = tuple[bytes | None, bytes | None, int]


def plan_adoption(world: World, programs: Programs, drawing: dict[str, Any]) -> Plan:
    """The plan of the first run of a job that continues the application."""
    read = {node["config"]["topic"] for node in drawing["nodes"] if node["operator"] in ("stream", "table")}
    plan = world.plan(Graph.from_json(drawing), read)
    program = make_program(plan)
    found = look_at_application(world.cluster, programs.application, program.layout, plan.tasks)
    assert found.problems == []
    topics = {
        name: facts.model_copy(update={"start": found.find_starts()[name]}) for name, facts in plan.topics.items()
    }
    return plan.model_copy(update={"adopted": found.adopt(), "topics": topics})


def play_rest(world: World, program: Program, folder: Path) -> list[Result]:
    """The results of everything behind the committed offsets, over the application's state."""
    replay = Replay(program, folder)
    replay.begin(read_adopted_rows(program))
    arrivals = []
    for each in program.inputs:
        places = zip(program.plan.topics[each.topic].start, world.settled_ends(each.topic), strict=True)
        ranges = [Range(each.number, each.topic, number, start, end) for number, (start, end) in enumerate(places)]
        arrivals += [
            (range_.input, range_.partition, RecordColumns(*records))
            for range_, records in read_alone(program.plan.kafka, [one for one in ranges if one.start < one.end])
        ]
    results = replay.run(BatchInputs(time.time_ns() // 1_000_000, arrivals)).records.to_pylist()
    replay.close()
    return [(row["key"], row["value"], row["timestamp"]) for row in results]


def read(world: World, topic: str) -> list[Result]:
    return [(message.key(), message.value(), message.timestamp()[1]) for message in world.read(topic)]


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["word-count", "windows", "sessions", "suppress", "stream-table", "table-table"])
def test_the_rest_gives_what_an_application_gives_that_never_stopped(
    kind: str, kafka_servers: str, tmp_path: Path
) -> None:
    world, programs = World(kafka_servers, tmp_path), Programs(kafka_servers, kind)
    program = make_program(plan_adoption(world, programs, draw(kind, programs.left, programs.right, programs.out)))
    before = read(world, programs.out)
    programs.go_on()

    rest = play_rest(world, program, tmp_path / "replay")

    # behind a repartition, the times of counts depend on when records of several partitions arrived
    shown = slice(2) if kind == "word-count" else slice(3)
    expected = read(world, programs.expected)
    assert Counter(row[shown] for row in before + rest) == Counter(row[shown] for row in expected)
    assert before and rest


@pytest.mark.soak
def test_an_application_that_goes_on_after_the_plan_is_not_taken_over(kafka_servers: str, tmp_path: Path) -> None:
    world, programs = World(kafka_servers, tmp_path), Programs(kafka_servers, "windows")
    program = make_program(plan_adoption(world, programs, draw("windows", programs.left, programs.right, programs.out)))
    programs.produce(programs.left, programs.make_records(60, 10))
    programs.run(programs.application, programs.out)

    with pytest.raises(RunFailed, match="has written to"):
        list(read_adopted_rows(program))


@pytest.mark.soak
def test_a_wrong_lambda_shows_in_the_comparison(kafka_servers: str, tmp_path: Path) -> None:
    world, programs = World(kafka_servers, tmp_path), Programs(kafka_servers, "word-count")
    drawing = draw("word-count", programs.left, programs.right, programs.out)
    drawing["nodes"][1]["config"]["key"] = "if(value = 'red', 'blue', value)"
    program = make_program(plan_adoption(world, programs, drawing))
    starts = {name: facts.start for name, facts in program.plan.topics.items()}

    report = compare(
        program,
        programs.application,
        starts,
        lambda rows: Process({"plan": send_plan(program.plan), "rows": rows}, os.environ),
        is_stopped=True,
    )

    graded = report["topics"][programs.out]
    assert (report["is_equal"], graded["equal"], graded["other_value"], graded["missing"]) == (False, 1, 1, 1)
    assert {each["key"] for each in graded["examples"]} == {'"red"', '"blue"'}


class RunBeside:
    """The application reads the second half in a thread, which begins with the first call. True while it runs."""

    def __init__(self, programs: Programs) -> None:
        programs.produce(programs.left, programs.make_records(60, 60))
        self.thread = Thread(target=programs.run, args=(programs.application, programs.out))

    def __call__(self) -> bool:
        if self.thread.ident is None:
            self.thread.start()
        return self.thread.is_alive()


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["word-count", "windows", "sessions", "suppress", "stream-table", "table-table"])
@pytest.mark.parametrize("is_right", [True, False])
def test_a_shadow_gives_what_the_running_application_gives(
    kind: str, kafka_servers: str, tmp_path: Path, *, is_right: bool
) -> None:
    world, programs = World(kafka_servers, tmp_path), Programs(kafka_servers, kind)
    drawing = draw(kind, programs.left, programs.right, programs.out)
    if not is_right:
        drawing = put_before_the_end(drawing, "filter", {"predicate": "value <> value"})
    topics = {node["config"]["topic"] for node in drawing["nodes"] if node["operator"] in ("stream", "table")}
    program = make_program(world.plan(Graph.from_json(drawing), topics))
    beside = RunBeside(programs)

    report = shadow(
        program,
        lambda: look_at_application(world.cluster, programs.application, program.layout, program.plan.tasks),
        lambda rows: Process({"plan": send_plan(program.plan), "rows": rows}, os.environ),
        beside,
    )

    assert report["is_equal"] == is_right, report
    assert (report["records"], report["limits"]) == (60, [])
    assert report["topics"][programs.out]["keys"] > 0


def put_before_the_end(drawing: dict[str, Any], operator: str, config: dict[str, Any]) -> dict[str, Any]:
    """The drawing with another node before its sink."""
    (last,) = (each for each in drawing["edges"] if each["target"] == "out")
    edges = [each for each in drawing["edges"] if each is not last]
    node = {"id": "between", "operator": operator, "config": config, "position": {"x": 0, "y": 0}}
    into = {**last, "target": "between", "target_port": "records"}
    out = {**last, "source": "between", "source_port": "result"}
    return {"nodes": [*drawing["nodes"], node], "edges": [*edges, into, out]}
