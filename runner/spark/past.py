"""Kept batches as they were: counts and records of nodes, tables after a batch, and what changed a row.

All of it reads the state of a run beside it, as of a batch, and writes nothing. What a batch changes while it is
executed again stays in the memory of this process.
"""

from __future__ import annotations

import time as clock
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

import orjson

from designer.expressions import ExpressionError, RecordError, check, compile_expression
from designer.refusals import NotFound
from designer.topology.catalogue import make_record_scope
from designer.values.schemas import BOOLEAN
from designer.values.tuples import Windowed
from runner.engine.counts.drops import Drops
from runner.engine.counts.drops import add as add_drops
from runner.engine.counts.outcomes import Outcomes, merge_outcomes
from runner.engine.following.follow import NOBODY, FollowedInput, describe_row
from runner.engine.following.steps import ShownRecord, describe
from runner.engine.following.traced_state import TracedState
from runner.engine.formats.display import write_shown
from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import Source, Store
from runner.engine.planning.parts import find_owner
from runner.engine.queryable import Query, QueryRefused, answer, find_queryable, write_as_text
from runner.engine.queryable.tables import TableReader
from runner.engine.records.record import TIME, Origin
from runner.engine.stores.by_key import MARK
from runner.engine.stores.state import PREFIX, MemoryState, State
from runner.spark.answers import BatchActivity, Found, Hit, LeavingRecord, ShownWrite, StoredRow, TopicRow
from runner.spark.events import PageOfRows
from runner.spark.following import BatchFollower
from runner.spark.program import Place, Program
from runner.spark.proving.observing import ObservedCall, ObservedReplay
from runner.spark.proving.proof import KeptStores
from runner.spark.replay import BatchInputs, KeptState
from runner.spark.stage.counters import Counters, add
from runner.spark.stage.renumbering import make_chunks
from runner.spark.stage.rows import COUNTERS, Pack
from runner.spark.state import Past, SlotState, View, had_records
from runner.spark.state.changelog import NO_NONCE
from runner.spark.state.history import History, Undo
from runner.spark.state.rows import Row, Rows

MAX_RECORDS = 200
"""Most records of a node's port that one answer holds, the newest."""
MAX_HITS = 20
"""Most records that a search of one answer finds."""
MAX_CHANGES = 10
"""Most batches that changed a row in one answer."""
SECONDS = 5.0
"""Longest search through the changes that batches made."""
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
        self.stack = ExitStack()

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
    """A slot before the batch of a time (ms), until the stack ends. Empty if it never had a record. Raises NotKept."""
    if not had_records(directory):
        return MemoryState()
    past = Past(directory, time)
    stack.callback(past.close)
    return cast(State, past.view())


def look_at(program: Program, inputs: BatchInputs, node: str | None, port: str | None) -> BatchActivity:
    """What each node did in a batch: `nodes` has its counts. And the newest records that left a node by a port.

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


def read_table(program: Program, name: str, time: int, query: Query) -> PageOfRows:
    """A page of a table before the batch of a time (ms). Raises NotKept, QueryRefused."""
    stores = find_queryable(program.layout)
    if name not in stores:
        raise QueryRefused(f"This version has no table named `{name[:80]}`.", f"It has {', '.join(stores) or 'none'}.")
    with ExitStack() as stack:
        views: dict[Place, State] = {}
        for place in program.find_tasks(stores[name]).values():
            if place not in views:
                views[place] = open_past(program.state_directory(*place), time, stack)
        parts = [(task, views[place]) for task, place in program.find_tasks(stores[name]).items()]
        rows, following = answer(program.layout, stores[name], parts, query)
    return {"rows": [write_as_text(row) for row in rows], "next": following}


def find_topic_rows(program: Program, time: int, keys: Collection[Any]) -> list[TopicRow]:
    """The rows with these keys in tables that are read from topics, before the batch of a time (ms). Raises NotKept."""
    sources = {each.node: each for each in program.layout.targets if isinstance(each, Source) and each.kind != "stream"}
    found = list[TopicRow]()
    with ExitStack() as stack:
        views: dict[Place, State] = {}
        for store in find_queryable(program.layout).values():
            if store.node not in sources:
                continue
            try:
                places = program.find_tasks(store)
            except QueryRefused:  # no node looks its rows up
                continue
            for place in places.values():
                if place not in views:
                    views[place] = open_past(program.state_directory(*place), time, stack)
            parts = [(task, views[place]) for task, place in places.items()]
            for key in keys:
                text = key if isinstance(key, str) else orjson.dumps(key).decode()
                try:
                    rows, _ = answer(program.layout, store, parts, Query.model_validate({"key": text}))
                except QueryRefused:  # its keys are of another type
                    continue
                topic = sources[store.node].topic
                found += [
                    {"topic": topic, "key": row["key"], "value": row["value"], "timestamp": row["timestamp"] or 0}
                    for row in rows
                ]
    return found


class RowsInMemory:
    """Rows below a view, in this process."""

    def __init__(self) -> None:
        self.state = MemoryState()

    def get(self, key: bytes) -> bytes | None:
        return self.state.get(key)

    def items(self, start: bytes, end: bytes | None, reverse: bool = False) -> Iterator[Row]:
        return self.state.range(start, end, reverse)

    def close(self) -> None:
        """Nothing is open."""


class CandidateFollower(BatchFollower):
    """Follows records of a batch through another version. It gets the stores that a deploy would keep, in memory."""

    def __init__(self, running: Program, candidate: Program, stores: Iterable[str], batch: BatchInputs) -> None:
        """Raises NotKept."""
        numbers = {each.topic: each.number for each in candidate.inputs}
        topics = {each.number: each.topic for each in running.inputs}
        arrivals = [
            (numbers[topics[number]], partition, records)
            for number, partition, records in batch.arrivals
            if topics[number] in numbers
        ]
        super().__init__(candidate, batch._replace(arrivals=arrivals))
        self.rows: dict[Place, RowsInMemory] = {}
        move = KeptStores.find(running, candidate, stores)
        for _, rows in KeptState(running, batch.time).rows():
            for place, chunk in make_chunks(rows, move):
                into = self.rows.setdefault(place, RowsInMemory()).state
                for key, value in chunk:
                    into.put(key, value)

    def open_before(self, depth: int, slot: int) -> View:
        return View(cast(Rows, self.rows.setdefault((depth, slot), RowsInMemory())))


def list_inputs(follower: BatchFollower) -> list[Origin]:
    """The input records of a batch by their times, the first ones if there are too many."""
    rows = sorted((row[TIME], origin) for origin, row in follower.inputs())
    return list(dict.fromkeys(origin for _, origin in rows))[:MAX_RECORDS]


class Changes(NamedTuple):
    """The batches that changed a row, newest first, by their times (ms).

    `key` is that of the row in the state, empty if no batch changed it. The search went back to the time `since`, and
    at 0 to the beginning of the state. If `has_more`, it ended before the kept past does.
    """

    times: list[int]
    key: bytes
    node: str
    since: int
    has_more: bool


def find_changes(
    program: Program, row: StoredRow, times: Collection[int], until: int, limit: int = MAX_CHANGES
) -> Changes:
    """Searches what batches changed, from those of a time (ms) back.

    `times` are those of committed batches: a batch that goes on has changed rows, too. Raises NotFound.
    """
    number, store = find_store(program, row["store"])
    reader = TableReader(program.layout, store, 0, MemoryState(), Query.model_validate({}))
    depth, deadline = program.depth_of_store(store), clock.monotonic() + SECONDS
    slots = [program.kept_directory(depth, slot) for slot in program.slot_ids] if depth is not None else []
    found = [_find_in_slot(directory, reader, number, row, times, until, limit, deadline) for directory in slots]
    newest = max((each for each in found if each.times), key=lambda each: each.times[0], default=None)
    if newest is None:
        since, has_more = max((each.since for each in found), default=0), any(each.has_more for each in found)
        newest = Changes([], b"", "", since, has_more)
    return newest._replace(node=store.node)


def _find_in_slot(
    directory: Path,
    reader: TableReader,
    number: int,
    row: StoredRow,
    times: Collection[int],
    until: int,
    limit: int,
    deadline: float,
) -> Changes:
    changed, key, oldest = list[int](), b"", min(times, default=0)
    since, undo = until if had_records(directory) else 0, None
    for undo in History(directory).read_newest_first():
        if len(changed) == limit or clock.monotonic() > deadline:
            return Changes(changed, key, "", since, has_more=True)
        if undo.time < oldest:
            return Changes(changed, key, "", oldest, has_more=False)
        since = min(since, undo.time)
        if undo.time <= until and undo.time in times and undo.time not in changed:
            key = key or _find_key(reader, number, undo, row)
            if key and key in undo.read_delta().keys:
                changed.append(undo.time)
    if undo is not None and undo.parent == NO_NONCE:
        since = 0
    return Changes(changed, key, "", since, has_more=False)


def _find_key(reader: TableReader, number: int, undo: Undo, row: StoredRow) -> bytes:
    for key in undo.read_delta().keys:
        rest = key[PREFIX.size :]
        if PREFIX.unpack_from(key)[1] == number and rest[:1] != MARK and _is_row(reader, rest, row):
            return key
    return b""


def _is_row(reader: TableReader, key: bytes, row: StoredRow) -> bool:
    row_key, window = reader.decode_key(key), None
    if isinstance(row_key, Windowed):
        row_key, window = row_key.key, {"start": row_key.start, "end": row_key.end}
    return bool(write_shown(row_key) == row["key"] and window == row["window"])


def find_store(program: Program, name: str) -> tuple[int, Store]:
    """The number of a table's store, and the store. Raises NotFound."""
    for number, store in enumerate(program.layout.stores):
        if store.name == name:
            return number, store
    raise NotFound(f"The job has no table `{name[:80]}`.", "List its tables.")


class Write(NamedTuple):
    """A write of a row: the input that caused it, and the row before and after."""

    origin: Origin
    before: bytes | None
    after: bytes | None


class WatchedState(TracedState):
    """Notes each write of one row."""

    watched: bytes
    writes: list[Write]
    until: Origin | None
    """After this input, nothing is noted any more."""
    is_over = False

    def begin(self, mark: Any) -> None:
        if self.until is not None and self.now == self.until and mark != self.until:
            self.is_over = True
        super().begin(mark)

    def put(self, key: bytes, value: bytes) -> None:
        before = self.peek(key)
        super().put(key, value)
        self._note(key, before)

    def delete(self, key: bytes) -> None:
        before = self.peek(key)
        super().delete(key)
        self._note(key, before)

    def _note(self, key: bytes, before: bytes | None) -> None:
        if key == self.watched and not self.is_over and (after := self.peek(key)) != before:
            self.writes.append(Write(self.now, before, after))


class WatchedInput(FollowedInput):
    """Follows no input, but notes the writes of one row, whichever input causes them."""

    def __init__(self, key: bytes, until: Origin | None, *of_input: Any) -> None:
        super().__init__(*of_input)
        self.key = key
        self.until = until
        self.writes: list[Write] = []

    def trace_state(self, state: State) -> TracedState:
        watched = WatchedState(state, self.needs, self.writers)
        watched.watched, watched.writes, watched.until = self.key, self.writes, self.until
        return watched


def list_writes(
    program: Program, batches: Sequence[BatchInputs], key: bytes, until: tuple[int, Origin] | None = None
) -> list[ShownWrite]:
    """The writes of a row in some batches, newest first.

    `until` names the time of a batch and an input of it: later writes of that batch are left out. Raises NotKept.
    """
    written = list[ShownWrite]()
    for batch in sorted(batches, key=lambda each: -each.time):
        follower = BatchFollower(program, batch)
        try:
            last = until[1] if until is not None and until[0] == batch.time else None
            seen = WatchedInput(key, last, follower.layout, NOBODY)
            follower.process(seen)
            records = follower.describe_inputs({each.origin for each in seen.writes})
            written += [
                _describe_write(follower, batch.time, key, each, records.get(each.origin))
                for each in reversed(seen.writes)
            ]
            if not seen.writes and last is None:
                written.append({"time": batch.time, "origin": None, "record": None, "before": None, "after": None})
        finally:
            follower.close()
    return written


def _describe_write(
    follower: BatchFollower, time: int, key: bytes, write: Write, record: ShownRecord | None
) -> ShownWrite:
    _, number = PREFIX.unpack_from(key)
    row = describe_row(follower.layout, number, MemoryState(), key, write.before, write.after)
    origin = None if write.origin == NOBODY else write.origin.to_json()
    return {"time": time, "origin": origin, "record": record, "before": row["before"], "after": row["after"]}


def make_condition(program: Program, node: str, port: str, text: str) -> Callable[[Any, Any, int], bool | None]:
    """A condition on the records that leave a node by a port, as a function of key, value and time (ms).

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
    """The records for which a condition is true, in consecutive batches, newest first. Raises NotKept."""
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
