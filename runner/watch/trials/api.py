"""Trials over HTTP: what a graph makes of the newest records of its topics, and of those of its test cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Status

from designer.projects.cases import delete_case
from designer.projects.exchange import read_schemas
from designer.projects.models import Draft, TestCase, Topology, Version
from designer.projects.requests import get_topology, get_user
from designer.projects.roles import EDITOR, VIEWER
from designer.projects.routing import Router
from designer.refusals import NotFound
from designer.topology.graph import Graph
from designer.values.schemas import Schema
from runner.control.clusters.services import get_cluster, get_cluster_of
from runner.control.codes import ControlCode
from runner.control.jobs.services import get_job
from runner.engine.codes import EngineCode
from runner.kafka import KafkaCluster
from runner.spark.codes import RunCode
from runner.watch.codes import WatchCode
from runner.watch.trials import cases, services
from runner.watch.trials.questions import Followed, FollowedInJob, FoundInputs, Output
from runner.watch.trials.schemas import (
    CaseGraphIn,
    FollowIn,
    FollowJobIn,
    FollowJobOut,
    FollowOut,
    InputsIn,
    InputsOut,
    JobInputsIn,
    LeftIn,
    StateEstimateIn,
    StateEstimateOut,
    TestCaseChange,
    TestCaseIn,
    TestCaseOut,
    TrialGraphIn,
    TrialIn,
    TrialOut,
    VerdictOut,
    WindowsOut,
)
from runner.watch.trials.state_size import StateEstimate, estimate_state
from runner.watch.trials.windows import FoundWindows, find_windows

router = Router(tags=["trials"])


@router.post(
    "/trials",
    needs=EDITOR.anywhere.asking,
    refuses=[ControlCode.CLUSTER_SECRET_LOST, WatchCode.TRIAL_BUSY, RunCode.TRIAL_FAILED],
    response=TrialOut,
    summary="Try a graph with the newest records of its topics",
)
def try_out(request: HttpRequest, body: TrialIn) -> services.TriedOutput:
    """Nothing is written and no offset is committed: a process of its own gets the records and returns the answer."""
    return services.try_out(make_trial(request, body), body.node)


@router.post(
    "/trials/windows",
    needs=EDITOR.anywhere.asking,
    refuses=[ControlCode.CLUSTER_SECRET_LOST, WatchCode.TRIAL_BUSY, RunCode.TRIAL_FAILED],
    response=WindowsOut,
    summary="The windows that a windowed_by node makes of records",
)
def draw_windows(request: HttpRequest, body: TrialIn) -> FoundWindows:
    """Of the newest records of the topics, or of those given; nothing is written."""
    return find_windows(make_trial(request, body), body.node)


@router.post(
    "/trials/state",
    needs=VIEWER.with_names("topology", "version").asking,
    refuses=[WatchCode.TRIAL_BUSY, RunCode.TRIAL_FAILED],
    response=StateEstimateOut,
    summary="Estimate the state of a job before its deploy",
)
def estimate(request: HttpRequest, body: StateEstimateIn) -> StateEstimate:
    """From a trial with the newest records of its topics; nothing is written."""
    if body.version is not None:
        version = Version.objects.select_related("topology").filter(id=body.version).first()
        if version is None:
            raise NotFound(f"There is no version {body.version}.", "List the topology's versions.")
        origin: Version | Draft = version
    elif body.topology is not None:
        origin = get_topology(body.topology).draft
    else:
        raise NotFound("Neither a topology nor a version is named.", "Name a `topology` or a `version`.")
    cluster = get_cluster_of(origin.topology) if body.cluster is None else get_cluster(body.cluster)
    trial = services.Trial(origin.read_graph(), origin.read_schemas(), cluster.connect(), get_user(request), None)
    return estimate_state(trial)


@router.post(
    "/trials/follow",
    needs=EDITOR.anywhere.asking,
    refuses=[ControlCode.CLUSTER_SECRET_LOST, WatchCode.TRIAL_BUSY, RunCode.TRIAL_FAILED],
    response=FollowOut,
    summary="Follow a record through a graph, node by node",
)
def follow(request: HttpRequest, body: FollowIn) -> Followed:
    """In a trial over all nodes: what comes to each and leaves it, and the rows of stores before and after."""
    return services.follow(make_trial(request, body), (body.topic, body.partition, body.offset))


@router.post(
    "/trials/inputs",
    needs=EDITOR.anywhere.asking,
    refuses=[ControlCode.CLUSTER_SECRET_LOST, WatchCode.TRIAL_BUSY, RunCode.TRIAL_FAILED],
    response=InputsOut,
    summary="The inputs that made an output of a record",
)
def find_inputs(request: HttpRequest, body: InputsIn) -> FoundInputs:
    """Each is left out of another trial: without it, the output is not made."""
    origin = (body.topic, body.partition, body.offset)
    return services.find_inputs(make_trial(request, body), origin, read_output(body.output))


def read_output(sent: LeftIn) -> Output:
    """The output of a record that a request asks about."""
    return {"node": sent.node, "port": sent.port, "record": sent.record.dict()}


def make_trial(request: HttpRequest, body: TrialGraphIn) -> services.Trial:
    """What a request wants tried. Raises NotFound."""
    cluster = get_cluster(body.cluster)
    graph, schemas = Graph.from_json(body.graph), read_schemas(body.schemas)
    by, registry = get_user(request), cluster.find_registry()
    return services.Trial(graph, schemas, cluster.connect(), by, body.lines, registry)


@router.post(
    "/jobs/{job_id}/follow",
    needs=VIEWER.asking,
    refuses=[
        ControlCode.CLUSTER_SECRET_LOST,
        EngineCode.QUERY_REFUSED,
        WatchCode.TRIAL_BUSY,
        RunCode.TRIAL_FAILED,
    ],
    response=FollowJobOut,
    summary="Follow a record through a job, node by node",
)
def follow_in_job(request: HttpRequest, job_id: int, body: FollowJobIn) -> FollowedInJob:
    """Its batch is executed again, in its own process, over the state before it. The job is not touched."""
    from runner.watch.trials import in_job  # only here: it brings Spark's packages, which no other request needs

    at = body.record
    origin = None if at is None else (at.topic, at.partition, at.offset)
    row = None if body.row is None else body.row.read()
    return in_job.follow(job=get_job(job_id), by=get_user(request), origin=origin, row=row, node=body.node)


@router.post(
    "/jobs/{job_id}/inputs",
    needs=VIEWER.asking,
    refuses=[
        ControlCode.CLUSTER_SECRET_LOST,
        EngineCode.QUERY_REFUSED,
        WatchCode.TRIAL_BUSY,
        RunCode.TRIAL_FAILED,
    ],
    response=InputsOut,
    summary="The inputs of its batch that made an output",
)
def find_inputs_in_job(request: HttpRequest, job_id: int, body: JobInputsIn) -> FoundInputs:
    """Each is left out of another run over the same state: without it, the output is not made."""
    from runner.watch.trials import in_job

    at, output = body.record, read_output(body.output)
    origin = (at.topic, at.partition, at.offset)
    return in_job.find_inputs(job=get_job(job_id), by=get_user(request), origin=origin, output=output)


@router.get(
    "/topologies/{topology_id}/cases", needs=VIEWER, response=list[TestCaseOut], summary="Its test cases, by name"
)
def list_cases(request: HttpRequest, topology_id: int) -> QuerySet[TestCase]:
    return get_topology(topology_id).cases.select_related("updated_by")


@router.post(
    "/topologies/{topology_id}/cases",
    needs=EDITOR,
    audit="add a test case",
    refuses=[WatchCode.CASE_NOT_TRIED, WatchCode.TRIAL_BAD_LINE, WatchCode.TRIAL_BUSY, RunCode.TRIAL_FAILED],
    response={201: TestCaseOut},
    summary="Keep records as a test case",
)
def keep_case(request: HttpRequest, topology_id: int, body: TestCaseIn) -> Status[TestCase]:
    topology = get_topology(topology_id)
    case = cases.keep(
        topology=topology,
        name=body.name,
        records=body.records,
        expectation=body.expected,
        by=get_user(request),
        **_find_stored_graph(topology, body),
    )
    return Status(201, case)


@router.patch(
    "/topologies/{topology_id}/cases/{int:case_id}",
    needs=EDITOR,
    audit="change a test case",
    refuses=[WatchCode.TRIAL_BAD_LINE],
    response=TestCaseOut,
    summary="Change a test case",
)
def change_one_case(request: HttpRequest, topology_id: int, case_id: int, body: TestCaseChange) -> TestCase:
    return cases.change(case=_get_case(topology_id, case_id), by=get_user(request), **body.dict())


@router.delete(
    "/topologies/{topology_id}/cases/{int:case_id}",
    needs=EDITOR,
    audit="delete a test case",
    response={204: None},
    summary="Delete a test case",
)
def delete_one_case(request: HttpRequest, topology_id: int, case_id: int) -> Status[None]:
    delete_case(case=_get_case(topology_id, case_id))
    return Status(204, None)


@router.post(
    "/topologies/{topology_id}/cases/run",
    needs=EDITOR.asking,
    refuses=[WatchCode.TRIAL_BAD_LINE, WatchCode.TRIAL_BUSY, RunCode.TRIAL_FAILED],
    response=list[VerdictOut],
    summary="Run the test cases on a graph",
)
def run_cases(request: HttpRequest, topology_id: int, body: CaseGraphIn) -> list[VerdictOut]:
    """All in one process, each with empty state; as with trials nothing is written."""
    topology = get_topology(topology_id)
    verdicts = cases.check_cases(
        cases=list(topology.cases.all()), by=get_user(request), **_find_stored_graph(topology, body)
    )
    return [VerdictOut.of(each) for each in verdicts]


class _StoredGraph(TypedDict):
    graph: Graph
    schemas: Mapping[str, Schema]
    cluster: KafkaCluster


def _find_stored_graph(topology: Topology, body: CaseGraphIn) -> _StoredGraph:
    cluster = get_cluster(body.cluster) if body.cluster else get_cluster_of(topology)
    if body.graph is None:
        draft = topology.draft
        graph, schemas = draft.read_graph(), draft.read_schemas()
    else:
        graph, schemas = Graph.from_json(body.graph), read_schemas(body.schemas)
    return {"graph": graph, "schemas": schemas, "cluster": cluster.connect()}


def _get_case(topology_id: int, case_id: int) -> TestCase:
    case = TestCase.objects.select_related("topology").filter(topology=topology_id, id=case_id).first()
    if case is None:
        raise NotFound(f"There is no test case {case_id}.", "It may have been deleted: list them again.")
    return case
