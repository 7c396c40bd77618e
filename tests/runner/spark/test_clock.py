"""A run on a host whose clock is set: real Spark and real Kafka. It needs a C compiler (`tests/soak/clock.c`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runner.spark.runs import World, counting, started
from tests.soak.clock import DAY, HOUR, Clocks

pytestmark = [pytest.mark.spark, pytest.mark.soak]


def test_a_run_goes_on_after_its_clock_was_set_forward_and_ends_at_once_after_it_was_set_back(
    world: World, tmp_path: Path
) -> None:
    orders, counts = world.topic("orders", 2), world.topic("counts", 1)
    plan = world.plan(counting(orders, counts), [orders])
    clocks = Clocks(tmp_path)

    with started(plan, **clocks.environment) as child:
        for number, seconds in enumerate((0, HOUR, DAY), 1):
            clocks.set(seconds, "run")
            world.produce(orders, [("k", "{}", 1_000 * number)])
            child.wait_for_offsets(orders, number)
        clocks.set(0, "run")
        cause = child.wait_for(lambda event: event["type"] == "failed")["cause"]
    assert (cause["code"], cause["retriable"]) == ("run.clock_set_back", True)

    with started(plan.model_copy(update={"generation": 2}), **clocks.environment) as child:
        world.produce(orders, [("k", "{}", 4_000)])
        child.wait_for_offsets(orders, 4)
        assert child.stop() == 0, child.tail()

    assert [int.from_bytes(message.value()) for message in world.read(counts)][-1] == 4
