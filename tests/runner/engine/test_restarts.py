"""A task may end after any batch: another over the same state goes on as if it had not."""

import random
from collections.abc import Iterator

import orjson
import pytest

from designer.values.schemas import INTEGER, STRING, struct
from runner.engine.driver import Driver
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.options import Options
from runner.engine.records.merge import merge
from runner.engine.records.record import Row
from runner.engine.stores.state import MemoryState
from runner.engine.tasks.event_time import read_system_clock
from runner.engine.tasks.globals import Globals
from runner.engine.tasks.task import Task
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(item=STRING, amount=INTEGER)


def topology() -> GraphBuilder:
    builder = GraphBuilder().stream("orders", ORDER).table("items", struct(name=STRING, price=INTEGER))
    builder.global_table("names", struct(name=STRING))
    named = [{"name": "name", "expression": "right.name"}]
    builder.add("dear", "filter", {"predicate": "price > 5", "store": "dear"}, records="items")
    builder.add("with-item", "left_join", {"fields": named}, left="orders", right="dear")
    builder.add("with-name", "left_join", {"key": "item", "fields": named}, left="with-item", right="names")
    builder.add("by-item", "select_key", {"key": "item"}, stream="with-name")
    builder.add("grouped", "group_by_key", stream="by-item")
    builder.add("windows", "windowed_by", {"size_ms": 50, "grace_ms": 20}, grouped="grouped")
    functions = [
        {"name": "average", "function": "avg", "expression": "amount"},
        {"name": "records", "function": "count"},
    ]
    builder.add("amounts", "aggregate", {"functions": functions}, grouped="windows")
    builder.add("busy", "filter", {"predicate": "value.records > 1"}, records="amounts")
    builder.updates_to("dear-items", "dear").updates_to("out", "busy")
    return builder.to("named", "with-name")


def _bytes(value: object) -> bytes | None:
    return None if value is None else value.encode() if isinstance(value, str) else orjson.dumps(value)


def records(seed: int) -> Iterator[tuple[str, str | None, object, int]]:
    chance = random.Random(seed)
    for number in range(300):
        timestamp = max(0, number * 3 + chance.randrange(-60, 20))
        item = chance.choice(["i1", "i2", "i3", None])
        match chance.randrange(6):
            case 0:
                row = chance.choice([None, {"name": f"n{number}", "price": chance.randrange(10)}])
                yield "items", chance.choice(["k1", "k2", None]), row, timestamp
            case 1:
                yield "names", item, chance.choice([None, {"name": f"g{number}"}]), timestamp
            case _:
                yield "orders", chance.choice(["k1", "k2"]), {"item": item, "amount": chance.randrange(9)}, timestamp


def pipe_all(driver: Driver, seed: int, batch: int) -> list[tuple[str, Row]]:
    made = list(records(seed))
    for start in range(0, len(made), batch):
        with driver.batch():
            for topic, key, value, timestamp in made[start : start + batch]:
                driver.pipe(topic, key=key, value=value, timestamp=timestamp)
    return driver.rows()


@pytest.mark.parametrize("cache", [False, True])
@pytest.mark.parametrize("batch", [1, 7, 100])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tasks_made_anew_for_each_batch_give_what_one_long_life_gives(seed: int, batch: int, cache: bool):
    one = topology().driver(cache=cache)
    many = topology().driver(cache=cache, is_one_life=False)

    assert pipe_all(one, seed, batch) == pipe_all(many, seed, batch)
    assert one.state.values == many.state.values
    assert one.counters() == many.counters()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_where_batches_end_does_not_matter_without_caches(seed: int):
    assert pipe_all(topology().driver(), seed, 1) == pipe_all(topology().driver(), seed, 100)


def test_rows_in_any_order_before_the_merge_give_the_same_bytes():
    laid_out = lay_out(topology().graph)
    chance = random.Random(5)
    rows: list[Row] = [
        (laid_out.source_of[topic], _bytes(key), _bytes(value), timestamp, None, 0, number)
        for number, (topic, key, value, timestamp) in enumerate(records(4))
        if topic != "names"
    ]

    def run() -> tuple[list[object], dict[bytes, bytes]]:
        out: list[object] = []
        state = MemoryState()
        task = Task(laid_out, 0, 3, state, out.append, Options())
        task.run(merge(rows))
        task.flush()
        return out, state.values

    expected = run()
    for _ in range(5):
        chance.shuffle(rows)

        assert run() == expected


def test_expired_windows_leave_the_state():
    driver = topology().driver()
    for timestamp in (0, 10, 1_000):
        driver.pipe("orders", key="k", value={"item": "i1", "amount": 1}, timestamp=timestamp)

    prefix = b"\0\0" + driver.layout.store_of["amounts"].to_bytes(2)
    assert [key for key, _ in driver.state.range(prefix, prefix + b"\xff")] == [prefix + (1_000).to_bytes(8) + b"i1"]


def test_tasks_of_a_slot_share_its_global_tables():
    laid_out = lay_out(topology().graph)
    out: list[object] = []
    state, options = MemoryState(), Options()
    shared = Globals(laid_out, state, out.append, options, read_system_clock)
    tasks = [Task(laid_out, 0, number, state, out.append, options, shared) for number in range(2)]

    shared.apply(laid_out.source_of["names"], b"i1", b'{"name":"one"}', 0)
    for task in tasks:
        task.process(laid_out.source_of["orders"], b"k", b'{"item":"i1"}', 0)
    shared.flush()

    assert sum(b'"name":"one"' in (row[2] or b"") for row in out if row[0] in laid_out.sinks_of["named"].values()) == 2  # type: ignore[index]
    assert [key[:2] for key, _ in state.range(b"", b"\xff\xff\xff\xff")] == [b"\xff\xff"]
