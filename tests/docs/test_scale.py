"""The tables of docs/scale.md follow from the figures that the page says were measured."""

import re

from runner.plan import JobSettings
from tests.docs.pages import ROOT

PAGE = (ROOT / "docs" / "scale.md").read_text()
MONTH_SECONDS = 86_400 * 365 / 12
DOLLARS_OF_A_MILLION = 5


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return lines[1:]


RATES = {workload: int(rate.replace(",", "")) for workload, rate, *_ in rows("What was measured")}
BATCH_MS, SLOT_MS = map(int, re.findall(r"(\d+) ms of processor time .+ costs (\d+) ms", PAGE)[0])
STEPS = {
    cores: tuple(map(int, jobs.split(" × "))) for cores, jobs, *_ in rows("What that gives")
}  # jobs, and slots of each


def process_seconds(slots: int) -> float:
    return (BATCH_MS + SLOT_MS * (slots - 2)) / 1_000


def test_no_job_has_more_slots_than_are_allowed():
    for cores, (jobs, slots) in STEPS.items():
        assert jobs * JobSettings.model_validate({"slots": slots}).slots == int(cores.replace(",", ""))


def test_each_step_is_computed_from_the_measured_rates():
    for cores, _, *figures in rows("What that gives"):
        jobs, slots = STEPS[cores]
        seconds = process_seconds(slots)
        rates = [f"{jobs * slots * RATES[workload] / 2 / 1e6:.1f} million" for workload in ("W1", "W4")]

        assert figures == [f"{seconds:.1f} s", f"{2 * seconds:.1f} s", f"{jobs * slots / seconds / 2:.0f}", *rates]


def test_requests_follow_from_the_same_batches():
    for cores, *figures in rows("Requests to an object store"):
        jobs, slots = STEPS[cores]
        writes = jobs * (slots + 2) / process_seconds(slots) / 2
        dollars = round(writes * MONTH_SECONDS / 1e6 * DOLLARS_OF_A_MILLION, -1)

        assert figures == [f"{slots + 2}", f"{writes:.0f}", f"{dollars:,.0f}"]


def test_cores_on_a_cluster_follow_from_the_same_rates():
    for workload, cores, *_ in rows("Cores for a million records a second"):
        assert cores == f"{1e6 / (RATES[workload] / 2):.0f}"
