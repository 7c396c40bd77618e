"""Cut over: a proved version takes over at the border of a batch, and the one before can take over again.

Who runs is decided in this order. A crash at any point leaves exactly one answer, in Postgres or in Kafka:

1. One transaction in Postgres says which version shall run, with a row that names the proof (`services.cut_over`).
   Before it, the old version runs on. After it, every look at the job goes on with 2, whatever dies.
2. The old run ends its batch and stops. If it is killed instead, its last transaction in Kafka is there or not: its
   marker says which.
3. The old writers are fenced, and the marker is read: the new version begins behind that batch, with the state of that
   batch (`plans.epochs.commit`, and `plans.epochs.take_over` for a way back). A crash leaves no new run, and 3
   begins again.
4. The run of the new version is put into Postgres, together with the last run of the old one as `kept`.
5. The new run fences all others and commits one transaction in Kafka: the first marker of the new version, and the end
   of the old one (`Writer.open`, `close_former`). Before it, only the old version has written. After it, a run with a
   plan of the old one refuses to write. If the old one has written since 3, this step refuses.
6. The first batch of the new version copies the state and commits. Until then the checkpoint of the old version is the
   only one. Afterwards it stays for `KEEP`, for the way back (`find_way_back`).
7. If the new version gives up before it has committed a batch, the old one takes over again by itself
   (`go_back_if_not_begun`): either the old version or the new one runs.

A way back takes the same steps with the roles exchanged, so the version that runs is kept, too.

A version that was used to correct results may take over with the state that was worked out with them
(`find_corrected`). The job has stopped, and the corrections are in Kafka: they end with the same batch as the state, so
3 refuses if the marker names another batch. In 6 the new version copies the state from a file in the checkpoint of the
old one (`Seed.rows`). A crash before 6 begins again with the same file. There is no 7: the old version is known to be
wrong.

A version that was proved with state rebuilt from the topics takes over with that state in the same way: it is a file in
the checkpoint of the old version, too. But the job runs on meanwhile. So in 3 the new version begins where the proof
has ended, and reads what the old one has read since without writing results (`take_rebuilt`). 3 refuses if records
since are gone. 7 holds.
`tests/runner/control/jobs/test_cut_overs.py` has a test for each way on. `tests/proof/test_cut_overs.py` kills runs at
each step, in `make soak` at all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from runner.control.jobs.lifecycle import send_after_commit
from runner.control.jobs.models import CutOver, Desired, Job, JobEvent, Run, describe_job
from runner.control.jobs.statuses import Act, OnState
from runner.plan import Corrected, Plan

KEEP = timedelta(days=1)
"""How long the state of the version before is kept."""


def note_request(job: Job, by_id: int, **facts: Any) -> CutOver:
    """Add the row of a cut over, or of a way back, to the request that has just made the job's revision."""
    return CutOver.objects.create(
        job=job, revision=job.revision, by_id=by_id, keep_until=timezone.now() + KEEP, **facts
    )


def note_restart(job: Job, before: int) -> None:
    """A restart asks again for what the revision `before` asked, if that has not begun."""
    if not job.runs.filter(revision=before).exists():
        CutOver.objects.filter(job=job, revision=before).update(revision=job.revision)


def note_start(job: Job, plan: Plan, last: Run | None) -> None:
    """Keep the epoch of the last run, if a run of a cut over begins another one. `last` may have written nothing."""
    if last is not None and last.epoch != plan.epoch and has_written(job, last.epoch):
        CutOver.objects.filter(job=job, revision=job.revision, kept=None).update(kept=last)


def has_written(job: Job, epoch: int) -> bool:
    """Whether Postgres knows of a batch that the epoch has committed."""
    return job.runs.filter(epoch=epoch, last_batch__isnull=False).exists()


def find_taken_over(job: Job) -> CutOver | None:
    """The way back that the newest request asks for, if it asks for one."""
    return job.cut_overs.filter(revision=job.revision, takes_over__isnull=False).select_related("takes_over").first()


def find_corrected(job: Job) -> Corrected | None:
    """The state that the newest request wants the next epoch to start with, if it wants one.

    None once that epoch has a run: it goes on as any other.
    """
    row = job.cut_overs.filter(revision=job.revision, corrected__isnull=False).first()
    if row is None or job.runs.filter(revision=job.revision).exists():
        return None
    return Corrected.model_validate(row.corrected)


def find_way_back(job: Job) -> CutOver | None:
    """The cut over whose old version can take over again. None: no state is kept, or it was taken over already."""
    row = job.cut_overs.filter(kept__isnull=False, keep_until__gt=timezone.now()).order_by("-id").first()
    if row is None or row.kept is None or row.kept.cluster_id != job.cluster_id:
        return None
    used = job.cut_overs.filter(takes_over=row.kept, revision__in=job.runs.values("revision"))
    return None if used.exists() else row


def find_kept_epochs(job: Job) -> set[int]:
    """Epochs whose checkpoints must stay: the one of the way back, and one that is being taken over."""
    back, taken = find_way_back(job), find_taken_over(job)
    runs = [back and back.kept, taken and not has_written(job, job.epoch) and taken.takes_over]
    return {run.epoch for run in runs if run} - {job.epoch}


def go_back(job: Job, kept: Run, by_id: int, **facts: Any) -> None:
    """Have a kept version take over again. The job must be locked. The caller ends the live run, if there is one."""
    before = describe_job(job)
    job.version_id, job.settings, job.on_state = kept.version_id, kept.plan["settings"], OnState.KEEP
    job.desired, job.blocked, job.problem = Desired.RUNNING, False, None
    job.revision += 1
    job.save()
    note_request(job, by_id, takes_over=kept, **facts)
    job.refresh_from_db()
    JobEvent.objects.create(job=job, what=Act.BACK, by_id=by_id, before=before, after=describe_job(job))


@transaction.atomic
def go_back_if_not_begun(job: Job, problem: Mapping[str, object]) -> bool:
    """Let the old version run again, if the job gives up a cut over before its version has committed a batch.

    False if the job has no cut over under way, or this was a way back, or it followed corrections: then it ends as any
    job does. `problem` says why the new version was given up.
    """
    job = Job.objects.select_for_update().get(id=job.id)
    # a version that was corrected had stopped, and is known to be wrong: its cut over has no proof
    rows = job.cut_overs.filter(revision=job.revision, takes_over=None)
    row = rows.exclude(corrected__isnull=False, proof__isnull=True).select_related("kept").first()
    if row is None or job.runs.filter(revision=job.revision, last_batch__isnull=False).exists():
        return False
    # without `kept` the new version never got a run: the newest run of an earlier request is the one before it
    old = row.kept or job.runs.exclude(revision=job.revision).order_by("-generation").first()
    if old is None or old.cluster_id != job.cluster_id:
        return False
    go_back(job, old, row.by_id, failure=dict(problem))
    send_after_commit(job.id)
    return True
