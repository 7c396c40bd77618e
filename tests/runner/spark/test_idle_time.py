"""Idle time on real Spark: a window closes although no record comes after it."""

import time

import pytest

from tests.runner.spark.runs import World, counting, graph, node, started

MINUTE = 60_000


@pytest.mark.spark
def test_the_last_windows_of_all_tasks_close_without_a_record_and_do_so_once(world: World) -> None:
    orders, counts = world.topic("orders", 2), world.topic("counts", 1)
    drawn = counting(orders, counts)
    windows = {"type": "tumbling", "size_ms": MINUTE, "emit": "on_close", "idle_ms": 1_000}
    windowed = graph(
        [*drawn.nodes, node("windowed", "windowed_by", **windows)],
        "orders.result>grouped.stream",
        "grouped.result>windowed.grouped",
        "windowed.result>counted.grouped",
        "counted.result>updates.table",
        "updates.result>counts.stream",
    )
    plan = world.plan(windowed, [orders])
    past = int(time.time() * 1_000) - 10 * MINUTE

    with started(plan) as child:
        world.produce(orders, [(key, "1", past) for key in ("a", "b", "c", "d", "a")])
        closed = 0
        while closed < 4:
            event = child.wait_for(lambda event: event.get("nodes", {}).get("counted", {}).get("closed_idle", 0) > 0)
            closed += event["nodes"]["counted"]["closed_idle"]
        world.produce(orders, [("a", "1", past)])
        late = child.wait_for(lambda event: event.get("nodes", {}).get("counted", {}).get("dropped", 0) > 0)
        assert child.stop() == 0, child.tail()

    assert closed == 4
    assert late["drops"]["counted"]["late"]["count"] == 1
    assert sorted(int.from_bytes(message.value()) for message in world.read(counts)) == [1, 1, 1, 2]
