"""What a proof leaves to its host. It ends by itself before the run of the job lacks memory or room on its disk."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from designer.refusals import Refusal
from runner.spark.codes import RunCode
from runner.spark.program import Place
from runner.spark.replay import KeptState
from runner.spark.state.rows import Row

NICE = 10
"""How far the processes of a proof give way to others, such as the run of the job."""
MIN_MEMORY = 512 << 20
"""Bytes of memory that a proof leaves to the host. With less it ends."""
MIN_DISK = 1 << 30
"""Bytes that a proof leaves on the disk of the job's state, on which it copies this state. With less it ends."""
ROWS_BETWEEN_LOOKS = 10_000


def give_way() -> None:
    """Let this process be as nice as one of a proof is, unless it is nicer already."""
    os.nice(max(0, NICE - os.nice(0)))


class HostShort(Refusal):
    """The host has too little memory, or too little room on its disk, for a proof."""

    code = RunCode.TRIAL_FAILED
    status = 503


def refuse_short(folder: Path) -> None:
    """Raises HostShort. `folder` is on the disk that the proof writes to."""
    if psutil.virtual_memory().available < MIN_MEMORY:
        raise HostShort("The proof ended early, because the host has little memory left.", "Prove a shorter time.")
    if shutil.disk_usage(folder).free < MIN_DISK:
        raise HostShort(
            "The proof ended early, because the disk of the job's state is almost full.", "Make room there."
        )


@dataclass(frozen=True)
class LimitedState(KeptState):
    """A kept state whose rows end with HostShort when the host is short of memory or disk."""

    folder: Path

    def rows(self) -> Iterator[tuple[Place, Iterator[Row]]]:
        for place, rows in super().rows():
            yield place, self._limit(rows)

    def _limit(self, rows: Iterator[Row]) -> Iterator[Row]:
        for number, row in enumerate(rows):
            if number % ROWS_BETWEEN_LOOKS == 0:
                refuse_short(self.folder)
            yield row
