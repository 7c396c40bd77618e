"""Back in time over the kept batches of the running sample."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Request, expect

from tests.e2e.pages import HomePage
from tests.e2e.screens import edit_running

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_kept_batch_shows_its_nodes_edges_and_tables_and_why_a_value_is_what_it_is(home: HomePage) -> None:
    desk = edit_running(home)
    page, drawer = desk.page, desk.drawer
    page.get_by_role("radio", name="Past").check()
    past = page.get_by_role("region", name="Past")
    slider = past.get_by_role("slider", name="Batch")
    expect(past.get_by_role("status")).to_have_text(re.compile(r"^Batch .* records?"))

    expect(desk.node("flights")).to_contain_text(re.compile(r"flights\s*\d+"))

    drawer.get_by_role("combobox", name="Table").select_option("hourly-delays")
    rows = drawer.get_by_role("table", name="Rows of hourly-delays")
    rows.get_by_role("button").first.click()
    drawer.get_by_role("button", name=re.compile("^Why is it ")).click()
    made = drawer.get_by_role("table", name="Records that made it")
    expect(made.get_by_text(re.compile(r"^flights-\d+@\d+")).first).to_be_visible()

    desk.node("flights").click()
    desk.open_tab("Records")
    expect(drawer.get_by_role("table", name="Records of flights in the batch")).to_be_visible()

    expect(slider).to_have_attribute("max", re.compile("[1-9]"))
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    for _ in range(5):
        slider.press("ArrowLeft")
    with page.expect_request(re.compile(r"/batches/0\?node=")):
        slider.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^Batch 0 of "))
    page.remove_listener("request", note)
    assert sum("/batches/" in url and "node=" in url for url in asked) <= 2  # each executes a batch again

    past.get_by_role("button", name="Back to now").click()
    expect(past).to_have_count(0)
    expect(page.get_by_role("radio", name="Running")).to_be_checked()
