"""Batches of a real run, executed again by another process while the run continues."""

from __future__ import annotations

import os
import textwrap
import time
from pathlib import Path

import pytest

from designer.topology.graph import Graph
from runner.control.environment import make_environment
from runner.plan import Plan
from runner.spark.checkpoint.batch_log import FOLDER, BatchLog, Manifest
from runner.spark.program import make_program
from runner.spark.proving.process import Process, Question, send_plan
from runner.spark.replay import read_inputs
from tests.patience import wait_until
from tests.runner.spark.runs import World, graph, node, started

CODE = """
    class Ticking(Processor):
        def init(self, context):
            self.context = context
            self.counts = context.store("counts")
            context.schedule(1_000, "wall_clock", self.tick)

        def process(self, record):
            self.counts.put("all", (self.counts.get("all") or 0) + 1)

        def tick(self, now):
            self.context.forward(Record("tick", [self.context.task, self.counts.get("all"), now], now))
"""
MINUTE = 60_000


def drawn(orders: str, names: str, results: str, ticks: str) -> Graph:
    """A join with a table, a shuffle, deduplication, sessions that are suppressed, and Python that ticks."""
    order = {"kind": "struct", "fields": [{"name": name, "type": {"kind": "string"}} for name in ("city", "id")]}
    name = {"kind": "struct", "fields": [{"name": "name", "type": {"kind": "string"}}]}
    stores = [{"name": "counts", "key_format": "string"}]
    return graph(
        [
            node("names", "table", topic=names, key_format="string", value_format="json", value_type=name),
            node("orders", "stream", topic=orders, key_format="string", value_format="json", value_type=order),
            node("named", "left_join", fields=[{"name": "name", "expression": "right.name"}]),
            node("by-city", "select_key", key="city"),
            node("once", "deduplicate", by="id", within_ms=10 * MINUTE),
            node("grouped", "group_by_key"),
            node("sessions", "windowed_by", type="session", gap_ms=MINUTE, grace_ms=0),
            node("counted", "count", store="orders-by-session"),
            node("final", "suppress"),
            node("updates", "to_stream"),
            node("results", "to", topic=results),
            node("ticking", "process", code=textwrap.dedent(CODE), stores=stores, key_type={"kind": "string"}),
            node("ticks", "to", topic=ticks),
        ],
        "orders.result>named.left",
        "names.result>named.right",
        "named.result>by-city.stream",
        "by-city.result>once.stream",
        "once.result>grouped.stream",
        "grouped.result>sessions.grouped",
        "sessions.result>counted.grouped",
        "counted.result>final.table",
        "final.result>updates.table",
        "updates.result>results.stream",
        "orders.result>ticking.stream",
        "ticking.result>ticks.stream",
    )


@pytest.mark.spark
@pytest.mark.slow
def test_each_kept_batch_of_a_run_gives_the_same_bytes_again_while_the_run_continues(world: World) -> None:
    orders, names = world.topic("orders", 2), world.topic("names", 2, cleanup_policy="compact")
    results, ticks = world.topic("results", 2), world.topic("ticks", 1)
    plan = world.plan(drawn(orders, names, results, ticks), [orders, names], cache=True)
    program = make_program(plan)
    log = BatchLog(program.host_directory, Path(plan.checkpoint) / FOLDER)

    with started(plan, STREAMWRIGHT_ALLOW_PYTHON="1") as child:
        for minute in range(6):
            order(world, orders, names, minute)
            child.wait_for_offsets(orders, (minute + 1) * 40)
        wait_until(lambda: len(log.read()) >= 10)
        manifests = log.read()
        found = {first.number: replay(plan_of=plan, manifests=manifests[place:]) for place, first in _some(manifests)}
        assert child.stop() == 0, child.tail()

    for number, answers in found.items():
        later = [each for each in manifests if each.number >= number]
        assert answers == [(each.facts["checksum"], each.facts["records"]) for each in later]
    written: dict[str, int] = {}
    for each in manifests:
        for topic, count in each.facts["results"].items():
            written[topic] = written.get(topic, 0) + count
    assert written[results] > 0 and written[ticks] > 0
    assert {each.number for each in log.read_kept()} >= {each.number for each in manifests}
    assert log.read_kept(manifests[3].time)[0].number >= manifests[3].number
    assert sorted(Path(plan.checkpoint, FOLDER).iterdir()), "a run that ends writes its manifests beside the checkpoint"


def order(world: World, orders: str, names: str, minute: int) -> None:
    """40 orders, and new names."""
    at = (minute + 1) * 2 * MINUTE
    world.produce(names, [(f"c{n}", f'{{"name": "name {minute}"}}', at) for n in range(4)])
    values = [f'{{"city": "city {n % 5}", "id": "{n % 37}-{minute // 2}"}}' for n in range(40)]
    world.produce(orders, [(f"c{n % 7}", value, at + n) for n, value in enumerate(values)])


def _some(manifests: list[Manifest]) -> list[tuple[int, Manifest]]:
    """Two batches to begin with: an early one, and one in the middle."""
    return [(place, manifests[place]) for place in (1, len(manifests) // 2)]


def replay(plan_of: Plan, manifests: list[Manifest]) -> list[tuple[str, int]]:
    """The checksums and numbers of records that another process gets."""
    program = make_program(plan_of)
    environment = make_environment({**os.environ, "STREAMWRIGHT_ALLOW_PYTHON": "1"})
    question: Question = {"plan": send_plan(plan_of), "time": manifests[0].time}
    since = time.monotonic()
    with Process(question, environment) as process:
        assert process.read() == {"ready": True}
        answers = [process.run(*each) for each in read_inputs(program, manifests)]
    print(f"{len(answers)} batches again in {time.monotonic() - since:.1f} s")
    return [(answer["checksum"], answer["records"]) for answer in answers]
