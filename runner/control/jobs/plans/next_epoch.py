"""Whether a job continues in its epoch, and how a new one begins: pure, from the request and the remains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from designer.refusals import Refusal
from runner.control.codes import ControlCode
from runner.control.jobs.plans.losses import Loss, without_losses
from runner.control.jobs.plans.markers import LastWritten, MarkerLost, NothingWritten
from runner.control.jobs.plans.offsets import find_reloaded_topics, start_at_ends
from runner.control.jobs.plans.rebuild import Rebuild, find_rebuild_starts
from runner.control.jobs.plans.recovery import CannotRepair, DamageReport
from runner.control.jobs.plans.state_changes import find_state_changes
from runner.control.jobs.statuses import OnState
from runner.plan import Plan, Seed, TopicFacts
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
    """The new version, the previous one and the user's choice. `rebuild` and `why_not` belong to damaged state."""

    job: str
    on_state: OnState
    new: Plan
    old: Plan | None
    is_damaged: bool = False
    lost_stores: frozenset[str] = frozenset()
    rebuild: Rebuild | None = None
    why_not: str = ""

    def with_damage(self, report: DamageReport) -> Change:
        """The same with what an inspection of the old checkpoint found."""
        return replace(
            self,
            is_damaged=True,
            lost_stores=frozenset(report.lost_stores),
            rebuild=report.rebuild,
            why_not=report.why_not,
        )

    def without_damage(self) -> Change:
        """The same after the checkpoint is repaired."""
        return replace(self, is_damaged=False, lost_stores=frozenset(), rebuild=None, why_not="")


@dataclass(frozen=True)
class Remains:
    """The remains of an epoch, read when its writers can no longer change them.

    `has_state` says that the checkpoint has the state of the last written batch. `ends` are the next offsets, and
    `losses` the lost ones: read only if the user chose to skip them.
    """

    written: LastWritten
    is_in_part: bool = False
    is_rebuilding: bool = False
    has_state: bool = False
    ends: Mapping[str, list[int]] = field(default_factory=dict)
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True)
class NextEpoch:
    """The starts of a new epoch in each topic, the ends of its silence, and its first state.

    `back_to` is the batch to which the old checkpoint must return first. None if it is not touched.
    """

    topics: Mapping[str, TopicFacts]
    seed: Seed | None = None
    silent_until: Mapping[str, list[int]] = field(default_factory=dict)
    back_to: int | None = None


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
    if not change.is_damaged:
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
    if change.on_state == OnState.REBUILD and change.is_damaged:
        return _decide_rebuild(change, topics)
    if isinstance(written, NothingWritten):
        return NextEpoch(topics, _keep_seed(old.seed, stores), silent_until)
    if stores and not remains.has_state:
        raise UncleanEpoch(
            f"The last batch of `{change.job}` is committed in Kafka but not in its checkpoint, so its state is "
            "behind.",
            "Deploy the previous version again and stop it, or deploy this version with fresh_from_earliest.",
        )
    plan = old.without_seed().to_stored()
    seed = Seed(checkpoint=old.checkpoint, plan=plan, stores=stores) if stores else None
    return NextEpoch(topics, seed, silent_until, back_to=written.batch)


def _find_kept_stores(change: Change, old: Plan, remains: Remains) -> list[str]:
    fit = [state_change.store for state_change in find_state_changes(old, change.new) if state_change.effect == "kept"]
    stores = [] if remains.is_rebuilding else [name for name in fit if name not in change.lost_stores]
    if stores != fit and change.on_state == OnState.KEEP:
        raise UncleanEpoch(
            f"The state of `{change.job}` is damaged or still being rebuilt, so this version cannot keep it.",
            "Deploy this version again, and choose what happens to the state.",
        )
    return stores


def _keep_seed(seed: Seed | None, stores: Sequence[str]) -> Seed | None:
    return seed and seed.model_copy(update={"stores": [name for name in seed.stores if name in stores]})


def _find_silent_ends(old: Plan, starts: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    """Silent ends of a rebuild that begins again at `starts`: the later of both by partition."""
    return {
        name: [max(pair) for pair in zip(until, starts[name], strict=False)]
        for name, until in old.silent_until.items()
        if name in starts
    }


def _decide_rebuild(change: Change, topics: Mapping[str, TopicFacts]) -> NextEpoch:
    """An epoch that reads the origin of its state again, and writes only later results. Raises CannotRepair."""
    if change.rebuild is None:
        raise CannotRepair(f"The state cannot be rebuilt. {change.why_not}", "Choose another option.")
    reloaded_topics = find_reloaded_topics(change.new.read_graph())
    ends = {name: list(places) for name, places in change.rebuild.ends.items() if name not in reloaded_topics}
    return NextEpoch(change.rebuild.begin(topics, ends), silent_until=ends)


def _refuse_recreated(change: Change, old: Plan) -> None:
    for name, facts in change.new.topics.items():
        if name in old.topics and old.topics[name].id != facts.id:
            raise TopicRecreated(
                f"Topic `{name}` was deleted and created again since `{change.job}` last read it.",
                "Deploy with skip_lost to keep the state and continue with the new topic, or with "
                "fresh_from_earliest to rebuild all state.",
                topic=name,
            )
