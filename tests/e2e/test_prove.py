"""A change of the running sample, proved before it ships."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.e2e.conftest import STARTS_WITHIN_MS
from tests.e2e.desk import EditorPage
from tests.e2e.pages import HomePage
from tests.e2e.screens import edit_running
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]
CHANGED, BEFORE = "dep_delay > 30", "dep_delay > 60"


@contextmanager
def changed(desk: EditorPage) -> Iterator[None]:
    """The draft has another predicate meanwhile."""
    desk.select("late")
    desk.write("Predicate", CHANGED)
    expect(desk.saved).to_contain_text("Saved")
    yield
    desk.select("late")
    desk.write("Predicate", BEFORE)
    expect(desk.saved).to_contain_text("Saved")


def prove(desk: EditorPage) -> Locator:
    """Prove the draft to the end. Returns the drawer with the report."""
    desk.deploy().get_by_role("button", name="Prove it first").click()
    desk.drawer.get_by_role("button", name="Prove the draft").click()
    expect(desk.drawer.get_by_role("button", name="Cut over …")).to_be_visible(timeout=STARTS_WITHIN_MS)
    return desk.drawer


def find_job(product: Product) -> int:
    """The sample's job, once it has batches to prove a change over."""
    (job,) = (int(each["id"]) for each in product.get("/jobs") if each["name"] == "flight-delays")
    product.wait(lambda: (product.batch(job) or 0) > 2, "batches to prove a change over")
    return job


@pytest.mark.soak
def test_a_change_is_proved_beside_the_running_version(home: HomePage, product: Product) -> None:
    desk = edit_running(home)
    find_job(product)
    with changed(desk):
        drawer = prove(desk)

        expect(drawer.get_by_text(re.compile(r"first node that differs: late\."))).to_be_visible()
        expect(drawer).to_contain_text("The running version gives the same bytes again that the job wrote.")
        expect(desk.node("late")).to_contain_text(re.compile(r"≠ [\d.]+ %"))
        expect(drawer.get_by_role("region", name="Running version")).to_contain_text("No result.")
        expect(drawer.get_by_role("region", name="Draft")).to_contain_text("dep_delay")

        desk.select("departed")
        expect(drawer).to_contain_text("No difference begins at departed.")

        desk.select("late")
        drawer.get_by_role("button", name=re.compile(r"Follow .* through both versions")).click()
        ways = drawer.get_by_role("list", name="Steps of the record")
        late = ways.get_by_role("button", name="late ≠ something else")
        expect(late).to_have_attribute("aria-current", "step", timeout=STARTS_WITHIN_MS)
        expect(ways.get_by_role("button", name="late-flights ≠ only in the draft")).to_be_visible()
        expect(ways.get_by_role("button", name="departed")).not_to_contain_text("≠")
        sides = [
            drawer.get_by_role("region", name=name, exact=True) for name in ("The version at that time", "The draft")
        ]
        expect(sides[0]).not_to_contain_text("out (result)")
        expect(sides[1]).to_contain_text("out (result)")
        if folder := os.environ.get("PROOF_PICTURES"):
            desk.page.screenshot(path=f"{folder}/both-ways.png")


@contextmanager
def widened(desk: EditorPage) -> Iterator[None]:
    """The draft has a wider window meanwhile, so its store does not fit."""
    desk.select("hourly")
    desk.span("Size", 2, "h")
    expect(desk.saved).to_contain_text("Saved")
    yield
    desk.select("hourly")
    desk.span("Size", 1, "h")
    expect(desk.saved).to_contain_text("Saved")


def test_the_state_of_a_wider_window_is_rebuilt_from_the_topics(home: HomePage, product: Product) -> None:
    desk = edit_running(home)
    find_job(product)
    with widened(desk):
        desk.deploy().get_by_role("button", name="Prove it first").click()
        expect(desk.drawer).to_contain_text("The store hourly-delays of delays would start empty: Its windows changed.")
        expect(desk.drawer.get_by_label("with state")).to_have_value("1")

        desk.drawer.get_by_role("button", name="Prove the draft").click()
        expect(desk.drawer.get_by_role("button", name="Cut over …")).to_be_visible(timeout=STARTS_WITHIN_MS)

        expect(desk.drawer).to_contain_text(re.compile("rebuilt from .*flights"))
        expect(desk.drawer).to_contain_text("It takes over with the state that was rebuilt.")
        held = list[Route]()
        desk.page.route("**/api/jobs/*/proof", lambda route: held.append(route))
        desk.drawer.get_by_role("button", name="Cut over …").click()
        dialog = desk.page.get_by_role("dialog")
        # until the answer, nothing can be pressed that another button would take the place of
        expect(dialog.get_by_role("button", name="Prove it first")).to_be_disabled()
        expect(dialog).to_contain_text("Application id")
        expect(dialog.get_by_role("button", name="Deploy")).to_be_disabled()
        for route in held:
            route.continue_()
        desk.page.unroute("**/api/jobs/*/proof")
        expect(dialog).to_contain_text("It takes over with the state that was rebuilt.")
        expect(dialog.get_by_role("button", name="Cut over")).to_be_enabled()
        if folder := os.environ.get("PROOF_PICTURES"):
            desk.page.screenshot(path=f"{folder}/rebuilt-cut-over.png")
        desk.page.keyboard.press("Escape")
