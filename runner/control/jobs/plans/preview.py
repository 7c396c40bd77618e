"""The effects of a deploy, node by node, before anything stops."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from designer.issues import Issue
from designer.refusals import Refusal
from designer.topology.differences import compare
from runner.control.clusters.cores import describe_room
from runner.control.clusters.quotas import refuse_above
from runner.control.clusters.spark import THIS_HOST
from runner.control.codes import ControlCode
from runner.control.jobs.plans.durability import Durability
from runner.control.jobs.plans.facts import Facts
from runner.control.jobs.plans.findings import Findings, collect_findings
from runner.control.jobs.plans.planner import JoinSpread, NextPlan, find_spreads
from runner.control.jobs.plans.rebuild import Rebuild
from runner.control.jobs.plans.recovery import DamageReport
from runner.control.jobs.plans.remains import Loss
from runner.control.jobs.plans.sink_schemas import NO_SCHEMAS, SinkSchemas
from runner.control.jobs.plans.state_changes import StateChange, find_state_changes, list_first_states
from runner.control.jobs.statuses import OnState
from runner.engine.planning.description import describe
from runner.plan import JobSettings, Plan
from runner.spark.repair.damage import TITLE
from runner.spark.repair.repair import Repair

BEHIND_LAST = (OnState.FRESH_FROM_NOW, OnState.SKIP_LOST, OnState.REBUILD)
"""These begin after the last batch, which must therefore be complete."""
TITLES: dict[OnState, str] = {
    OnState.FRESH_FROM_EARLIEST: "Start fresh from where the sources start",
    OnState.FRESH_FROM_NOW: "Start fresh from now",
    OnState.SKIP_LOST: "Keep the state and skip the lost records",
    OnState.REPAIR: "Repair the checkpoint and keep the state",
    OnState.REBUILD: "Rebuild the state from the topics",
}
CHOICES: dict[OnState, str] = {
    OnState.SKIP_LOST: "Keep the state that fits and continue after the lost records. Results do not include the "
    "lost records; no other record is lost or read twice.",
    OnState.FRESH_FROM_EARLIEST: "Read every topic again from where its source starts, and rebuild all state. "
    "Results are written again.",
    OnState.FRESH_FROM_NOW: "Continue where the job stopped. The named state starts empty, the rest is kept; no "
    "record is lost or read twice.",
}
TITLE_OF_RECREATED = "Keep the state and continue with the new topic"
HELP_OF_RECREATED = (
    "Keep the state that fits and read the new topic from where its source starts. Results do not include records of "
    "the old topic that the job had not read."
)
BEGUN_AGAIN = (
    "Start the rebuild again from the records that are left. The state and later results do not include the lost "
    "records; no other record is lost, and no result is written twice."
)
HELP_OF_EMPTYING = (
    "Continue after batch {written}, the last one in Kafka. The damaged state starts empty, the rest is kept. No "
    "record is lost or read twice, but later results do not include the lost state."
)
HELP_OF_REPAIR = (
    "Rewrite the damaged files from the marker in Kafka and from older snapshots. All state is kept, and the job "
    "continues after batch {written}: no record is lost, no result is written twice."
)
HELP_OF_REBUILD = (
    "Rebuild all state without writing results: {nodes}. That is {offsets} offsets, up to the end of batch "
    "{written}. The job continues there: no record is lost, no result is written twice."
)
REBUILDING = "It is still being rebuilt from its topics. Deploy this version when that is done, and it is kept."
IN_PART = "Only part of the last batch was written, and this version cannot finish it."
MARKER_LOST = (
    "Kafka has deleted the marker or the offsets of this job, so no one knows which results it has written. Brokers "
    "delete both for a stopped job after `offsets.retention.minutes`."
)
END_IT = "Deploy the previous version and its settings first, or choose how the job continues."
HOW = "How should the job continue?"
MISSING_RECORDS = "Kafka deleted records that the job has not read."
RECREATED = "A topic was deleted and created again since the job read it."
STATE_LOSS = "Some state cannot be kept."
HELP_OF_REPEAT = (
    "Return {kept} and repeat {batches} with the same records. Their results are in Kafka and are not "
    "written again. All state is kept: no record is lost, no result is written twice."
)


@dataclass(frozen=True)
class Preview:
    """What a deploy would do, and the ways for the job to go on if something stands against it."""

    job: int | None
    """None: the deploy makes a new one."""
    application_id: str
    prefix: str
    """What the application id of a new job begins with on this cluster."""
    creates: tuple[str, ...]
    """The topics that do not exist yet."""
    tasks: tuple[int, ...]
    """Of each sub-topology."""
    has_new_epoch: bool
    settings: JobSettings
    """What the request leaves out is as the job has it, else the default."""
    description: str
    """The topology in words, as Kafka Streams describes one."""
    state: tuple[StateChange, ...]
    """The outcome of each store."""
    spread: tuple[JoinSpread, ...]
    """Joined topics that differ in partitions."""
    durability: tuple[Durability, ...]
    """What each topic survives."""
    hints: tuple[Issue, ...]
    """What is allowed but seldom meant."""
    losses: tuple[Loss, ...]
    """Records that are gone before they were read."""
    is_moved: bool
    """Whether the job goes to another Kafka cluster."""
    bypassed_nodes: tuple[str, ...]
    changes: str | None = None
    """Differences from the last run, one per line. Empty: none. None: nothing ran before."""
    is_in_part: bool = False
    """Whether a batch is partly written and this version cannot complete it."""
    is_marker_lost: bool = False
    """Whether no one knows which results the job has written."""
    damage: DamageReport | None = None
    """Of the checkpoint."""
    is_rebuilding: bool = False
    """Whether the job's state is still being rebuilt from its topics."""
    spark: str = ""
    """The Spark cluster; empty: the host of an agent."""
    room: str = ""
    """The job's share of its cores, in words."""
    sink_schemas: SinkSchemas = NO_SCHEMAS
    """The schemas of the registry with which sinks would write."""
    has_other_schemas: bool = False
    """Sinks would write with other schemas than those of the last run."""
    earlier_choice: OnState = OnState.KEEP
    """The choice of an earlier deploy that no run has carried out yet. Keep if there is none."""

    @property
    def lost_states(self) -> list[StateChange]:
        """Changes for which the user must choose."""
        return [state_change for state_change in self.state if state_change.effect == "starts_empty"]

    @property
    def is_recreated(self) -> bool:
        """Whether all lost records are those of topics that were deleted and created again."""
        return bool(self.losses) and all(loss.why == "recreated" for loss in self.losses)

    @property
    def choices(self) -> dict[OnState, str]:
        """Alternatives to keeping the state."""
        return {name: text for name, text in self._choices.items() if not (self.is_in_part and name in BEHIND_LAST)}

    @property
    def _choices(self) -> dict[OnState, str]:
        if self.is_marker_lost:
            return {OnState.FRESH_FROM_EARLIEST: CHOICES[OnState.FRESH_FROM_EARLIEST]}
        if self.damage is not None:
            return self._list_ways_on(self.damage)
        if self.losses:
            choices = {way: CHOICES[way] for way in (OnState.SKIP_LOST, OnState.FRESH_FROM_EARLIEST)}
            if self.is_recreated:
                choices[OnState.SKIP_LOST] = HELP_OF_RECREATED
            return choices | {OnState.SKIP_LOST: BEGUN_AGAIN} if self.is_rebuilding else choices
        if self.lost_states:
            return {
                name: text
                for name, text in CHOICES.items()
                if name != OnState.SKIP_LOST and not (self.is_moved and name == OnState.FRESH_FROM_NOW)
            }
        return {} if self.job is None else {OnState.FRESH_FROM_EARLIEST: CHOICES[OnState.FRESH_FROM_EARLIEST]}

    def _name_way(self, way: OnState) -> str:
        return TITLE_OF_RECREATED if way == OnState.SKIP_LOST and self.is_recreated else TITLES[way]

    def _list_ways_on(self, damage: DamageReport) -> dict[OnState, str]:
        """Choices for a damaged checkpoint. The one that keeps most comes first."""
        last_batch, repair = damage.last_batch, self.repair
        ways = {OnState.FRESH_FROM_EARLIEST: CHOICES[OnState.FRESH_FROM_EARLIEST]}
        if self.losses:
            return {OnState.SKIP_LOST: CHOICES[OnState.SKIP_LOST]} | ways
        ways = {OnState.FRESH_FROM_NOW: HELP_OF_EMPTYING.format(written=last_batch)} | ways
        if rebuild := self.rebuild:
            reads = (
                f"`{node}` reads {', '.join(topics)} from the first record" for node, topics in rebuild.reads.items()
            )
            text = HELP_OF_REBUILD.format(nodes=", ".join(reads), offsets=f"{rebuild.offsets:,}", written=last_batch)
            return {OnState.REBUILD: text} | ways
        if repair is None:
            return ways
        first, last = repair.back_to + 1, repair.last_batch
        batches = f"batch {last}" if first == last else f"batches {first} to {last}"
        kept_part = (
            "to the state before the first batch"
            if repair.back_to < 0
            else f"to batch {repair.back_to}, which is whole,"
        )
        text = (
            HELP_OF_REPEAT.format(kept=kept_part, batches=batches)
            if repair.repeats
            else HELP_OF_REPAIR.format(written=last_batch)
        )
        return {OnState.REPAIR: text} | ways

    @property
    def pending(self) -> OnState:
        """What happens to the state if this deploy does not say: the choice of an earlier deploy that has not begun.

        Else it would be lost without a word, because the runs only see the newest deploy. Keep if there is none, or
        if it answers nothing any more.
        """
        return self.earlier_choice if self.earlier_choice in self.choices else OnState.KEEP

    @property
    def repair(self) -> Repair | None:
        """The repair of the checkpoint. Only the version that ran can repeat its batches."""
        repair = self.damage.repair if self.damage else None
        return None if repair is None or self.losses or (repair.repeats and self.has_new_epoch) else repair

    @property
    def rebuild(self) -> Rebuild | None:
        """The rebuild of the state for the version that ran."""
        rebuild = self.damage.rebuild if self.damage else None
        return None if self.losses or self.has_new_epoch else rebuild

    @property
    def question(self) -> str:
        """The question to answer before a deploy. Empty if there is none, or an earlier deploy has answered it."""
        if self.pending != OnState.KEEP:
            return ""
        if self.is_marker_lost:
            return f"{MARKER_LOST} {HOW}"
        if self.damage is not None:
            return HOW
        if self.is_in_part:
            return f"{IN_PART} {END_IT}"
        if self.losses:
            return f"{RECREATED if self.is_recreated else MISSING_RECORDS} {HOW}"
        return f"{STATE_LOSS} {HOW}" if self.lost_states else ""

    def refuse_unchosen(self, on_state: OnState | None) -> None:
        """Raises a refusal with the choices if the caller must choose and has not. None: as `pending`.

        Raises SchemasRefused, or the refusal of the registry, if sinks cannot have their schemas.
        """
        self.sink_schemas.refuse()
        if (self.pending if on_state is None else on_state) in self.choices:
            return
        if self.is_marker_lost:
            raise ResultsUnknown(self)
        if self.damage is not None:
            raise CheckpointDamaged(self)
        if self.losses:
            raise OffsetsLost(self)
        if self.is_in_part:
            raise BatchInPart(self)
        if self.lost_states:
            raise StateWouldBeLost(self)

    def to_json(self) -> dict[str, Any]:
        return {
            "job": self.job,
            "application_id": self.application_id,
            "prefix": self.prefix,
            "creates": list(self.creates),
            "tasks": list(self.tasks),
            "has_new_epoch": self.has_new_epoch,
            "settings": self.settings.model_dump(),
            "description": self.description,
            "state": [state_change.to_json() for state_change in self.state],
            "spread": [asdict(each) for each in self.spread],
            "durability": [asdict(each) for each in self.durability],
            "hints": [hint.to_json() for hint in self.hints],
            "losses": [each.to_json() for each in self.losses],
            "choices": [
                {"on_state": way, "title": self._name_way(way), "help": text} for way, text in self.choices.items()
            ],
            "question": self.question,
            "pending": self.pending,
            "is_moved": self.is_moved,
            "bypassed": list(self.bypassed_nodes),
            "changes": self.changes,
            "spark": self.spark,
            "room": self.room,
            "damage": [each.to_json() for each in self.damage.damage] if self.damage else [],
            "damaged": self.describe_damage(),
            "schemas": [each.to_json() for each in self.sink_schemas.asked],
            "registry": self.sink_schemas.refusal.message if self.sink_schemas.refusal else "",
        }

    def describe_damage(self) -> str:
        """The damage in words, and why it cannot be repaired. Empty without damage."""
        if self.damage is None:
            return ""
        other = "Only the version that ran can repeat its batches. Deploy that version first, then this one."
        why_not = "" if self.repair or self.rebuild else self.damage.why_not or other
        return f"{self.damage.text} {why_not}".strip()


class ChoiceMissing(Refusal):
    """The deploy needs a choice of `on_state` that the caller has not made. The preview is in the answer."""

    status = 409

    def __init__(self, preview: Preview, message: str, advice: str = "") -> None:
        hint = f"{advice} Choose on_state: {', '.join(preview.choices)}.".strip()
        super().__init__(message, hint, **preview.to_json())


class StateWouldBeLost(ChoiceMissing):
    """A changed version cannot keep some state."""

    code = ControlCode.DEPLOY_STATE_WOULD_BE_LOST

    def __init__(self, preview: Preview) -> None:
        nodes = ", ".join(f"`{state_change.node}`" for state_change in preview.lost_states)
        where = "on another cluster" if preview.is_moved else "by the new version"
        super().__init__(preview, f"The state of {nodes} cannot be kept {where}.")


class BatchInPart(ChoiceMissing):
    """Slots on a cluster have written a part of a batch, and only the version that began it can complete it."""

    code = ControlCode.DEPLOY_BATCH_IN_PART

    def __init__(self, preview: Preview) -> None:
        super().__init__(preview, IN_PART, END_IT)


class ResultsUnknown(ChoiceMissing):
    """Kafka has deleted the marker, so the job can only start fresh."""

    code = ControlCode.EPOCH_UNCLEAN

    def __init__(self, preview: Preview) -> None:
        super().__init__(preview, MARKER_LOST)


class OffsetsLost(ChoiceMissing):
    """Records were lost before the job read them."""

    code = ControlCode.DEPLOY_OFFSETS_LOST

    def __init__(self, preview: Preview) -> None:
        first = preview.losses[0]
        more = len(preview.losses) - 1
        what = (
            f"Topic `{first.topic}` was deleted and created again since the job read it"
            if first.why == "recreated"
            else f"Partition {first.partition} of topic `{first.topic}` was read to offset {first.read_to}, and begins "
            f"with offset {first.first} now"
        )
        super().__init__(
            preview, f"Kafka deleted records before the job read them. {what}{f'; and {more} more' if more else ''}."
        )


class CheckpointDamaged(ChoiceMissing):
    """The job's checkpoint is damaged."""

    code = ControlCode.DEPLOY_CHECKPOINT_DAMAGED

    def __init__(self, preview: Preview) -> None:
        super().__init__(preview, f"{TITLE} {preview.describe_damage()}")


def look_ahead(facts: Facts, next_plan: NextPlan) -> Preview:
    """The effects of deploying the plan. Raises QuotaExceeded, KafkaUnreachable or CheckpointUnreachable."""
    target, plan = facts.target, next_plan.plan
    refuse_above("MAX_MEMORY_MB", target.settings.memory_mb)
    refuse_above("MAX_SLOTS", plan.slots)
    refuse_above("MAX_PARTITIONS", max(map(next_plan.creates.__getitem__, facts.of_graph.missing_sinks), default=0))
    findings = collect_findings(facts)
    partitions = {name: topic.partitions for name, topic in facts.topics.items()}
    old = facts.old
    has_new_epoch = old is None or plan.shape() != old.shape() or bool(findings.losses)
    ends_other = has_new_epoch or findings.damage is not None or (old is not None and plan.outcome() != old.outcome())
    return Preview(
        job=None if target.job is None else target.job.id,
        application_id=target.application_id,
        prefix="" if target.job else facts.cluster.prefix,
        creates=facts.of_graph.missing_sinks,
        tasks=tuple(plan.tasks),
        has_new_epoch=has_new_epoch,
        settings=target.settings,
        description=describe(next_plan.layout),
        state=_find_state_changes(facts, findings, plan, has_new_epoch),
        spread=tuple(find_spreads(next_plan.layout, partitions, plan.tasks)),
        durability=findings.durability,
        hints=findings.hints,
        losses=findings.losses,
        is_moved=facts.is_moved,
        bypassed_nodes=tuple(node.id for node in facts.graph.nodes if node.bypassed),
        changes=compare(facts.before.read_graph(), plan.read_graph()).text() if facts.before else None,
        is_in_part=findings.is_in_part and ends_other,
        is_marker_lost=findings.is_marker_lost,
        damage=findings.damage,
        is_rebuilding=findings.is_rebuilding,
        spark=THIS_HOST if target.spark is None else target.spark.name,
        room="" if target.spark is None else describe_room(target.spark, plan.slots, facts.room),
        sink_schemas=facts.sink_schemas,
        has_other_schemas=facts.before is not None and facts.sink_schemas.differ_from(facts.before.written),
        earlier_choice=OnState.KEEP if target.job is None else OnState(target.job.on_state),
    )


def _find_state_changes(facts: Facts, findings: Findings, plan: Plan, has_new_epoch: bool) -> tuple[StateChange, ...]:
    """The outcome of each store: none is kept on another cluster, damaged, or in a new epoch during a rebuild."""
    if facts.before is None:
        return tuple(list_first_states(plan))

    def describe_kept(change: StateChange) -> StateChange:
        if facts.is_moved:
            return replace(change, effect="starts_empty", why="Its contents come from the topics of another cluster.")
        if findings.is_rebuilding and has_new_epoch:
            return replace(change, effect="starts_empty", why=REBUILDING)
        return change

    damaged = findings.damage.lost_stores if findings.damage and not facts.is_moved else None
    changes = find_state_changes(facts.before, plan, damaged)
    return tuple(describe_kept(change) if change.effect == "kept" else change for change in changes)
