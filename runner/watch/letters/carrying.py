"""Carries a redrive on: a slice of it at a time, from where its marks say that it stands."""

from __future__ import annotations

import logging
import time

from confluent_kafka import KafkaException
from django.db.models.functions import Now

from designer.refusals import Refusal
from runner.control.jobs.reconciling import lock_alone
from runner.kafka import KafkaCluster, Topic
from runner.watch.letters.contents import Letters, contents, reads
from runner.watch.letters.marks import Mark
from runner.watch.letters.models import Redrive, Standing
from runner.watch.letters.redriver import Redriver, Refused, Wanted
from runner.watch.topics.texts import bytes_of, text_of

log = logging.getLogger(__name__)
LOCK = 0x53_58  # a space of our own among Postgres' advisory locks
SLICE_SECONDS = 5.0
"""How long a worker sends before others get their turn."""
MAX_REFUSED = 1_000
"""Records that may be refused before a redrive stops: something is wrong with more than some records."""


def carry_on(redrive_id: int, seconds: float = SLICE_SECONDS) -> bool:
    """Send what is left, for so long; whether more is left. Only one process at a time works on a redrive."""
    with lock_alone(redrive_id, LOCK) as mine:
        query = Redrive.objects.select_related("job__cluster", "job__version", "by")
        found = query.filter(id=redrive_id, standing=Standing.RUNNING).first() if mine else None
        if found is None:
            return False
        try:
            _carry_on(found, time.monotonic() + seconds)
        except (KafkaException, Refusal) as error:
            words = error.message if isinstance(error, Refusal) else error.args[0].str()
            log.warning("Redrive %d waits: %s", redrive_id, words)
            Redrive.objects.filter(id=redrive_id).update(problem=words)
        return Redrive.objects.filter(id=redrive_id, standing=Standing.RUNNING, problem="").exists()


def _carry_on(found: Redrive, until: float) -> None:
    cluster, records = found.cluster.connect(), found.read_records()
    topic = cluster.topic(found.topic)
    running = Redrive.objects.filter(id=found.id, standing=Standing.RUNNING)
    if topic.id != found.topic_id:
        why = f"`{found.topic}` was deleted and made again: the letters are gone."
        running.update(standing=Standing.STOPPED, problem=why, ended_at=Now())
        return
    refused = [Refused(tuple(map(tuple, places)), why) for places, why in found.refused]
    redriver = Redriver(cluster, topic, reads(found.job.version.read_graph()))

    def note(sent: int) -> bool:
        kept = [[list(each.letters), each.why] for each in refused]
        goes_on = bool(running.update(sent=sent, refused=kept, problem=""))
        if goes_on and len(refused) >= MAX_REFUSED:
            why = f"{len(refused):,} records were refused, so it stopped. The first: {refused[0].why}"
            running.update(standing=Standing.STOPPED, problem=why, ended_at=Now())
        return goes_on and len(refused) < MAX_REFUSED and time.monotonic() < until

    if redriver.carry_out(_find_wanted(found, records, cluster, topic), refused, note):
        running.update(standing=Standing.DONE, ended_at=Now())


def _find_wanted(found: Redrive, records: list[Letters], cluster: KafkaCluster, topic: Topic) -> Wanted:
    mark: Mark = {"redrive": found.id, "by": found.by.get_username(), "at": 0, "to": ""}
    if found.edited is None:
        return Wanted(records, found.rate, mark)
    (content,) = contents(cluster, topic, records, lambda _: True)
    if content.message is not None:
        mark["original"] = {"key": text_of(content.message.key), "value": text_of(content.message.value)}
    mark["edited"] = {"key": found.edited["key"], "value": found.edited["value"]}
    edited = bytes_of(mark["edited"]["key"], "key"), bytes_of(mark["edited"]["value"], "value")
    return Wanted(records, found.rate, mark, edited)
