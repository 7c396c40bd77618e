"""What other servers answered a real run, which is killed: another process executes its batches again."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from designer.topology.graph import Graph
from runner.spark.checkpoint.batch_log import ANSWERS, FOLDER, BatchLog
from runner.spark.program import make_program
from tests.answering import answering
from tests.patience import wait_until
from tests.runner.spark.runs import World, graph, node, started
from tests.runner.spark.test_child import restart
from tests.runner.spark.test_replay_on_spark import replay

CODE = """
    from urllib.request import urlopen

    def ask(what):
        with urlopen("URL/" + what) as answer:
            return int(answer.read())

    class Asking(Processor):
        def process(self, record):
            self.context.forward(record.with_value(self.context.side_effect(ask, record.value["city"])))
"""


def drawn(url: str, orders: str, first: str, second: str) -> Graph:
    """One node asks where the topic is read. The other one has a store behind a shuffle."""
    order = {"kind": "struct", "fields": [{"name": "city", "type": {"kind": "string"}}]}
    code = textwrap.dedent(CODE).replace("URL", url)
    key = {"key_format": "string", "key_type": {"kind": "string"}}
    stores = [{"name": "asked", "key_format": "string"}]
    return graph(
        [
            node("orders", "stream", topic=orders, key_format="string", value_format="json", value_type=order),
            node("alone", "process", code=code, **key),
            node("first", "to", topic=first),
            node("named", "filter", predicate="city is not null"),
            node("by-city", "select_key", key="city"),
            node("grouped", "group_by_key"),
            node("counted", "count", store="counts"),
            node("changes", "to_stream"),
            node("cities", "map_values", fields=[{"name": "city", "expression": "key"}]),
            node("later", "process", code=code, stores=stores, **key),
            node("second", "to", topic=second),
        ],
        "orders.result>alone.stream",
        "alone.result>first.stream",
        "orders.result>named.records",
        "named.result>by-city.stream",
        "by-city.result>grouped.stream",
        "grouped.result>counted.grouped",
        "counted.result>changes.table",
        "changes.result>cities.records",
        "cities.result>later.stream",
        "later.result>second.stream",
    )


@pytest.mark.spark
@pytest.mark.slow
def test_a_killed_run_records_the_answers_that_it_has_written(world: World, tmp_path: Path) -> None:
    orders, first, second = world.topic("orders", 2), world.topic("first", 2), world.topic("second", 2)
    (file := tmp_path / "failpoint").write_text("before-commit@2")
    with answering() as server:
        plan = world.plan(drawn(server.url, orders, first, second), [orders], records_per_batch=40)
        world.produce(orders, [(f"c{n % 7}", json.dumps({"city": f"city{n % 5}"}), n) for n in range(160)])
        with started(plan, STREAMWRIGHT_ALLOW_PYTHON="1", STREAMWRIGHT_FAILPOINT=str(file)) as child:
            assert child.died() == -9, child.tail()
        again = restart(plan)
        log = BatchLog(make_program(again).host_directory, Path(plan.checkpoint) / FOLDER)
        with started(again, STREAMWRIGHT_ALLOW_PYTHON="1") as child:
            child.wait_for_offsets(orders, 160)
            wait_until(lambda: log.read()[-1].end[orders] == world.settled_ends(orders))
            manifests = log.read()
            asked = len(server.asked)
            replays = [replay(again, manifests), replay(again, manifests[2:])]
            asked_by_replays = len(server.asked) - asked
            assert child.stop() == 0, child.tail()
        numbers = [int(value or "") for topic in (first, second) for _, value in world.values(topic)]

    assert [each.number for each in manifests] == list(range(len(manifests)))
    for since, answers in zip((0, 2), replays, strict=True):
        assert answers == [(each.facts["checksum"], each.facts["records"]) for each in manifests[since:]]
    assert asked_by_replays == 0
    assert len(numbers) == len(set(numbers)) == 320 < asked, "the killed batch asked a second time"
    assert list(Path(plan.checkpoint, ANSWERS).iterdir()), "a run that ends writes its answers beside the checkpoint"
