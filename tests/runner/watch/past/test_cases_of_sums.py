"""Test cases from records of a job that holds state, with batches executed as its run does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from confluent_kafka import Producer
from django.test import Client

from designer.projects.services import create_topology
from runner.kafka import KafkaCluster
from tests.runner.watch.past.test_cases import make_case_of, order, read_lines
from tests.runner.watch.past.test_past import find_time
from tests.runner.watch.proving.test_prove import Runner, command, draw, make_runner, runner, topology
from webapp.accounts.models import User

__all__ = ["runner", "topology"]


def list_amounts(made: Any) -> list[tuple[str, int]]:
    return [(each["key"], each["value"]["amount"]) for each in read_lines(made["case"]["records"])]


def test_a_record_of_a_result_becomes_a_case_with_the_older_records_that_it_needs(
    runner: Runner, client: Client
) -> None:
    runner.run(4, {"ann": -3, "eve": 1})
    runner.run(5, {"ann": 29})
    results = f"{runner.topic}-sums"
    producer = Producer({"bootstrap.servers": runner.program.plan.kafka["bootstrap.servers"]})
    producer.produce(results, b"37", b"ann", partition=0, timestamp=find_time(runner, 8))
    producer.flush()
    made = make_case_of(client, runner, records=[{"topic": results, "partition": 0, "offset": 0}])
    tried = command("try", runner.job.topology.slug)

    assert list_amounts(made) == [("ann", 5), ("ann", 1), ("ann", 2), ("ann", 29)]  # -3 is not large enough to count
    assert [each["value"] for each in read_lines(made["case"]["expected"])] == [5, 6, 8, 37]
    assert (made["notes"], tried) == ([], (0, "1 passed, 0 failed\n"))


def test_a_case_says_if_the_state_before_it_is_no_longer_known(runner: Runner, client: Client) -> None:
    lines = runner.log.file.read_bytes().splitlines(keepends=True)
    runner.log.file.write_bytes(b"".join(lines[1:]))
    made = make_case_of(client, runner, records=[order(runner, 3)])

    assert list_amounts(made) == [("ann", 2)]
    assert [each["value"] for each in read_lines(made["case"]["expected"])] == [2]
    assert made["notes"] == [
        "These records alone do not give what the job gave: that needs older records, which are in the job's state."
    ]


def test_a_dead_letter_becomes_a_case_on_the_command_line(
    user: User, topic: str, cluster: KafkaCluster, tmp_path: Path
) -> None:
    cluster.create(topic, 1, {"retention.ms": "-1"})
    graph = draw(topic, add="agg + 60 div value.amount", least=-1)
    topology = create_topology(name=f"Shares of {topic}", by=user, graph=graph)
    runner = make_runner(Runner, user, topology, topic, cluster, tmp_path)
    for number, amounts in enumerate(({"ann": 3}, {"ann": 4, "bob": 2}, {"ann": 0})):
        runner.run(number, amounts)
    made = command("case", runner.job.name, "no share", f"{topic}-0@3")
    again = command("case", runner.job.name, "no share", f"{topic}-0@3")
    runner.worker.close()
    (case,) = topology.cases.all()

    assert made == (0, "no share is kept.\n2 of 3 records were left out: they are not needed.\n")
    assert [each["value"] for each in read_lines(case.records)] == [{"amount": 0}]
    assert [(each["dead_letter"], each["record"]) for each in read_lines(case.expected)] == [("sums", 1)]
    assert "`no share` already exists" in again[1]


def test_several_records_become_one_case(runner: Runner, client: Client) -> None:
    made = make_case_of(client, runner, records=[order(runner, 1), order(runner, 5)])

    assert list_amounts(made) == [("ann", 5), ("ann", 1), ("eve", 30)]
    assert json.loads(made["case"]["expected"].splitlines()[-1])["value"] == 30
