"""What Postgres forgets of old runs, and what stays because something is decided by it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from designer.projects.services import create_topology, create_version
from runner.control.clusters.models import Cluster
from runner.control.jobs.models import CutOver, Job, Run
from runner.control.jobs.restart_policy import MAX_FAILURES, SAME_BATCH
from runner.control.jobs.runs import forget_old_runs, list_failed_runs
from webapp.accounts.models import User

FAILURE = {"code": "x", "message": "x", "hint": "x", "retriable": True}


@pytest.fixture
def job(user: User) -> Job:
    """A job whose newest run is the 120th, of its third request and second epoch."""
    version = create_version(topology=create_topology(name="Delays", by=user), by=user)
    cluster = Cluster.objects.create(name="away", bootstrap_servers="127.0.0.1:9")
    names = {"name": "delays", "application_id": "delays", "created_by": user, "updated_by": user}
    numbers = {"generation": 120, "revision": 3, "epoch": 2}
    return Job.objects.create(topology=version.topology, version=version, cluster=cluster, **names, **numbers)


def test_old_runs_are_forgotten_but_for_what_something_is_decided_by(job: Job, user: User):
    def add(generation: int, revision: int, epoch: int, days: float, **members: Any) -> Run:
        return Run.objects.create(
            job=job, version=job.version, generation=generation, revision=revision, epoch=epoch, status="failed",
            created_at=Now() - timedelta(days=days), plan={"a": 1}, host="one", failure=FAILURE, **members,
        )  # fmt: skip

    add(1, 1, 1, days=40)
    of_way_back = add(2, 1, 1, days=40)
    add(3, 1, 1, days=40, last_batch=7)
    add(4, 2, 2, days=40, last_batch=1)
    add(5, 0, 0, days=40, last_batch=3)
    add(6, 2, 2, days=40)
    add(7, 3, 2, days=30, started_at=Now())
    add(8, 3, 2, days=30)
    add(9, 3, 2, days=20)
    for generation in range(10, 121):
        add(generation, 3, 2, days=1)
    CutOver.objects.create(job=job, revision=1, by=user, keep_until=Now(), kept=of_way_back)

    forget_old_runs()
    forget_old_runs()

    plans = dict(job.runs.values_list("generation", "plan"))
    assert sorted(plans) == [1, 2, 3, 4, 6, 7, *range(9, 121)]
    assert {generation for generation, plan in plans.items() if plan == {}} == {4, 7, *range(9, 21)}
    assert len(list_failed_runs(job)) == MAX_FAILURES + SAME_BATCH
    client = Client()
    client.force_login(user)
    listed = client.get(f"/api/jobs/{job.id}/runs").json()
    assert [each["generation"] for each in listed] == [*range(120, 20, -1)]
