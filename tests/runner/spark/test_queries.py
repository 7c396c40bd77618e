"""What a run answers of its tables, while it goes on."""

from __future__ import annotations

import json
import time
from itertools import count
from typing import Any

import pytest

from runner.plan import Plan
from tests.patience import PATIENCE_SECONDS
from tests.runner.spark.runs import Child, World, counting, graph, node, shops, started
from tests.runner.spark.test_child import restart

pytestmark = pytest.mark.spark
NUMBERS = count(1)


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


def test_rows_of_all_tasks_are_what_was_committed(world: World):
    plan = counted(world)
    world.produce(world.name("orders"), orders("ada", "bob", "ada", "cleo", "dan", "eve"))

    with started(plan) as child:
        child.wait_for_offsets(world.name("orders"), 6)
        everything = ask(child, "orders-by-customer")
        ada = ask(child, "orders-by-customer", key="ada")
        first = ask(child, "orders-by-customer", limit=3)
        second = ask(child, "orders-by-customer", limit=3, cursor=first["page"]["next"])
        assert child.stop() == 0

    assert rows(everything) == {"ada": 2, "bob": 1, "cleo": 1, "dan": 1, "eve": 1}
    assert rows(ada) == {"ada": 2}
    assert [key for page in (first, second) for key in rows(page)] == sorted(rows(everything))


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


def test_answers_never_go_back_while_batches_run(world: World):
    plan = counted(world)

    with started(plan) as child:
        child.wait_for(lambda event: event["type"] == "progress")
        seen = [0]
        for _ in range(40):
            world.produce(world.name("orders"), orders("ada", "bob", "cleo", "dan"))
            time.sleep(0.05)
            seen.append(sum(rows(ask(child, "orders-by-customer")).values()))
        child.wait_for_offsets(world.name("orders"), 160)
        seen.append(sum(rows(ask(child, "orders-by-customer")).values()))
        assert child.stop() == 0

    assert seen == sorted(seen)
    assert seen[-1] == 160
    assert len(set(seen)) > 5


def test_a_global_table_is_asked_of_the_slot_that_speaks_for_it(world: World):
    places, names, writes = world.topic("orders", 2), world.topic("names", 1), world.topic("by-city", 2)
    drawn = shops(places, names, writes).to_json()
    next(each for each in drawn["nodes"] if each["id"] == "names")["config"]["store"] = "names-by-customer"
    world.produce(names, [("ada", '{"name": "Ada"}', 1)])

    with started(world.plan(type(shops("", "", "")).from_json(drawn), [places, names])) as child:
        child.wait_for_offsets(names, 1)
        answer = ask_until_ready(child, "names-by-customer")
        assert child.stop() == 0

    assert rows(answer) == {"ada": {"name": "Ada"}}


def test_what_cannot_be_asked_is_refused(world: World):
    with started(counted(world)) as child:
        child.wait_for(lambda event: event["type"] == "progress")
        unknown = ask(child, "orders-by-city")
        versions = ask(child, "orders-by-customer", key="ada", as_of=1)
        assert child.stop() == 0

    assert unknown["refusal"]["message"] == "The run has no table named `orders-by-city`."
    assert unknown["refusal"]["hint"] == "It has orders-by-customer."
    assert versions["refusal"]["message"] == "The table `orders-by-customer` keeps no versions."


def test_bytes_are_shown_in_base64_with_a_mark(world: World):
    topic = world.topic("images", 1)
    drawn = graph([node("images", "table", topic=topic, key_format="string", value_format="bytes", store="images")])
    world.produce(topic, [("ada", b"\xff\x00", 1)])

    with started(world.plan(drawn, [topic])) as child:
        child.wait_for_offsets(topic, 1)
        answer = ask(child, "images", key="ada")
        assert child.stop() == 0

    assert rows(answer) == {"ada": "base64:/wA="}
