"""A manifest for each committed batch: what it takes to execute the batch again, and what it gave.

Spark forgets its own record of a batch after 20 batches. The manifests are kept for days. They decide nothing about
state or results: a lost manifest only means that its batch cannot be executed again.

What other servers answered users' Python in a batch (`runner.engine.tasks.side_effects`) is kept in the same way, in
files of its own (`AnswerLog`): most readers of manifests do not need it.

A line comes to its place in three steps (`Lines.append_line`, `Lines.keep_lines`):

1. After the batch is committed in Kafka, its line is appended to a file on the host. It is not synced. The answers
   come before the manifest, so whoever finds a manifest also finds its answers.
2. Every few minutes, lines that are not beside the checkpoint yet are written there as one file. Its name says which
   batches it holds, and the write is atomic, on every kind of file system.
3. Files that are too old, or too many, are removed, the oldest first. Those with a pinned batch stay.

A process that ends before 1 leaves a batch without a manifest. One that ends before 2 leaves lines on the host, and the
next run on this host writes them, also after a reboot (`take_over_lines`). If the host is lost before 2, so are the
manifests of the last minutes. A process that ends after 2 leaves nothing to do: the names of files say what is kept.
"""

from __future__ import annotations

import logging
import os
import threading
import time
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, TypeVar

import orjson

from runner.engine.records.record import OriginJson
from runner.engine.tasks.side_effects import SentAnswers
from runner.spark.checkpoint import whole
from runner.spark.checkpoint.hadoop import File
from runner.spark.ends import list_groups

MAX_BYTES = 4 << 20
"""Of one file of manifests on the host. Two files together cover some hours of batches."""
FOLDER = "manifests"
"""The folder in a checkpoint with the manifests of its batches."""
ANSWERS = "answers"
"""The folder in a checkpoint with what other servers answered in its batches."""
MAX_ANSWERS = 16 << 20
"""Bytes of one file of answers on the host. The answers of a batch are not kept if they take more than half of it."""
KEEP_SECONDS = 300.0
"""Longest time for which a manifest is only on the host."""
KEPT_DAYS = 7
KEPT_BYTES = 2 << 30
"""Bytes that the kept past of a job may take, with its changes of state (`runner.spark.state.history`)."""
OF_MANIFESTS = 8
"""Manifests take at most one part of so many, and answers as much again."""
PINS = "pins"
"""The folder in it with a file for each pinned batch."""
MAX_PINS = 50
Offsets = Mapping[str, list[int]]
"""Topic -> offset by partition."""
SourceEnd = dict[str, Any]
"""Where a batch ends, in the form in which the source told Spark: its `time` (ms), and offsets by group, topic and
partition (`runner.spark.source.source.Offsets`)."""
Each = TypeVar("Each")
log = logging.getLogger(__name__)
_NEVER = 1 << 62
_STEP = 1 << 16


class ManifestFacts(TypedDict, total=False):
    """What decides the results of a batch besides its offsets, and what it gave. Older versions wrote less."""

    plan: str
    """`Plan.outcome`."""
    code: str
    """The version of the product."""
    generation: int
    """The run."""
    is_caught_up: bool
    """Tasks went on without records."""
    records: int
    """Number of records read."""
    checksum: str
    """`Results.checksum`."""
    results: dict[str, int]
    """Number of records by topic."""
    committed_at: int
    """In ms since 1970."""
    stream_times: dict[str, int]
    """By node, the greatest stream time of its tasks that had records in the batch (ms). Sessions, windows, suppress,
    joins and others have one (`StreamTimes`)."""
    unread: Mapping[str, int]
    """Offsets of each topic that were there and that the batch left for later ones. Missing if nobody knows."""
    has_answers: bool
    """Users' Python asked other servers, and `AnswerLog` has what they answered."""


NO_FACTS: ManifestFacts = {}


class Manifest(NamedTuple):
    """A committed batch: its time (ms), and the offsets at which each partition began and ended, by topic.

    `start` is None if the batch before it is not known.
    """

    number: int
    time: int
    start: dict[str, list[int]] | None
    end: dict[str, list[int]]
    facts: ManifestFacts = NO_FACTS

    def reads(self, topic: str, partition: int, offset: int) -> bool:
        """True if it read this record."""
        ends = self.end.get(topic, [])
        return partition < len(ends) and self.get_first(topic, partition) <= offset < ends[partition]

    def count_of(self, topic: str, partition: int) -> int:
        """Number of offsets of a partition that it read."""
        ends = self.end.get(topic, [])
        return ends[partition] - self.get_first(topic, partition) if partition < len(ends) else 0

    def get_first(self, topic: str, partition: int) -> int:
        """First offset of a partition that it read. A new partition is read from its first offset."""
        starts = (self.start or {}).get(topic, [])
        return starts[partition] if partition < len(starts) else 0


class Pin(NamedTuple):
    """A batch whose manifest stays, whatever its age. `time` is that of the batch, `at` when it was pinned (ms).

    `record` is the input record that it was pinned for, if there is one: its topic, partition and offset.
    """

    batch: int
    time: int
    at: int
    by: str
    note: str
    record: OriginJson | None = None


class Lines:
    """Lines of batches in files on the host, from where they go beside the checkpoint.

    There is a line for each batch, and two for a batch that was executed again: the last one counts. `kept` is the
    folder beside the checkpoint. Without it, lines are only on the host.
    """

    def __init__(self, folder: Path, name: str, kept: File | None, max_bytes: int) -> None:
        self.file, self.before = folder / name, folder / f"{name}.before"
        self.kept = kept
        self.max_bytes = max_bytes
        self._bytes = 0
        self._last_kept: int | None = None
        self._turn = threading.Lock()
        self._is_whole = False

    def append_line(self, line: Sequence[Any]) -> None:
        """Adds a line, whose first members are the batch and what has its `time` (ms)."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("ab") as file:
            if not self._is_whole:  # a process that was killed may have left a part of a line
                file.truncate(_find_whole(self.file))
                self._is_whole = True
            self._bytes += file.write(orjson.dumps(line) + b"\n")
            is_full = file.tell() > self.max_bytes
        if is_full:
            with self._turn:
                self.file.replace(self.before)

    @property
    def is_long(self) -> bool:
        """True if the lines that are only on the host are many."""
        return self._bytes > self.max_bytes // 2

    def keep_lines(self, pinned: Sequence[int]) -> None:
        """Writes lines that are not beside the checkpoint yet, and removes the oldest. See the module."""
        if self.kept is None:
            return
        self._bytes = 0
        files = self._list_kept()
        if self._last_kept is None:
            self._last_kept = max((last for _, last, _, _ in files), default=-1)
        with self._turn:
            lines = {batch: line for batch, line in self._read_lines() if batch > self._last_kept}
        if lines:
            first, last = min(lines), max(lines)
            _, end, *_ = orjson.loads(lines[last])
            self.kept.mkdir(parents=True, exist_ok=True)
            content = zlib.compress(b"".join(line for _, line in sorted(lines.items())))
            whole.write(self.kept / f"{first}-{last}-{end['time']}-{len(content)}", content)  # 2
            self._last_kept = last
        _remove_oldest(files, pinned)  # 3

    def _read_lines(self) -> Iterator[tuple[int, bytes]]:
        """Whole lines with their batches, oldest first."""
        for path in (self.before, self.file):
            for line in path.read_bytes().splitlines(keepends=True) if path.exists() else ():
                if line.endswith(b"\n"):
                    yield batch_of(line), line

    def _list_kept(self) -> list[tuple[int, int, int, File]]:
        """First and last batch, time of the last one, and file."""
        if self.kept is None:
            return []
        names = ((path.name.split("-"), path) for path in self.kept.glob("[0-9]*"))
        return [(int(name[0]), int(name[1]), int(name[2]), path) for name, path in names]


def take_over_lines(earlier: Path, own: Path) -> None:
    """Moves the lines of an earlier boot of this host into the folder of this boot, unless that has lines."""
    for name in ("answers", "batches"):
        for file in (name, f"{name}.before"):
            if (earlier / file).exists() and not (own / file).exists():
                own.mkdir(parents=True, exist_ok=True)
                (earlier / file).replace(own / file)


class AnswerLog(Lines):
    """What other servers answered users' Python, by batch."""

    def __init__(self, folder: Path, checkpoint: File | None = None) -> None:
        super().__init__(folder, "answers", None if checkpoint is None else checkpoint / ANSWERS, MAX_ANSWERS)

    def append(self, batch: int, time: int, answers: Sequence[SentAnswers]) -> None:
        """Records the answers of a batch, unless they are too many."""
        if sum(len(each) for *_, outcomes in answers for each in outcomes) <= self.max_bytes // 2:
            self.append_line([batch, {"time": time}, answers])

    def read(self, batches: Collection[int]) -> dict[int, list[SentAnswers]]:
        """The answers of some batches, of those that have some."""
        files = [path for first, last, _, path in self._list_kept() if any(first <= batch <= last for batch in batches)]
        lines = {batch: line for batch, line in [*_read_files(files), *self._read_lines()] if batch in batches}
        return {batch: orjson.loads(line)[2] for batch, line in lines.items()}


class BatchLog(Lines):
    """The manifests of a checkpoint's batches.

    `first` has the offsets at which the first batch begins (`Plan.find_first_offsets`): each other one begins where the
    one before it ends.
    """

    def __init__(self, folder: Path, kept: File | None = None, first: Offsets | None = None) -> None:
        super().__init__(folder, "batches", kept, MAX_BYTES)
        self.first = first
        self._kept_at = time.monotonic()

    def append(self, batch: int, end: SourceEnd, facts: ManifestFacts = NO_FACTS) -> None:
        """Records where a batch ends, and what it gave."""
        self.append_line([batch, end, facts])

    @property
    def is_due(self) -> bool:
        """True if lines have been only on the host for long enough, or are many."""
        return time.monotonic() - self._kept_at >= KEEP_SECONDS or self.is_long

    def keep(self) -> None:
        """Writes manifests that are not beside the checkpoint yet, and removes the oldest. See the module."""
        if self.kept is not None:
            self._kept_at = time.monotonic()
            self.keep_lines([pin.batch for pin in self.read_pins()])

    def read(self, since: int = 0) -> list[Manifest]:
        """Reads the newest manifests from the host, from a batch on, oldest first."""
        return self._make_manifests((batch, line) for batch, line in self._read_lines() if batch >= since)

    def read_kept(self, since: int = 0) -> list[Manifest]:
        """Reads all manifests of batches since a time (ms), on the host and beside the checkpoint, oldest first."""
        files = sorted((first, path) for first, _, until, path in self._list_kept() if until >= since)
        lines = [*_read_files(path for _, path in files), *self._read_lines()]
        return [each for each in self._make_manifests(lines) if each.time >= since]

    def find(self, number: int) -> Manifest | None:
        """The manifest of a batch. Reads the host's lines, or else the files beside the checkpoint that hold it."""
        near = self.read(max(0, number - 1))
        if all(each.number != number or each.start is None for each in near):
            files = [path for first, last, _, path in self._list_kept() if first <= number <= last + 1]
            near = self._make_manifests([*_read_files(files), *self._read_lines()])
        return next((each for each in near if each.number == number), None)

    def read_before(self, time: int, most: int) -> list[Manifest]:
        """About so many of the newest manifests of batches up to a time (ms), oldest first."""
        here = self.read()
        own = [each for each in here if each.time <= time]
        if len(own) > most:  # nobody here knows where the oldest one began
            return own[-most:]
        oldest = here[0].number if here else _NEVER
        files = sorted(each for each in self._list_kept() if each[0] < oldest)
        newest = next((at for at, (_, _, until, _) in enumerate(files) if until >= time), len(files) - 1)
        chosen, count = list[File](), len(own)
        for first, last, _, path in reversed(files[: newest + 1]):
            chosen.append(path)
            count += last - first + 1 if len(chosen) > 1 else 0  # of the newest file, an unknown part is that old
            if count >= most:
                break
        lines = [*_read_files(chosen), *(self._read_lines() if own else ())]
        return [each for each in self._make_manifests(lines) if each.time <= time][-most:]

    def read_spread(self, since: int, most: int) -> tuple[list[Manifest], int]:
        """At most so many manifests of batches since a time (ms), about evenly spread, and how many there are.

        A week of batches would fill the memory, so each file gives a few, and of many files only some are read.
        """
        here = self.read()
        own = [each for each in here if each.time >= since]
        if here and here[0].time <= since:
            return _spread(own, most), len(own)
        oldest = here[0].number if here else _NEVER
        files = sorted((first, last, path) for first, last, until, path in self._list_kept() if until >= since)
        files = [each for each in files if each[0] < oldest]
        share = max(1, most // 2 // max(1, len(files)))
        found = list[Manifest]()
        for _, _, path in _spread(files, most // 2):
            whole_ones = [each for each in self._make_manifests(_read_files([path])) if each.start is not None]
            found += _spread(whole_ones, share)
        older = [each for each in found if since <= each.time and each.number < oldest]
        count = sum(min(last + 1, oldest) - first for first, last, _ in files) + len(own)
        return [*older, *_spread(own, max(1, most - len(older)))], count

    def find_first(self) -> int | None:
        """The number of the oldest batch that is kept."""
        here = (batch for batch, _ in self._read_lines())
        return min((*(first for first, _, _, _ in self._list_kept()), *here), default=None)

    def pin(self, pin: Pin) -> None:
        """Keeps the manifest of a batch, and replaces an earlier pin of it."""
        assert self.kept is not None
        (folder := self.kept / PINS).mkdir(parents=True, exist_ok=True)
        whole.write(folder / str(pin.batch), orjson.dumps(pin._asdict()))

    def unpin(self, batch: int) -> bool:
        """Lets a manifest go when its time comes. False if it was not pinned."""
        assert self.kept is not None
        was_pinned: bool = (file := self.kept / PINS / str(batch)).exists()
        if was_pinned:
            whole.remove(file)
        return was_pinned

    def read_pins(self) -> list[Pin]:
        """The pinned batches, oldest first."""
        if self.kept is None:
            return []
        files = [path for path in (self.kept / PINS).glob("[0-9]*") if whole.find_fault(path) is None]
        return sorted(Pin(**orjson.loads(path.read_bytes())) for path in files)

    def _make_manifests(self, lines: Iterable[tuple[int, bytes]]) -> list[Manifest]:
        """The manifests of lines. Lines of older versions do not say what a batch gave."""
        newest = {batch: (end, facts) for batch, line in lines for _, end, *facts in [orjson.loads(line)]}
        starts = {batch + 1: read_offsets(end) for batch, (end, _) in newest.items()}
        if self.first is not None:
            starts[0] = dict(self.first)
        return [
            Manifest(number, end["time"], starts.get(number), read_offsets(end), facts[0] if facts else NO_FACTS)
            for number, (end, facts) in sorted(newest.items())
        ]


def _read_files(files: Iterable[File]) -> Iterator[tuple[int, bytes]]:
    """The lines of files beside the checkpoint with their batches. A power cut may have left a part of a file."""
    for path in files:
        try:
            content = zlib.decompress(path.read_bytes())
        except zlib.error as error:
            log.warning("%s is damaged, so its batches are not known any more: %s", path, error)
            continue
        for line in content.splitlines(keepends=True):
            yield batch_of(line), line


def _find_whole(path: Path) -> int:
    """The bytes of a file up to the end of its last whole line."""
    with path.open("rb") as file:
        end = at = file.seek(0, os.SEEK_END)
        while at > 0:
            at = max(0, at - _STEP)
            file.seek(at)
            found = file.read(end - at).rfind(b"\n")
            if found >= 0:
                return at + found + 1
            end = at
    return 0


def _spread(every: Sequence[Each], most: int) -> list[Each]:
    """At most so many of them, evenly spread, with the last one, and if there is room with the first.

    >>> _spread([1, 2, 3, 4, 5, 6, 7], 3), _spread([1, 2, 3], 1)
    ([1, 4, 7], [3])
    """
    count = len(every)
    if count <= most:
        return list(every)
    return [every[count - 1 - round(at * (count - 1) / max(1, most - 1))] for at in reversed(range(most))]


def batch_of(line: bytes) -> int:
    """The batch of a line."""
    return int(line[1 : line.index(b",")])


def _remove_oldest(files: Iterable[tuple[int, int, int, File]], pinned: Sequence[int]) -> None:
    """Removes files that are too old or too many, unless a pinned batch is in them.

    The name of each says its size, so none is looked at.
    """
    oldest, left = time.time() * 1_000 - KEPT_DAYS * 86_400_000, KEPT_BYTES // OF_MANIFESTS
    for first, last, until, path in sorted(files, reverse=True):
        left -= int(path.name.rpartition("-")[2])
        is_pinned = any(first <= batch <= last + 1 for batch in pinned)  # the batch before says where it began
        if (until < oldest or left < 0) and not is_pinned:
            whole.remove(path)


def read_offsets(end: SourceEnd) -> dict[str, list[int]]:
    """The offsets at which a batch ends, by topic."""
    return {topic: offsets for places in list_groups(end).values() for topic, offsets in places.items()}
