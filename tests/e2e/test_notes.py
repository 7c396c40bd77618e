"""Journey: notes, frames and colours on the canvas, which readers see and runs do not."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.axe import serious
from tests.e2e.desk import EditorPage, centre
from tests.e2e.pages import HomePage
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_what_readers_see_is_drawn_moved_coloured_and_taken_back(home: HomePage, product: Product) -> None:
    desk = home.new_topology("For readers")
    keys = desk.page.keyboard
    desk.add("stream")
    desk.add("filter")

    desk.canvas.get_by_role("group", name="stream: stream").focus()
    keys.press("Control+a")
    keys.press("Control+g")
    keys.type("Late flights")
    keys.press("Escape")
    frame = note(desk, "Frame: Late flights")
    expect(frame).to_be_focused()

    before = centre(desk.node("filter"))
    title = centre(frame.locator(".note-text"))
    desk.hold(title, moved(title, 40, 80))
    desk.page.mouse.up()
    after = centre(desk.node("filter"))
    assert after == pytest.approx(moved(before, 40, 80), abs=12)
    desk.inspector.get_by_role("button", name="green").click()

    keys.press("Escape")
    desk.canvas.locator(".react-flow__pane").focus()
    keys.press("n")
    keys.type("# Why\n\nSee [the plan](https://example.org) <b>now</b>")
    keys.press("Escape")
    written = note(desk, "Note: Why")
    expect(written.get_by_role("heading", name="Why")).to_be_visible()
    expect(written.get_by_role("link", name="the plan")).to_have_attribute("rel", "noopener noreferrer")
    expect(written).to_contain_text("<b>now</b>")
    assert serious(desk.page) == []

    keys.press("Control+d")
    expect(written).to_have_count(2)
    keys.press("Control+z")
    expect(written).to_have_count(1)

    expect(desk.saved).to_have_text("Saved")
    drawn = product.get(f"/topologies/{desk.topology}/draft")["graph"]
    assert sorted(kinds(drawn)) == [("frame", "Late flights", "green"), ("note", drawn["notes"][1]["text"], "yellow")]
    for _ in range(6):
        keys.press("Control+z")
    expect(note(desk, "Frame")).to_have_count(0)
    product.delete(f"/topologies/{desk.topology}")


def note(desk: EditorPage, name: str) -> Locator:
    return desk.canvas.get_by_role("group", name=name)


def kinds(graph: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(each["kind"], each["text"], each["colour"]) for each in graph["notes"]]


def moved(place: tuple[float, float], x: float, y: float) -> tuple[float, float]:
    return place[0] + x, place[1] + y
