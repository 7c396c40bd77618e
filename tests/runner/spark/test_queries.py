"""What a run answers of its tables, while it goes on, which it does as long as its lease."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from designer.topology.graph import Graph
from runner.plan import Plan
from tests.patience import PATIENCE_SECONDS
from tests.runner.spark.runs import Child, World, counting, graph, node, started
from tests.runner.spark.test_child import restart

pytestmark = pytest.mark.spark
NUMBERS = count(1)
CUSTOMERS = ("ada", "bob", "cleo", "dan", "eve")
NAMED = ("orders.result>named.left", "names.result>named.right", "named.result>grouped.stream")


def ask(child: Child, store: str, **query: Any) -> dict[str, Any]:
    """The answer to a question."""
    number = f"question-{next(NUMBERS)}"
    child.say({"type": "query", "id": number, "store": store, "query": query})
    return child.wait_for(lambda event: event["type"] == "answer" and event["id"] == number)


def ask_until_ready(child: Child, store: str, **query: Any) -> dict[str, Any]:
    """The answer once the table is there: its rows may be told read before the run is done restoring."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while "restoring" in (answer := ask(child, store, **query)):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return answer


def rows(answer: dict[str, Any]) -> dict[str, Any]:
    """Keys and values, which are JSON texts."""
    return {json.loads(row["key"]): json.loads(row["value"]) for row in answer["page"]["rows"]}


def orders(*customers: str) -> list[tuple[str, str, int]]:
    return [(customer, '{"id": 1}', number) for number, customer in enumerate(customers)]


def counted(world: World, partitions: int = 4, **settings: Any) -> Plan:
    topic, counts = world.topic("orders", partitions), world.topic("counts", partitions)
    return world.plan(counting(topic, counts), [topic], **settings)


@pytest.fixture(scope="module")
def shared(kafka_servers: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, Child]]:
    """A run that counts six orders and keeps a picture and names; the tests of this file come to it in their order."""
    world = World(kafka_servers, tmp_path_factory.mktemp("shared"))
    orders_topic, counts = world.topic("orders", 4), world.topic("counts", 4)
    pictures, names = world.topic("pictures", 1), world.topic("names", 1)
    table = node("pictures", "table", topic=pictures, key_format="string", value_format="bytes", store="pictures")
    everywhere = node("names", "global_table", topic=names, key_format="string", value_format="json", store="names")
    named = node("named", "join", value="right")
    drawn = counting(orders_topic, counts)
    edges = [edge for edge in drawn.edges if edge.source != "orders"]
    joined = graph((*drawn.nodes, table, everywhere, named), *NAMED)
    plan = world.plan(Graph(joined.nodes, (*edges, *joined.edges)), [orders_topic, pictures, names])
    world.produce(names, [(customer, f'"{customer}"', 1) for customer in CUSTOMERS])
    world.produce(orders_topic, orders("ada", "bob", "ada", "cleo", "dan", "eve"))
    world.produce(pictures, [("ada", b"\xff\x00", 1)])
    with started(plan) as child:
        child.wait_for(lambda event: sum(map(sum, event.get("sources", {}).values())) >= 7 + len(CUSTOMERS))
        yield world, child


def test_rows_of_all_tasks_are_what_was_committed(shared: tuple[World, Child]):
    _, child = shared

    everything = ask(child, "orders-by-customer")
    ada = ask(child, "orders-by-customer", key="ada")
    first = ask(child, "orders-by-customer", limit=3)
    second = ask(child, "orders-by-customer", limit=3, cursor=first["page"]["next"])

    assert rows(everything) == {"ada": 2, "bob": 1, "cleo": 1, "dan": 1, "eve": 1}
    assert rows(ada) == {"ada": 2}
    assert [key for page in (first, second) for key in rows(page)] == sorted(rows(everything))


def test_bytes_are_shown_in_base64_with_a_mark(shared: tuple[World, Child]):
    _, child = shared

    assert rows(ask(child, "pictures", key="ada")) == {"ada": "base64:/wA="}


def test_a_global_table_is_asked_of_the_slot_that_speaks_for_it(shared: tuple[World, Child]):
    _, child = shared

    assert rows(ask_until_ready(child, "names", key="ada")) == {"ada": "ada"}


def test_what_cannot_be_asked_is_refused(shared: tuple[World, Child]):
    _, child = shared

    unknown = ask(child, "orders-by-city")
    versions = ask(child, "orders-by-customer", key="ada", as_of=1)

    assert unknown["refusal"]["message"] == "The run has no table named `orders-by-city`."
    assert unknown["refusal"]["hint"] == "It has pictures, names, orders-by-customer."
    assert versions["refusal"]["message"] == "The table `orders-by-customer` keeps no versions."


def test_answers_never_go_back_while_batches_run(shared: tuple[World, Child]):
    world, child = shared
    before = sum(rows(ask(child, "orders-by-customer")).values())
    seen, rounds, deadline = [before], 0, time.monotonic() + PATIENCE_SECONDS

    while rounds < 40 or (len(set(seen)) <= 5 and time.monotonic() < deadline):
        rounds += 1
        world.produce(world.name("orders"), orders("ada", "bob", "cleo", "dan"))
        time.sleep(0.05)
        seen.append(sum(rows(ask(child, "orders-by-customer")).values()))
    child.wait_for_offsets(world.name("orders"), before + 4 * rounds)
    seen.append(sum(rows(ask(child, "orders-by-customer")).values()))

    assert seen == sorted(seen)
    assert seen[-1] == before + 4 * rounds
    assert len(set(seen)) > 5


def test_without_a_lease_no_batch_begins(shared: tuple[World, Child]):
    world, child = shared
    before = len(world.read(world.name("counts")))

    child.end_lease()
    world.produce(world.name("orders"), orders("ada"))
    failed = child.wait_for(lambda event: event["type"] == "failed")

    assert (failed["cause"]["code"], failed["cause"]["retriable"]) == ("run.lease_lost", True)
    assert len(world.read(world.name("counts"))) == before


@pytest.mark.soak
def test_a_run_that_begins_again_answers_though_no_record_comes(world: World):
    plan = counted(world)
    world.produce(world.name("orders"), orders("ada", "bob", "ada"))
    with started(plan) as child:
        child.wait_for_offsets(world.name("orders"), 3)
        assert child.stop() == 0

    with started(restart(plan)) as child:
        child.wait_for(lambda event: event["type"] == "progress")
        answer = ask(child, "orders-by-customer")
        assert child.stop() == 0

    assert rows(answer) == {"ada": 2, "bob": 1}
