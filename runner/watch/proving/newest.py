"""The newest proof of a job, as Postgres knows it."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import AbstractUser
from django.utils.timezone import now

from designer.refusals import Conflict, NotFound, Refusal
from runner.control.jobs import services
from runner.control.jobs.models import Job
from runner.control.jobs.schemas import ProvedOut
from runner.control.jobs.statuses import OnState
from runner.plan import Corrected
from runner.spark.codes import RunCode
from runner.watch.proving.models import Proof, ProofStatus

SILENCE = timedelta(seconds=60)
"""A process that said nothing for so long has ended. The state of a large job takes a while to copy."""
LOST = Refusal("The process of the proof has ended early.", "Look at the memory of the host, and start it again.")
LOST.code = RunCode.TRIAL_FAILED


class NotProved(Conflict):
    """The newest proof of a job does not say what a deploy would do now."""


def get_proof(*, job: Job) -> Proof:
    """The newest proof of a job. Raises NotFound."""
    proof = find_proof(job=job)
    if proof is None:
        raise NotFound(f"No change of {job} was proved yet.", "Start a proof.")
    return proof


def find_proof(*, job: Job) -> Proof | None:
    """The newest proof of a job, which may have been lost. None if no change of it was proved."""
    proof = Proof.objects.filter(job=job).first()
    if proof is None:
        return None
    if proof.status == ProofStatus.RUNNING and proof.beat_at < now() - SILENCE:
        proof.status, proof.failure = ProofStatus.FAILED, LOST.to_json()
    return proof


def explain_outdated(proof: Proof) -> str:
    """Why a proof says nothing about a deploy now. Empty if it does: its version can take over."""
    if proof.status == ProofStatus.RUNNING:
        return "The proof is still running."
    if proof.report is None or proof.failure is not None or not proof.report["batches"]:
        return "The proof has compared no batch."
    if proof.against_id != proof.job.version_id:
        is_proved = proof.does_as(proof.job.version)
        return "The job already runs the proved version." if is_proved else "The job runs another version now."
    if proof.version is None and not proof.does_as(proof.job.topology.draft):
        return "The draft has changed since."
    return ""


def explain_state(proof: Proof) -> str:
    """With which state the proved version takes over, if it was proved with rebuilt state. Empty if it was not."""
    if not proof.is_rebuilt or proof.status == ProofStatus.RUNNING or proof.report is None:
        return ""
    if find_rebuilt(proof) is not None:
        return (
            "It takes over with the state that was rebuilt. It first reads what the running version has read since the "
            "proof, and writes no results for that."
        )
    return (
        "It cannot take over with the state that was rebuilt: that is too large, or the job has begun with other state "
        "since. It takes over as in a deploy, so stores that do not fit start empty."
    )


def find_rebuilt(proof: Proof) -> Corrected | None:
    """The state that was rebuilt for a proof. None: it cannot be taken along."""
    if proof.state is None:
        return None
    state = Corrected.model_validate(proof.state)
    return state if state.epoch == proof.job.epoch else None


def cut_over(*, job: Job, by: AbstractUser, on_state: OnState = OnState.KEEP) -> Job:
    """Let the proved version take over from the running one at the border of a batch (`runner.control.jobs.cut_overs`).

    It goes on with the state that was rebuilt for the proof, if there is one that can be taken along. A proved draft
    becomes a version. Raises NotFound without a proof, NotProved, and the refusals of a deploy.
    """
    proof = get_proof(job=job)
    if why := explain_outdated(proof):
        raise NotProved(f"{why} So it is not known what would take over.", "Prove the change again.")
    assert proof.report is not None
    rebuilt = find_rebuilt(proof)
    proved = ProvedOut.model_validate(
        {
            **proof.report,
            "against": proof.against.number if proof.against else None,
            "is_rebuilt": rebuilt is not None,
        }
    )
    origin = proof.version or job.topology.draft
    return services.cut_over(job=job, origin=origin, by=by, proof=proved, on_state=on_state, rebuilt=rebuilt)


def stop(*, job: Job) -> Proof:
    """Asks the proof to end. Raises NotFound."""
    proof = get_proof(job=job)
    Proof.objects.filter(id=proof.id).update(is_stopped=True)
    proof.is_stopped = True
    return proof
