"""Every application of the gallery runs with sample data in a product, gives results, and is removed without a trace.

`python -m tests.soak.gallery` prints the seconds to the first result of each, and with names it runs only these.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Collection

from runner.demo.gallery import read_gallery
from tests.gallery.test_cycles import WAITS_FOR_THE_CLOCK
from tests.proof.product import Product, make_home


def silent_applications(names: Collection[str] = ()) -> int:
    """How many applications, of all or of some, give no result or leave something behind; prints each."""
    home = make_home()
    with Product(home, standby=True, variables={"STREAMWRIGHT_ALLOW_PYTHON": "1"}) as product:
        wrong = sum(not _runs(product, application) for application in names or read_gallery())
    if not wrong:
        shutil.rmtree(home)
    return wrong


def _runs(product: Product, application: str) -> bool:
    topics = product.topics()
    began = time.monotonic()
    topology = product.post(f"/gallery/{application}/run", {})["topology"]
    (job,) = [each["id"] for each in product.get("/jobs") if each["topology"] == topology]
    nodes = product.get(f"/topologies/{topology}/draft")["graph"]["nodes"]
    sinks = [node["id"] for node in nodes if node["operator"] == "to"]

    def has_results() -> bool:
        counts = (product.live(job)["numbers"] or {}).get("nodes", {})
        return any(counts.get(sink, {}).get("in", 0) for sink in sinks)

    if application not in WAITS_FOR_THE_CLOCK:
        try:
            product.wait(has_results, f"a result of {application}")
        except AssertionError as error:
            print(f"{application}: {error}; {product.job(job)['failure']}", flush=True)
            return False
    print(f"{application}: {time.monotonic() - began:.1f} s", flush=True)
    product.delete(f"/topologies/{topology}/sample-data")
    product.wait(lambda: all(each["id"] != topology for each in product.get("/topologies")), "the removal")
    left = product.topics() - topics - {"streamwright-markers"}
    if left:
        print(f"{application} left {sorted(left)}")
    return not left


if __name__ == "__main__":
    sys.exit(bool(silent_applications(sys.argv[1:])))
