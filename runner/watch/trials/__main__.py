"""`python -m runner.watch.trials FD`: forks a process for each trial, which executes it within limits.

The socket FD delivers the connections of trials (`runner.watch.trials.forks`). A trial gets records, but no access to
Kafka: whatever the graph does, nothing outside of its process can change. The process of the next trial is forked
ahead and waits: a fork takes 10 ms of a preview. Code that has run once is faster, so a small trial runs before all.
"""

from __future__ import annotations

import base64
import gc
import os
import resource
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, cast

import orjson

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.refusals import NotFound, Refusal
from designer.topology.graph import Graph
from designer.topology.user_code import find_nodes_with_code
from designer.values import exact_json
from designer.values.schemas import RegistrySchemas, Schema, read_registry_schemas
from runner.engine.code.user_code import trust_this_process
from runner.engine.following.follow import (
    SECONDS,
    Follower,
    FollowingTrial,
    Output,
    TrialFollower,
    describe_record,
    describe_written,
    find_last_step,
    find_writers,
)
from runner.engine.following.steps import ShownRecord, ShownSides
from runner.engine.planning.layers import find_original
from runner.engine.planning.parts import find_owner
from runner.engine.queryable import Query
from runner.engine.records.record import ORIGIN, SEQ, Origin, Row
from runner.engine.tasks.event_time import read_system_clock
from runner.engine.trial import MadeUpRecord, RecordTimes, Trial, TrialResult
from runner.plan import Plan
from runner.spark.columns import RecordColumns
from runner.spark.past.batches import look_at, make_condition, search
from runner.spark.past.candidate import CandidateFollower, list_inputs
from runner.spark.past.following import BatchFollower
from runner.spark.past.rows import find_changes, list_writes
from runner.spark.past.tables import find_topic_rows, read_table
from runner.spark.program import Program, make_program
from runner.spark.replay import BatchInputs
from runner.spark.state.copy_file import count_mapped_bytes
from runner.watch.codes import WatchCode
from runner.watch.trials import questions

EXAMPLES = {"stream": 5, "table": 20, "global": 20}
"""Records shown for each source, as a start for your own. Too few rows of a table would give few partners."""
MAX_LEFT = 5_000
"""Maximum number of output records of a test case."""
FEWER = "Try fewer records."
FIRST = questions.AskOutput(
    graph={
        "nodes": [
            {
                "id": "orders",
                "operator": "stream",
                "config": {
                    "topic": "orders",
                    "key_type": {"kind": "string"},
                    "value_type": {"kind": "struct", "fields": [{"name": "amount", "type": {"kind": "integer"}}]},
                },
            },
            {"id": "large", "operator": "filter", "config": {"predicate": "amount > 1"}},
            {"id": "named", "operator": "map_values", "config": {"fields": [{"name": "n", "expression": "amount"}]}},
            {"id": "grouped", "operator": "group_by_key", "config": {}},
            {"id": "counted", "operator": "count", "config": {}},
        ],
        "edges": [
            {"source": "orders", "source_port": "result", "target": "large", "target_port": "records"},
            {"source": "large", "source_port": "result", "target": "named", "target_port": "records"},
            {"source": "named", "source_port": "result", "target": "grouped", "target_port": "stream"},
            {"source": "grouped", "source_port": "result", "target": "counted", "target_port": "grouped"},
        ],
    },
    schemas={},
    node="counted",
    records=[["orders", 0, number, number, "YQ==", "eyJhbW91bnQiOjJ9", []] for number in range(50)],
)
"""The trial that runs before all others."""
HEAD_START_SECONDS = 0.1
"""Time between a trial and the fork for the next one, which would take its processor."""
MEMORY = 2 << 30
"""Bytes of address space. The parent's patience limits CPU time."""


class TooMuchLeft(Refusal):
    """A test case has too many output records to compare."""

    code = WatchCode.CASE_TOO_MUCH_LEFT
    status = 422


def main() -> None:
    """Forks until the owner has ended, then ends with all trials."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(3):  # Python makes code faster that runs several times
        answer(FIRST)
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as control:
        next_process = _fork(control)
        while (message := socket.recv_fds(control, 1, 1)) and message[0]:
            with socket.socket(fileno=message[1][0]) as connection:
                while not next_process.take(connection):  # something killed it as it waited
                    next_process = _fork(control)
                with suppress(OSError):  # the caller no longer waits
                    connection.sendall(b"%d\n" % next_process.pid)
            # the trial has the processors first, unless another one comes meanwhile
            select.select([control], [], [], HEAD_START_SECONDS)
            next_process = _fork(control)
    os.killpg(0, signal.SIGKILL)


class WaitingProcess(NamedTuple):
    """A fork that waits for the connection of its trial."""

    pid: int
    control: socket.socket

    def take(self, connection: socket.socket) -> bool:
        """Gives it the connection. False if it has ended."""
        with self.control:
            try:
                socket.send_fds(self.control, [b"1"], [connection.fileno()])
            except OSError:
                return False
        return True


def _fork(control: socket.socket) -> WaitingProcess:
    ours, theirs = socket.socketpair()
    if (pid := os.fork()) == 0:
        control.close()
        ours.close()
        with theirs:
            message, files, _, _ = socket.recv_fds(theirs, 1, 1)
        if not message:  # the parent has ended
            os._exit(0)
        with socket.socket(fileno=files[0]) as connection:
            _serve(connection)
    theirs.close()
    return WaitingProcess(pid, ours)


def _serve(connection: socket.socket) -> NoReturn:
    """Reads a trial, executes it and sends the result."""
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(quiet, stream.fileno())
    try:
        with connection.makefile("rb") as sent:
            question = questions.read_question(exact_json.loads(sent.read()))
        mapped = (
            count_mapped_bytes(Path(question.plan["state_dir"])) if isinstance(question, questions.JobQuestion) else 0
        )
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY + mapped, MEMORY + mapped))
        reply = answer(question)
    except Refusal as refusal:
        reply = {"refusal": refusal.to_json(), "status": refusal.status}
    except BaseException as error:
        reply = {"ended": traceback.format_exception_only(error)[-1].strip()}
    try:
        connection.sendall(exact_json.dumps(reply))
        connection.shutdown(socket.SHUT_WR)  # the end of a process takes a while
    finally:
        os._exit(0)


def answer(question: questions.Question[Any]) -> Mapping[str, Any]:
    """The answer to a question, of the type that its class names. Raises Refusal."""
    if isinstance(question, questions.JobQuestion):
        return _answer_of_job(question)
    assert isinstance(question, questions.GraphQuestion)
    graph = Graph.from_json(question.graph)
    _trust_code(graph)
    schemas = {node: Schema.from_json(schema) for node, schema in question.schemas.items()}
    registry_schemas = read_registry_schemas(question.registry_schemas)
    match question:
        case questions.AskOutput():
            return _find_output(graph, schemas, registry_schemas, question)
        case questions.AskFailures():
            trial = Trial(graph, schemas, shown_node=None, registry_schemas=registry_schemas)
            trial.run(_make_records(question.records))
            return _describe_failures(trial)
        case questions.AskCases():
            return {"cases": [_run_case(graph, schemas, each) for each in question.cases]}
        case questions.AskStoreSizes():
            return _measure_stores(Trial(graph, schemas, shown_node=""), question.records)
        case questions.AskWay() | questions.AskInputs():
            return _follow(graph, schemas, registry_schemas, question)
    raise TypeError(type(question))


def _trust_code(graph: Graph) -> None:
    """User Python may run: this process has nothing that it could change."""
    if find_nodes_with_code(graph):
        trust_this_process()


def _find_output(
    graph: Graph, schemas: Mapping[str, Schema], registry_schemas: RegistrySchemas, question: questions.AskOutput
) -> questions.NodeOutput:
    """The output at each port of the node, and the records that passed all nodes."""
    node = question.node
    if question.given is None:
        trial = Trial(graph, schemas, shown_node=node, registry_schemas=registry_schemas)
        trial.run(_make_records(question.records))
    else:
        trial = _run_given(graph, schemas, question.given, shown_node=node)
    return {
        "outputs": {
            port: {"count": trial.counts[node, port], "records": list(trial.shown_records[node, port])}
            for port in trial.layout.nodes[node].outputs
        },
        "sources": _list_newest(trial),
        "counters": trial.counters(),
        "dropped": trial.drop_counts(),
        "facts": trial.facts(),
        **_describe_failures(trial),
    }


def _describe_failures(trial: Trial) -> questions.Failures:
    return {"failed": trial.failures(), "stopped": trial.failure.to_json() if trial.failure else None}


def _measure_stores(trial: Trial, records: list[questions.SentRecord]) -> questions.StoreSizes:
    """The rows and bytes of each store after the records, and the rows after half of them."""
    rows = trial.order(_make_records(records))
    trial.run_rows(rows[: len(rows) // 2])
    at_half = trial.measure_stores()
    trial.run_rows(rows[len(rows) // 2 :])
    return {
        "stores": [
            {
                "node": find_owner(find_original(store.node)),
                "store": store.name,
                "retention_ms": store.retention_ms,
                "rows_at_half": at_half[number][0],
                "rows": after_all[0],
                "bytes": after_all[1],
            }
            for number, (store, after_all) in enumerate(zip(trial.layout.stores, trial.measure_stores(), strict=True))
        ]
    }


def _follow(
    graph: Graph,
    schemas: Mapping[str, Schema],
    registry_schemas: RegistrySchemas,
    question: questions.AskWay | questions.AskInputs,
) -> questions.Followed | questions.FoundInputs:
    """The steps of one record, or the inputs that made an output of it."""
    given_records = None if question.given is None else [MadeUpRecord(*each) for each in question.given]
    records = list(_make_records(question.records))
    now = read_system_clock() if given_records is None else max((each.timestamp for each in given_records), default=0)

    def make(origin: Origin, like: FollowingTrial | None) -> FollowingTrial:
        return FollowingTrial(
            graph, schemas, origin=origin, like=like, wall_clock=lambda: now, registry_schemas=registry_schemas
        )

    def order(trial: FollowingTrial) -> list[Row]:
        return trial.order(records) if given_records is None else list(trial.order_given(given_records))

    follower, origin, nodes = TrialFollower(make, order), Origin(*question.origin), set[str]()
    if question.made is not None:
        ((topic, row),) = _make_records([question.made])
        origin, nodes = _find_input(follower, topic, row), find_writers(follower.layout, topic)
    if isinstance(question, questions.AskInputs):
        return _find_inputs(follower, origin, question.output)
    return _describe_way(follower, origin, nodes)


def _answer_of_job(question: questions.JobQuestion[Any]) -> Mapping[str, Any]:
    """An answer over the state of a job (`runner.spark.past`)."""
    plan = Plan.model_validate(question.plan)
    _trust_code(plan.read_graph())
    program = make_program(plan)
    match question:
        case questions.AskWayInJob() | questions.AskInputsInJob():
            return _follow_in_job(program, question)
        case questions.AskBatch():
            return look_at(program, _read_batch(question.batch), question.node, question.port)
        case questions.AskTable():
            return read_table(program, question.store, question.time, Query.model_validate(question.query))
        case questions.AskTopicRows():
            return {"rows": find_topic_rows(program, question.time, question.keys)}
        case questions.AskSteps():
            return _step(program, question)
        case questions.AskSearch():
            condition = make_condition(program, question.node, question.port, question.condition)
            batches = list(map(_read_batch, question.batches))
            return search(program, batches, question.node, question.port, condition)
        case questions.AskChanges():
            changes = find_changes(program, question.row, set(question.times), question.until)
            return changes._asdict() | {"key": changes.key.hex()}
        case questions.AskWrites():
            until = None if question.until is None else (question.until[0], Origin(*question.until[1]))
            batches = list(map(_read_batch, question.batches))
            return {"writes": list_writes(program, batches, bytes.fromhex(question.key), until)}
    raise TypeError(type(question))


def _follow_in_job(
    program: Program, question: questions.AskWayInJob | questions.AskInputsInJob
) -> questions.FollowedInBatch | questions.FoundInputs:
    """The steps of a record in its batch, or the inputs that made an output of it there. Raises NotFound."""
    until = time.monotonic() + SECONDS
    for batch in map(_read_batch, question.batches):
        with closing(BatchFollower(program, batch)) as follower:
            origin, nodes, made = _find_start(follower, question)
            if origin is not None and isinstance(question, questions.AskInputsInJob):
                return _find_inputs(follower, origin, question.output)
            if origin is not None:
                records = sum(len(each.offsets) for _, _, each in batch.arrivals)
                return {**_describe_way(follower, origin, nodes, made), "time": batch.time, "records": records}
        if time.monotonic() > until:
            break
    if question.row is not None:
        raise NotFound(
            "No record made the last change of this row. The table deleted it when its window or time to live ended.",
            "Follow a newer row.",
        )
    if question.newest is not None:
        raise NotFound(
            "No record of the newest batches reached this node.", "Wait for one, or look at a node before it."
        )
    raise NotFound("None of the newest batches of the job made this record.", "Follow a newer one.")


def _find_start(
    follower: BatchFollower, question: questions.WayInJobQuestion[Any]
) -> tuple[Origin | None, Collection[str], ShownSides | None]:
    """The input to follow, None if this batch does not have it; nodes to look at first, with the record there."""
    if question.origin is not None:
        return Origin(*question.origin), (), None
    if question.row is not None:
        return follower.find_writer(bytes.fromhex(question.row["key"])), {question.row["node"]}, None
    if question.newest is not None:
        return follower.find_newest(question.newest), {question.newest}, None
    ((topic, row),) = _make_records([question.made or []])
    writers = find_writers(follower.layout, topic)
    return follower.find_input(topic, row), writers, describe_written(follower.layout, topic, row)


def _read_batch(sent: questions.SentBatch) -> BatchInputs:
    batch_time, is_caught_up, parts = sent
    inputs = [
        (
            number,
            partition,
            RecordColumns(offsets, times, [*map(_decode_base64, keys)], [*map(_decode_base64, values)], headers),
        )
        for number, partition, offsets, times, keys, values, headers in parts
    ]
    return BatchInputs(batch_time, inputs, is_caught_up)


def _step(program: Program, question: questions.AskSteps) -> questions.SteppedThrough:
    """The steps of one input record of a batch, and all of its inputs. With a candidate, through that version."""
    batch = _read_batch(question.batch)
    follower = BatchFollower(program, batch)
    if candidate := question.candidate:
        plan = Plan.model_validate(candidate["plan"])
        _trust_code(plan.read_graph())
        follower = CandidateFollower(program, make_program(plan), candidate["stores"], batch)
    with closing(follower):
        inputs = list_inputs(follower)
        if not inputs:
            raise NotFound("The batch read no record that this version reads.", "Choose another batch.")
        origin = Origin(*question.origin) if question.origin else inputs[0]
        descriptions = follower.describe_inputs(inputs)
        return {**_describe_way(follower, origin), "inputs": _list_inputs(descriptions, inputs)}


def _describe_way(
    follower: Follower, origin: Origin, nodes: Collection[str] = (), made: ShownSides | None = None
) -> questions.Followed:
    """The steps of a record, starting with the last at one of these nodes, if there is one with the record `made`."""
    steps = follower.follow(origin)
    descriptions = follower.describe_inputs({each for step in steps for each in step.met} | {origin})
    shown = [{**vars(step), "met": _list_inputs(descriptions, step.met)} for step in steps]
    return {
        "steps": cast(list[questions.ShownStep], shown),
        "origin": origin.to_json(),
        "at": find_last_step(steps, nodes, made),
    }


def _find_inputs(follower: Follower, origin: Origin, output: questions.Output) -> questions.FoundInputs:
    """The inputs that made an output of a record."""
    causes = follower.inputs_of(origin, Output(output["node"], output["port"], describe_record(output["record"])))
    descriptions = follower.describe_inputs({*causes.inputs, *causes.unsure})
    return {
        "inputs": _list_inputs(descriptions, causes.inputs),
        "unsure": _list_inputs(descriptions, causes.unsure),
    }


def _find_input(follower: Follower, topic: str, row: Row) -> Origin:
    origin = follower.find_input(topic, row)
    if origin is None:
        raise NotFound(
            f"None of the tried records makes record {row[SEQ]} in partition {row[ORIGIN]} of `{topic}`.",
            "A trial takes the newest records. Follow a newer one, or follow it in the running job.",
        )
    return origin


def _list_inputs(descriptions: Mapping[Origin, ShownRecord], of: Iterable[Origin]) -> list[questions.InputRecord]:
    blank: ShownRecord = {"key": None, "window": None, "value": None, "timestamp": 0}
    return [{**descriptions.get(each, blank), "origin": each.to_json()} for each in of]


def _run_given(
    graph: Graph, schemas: Mapping[str, Schema], rows: list[questions.GivenRecord], shown_node: str | None = None
) -> Trial:
    times = RecordTimes([MadeUpRecord(*each) for each in rows])
    trial = Trial(graph, schemas, shown_node=shown_node, wall_clock=times.clock)
    trial.run_as_given(times)
    return trial


def _run_case(graph: Graph, schemas: Mapping[str, Schema], rows: list[questions.GivenRecord]) -> questions.CaseOutput:
    """The output of the topology for made-up records, and the refusal if one ended it."""
    try:
        trial = _run_given(graph, schemas, rows)
    except Refusal as refusal:
        return {"left": [], "refusal": refusal.to_json(), "stopped": None}
    left = list(islice(trial.departures(), MAX_LEFT))
    if len(trial.output) > MAX_LEFT:
        many = TooMuchLeft(
            f"{len(trial.output):,} records leave the topology; at most {MAX_LEFT:,} can be compared.", FEWER
        )
        return {"left": [], "refusal": many.to_json(), "stopped": None}
    return {"left": left, "refusal": None, "stopped": trial.failure.to_json() if trial.failure else None}


def _list_newest(trial: Trial) -> list[TrialResult]:
    """A few records of each source."""
    return [
        record
        for node, kind in trial.source_kinds.items()
        for port in trial.layout.nodes[node].outputs
        for record in list(trial.shown_records[node, port])[-EXAMPLES[kind] :]
    ]


def _make_records(rows: list[questions.SentRecord]) -> Iterator[tuple[str, Row]]:
    for topic, partition, offset, timestamp, key, value, headers in rows:
        text = (
            orjson.dumps([{"key": name, "value": content} for name, content in headers]).decode() if headers else None
        )
        yield topic, (0, _decode_base64(key), _decode_base64(value), timestamp, text, partition, offset)


def _decode_base64(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)


if __name__ == "__main__":
    main()
