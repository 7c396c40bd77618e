"""What each node did in kept batches, and a search for records that left a node.

The batches are executed again over the state of the run before them, as its working copies know it. What they change
stays in the memory of this process.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, cast

import orjson

from designer.expressions import ExpressionError, RecordError, check, compile_expression
from designer.refusals import NotFound
from designer.topology.catalogue import make_record_scope
from designer.values.schemas import BOOLEAN
from runner.engine.counts.drops import Drops
from runner.engine.counts.drops import add as add_drops
from runner.engine.counts.outcomes import Outcomes, merge_outcomes
from runner.engine.following.steps import describe
from runner.engine.planning.layers import is_clone
from runner.engine.planning.parts import find_owner
from runner.engine.queryable import QueryRefused
from runner.engine.records.record import Origin
from runner.engine.stores.state import MemoryState, State
from runner.spark.past.answers import BatchActivity, Found, Hit, LeavingRecord
from runner.spark.program import Place, Program
from runner.spark.proving.observing import ObservedCall, ObservedIntake, ObservedReplay
from runner.spark.replay import BatchInputs
from runner.spark.stage.counters import Counters, add
from runner.spark.stage.rows import COUNTERS, Pack
from runner.spark.state import Past, SlotState, had_records

MAX_RECORDS = 200
"""Most records of a node's port that one answer holds, the newest."""
MAX_HITS = 20
"""Most records that a search of one answer finds."""
See = Callable[[str, str, Origin, Any, Any, int], None]
"""Takes node, port, input, key, value and time (ms) of a record that leaves a node."""


class PastReplay(ObservedReplay):
    """Executes consecutive batches over the state before the first. The caller must close it.

    Unlike a replay of a proof it does not copy that state: it reads the run's working copies as of the batch.
    """

    def __init__(self, program: Program, time: int, see: See) -> None:
        """`time` is that of the first batch (ms)."""
        self.program = program
        self.time = time
        self.see = see
        self.views: dict[Place, State] = {}
        self.not_recorded = Counter[str]()
        self.stack = ExitStack()

    def make_intake(self, time: int) -> ObservedIntake:
        return ObservedIntake(self, time)  # however many records there are: `see` keeps only some

    def make_call(self, depth: int, slot: int, time: int, state: SlotState) -> PastCall:
        return PastCall(self, depth, slot, time, state)

    @contextmanager
    def open_state(self, depth: int, slot: int, time: int) -> Iterator[SlotState]:
        if (depth, slot) not in self.views:
            self.views[depth, slot] = open_past(self.program.state_directory(depth, slot), self.time, self.stack)
        yield cast(SlotState, self.views[depth, slot])  # tasks only read and write its rows

    def note(self, node: str, port: str, number: int, offset: int, key: Any, value: Any, timestamp: int) -> None:
        if node == find_owner(node) and not is_clone(node):
            self.see(node, port, self.origins.find(number, offset), key, value, timestamp)

    def close(self) -> None:
        self.stack.close()


class PastCall(ObservedCall):
    """A slot of a later stage, over state that has no size."""

    def counters(self, laps: dict[str, float]) -> Pack:
        data = {"nodes": self.nodes, "drops": self.drops, "outcomes": self.outcomes}
        return Pack(self.slot, COUNTERS, self.outbox.place, self.outbox.batch_time, orjson.dumps(data))


def open_past(directory: Path, time: int, stack: ExitStack) -> State:
    """Open a slot as it was before the batch of a time (ms), until the stack ends.

    It is empty if it never had a record. Raises NotKept.
    """
    if not had_records(directory):
        return MemoryState()
    past = Past(directory, time)
    stack.callback(past.close)
    return cast(State, past.view())


def look_at(program: Program, inputs: BatchInputs, node: str | None, port: str | None) -> BatchActivity:
    """Return what each node did in a batch, and the newest records that left one of them by a port.

    Raises NotKept.
    """
    newest: deque[tuple[Origin, Any, Any, int]] = deque(maxlen=MAX_RECORDS)
    count = 0

    def see(at: str, by: str, *record: Any) -> None:
        nonlocal count
        if at == node and by == port:
            count += 1
            newest.append(cast(tuple[Origin, Any, Any, int], record))

    with ExitStack() as stack:
        replay = PastReplay(program, inputs.time, see)
        stack.callback(replay.close)
        results = replay.run(inputs)
    nodes, drops, outcomes = Counters(), Drops(), Outcomes()
    for call in results.counters:
        add(nodes, call["nodes"])
        add_drops(drops, call.get("drops", {}))
        merge_outcomes(outcomes, call.get("outcomes", {}))
    records: list[LeavingRecord] = [
        {**describe(key, value, timestamp), "origin": None if origin.topic == "" else origin.to_json()}
        for origin, key, value, timestamp in reversed(newest)
    ]
    return {
        "nodes": {
            each: {
                "in": counts.get("in", 0),
                "out": counts.get("out", 0),
                "dropped": counts.get("dropped", 0),
                "errors": counts.get("errors", 0),
                "dropped_by": {reason: of["count"] for reason, of in drops.get(each, {}).items() if of["count"]},
                "no_result": sum(outcomes[each]["no_result"].values()) if each in outcomes else 0,
            }
            for each, counts in nodes.items()
        },
        "left": records,
        "left_count": count,
    }


def make_condition(program: Program, node: str, port: str, text: str) -> Callable[[Any, Any, int], bool | None]:
    """Compile a condition on the records that leave a node by a port: a function of key, value and time (ms).

    The names are those of an expression behind that port, without headers. Raises NotFound, QueryRefused.
    """
    flows = program.layout.nodes.get(node)
    if flows is None or port not in flows.outputs:
        raise NotFound(f"No record of this version leaves `{node[:80]}` by {port[:80]}.", "Choose another node.")
    scope = make_record_scope(flows.outputs[port].schema)
    names = {name: type_ for name, type_ in scope.names.items() if name != "headers"}
    try:
        checked = check(text, scope._replace(names=names), BOOLEAN)
    except ExpressionError as error:
        raise QueryRefused(f"The condition is not right: {error}", error.issue.hint) from error
    return compile_expression(checked, ("key", "value", "timestamp"), node=node, field="condition")


def search(
    program: Program,
    batches: Sequence[BatchInputs],
    node: str,
    port: str,
    condition: Callable[[Any, Any, int], bool | None],
) -> Found:
    """Find records for which a condition is true, in consecutive batches, newest first. Raises NotKept."""
    hits: deque[Hit] = deque(maxlen=MAX_HITS)
    count = failed = time = 0

    def see(at: str, by: str, origin: Origin, key: Any, value: Any, timestamp: int) -> None:
        nonlocal count, failed
        if at != node or by != port:
            return
        try:
            is_hit = condition(key, value, timestamp)
        except RecordError:
            failed += 1
            return
        if is_hit:
            count += 1
            place = None if origin.topic == "" else origin.to_json()
            hits.append({"time": time, "origin": place, "record": describe(key, value, timestamp)})

    ordered = sorted(batches, key=lambda each: each.time)
    with ExitStack() as stack:
        replay = PastReplay(program, ordered[0].time, see)
        stack.callback(replay.close)
        for batch in ordered:
            time = batch.time
            replay.run(batch)
    return {"hits": list(reversed(hits)), "count": count, "failed": failed}
