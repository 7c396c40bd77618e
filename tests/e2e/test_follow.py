"""Following a record of the running sample, and asking a node why nothing comes out."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Route, expect

from tests.e2e import screens
from tests.e2e.conftest import STARTS_WITHIN_MS
from tests.e2e.desk import EditorPage
from tests.e2e.pages import HomePage
from tests.e2e.screens import edit_running
from tests.e2e.test_break import break_records
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_record_of_a_topic_is_followed_by_keys_and_by_link(home: HomePage) -> None:
    desk = edit_running(home)
    page, drawer = desk.page, desk.drawer
    editor = page.url
    page.goto(urljoin(editor, "/topics/local/flights?at=0:0"))
    page.get_by_role("table", name="Records").get_by_role("button").first.click()
    page.get_by_role("link", name="Follow in Flight delays").click()

    steps = drawer.get_by_role("list", name="Steps of the record").get_by_role("button")
    expect(steps.first).to_be_focused()
    expect(drawer.get_by_text(re.compile("^Processed in the batch of"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?follow=flights:0:0$"))
    page.keyboard.press("ArrowRight")
    expect(steps.nth(1)).to_be_focused()
    expect(drawer.get_by_role("region", name=re.compile("^Step at "))).to_be_visible()
    expect(desk.canvas.locator(".at-step")).to_have_count(1)

    drawer.get_by_role("button", name="Stop following").click()
    expect(steps).to_have_count(0)
    page.go_back()
    expect(steps.first).to_be_focused()
    page.reload()
    expect(steps.first).to_be_focused()


def test_a_record_of_the_tail_is_followed_through_a_trial(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    drawer = desk.drawer
    desk.select("flights")
    desk.open_tab("Records")
    expect(drawer.get_by_role("table", name="Records")).to_be_visible()
    drawer.get_by_role("button", name="Pause").click()
    drawer.get_by_role("table", name="Records").get_by_role("button").first.click()
    drawer.get_by_role("button", name="Follow", exact=True).click()
    drawer.get_by_role("combobox", name="through").select_option("a trial")

    steps = drawer.get_by_role("list", name="Steps of the record").get_by_role("button")
    expect(steps.first).to_be_focused()
    expect(drawer.get_by_text("Arrow keys go from step to step.")).to_be_visible()


def test_a_record_of_a_trial_is_followed(home: HomePage) -> None:
    screens.tried_record(home)
    drawer = EditorPage(home.page).drawer
    drawer.get_by_role("table", name="Tried records").get_by_role(
        "button", name=re.compile("^Follow flights")
    ).first.click()

    expect(drawer.get_by_role("list", name="Steps of the record").get_by_role("button").first).to_be_focused()


def test_a_dead_letter_is_followed_to_where_it_failed(home: HomePage, product: Product) -> None:
    break_records(product, b"not JSON")
    desk = home.edit("Flight delays")
    desk.select("flights")
    desk.open_tab("Dead letters")
    letters = desk.drawer.get_by_role("table", name="Dead letters")
    letters.get_by_role("row").filter(has_text="not JSON").first.get_by_role("button").first.click()
    desk.drawer.get_by_role("button", name="Follow", exact=True).click()

    step = desk.drawer.get_by_role("region", name="Step at flights")
    expect(step).to_contain_text("cannot be decoded")


def test_a_row_leads_to_the_input_that_changed_it_and_an_output_to_the_inputs_that_made_it(home: HomePage) -> None:
    desk = edit_running(home)
    drawer = desk.drawer
    drawer.get_by_role("table", name=re.compile("^Rows of ")).get_by_role("button").first.click()
    drawer.get_by_role("button", name="Follow", exact=True).click()

    expect(drawer.get_by_text(re.compile(r"^Input: flights"))).to_be_visible()
    step = drawer.get_by_role("region", name="Step at delays")
    expect(step.get_by_role("table", name="Rows of the store")).to_be_visible()
    step.get_by_role("button", name="Made from …").first.click()
    made = step.get_by_role("region", name=re.compile("This output needs"))
    expect(made.get_by_role("button", name=re.compile("^Follow flights")).first).to_be_visible()
    made.get_by_role("button").first.click()
    expect(drawer.get_by_role("region", name="Step at flights")).to_be_visible()


def test_a_node_says_why_nothing_comes_out(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    expect(desk.node("planes")).to_contain_text("0/s", timeout=STARTS_WITHIN_MS)

    desk.ask_why("planes")

    expect(desk.inspector.get_by_role("region", name="Why is nothing coming out?")).to_contain_text(re.compile(r"\w+ "))
    expect(desk.inspector.get_by_role("button", name="Ask again")).to_be_visible()


def test_a_field_shows_where_it_comes_from_and_where_it_goes_to(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.select("with-airline")
    desk.inspector.get_by_text("Schema", exact=True).click()
    out = desk.inspector.get_by_role("region", name="Out", exact=True)
    out.get_by_role("button", name="airline", exact=True).click()

    lineage = desk.inspector.get_by_role("region", name="Lineage of value.airline")
    expect(lineage).to_contain_text(re.compile(r"Comes from\s*airlines value\.name copied"))
    expect(lineage).to_contain_text("with-plane")
    expect(lineage).to_contain_text(re.compile(r"Is written as\s*late-flights value\.airline"))
    way = desk.canvas.locator(".operator-node.on-way")
    expect(way).to_have_count(5)  # airlines, with-airline, with-plane, late and the sink

    # the next field shows nothing of this one while it is looked up
    held: list[Route] = []
    desk.page.route("**/api/lineage", lambda route: held.append(route))
    out.get_by_role("button", name="dep_delay", exact=True).click()
    lineage = desk.inspector.get_by_role("region", name="Lineage of value.dep_delay")
    expect(lineage.get_by_role("button", name="Close")).to_be_visible()
    expect(lineage.get_by_text("Comes from")).to_have_count(0)
    for one in held:
        one.continue_()
    desk.page.unroute("**/api/lineage")
    expect(lineage.get_by_text("Comes from")).to_be_visible()

    lineage.get_by_role("button", name="Close").click()
    expect(way).to_have_count(0)
    desk.select("delays-by-airport")
    desk.inspector.get_by_role("button", name="average_delay", exact=True).click()
    expect(desk.inspector.get_by_role("region", name="Lineage of value.average_delay")).to_contain_text("dep_delay")
