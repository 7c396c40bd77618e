"""Collects facts of a node and calls `answering`: for a deployed job, or for a graph in a trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from designer.refusals import NotFound, Refusal
from designer.topology.bypassing import remove_bypassed
from designer.topology.graph import Graph
from runner.control.jobs.job_status import JobStatus
from runner.control.jobs.models import Job
from runner.engine.queryable.holding import HeldByTask
from runner.spark.events import Answer as RunAnswer
from runner.watch.live import snapshot
from runner.watch.queries.mailbox import ask, of_run
from runner.watch.why.answering import answer_status, answer_why
from runner.watch.why.facts import Answer, Facts


def explain_job(*, job: Job, node: str) -> Answer:
    """Why nothing comes out of a job's node: of the running graph, not of the draft. Raises NotFound."""
    run = job.find_last_run()
    graph = job.version.read_graph()
    if node not in graph.by_id:
        raise NotFound(
            f"Version {job.version.number} of {job.name} has no node `{node[:80]}`.",
            "Deploy the draft, or try the node.",
        )
    state = snapshot.read(job)
    if explanation := answer_status(cast(JobStatus, state)):
        code, text, hint = explanation
        return {"code": code, "node": node, "text": text, "hint": hint, "also": []}
    if graph.node(node).bypassed:
        text = f"`{node}` is bypassed: records pass it unchanged, and the job does not have it."
        return {"code": "bypassed", "node": node, "text": text, "hint": "Ask about the node before it.", "also": []}
    numbers = state["numbers"]
    if run is None or numbers is None or state["is_stale"]:
        text = f"The numbers of {job.name} are not known, or old: Redis or the run is silent."
        return {"code": "numbers_old", "node": node, "text": text, "hint": "Ask again in a moment.", "also": []}
    facts = Facts(run.read_plan().read_graph(), numbers["nodes"], numbers["sources"], _ask_held(run.id, node))
    return answer_why(facts, node)


def explain_trial(*, graph: Graph, node: str, trial: Mapping[str, Any]) -> Answer:
    """Why nothing came out of a node in a trial, from the result of `runner.watch.trials.services.try_out`."""
    facts: Mapping[str, Any] = trial["facts"]
    topics = {topic: {"read": count} for topic, count in trial["read"].items()}
    return answer_why(Facts(remove_bypassed(graph), facts["nodes"], topics, facts["held"], is_trial=True), node)


def _ask_held(run_id: int, node: str) -> Mapping[str, Sequence[HeldByTask]]:
    """Records that the run holds back. Empty without an answer, because the other numbers explain most."""
    try:
        answer: RunAnswer = ask(of_run(run_id), {"held": node})
    except Refusal:
        return {}
    return answer.get("held", {})
