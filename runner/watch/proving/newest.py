"""The newest proof of a job, as Postgres knows it."""

from __future__ import annotations

from datetime import timedelta

from django.utils.timezone import now

from designer.refusals import NotFound, Refusal
from runner.control.jobs.models import Job
from runner.spark.codes import RunCode
from runner.watch.proving.models import Proof, ProofStatus

SILENCE = timedelta(seconds=60)
"""A process that said nothing for so long has ended. The state of a large job takes a while to copy."""
LOST = Refusal("The process of the proof has ended early.", "Look at the memory of the host, and start it again.")
LOST.code = RunCode.TRIAL_FAILED


def find_proof(*, job: Job) -> Proof:
    """The newest proof of a job. Raises NotFound."""
    proof = Proof.objects.filter(job=job).first()
    if proof is None:
        raise NotFound(f"No change of {job} was proved yet.", "Start a proof.")
    if proof.status == ProofStatus.RUNNING and proof.beat_at < now() - SILENCE:
        proof.status, proof.failure = ProofStatus.FAILED, LOST.to_json()
    return proof


def stop(*, job: Job) -> Proof:
    """Asks the proof to end. Raises NotFound."""
    proof = find_proof(job=job)
    Proof.objects.filter(id=proof.id).update(is_stopped=True)
    proof.is_stopped = True
    return proof
