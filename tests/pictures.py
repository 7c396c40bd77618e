"""`make pictures`: the README's screenshots, taken from the running product."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect

from runner.demo.samples.flights import TABLES
from tests.bench.canvas import page_of
from tests.e2e.desk import EditorPage
from tests.proof.product import ROOT, Product

IMAGES = ROOT / "docs" / "images"
SETTLING_MS = 25_000


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="pictures-") as folder:
        product = Product(Path(folder) / "home", standby=True)
        product.start()
        feed = product.feed("--loop", "--rate", "500")
        try:
            product.wait(lambda: product.topics() >= {"flights", *TABLES}, "the sample's topics")
            job = product.deploy_sample("flight-delays")
            product.wait(lambda: product.batch(job) is not None, "the first batch")
            with page_of(product) as page:
                take(page)
        finally:
            feed.terminate()
            feed.wait()
            product.stop()


def take(page: Page) -> None:
    """The canvas with live numbers in light and dark, a node's settings and records, the home page."""
    page.set_viewport_size({"width": 1440, "height": 860})
    page.get_by_role("link", name="Flight delays", exact=True).click()
    desk = EditorPage(page)
    expect(desk.node("flights")).to_be_visible()
    page.mouse.move(720, 600)  # over nothing
    page.wait_for_timeout(SETTLING_MS)
    keep(page, "canvas", "light")
    keep(page, "canvas-dark", "dark")
    desk.node("late").click()
    desk.open_tab("Metrics")
    page.wait_for_timeout(1_500)
    keep(page, "metrics", "light")
    desk.node("flights").click()
    desk.open_tab("Records")
    page.wait_for_timeout(1_500)
    keep(page, "records", "dark")
    page.get_by_role("link", name="Streamwright: all topologies").click()
    page.wait_for_timeout(3_000)
    keep(page, "home", "light")


def keep(page: Page, name: str, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.wait_for_timeout(400)
    page.screenshot(path=IMAGES / f"{name}.png")
    print(IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
