"""Prepares and sends what corrects the results of a job. A process of its own works on each.

1. `start` puts a row into Postgres and starts the process, which has no other input (`carry_out`).
2. The process executes the batches in both versions, completes the corrections from the topics, and writes them to a
   file. The state of the right version goes into a file of the checkpoint. Then it puts the preview and the digests of
   the files into the row: it is `ready`.
3. `send` asks for them to be sent, if the job has stopped: the row is `sending`, and a process sends them
   (`sending.send`). It notes in the row that they are `sent`.
4. `take_over` lets the right version go on with that state (`runner.control.jobs.cut_overs`).

A process that is killed in 2 leaves a row whose `beat_at` nobody renews: prepare it again. One that is killed in 3 has
sent all corrections or none, and Kafka says which: `send` again then sends them, or only notes that they are sent.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.timezone import now

from designer.projects.models import Draft, Version
from designer.projects.permissions import refuse_work
from designer.projects.roles import EDITOR, Role
from designer.refusals import Conflict, Refusal
from runner.control.clusters.internal_topics import refuse_internal
from runner.control.jobs import services
from runner.control.jobs.models import Desired, Job, JobEvent
from runner.control.jobs.services import StillRuns
from runner.control.jobs.statuses import Act
from runner.kafka import KafkaCluster
from runner.plan import Corrected, Plan, Seed
from runner.spark.checkpoint import whole
from runner.spark.checkpoint.hadoop import File, get_file
from runner.spark.codes import RunCode
from runner.spark.proving.sending import NotSent, create_topic, is_sent, send, write_file
from runner.watch.proving.corrections import explain_no_state, find_right, get_correction, has_lost_process
from runner.watch.proving.models import Correction, CorrectionStatus, ProofReport
from runner.watch.proving.preparing import find_batches, find_topics, prepare
from runner.watch.proving.services import KeptBatches
from runner.watch.topics.uses import refuse_change
from runner.watch.trials.in_job import make_plan_here

RESUME = timedelta(days=1)
"""How long the marker of a sent correction is in Kafka for certain. Brokers keep it for seven days by default."""
UNEXPECTED = "Look at the log of the web server."


def start(
    *,
    job: Job,
    origin: Version | Draft,
    by: AbstractUser,
    first_batch: int,
    topic: str,
    tables: Sequence[str] | None,
) -> Correction:
    """Prepare corrections in the background. Nothing is sent. Raises Conflict, NothingKept."""
    correction = note_request(job=job, origin=origin, by=by, first_batch=first_batch, topic=topic, tables=tables)
    start_process(correction)
    return correction


def note_request(
    *,
    job: Job,
    origin: Version | Draft,
    by: AbstractUser,
    first_batch: int,
    topic: str,
    tables: Sequence[str] | None,
) -> Correction:
    """Create the row of a correction to prepare. It replaces others that were not sent.

    Raises Conflict, NothingKept.
    """
    batches = KeptBatches(job)
    find_batches(batches, first_batch)
    plan, title = batches.plan, f"version {origin.number}" if isinstance(origin, Version) else "draft"
    if topic:
        refuse_internal(topic)
        layout = batches.program.layout
        if topic in {each.topic for each in batches.program.inputs} | find_topics(layout):
            raise Conflict(f"The job itself reads or writes `{topic}`.", "Name another topic for corrections.")
    settle(job, plan)
    with transaction.atomic():
        Job.objects.select_for_update().get(id=job.id)
        others = Correction.objects.filter(job=job)
        busy = others.filter(status__in=(CorrectionStatus.PREPARING, CorrectionStatus.SENDING))
        if not all(map(has_lost_process, busy)):
            raise Conflict("Another correction of this job is under way.", "Wait for its end.")
        of_epoch = others.filter(status=CorrectionStatus.SENT, epoch=plan.epoch)
        if sent := of_epoch.filter(last_batch__gte=first_batch).first():
            raise Conflict(
                f"The results of the batches {sent.first_batch} to {sent.last_batch} are corrected already.",
                f"Begin with batch {(sent.last_batch or 0) + 1} or later.",
            )
        for each in others.exclude(status=CorrectionStatus.SENT):
            _remove_files(plan, each)
            each.delete()
        return Correction.objects.create(
            job=job,
            title=title,
            against=job.version,
            graph=origin.graph,
            schemas=origin.schemas,
            epoch=plan.epoch,
            first_batch=first_batch,
            topic=topic,
            tables=None if tables is None else list(tables),
            started_by_id=by.pk,
            started_at=now(),
            beat_at=now(),
        )


def settle(job: Job, plan: Plan) -> None:
    """Find out whether Kafka has the corrections of a sender that ended without a word, and note it in the row."""
    for each in Correction.objects.filter(job=job, epoch=plan.epoch, status=CorrectionStatus.SENDING):
        if has_lost_process(each):
            if job.find_live_run() is None:  # a run has fenced the sender itself
                KafkaCluster.of(plan.kafka).fence(plan.transactional_id)
            each.status = CorrectionStatus.SENT if is_sent(plan, str(each.token)) else CorrectionStatus.FAILED
            each.save(update_fields=["status"])


def request_send(*, job: Job, by: AbstractUser) -> Correction:
    """Ask for the prepared corrections to be sent. The job must have stopped. After a crash, ask again.

    Raises NotFound, Conflict, StillRuns, RoleMissing.
    """
    asked = get_correction(job=job)
    _refuse_topic(job, asked, by)  # it asks Kafka, which may take a while, so before the job is locked
    with transaction.atomic():
        job = Job.objects.select_for_update().get(id=job.id)
        correction = get_correction(job=job)
        if correction.id != asked.id:
            raise Conflict("Another correction was prepared meanwhile.", "Look at its preview, and send that.")
        is_again = correction.status == CorrectionStatus.SENDING and has_lost_process(correction)
        if correction.status != CorrectionStatus.READY and not is_again:
            raise Conflict(
                f"The newest correction of {job} is {correction.get_status_display().lower()}, so it cannot be sent.",
                "Prepare a correction first.",
            )
        if job.desired != Desired.STOPPED or job.find_live_run() is not None:
            raise StillRuns(
                f"Job `{job.name}` is {job.status()}.",
                "Stop it first: it could write a newer result of a key while its correction is on the way.",
            )
        if is_again and correction.sent_at and correction.sent_at < now() - RESUME:
            raise Conflict(
                "A user began to send these corrections over a day ago, and it is not known whether Kafka has them.",
                "Look into the topics. Then prepare the corrections again, if they are not there.",
            )
        correction.status, correction.beat_at, correction.failure = CorrectionStatus.SENDING, now(), None
        correction.sent_by_id, correction.sent_at = by.pk, correction.sent_at or now()
        correction.save()
        after = {name: getattr(correction, name) for name in ("first_batch", "last_batch", "topic", "title")}
        after["records"] = correction.preview["count"] if correction.preview else 0
        JobEvent.objects.create(job=job, what=Act.CORRECT, by_id=by.pk, after=after)
    return correction


def start_process(correction: Correction) -> None:
    """Start the process that carries out a correction."""
    process = subprocess.Popen(
        [sys.executable, "-m", "webapp", "carry-out-correction", str(correction.token)],
        cwd=settings.BASE_DIR,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    threading.Thread(target=process.wait, daemon=True, name="correction").start()


def carry_out(token: str) -> None:
    """Prepare a correction, or send it, as its row asks. Does nothing if a newer one has taken its place."""
    mine = Correction.objects.filter(token=token)
    correction = mine.select_related("job__topology", "job__version", "started_by").first()
    if correction is None:
        return
    is_sending = correction.status == CorrectionStatus.SENDING
    try:
        (_send if is_sending else _prepare)(correction)
    except NotSent as refusal:  # Kafka knows whether it has them: the next request looks
        mine.update(failure=refusal.to_json())
    except Refusal as refusal:
        back = CorrectionStatus.READY if is_sending else CorrectionStatus.FAILED
        mine.update(status=back, failure=refusal.to_json(), beat_at=now())
    except Exception as error:
        failure = Refusal(f"The correction ended early: {error}"[:500], UNEXPECTED)
        failure.code = RunCode.TRIAL_FAILED
        mine.update(failure=failure.to_json(), **({} if is_sending else {"status": CorrectionStatus.FAILED}))
        raise


def _prepare(correction: Correction) -> None:
    mine = Correction.objects.filter(id=correction.id, status=CorrectionStatus.PREPARING)
    candidate = Draft(topology=correction.job.topology, graph=correction.graph, schemas=correction.schemas)

    def note(report: ProofReport) -> bool:
        refuse_work(correction.started_by_id, EDITOR, [("job_id", correction.job_id)])
        return bool(mine.update(beat_at=now()))

    prepared = prepare(
        job=correction.job,
        origin=candidate,
        by=correction.started_by,  # type: ignore[arg-type]  # nobody deletes a user meanwhile
        first_batch=correction.first_batch,
        topic=correction.topic,
        tables=correction.tables,
        note=note,
    )
    plan = make_plan_here(correction.job)
    file, seed = find_file(plan, correction), None
    if prepared.state is not None:
        rows = _find_rows(plan, correction)
        rows.parent.mkdir(parents=True, exist_ok=True)
        whole.write(rows, prepared.state)
        name = f"{rows.parent.name}/{rows.name}"
        seed = prepared.seed.model_copy(update={"rows": name, "digest": Seed.make_digest(prepared.state)})
    is_mine = mine.update(
        seed=seed and seed.model_dump(mode="json"),
        digest=write_file(file, prepared.corrections),
        preview=prepared.preview,
        last_batch=prepared.preview["last_batch"],
        status=CorrectionStatus.READY,
        beat_at=now(),
    )
    if not is_mine:
        _remove_files(plan, correction)


def _send(correction: Correction) -> None:
    plan = make_plan_here(correction.job)
    if plan.epoch != correction.epoch:
        raise Conflict("Another version of the job has run since.", "Prepare the corrections again.")
    assert correction.last_batch is not None
    token = str(correction.token)
    if correction.topic:
        create_topic(KafkaCluster.of(plan.kafka), plan, correction.topic)
    file = find_file(plan, correction)
    send(plan, token=token, digest=correction.digest, last_batch=correction.last_batch, file=file)
    assert is_sent(plan, token)
    Correction.objects.filter(id=correction.id).update(status=CorrectionStatus.SENT, beat_at=now())
    file.unlink(missing_ok=True)


def find_file(plan: Plan, correction: Correction) -> Path:
    """Return the path of the file with the records to send, on the disk of the job's state."""
    return Path(plan.state_dir).parent / f"correction-{correction.token}"


def _find_rows(plan: Plan, correction: Correction) -> File:
    """Return the file with the state of the right version, in the checkpoint that its epoch follows."""
    return get_file(plan.checkpoint) / "corrected" / str(correction.token)


def _remove_files(plan: Plan, correction: Correction) -> None:
    find_file(plan, correction).unlink(missing_ok=True)
    whole.remove(_find_rows(plan, correction))


def take_over(*, job: Job, by: AbstractUser) -> Job:
    """Let the right version take over from a corrected one, with the state that was worked out with the corrections.

    Then results and state are those of a job that was right since the first corrected batch. Raises NotFound, Conflict,
    StillRuns, and the refusals of a deploy.
    """
    correction = get_correction(job=job)
    if why := explain_no_state(correction):
        raise Conflict(why, "Correct the results again, or deploy what is right without the corrected state.")
    if job.desired != Desired.STOPPED or job.find_live_run() is not None:
        raise StillRuns(f"Job `{job.name}` is {job.status()}.", "Stop it first.")
    assert correction.last_batch is not None
    seed = Seed.model_validate(correction.seed)
    corrected = Corrected(epoch=correction.epoch, batch=correction.last_batch, seed=seed)
    origin = find_right(correction)
    assert origin is not None
    return services.take_over_corrected(job=job, origin=origin, by=by, corrected=corrected)


def _refuse_topic(job: Job, correction: Correction, by: AbstractUser) -> None:
    """Raises RoleMissing unless the user may send records to the topic of corrections.

    A missing one is created. It then belongs to the job, as its events say.
    """
    is_ours = JobEvent.objects.filter(job=job, what=Act.CORRECT, after__topic=correction.topic).exists()
    if correction.topic and not is_ours and job.cluster.connect().find([correction.topic]):
        refuse_change(by, job.cluster, correction.topic, Role.OPERATOR)
