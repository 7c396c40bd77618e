"""Topics of a cluster: found, looked into, and written to."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import HomePage

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_page_that_the_server_failed_goes_on_by_itself(home: HomePage) -> None:
    page = home.page
    page.route("**/api/**/topic-facts", lambda route: route.fulfill(status=502, body="<html>Bad gateway</html>"))
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Topics").click()
    expect(page.get_by_text("The server answered 502 without a reason.")).to_be_visible()

    page.unroute_all()

    expect(page.get_by_role("table", name="Topics")).to_contain_text("flights", timeout=15_000)  # its polls are rarer
    expect(page.get_by_text("The server answered 502 without a reason.")).to_have_count(0)


def test_a_topic_is_made_written_to_searched_and_deleted(home: HomePage) -> None:
    page, name = home.page, f"pages-{uuid4().hex[:8]}"
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Topics").click()
    flights = page.get_by_role("table", name="Topics").get_by_role("row").filter(has=page.get_by_text("flights"))
    expect(flights.first).to_contain_text("Flight delays")

    page.get_by_role("button", name="New topic").click()
    page.get_by_role("dialog").get_by_role("textbox", name="Name").fill(name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()

    page.get_by_role("button", name="Send records").click()
    dialog = page.get_by_role("dialog", name=f"Send to {name}")
    dialog.get_by_role("textbox", name="Value").fill('{"id": 1}\n{"id": 2}\n{"id": 3}')
    expect(dialog.get_by_role("checkbox", name="Each line of the value is a record")).to_be_checked()
    dialog.get_by_role("textbox", name="Field that is the key").fill("id")
    dialog.get_by_role("button", name="Send", exact=True).click()
    expect(dialog.get_by_role("status")).to_contain_text("3 sent")
    dialog.get_by_role("button", name="Close").click()

    rows = page.get_by_role("table", name="Records").locator("tbody tr")
    expect(rows).to_have_count(3)
    page.get_by_role("textbox", name="Text").fill('"id": 2')
    expect(rows).to_have_count(1)
    rows.get_by_role("button").click()
    page.get_by_role("button", name="Send again").click()
    expect(page.get_by_text(re.compile(rf"Sent to \d+@\d+ of {name}\."))).to_be_visible()
    page.get_by_role("button", name="Edit and send").click()
    dialog.get_by_role("textbox", name="Value").fill('{"id": 2, "edited": true}')
    dialog.get_by_role("button", name="Send", exact=True).click()
    dialog.get_by_role("status").get_by_role("link").click()
    expect(rows.filter(has_text='"edited":true')).to_be_visible()

    settings = page.get_by_role("table", name="Settings")
    retention = settings.get_by_role("row").filter(has=page.get_by_role("rowheader", name="retention.ms", exact=True))
    retention.get_by_role("button", name="Change retention.ms", exact=True).click()
    question = page.get_by_role("dialog", name=f"Change retention.ms of {name}")
    question.get_by_role("textbox", name="Value").fill("604800000")
    expect(question.get_by_role("status")).to_have_text("604800000 means 7 d.")
    question.get_by_role("button", name="Change", exact=True).click()
    expect(retention).to_contain_text("7 d")
    retention.get_by_role("button", name="Change retention.ms", exact=True).click()
    question.get_by_role("checkbox", name="No limit").check()
    expect(question.get_by_role("status")).to_have_text("-1 means no limit.")
    question.get_by_role("button", name="Change", exact=True).click()
    expect(retention).to_contain_text("no limit")

    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete the topic").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(f"Type {name} to continue.")
    page.get_by_role("textbox", name=f"Type {name} to confirm").fill(name)
    page.get_by_role("button", name="Delete the topic").click()
    expect(page.get_by_role("heading", name="Topics", level=1)).to_be_visible()
    expect(page.get_by_role("link", name=name, exact=True)).to_have_count(0)
