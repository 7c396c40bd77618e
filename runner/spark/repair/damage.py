"""Damage of a checkpoint: the files that a start reads and that are not as they were written."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Literal

import orjson
from typing_extensions import TypedDict

from runner.engine.planning.parts import find_owner
from runner.plan import Plan, Seed
from runner.spark.checkpoint import whole
from runner.spark.checkpoint.checkpoint import AGAIN, Checkpoint, read_end
from runner.spark.checkpoint.hadoop import File, get_file
from runner.spark.codes import RunCode
from runner.spark.failures import RunFailed
from runner.spark.program import Program, make_program

Kind = Literal["metadata", "offsets", "commits", "changelog", "snapshot", "schema", "state"]
HOLDS: dict[Kind, str] = {
    "metadata": "the name of the query",
    "offsets": "the offsets of batch {batch}",
    "commits": "that batch {batch} was executed",
    "changelog": "what batch {batch} changed in the state of {nodes}, slot {slot}",
    "snapshot": "the state of {nodes} after batch {batch}, slot {slot}",
    "schema": "the form of the state of {nodes}",
    "state": "state",
}
MAX_NAMES = 3
_STATE_FILE = re.compile(r"(\d+)\.(changelog|zip)")


class DamageOut(TypedDict):
    """A file of the checkpoint that has changed since it was written, at `at` (ms since 1970). `why` ends a sentence
    about it.

    `holds` says what the file holds of which `batch`. `nodes` and `slot` (from 0) say whose state it is, if it is
    state.
    """

    kind: Kind
    file: str
    why: str
    holds: str
    at: int | None
    batch: int | None
    operator: int | None
    slot: int | None
    nodes: list[str]


@dataclass(frozen=True, slots=True)
class Damage:
    """A file that is not as it was written. `file` is its path in the checkpoint, `at` its time of writing (ms).

    `why` is the rest of a sentence about it. `batch` is its batch, `nodes` and `slot` name its state.
    """

    kind: Kind
    file: str
    why: str
    at: int | None
    batch: int | None = None
    operator: int | None = None
    slot: int | None = None
    nodes: tuple[str, ...] = ()

    @property
    def holds(self) -> str:
        nodes = ", ".join(f"`{node}`" for node in self.nodes)
        slot = None if self.slot is None else self.slot + 1
        return HOLDS[self.kind].format(batch=self.batch, nodes=nodes, slot=slot)

    def to_json(self) -> DamageOut:
        return {
            "kind": self.kind,
            "file": self.file,
            "why": self.why,
            "holds": self.holds,
            "at": self.at,
            "batch": self.batch,
            "operator": self.operator,
            "slot": self.slot,
            "nodes": list(self.nodes),
        }


class SlotFiles:
    """The files of one slot of an operator. Version N is the state after batch N - 1. Before version 1 it is empty."""

    def __init__(self, folder: File) -> None:
        self.folder = folder
        self._whole: dict[str, bool] = {}

    @cached_property
    def snapshots(self) -> list[int]:
        """Versions of the snapshots, newest first."""
        matches = (_STATE_FILE.fullmatch(path.name) for path in self.folder.glob("*.zip"))
        return sorted((int(match[1]) for match in matches if match), reverse=True)

    def find_needed_files(self, version: int, snapshots: Iterable[int]) -> list[File]:
        """Files that Spark reads to load a version: the newest of these snapshots, and each change after it."""
        begin = next((each for each in snapshots if each <= version), 0)
        changes = [self.folder / f"{number}.changelog" for number in range(begin + 1, version + 1)]
        return [self.folder / f"{begin}.zip", *changes] if begin else changes

    def is_whole(self, path: File, *, is_deep: bool) -> bool:
        return self.fault(path, is_deep=is_deep) is None

    def fault(self, path: File, *, is_deep: bool) -> str | None:
        """The fault of a file. For a snapshot, also of the files that it names, by their contents if `is_deep`."""
        return whole.find_fault(path) or (self._find_fault_of_tables(path, is_deep) if path.suffix == ".zip" else None)

    def can_load(self, version: int) -> bool:
        """True if any intact snapshot leads to a version."""
        usable = [each for each in self.snapshots if self._is_whole(self.folder / f"{each}.zip")]
        return all(self._is_whole(path) for path in self.find_needed_files(version, usable))

    def remove_broken_snapshots(self) -> None:
        """Removes them, so Spark takes an older snapshot and the changes after it."""
        for path in (self.folder / f"{each}.zip" for each in self.snapshots):
            if not self._is_whole(path):
                whole.remove(path)

    def _is_whole(self, path: File) -> bool:
        if path.name not in self._whole:
            self._whole[path.name] = self.is_whole(path, is_deep=True)
        return self._whole[path.name]

    def _find_fault_of_tables(self, path: File, is_deep: bool) -> str | None:
        """RocksDB's sorted tables are beside the snapshots that share them."""
        with path.open("rb") as snapshot, zipfile.ZipFile(snapshot) as archive:
            metadata = orjson.loads(archive.read("metadata").splitlines()[-1])
        for table in metadata.get("sstFiles", ()):
            name = table["dfsSstFileName"]
            file = self.folder / "SSTs" / name
            if fault := whole.find_size_fault(file, table["sizeBytes"]) or (
                whole.find_fault(file) if is_deep else None
            ):
                return f"needs {name}, which {fault}"
        return None


class Examination:
    """A checkpoint beside `last_batch`, the last batch in Kafka. With `is_deep`, it reads large tables, too."""

    def __init__(self, program: Program, checkpoint: Checkpoint, last_batch: int, *, is_deep: bool = False) -> None:
        self.program = program
        self.checkpoint = checkpoint
        self.last_batch = last_batch
        self.is_deep = is_deep
        self.folder = checkpoint.folder
        self.stores = {
            (operator, slot): SlotFiles(self.folder / "state" / str(operator) / str(slot))
            for operator in range(len(program.operators))
            for slot in range(program.plan.slots)
        }

    @cached_property
    def committed_batch(self) -> int | None:
        """The batch whose state a start loads. None for the state before the first batch."""
        batch = self.checkpoint.find_last_committed()
        return None if batch is None else min(batch, self.last_batch)

    @cached_property
    def damage(self) -> list[Damage]:
        """The damaged files that a start reads. The files that all others depend on come first."""
        return [*self._check_logs(), *self._check_schemas(), *self._check_stores()]

    @property
    def newest_whole(self) -> int | None:
        """The newest batch with all its files."""
        first = -1 if self.committed_batch is None else self.committed_batch
        return next((batch for batch in range(first, -1, -1) if self.is_whole(batch)), None)

    def is_whole(self, batch: int) -> bool:
        """True if a start could continue after a batch."""
        return self.has_log("offsets", batch) and self.has_log("commits", batch) and self.has_state(batch)

    def has_log(self, name: str, batch: int) -> bool:
        return whole.find_fault(self.folder / name / str(batch)) is None

    def has_plan(self, batch: int) -> bool:
        """True if the plan of a batch is known, here or with the batches that are executed again."""
        return self.has_log("offsets", batch) or self.has_log(AGAIN, batch)

    def time_of(self, batch: int) -> int:
        """The time of a batch whose plan exists."""
        name = "offsets" if self.has_log("offsets", batch) else AGAIN
        time: int = read_end((self.folder / name / str(batch)).read_bytes())["time"]
        return time

    def has_state(self, batch: int) -> bool:
        """True if the state after a batch can be loaded."""
        return all(store.can_load(batch + 1) for store in self.stores.values())

    def nodes_of(self, operator: int) -> tuple[str, ...]:
        """The nodes whose state is in an operator of Spark."""
        depths = {stage.depth for stage in self.program.stages_by_folder[operator]}
        stores = self.program.layout.stores
        return tuple(
            dict.fromkeys(find_owner(each.node) for each in stores if self.program.depth_of_store(each) in depths)
        )

    def _check_logs(self) -> Iterator[Damage]:
        planned_batch = self.last_batch
        if self.checkpoint.is_repeating(planned_batch):
            planned_batch = -1 if self.committed_batch is None else self.committed_batch
        yield from self._find_wrong("metadata", self.folder / "metadata")
        for batch in range(max(0, planned_batch - 1), planned_batch + 1):
            yield from self._find_wrong("offsets", self.folder / "offsets" / str(batch), batch)
        if self.committed_batch is not None:
            yield from self._find_wrong(
                "commits", self.folder / "commits" / str(self.committed_batch), self.committed_batch
            )
        elif self._has_lost_seed():
            yield from self._find_wrong("commits", self.folder / "commits" / "0", 0)

    def _has_lost_seed(self) -> bool:
        """True if Spark would execute batch 0 again, and the state that it began with is gone."""
        plan = self.program.plan
        has_origin = plan.adopted is not None or (plan.seed is not None and get_file(plan.seed.checkpoint).exists())
        return plan.is_seeded and not has_origin

    def _check_schemas(self) -> Iterator[Damage]:
        """Each start writes the form of the state again, under its first batch. Only the newest one is read."""
        for operator in range(len(self.program.operators) if self.committed_batch is not None else 0):
            folder, nodes = self.folder / "state" / str(operator), self.nodes_of(operator)
            forms = (folder / "_metadata" / "v2", folder / "_stateSchema" / "default")
            for newest in (find_newest(form) for form in forms if form.exists()):
                yield from self._find_wrong("schema", newest, None, operator, None, nodes)

    def _check_stores(self) -> Iterator[Damage]:
        version = 0 if self.committed_batch is None else self.committed_batch + 1
        for (operator, slot), store in self.stores.items():
            for path in store.find_needed_files(version, store.snapshots):
                if why := store.fault(path, is_deep=self.is_deep):
                    kind: Kind = "snapshot" if path.suffix == ".zip" else "changelog"
                    batch = int(path.stem) - 1
                    yield self._make_damage(kind, path, why, batch, operator, slot, self.nodes_of(operator))

    def _find_wrong(self, kind: Kind, path: File, *whose: Any) -> Iterator[Damage]:
        if why := whole.find_fault(path):
            yield self._make_damage(kind, path, why, *whose)

    def _make_damage(self, kind: Kind, path: File, why: str, *whose: Any) -> Damage:
        at = round(path.stat().st_mtime * 1_000) if path.exists() else None
        return Damage(kind, str(path.relative_to(self.folder)), why, at, *whose)


def check_seed(seed: Seed, *, is_deep: bool = False) -> Examination:
    """Checks the checkpoint that an epoch takes its state from, as its last batch left it."""
    checkpoint = Checkpoint(seed.checkpoint)
    return Examination(
        make_program(Plan.model_validate(seed.plan)), checkpoint, checkpoint.find_last_committed() or 0, is_deep=is_deep
    )


def find_newest(folder: File, but: File | None = None) -> File:
    """The file of the highest number in a folder of `N` or `N_…`, except `but`."""
    numbered_files = [(int(path.name.split("_")[0]), path) for path in folder.glob("[0-9]*") if path != but]
    return max(numbered_files, default=(0, folder / "0"))[1]


def refuse_damaged(examination: Examination) -> None:
    """Raises RunFailed, which says what is damaged and since when."""
    if damage := examination.damage:
        raise RunFailed(
            RunCode.CHECKPOINT_DAMAGED, f"{TITLE} {describe_damages(damage, examination.newest_whole)}", HINT
        )


TITLE = "The checkpoint is damaged."
HINT = (
    "No wrong results were written. Deploy the job again. The dialog shows what can be restored, and what each "
    "option loses or repeats."
)


def describe_damages(damage: list[Damage], newest_whole: int | None) -> str:
    """Describes damages for people, with code in backticks."""
    descriptions = " ".join(_describe(each) for each in damage[:MAX_NAMES])
    more = len(damage) - MAX_NAMES
    others = f" {more} more {'file is' if more == 1 else 'files are'} damaged." if more > 0 else ""
    rest = "It has no complete batch." if newest_whole is None else f"The newest complete batch is {newest_whole}."
    return f"{descriptions}{others} {rest}"


def _describe(damage: Damage) -> str:
    if damage.kind == "state":
        return damage.why
    since = f" and was last written on {_describe_time(damage.at)}" if damage.at else ""
    return f"`{damage.file}` {damage.why}. It holds {damage.holds}{since}."


def _describe_time(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1_000, UTC):%Y-%m-%d at %H:%M:%S} UTC"
