"""Pytest plugin: each test runs in one lane, decided by what it starts. `--lane spark` runs the tests of one lane.

`make test` runs all lanes but `soak`: `pure` first, then the others, two at a time.
"""

import gc
import re
from pathlib import Path

import pytest

gc.disable()  # what the collection imports stays: to look through it again and again took a sixth of the lane `pure`

SERVICES = {"postgres_url", "redis_url", "kafka_servers", "registry_url"}
# The slow lanes run two at a time, the longest first: each but Spark leaves a third of two processors idle.
# `services` must not meet `spark`: a broker then took more than 30 s to start.
LANES = {
    "soak": "takes longer than `make test` may; `make soak` runs it",
    "proof": "starts the whole product",
    "browser": "drives a real Chromium",
    "cluster": "starts Spark, Kafka and HDFS on hosts of their own",
    "spark": "starts Spark",
    "services": "starts Postgres, Redis, Kafka or other processes; asking for their fixtures implies it",
    "pure": "the other tests: they start nothing, and take milliseconds",
}
"""The lanes, the heaviest first; all but the last are markers."""
IMPLIED = ("services", "pure")
"""A test is in these lanes by its fixtures, not only by its marker."""
OTHERS = re.compile(
    rf"^pytestmark = .*mark\.({'|'.join(lane for lane in LANES if lane not in IMPLIED)})\b", re.MULTILINE
)
"""A file whose tests are all in another lane."""


def lane_of(item: pytest.Item) -> str:
    """The lane of a test.

    Example: a test marked `spark` that asks for `kafka_servers` runs in `spark`.
    """
    marked = {mark.name for mark in item.iter_markers()}
    if SERVICES & set(getattr(item, "fixturenames", ())) or "django_db" in marked:
        marked.add("services")
    return next((lane for lane in LANES if lane in marked), "pure")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--lane`."""
    parser.addoption("--lane", choices=LANES, help="run only the tests of this lane")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the markers."""
    for lane, meaning in LANES.items():
        config.addinivalue_line("markers", f"{lane}: {meaning}")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves files alone that have no test of the lane, as far as their markers say: importing all takes seconds."""
    lane = config.getoption("--lane")
    if lane is None or not collection_path.name.startswith("test_"):
        return None
    text = collection_path.read_text()
    if lane in IMPLIED:
        return OTHERS.search(text) is not None or None
    return f"mark.{lane}" not in text or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps the tests of the lane, and puts the files with long ones first: a worker that gets one last works alone."""
    if lane := config.getoption("--lane"):
        others = [item for item in items if lane_of(item) != lane]
        items[:] = [item for item in items if lane_of(item) == lane]
        config.hook.pytest_deselected(items=others)
        long = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in long)


def pytest_collection_finish() -> None:
    """Leaves alone what stays, and looks after what tests make."""
    gc.freeze()
    gc.enable()
