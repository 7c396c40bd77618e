"""Damage in the checkpoint of a job's last run: its effect on each store, and the repair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from designer.refusals import Refusal
from runner.control.codes import ControlCode
from runner.control.jobs.models import Run
from runner.control.jobs.plans.markers import LastWritten, Written, find_last_written, read_ends, read_marker_in_kafka
from runner.control.jobs.plans.offsets import EARLIEST
from runner.control.jobs.plans.rebuild import NotTheSame, Rebuild, find_rebuild
from runner.engine.planning.layout import Layout, Store, find_original_name
from runner.engine.planning.tables import TableKind
from runner.kafka import KafkaCluster, Topic
from runner.plan import Plan
from runner.spark.checkpoint import whole
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.codes import RunCode
from runner.spark.program import make_program
from runner.spark.repair.damage import Damage, Examination, check_seed, describe_damages
from runner.spark.repair.repair import Repair

DAMAGE_CODES = frozenset({RunCode.CHECKPOINT_DAMAGED, RunCode.CHECKPOINT_UNREADABLE})
UNSEEN_CODES = frozenset({RunCode.CHECKPOINT_UNREADABLE, RunCode.CHECKPOINT_OLDER})
"""Failures about a checkpoint that its files do not show."""


class CannotRepair(Refusal):
    """A damaged checkpoint cannot be repaired."""

    code = ControlCode.CHECKPOINT_BEYOND_REPAIR
    status = 409


@dataclass(frozen=True)
class Recovery:
    """The damage, the newest whole batch, and the repair of the checkpoint, or why there is none.

    Without a repair, `rebuild` describes how to rebuild the state, or `why_not` says why it would differ.
    """

    examination: Examination
    damage: tuple[Damage, ...]
    newest_whole: int | None
    repair: Repair | None
    rebuild: Rebuild | None
    why_not: str

    @property
    def words(self) -> str:
        return describe_damages(list(self.damage), self.newest_whole)

    @property
    def lost_stores(self) -> frozenset[str]:
        """The stores of damaged operators. All stores if no file tells about the others."""
        operators = {each.operator for each in self.damage}
        program = self.examination.program
        depths = {
            stage.depth for number in operators if number is not None for stage in program.stages_by_folder[number]
        }
        return frozenset(
            find_original_name(store)
            for store in program.layout.stores
            if None in operators or program.depth_of_store(store) in depths
        )

    def explain_loss(self, name: str) -> str:
        """The file that makes a store unreadable, and the effect of an empty start."""
        program = self.examination.program
        store = next(each for each in program.layout.stores if each.name == name)
        depth = program.depth_of_store(store)
        holding = [
            number for number, stages in enumerate(program.stages_by_folder) if depth in {at.depth for at in stages}
        ]
        damage = next((each for each in self.damage if each.operator in (None, *holding)), self.damage[0])
        why = f"`{damage.file}` {damage.why}." if damage.file else "It cannot be read."
        return f"{why} {describe_empty_start(store, program.layout)}"

    def carry_out(self, old: Plan, cluster: KafkaCluster) -> None:
        """Repairs the checkpoint. Its run must be over and its writer fenced. Raises CannotRepair."""
        if self.repair is None:
            raise CannotRepair(f"The checkpoint cannot be repaired. {self.why_not}", "Choose another option.")
        self.repair.carry_out(_read_committed(old, self.repair.last_batch, cluster))


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


def find_recovery(old: Plan, run: Run, cluster: KafkaCluster) -> Recovery | None:
    """None without known damage. The run must be over: it need not read again what it has read."""
    failure = run.failure or {}
    examination = _check_checkpoint(old, cluster, is_deep=failure.get("code") in DAMAGE_CODES)
    if examination is None:
        return None
    is_here = examination.folder.exists()
    damage, code = examination.damage if is_here else [], failure.get("code")
    if not damage and (code in UNSEEN_CODES or (code in DAMAGE_CODES and not is_here)):
        damage = [Damage("state", "", failure["message"], None)]
    if not damage:
        return None
    rebuild = None
    repair, why_not = _repair(examination, damage, old, cluster)
    if repair is None and examination.folder == get_file(old.checkpoint):
        try:
            rebuild = find_rebuild(examination.program, cluster, _read_committed(old, examination.last_batch, cluster))
        except NotTheSame as reason:
            why_not = f"{why_not} The state cannot be rebuilt from the topics either. {reason}"
    return Recovery(examination, tuple(damage), examination.newest_whole, repair, rebuild, why_not)


def is_rebuilding(old: Plan, written: LastWritten) -> bool:
    """Whether an epoch has not read the whole origin of its state, or its last batch does not say what it read."""
    read = find_rebuilt_offsets(old, written)
    pairs = (zip(read[name], until, strict=False) for name, until in old.silent_until.items())
    return any(at < end for places in pairs for at, end in places)


def find_rebuilt_offsets(old: Plan, written: LastWritten) -> Mapping[str, Sequence[int]]:
    """The next offsets of an epoch that rebuilds its state, or its start if its last batch does not have them."""
    checkpoint, starts = Checkpoint(old.checkpoint), find_rebuild_starts(old)
    if not starts or not isinstance(written, Written):
        return starts
    is_broken = whole.find_fault(checkpoint.folder / "offsets" / str(written.batch))
    return starts if is_broken else checkpoint.offsets(written.batch)


def find_rebuild_starts(old: Plan) -> dict[str, list[int]]:
    """Where an epoch began to read in the topics from which it rebuilds its state. Empty if it rebuilds nothing."""
    return {name: old.topics[name].start for name in old.silent_until}


def _check_checkpoint(old: Plan, cluster: KafkaCluster, *, is_deep: bool) -> Examination | None:
    """The checkpoint for the next run. None if there is none yet."""
    written = find_last_written(old, cluster)
    if isinstance(written, Written):
        return Examination(make_program(old), Checkpoint(old.checkpoint), written.batch, is_deep=is_deep)
    return check_seed(old.seed, is_deep=is_deep) if old.seed is not None else None


def _repair(
    examination: Examination, damage: list[Damage], old: Plan, cluster: KafkaCluster
) -> tuple[Repair | None, str]:
    """The repair, or why there is none."""
    if examination.folder != get_file(old.checkpoint):
        return None, "It belongs to the previous epoch, whose state this one starts with."
    marker = read_marker_in_kafka(old, cluster)
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
