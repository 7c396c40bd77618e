"""The first minutes: the printed address opens on the sample, a tour shows around, the feed is there to play with."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.e2e.conftest import STARTS_WITHIN_MS, sign_in
from tests.e2e.desk import EditorPage
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]
HINTS = 6


@pytest.fixture
def untouched(browser: Browser) -> Iterator[Page]:
    """A tab of a browser that has never seen Streamwright."""
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    yield context.new_page()
    context.close()


@pytest.fixture
def newcomer(untouched: Page, product: Product) -> Page:
    """Who is signed in for the first time, where the printed address leads."""
    sign_in(untouched, product)
    untouched.goto(f"{product.http.base_url}/enter")
    return untouched


def hint(page: Page) -> Locator:
    return page.get_by_role("dialog").filter(has=page.get_by_role("button", name="Skip"))


def test_the_printed_address_opens_on_the_sample_with_live_numbers(untouched: Page, one_time_url: str) -> None:
    desk = EditorPage(untouched)

    untouched.goto(one_time_url)

    expect(untouched).to_have_url(re.compile(r"/topologies/\d+$"))
    expect(desk.node("flights")).to_contain_text(re.compile(r"[1-9][\d,.]*/s"), timeout=STARTS_WITHIN_MS)


def test_a_tour_of_the_sample_is_shown_when_asked_for(newcomer: Page) -> None:
    desk = EditorPage(newcomer)
    expect(desk.node("flights")).to_be_visible()
    desk.choose("Show the tour")
    for number in range(1, HINTS + 1):
        expect(hint(newcomer).or_(newcomer.get_by_role("dialog"))).to_contain_text(f"{number} of {HINTS}")
        newcomer.get_by_role("dialog").get_by_role("button").last.click()
    expect(newcomer.get_by_role("dialog")).to_have_count(0)

    newcomer.reload()
    expect(EditorPage(newcomer).node("flights")).to_be_visible()
    newcomer.wait_for_load_state("networkidle")

    expect(newcomer.get_by_role("dialog")).to_have_count(0)


def test_the_tour_counts_a_part_of_the_screen_that_comes_late(newcomer: Page) -> None:
    def hold(route: Route) -> None: ...

    newcomer.route("**/api/sample-feed", hold)
    newcomer.reload()
    desk = EditorPage(newcomer)
    expect(desk.node("flights")).to_be_visible()
    desk.choose("Show the tour")
    expect(newcomer.get_by_role("dialog")).to_contain_text(f"1 of {HINTS - 2}")

    newcomer.unroute("**/api/sample-feed")  # lets those pass that were held

    expect(newcomer.get_by_role("dialog")).to_contain_text(f"1 of {HINTS}")


def test_the_feed_is_paused_and_broken_records_are_accounted_for(newcomer: Page) -> None:
    desk = EditorPage(newcomer)
    panel = newcomer.get_by_role("region", name="Sample feed")
    expect(panel).to_contain_text("Nothing lost", timeout=STARTS_WITHIN_MS)

    panel.get_by_role("button", name="Pause").click()
    expect(panel).to_contain_text("paused")
    panel.get_by_role("button", name="Send ten broken records").click()

    desk.node("flights").click()
    desk.open_tab("Dead letters")
    expect(desk.drawer.get_by_role("table", name="Dead letters").get_by_role("row").nth(10)).to_be_visible()
    desk.fold_drawer()
    expect(panel).to_contain_text("Nothing lost")

    panel.get_by_role("button", name="Resume").click()
    expect(panel).not_to_contain_text("paused")


def test_the_deployed_version_can_be_looked_at_beside_the_draft(newcomer: Page) -> None:
    desk = EditorPage(newcomer)
    expect(desk.status).to_have_text("Running", timeout=STARTS_WITHIN_MS)
    desk.drag_in("filter", 420, 60)
    expect(desk.node("filter")).to_contain_text("New")

    newcomer.get_by_role("radio", name="Running").click()

    expect(desk.node("filter")).to_have_count(0)
    expect(desk.node("flights")).to_contain_text("/s")
    newcomer.get_by_role("radio", name="Draft").click()
    expect(desk.node("filter")).to_be_visible()
    newcomer.keyboard.press("Control+z")
    expect(desk.node("filter")).to_have_count(0)
    expect(desk.saved).to_have_text("Saved")
