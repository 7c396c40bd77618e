"""What corrects the results of the running sample, and a breakpoint on it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import STARTS_WITHIN_MS
from tests.e2e.pages import HomePage
from tests.e2e.screens import edit_running
from tests.e2e.test_prove import changed, find_job
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.soak]


def test_wrong_results_are_corrected_since_a_batch_of_the_past(home: HomePage, product: Product) -> None:
    desk = edit_running(home)
    find_job(product)
    page, drawer = desk.page, desk.drawer
    with changed(desk):
        page.get_by_role("radio", name="Past").check()
        past = page.get_by_role("region", name="Past")
        slider = past.get_by_role("slider", name="Batch")
        expect(slider).to_have_attribute("max", re.compile("[1-9]"))
        slider.press("Home")
        past.get_by_role("button", name="Correct since here …").click()
        drawer.get_by_role("button", name="Work out the corrections").click()

        send = drawer.get_by_role("button", name="Send them")
        expect(send).to_be_disabled(timeout=STARTS_WITHIN_MS)  # the job runs
        expect(drawer).to_contain_text(re.compile(r"\d+ corrections of batches 0 to \d+, if the draft is right"))
        expect(drawer.get_by_role("list", name="Corrections by topic")).to_contain_text(
            re.compile(r"late-flights [\d,]+ missing records told in flight-delays-corrections")
        )
        expect(drawer.get_by_role("table", name="First corrections")).to_contain_text("missing record")

        desk.node("flights").click()
        desk.open_tab("Records")
        drawer.get_by_role("textbox", name=re.compile("^Condition on")).fill("dep_delay > 0")
        drawer.get_by_role("button", name="Watch from now").click()
        found = drawer.get_by_role("list", name="Breakpoints")
        expect(found).to_contain_text("which is pinned", timeout=STARTS_WITHIN_MS)
        found.get_by_role("button", name="Remove").click()
        expect(found).to_have_count(0)

        past.get_by_role("button", name="Back to now").click()
        page.get_by_role("radio", name="Draft").check()
