"""What the pages of all jobs ask Postgres does not grow with the number of jobs."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from designer.projects.services import create_topology, create_version
from runner.control.clusters.models import Cluster
from runner.control.jobs.models import Job, Run
from runner.control.jobs.statuses import Status, Step, make_step
from webapp.accounts.models import User


def add_job(name: str, user: User, newest: Status = Status.RUNNING) -> Job:
    """A job whose second run has come up, or has failed as the one before."""
    version = create_version(topology=create_topology(name=name, by=user), by=user)
    cluster, _ = Cluster.objects.get_or_create(name="local", bootstrap_servers="127.0.0.1:9092")
    job = Job.objects.create(
        name=name,
        application_id=name,
        topology=version.topology,
        version=version,
        cluster=cluster,
        created_by_id=user.pk,
        updated_by_id=user.pk,
    )
    for generation, status in enumerate((Status.FAILED, newest), 1):
        Run.objects.create(
            job=job,
            version=version,
            revision=0,
            generation=generation,
            epoch=1,
            plan={},
            host="one",
            status=status,
            steps=[make_step(Step.RUNNING)],
        )
    return job


@pytest.mark.parametrize("newest", [Status.RUNNING, Status.FAILED])
@pytest.mark.parametrize("address", ["/api/jobs", "/api/live", "/metrics"])
def test_more_jobs_take_no_more_queries_and_no_plan_is_read(
    client: Client, user: User, redis_url: str, settings: Any, address: str, newest: Status
) -> None:
    settings.METRICS_TOKEN = "secret"
    headers = {"Authorization": "Bearer secret"} if address == "/metrics" else {}
    add_job("flights", user, newest)
    client.get(address, headers=headers)
    with CaptureQueriesContext(connection) as for_one:
        client.get(address, headers=headers)
    for name in ("orders", "payments", "stock"):
        add_job(name, user, newest)

    with CaptureQueriesContext(connection) as for_four:
        answer = client.get(address, headers=headers)

    assert answer.status_code == 200
    assert len(for_four) == len(for_one)
    assert not [query["sql"] for query in for_four if '"jobs_run"."plan",' in query["sql"]]


def test_each_job_of_a_list_has_the_status_of_its_own_newest_run(client: Client, user: User, redis_url: str) -> None:
    running, failed, new = (add_job(name, user) for name in ("flights", "orders", "payments"))
    failed.runs.filter(generation=2).update(status=Status.FAILED)
    Job.objects.filter(id=failed.id).update(blocked=True)
    new.runs.all().delete()

    jobs = {each["id"]: each for each in client.get("/api/jobs").json()}
    snapshots = {each["job"]: each for each in client.get("/api/live").json()}

    for job, status, run in ((running, "running", 2), (failed, "failed", 2), (new, "starting", None)):
        newest = job.runs.filter(generation=run).values_list("id", flat=True).first() if run else None
        assert (jobs[job.id]["status"], jobs[job.id]["run"]) == (status, newest)
        assert (snapshots[job.id]["status"], snapshots[job.id]["run"]) == (status, newest)
