"""Flight delays on a Spark cluster that loses an executor: a browser shows it, and the results stay right.

`python -m tests.soak.executors` keeps what it saw in `.run/executors`. Needs what `tests/cluster/hosts.py` needs.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from runner.demo.samples.flights import TABLES
from tests.cluster.conftest import Cluster, running_cluster
from tests.cluster.product import ClusterProduct
from tests.e2e.conftest import ARGUMENTS, PATIENCE_MS, open_tab, quiet, sign_in
from tests.e2e.pages import HomePage
from tests.proof.compare import all_flights_equal_the_oracle
from tests.proof.product import ROOT
from webapp.local import chromium

SEEN = ROOT / ".run" / "executors"
FLIGHTS = 10_000
RATE = 100
SLOTS = 4


def see_loss() -> None:
    """Asserts that the page tells of the executors and of the lost one, and that nothing is lost or repeated."""
    folder = Path(tempfile.mkdtemp(prefix="soak-executors-"))
    shutil.rmtree(SEEN, ignore_errors=True)
    SEEN.mkdir(parents=True)
    print(f"{FLIGHTS} flights, files in {folder}", flush=True)
    with running_cluster(folder) as cluster, ClusterProduct(folder / "home", cluster) as product:
        product.feed("--tables-only").wait()
        product.wait(lambda: product.topics() >= {"flights", *TABLES}, "the sample's topics")
        job = product.deploy_sample("flight-delays", spark=product.register_spark(), slots=SLOTS)
        product.wait(lambda: product.batch(job) is not None, "the first batch")
        feed = product.feed("--rate", str(RATE), "--max", str(FLIGHTS))
        with tab(product) as page:
            see(page, product, cluster)
        feed.wait()
        assert all_flights_equal_the_oracle(product, job) == FLIGHTS
    print(f"{FLIGHTS} flights on a Spark cluster that lost an executor: nothing lost, nothing repeated")


@contextmanager
def tab(product: ClusterProduct) -> Iterator[Page]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find_executable(ROOT / ".run"), args=ARGUMENTS)
        with open_tab(browser) as page, quiet(page):
            sign_in(page, product)
            page.goto(f"{product.http.base_url}/")
            yield page
        browser.close()


def see(page: Page, product: ClusterProduct, cluster: Cluster) -> None:
    """What the job's page and its log say of executors, before and after one is killed."""
    addresses = [host.address for host in cluster.spark.network.hosts]
    job = HomePage(page).details("Flight delays")
    memory = page.get_by_role("region", name="Memory by host")
    for address in addresses:
        expect(memory).to_contain_text(re.compile(rf"{re.escape(address)} executors\s*[\d.,]+\s?\w*B"))
    expect(memory).to_contain_text("control driver")
    expect(page.get_by_text("on 3 hosts")).to_be_visible()
    keep(page, "memory")

    lost = cluster.spark.network.hosts[0]
    cluster.spark.executors()[0].kill()
    notice = page.get_by_role("status").filter(has_text=f"Host {lost.address} lost an executor")
    expect(notice).to_contain_text(re.compile(r"It took [\d.]+ (ms|s)"))
    expect(job.runs).to_contain_text(lost.address)
    keep(page, "loss")

    page.goto(f"{product.http.base_url}/")
    desk = HomePage(page).edit("Flight delays")
    desk.drawer.get_by_role("tab", name="Log").click()
    expect(desk.drawer).to_contain_text(f"Executor {lost.address}")
    expect(desk.drawer).not_to_contain_text("HashMap")  # as Spark prints beside each snapshot
    keep(page, "log")


def keep(page: Page, name: str) -> None:
    page.screenshot(path=SEEN / f"{name}.png", full_page=True)


if __name__ == "__main__":
    see_loss()
