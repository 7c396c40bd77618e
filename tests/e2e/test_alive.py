"""A canvas whose job runs: where records flow, the newest of each node, and what the menus offer then."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Response, expect

from tests.e2e.axe import serious
from tests.e2e.conftest import STARTS_WITHIN_MS, open_tab, quiet
from tests.e2e.desk import EditorPage
from tests.e2e.pages import MOVES, HomePage

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_node_shows_its_newest_record_which_is_followed_by_one_click(home: HomePage) -> None:
    desk = open_running(home)
    desk.node("delays").hover()
    card = desk.page.get_by_role("region", name="Live: delays")
    expect(card.get_by_role("img", name="Records per second of delays in the last minute")).to_be_visible()
    expect(card).to_contain_text(re.compile(r"p95\s*[\d.]+ (ms|s)"))
    card.get_by_role("button", name="Follow this record").click()

    expect(card).to_be_hidden()
    expect(desk.drawer.get_by_role("region", name="Step at flights")).to_be_visible()
    expect(desk.edge("flights", "departed").locator(".edge")).to_have_class(re.compile(r"\bon-way\b"))
    expect(desk.edge("planes", "with-plane").locator(".edge")).not_to_have_class(re.compile(r"\bon-way\b"))
    desk.drawer.get_by_role("button", name="Stop following").click()


def test_values_are_pinned_to_a_node_and_stay_after_a_reload(home: HomePage) -> None:
    desk = open_running(home)
    desk.node("delays").hover()
    card = desk.page.get_by_role("region", name="Live: delays")
    card.get_by_role("button", name="Pin rows of delays").click()
    pinned = desk.page.get_by_role("list", name="Pinned to delays")
    expect(pinned).to_contain_text(re.compile(r"Rows\s*[1-9]"))

    desk.page.reload()
    expect(pinned).to_contain_text(re.compile(r"Rows\s*[1-9]"))
    pinned.get_by_role("button", name="Take off Rows").click()
    expect(pinned).to_be_hidden()


def test_a_wire_on_which_something_flows_is_wide(home: HomePage) -> None:
    desk = open_running(home)

    expect(desk.edge("flights", "departed").locator(".flow")).to_have_count(1)
    expect(desk.edge("planes", "with-plane").locator(".flow")).to_have_count(0)


def test_only_a_running_node_without_output_is_asked_why(home: HomePage) -> None:
    desk = open_running(home)
    why = desk.page.get_by_role("menuitem", name="Why is nothing coming out?")
    desk.node("departed").click(button="right")
    expect(desk.page.get_by_role("menuitem", name="Rename")).to_be_visible()
    expect(why).to_be_hidden()
    desk.page.keyboard.press("Escape")
    desk.node("planes").click(button="right")
    expect(why).to_be_visible()
    desk.page.keyboard.press("Escape")


def test_a_topic_of_a_running_job_names_it_before_it_is_deleted(home: HomePage) -> None:
    home.page.get_by_role("navigation", name="Main").get_by_role("link", name="Topics").click()
    home.page.get_by_role("link", name="flights", exact=True).click()
    home.page.get_by_role("button", name="Delete", exact=True).click()

    jobs = home.page.get_by_role("dialog").get_by_role("list", name="Running jobs")
    expect(jobs).to_contain_text(re.compile(r"Flight delays\s+reads it"))
    home.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()


def test_new_nodes_ask_the_server_nothing_that_it_refuses(home: HomePage) -> None:
    desk = home.new_topology("Quiet")
    refused: list[str] = []

    def note(response: Response) -> None:
        if response.status == 422:
            refused.append(response.url)

    desk.page.on("response", note)
    for operator in ("stream", "group_by", "windowed_by", "count"):
        desk.add(operator, operator.replace("_", "-"))
    desk.select("windowed-by")
    expect(desk.saved).to_have_text("Saved")
    desk.page.remove_listener("response", note)

    assert refused == []


def test_a_node_is_commented_on_and_the_comment_resolved(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.select("late")
    comments = desk.inspector.get_by_role("region", name="Comments")
    box = comments.get_by_role("combobox", name="New comment")
    box.press_sequentially("Why 15 minutes? @nobody @ad")
    admin = comments.get_by_role("listbox", name="Users").get_by_role("option", name="admin", exact=True)
    expect(admin).to_have_attribute("aria-selected", "true")
    box.press("Enter")
    expect(box).to_have_value(re.compile(r"^Why 15 minutes\? @nobody @admin *$"))
    expect(admin).to_be_hidden()
    desk.select("flights")
    expect(box).to_have_value("")
    desk.select("late")
    expect(box).to_have_value(re.compile("^Why 15 minutes"))
    box.focus()
    desk.page.keyboard.press("Control+Enter")
    desk.page.keyboard.press("Control+Enter")

    badge = desk.node("late").get_by_title(re.compile("^Open comments: 1"))
    expect(badge).to_be_visible()
    expect(comments.get_by_role("article")).to_contain_text("Why 15 minutes?")
    comments.get_by_role("button", name="Resolve").click()
    expect(badge).to_be_hidden()
    expect(comments.get_by_text("1 resolved")).to_be_visible()


def test_a_share_link_shows_the_running_canvas_without_an_account_until_it_is_revoked(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.choose("Share by link")
    dialog = desk.page.get_by_role("dialog", name="Share by link")
    dialog.get_by_role("combobox", name="Ends after").select_option("1 hour")
    dialog.get_by_role("button", name="Create link").click()
    address = dialog.get_by_role("textbox", name="Link").input_value()
    assert desk.page.context.browser is not None
    with open_tab(desk.page.context.browser) as stranger, quiet(stranger):
        stranger.goto(address)
        shown = EditorPage(stranger)

        expect(shown.node("departed")).to_contain_text(MOVES, timeout=STARTS_WITHIN_MS)
        assert serious(stranger) == []
        stranger.evaluate("location.hash = 'sh_another'")
        expect(stranger.get_by_role("heading", name="This topology cannot be shown")).to_be_visible()
        stranger.evaluate("secret => (location.hash = secret)", address.split("#")[1])
        shown.node("departed").click()
        stranger.keyboard.press("Delete")
        expect(shown.node("departed")).to_be_visible()
        link = dialog.get_by_role("row", name=address.split("#")[1][: len("sh_12345")])
        link.get_by_role("button", name="Revoke").click()
        expect(stranger.get_by_role("heading", name="This topology cannot be shown")).to_be_visible()


def open_running(home: HomePage) -> EditorPage:
    """The sample's canvas with moving numbers."""
    desk = home.edit("Flight delays")
    expect(desk.node("departed")).to_contain_text(MOVES, timeout=STARTS_WITHIN_MS)
    return desk
