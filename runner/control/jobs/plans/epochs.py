"""The last step of a deploy, and the only one that changes anything: it creates topics and a new epoch if necessary.

A new epoch depends on the remains of the old one. They are read here after its writers are fenced, because the facts
were collected while they could still write.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from django.conf import settings as django_settings

from runner.control.clusters.checkpoints import choose_checkpoint_root, claim_root
from runner.control.jobs.models import Job
from runner.control.jobs.plans.facts import Facts
from runner.control.jobs.plans.losses import find_losses
from runner.control.jobs.plans.markers import MarkerLost, Written, find_last_written, is_in_part
from runner.control.jobs.plans.next_epoch import (
    Change,
    NextEpoch,
    Remains,
    Way,
    choose_way,
    decide_epoch,
    find_starts,
)
from runner.control.jobs.plans.offsets import find_next_offsets, without_latest
from runner.control.jobs.plans.planner import find_widths, get_layout
from runner.control.jobs.plans.recovery import is_rebuilding
from runner.control.jobs.plans.sink_schemas import register
from runner.control.jobs.statuses import OnState
from runner.kafka import KafkaCluster
from runner.plan import MARKER_TOPIC, Move, Plan
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.failures import read_checkpoint

MARKER_PARTITIONS = 64


@read_checkpoint()
def commit(job: Job, facts: Facts, plan: Plan) -> Plan:
    """Return the plan of the job's next run, and prepare Kafka and the old checkpoint for it.

    No run of the job may live meanwhile; `reconciling` holds the job's lock.

    1. Mark the folder of checkpoints as this product's. Two products would remove each other's epochs.
    2. Create missing topics, the one of the markers among them. Then register the schemas of sinks, and keep their ids
       in the plan: no record of the run waits for the registry. A schema without records does no harm, but records
       without their schema could not be read.
    3. If the user chose a repair, fence the old writer and repair the old checkpoint.
    4. If nothing changed that the checkpoint depends on, continue in the same epoch.
    5. Otherwise fence the old writers, and only then read what they left: until then a late one may commit.
    6. Decide where the new epoch begins, and which stores it keeps.
    7. Discard what the old checkpoint has beyond its marker, because the new epoch copies its state from there.
    8. Give the epoch a number, and with it folders and a marker, that no earlier life of the job has used.

    A crash at any step leaves no new run, so the next look at the job begins at 1. Steps 1 and 2 find their work done,
    3 and 7 may be repeated at any point, and fencing again does no harm. The old epoch stays whole until the new one
    has committed a batch (`RunSupervisor.forget_older_epochs`). `tests/runner/control/jobs/test_state.py` and
    `test_next_epoch.py` have a test for each way on, and `tests/proof/life.py` kills runs around it.

    Raises KafkaUnreachable while Kafka does not say how far the job is, CheckpointUnreachable, TopicRecreated,
    UncleanEpoch, CannotRepair, SchemasRefused, and the refusals of `runner.registry`.
    """
    if facts.kafka_refusal is not None:
        raise facts.kafka_refusal
    claim_root(root := choose_checkpoint_root(job.spark))  # 1
    _make_topics(facts, plan)  # 2
    plan = plan.model_copy(update={"written": register(facts.sink_schemas, job.cluster.find_registry())})
    change = _repair(_describe_change(job, facts, plan), facts)  # 3
    way, old = choose_way(change), change.old
    if way is Way.SAME_EPOCH and old is not None:  # 4
        return _move(plan.model_copy(update={"topics": old.topics}), root)
    number, epoch = _find_free_epoch(job, root, facts.cluster), NextEpoch(plan.topics)  # 8
    if way is Way.BEHIND_LAST and old is not None:
        remains = _end_epoch(change, old, job.generation + 1, facts.cluster)  # 5
        epoch = decide_epoch(change, remains)  # 6
        if epoch.back_to is not None:
            Checkpoint(old.checkpoint).take_back(epoch.back_to)  # 7
    return _move(_start_epoch(plan, epoch, number, root, facts.cluster), root)


def _describe_change(job: Job, facts: Facts, plan: Plan) -> Change:
    recovery = facts.recovery
    change = Change(job.name, OnState(job.on_state), plan, facts.old)
    if recovery is None:
        return change
    return replace(
        change,
        is_damaged=True,
        lost_stores=recovery.lost_stores,
        rebuild=recovery.rebuild,
        why_not=recovery.why_not,
    )


def _repair(change: Change, facts: Facts) -> Change:
    """Repairs a damaged checkpoint if the user chose that. Raises CannotRepair."""
    if facts.recovery is None or change.old is None or change.on_state != OnState.REPAIR:
        return change
    facts.cluster.fence(change.old.transactional_id)
    facts.recovery.carry_out(change.old, facts.cluster)
    return change.without_damage()


def _end_epoch(change: Change, old: Plan, generation: int, cluster: KafkaCluster) -> Remains:
    """Fences all writers of the old epoch, then reads their progress again."""
    cluster.fence(old.transactional_id)
    checkpoint, written = Checkpoint(old.checkpoint), find_last_written(old, cluster)
    if isinstance(written, MarkerLost):
        return Remains(written)
    from runner.spark.sink.slots import take_slots  # only here: it imports PySpark, which each supervisor would load

    take_slots(old.model_copy(update={"kafka": cluster.settings, "generation": generation}))
    remains = Remains(
        written,
        is_in_part=is_in_part(old, written, cluster),
        is_rebuilding=is_rebuilding(old, written),
        has_state=isinstance(written, Written) and checkpoint.is_committed(written.batch),
        ends=find_next_offsets(old, change.new.topics, written, cluster),
    )
    if change.on_state != OnState.SKIP_LOST:
        return remains
    losses = find_losses(old.topics, change.new.topics, find_starts(old, remains), {}, cluster)
    return replace(remains, losses=tuple(losses))


def _start_epoch(plan: Plan, epoch: NextEpoch, number: int, root: str, cluster: KafkaCluster) -> Plan:
    """The plan in its own epoch, with its own folders."""
    name = f"{plan.application_id}/epoch-{number}"
    return plan.model_copy(
        update={
            "epoch": number,
            "checkpoint": f"{root}/{name}",
            "state_dir": str(Path(django_settings.HOME) / "state" / name),
            "topics": without_latest(epoch.topics, cluster),
            "seed": epoch.seed,
            "is_seeded": epoch.seed is not None,
            "has_begun": False,
            "silent_until": dict(epoch.silent_until),
        }
    )


def _move(plan: Plan, root: str) -> Plan:
    """The plan with its checkpoint, and the origin of its state, below a root. Its run first copies them there."""
    addresses = [plan.checkpoint, *([plan.seed.checkpoint] if plan.seed else [])]
    moves = [Move(source=each, target=_find_place_below(root, each), token=uuid4().hex) for each in addresses]
    return plan.move_to({move.source: move.target for move in moves}).model_copy(
        update={"moves": [move for move in moves if move.source != move.target]}
    )


def _find_place_below(root: str, checkpoint: str) -> str:
    """The place of a checkpoint below a root. The last two parts of its path name the job and the epoch."""
    return "/".join([root, *checkpoint.rsplit("/", 2)[1:]])


def _find_free_epoch(job: Job, root: str, cluster: KafkaCluster) -> int:
    """The next number unused by any earlier life of this application id."""
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
    """The policies for failed records, by the job's settings and by its nodes."""
    settings = plan.settings
    nodes = {node.operator.on_error for node in get_layout(plan).nodes.values()}
    return {settings.deserialization, settings.processing, settings.production} | nodes
