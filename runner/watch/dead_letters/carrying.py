"""Continues a redrive, one slice at a time, from the place in its marks."""

from __future__ import annotations

import logging
import time

from confluent_kafka import KafkaException
from django.db.models.functions import Now

from designer.projects.permissions import RoleMissing, refuse_work
from designer.projects.roles import OPERATOR
from designer.refusals import Refusal
from runner.control.jobs.reconciling import lock_alone
from runner.kafka import KafkaCluster, Topic
from runner.watch.dead_letters.contents import DeadLettersOfRecord, find_reads, read_contents
from runner.watch.dead_letters.marks import Mark
from runner.watch.dead_letters.models import Redrive, RedriveStatus
from runner.watch.dead_letters.redriver import MarksLost, RedriveOrder, Redriver, RefusedRecord
from runner.watch.topics.texts import decode_text, encode_text

log = logging.getLogger(__name__)
LOCK = 0x53_58  # our own number space among Postgres' advisory locks
SLICE_SECONDS = 5.0
"""How long a worker sends before others take over."""
MAX_REFUSALS = 1_000
"""Maximum of refused records before a redrive stops: more than some records are wrong."""


def send_dead_letters(redrive_id: int, seconds: float = SLICE_SECONDS) -> bool:
    """Send remaining letters for this long. Returns whether more are left. Only one process at a time works on a
    redrive.
    """
    with lock_alone(redrive_id, LOCK) as mine:
        query = Redrive.objects.select_related("job__cluster", "job__version", "by")
        redrive = query.filter(id=redrive_id, status=RedriveStatus.RUNNING).first() if mine else None
        if redrive is None:
            return False
        try:
            _send_until(redrive, time.monotonic() + seconds)
        except (KafkaException, Refusal) as error:
            words = error.message if isinstance(error, Refusal) else error.args[0].str()
            log.warning("Redrive %d waits: %s", redrive_id, words)
            Redrive.objects.filter(id=redrive_id).update(problem=words)
        return Redrive.objects.filter(id=redrive_id, status=RedriveStatus.RUNNING, problem="").exists()


def _send_until(redrive: Redrive, until: float) -> None:
    cluster, records = redrive.cluster.connect(), redrive.read_records()
    topic = cluster.topic(redrive.topic)
    running = Redrive.objects.filter(id=redrive.id, status=RedriveStatus.RUNNING)
    if topic.id != redrive.topic_id:
        why = f"`{redrive.topic}` was deleted and created again, so its letters no longer exist."
        running.update(status=RedriveStatus.STOPPED, problem=why, ended_at=Now())
        return
    refusals = [RefusedRecord(tuple(map(tuple, places)), why) for places, why in redrive.refused]
    redriver = Redriver(cluster, topic, find_reads(redrive.job.version.read_graph()))

    def note(count: int) -> bool:
        refuse_work(redrive.by_id, OPERATOR, [("job_id", redrive.job_id)])
        rows = [[list(each.letters), each.why] for each in refusals]
        goes_on = bool(running.update(sent=count, refused=rows, problem=""))
        if goes_on and len(refusals) >= MAX_REFUSALS:
            why = f"{len(refusals):,} records were refused, so it stopped. The first: {refusals[0].why}"
            running.update(status=RedriveStatus.STOPPED, problem=why, ended_at=Now())
        return goes_on and len(refusals) < MAX_REFUSALS and time.monotonic() < until

    try:
        is_done = redriver.carry_out(_find_wanted(redrive, records, cluster, topic), refusals, note)
    except MarksLost as loss:
        why = f"Marks of `{redrive.topic}` were deleted. {loss} It stopped, because it would send records twice."
        running.update(status=RedriveStatus.STOPPED, problem=why, ended_at=Now())
        return
    except RoleMissing as refusal:
        running.update(status=RedriveStatus.STOPPED, problem=refusal.message, ended_at=Now())
        return
    if is_done:
        running.update(status=RedriveStatus.DONE, ended_at=Now())


def _find_wanted(
    redrive: Redrive, records: list[DeadLettersOfRecord], cluster: KafkaCluster, topic: Topic
) -> RedriveOrder:
    mark: Mark = {"redrive": redrive.id, "by": redrive.by.get_username(), "at": 0, "to": ""}
    if redrive.edited is None:
        return RedriveOrder(records, redrive.rate, mark, redrive.sent)
    (content,) = read_contents(cluster, topic, records, lambda _: True)
    if content.message is not None:
        mark["original"] = {"key": decode_text(content.message.key), "value": decode_text(content.message.value)}
    mark["edited"] = {"key": redrive.edited["key"], "value": redrive.edited["value"]}
    edit = encode_text(mark["edited"]["key"], "key"), encode_text(mark["edited"]["value"], "value")
    return RedriveOrder(records, redrive.rate, mark, redrive.sent, edit)
