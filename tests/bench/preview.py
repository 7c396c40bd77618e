"""The preview behind a keystroke: a graph of 20 nodes is tried on 100 records, each time with another expression."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tests.bench.canvas import edge, node
from tests.bench.figures import Row
from tests.proof.product import Product

NODES, RECORDS, KEYSTROKES = 20, 100, 60


def preview(product: Product) -> Iterator[Row]:
    product.feed("--rate", "0", "--max", str(RECORDS)).wait()
    product.post("/trials", trial(0))
    times = []
    for number in range(KEYSTROKES):
        begun = time.monotonic()
        answer = product.post("/trials", trial(number))
        times.append((time.monotonic() - begun) * 1_000)
        assert answer["outputs"]["result"]["count"] > 0, answer
    cut = statistics.quantiles(times, n=20)
    about = f"{NODES} nodes, {RECORDS} records, {KEYSTROKES} expressions, over HTTP; median {cut[9]:.0f} ms"
    yield "preview after a keystroke, p95", f"{cut[18]:.0f} ms", f"{about}; aim ≤ 60 ms"


def trial(number: int) -> dict[str, Any]:
    """A line of filters behind the flights; the last is the one that is edited."""
    names = ["flights", *(f"step-{place}" for place in range(1, NODES))]
    nodes = [node("flights", "stream", {"topic": "flights"}, 0, 0)]
    edges = []
    for place, (before, name) in enumerate(pairwise(names), 1):
        at_least = number if name == names[-1] else 1
        nodes.append(node(name, "filter", {"predicate": f"distance > {at_least}"}, place, 0))
        edges.append(edge(before, name, "records"))
    return {"graph": {"nodes": nodes, "edges": edges}, "node": names[-1]}
