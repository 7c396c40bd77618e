"""Where the time of a task goes is found by looking at what runs, now and then."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from designer.values.schemas import INTEGER
from runner.engine.driver import Driver
from runner.engine.tasks.sampling import Sampler
from tests.runner.graph_builder import GraphBuilder


def spin(seconds: float) -> None:
    """Uses CPU time, so much of it."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def looked_at(result: Any, looks: int = 1) -> Callable[..., Any]:
    """A function at which a look falls so many times each time it runs."""

    def compute(*record: Any) -> Any:
        for _ in range(looks):
            look()
        return result

    return compute


def look() -> None:
    signal.raise_signal(signal.SIGPROF)


@pytest.fixture
def looks_by_hand() -> Iterator[None]:
    """No look but those that a test takes: when CPU time has passed is not for a test to say."""
    with Sampler():
        pass
    signal.setitimer(signal.ITIMER_PROF, 3_600, 3_600)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)


class BusyEnd:
    """Uses CPU time when it goes, after Python has let go of its signals."""

    def __del__(self, spin: Callable[[float], None] = spin) -> None:
        spin(0.1)


def chain(**functions: Callable[..., Any]) -> Driver:
    """Orders are kept, doubled and counted, each node handing its records to the next."""
    builder = (
        GraphBuilder().stream("orders", INTEGER).add("kept", "filter", {"predicate": "value > 0"}, records="orders")
    )
    builder.add("doubled", "map_values", {"value": "value * 2"}, records="kept")
    builder.add("grouped", "group_by_key", stream="doubled").add("counts", "count", grouped="grouped")
    driver = builder.updates_to("out", "counts").driver(is_one_life=False)
    for name, function in functions.items():
        node, field = name.split("_")
        driver.tasks[0].program.functions[node, field, ("key", "value", "timestamp")] = function
    driver.flush()  # the tasks are created again, with these functions instead of the expressions
    driver.is_one_life = True
    return driver


def sampled(driver: Driver, records: int) -> dict[str, int]:
    sampler = Sampler()
    with sampler:
        for number in range(records):
            driver.pipe("orders", key="a", value=number + 1)
    return sampler.measure_busy_ms()


@pytest.mark.usefixtures("looks_by_hand")
def test_a_slow_node_is_found_among_those_it_stands_between():
    assert sampled(chain(doubled_value=looked_at(2)), records=100) == {"doubled": 1_000}


@pytest.mark.usefixtures("looks_by_hand")
def test_what_lies_downstream_is_not_a_nodes_own():
    driver = chain(kept_predicate=looked_at(True), doubled_value=looked_at(2, looks=4))

    assert sampled(driver, records=100) == {"kept": 1_000, "doubled": 4_000}


def test_decoding_counts_for_the_source_whose_rows_they_are():
    driver = chain(kept_predicate=lambda *record: False)
    row = b'{"text": "%s"}' % (b"x" * 4_000_000)
    sampler = Sampler()

    with sampler:
        for _ in range(60):
            driver.pipe_bytes("orders", b"a", row)

    assert max(sampler.measure_busy_ms(), key=sampler.measure_busy_ms().__getitem__) == "orders"


@pytest.mark.usefixtures("looks_by_hand")
def test_looking_up_a_table_counts_for_the_join(monkeypatch: pytest.MonkeyPatch):
    builder = GraphBuilder().stream("orders", INTEGER).global_table("prices", INTEGER)
    builder.add("priced", "join", {"value": "right"}, left="orders", right="prices")
    driver = builder.to("out", "priced").driver()
    get = driver.state.get

    def looked_at_get(key: bytes) -> bytes | None:
        look()
        return get(key)

    monkeypatch.setattr(driver.state, "get", looked_at_get)

    assert sampled(driver, records=100) == {"priced": 1_000}


def test_calls_shorter_than_the_time_between_two_looks_have_their_due():
    driver = chain(doubled_value=lambda *record: spin(0.002))

    found = [sampled(driver, records=1) for _ in range(300)]

    assert sum(busy.get("doubled", 0) for busy in found) > 0


@pytest.mark.usefixtures("looks_by_hand")
def test_no_one_is_looked_at_outside():
    driver = chain(doubled_value=looked_at(2))
    sampler = Sampler()

    with sampler:
        pass
    for number in range(50):
        driver.pipe("orders", key="a", value=number)

    assert sampler.measure_busy_ms() == {}


def test_a_process_ends_as_ever():
    ending = (
        "from tests.runner.engine.test_sampling import BusyEnd, chain, sampled; sampled(chain(), 1); it = BusyEnd()"
    )

    ended = subprocess.run([sys.executable, "-c", ending], cwd=Path(__file__).parents[3], check=False)

    assert ended.returncode == 0


def test_another_thread_works_as_ever_and_is_not_counted():
    found: list[dict[str, int]] = []
    thread = threading.Thread(target=lambda: found.append(sampled(chain(), records=5)))

    thread.start()
    thread.join()

    assert found == [{}]
