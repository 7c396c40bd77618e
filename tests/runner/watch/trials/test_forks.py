"""Processes of trials: each is a fork, and what happens to one happens to no other."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psutil
import pytest

from designer.values import exact_json
from designer.values.schemas import STRING
from runner.watch.trials.forks import Forks
from runner.watch.trials.lines import read_lines
from runner.watch.trials.questions import AskOutput
from tests.patience import wait_until
from tests.runner.graph_builder import GraphBuilder

pytestmark = pytest.mark.services
LOOP = "while True: pass"
LOOKS = 10


@pytest.fixture(autouse=True)
def allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")


@pytest.fixture
def forks() -> Iterator[Forks]:
    found = Forks()
    yield found
    found.close()


def trial(statement: str) -> bytes:
    """One whose record comes to a statement of Python before it goes on."""
    lines = (
        "class Own(Processor):",
        "    def process(self, record):",
        f"        {statement}",
        "        self.context.forward(record)",
    )
    code = "\n".join(lines)
    builder = GraphBuilder().stream("orders", STRING)
    builder.add(
        "own",
        "process",
        {"code": code, "key_type": {"kind": "string"}, "value_type": {"kind": "string"}},
        stream="orders",
    )
    given = [list(each) for each in read_lines('{"topic": "orders", "key": "a", "value": "b"}')]
    asked = AskOutput(graph=builder.graph.to_json(), schemas={}, node="own", records=[], given=given)
    return exact_json.dumps(asked.to_json())


def count(answer: bytes) -> Any:
    return exact_json.loads(answer)["outputs"]["result"]["count"]


def servers() -> list[psutil.Process]:
    return [each for each in psutil.Process().children() if "runner.watch.trials" in each.cmdline()]


def server() -> psutil.Process:
    return servers()[0]


def wait_for_waiting_process() -> psutil.Process:
    """The process of the next trial, once all others have ended. One that has answered is a child for a moment more."""
    looks: list[list[psutil.Process]] = []

    def is_alone() -> bool:
        looks.append(server().children())
        return len(looks) >= LOOKS and all(len(each) == 1 and each == looks[-1] for each in looks[-LOOKS:])

    wait_until(is_alone)
    return looks[-1][0]


def test_trials_run_side_by_side(forks: Forks):
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: forks.ask(trial("print('x' * 100_000)"), 60), range(8)))

    assert [count(answer) for answer in answers] == [1] * 8


def test_one_that_takes_too_long_is_killed_alone(forks: Forks):
    forks.ask(trial("pass"), 60)

    with ThreadPoolExecutor(1) as thread:
        other = thread.submit(forks.ask, trial("import time; time.sleep(4)"), 60)
        with pytest.raises(TimeoutError):
            forks.ask(trial(LOOP), 2)
        assert count(other.result()) == 1

    wait_for_waiting_process()


def test_one_that_ends_early_says_why(forks: Forks):
    large = exact_json.loads(forks.ask(trial("x = bytearray(3 << 30)"), 60))
    gone = forks.ask(trial("import os; os.kill(os.getpid(), 9)"), 60)

    assert large == {"ended": "MemoryError"} or "MemoryError" in str(large["failed"])
    assert gone == b""


def test_a_killed_process_that_waited_for_its_trial_is_replaced(forks: Forks):
    forks.ask(trial("pass"), 60)
    waiting = wait_for_waiting_process()

    waiting.kill()
    waiting.wait()

    assert count(forks.ask(trial("pass"), 60)) == 1


def test_a_killed_server_is_replaced(forks: Forks):
    forks.ask(trial("pass"), 60)
    first = server()

    first.kill()
    first.wait()

    assert count(forks.ask(trial("pass"), 60)) == 1
    assert server().pid != first.pid


def test_trials_end_with_their_owner(forks: Forks):
    with ThreadPoolExecutor(1) as thread:
        endless = thread.submit(forks.ask, trial(LOOP), 120)
        wait_until(lambda: any(len(each.children()) == 2 for each in servers()))
        forks.close()

        assert endless.result() == b""
