"""A change of the running sample, proved before it ships."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import HomePage
from tests.e2e.screens import edit_running
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]
CHANGED, BEFORE = "dep_delay > 30", "dep_delay > 60"


def test_a_change_is_proved_beside_the_running_version_and_kept_as_a_test_case(
    home: HomePage, product: Product
) -> None:
    desk = edit_running(home)
    (job,) = (each["id"] for each in product.get("/jobs") if each["name"] == "flight-delays")
    product.wait(lambda: (product.batch(job) or 0) > 2, "batches to prove a change over")
    desk.select("late")
    desk.field("Predicate").fill(CHANGED)
    expect(desk.saved).to_contain_text("Saved")
    try:
        desk.deploy().get_by_role("button", name="Prove it first").click()
        drawer = desk.drawer
        drawer.get_by_role("button", name="Prove the draft").click()

        expect(drawer.get_by_text(re.compile(r"first node that differs: late\."))).to_be_visible(timeout=120_000)
        expect(drawer.get_by_role("button", name="Prove the draft")).to_be_enabled(timeout=120_000)
        expect(drawer).to_contain_text("The running version gives the same bytes again that the job wrote.")
        expect(desk.node("late")).to_contain_text(re.compile(r"≠ [\d.]+ %"))
        expect(drawer.get_by_role("region", name="Running version")).to_contain_text("No result.")
        expect(drawer.get_by_role("region", name="Draft")).to_contain_text("dep_delay")

        desk.select("departed")
        expect(drawer).to_contain_text("No difference begins at departed.")
        desk.select("late")
        drawer.get_by_role("button", name="Make this a test case").click()
        case = drawer.get_by_role("listitem").filter(has_text="late-flights: extra since flights-")
        expect(case).to_contain_text("Failed")
        case.get_by_role("button").first.click()
        drawer.get_by_role("button", name="Delete", exact=True).click()
        desk.confirm("Delete")
    finally:
        desk.select("late")
        desk.field("Predicate").fill(BEFORE)
        expect(desk.saved).to_contain_text("Saved")
