"""The measured figures: kept in docs/benchmarks.json, drawn as the tables of docs/benchmarks.md.

A figure is never changed: `make bench` appends the new one. The tables show the newest and its change.
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

import psutil

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ROOT / "docs" / "benchmarks.json"
REPORT = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- figures -->\n", "<!-- /figures -->\n"
SIDES = (
    "Streamwright",
    "Streamwright at_least_once",
    "exactly_once_v2",
    "exactly_once_v2 at its best",
    "at_least_once",
    "Flink SQL",
)
SHAPES = "hot key|2 KB|many keys|Avro|Protobuf"
LOAD = rf"(?P<load>W\d[^,:]*(?:, (?:{SHAPES}))?|hopping|sliding|session|stream join|fraud|word count)"
SIDE = re.compile(rf"{LOAD}, (?P<side>{'|'.join(SIDES)})(?:, (?P<part>warm-up|cost))?")
BESIDE = re.compile(rf"{LOAD}: .*, beside (?P<side>{'|'.join(SIDES)})")
SIDE_TITLES = {
    "beside": "Streamwright beside",
    "": "Records a second, steady state",
    "warm-up": "Records a second, the first 15 s",
    "cost": "Processor seconds for a million orders, and memory",
}
GROUPS = {
    "Start, stop and recovery": r"start|stop$|first output|a run, cold|restore|back after",
    "Latency": r"^latency|^a batch",
    "On a Spark cluster": r"cluster|hosts|^the run's process",
    "State": r"\bkeys\b|growth",
    "The page": r"paint|frames|preview|follow|journey|scripts",
    "Throughput, memory and idle jobs": r"idle|memory|throughput",
    "Tests": r"mutants",
    "Other": r"",
}
"""The groups of the report: a figure is in the first one whose pattern its name contains."""
NUMBER = re.compile(r"-?[\d,]*\.?\d+")
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
    """The newest figure of each thing measured, by group, with its change to the one before."""
    series: dict[str, list[Figure]] = {}
    for figure in figures:
        series.setdefault(figure["what"], []).append(figure)
    plain = {what: of_one for what, of_one in series.items() if not SIDE.fullmatch(what) and not BESIDE.fullmatch(what)}
    return "".join([*_sides(series), *_groups(plain)])


def _sides(series: dict[str, list[Figure]]) -> Iterator[str]:
    """Tables of workloads by sides: ratios, rates, warm-ups and costs."""
    found: dict[str, dict[str, dict[str, list[Figure]]]] = {title: {} for title in SIDE_TITLES.values()}
    for what, of_one in series.items():
        if match := BESIDE.fullmatch(what):
            found["Streamwright beside"].setdefault(match["load"], {})[match["side"]] = of_one
        elif match := SIDE.fullmatch(what):
            found[SIDE_TITLES[match["part"] or ""]].setdefault(match["load"], {})[match["side"]] = of_one
    for title, loads in found.items():
        sides = [side for side in SIDES if any(side in by_side for by_side in loads.values())]
        if loads:
            yield _rows(title, ["workload", *sides, "date"], [_side_row(load, of, sides) for load, of in loads.items()])


def _side_row(load: str, by_side: dict[str, list[Figure]], sides: list[str]) -> list[str]:
    newest = max(of_one[-1]["date"] for of_one in by_side.values())
    return [load, *(_cell(by_side.get(side)) for side in sides), newest]


def _groups(series: dict[str, list[Figure]]) -> Iterator[str]:
    left = dict(series)
    for title, words in GROUPS.items():
        of_group = [left.pop(what) for what in [*left] if re.search(words, what)]
        if of_group:
            yield _rows(title, ["what", "newest", "aim", "date", "change"], [_row(of_one) for of_one in of_group])


def _row(of_one: list[Figure]) -> list[str]:
    newest = of_one[-1]
    return [newest["what"], newest["figure"], newest["aim"], newest["date"], _change(of_one)]


def _rows(title: str, heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return f"\n### {title}\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(of_one: list[Figure] | None) -> str:
    if of_one is None:
        return ""
    figure, change, aim = of_one[-1]["figure"].removesuffix(" records/s"), _change(of_one), of_one[-1]["aim"]
    notes = [note for note in (change, f"aim {aim}" if aim else "") if note]
    return f"{figure} ({', '.join(notes)})" if notes else figure


def _change(of_one: list[Figure]) -> str:
    """How much the first number of the newest figure differs from that of the figure before.

    >>> _change([Figure(figure="4 s"), Figure(figure="3 s")])
    '-25 %'
    """
    numbers = [float(found[0].replace(",", "")) for one in of_one[-2:] if (found := NUMBER.search(one["figure"]))]
    if len(numbers) < 2 or not numbers[0]:
        return ""
    return f"{round((numbers[1] / numbers[0] - 1) * 100):+d} %"


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
