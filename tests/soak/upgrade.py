"""A product of the last release, with jobs, state and drafts, goes on in this checkout: nothing lost, nothing twice.

The last release is the newest tag before this commit. `python -m tests.soak.upgrade [--from COMMIT]` upgrades twice:
after a stop, and after kill -9 of all processes.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from runner.demo.samples import FLIGHT_DELAYS, get_sample
from runner.demo.samples.feed import count_records, find_delivered
from tests.proof.compare import delays_equal, late_flights_equal
from tests.proof.oracle import delays_by_airport
from tests.proof.product import ROOT, Answer, Product, make_home

FIRST_RELEASE = "5af7d665"
"""0.1.0, for clones in which no tag names it."""
WAYS = ("stop", "kill")
FLIGHTS = 3_000
FLIGHTS_A_BROKEN = 300
OUTPUTS = ("late-flights", "delays-by-airport")
RUNNING, STOPPED = "flight-delays", "stopped-delays"
RENAMED = {"blocked": "is_blocked", "stale": "is_stale"}
"""What v0.1.0 calls otherwise in its answers."""
CASE = '{"topic": "airlines", "key": "ZZ", "value": {"carrier": "ZZ", "name": "Nobody flies it"}, "timestamp": 1000}'


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.upgrade")
    parser.add_argument("--from", dest="commit", default=last_release())
    upgrades(parser.parse_args().commit)


def last_release(root: Path = ROOT, commit: str = "HEAD^") -> str:
    """The newest tag of a release up to a commit, or 0.1.0. HEAD may be one itself, and upgrades the one before."""
    command = ["git", "describe", "--tags", "--match", "v[0-9]*", "--abbrev=0", commit]
    found = subprocess.run(command, cwd=root, capture_output=True, text=True)
    return found.stdout.strip() or FIRST_RELEASE


def upgrades(commit: str | None = None) -> None:
    """Upgrade from a commit, or the last release, in each way; raises AssertionError if something is lost."""
    commit = commit or last_release()
    with checkout(commit) as root:
        for way in WAYS:
            began = time.monotonic()
            flights = upgrade(root, way)
            print(
                f"upgrade from {commit} after {way}: {flights:,} flights, {time.monotonic() - began:.0f} s", flush=True
            )


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """The code of a commit, on the packages that this checkout has installed."""
    with tempfile.TemporaryDirectory(prefix="upgrade-code-") as folder:
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        root = Path(folder)
        root.chmod(0o755)
        if (pages := ROOT / "frontend" / "dist").exists():
            shutil.copytree(pages, root / "frontend" / "dist")
        yield root


def upgrade(root: Path, way: str) -> int:
    """Upgrade the product of `root` after a stop or a kill; how many flights both jobs then hold."""
    home = make_home("upgrade")
    old, new = Before(home, root=root), Product(home)
    old.start()
    try:
        jobs = deploy(old)
        before = history(old, jobs)
        state = {name: old.job(job) for name, job in jobs.items()}
        batch = last_batch(old, jobs[RUNNING])
        feed = old.feed("--rate", "400", "--bad", str(FLIGHTS_A_BROKEN))
        old.wait(lambda: last_batch(old, jobs[RUNNING]) > batch + 2, "batches while the feed writes")
    finally:
        end(old, way)
    feed.wait()
    with new:
        differs = list(differences(before, history(new, jobs)))
        assert not differs, "\n".join(differs)
        new.wait(lambda: new.batch(jobs[RUNNING]) is not None, "the first batch after the upgrade")
        assert last_batch(new, jobs[RUNNING]) > batch
        assert new.job(jobs[STOPPED])["status"] == "stopped"
        new.post("/jobs/deploy", {"version": state[STOPPED]["version"], "name": STOPPED, "on_state": "keep"})
        feed_all(new, jobs)
        for name, job in jobs.items():
            assert new.job(job)["epoch"] == state[name]["epoch"], f"{name} began a new epoch"
            assert new.job(job)["generation"] > state[name]["generation"], name
        flights = complete(new, state)
    shutil.rmtree(home)
    return flights


class Before(Product):
    """The product that is upgraded; its answers have the names of today."""

    def get(self, path: str) -> Answer:
        found = super().get(path)
        return {RENAMED.get(name, name): value for name, value in found.items()} if isinstance(found, dict) else found


def deploy(product: Product) -> dict[str, int]:
    """Two jobs with state, one of them stopped; dead letters, an edited draft, and a test case."""
    assert product.feed("--tables-only").wait() == 0
    jobs = {name: deploy_as(product, name) for name in (RUNNING, STOPPED)}
    feed_all(product, jobs)
    product.post(f"/jobs/{jobs[STOPPED]}/stop")
    product.wait_for_status(jobs[STOPPED], "stopped")
    topology = product.job(jobs[RUNNING])["topology"]
    product.post(f"/topologies/{topology}/cases", {"name": "An airline", "records": CASE, "expected": ""})
    draft = product.get(f"/topologies/{topology}/draft")
    node(draft["graph"], "late")["config"]["predicate"] = "dep_delay > 90"
    product.send("PUT", f"/topologies/{topology}/draft", {"revision": draft["revision"], "graph": draft["graph"]})
    return jobs


def deploy_as(product: Product, name: str) -> int:
    """Deploy "Flight delays" under a name; its output topics begin with the name."""
    topology = get_sample(FLIGHT_DELAYS) | {"name": name}
    for output in OUTPUTS:
        node(topology["graph"], output)["config"]["topic"] = f"{name}-{output}"
    created = product.post("/topologies/import", topology)
    return int(product.post("/jobs/deploy", {"topology": created["id"], "name": name})["id"])


def node(graph: Answer, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(node for node in graph["nodes"] if node["id"] == name)
    return found


def feed_all(product: Product, jobs: dict[str, int]) -> None:
    """Feed more flights, some malformed, until each job has read all."""
    options = ("--rate", "1500", "--max", str(FLIGHTS), "--bad", str(FLIGHTS_A_BROKEN))
    assert product.feed(*options).wait() == 0
    for job in jobs.values():
        product.await_read(job, "flights")


def end(product: Product, way: str) -> None:
    """Stop the product as a user does, or kill every process it has."""
    if way == "stop":
        for feed in product.processes("manage.py", "feed"):
            feed.send_signal(signal.SIGTERM)
        product.stop()
    else:
        product.http.close()
        product.kill_all()


def last_batch(product: Product, job: int) -> int:
    return max((run["last_batch"] or 0 for run in product.get(f"/jobs/{job}/runs")), default=0)


def history(product: Product, jobs: dict[str, int]) -> dict[str, Answer]:
    """What must read the same after the upgrade, by its address in the API."""
    paths = ["/topologies", f"/jobs/{jobs[STOPPED]}", f"/jobs/{jobs[STOPPED]}/runs"]
    for job in jobs.values():
        topology = product.job(job)["topology"]
        paths += [f"/jobs/{job}/events", f"/versions/{product.job(job)['version']}"]
        paths += [f"/topologies/{topology}/{what}" for what in ("draft", "versions", "cases")]
    return {path: product.get(path) for path in paths}


def differences(old: Answer, new: Answer, place: str = "") -> Iterator[str]:
    """Where the new answer lacks or changes what the old one says; it may say more."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in old:
            yield from differences(old[name], new.get(name, "nothing"), f"{place} {name}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(one, other, f"{place} {number}")
    elif old != new:
        yield f"{place}: {old!r} became {new!r}"


def complete(product: Product, jobs: dict[str, Answer]) -> int:
    """Both jobs hold the oracle's results of all flights, and each malformed record once among the dead letters."""
    done = find_delivered(product.kafka)
    flights = done.first_missing + len(done.beyond)
    broken = count_records(product.kafka, "flights") - flights
    expected = delays_by_airport(flights)
    for name, job in jobs.items():
        late_flights_equal(product.read(f"{name}-late-flights"), flights)
        delays_equal(product.read(f"{name}-delays-by-airport"), expected)
        letters = len(product.read(f"{job['application_id']}-dead-letters"))
        assert letters == broken > 0, f"{name}: {broken} malformed records, {letters} dead letters"
    return flights


if __name__ == "__main__":
    main()
