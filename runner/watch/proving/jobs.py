"""Proofs in the background: one process works on each, and Postgres holds what it knows.

1. `start` puts a row there and starts the process, which has no other input.
2. The process renews `beat_at` with each report. It ends when the row is gone, asks it to stop, or belongs to a newer
   proof, and when the user who started it may no longer do that.
3. It writes its result. If it is killed, nobody renews `beat_at`, and `find_proof` says that it was lost.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.utils.timezone import now

from designer.projects.models import Draft, Version
from designer.projects.permissions import refuse_work
from designer.projects.roles import EDITOR
from designer.refusals import Conflict, Refusal
from runner.control.jobs.models import Job
from runner.control.jobs.plans.state_changes import get_fingerprints
from runner.control.jobs.reconciling import lock_alone
from runner.plan import Corrected, Seed
from runner.spark.checkpoint import whole
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.codes import RunCode
from runner.watch.proving.models import Proof, ProofReport, ProofStatus
from runner.watch.proving.newest import SILENCE
from runner.watch.proving.services import KeptBatches, RebuiltState, prove
from runner.watch.trials.in_job import make_plan_here

LOCK = 0x53_5C  # our own number space among Postgres' advisory locks
UNEXPECTED = "Look at the log of the web server."


def start(
    *,
    job: Job,
    origin: Version | Draft,
    by: AbstractUser,
    minutes: float,
    live_seconds: float,
    is_rebuilt: bool = False,
) -> Proof:
    """Starts a proof in the background. Raises Conflict if one is running on any job, or the state is elsewhere."""
    KeptBatches(job)
    proof = note_request(
        job=job, origin=origin, by=by, minutes=minutes, live_seconds=live_seconds, is_rebuilt=is_rebuilt
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "webapp", "carry-out-proof", str(proof.id), proof.started_at.isoformat()],
        cwd=settings.BASE_DIR,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    threading.Thread(target=process.wait, daemon=True, name="proof").start()
    return proof


def note_request(
    *, job: Job, origin: Version | Draft, by: AbstractUser, minutes: float, live_seconds: float, is_rebuilt: bool
) -> Proof:
    """Create the row of a proof, which replaces that of the job's earlier one. Raises Conflict if one is running."""
    with lock_alone(0, LOCK) as mine:
        if not mine:
            raise Conflict("Another proof is just starting.", "Wait for its end, or stop it.")
        running = Proof.objects.filter(status=ProofStatus.RUNNING, beat_at__gt=now() - SILENCE).first()
        if running is not None:
            raise Conflict(f"A proof of {running.job} is running.", "Wait for its end, or stop it.")
        title = f"version {origin.number}" if isinstance(origin, Version) else "draft"
        proof, _ = Proof.objects.update_or_create(
            job=job,
            defaults={
                "title": title,
                "against": job.version,
                "version": origin if isinstance(origin, Version) else None,
                "graph": origin.graph,
                "schemas": origin.schemas,
                "minutes": minutes,
                "live_seconds": live_seconds,
                "is_rebuilt": is_rebuilt,
                "started_by_id": by.pk,
                "started_at": now(),
                "beat_at": now(),
                "is_stopped": False,
                "status": ProofStatus.RUNNING,
                "report": None,
                "state": None,
                "failure": None,
            },
        )
    return proof


def keep_state(job: Job, state: RebuiltState) -> Corrected:
    """Writes rebuilt state into the checkpoint of the running version, and removes that of earlier proofs.

    A state that a version is about to take over with stays.
    """
    running = make_plan_here(job)
    folder = get_file(running.checkpoint) / "proved"
    folder.mkdir(parents=True, exist_ok=True)
    digest = Seed.make_digest(state.rows)
    row = job.cut_overs.order_by("-id").first()
    wanted = row.corrected["seed"]["rows"] if row is not None and row.corrected else ""
    for file in folder.glob("*"):
        if not wanted.endswith(f"/{file.name}"):
            whole.remove(file)
    whole.write(folder / digest, state.rows)
    stores = [name for name, store in get_fingerprints(state.plan).items() if store.tasks is not None]
    seed = Seed(
        checkpoint="",
        plan=state.plan.without_seed().to_stored(),
        stores=stores,
        rows=f"{folder.name}/{digest}",
        digest=digest,
    )
    return Corrected(epoch=running.epoch, batch=state.batch, seed=seed, behind=state.ends)


def carry_out(proof_id: int, started_at: datetime) -> None:
    """Works on a proof to its end. Does nothing if a newer one has taken its place."""
    mine = Proof.objects.filter(id=proof_id, started_at=started_at)
    proof = mine.select_related("job__topology", "started_by").first()
    if proof is None:
        return
    candidate = Draft(topology=proof.job.topology, graph=proof.graph, schemas=proof.schemas)

    def keep(state: RebuiltState) -> None:
        mine.update(state=keep_state(proof.job, state).model_dump(mode="json"))

    def note(report: ProofReport) -> bool:
        refuse_work(proof.started_by_id, EDITOR, [("job_id", proof.job_id)])
        return bool(mine.filter(is_stopped=False).update(report=report, beat_at=now()))

    try:
        report = prove(
            job=proof.job,
            origin=candidate,
            by=proof.started_by,  # type: ignore[arg-type]  # nobody deletes a user meanwhile
            minutes=proof.minutes,
            live_seconds=proof.live_seconds,
            is_rebuilt=proof.is_rebuilt,
            keep=keep if proof.is_rebuilt else None,
            note=note,
        )
        status = ProofStatus.EQUAL if report["equal"] else ProofStatus.DIFFERS
        mine.update(status=status, report=report, beat_at=now())
    except Refusal as refusal:
        mine.update(status=ProofStatus.FAILED, failure=refusal.to_json(), beat_at=now())
    except Exception as error:
        failure = Refusal(f"The proof ended early: {error}"[:500], UNEXPECTED)
        failure.code = RunCode.TRIAL_FAILED
        mine.update(status=ProofStatus.FAILED, failure=failure.to_json(), beat_at=now())
        raise
