"""Test cases: whether a graph still gives the expected results for their records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from django.contrib.auth.models import AbstractUser

from designer.checks.graph_view import GraphView
from designer.projects.cases import change_case, create_case
from designer.projects.models import TestCase, Topology
from designer.refusals import Refusal
from designer.topology.graph import Graph
from designer.values.schemas import Schema
from runner.control.jobs.plans.graph_facts import infer_schemas, name_topics, refuse_issues, refuse_unpermitted
from runner.engine.trial import Line, MadeUpRecord
from runner.kafka import KafkaCluster
from runner.watch.codes import WatchCode
from runner.watch.trials.differences import Difference, find_first_difference
from runner.watch.trials.lines import read_expected, read_lines, write_lines
from runner.watch.trials.questions import AskCases, CaseOutput
from runner.watch.trials.services import ask

Word = Literal["passed", "failed", "impossible"]


class NotTried(Refusal):
    """The records of a test case cannot be tried."""

    code = WatchCode.CASE_NOT_TRIED
    status = 422


class Gave(NamedTuple):
    """The output of a topology for some records, and why there is no more."""

    left: Sequence[Line] = ()
    refusal: str = ""
    """The records could not be tried."""
    stop: str = ""
    """A node with the policy to fail ended it."""


class Verdict(NamedTuple):
    """The result of a test case."""

    case: TestCase
    word: Word
    why: str = ""
    difference: Difference | None = None
    gave: Gave = Gave()

    def lines(self) -> str:
        """The topology's present output, one record a line."""
        return write_lines(self.gave.left)


def check_cases(
    *,
    cases: Sequence[TestCase],
    graph: Graph,
    schemas: Mapping[str, Schema],
    cluster: KafkaCluster,
    by: AbstractUser | None,
) -> list[Verdict]:
    """The results of cases with a graph, all tried in one process, each with empty state.

    Asks Kafka only about topics of sources without a known schema. Raises HasIssues, KafkaUnreachable, TopicMissing,
    CodeNotPermitted, TrialFailed, Busy.
    """
    outcomes = try_texts([case.records for case in cases], graph, schemas, cluster, by)
    return [_check_case(case, gave) for case, gave in zip(cases, outcomes, strict=True)]


def keep(
    *,
    topology: Topology,
    name: str,
    records: str,
    expectation: str | None,
    graph: Graph,
    schemas: Mapping[str, Schema],
    cluster: KafkaCluster,
    by: AbstractUser,
) -> TestCase:
    """A new case. Without an `expectation`, it expects the present output of the graph.

    Raises the refusals of `check_cases` and `create_case`, BadLine and NotTried.
    """
    read_lines(records)
    if expectation is None:
        (gave,) = try_texts([records], graph, schemas, cluster, by)
        if why := gave.refusal or gave.stop:
            raise NotTried(why, "Fix the record or the node, then save the test case.")
        expectation = write_lines(gave.left)
    read_expected(expectation)
    return create_case(topology=topology, name=name, records=records, expected=expectation, by=by)


def change(
    *,
    case: TestCase,
    revision: int,
    name: str | None = None,
    records: str | None = None,
    expected: str | None = None,
    by: AbstractUser,
) -> TestCase:
    """Change the given values. Raises the refusals of `change_case`, and BadLine."""
    read_lines(records or "")
    read_expected(expected or "")
    return change_case(case=case, revision=revision, name=name, records=records, expected=expected, by=by)


def try_texts(
    texts: Sequence[str], graph: Graph, schemas: Mapping[str, Schema], cluster: KafkaCluster, by: AbstractUser | None
) -> list[Gave]:
    """The output of a graph for each of some texts, all tried in one process, each with empty state.

    Raises the refusals of `check_cases`.
    """
    refuse_unpermitted(graph, by)
    read = [_read(text) for text in texts]
    records = [each for each in read if not isinstance(each, Gave)]
    named_graph = name_topics(graph, sorted({record.topic for each in records for record in each}))
    known_schemas = {node: schema for node, schema in schemas.items() if node in named_graph.by_id}
    refuse_issues(GraphView(named_graph, known_schemas))
    learned_schemas = infer_schemas(named_graph, known_schemas, cluster.sample)
    refuse_issues(GraphView(named_graph, learned_schemas))
    question = AskCases(
        graph=named_graph.to_json(),
        schemas={node: schema.to_json() for node, schema in learned_schemas.items()},
        cases=[[list(record) for record in each] for each in records],
    )
    answers = iter(ask(question, by=by)["cases"] if records else ())
    return [each if isinstance(each, Gave) else _read_answer(next(answers)) for each in read]


def _read(text: str) -> list[MadeUpRecord] | Gave:
    try:
        return read_lines(text)
    except Refusal as refusal:
        return Gave(refusal=refusal.message)


def _read_answer(answer: CaseOutput) -> Gave:
    refusal, stop = answer["refusal"], answer["stopped"]
    return Gave(answer["left"], refusal["message"] if refusal else "", stop["message"] if stop else "")


def _check_case(case: TestCase, gave: Gave) -> Verdict:
    if gave.refusal:
        return Verdict(case, "impossible", gave.refusal, gave=gave)
    try:
        expectation = read_expected(case.expected)
    except Refusal as refusal:
        return Verdict(case, "impossible", refusal.message, gave=gave)
    difference = find_first_difference(expectation, gave.left)
    return Verdict(case, "failed" if difference or gave.stop else "passed", gave.stop, difference, gave)
