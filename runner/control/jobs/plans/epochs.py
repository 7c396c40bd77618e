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
    needs_inspection,
)
from runner.control.jobs.plans.offsets import find_next_offsets, without_latest
from runner.control.jobs.plans.planner import find_missing_topics
from runner.control.jobs.plans.rebuild import is_rebuilding
from runner.control.jobs.plans.recovery import DamageReport, inspect
from runner.control.jobs.plans.sink_schemas import register
from runner.control.jobs.statuses import OnState
from runner.kafka import KafkaCluster
from runner.plan import MARKER_TOPIC, Follows, Move, Plan
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
    3. If the job does not simply go on in its epoch, fence the old writers. Until then a late one may commit, so
       everything that the old epoch left is read after this.
    4. Inspect the old checkpoint for damage, and repair it if the user chose that.
    5. If nothing changed that the checkpoint depends on, continue in the same epoch.
    6. Otherwise read what the old epoch has written and read, and decide where the new one begins and which stores it
       keeps.
    7. Discard what the old checkpoint has beyond its marker, because the new epoch copies its state from there.
    8. Give the epoch a number, and with it folders and a marker, that no earlier life of the job has used. Its first
       marker will end the old epoch in the same transaction (`Plan.follows`).

    A crash at any step leaves no new run, so the next look at the job begins at 1. Steps 1 and 2 find their work done,
    4 and 7 may be repeated at any point, and fencing again does no harm. The old epoch stays whole until the new one
    has committed a batch (`RunSupervisor.forget_older_epochs`). `tests/runner/control/jobs/test_state.py` and
    `test_next_epoch.py` have a test for each way on, and `tests/proof/life.py` kills runs around it.

    Raises KafkaUnreachable, CheckpointUnreachable, TopicRecreated, UncleanEpoch, CannotRepair, SchemasRefused, and the
    refusals of `runner.registry`.
    """
    cluster, old = facts.cluster, facts.old
    claim_root(root := choose_checkpoint_root(job.spark))  # 1
    for topic, width in find_missing_topics(facts, plan).items():  # 2
        cluster.create(topic, width)
    cluster.create(plan.marker_topic, MARKER_PARTITIONS, {"cleanup.policy": "compact"})
    plan = plan.model_copy(update={"written": register(facts.sink_schemas, job.cluster.find_registry())})
    change = Change(job.name, OnState(job.on_state), plan, old)
    if old is not None and facts.last_run is not None and needs_inspection(change):
        cluster.fence(old.transactional_id)  # 3
        if report := inspect(old, facts.last_run, cluster):  # 4
            change = _answer_damage(change, old, report, cluster)
    way = choose_way(change)
    if way is Way.SAME_EPOCH and old is not None:  # 5
        return move(plan.model_copy(update={"topics": old.topics}), root)
    epoch = NextEpoch(plan.topics)
    if way is Way.BEHIND_LAST and old is not None:
        epoch = decide_epoch(change, _read_remains(change, old, job.generation + 1, cluster))  # 6
        if epoch.back_to is not None:
            Checkpoint(old.checkpoint).take_back(epoch.back_to)  # 7
        plan = plan.model_copy(update={"follows": follow(old, epoch.back_to)})
    number = find_free_epoch(job, root, cluster)  # 8
    return move(start_epoch(plan, epoch, number, root, cluster), root)


def follow(old: Plan, batch: int | None) -> list[Follows]:
    """The epochs that a new one ends: the old one with its last batch in Kafka.

    None: it has written nothing. Then those that it was to end, too.
    """
    own = Follows(group=old.marker_group, batch=-1 if batch is None else batch)
    return [own, *(old.follows if batch is None else ())]


def _answer_damage(change: Change, old: Plan, report: DamageReport, cluster: KafkaCluster) -> Change:
    """Repairs the checkpoint if the user chose that. Raises CannotRepair."""
    damaged_change = change.with_damage(report)
    if change.on_state != OnState.REPAIR:
        return damaged_change
    report.carry_out_repair(old, cluster)
    return damaged_change.without_damage()


def _read_remains(change: Change, old: Plan, generation: int, cluster: KafkaCluster) -> Remains:
    """What the old epoch has written and read. All its writers must be fenced; those of its slots are fenced here."""
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


def start_epoch(plan: Plan, epoch: NextEpoch, number: int, root: str, cluster: KafkaCluster) -> Plan:
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


def move(plan: Plan, root: str) -> Plan:
    """The plan with its checkpoint, and the origin of its state, below a root. Its run first copies them there."""
    addresses = [plan.checkpoint, *([plan.seed.checkpoint] if plan.seed else [])]
    moves = [Move(source=each, target=_find_place_below(root, each), token=uuid4().hex) for each in addresses]
    return plan.move_to({move.source: move.target for move in moves}).model_copy(
        update={"moves": [move for move in moves if move.source != move.target]}
    )


def _find_place_below(root: str, checkpoint: str) -> str:
    """The place of a checkpoint below a root. The last two parts of its path name the job and the epoch."""
    return "/".join([root, *checkpoint.rsplit("/", 2)[1:]])


def find_free_epoch(job: Job, root: str, cluster: KafkaCluster) -> int:
    """The next number unused by any earlier life of this application id."""
    markers = cluster.create(cluster.prefix + MARKER_TOPIC, MARKER_PARTITIONS, {"cleanup.policy": "compact"})
    number = job.epoch + 1
    while any(cluster.read_committed(f"{job.application_id}.{number}", markers)) or _exists(job, root, number):
        number += 1
    return number


def _exists(job: Job, root: str, number: int) -> bool:
    return get_file(f"{root}/{job.application_id}/epoch-{number}").exists()
