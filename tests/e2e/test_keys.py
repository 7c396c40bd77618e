"""Journey: part (b) of "Flight delays" drawn, set up and deployed without a pointer."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.desk import EditorPage
from tests.e2e.pages import HomePage
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]
FUNCTIONS = [("flights", "count", None), ("average_delay", "avg", "dep_delay"), ("longest_delay", "max", "dep_delay")]


def test_flight_delays_is_drawn_and_deployed_by_keys_alone(home: HomePage, product: Product) -> None:
    desk, keys = EditorPage(home.page), home.page.keyboard
    tab_to(home.page.get_by_role("button", name="New topology"))
    keys.press("Enter")
    tab_to(home.page.get_by_role("button", name="Empty topology"))
    keys.press("Enter")

    expect(desk.canvas.get_by_role("region", name="Start with a topic")).to_contain_text("flights")
    keys.press("/")
    keys.type("stream")
    keys.press("Enter")
    set_up(desk, "stream", ("combobox", "Topic", "flights"))
    follow(desk, "flights", "filter")
    set_up(desk, "filter", ("textbox", "Predicate", "dep_delay IS NOT NULL"))
    follow(desk, "filter", "select-key", typed="selectKey")
    set_up(desk, "select-key", ("textbox", "Key", "origin"))
    follow(desk, "select-key", "group-by-key")
    follow(desk, "group-by-key", "windowed-by")
    set_up(
        desk,
        "windowed-by",
        ("spinbutton", "Size", "1"),
        ("combobox", "Unit of Size", "h"),
        ("spinbutton", "Grace", "24"),
        ("combobox", "Unit of Grace", "h"),
    )
    follow(desk, "windowed-by", "aggregate", typed="aggregate")
    set_up(desk, "aggregate", *functions())
    follow(desk, "aggregate", "to-stream")
    follow(desk, "to-stream", "to")
    set_up(desk, "to", ("combobox", "Topic", "delays-by-keys"))
    expect(desk.saved).to_have_text("Saved")
    expect(desk.drawer.get_by_role("tab", name="Problems")).to_have_text("Problems")

    keys.press("Shift+F6")
    keys.press("Shift+F6")
    tab_to(home.page.get_by_role("button", name="Deploy", exact=True))
    keys.press("Enter")
    dialog = home.page.get_by_role("dialog")
    expect(dialog.get_by_role("textbox", name="Name", exact=True)).to_have_value("Delays by keys")
    expect(dialog.get_by_role("textbox", name="Application id")).to_have_value("delays-by-keys")
    tab_to(dialog.get_by_role("button", name="Deploy", exact=True))
    keys.press("Enter")

    expect(desk.status).to_have_text(re.compile("Starting|Running"))
    expect(home.page.get_by_role("button", name="Delays by keys", exact=True)).to_be_visible()
    job = next(job for job in product.get("/jobs") if job["topology"] == desk.topology)
    tab_to(home.page.get_by_role("button", name="Stop", exact=True))
    keys.press("Enter")
    tab_to(dialog.get_by_role("button", name="Stop", exact=True))
    keys.press("Enter")
    expect(home.page.get_by_role("button", name="Start", exact=True)).to_be_focused()
    product.wait_for_status(job["id"], "stopped")


def test_keys_are_for_the_canvas_after_a_click_on_an_empty_place(home: HomePage) -> None:
    desk, keys = home.edit("Flight delays"), home.page.keyboard
    expect(desk.node("flights")).to_be_visible()
    desk.canvas.click(position={"x": 500, "y": 12})

    keys.press("Control+a")
    expect(desk.node("flights")).to_have_class(re.compile(r"\bselected\b"))
    keys.press("?")
    expect(home.page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    keys.press("Escape")
    keys.press("Control+k")
    keys.type("dep")
    expect(home.page.get_by_role("list", name="Found").get_by_role("button").first).to_contain_text("Deploy")
    keys.press("Escape")


def test_what_takes_the_focus_gives_it_back(home: HomePage) -> None:
    page, keys = home.page, home.page.keyboard
    new = page.get_by_role("button", name="New topology")
    new.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").press("Enter")
    expect(new).to_be_focused()

    desk = home.edit("Flight delays")
    expect(desk.node("flights")).to_be_visible()
    deploy, more = (page.get_by_role("button", name=name, exact=True) for name in ("Deploy", "More"))
    deploy.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Application id")
    keys.press("Escape")
    expect(deploy).to_be_focused()

    choose_by_key(desk, "Show the tour")
    page.get_by_role("dialog").get_by_role("button", name="Skip").press("Enter")
    expect(more).to_be_focused()

    choose_by_key(desk, "Rename")
    expect(page.get_by_role("textbox", name="Name of the topology")).to_be_focused()
    keys.press("Escape")
    expect(page.get_by_role("button", name="Flight delays", exact=True)).to_be_focused()


def choose_by_key(desk: EditorPage, word: str) -> None:
    desk.page.get_by_role("button", name="More", exact=True).press("Enter")
    desk.page.get_by_role("menuitem", name=word).press("Enter")


def functions() -> list[tuple[str, str, str]]:
    """The steps that fill the rows of the aggregate's functions."""
    steps = []
    for number, (name, function, expression) in enumerate(FUNCTIONS, start=1):
        steps += [("button", "Add function", ""), ("textbox", f"Name {number}", name)]
        steps += [("combobox", f"Function {number}", function)]
        if expression is not None:
            steps.append(("textbox", f"Expression {number}", expression))
    return steps


def follow(desk: EditorPage, before: str, node: str, *, typed: str | None = None) -> None:
    """Tab on a node adds one behind it: the likeliest, or what was typed."""
    keys = desk.page.keyboard
    expect(desk.node(before)).to_be_focused()
    keys.press("Tab")
    expect(desk.picker).to_be_visible()
    keys.type(node.replace("-", "_") if typed is None else typed)
    keys.press("Enter")
    expect(desk.edge(before, node)).to_have_count(1)


def set_up(desk: EditorPage, node: str, *steps: tuple[str, str, str]) -> None:
    """A new node that needs a setting has the focus in its form. Tab goes through it, and Escape back to the node."""
    keys = desk.page.keyboard
    expect(desk.field("Name")).to_have_value(node)
    expect(desk.inspector.locator(":focus")).to_have_count(1)
    for role, name, text in steps:
        field = desk.inspector.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
        tab_to(field)
        if role == "button":
            keys.press("Enter")
            continue
        if role == "spinbutton":
            keys.press("Control+a")
        keys.type(text)
    for _ in range(3):
        if desk.inspector.locator(":focus").count() > 0:
            keys.press("Escape")


def tab_to(place: Locator) -> None:
    """Press Tab until it has the focus, as often as a person would bear."""
    expect(place).to_be_visible()
    for _ in range(25):
        if place.evaluate("one => one === document.activeElement"):
            return
        place.page.keyboard.press("Tab")
    pytest.fail(f"Tab does not lead to {place}")
