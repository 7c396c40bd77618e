"""A stateful stage: the tasks of all sub-topologies of one depth. Each of its slots is one group of Spark."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from runner.spark.program import Program, get_program
from runner.spark.stage.arrival import run_by_arrival
from runner.spark.stage.rows import IDLE_BEFORE_ALL, Pack
from runner.spark.stage.slot_call import SlotCall
from runner.spark.state import SlotState
from runner.spark.state.changelog import Changelog


def pass_on_and_process(
    changelog: Changelog, plan_json: bytes, depth: int, slot: int, packs: Iterable[Pack]
) -> Iterator[Pack]:
    """Passes on the packs of other stages unread, then processes those of this depth together."""
    own: list[Pack] = []
    for pack in packs:
        if pack.depth == depth:
            own.append(pack)
        else:
            yield pack
    if own:
        own.sort(key=attrgetter("place"))
        yield from _process(changelog, get_program(plan_json), depth, slot, own)


def _process(changelog: Changelog, program: Program, depth: int, slot: int, packs: Sequence[Pack]) -> Iterator[Pack]:
    watch = StepTimes()
    with SlotState.load(changelog, program.state_directory(depth, slot)) as state:
        watch.lap("load_ms")
        call = SlotCall(program, depth, slot, packs[0].batch_time, state)
        call.is_caught_up = packs[0].place == IDLE_BEFORE_ALL
        run = run_by_arrival if program.plan.arrival_order else SlotCall.run
        run(call, (pack.pack for pack in packs))
        watch.lap("engine_ms")
        # on a cluster the run's host keeps the history, and soon takes it from here (`runner.spark.changes`)
        state.commit(call.outbox.batch_time, program.history_bytes if program.plan.executors is None else None)
        watch.lap("save_ms")
    yield from call.outbox.packs()
    yield call.counters(watch.laps)


class StepTimes:
    """Times of the steps of a call, in ms."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self.since = time.monotonic()

    def lap(self, step: str) -> None:
        now = time.monotonic()
        self.laps[step] = round((now - self.since) * 1_000, 1)
        self.since = now
