"""A version of a life turns out to be wrong: its results are corrected, and the right one goes on with its state."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from tests.proof.life import Life
from tests.proof.life_job import draw_graph
from tests.proof.product import Product


def correct(life: Life, place: str = "") -> None:
    """The records since a batch were right only if they are even: correct the counts, and count on from there.

    With a place, the run dies there that takes over with the corrected state.
    """
    product, right = life.product, Counter(life.oracle.counts)
    fed = len(life.oracle.records)
    last = product.wait(lambda: _find_batch(life, fed), "the last right batch to be known")
    life.feed()
    life.agree("wrong records")
    life.stop()
    right += count_even(life, fed)
    _draw_right(life)

    product.post(
        f"/jobs/{life.job}/correction", {"batch": last["last_batch"] + 1, "topic": f"{life.prefix}-corrections"}
    )
    _await_correction(life, "ready")
    product.post(f"/jobs/{life.job}/correction/send")
    _await_correction(life, "sent")
    await_counts(life, right)
    if place:
        product.fail_at(place)
    life.run_before = product.job(life.job)["run"]
    fed = len(life.oracle.records)
    life.feed()
    product.post(f"/jobs/{life.job}/correction/take-over")
    if place:
        life._await_death(place)
    life.await_run()
    await_counts(life, right + count_even(life, fed))
    assert find_gaps(life) == []


def list_batches(product: Product, job: int) -> list[dict[str, Any]]:
    batches: list[dict[str, Any]] = product.get(f"/jobs/{job}/batches")["batches"]
    return batches


def _find_batch(life: Life, fed: int) -> Any:
    """The newest run, once it is known that it has read so many records."""
    run = life.product.get(f"/jobs/{life.job}/runs")[0]
    return run if sum(run["offsets"].get(f"{life.prefix}-in", ())) == fed else None


def count_even(life: Life, since: int) -> Counter[str]:
    """The even records of each key that were fed after so many."""
    return Counter(each.key for each in life.oracle.records[since:] if each.n % 2 == 0)


def await_counts(life: Life, right: Counter[str]) -> None:
    """Wait until the newest count of each key is right."""

    def find_newest() -> dict[str, int]:
        life.outputs.poll()
        return {key: values[-1] for key, values in life.outputs.found["count"].items()}

    life.product.wait(lambda: find_newest() == right, f"the counts to be {dict(right)}")


def find_gaps(life: Life) -> list[str]:
    """Keys that were not counted by ones, but where a correction has set them back."""
    return [
        key
        for key, values in life.outputs.found["count"].items()
        if sum(after != before + 1 for before, after in pairwise(values)) > 1
    ]


def _draw_right(life: Life) -> None:
    graph = draw_graph(life.prefix, life.shape)
    next(node for node in graph["nodes"] if node["id"] == "kept")["config"]["predicate"] = "n % 2 = 0"
    path = f"/topologies/{life.topology}/draft"
    life.product.send("PUT", path, {"revision": life.product.get(path)["revision"], "graph": graph})


def _await_correction(life: Life, status: str) -> None:
    def find() -> Any:
        found = life.product.get(f"/jobs/{life.job}/correction")
        return None if found["status"] in ("preparing", "sending") else found

    found = life.product.wait(find, f"the correction to be {status}")
    assert found["status"] == status, found["failure"]
