"""The newest proof of a job, as Postgres knows it: running, lost, stopped, and why none can begin."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.utils.timezone import now

from designer.projects.services import create_topology, create_version, save_draft
from designer.refusals import Conflict
from runner.control.clusters.models import Cluster
from runner.control.jobs.models import Job
from runner.watch.proving import correcting, jobs
from runner.watch.proving.models import Proof
from runner.watch.proving.newest import SILENCE, explain_outdated, explain_state, get_proof
from webapp.accounts.models import User


@pytest.fixture
def job(user: User) -> Job:
    """A job on a cluster that nobody asks."""
    version = create_version(topology=create_topology(name="Flight delays", by=user), by=user)
    cluster = Cluster.objects.create(name="local", bootstrap_servers="127.0.0.1:9")
    names = {"name": "flight-delays", "application_id": "flight-delays", "cluster": cluster}
    ids = {"created_by_id": user.pk, "updated_by_id": user.pk}
    return Job.objects.create(topology=version.topology, version=version, **names, **ids)


def prove(job: Job, **fields: Any) -> Proof:
    draft = job.topology.draft
    values = {"title": "draft", "minutes": 10, "started_at": now(), "beat_at": now(), "graph": draft.graph}
    return Proof.objects.create(job=job, **values | fields)


def get(client: Client, job: Job) -> Any:
    return client.get(f"/api/jobs/{job.id}/proof")


def test_a_job_without_a_proof_says_so(client: Client, job: Job) -> None:
    stopped = client.post(f"/api/jobs/{job.id}/proof/stop")

    assert (get(client, job).status_code, get(client, job).json()) == (200, None)
    assert (stopped.status_code, stopped.json()["message"]) == (404, f"No change of {job} was proved yet.")


def test_a_process_that_finds_a_newer_proof_or_correction_in_its_place_ends(job: Job) -> None:
    jobs.carry_out(10**6, now())
    correcting.carry_out(str(uuid4()))


def test_a_proof_that_nobody_works_on_any_more_is_lost(client: Client, job: Job) -> None:
    proof = prove(job)
    running = get(client, job).json()
    Proof.objects.filter(id=proof.id).update(beat_at=now() - SILENCE - timedelta(seconds=1))
    lost = get(client, job).json()

    assert (running["status"], running["failure"], running["report"]) == ("running", None, None)
    assert (lost["status"], lost["failure"]["message"]) == ("failed", "The process of the proof has ended early.")


def test_of_proofs_that_are_asked_for_at_one_moment_one_begins(job: Job, user: User) -> None:
    others = [job]
    for number in range(7):
        name = f"flight-delays-{number}"
        others.append(Job.objects.get(id=job.id))
        others[-1].pk, others[-1].name, others[-1].application_id = None, name, name
        others[-1].save()
    together = threading.Barrier(len(others))

    def begin(each: Job) -> bool:
        together.wait()
        try:
            jobs.note_request(
                job=each, origin=each.topology.draft, by=user, minutes=1, live_seconds=0, is_rebuilt=False
            )
            return True
        except Conflict:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(len(others)) as pool:
        begun = list(pool.map(begin, others))

    assert begun.count(True) == 1
    assert Proof.objects.count() == 1


REPORT = {
    "equal": True, "sentence": "Equal.", "batches": 3, "records": 30, "since": 1, "until": 2, "last_batch": 4,
}  # fmt: skip
SOURCE = {"id": "orders", "operator": "stream", "config": {"topic": "orders"}, "position": {"x": 0, "y": 0}}


def test_a_report_that_lacks_members_of_this_version_is_shown(client: Client, job: Job) -> None:
    origin = {"topic": "orders", "partition": 0, "offset": 7}
    difference = {
        "grade": "other_failure", "topic": None, "key": '"ann"', "origin": origin, "at": "orders-0@7", "input": None,
        "records": [], "old": [{"key": "ann", "value": "?", "reason": "sums: late"}], "new": [], "fields": [],
        "node": "sums", "batch": 4, "time": 2,
    }  # fmt: skip
    report = REPORT | {
        "equal": False, "repeated": {"batches": 3, "same": 3, "twice": 0}, "noise": [], "topics": {}, "nodes": {},
        "first_node": "sums", "count": 1, "first": [difference], "newest": [], "topics_without_records": [],
        "unobserved": 0, "limits": [], "stores": [], "seconds": 1.0, "records_per_second": 30,
    }  # fmt: skip
    prove(job, status="differs", report=report)

    shown = get(client, job).json()["report"]

    assert (shown["memory"], shown["cores"], shown["disk"]) == (0, 0.0, 0)
    assert shown["first"][0]["origin"] == origin
    assert shown["first"][0]["old"] == [
        {"key": "ann", "value": "?", "timestamp": None, "headers": None, "reason": "sums: late"}
    ]


def cut_over(client: Client, job: Job) -> Any:
    return client.post(f"/api/jobs/{job.id}/proof/cut-over", {}, "application/json")


def test_only_a_proof_of_what_would_be_deployed_leads_to_a_cut_over(client: Client, job: Job, user: User) -> None:
    proof = prove(job, against=job.version)
    running = cut_over(client, job)
    Proof.objects.filter(id=proof.id).update(status="equal", report=REPORT | {"batches": 0})
    nothing = cut_over(client, job)
    Proof.objects.filter(id=proof.id).update(report=REPORT)
    draft = job.topology.draft
    save_draft(topology=job.topology, graph={"nodes": [SOURCE], "edges": []}, revision=draft.revision, by=user)
    changed = cut_over(client, job)
    Job.objects.filter(id=job.id).update(version=create_version(topology=job.topology, by=user))
    other = cut_over(client, job)

    answers = [running, nothing, changed, other]
    assert [answer.status_code for answer in answers] == [409] * 4
    assert [answer.json()["message"].partition(". ")[0] for answer in answers] == [
        "The proof is still running",
        "The proof has compared no batch",
        "The draft has changed since",
        "The job runs another version now",
    ]


def test_a_proof_says_that_its_version_has_taken_over(job: Job, user: User) -> None:
    proof = prove(job, against=job.version, status="equal", report=REPORT)
    draft = job.topology.draft
    save_draft(topology=job.topology, graph={"nodes": [SOURCE], "edges": []}, revision=draft.revision, by=user)
    version = create_version(topology=job.topology, by=user)
    Proof.objects.filter(id=proof.id).update(graph=version.graph, schemas=version.schemas)
    Job.objects.filter(id=job.id).update(version=version)

    assert explain_outdated(get_proof(job=job)) == "The job already runs the proved version."


def test_a_proof_says_whether_its_version_can_take_over(client: Client, job: Job) -> None:
    prove(job, against=job.version, status="equal", report=REPORT)

    proof = get_proof(job=job)

    assert explain_outdated(proof) == ""


def test_a_proof_says_with_which_state_its_version_takes_over(job: Job) -> None:
    seed = {"checkpoint": "", "plan": {}, "stores": ["sums"], "rows": "proved/1", "digest": "d"}
    state = {"epoch": job.epoch, "batch": 4, "seed": seed, "behind": {"orders": [7]}}
    proof = prove(job, against=job.version, status="equal", report=REPORT)
    kept = explain_state(proof)
    proof.is_rebuilt, proof.state = True, state
    rebuilt = explain_state(proof)
    proof.state = state | {"epoch": job.epoch + 1}
    other = explain_state(proof)
    proof.status = "running"

    assert (kept, explain_state(proof)) == ("", "")
    assert rebuilt.startswith("It takes over with the state that was rebuilt.")
    assert other.startswith("It cannot take over with the state that was rebuilt")


def test_a_proof_is_asked_to_end(client: Client, job: Job) -> None:
    prove(job)
    answer = client.post(f"/api/jobs/{job.id}/proof/stop")

    assert answer.status_code == 202
    assert Proof.objects.get(job=job).is_stopped


def test_a_job_that_never_ran_cannot_be_compared_with(client: Client, job: Job) -> None:
    answer = client.post(f"/api/jobs/{job.id}/proof", {"minutes": 5}, "application/json")
    malformed = client.post(f"/api/jobs/{job.id}/proof", {"minutes": -1}, "application/json")
    unknown = client.post(f"/api/jobs/{job.id}/proof", {"version": 10**9}, "application/json")

    assert (answer.status_code, answer.json()["message"]) == (409, f"{job.name} did not run yet.")
    assert (malformed.status_code, unknown.status_code) == (422, 404)
    assert not Proof.objects.exists()
