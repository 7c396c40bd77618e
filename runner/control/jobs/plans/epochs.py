"""The only step of a deploy that changes anything outside Postgres: it prepares Kafka and the old checkpoint.

`commit` does it for a deploy, and `take_over` for a kept version that takes over again. A new epoch depends on what the
old one has left. That is read here, after its writers are fenced, because the facts were collected while they could
still write.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from django.conf import settings as django_settings

from runner.control.clusters.checkpoints import choose_checkpoint_root, claim_root
from runner.control.jobs.cut_overs import find_corrected
from runner.control.jobs.models import CutOver, Job, Run
from runner.control.jobs.plans.adopting import begin, find_adoption
from runner.control.jobs.plans.facts import Facts
from runner.control.jobs.plans.next_epoch import (
    Change,
    NextEpoch,
    UncleanEpoch,
    Way,
    choose_way,
    decide_epoch,
    find_starts,
    needs_inspection,
    take_corrected,
    take_rebuilt,
)
from runner.control.jobs.plans.planner import NextPlan
from runner.control.jobs.plans.recovery import inspect
from runner.control.jobs.plans.remains import LATEST, Written, find_last_written, find_losses, is_in_part, read_remains
from runner.control.jobs.plans.sink_schemas import register
from runner.control.jobs.plans.taking_over import GO_ON, look_back, read_kept_plan
from runner.control.jobs.statuses import OnState
from runner.kafka import KafkaCluster, Topic
from runner.plan import Follows, Move, Plan, TopicFacts
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.checkpoint.moving import take_back_moves
from runner.spark.failures import read_checkpoint
from runner.spark.repair.damage import check_seed, describe_damages

MARKER_PARTITIONS = 64


@read_checkpoint()
def commit(job: Job, facts: Facts, next_plan: NextPlan) -> Plan:
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
       keeps. A first epoch may instead continue a Kafka Streams application (`runner/spark/adopting`). One that follows
       corrections takes the state that was worked out with them (`take_corrected`), and one that follows a proof may
       take the state that was rebuilt there (`take_rebuilt`).
    7. Discard what the old checkpoint has beyond its marker, because the new epoch copies its state from there.
    8. Give the epoch a number, and with it folders and a marker, that no earlier life of the job has used. Its first
       marker will end the old epoch in the same transaction (`Plan.follows`).

    A crash at any step leaves no new run, so the next look at the job begins at 1. Steps 1 and 2 find their work done,
    4 and 7 may be repeated at any point, and fencing again does no harm. The old epoch stays whole until the new one
    has committed a batch (`RunSupervisor.forget_older_epochs`). `tests/runner/control/jobs/test_state.py` and
    `test_next_epoch.py` have a test for each way on, and `tests/proof/life.py` kills runs around it.

    Raises KafkaUnreachable, CheckpointUnreachable, TopicRecreated, UncleanEpoch, CannotRepair, SchemasRefused,
    NotAdoptable, and the refusals of `runner.registry`.
    """
    cluster, old, plan = facts.cluster, facts.old, next_plan.plan
    root = choose_checkpoint_root(job.spark)
    claim_root(root)  # 1
    for topic, partitions in next_plan.creates.items():  # 2
        cluster.create(topic, partitions)
    _create_marker_topic(plan, cluster)
    plan = plan.model_copy(update={"written": register(facts.sink_schemas, job.cluster.find_registry())})
    change, corrected = Change(job.name, OnState(job.on_state), plan, old), find_corrected(job)
    if old is not None and facts.last_run is not None and (corrected or needs_inspection(change)):
        _fence(old, job, cluster)  # 3
        damage = inspect(old, facts.last_run, cluster)  # 4
        if damage is not None and change.on_state == OnState.REPAIR:
            damage.carry_out_repair(old, cluster)
        else:
            change = replace(change, damage=damage)
    way = choose_way(change) if corrected is None else Way.BEHIND_LAST
    # the topics of the old plan, with the offsets where its epoch began: Spark reads on from its checkpoint
    if way is Way.SAME_EPOCH and old is not None:  # 5
        return _move(plan.model_copy(update={"topics": old.topics}), root)
    epoch = NextEpoch(plan.topics)
    if old is None and (adoption := find_adoption(job)) is not None:
        epoch = begin(adoption, next_plan, cluster)  # 6
    if way is Way.BEHIND_LAST and old is not None:
        remains = read_remains(old, plan.topics, cluster)  # 6
        if change.on_state == OnState.SKIP_LOST:
            losses = find_losses(old.topics, plan.topics, find_starts(old, remains), {}, cluster)
            remains = replace(remains, losses=tuple(losses))
        epoch = decide_epoch(change, remains)
        if corrected is not None and corrected.behind is None:
            epoch = take_corrected(corrected, old, epoch, remains)
        elif corrected is not None:
            topics = [Topic(name, each.id, each.partitions) for name, each in plan.topics.items()]
            firsts = cluster.start_offsets(topics)
            epoch = take_rebuilt(corrected, old, plan, epoch, remains, firsts)
        if epoch.back_to is not None:
            Checkpoint(old.checkpoint).take_back(epoch.back_to)  # 7
        plan = plan.model_copy(update={"follows": _follow(old, epoch.back_to)})
    return _start_epoch(plan, epoch, job, root, cluster)  # 8


@read_checkpoint()
def take_over(job: Job, cut_over: CutOver, last: Run) -> Plan:
    """Return the plan with which a kept epoch goes on, and prepare Kafka and its checkpoint for it.

    No run of the job may live meanwhile; `reconciling` holds the job's lock. `last` is its last run.

    1. Mark the folder of checkpoints as this product's.
    2. Fence the writers of the last run, those of its slots too. Until then a late one may commit, so everything that
       it left is read after this.
    3. Read how far the last run has written, and where the kept epoch had stopped. Refuse if slots have written a part
       of a batch, because only its own version can end it.
    4. Look for damage in the checkpoint of the kept epoch: the state must be the one of the cut over.
    5. Discard what that checkpoint has beyond its marker, and decide where the epoch begins.
    6. Give the epoch a number that no earlier life of the job has used. It takes all state of the kept one, and its
       first marker will end the epoch of the last run in the same transaction (`Plan.follows`).

    A crash at any step leaves no new run, so the next look at the job begins at 1: nothing but 5 changes anything, and
    5 may be repeated. The kept epoch stays whole until the new one has committed a batch, and the epoch of the last run
    is kept from then on. `tests/runner/control/jobs/test_cut_overs.py` has a test for each way on.

    Raises UncleanEpoch, RecordsGone, TopicRecreated, KafkaUnreachable, CheckpointUnreachable.
    """
    assert cut_over.takes_over is not None
    cluster, root = job.cluster.connect(), choose_checkpoint_root(job.spark)
    claim_root(root)  # 1
    present = take_back_moves(last.read_current_plan())
    _fence(present, job, cluster)  # 2
    way = look_back(read_kept_plan(cut_over.takes_over), present, cluster)  # 3
    written = find_last_written(present, cluster)
    if is_in_part(present, written, cluster):
        raise UncleanEpoch(f"Only part of the last batch of `{job.name}` was written.", GO_ON)
    epoch = way.decide(is_at_once=cut_over.is_at_once)
    if epoch.seed is not None and (damage := check_seed(epoch.seed).damage):  # 4
        raise UncleanEpoch(f"The kept checkpoint is damaged. {describe_damages(damage, None)}", GO_ON)
    Checkpoint(way.kept.checkpoint).take_back(way.last_batch)  # 5
    follows = _follow(present, written.batch if isinstance(written, Written) else None)
    plan = way.kept.model_copy(update={"follows": follows, "moves": []})
    return _start_epoch(plan, epoch, job, root, cluster)  # 6


def _fence(old: Plan, job: Job, cluster: KafkaCluster) -> None:
    """Stop all writers of an epoch for good: of its run, and of its slots if it was on a cluster."""
    from runner.spark.sink.slots import take_slots  # only here: it imports PySpark, which each supervisor would load

    cluster.fence(old.transactional_id)
    # with the generation of the run to come, so that its own attempts are not taken for old ones
    take_slots(old.model_copy(update={"kafka": cluster.settings, "generation": job.generation + 1}))


def _follow(old: Plan, batch: int | None) -> list[Follows]:
    """The epochs that a new one ends: the old one with its last batch in Kafka.

    None: it has written nothing. Then those that it was to end, too.
    """
    own = Follows(group=old.marker_group, batch=-1 if batch is None else batch)
    return [own, *(old.follows if batch is None else ())]


def _start_epoch(plan: Plan, epoch: NextEpoch, job: Job, root: str, cluster: KafkaCluster) -> Plan:
    """The plan in its own epoch, with its own folders."""
    number = _find_free_epoch(job, plan, root, cluster)
    name = f"{plan.application_id}/epoch-{number}"
    new = plan.model_copy(
        update={
            "epoch": number,
            "checkpoint": f"{root}/{name}",
            "state_dir": str(Path(django_settings.HOME) / "state" / name),
            "topics": _without_latest(epoch.topics, cluster),
            "seed": epoch.seed,
            "adopted": epoch.adopted,
            "is_seeded": epoch.seed is not None or epoch.adopted is not None,
            "has_begun": False,
            "silent_until": dict(epoch.silent_until),
        }
    )
    return _move(new, root)


def _without_latest(topics: Mapping[str, TopicFacts], cluster: KafkaCluster) -> dict[str, TopicFacts]:
    """The topics with offsets instead of "latest": a run that fails before its first batch loses nothing."""
    late = [Topic(name, facts.id, facts.partitions) for name, facts in topics.items() if LATEST in facts.start]
    ends = cluster.end_offsets(late)
    starts = {
        name: [end if start == LATEST else start for start, end in zip(topics[name].start, ends[name], strict=True)]
        for name in ends
    }
    return {
        name: facts.model_copy(update={"start": starts[name]}) if name in starts else facts
        for name, facts in topics.items()
    }


def _move(plan: Plan, root: str) -> Plan:
    """The plan with its checkpoint, and the origin of its state, below a root. Its run first copies them there."""
    addresses = [plan.checkpoint, *([plan.seed.checkpoint] if plan.seed else [])]
    # the last two parts of a checkpoint's path name the job and the epoch
    places = {each: "/".join([root, *each.rsplit("/", 2)[1:]]) for each in addresses}
    moves = [Move(source=each, target=at, token=uuid4().hex) for each, at in places.items() if each != at]
    return plan.move_to(places).model_copy(update={"moves": moves})


def _find_free_epoch(job: Job, plan: Plan, root: str, cluster: KafkaCluster) -> int:
    """The next number that no earlier life of this application id has used."""
    markers = _create_marker_topic(plan, cluster)
    # not only Postgres' number: a deleted job may have had the same application id, and its markers live on in Kafka
    number = job.epoch + 1
    while (
        any(cluster.read_committed(f"{job.application_id}.{number}", markers))
        or get_file(f"{root}/{job.application_id}/epoch-{number}").exists()
    ):
        number += 1
    return number


def _create_marker_topic(plan: Plan, cluster: KafkaCluster) -> Topic:
    return cluster.create(plan.marker_topic, MARKER_PARTITIONS, {"cleanup.policy": "compact"})
