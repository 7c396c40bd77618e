"""The last step of a deploy: creates topics, and continues the epoch where nothing its checkpoint needs changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

from django.conf import settings as django_settings

from designer.refusal_codes import RefusalCode
from designer.refusals import Refusal
from runner.control.clusters.checkpoints import choose_checkpoint_root, claim_root
from runner.control.jobs.models import Job
from runner.control.jobs.plans.facts import Facts
from runner.control.jobs.plans.fates import find_fates
from runner.control.jobs.plans.losses import find_losses, without_losses
from runner.control.jobs.plans.markers import is_in_part, read_last_written
from runner.control.jobs.plans.offsets import find_next_offsets, find_reloaded_topics, resume, without_latest
from runner.control.jobs.plans.planner import MARKER_TOPIC, find_widths, get_layout
from runner.control.jobs.plans.recovery import CannotRepair, Recovery, find_rebuilt_offsets, is_rebuilding
from runner.control.jobs.statuses import OnState
from runner.kafka import KafkaCluster
from runner.plan import Move, Plan, Seed
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.failures import read_checkpoint
from runner.spark.sink.ending import has_lost_marker
from runner.spark.sink.marker import NO_MARKER
from runner.spark.sink.slots import take_slots

MARKER_PARTITIONS = 64


class TopicRecreated(Refusal):
    """A topic is not the one the job has read so far: its old offsets mean nothing."""

    code = RefusalCode.TOPIC_RECREATED
    status = 409


class UncleanEpoch(Refusal):
    """State and committed results of the last epoch are not at the same batch."""

    code = RefusalCode.EPOCH_UNCLEAN
    status = 409


@read_checkpoint()
def commit(job: Job, facts: Facts, plan: Plan) -> Plan:
    """The plan of the job's next run, with every topic made that it needs. No run of the job may live meanwhile.

    Raises KafkaUnreachable while Kafka does not say how far the job is, CheckpointUnreachable.
    """
    if facts.kafka_refusal is not None:
        raise facts.kafka_refusal
    old, cluster, recovery = facts.old, facts.cluster, facts.recovery
    claim_root(root := choose_checkpoint_root(job.spark))
    _make_topics(facts, plan)
    if recovery is not None and old is not None and job.on_state == OnState.REPAIR:
        cluster.fence(old.transactional_id)
        recovery.carry_out(old, cluster)
        recovery = None
    keeps = (OnState.FRESH_FROM_NOW, OnState.REBUILD) if recovery is None else ()
    goes_on = job.on_state in (OnState.KEEP, OnState.REPAIR, *keeps)
    if old is not None and plan.shape() == old.shape() and goes_on:
        return _move(plan.model_copy(update={"topics": old.topics}), root)
    return _move(_begin_epoch(job, plan, root, old, cluster, recovery), root)


def _move(plan: Plan, root: str) -> Plan:
    """The plan with its checkpoint, and the one its state comes from, below a root. Its run copies them there first."""
    addresses = [plan.checkpoint, *([plan.seed.checkpoint] if plan.seed else [])]
    moves = [Move(source=each, target=_find_place_below(root, each), token=uuid4().hex) for each in addresses]
    return plan.move_to({move.source: move.target for move in moves}).model_copy(
        update={"moves": [move for move in moves if move.source != move.target]}
    )


def _find_place_below(root: str, checkpoint: str) -> str:
    """Where a checkpoint lies below a root; the last two parts of its path name the job and the epoch."""
    return "/".join([root, *checkpoint.rsplit("/", 2)[1:]])


def _begin_epoch(
    job: Job, plan: Plan, root: str, old: Plan | None, cluster: KafkaCluster, recovery: Recovery | None
) -> Plan:
    """Begin a checkpoint: at the old end offsets with the kept stores, or from the start with none."""
    number = _find_free_epoch(job, root, cluster)
    home = Path(django_settings.HOME)
    new_plan = plan.model_copy(
        update={
            "epoch": number,
            "checkpoint": f"{root}/{job.application_id}/epoch-{number}",
            "state_dir": str(home / "state" / job.application_id / f"epoch-{number}"),
            "seed": None,
            "silent_until": {},
        }
    )
    if old is not None and job.on_state != OnState.FRESH_FROM_EARLIEST:
        if job.on_state != OnState.SKIP_LOST:
            _refuse_recreated(job, old, new_plan)
        new_plan = _go_on(job, new_plan, old, cluster, recovery)
    return new_plan.model_copy(update={"topics": without_latest(new_plan.topics, cluster)})


def _go_on(job: Job, new_plan: Plan, old: Plan, cluster: KafkaCluster, recovery: Recovery | None) -> Plan:
    """Where the old epoch ended, with the stores that are kept. One that never committed a batch hands on its start."""
    cluster.fence(old.transactional_id)
    lost_stores = recovery.lost_stores if recovery else frozenset[str]()
    last_batch, checkpoint = read_last_written(old, cluster), Checkpoint(old.checkpoint)
    if last_batch is None and has_lost_marker(checkpoint):
        raise UncleanEpoch(f"Kafka has no marker of `{job.name}`, so it is unknown which results it holds.", NO_MARKER)
    _refuse_half(job, old, last_batch, cluster)
    fit = [fate.store for fate in find_fates(old, new_plan) if fate.fate == "kept"]
    stores = [] if is_rebuilding(old, last_batch) else [name for name in fit if name not in lost_stores]
    if stores != fit and job.on_state == OnState.KEEP:
        raise UncleanEpoch(
            f"The state of `{job.name}` is damaged or still being rebuilt, so this version cannot keep it.",
            "Deploy this version again, and choose what happens to the state.",
        )
    ends = find_next_offsets(old, new_plan.topics, last_batch, cluster)
    if job.on_state == OnState.SKIP_LOST:
        again = find_rebuilt_offsets(old, None) if is_rebuilding(old, last_batch) else {}
        ends |= {name: list(start) for name, start in again.items() if name in ends}
        ends = without_losses(ends, find_losses(old.topics, new_plan.topics, ends, {}, cluster))
        silent = {name: _take_later(old.silent_until[name], ends[name]) for name in again if name in ends}
        new_plan = new_plan.model_copy(update={"silent_until": silent})
    topics = resume(new_plan, ends)
    if job.on_state == OnState.REBUILD and recovery is not None:
        return _rebuild(new_plan.model_copy(update={"topics": topics}), recovery)
    if last_batch is None:
        seed = old.seed and old.seed.model_copy(update={"stores": [name for name in old.seed.stores if name in stores]})
        return new_plan.model_copy(update={"topics": topics, "seed": seed})
    checkpoint.take_back(last_batch)
    if stores and checkpoint.find_last_committed() != last_batch:
        raise UncleanEpoch(
            f"The last batch of `{job.name}` is committed in Kafka but not in its checkpoint, so its state is behind.",
            "Deploy the previous version again and stop it, or deploy this version with fresh_from_earliest.",
        )
    plan = old.model_copy(update={"seed": None})
    seed = Seed(checkpoint=old.checkpoint, plan=plan.to_stored(), stores=stores) if stores else None
    return new_plan.model_copy(update={"topics": topics, "seed": seed})


def _take_later(some: Sequence[int], others: Sequence[int]) -> list[int]:
    """The later offset of each partition."""
    return [max(pair) for pair in zip(some, others, strict=False)]


def _refuse_half(job: Job, old: Plan, batch: int | None, cluster: KafkaCluster) -> None:
    """Raises UncleanEpoch where slots on a cluster have written a part of a batch: only the old plan can end it."""
    fenced_plan = old.model_copy(update={"kafka": cluster.settings, "generation": job.generation + 1})
    take_slots(fenced_plan)
    if is_in_part(old, batch, cluster):
        raise UncleanEpoch(
            f"Only part of the last batch of `{job.name}` was written, and this version cannot finish it.",
            "Deploy the previous version again. Once it is running, deploy this version.",
        )


def _rebuild(plan: Plan, recovery: Recovery) -> Plan:
    """An epoch that reads again what its state was made of, and writes only what comes after. Raises CannotRepair."""
    rebuild = recovery.rebuild
    if rebuild is None:
        raise CannotRepair(f"The state cannot be rebuilt. {recovery.why_not}", "Choose another option.")
    reloaded_topics = find_reloaded_topics(plan.read_graph())
    ends = {name: list(places) for name, places in rebuild.ends.items() if name not in reloaded_topics}
    topics = rebuild.begin(plan.topics, ends)
    return plan.model_copy(update={"topics": topics, "silent_until": ends})


def _refuse_recreated(job: Job, old: Plan, new: Plan) -> None:
    for name, facts in new.topics.items():
        if name in old.topics and old.topics[name].id != facts.id:
            raise TopicRecreated(
                f"Topic `{name}` was deleted and created again since `{job.name}` last read it.",
                "Deploy with skip_lost to keep the state and continue with the new topic, or with "
                "fresh_from_earliest to rebuild all state.",
                topic=name,
            )


def _find_free_epoch(job: Job, root: str, cluster: KafkaCluster) -> int:
    """The next number that nothing of an earlier life of this application id has used."""
    markers = cluster.create(cluster.prefix + MARKER_TOPIC, MARKER_PARTITIONS, {"cleanup.policy": "compact"})
    number = job.epoch + 1
    while any(cluster.read_committed(f"{job.application_id}.{number}", markers)) or _exists(job, root, number):
        number += 1
    return number


def _exists(job: Job, root: str, number: int) -> bool:
    return get_file(f"{root}/{job.application_id}/epoch-{number}").exists()


def _make_topics(facts: Facts, plan: Plan) -> None:
    """Create missing sinks, the dead-letter topic and the marker topic."""
    cluster = facts.cluster
    for topic, width in find_widths(facts, plan).items():
        cluster.create(topic, width)
    if "dead_letter" in _list_policies(plan):
        cluster.create(plan.dead_letter_topic, max(plan.tasks, default=1))
    cluster.create(plan.marker_topic, MARKER_PARTITIONS, {"cleanup.policy": "compact"})


def _list_policies(plan: Plan) -> set[str | None]:
    """What may become of records that fail, by the job's settings and by nodes of their own."""
    settings = plan.settings
    nodes = {node.operator.on_error for node in get_layout(plan).nodes.values()}
    return {settings.deserialization, settings.processing, settings.production} | nodes
