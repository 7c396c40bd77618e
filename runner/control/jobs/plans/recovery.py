"""Damage in the checkpoint of a job's last run: `inspect` looks once, and its report says what can be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from designer.refusals import Refusal
from runner.control.codes import ControlCode
from runner.control.jobs.models import Run
from runner.control.jobs.plans.rebuild import NotTheSame, Rebuild, find_rebuild
from runner.control.jobs.plans.remains import EARLIEST, Written, find_last_written, read_ends, read_marker_in_kafka
from runner.engine.planning.layout import Layout, Store, find_original_name
from runner.engine.planning.tables import TableKind
from runner.kafka import KafkaCluster, Topic
from runner.plan import Plan
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.codes import RunCode
from runner.spark.program import Program, make_program
from runner.spark.repair.damage import Damage, Examination, check_seed, describe_damages
from runner.spark.repair.repair import Repair
from runner.spark.sink.marker import Marker

DAMAGE_CODES = frozenset({RunCode.CHECKPOINT_DAMAGED, RunCode.CHECKPOINT_UNREADABLE})
UNSEEN_CODES = frozenset(
    {
        RunCode.CHECKPOINT_UNREADABLE,
        RunCode.CHECKPOINT_OLDER,
        RunCode.MARKER_BEHIND,
        RunCode.MARKER_OTHER_QUERY,
    }
)
"""Failures about a checkpoint that its files do not show."""


TAKEN_OVER = (
    "After batch {batch}, a version took over that this server does not know, as after its database was restored from "
    "an older backup."
)


class CannotRepair(Refusal):
    """A damaged checkpoint cannot be repaired."""

    code = ControlCode.CHECKPOINT_BEYOND_REPAIR
    status = 409


@dataclass(frozen=True)
class DamageReport:
    """What is damaged of a checkpoint, and the ways on. Asks nothing more."""

    damage: tuple[Damage, ...]
    last_batch: int
    """The last batch whose results are in Kafka."""
    newest_whole: int | None
    """The newest batch with all its files."""
    lost_stores: Mapping[str, str]
    """The stores that cannot be read, each with the file that makes it so and the effect of an empty start."""
    repair: Repair | None
    """Keeps all state."""
    rebuild: Rebuild | None
    """Without a repair: makes the same state again from the topics."""
    why_not: str
    """Why there is no repair, and no rebuild."""

    @property
    def text(self) -> str:
        return describe_damages(list(self.damage), self.newest_whole)

    def carry_out_repair(self, old: Plan, cluster: KafkaCluster) -> None:
        """Repairs the checkpoint. Its run must be over and its writer fenced. Raises CannotRepair."""
        if self.repair is None:
            raise CannotRepair(f"The checkpoint cannot be repaired. {self.why_not}", "Choose another option.")
        self.repair.carry_out(_read_committed(old, self.last_batch, cluster))


def inspect(old: Plan, run: Run, cluster: KafkaCluster) -> DamageReport | None:
    """Look for damage in the checkpoint of a job's last run. None if there is none, or no batch yet.

    The run must be over. This reads each file that a start reads, so ask only where the answer decides something:
    before a user chooses how a job goes on, and before another epoch takes its state from this one. A run that goes on
    in its epoch looks at its files itself (`PlanRun.carry_out`).

    If the run failed and its failure may mean damage, large files are read, too, and the failure counts where no file
    tells. Raises KafkaUnreachable, OffsetsForgotten and OSError.
    """
    failure = run.failure or {}
    # large files are gigabytes: only a run that met damage is a reason to read all of them
    examination = _examine(old, cluster, is_deep=failure.get("code") in DAMAGE_CODES)
    if examination is None:
        return None
    marker = read_marker_in_kafka(old, cluster)
    damage = _find_damage(examination, failure, marker)
    if not damage:
        return None
    rebuild = None
    repair, why_not = _find_repair(examination, damage, marker, old, cluster)
    if repair is None and examination.folder == get_file(old.checkpoint):
        try:
            rebuild = find_rebuild(examination.program, cluster, _read_committed(old, examination.last_batch, cluster))
        except NotTheSame as reason:
            why_not = f"{why_not} The state cannot be rebuilt from the topics either. {reason}"
    lost_stores = _find_lost_stores(examination.program, damage)
    return DamageReport(
        tuple(damage), examination.last_batch, examination.newest_whole, lost_stores, repair, rebuild, why_not
    )


def _examine(old: Plan, cluster: KafkaCluster, *, is_deep: bool) -> Examination | None:
    """The checkpoint for the next run. None if there is none yet."""
    written = find_last_written(old, cluster)
    if isinstance(written, Written):
        return Examination(make_program(old), Checkpoint(old.checkpoint), written.batch, is_deep=is_deep)
    return check_seed(old.seed, is_deep=is_deep) if old.seed is not None and not old.seed.rows else None


def _find_damage(examination: Examination, failure: Mapping[str, Any], marker: Marker | None) -> list[Damage]:
    """The damaged files, or what the failure of the run says about those that nobody can see.

    The last epoch that Postgres knows may have ended in another one, if Postgres was restored from an older backup.
    Then no checkpoint that it knows has the state behind the last results.
    """
    if marker is not None and marker.is_closed:
        return [Damage("state", "", TAKEN_OVER.format(batch=marker.batch), None)]
    is_here, code = examination.folder.exists(), failure.get("code")
    damage = examination.damage if is_here else []
    if not damage and (code in UNSEEN_CODES or (code in DAMAGE_CODES and not is_here)):
        return [Damage("state", "", failure["message"], None)]
    return damage


def _find_lost_stores(program: Program, damage: Sequence[Damage]) -> dict[str, str]:
    """The stores of damaged operators. All stores if no file tells about the others."""
    operators = {each.operator for each in damage}
    depths = {stage.depth for number in operators if number is not None for stage in program.stages_by_folder[number]}
    stores = {store.name: store for store in program.layout.stores}
    names = dict.fromkeys(
        find_original_name(store)
        for store in stores.values()
        if None in operators or program.depth_of_store(store) in depths
    )
    return {name: _explain_loss(program, stores[name], damage) for name in names}


def _explain_loss(program: Program, store: Store, damage: Sequence[Damage]) -> str:
    """The file that makes a store unreadable, and the effect of an empty start."""
    depth = program.depth_of_store(store)
    holding = [number for number, stages in enumerate(program.stages_by_folder) if depth in {at.depth for at in stages}]
    first = next((each for each in damage if each.operator in (None, *holding)), damage[0])
    why = f"`{first.file}` {first.why}." if first.file else "It cannot be read."
    return f"{why} {describe_empty_start(store, program.layout)}"


def describe_empty_start(store: Store, layout: Layout) -> str:
    """What results lack if a store starts empty in the middle of its topics."""
    return f"If it starts empty, {_find_lack(store, layout)}"


def _find_lack(store: Store, layout: Layout) -> str:
    if store.contents is not None:
        return store.contents.when_empty
    if layout.nodes[store.node].operator.has_topic_of_rows:
        return "a row is found only after its topic has a new record for it."
    if layout.tables[store.node].kind is not TableKind.AGGREGATE:
        return "a row is found only after an update of it."
    if store.kind in ("window", "session"):
        return "open windows lack their earlier records."
    return "its results start from zero."


def _find_repair(
    examination: Examination, damage: list[Damage], marker: Marker | None, old: Plan, cluster: KafkaCluster
) -> tuple[Repair | None, str]:
    """The repair, or why there is none."""
    if examination.folder != get_file(old.checkpoint):
        return None, "It belongs to the previous epoch, whose state this one starts with."
    if marker is None:
        return None, "Kafka has deleted its marker."
    repair = Repair.find(examination, marker) if all(each.kind != "state" for each in damage) else None
    if repair is None:
        return None, "Its missing contents are not stored anywhere else."
    if repair.repeats and (why_not := _explain_unreadable(repair, old, cluster)):
        return None, why_not
    return repair, ""


def _explain_unreadable(repair: Repair, old: Plan, cluster: KafkaCluster) -> str:
    """Why the batches cannot be repeated exactly. Empty if they can."""
    checkpoint, topics = repair.examination.checkpoint, [Topic(n, f.id, f.partitions) for n, f in old.topics.items()]
    ends = checkpoint.offsets(repair.last_batch)
    starts = checkpoint.offsets(repair.back_to) if repair.back_to >= 0 else {n: f.start for n, f in old.topics.items()}
    firsts = cluster.start_offsets(topics)
    configs = cluster.configs_of(list(old.topics))
    for name, first in firsts.items():
        places = list(zip_longest(starts[name], ends.get(name, ()), first, fillvalue=0))
        read = [(0 if start == EARLIEST else start, begin) for start, end, begin in places if end > max(start, 0)]
        if any(begin > start for start, begin in read):
            return f"Some records of `{name}` that must be read again are gone."
        if read and "compact" in configs.get(name, {}).get("cleanup.policy", ""):
            return f"Topic `{name}` is compacted, so it may lack records that must be read again."
    return ""


def _read_committed(old: Plan, batch: int, cluster: KafkaCluster) -> dict[str, list[int]]:
    """The committed end of the last batch."""
    topics = [Topic(name, facts.id, facts.partitions) for name, facts in old.topics.items()]
    return read_ends(old, batch, topics, cluster)
