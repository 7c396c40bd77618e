"""Why nothing comes out of a node, over HTTP."""

from __future__ import annotations

from django.http import HttpRequest

from designer.projects.roles import EDITOR, VIEWER
from designer.projects.routing import Router
from runner.control.codes import ControlCode
from runner.control.jobs.services import get_job
from runner.spark.codes import RunCode
from runner.watch.codes import WatchCode
from runner.watch.trials.api import make_trial
from runner.watch.trials.schemas import TrialIn
from runner.watch.trials.services import try_out
from runner.watch.why import services
from runner.watch.why.facts import Answer

router = Router(tags=["why"])


@router.get(
    "/jobs/{job_id}/why/{node}",
    needs=VIEWER,
    refuses=[WatchCode.QUERY_NO_ANSWER],
    response=Answer,
    summary="Why nothing comes out of a node of a job",
)
def explain_job(request: HttpRequest, job_id: int, node: str) -> Answer:
    """Answers from the live numbers and the committed state; `node` is where the records stay."""
    return services.explain_job(job=get_job(job_id), node=node)


@router.post(
    "/trials/why",
    needs=EDITOR.anywhere.asking,
    refuses=[ControlCode.CLUSTER_SECRET_LOST, WatchCode.TRIAL_BUSY, RunCode.TRIAL_FAILED],
    response=Answer,
    summary="Why nothing comes out of a node in a trial",
)
def explain_trial(request: HttpRequest, body: TrialIn) -> Answer:
    """Tries the newest records of its topics, or those that are given, as `POST /trials` does."""
    trial = make_trial(request, body)
    return services.explain_trial(graph=trial.graph, node=body.node, trial=try_out(trial, body.node))
