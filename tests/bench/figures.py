"""The measured figures: kept in docs/benchmarks.json, drawn as the table of docs/benchmarks.md.

A figure is never changed: `make bench` appends the new one, and the table shows the newest of each with those before.
"""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import TypedDict

import psutil

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ROOT / "docs" / "benchmarks.json"
REPORT = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- figures -->\n", "<!-- /figures -->\n"
MAX_EARLIER = 3
Row = tuple[str, str, str]
"""What was measured, its figure with its unit, and how; an aim ends the last after `; aim`."""


class Figure(TypedDict):
    """One figure of one day."""

    what: str
    figure: str
    aim: str
    how: str
    date: str
    commit: str
    machine: str


def keep(rows: Iterable[Row]) -> None:
    """Appends what was measured now, and draws the table again."""
    now = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "commit": commit(), "machine": machine()}
    figures = [*read(), *(Figure(what=what, figure=figure, **_split(how), **now) for what, figure, how in rows)]  # type: ignore[typeddict-item]
    FIGURES.write_text("[\n" + ",\n".join(json.dumps(figure, ensure_ascii=False) for figure in figures) + "\n]\n")
    before, rest = REPORT.read_text().split(BEGIN)
    REPORT.write_text(before + BEGIN + table(figures) + END + rest.split(END)[1])


def read() -> list[Figure]:
    """All figures, oldest first."""
    figures: list[Figure] = json.loads(FIGURES.read_text())
    return figures


def table(figures: Iterable[Figure]) -> str:
    """The newest figure of each thing measured, with the ones before it, newest first."""
    kept = list(figures)
    first = {figure["what"]: at for at, figure in reversed(list(enumerate(kept)))}
    named = groupby(sorted(kept, key=lambda figure: first[figure["what"]]), key=lambda figure: figure["what"])
    lines = [_line([*of_one]) for _, of_one in named]
    return "| what | figure | aim | how | measured | before |\n|---|---|---|---|---|---|\n" + "".join(lines)


def _line(of_one: list[Figure]) -> str:
    *earlier, newest = of_one
    before = "; ".join(f"{one['figure']} ({one['date'][5:]})" for one in earlier[::-1][:MAX_EARLIER])
    cells = [newest["what"], newest["figure"], newest["aim"], newest["how"], f"{newest['date']}, `{newest['commit']}`"]
    return f"| {' | '.join([*cells, before])} |\n"


def _split(how: str) -> dict[str, str]:
    about, _, aim = how.partition("; aim ")
    return {"how": about, "aim": aim}


def machine() -> str:
    """Cores, memory and system of this machine."""
    memory = psutil.virtual_memory().total / 2**30
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{psutil.cpu_count()} cores, {memory:.0f} GiB, {system}"


def commit() -> str:
    """The commit that is measured, with a + where files differ from it."""
    found = subprocess.run(["git", "describe", "--always", "--dirty=+"], cwd=ROOT, capture_output=True, text=True)
    return found.stdout.strip()
