"""The newest correction of a job, as Postgres knows it."""

from __future__ import annotations

from django.utils.timezone import now

from designer.projects.models import Draft, Version
from designer.refusals import NotFound, Refusal
from runner.control.jobs.models import Job
from runner.spark.codes import RunCode
from runner.watch.proving.models import Correction, CorrectionStatus
from runner.watch.proving.newest import SILENCE

LOST = Refusal(
    "The process of the correction has ended early.", "Look at the memory of the host, and prepare it again."
)
LOST_SENDING = Refusal(
    "The process that sends the corrections has ended early. Kafka has all of them, or none.",
    "Send them again: what is there is not sent twice.",
)
LOST.code = LOST_SENDING.code = RunCode.TRIAL_FAILED


def get_correction(*, job: Job) -> Correction:
    """The newest correction of a job. Raises NotFound."""
    correction = find_correction(job=job)
    if correction is None:
        raise NotFound(f"No results of {job} were corrected yet.", "Prepare a correction.")
    return correction


def find_correction(*, job: Job) -> Correction | None:
    """The newest correction of a job, whose process may have been lost. None if no results of it were corrected."""
    correction = Correction.objects.filter(job=job).order_by("-id").first()
    if correction is None:
        return None
    if has_lost_process(correction):
        if correction.status == CorrectionStatus.PREPARING:
            correction.status, correction.failure = CorrectionStatus.FAILED, LOST.to_json()
        elif correction.failure is None:
            correction.failure = LOST_SENDING.to_json()
    return correction


def explain_no_state(correction: Correction) -> str:
    """Why the right version cannot go on with the corrected state. Empty if it can, once the job has stopped."""
    count = correction.preview["count"] if correction.preview else None
    is_sent = correction.status == CorrectionStatus.SENT or (correction.status == CorrectionStatus.READY and not count)
    if not is_sent:
        return "The corrections are not sent yet."
    if correction.seed is None:
        return "The corrected state is too large to be taken along, or lacks records of a topic."
    if (correction.against_id, correction.epoch) != (correction.job.version_id, correction.job.epoch):
        return "The job has begun with another version or other state since."
    sent = Correction.objects.filter(job=correction.job, epoch=correction.epoch, status=CorrectionStatus.SENT)
    if sent.exclude(id=correction.id).exists():
        return "Results of earlier batches were corrected, too, so this state still has their errors."
    if find_right(correction) is None:
        return "The draft has changed since."
    return ""


def is_taken(correction: Correction) -> bool:
    """Whether a version has taken over with the corrected state."""
    took_over = correction.job.cut_overs.filter(proof__isnull=True, failure__isnull=True)
    return took_over.filter(corrected__epoch=correction.epoch, corrected__batch=correction.last_batch).exists()


def find_right(correction: Correction) -> Draft | Version | None:
    """What the results were corrected with: a version, or the draft if it has not changed since."""
    topology = correction.job.topology
    if correction.title == "draft":
        draft: Draft = topology.draft
        return draft if draft.does_as(correction) else None
    return Version.objects.filter(topology=topology, number=int(correction.title.removeprefix("version "))).first()


def has_lost_process(correction: Correction) -> bool:
    """Whether nobody works on a correction that is not at its end."""
    under_way = (CorrectionStatus.PREPARING, CorrectionStatus.SENDING)
    return correction.status in under_way and (correction.beat_at < now() - SILENCE or correction.failure is not None)
