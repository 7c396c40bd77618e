"""Whether a job continues in its epoch, and how a new one begins: pure, from the request and the remains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import zip_longest

from designer.refusals import Refusal
from runner.control.codes import ControlCode
from runner.control.jobs.plans.graph_facts import find_reloaded_topics
from runner.control.jobs.plans.recovery import CannotRepair, DamageReport
from runner.control.jobs.plans.remains import (
    EARLIEST,
    Loss,
    MarkerLost,
    NothingWritten,
    Offsets,
    Remains,
    Written,
    find_rebuild_starts,
)
from runner.control.jobs.plans.state_changes import find_first_difference, find_state_changes, get_fingerprints
from runner.control.jobs.statuses import OnState
from runner.plan import Adopted, Corrected, Plan, Seed, TopicFacts
from runner.spark.codes import RunCode
from runner.spark.sink.marker import NO_MARKER


class TopicRecreated(Refusal):
    """A topic is no longer the one that the job has read: its old offsets mean nothing."""

    code = RunCode.TOPIC_RECREATED
    status = 409


class UncleanEpoch(Refusal):
    """State and committed results of the last epoch are not at the same batch."""

    code = ControlCode.EPOCH_UNCLEAN
    status = 409


class Way(Enum):
    """How a job continues: in its epoch, or in a new one, from the start of sources or after the last batch."""

    SAME_EPOCH = "same_epoch"
    FROM_START = "from_start"
    BEHIND_LAST = "behind_last"


@dataclass(frozen=True)
class Change:
    """What a deploy changes: from the plan of the last run, None if there is none, to a new one."""

    job: str
    """The name of the job."""
    on_state: OnState
    """The user's choice."""
    new: Plan
    old: Plan | None
    damage: DamageReport | None = None
    """Damage of the old checkpoint. None if there is none, it is repaired, or nobody looked (`needs_inspection`)."""


@dataclass(frozen=True)
class NextEpoch:
    """How a new epoch begins."""

    topics: Mapping[str, TopicFacts]
    """With the first offset to read of each partition."""
    seed: Seed | None = None
    """The state with which the epoch begins. None: it begins empty, or with the state of an `adopted` application."""
    silent_until: Mapping[str, list[int]] = field(default_factory=dict)
    """By topic, up to where its records write no results."""
    back_to: int | None = None
    """The batch to which the old checkpoint must return first. None if it is not touched."""
    adopted: Adopted | None = None
    """The application that it continues, instead of a seed."""


def needs_inspection(change: Change) -> bool:
    """Whether damage of the old checkpoint would decide how the job goes on.

    It does if the user chose an answer to damage, or if another epoch may take state from this one. It does not if the
    job starts again from its sources, or simply goes on in its epoch: its run looks at the files that it reads.
    """
    if change.old is None or change.on_state == OnState.FRESH_FROM_EARLIEST:
        return False
    return change.on_state != OnState.KEEP or change.new.shape() != change.old.shape()


def choose_way(change: Change) -> Way:
    """The epoch continues if nothing changed that its checkpoint depends on, and the user did not choose otherwise.

    Raises TopicRecreated if offsets of the old epoch would be read in another topic.
    """
    old, on_state = change.old, change.on_state
    if old is None:
        return Way.FROM_START
    goes_on = on_state in (OnState.KEEP, OnState.REPAIR)
    if change.damage is None:
        goes_on = goes_on or on_state in (OnState.FRESH_FROM_NOW, OnState.REBUILD)
    if goes_on and change.new.shape() == old.shape():
        return Way.SAME_EPOCH
    if on_state == OnState.FRESH_FROM_EARLIEST:
        return Way.FROM_START
    if on_state != OnState.SKIP_LOST:
        _refuse_recreated(change, old)
    return Way.BEHIND_LAST


def find_starts(old: Plan, remains: Remains) -> dict[str, list[int]]:
    """Starts that may skip lost records: a rebuild begins again, all others continue at their ends."""
    again = find_rebuild_starts(old) if remains.is_rebuilding else {}
    return {name: list(again.get(name, ends)) for name, ends in remains.ends.items()}


def decide_epoch(change: Change, remains: Remains) -> NextEpoch:
    """The epoch after the last batch of the old one, with the stores that are kept.

    An epoch without a committed batch passes on its start. Raises UncleanEpoch, CannotRepair.
    """
    old, new, written = change.old, change.new, remains.written
    assert old is not None
    if isinstance(written, MarkerLost):
        message = f"Kafka has no marker of `{change.job}`, so it is unknown which results it holds."
        raise UncleanEpoch(message, NO_MARKER)
    if remains.is_in_part:
        raise UncleanEpoch(
            f"Only part of the last batch of `{change.job}` was written, and this version cannot finish it.",
            "Deploy the previous version again. Once it is running, deploy this version.",
        )
    stores = _find_kept_stores(change, old, remains)
    ends, silent_until = dict(remains.ends), dict[str, list[int]]()
    if change.on_state == OnState.SKIP_LOST:
        ends = without_losses(find_starts(old, remains), remains.losses)
        silent_until = _find_silent_ends(old, ends) if remains.is_rebuilding else {}
    topics = start_at_ends(new, ends)
    if change.on_state == OnState.REBUILD and change.damage is not None:
        return _decide_rebuild(change.damage, topics, find_reloaded_topics(new.read_graph()))
    if isinstance(written, NothingWritten):
        unread = _find_unread_stores(old, new, stores)
        if unread and change.on_state == OnState.KEEP:
            raise UncleanEpoch(
                f"The version before has not committed a batch of `{change.job}` yet. So `{unread[0]}` still has the "
                "values of an earlier version, which this version cannot read.",
                "Deploy this version again once the version before has committed its first batch.",
            )
        stores = [name for name in stores if name not in unread]
        return NextEpoch(topics, _keep_seed(old.seed, stores), silent_until, adopted=_keep_adopted(old.adopted, stores))
    if stores and not remains.has_state:
        raise UncleanEpoch(
            f"The last batch of `{change.job}` is committed in Kafka but not in its checkpoint, so its state is "
            "behind.",
            "Deploy the previous version again and stop it, or deploy this one and let it start fresh (on_state "
            "fresh_from_earliest).",
        )
    plan = old.without_seed().to_stored()
    seed = Seed(checkpoint=old.checkpoint, plan=plan, stores=stores) if stores else None
    return NextEpoch(topics, seed, silent_until, back_to=written.batch)


def take_corrected(corrected: Corrected, old: Plan, epoch: NextEpoch, remains: Remains) -> NextEpoch:
    """The epoch with the state that was worked out with corrections, instead of that of the old one.

    Raises UncleanEpoch if the old one has written something else than what was corrected.
    """
    written = remains.written
    assert corrected.behind is None
    if old.epoch != corrected.epoch or not isinstance(written, Written) or written.batch != corrected.batch:
        raise UncleanEpoch(
            f"The job has written results since batch {corrected.batch}, with which the corrected state ends.",
            "Deploy this version without the corrected state, or correct the results again.",
        )
    return replace(epoch, seed=corrected.seed.model_copy(update={"checkpoint": old.checkpoint}))


def take_rebuilt(
    corrected: Corrected, old: Plan, new: Plan, epoch: NextEpoch, remains: Remains, firsts: Offsets
) -> NextEpoch:
    """The epoch with state that a proof has rebuilt. It first reads what the old one has read since the proof, and
    writes nothing for it.

    Meanwhile it reads nothing of topics that the old one does not read: their results were never written. `firsts` are
    the first offsets that Kafka still has. Raises UncleanEpoch if the state does not belong to what the old one has
    written, or if records since are gone.
    """
    written, behind = remains.written, corrected.behind
    assert behind is not None
    if old.epoch != corrected.epoch or not isinstance(written, Written) or written.batch < corrected.batch:
        raise UncleanEpoch(
            "The job has begun with other state since the proof, so the rebuilt state is not the one before its next "
            "batch.",
            "Prove the change again.",
        )
    reloaded_topics = find_reloaded_topics(new.read_graph())
    at = {name: places for name, places in behind.items() if name in new.topics and name not in reloaded_topics}
    gone = [name for name, places in at.items() if any(a < b for a, b in zip(places, firsts[name], strict=False))]
    if gone:
        raise UncleanEpoch(
            f"Kafka has deleted records of `{'`, `'.join(gone)}` that came after the proof.", "Prove the change again."
        )
    until = {
        name: [max(pair) for pair in zip_longest(places, remains.ends.get(name, ()), fillvalue=0)]
        for name, places in at.items()
    }
    return replace(
        epoch,
        topics=start_at_ends(new, at),
        seed=corrected.seed.model_copy(update={"checkpoint": old.checkpoint}),
        silent_until=until if until != at else {},
    )


def _find_kept_stores(change: Change, old: Plan, remains: Remains) -> list[str]:
    damaged = change.damage.lost_stores if change.damage else None
    fit, whole = (
        [each.store for each in find_state_changes(old, change.new, lost) if each.effect == "kept"]
        for lost in (None, damaged)
    )
    stores = [] if remains.is_rebuilding else whole
    if stores != fit and change.on_state == OnState.KEEP:
        raise UncleanEpoch(
            f"The state of `{change.job}` is damaged or still being rebuilt, so this version cannot keep it.",
            "Deploy this version again, and choose what happens to the state.",
        )
    return stores


def _find_unread_stores(old: Plan, new: Plan, stores: Iterable[str]) -> list[str]:
    """The kept stores that an epoch without a committed batch has not converted, and whose origin `new` cannot read.

    Their rows are still those of the seed, or of the application that is taken over.
    """
    before, after = get_fingerprints(old), get_fingerprints(new)
    together = {name: (name, *after[name].follows) for name in stores}
    changed = [name for name, all_ in together.items() if any(before[each].value != after[each].value for each in all_)]
    if old.adopted is not None:
        adopted = {each.store for each in old.adopted.stores}
        return [name for name in changed if name in adopted]
    if old.seed is None or not changed:
        return []
    origins = get_fingerprints(Plan.model_validate(old.seed.plan))
    return [
        name
        for name in changed
        if name in origins
        and any(find_first_difference(each, origins[each], after[each]) for each in together[name] if each in origins)
    ]


def _keep_seed(seed: Seed | None, stores: Sequence[str]) -> Seed | None:
    return seed and seed.model_copy(update={"stores": [name for name in seed.stores if name in stores]})


def _keep_adopted(adopted: Adopted | None, stores: Sequence[str]) -> Adopted | None:
    return adopted and adopted.model_copy(update={"stores": [each for each in adopted.stores if each.store in stores]})


def _find_silent_ends(old: Plan, starts: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    """Silent ends of a rebuild that begins again at `starts`: the later of both by partition."""
    return {
        name: [max(pair) for pair in zip(until, starts[name], strict=False)]
        for name, until in old.silent_until.items()
        if name in starts
    }


def _decide_rebuild(
    damage: DamageReport, topics: Mapping[str, TopicFacts], reloaded_topics: Iterable[str]
) -> NextEpoch:
    """An epoch that reads the origin of its state again, and writes only later results. Raises CannotRepair."""
    if damage.rebuild is None:
        raise CannotRepair(f"The state cannot be rebuilt. {damage.why_not}", "Choose another option.")
    ends = {name: list(places) for name, places in damage.rebuild.ends.items() if name not in reloaded_topics}
    return NextEpoch(damage.rebuild.begin(topics, ends), silent_until=ends)


def start_at_ends(plan: Plan, ends: Mapping[str, list[int]]) -> dict[str, TopicFacts]:
    """The old ends. New partitions and topics, and global tables, begin at their start."""
    reloaded_topics = find_reloaded_topics(plan.read_graph())
    topics = {}
    for name, facts in plan.topics.items():
        old_ends = [] if name in reloaded_topics else ends.get(name, [])
        # a partition that was added holds only records from after the last batch, so none of them is skipped
        fresh = [EARLIEST] * (facts.partitions - len(old_ends)) if old_ends else facts.start
        topics[name] = facts.model_copy(update={"start": [*old_ends, *fresh]})
    return topics


# Skipping lost offsets starts a new epoch with the old state: marker, planned offsets and fencing then work as for
# any epoch, and nothing in a checkpoint is rewritten.
def without_losses(offsets: Offsets, losses: Iterable[Loss]) -> dict[str, list[int]]:
    """The next offsets of each topic, with `goes_on` instead of lost offsets."""
    next_offsets = {name: list(each) for name, each in offsets.items()}
    for loss in losses:
        if loss.why == "deleted":
            next_offsets[loss.topic][loss.partition] = loss.goes_on
    return next_offsets


def _refuse_recreated(change: Change, old: Plan) -> None:
    for name, facts in change.new.topics.items():
        if name in old.topics and old.topics[name].id != facts.id:
            raise TopicRecreated(
                f"Topic `{name}` was deleted and created again since `{change.job}` last read it.",
                "Deploy the job again: the dialog offers to keep its state and continue with the new topic (on_state "
                "skip_lost), or to start fresh (on_state fresh_from_earliest).",
                topic=name,
            )
