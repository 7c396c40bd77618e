"""Lives of jobs by the hundred: random deploys, kills, moves and damages, each step compared with an oracle.

`python -m tests.soak.lives --seed 1 --count 200` draws the lives 1/0 to 1/199. With `--from v0.1.0` each life begins in
that release, and goes on here after an upgrade. `--clusters` lets jobs move to two Spark clusters on this machine, each
with its own checkpoint folder, and back. `--steps "kill:planned! change-filter batches"` lives these steps instead.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from tests.cluster.standalone import MASTER, SPARK, WORKER, await_there
from tests.java import ONE_COMPILER
from tests.proof.life import DRAWN, Life, draw, live, shorten
from tests.proof.product import Product, make_home
from tests.soak.upgrade import WAYS, Before, checkout, end
from webapp.local.java import find_java
from webapp.local.ports import choose_port

LENGTH = 8
"""Steps of a life."""
CLUSTERS = ("life-one", "life-two")
ON_ONE_MACHINE = tuple(step for step in DRAWN if step != "move")
BEFORE_UPGRADES = ("slots", "settings", "partition", "stop", "start", "kill", "batches", "host-dies")
"""Steps that release 0.1.0 takes as the oracle does. It loses windows when only their grace changes."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.lives")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="The number of the first life.")
    parser.add_argument("--length", type=int, default=LENGTH)
    parser.add_argument("--steps", default="", help="Live these steps once, instead of drawn ones.")
    parser.add_argument("--from", dest="commit", default="", help="A release in which each life begins.")
    parser.add_argument("--clusters", action="store_true", help="Jobs may move to Spark clusters.")
    parser.add_argument("--as-drawn", action="store_true", help="Do not shorten a life that fails.")
    parser.add_argument("--at-once", type=int, default=1, help="Lives at the same time, in one product.")
    asked = parser.parse_args()
    os.environ.setdefault("JAVA_TOOL_OPTIONS", ONE_COMPILER)
    drawn = asked.seed, asked.first, asked.count, asked.length
    told = {asked.seed: asked.steps.split()} if asked.steps else {}
    if asked.commit:
        sys.exit(failing_upgrades(asked.commit, told or draw_upgraded_lives(*drawn)))
    lives = told or draw_lives(*drawn, has_clusters=asked.clusters)
    shortens = not asked.as_drawn and asked.at_once == 1
    sys.exit(failing_lives(lives, has_clusters=asked.clusters, shortens=shortens, at_once=asked.at_once))


def draw_lives(seed: str, first: int, count: int, length: int = LENGTH, *, has_clusters: bool) -> dict[str, list[str]]:
    """The steps of each life, by its seed."""
    steps = DRAWN if has_clusters else ON_ONE_MACHINE
    return {life: draw(life, length, steps) for life in name_lives(seed, first, count)}


def draw_upgraded_lives(seed: str, first: int, count: int, length: int = LENGTH) -> dict[str, list[str]]:
    """The steps of each life that begins in a release, by its seed. The first half comes before the upgrade."""
    half = length // 2
    return {
        life: draw(f"{life} before", half, BEFORE_UPGRADES) + draw(life, length - half, ON_ONE_MACHINE)
        for life in name_lives(seed, first, count)
    }


def name_lives(seed: str, first: int, count: int) -> list[str]:
    return [f"{seed}/{number}" for number in range(first, first + count)]


def failing_lives(
    lives: Mapping[str, Sequence[str]], *, has_clusters: bool = False, shortens: bool = True, at_once: int = 1
) -> int:
    """How many of the lives fail. Prints each, and the shortest form of one that fails.

    Lives that are lived at once share a product, its hosts and its failpoint: a kill may meet the run of another one.
    """
    home = make_home("lives")
    product = Product(home, standby=True)
    with ExitStack() as stack:
        if has_clusters:
            master = stack.enter_context(spark_cluster(home))
        stack.enter_context(product)
        clusters = [register(product, name, master, home) for name in CLUSTERS] if has_clusters else []

        def fails(seed: str) -> bool:
            began = time.monotonic()
            fault = live(product, seed, lives[seed], clusters)
            tell(seed, lives[seed], fault, began)
            if fault and shortens:
                least = shorten(lambda fewer: bool(live(product, seed, fewer, clusters)), lives[seed])
                print(f"life {seed} in short: {' '.join(least)}", flush=True)
            return bool(fault)

        pool = ThreadPoolExecutor(at_once)
        stack.callback(pool.shutdown, cancel_futures=True)
        failed = sum(pool.map(fails, lives))
    if not failed:
        shutil.rmtree(home)
    return failed


def failing_upgrades(commit: str, lives: Mapping[str, Sequence[str]]) -> int:
    """How many lives fail that begin in a release. Half of their steps are before the upgrade."""
    failed = 0
    with checkout(commit) as root:
        for number, (seed, steps) in enumerate(lives.items()):
            began = time.monotonic()
            fault = upgrade(root, seed, steps, WAYS[number % len(WAYS)])
            tell(seed, steps, fault, began)
            failed += bool(fault)
    return failed


def upgrade(root: Path, seed: str, steps: Sequence[str], way: str) -> str:
    """Live half of the steps in the product of `root`, and the rest here. Return what went wrong, or an empty text."""
    home, half = make_home("lives"), len(steps) // 2
    old, new = Before(home, root=root), Product(home)
    old.start()
    try:
        life = Life(old, seed)
        life.begin()
        for step in steps[:half]:
            life.take(step)
    except AssertionError as error:
        end(old, way)
        return f"before the upgrade, which says nothing about this version: {error}"
    end(old, way)
    try:
        with new:
            life.go_on(new)
            for step in steps[half:]:
                life.take(step)
            life.end()
    except AssertionError as error:
        return f"{life.prefix} after the upgrade by {way}: {error}"
    shutil.rmtree(home)
    return ""


def tell(seed: str, steps: Sequence[str], fault: str, began: float) -> None:
    took = f"{time.monotonic() - began:.0f} s"
    print(f"life {seed}: {' '.join(steps)}: {fault or 'as the oracle'}, {took}", flush=True)


def register(product: Product, name: str, master: str, home: Path) -> str:
    """Tell the product of the Spark cluster by this name, with a checkpoint folder of its own."""
    (folder := home / name).mkdir()
    wanted = {"name": name, "master": master, "checkpoint_root": str(folder), "python": sys.executable}
    return str(product.post("/spark-clusters", wanted | {"is_untested": True})["name"])


@contextmanager
def spark_cluster(folder: Path) -> Iterator[str]:
    """A standalone master with one worker on this machine; its address."""
    port = choose_port(folder, "spark-master")
    address, limits = (
        f"spark://127.0.0.1:{port}",
        ("--cores", "2", "--memory", "2g", "--work-dir", str(folder / "work")),
    )
    with ExitStack() as stack:
        start = partial(_start_daemon, stack, folder)
        start("master", MASTER, "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        start("worker", WORKER, "--host", "127.0.0.1", "--webui-port", "0", *limits, address)
        yield address


def _start_daemon(stack: ExitStack, folder: Path, name: str, *command: str) -> None:
    log = folder / f"spark-{name}.log"
    with log.open("wb") as to:
        daemon = subprocess.Popen(
            [SPARK / "bin" / "spark-class", *command],
            env={
                "PATH": os.environ["PATH"],
                "JAVA_HOME": str(find_java().parents[1]),
                "SPARK_HOME": str(SPARK),
                "SPARK_LOCAL_IP": "127.0.0.1",
            },
            stdout=to,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    stack.callback(lambda: os.killpg(daemon.pid, signal.SIGKILL))
    said = "Successfully registered with master" if name == "worker" else "I have been elected leader"
    await_there(lambda: said in log.read_text(errors="replace"), log)


if __name__ == "__main__":
    main()
