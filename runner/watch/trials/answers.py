"""Answers questions over a drawing, by a trial of it. Those over a job are in `job_answers`."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.refusals import NotFound, Refusal
from designer.topology.graph import Graph
from designer.values.schemas import RegistrySchemas, Schema, read_registry_schemas
from runner.engine.following.follow import Follower, FollowingTrial, TrialFollower, find_writers
from runner.engine.planning.layers import find_original
from runner.engine.planning.parts import find_owner
from runner.engine.records.record import ORIGIN, SEQ, Origin, Row
from runner.engine.tasks.event_time import read_system_clock
from runner.engine.trial import MadeUpRecord, RecordTimes, Trial, TrialResult
from runner.watch.codes import WatchCode
from runner.watch.trials import following, job_answers, questions
from runner.watch.trials.records import read_records

EXAMPLES = {"stream": 5, "table": 20, "global": 20}
"""Records shown for each source, as a start for your own. Too few rows of a table would give few partners."""
MAX_LEFT = 5_000
"""Maximum number of output records of a test case."""
FEWER = "Try fewer records."


class TooMuchLeft(Refusal):
    """A test case has too many output records to compare."""

    code = WatchCode.CASE_TOO_MUCH_LEFT
    status = 422


def answer(question: questions.Question[Any]) -> Mapping[str, Any]:
    """The answer to a question, of the type that its class names. Raises Refusal."""
    if isinstance(question, questions.JobQuestion):
        return job_answers.answer(question)
    assert isinstance(question, questions.GraphQuestion)
    graph = Graph.from_json(question.graph)
    schemas = {node: Schema.from_json(schema) for node, schema in question.schemas.items()}
    registry_schemas = read_registry_schemas(question.registry_schemas)
    match question:
        case questions.AskOutput():
            return _find_output(graph, schemas, registry_schemas, question)
        case questions.AskFailures():
            trial = Trial(graph, schemas, shown_node=None, registry_schemas=registry_schemas)
            trial.run(read_records(question.records))
            return _describe_failures(trial)
        case questions.AskCases():
            return {"cases": [_run_case(graph, schemas, each) for each in question.cases]}
        case questions.AskStoreSizes():
            return _measure_stores(Trial(graph, schemas, shown_node=""), question.records)
        case questions.AskWay() | questions.AskInputs():
            return _follow(graph, schemas, registry_schemas, question)
    raise TypeError(type(question))


def _find_output(
    graph: Graph, schemas: Mapping[str, Schema], registry_schemas: RegistrySchemas, question: questions.AskOutput
) -> questions.NodeOutput:
    """The output at each port of the node, and the records that passed all nodes."""
    node = question.node
    if question.given is None:
        trial = Trial(graph, schemas, shown_node=node, registry_schemas=registry_schemas)
        trial.run(read_records(question.records))
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
    rows = trial.order(read_records(records))
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
    records = list(read_records(question.records))
    now = read_system_clock() if given_records is None else max((each.timestamp for each in given_records), default=0)

    def make(origin: Origin, like: FollowingTrial | None) -> FollowingTrial:
        return FollowingTrial(
            graph, schemas, origin=origin, like=like, wall_clock=lambda: now, registry_schemas=registry_schemas
        )

    def order(trial: FollowingTrial) -> list[Row]:
        return trial.order(records) if given_records is None else list(trial.order_given(given_records))

    follower, origin, nodes = TrialFollower(make, order), Origin(*question.origin), set[str]()
    if question.made is not None:
        ((topic, row),) = read_records([question.made])
        origin, nodes = _find_input(follower, topic, row), find_writers(follower.layout, topic)
    if isinstance(question, questions.AskInputs):
        return following.find_inputs(follower, origin, question.output)
    return following.describe_way(follower, origin, nodes)


def _find_input(follower: Follower, topic: str, row: Row) -> Origin:
    origin = follower.find_input(topic, row)
    if origin is None:
        raise NotFound(
            f"None of the tried records makes record {row[SEQ]} in partition {row[ORIGIN]} of `{topic}`.",
            "A trial takes the newest records. Follow a newer one, or follow it in the running job.",
        )
    return origin


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
