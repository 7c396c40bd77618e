"""A job's first epoch continues a Kafka Streams application. `runner/spark/adopting` has the protocol."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from django.conf import settings as django_settings

from designer.refusals import Conflict
from runner.control.environment import make_environment
from runner.control.jobs.models import Adoption, Job
from runner.control.jobs.plans.facts import Facts
from runner.control.jobs.plans.next_epoch import NextEpoch, start_at_ends
from runner.control.jobs.plans.planner import NextPlan
from runner.kafka import KafkaCluster
from runner.spark.adopting.application import Application, look_at_application
from runner.spark.failpoints import fail_at


def look(facts: Facts, next_plan: NextPlan, name: str, chosen: Mapping[str, str]) -> Application:
    """What Kafka knows of an application, beside the drawing of the next plan. `chosen` names topics of stores.

    Raises Conflict if the job would share its name or has run before, and as `look_at_application` does.
    """
    if facts.target.application_id == name:
        raise Conflict(
            f"The job would have the application id `{name}` of the application, and so overwrite its offsets.",
            "Give the job another name.",
        )
    if facts.last_run is not None and facts.target.job is not None:
        raise Conflict(
            f"Job `{facts.target.job.name}` has run before, so it has state of its own.",
            "Adopt the application with a new job: give it another name.",
        )
    return look_at_application(facts.cluster, name, next_plan.layout, next_plan.plan.tasks, chosen)


def compare_results(
    facts: Facts, next_plan: NextPlan, name: str, chosen: Mapping[str, str], live_seconds: float = 0.0
) -> Mapping[str, object]:
    """The `Comparison` of `runner.spark.adopting.comparing`: from the beginning, or live for so many seconds.

    Raises NotComparable, and as `look` does.
    """
    # only here: they import PySpark, which the web server would load
    from runner.spark.adopting.comparing import compare, shadow
    from runner.spark.program import make_program
    from runner.spark.proving.process import Process, SentRows, send_plan

    found = look(facts, next_plan, name, chosen)
    if found.waiting or all(at is None for each in found.inputs for at in each.committed):
        found.refuse_problems()
    program = make_program(next_plan.plan.model_copy(update={"state_dir": choose_folder(facts.target.application_id)}))

    def begin_process(rows: SentRows) -> Process:
        return Process({"plan": send_plan(program.plan), "rows": rows}, make_environment())

    if live_seconds:
        for each in found.stores:
            if each.topic is None:
                found.refuse_problems()
        until = time.monotonic() + live_seconds
        look_again = partial(look, facts, next_plan, name, chosen)
        return shadow(program, look_again, begin_process, lambda: time.monotonic() < until)
    return compare(program, name, found.find_starts(), begin_process, is_stopped=not found.is_running)


def choose_folder(application_id: str) -> str:
    """The folder of a comparison. Not among the state of jobs, from where agents remove what belongs to none."""
    return str(Path(django_settings.HOME) / "compared" / application_id)


def find_adoption(job: Job) -> Adoption | None:
    """The newest request to continue an application. Only the first epoch of a job asks for it."""
    return job.adoptions.order_by("-id").first()


def begin(adoption: Adoption, next_plan: NextPlan, cluster: KafkaCluster) -> NextEpoch:
    """The epoch that continues the application as it is now.

    This looks again: since the request, it may have run. Raises NotAdoptable and KafkaUnreachable.
    """
    plan = next_plan.plan
    found = look_at_application(
        cluster,
        adoption.application,
        next_plan.layout,
        plan.tasks,
        adoption.stores,
        note_step=partial(fail_at, "adopting"),
    )
    found.refuse_problems()
    epoch = NextEpoch(start_at_ends(plan, found.find_starts()), adopted=found.adopt())
    fail_at("adopting", 7)
    return epoch
