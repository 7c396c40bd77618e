"""Journey: two users draw one topology at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import open_tab, quiet
from tests.e2e.desk import EditorPage
from tests.e2e.pages import HomePage
from tests.e2e.test_users import PASSWORD, sign_in
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]


IS_SEEN = """(part) => {
  const { left, top, right, bottom } = part.getBoundingClientRect();
  return part.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}"""
"""Whether nothing covers the middle of a part."""


@pytest.fixture
def ben(browser: Browser, product: Product) -> Iterator[EditorPage]:
    """A second user, an editor, in a browser of its own."""
    name = f"ben-{uuid4().hex[:6]}"
    product.post("/users", {"name": name, "password": PASSWORD})
    product.send("PUT", "/projects/default/roles", {"user": name, "role": "editor"})
    with open_tab(browser) as page, quiet(page):
        sign_in(page, f"{product.http.base_url}", name)
        yield EditorPage(page)


def test_each_sees_the_other_and_what_they_draw(home: HomePage, ben: EditorPage) -> None:
    desk = home.new_topology("Together")
    ben.page.goto(desk.page.url)
    desk.add("stream")
    chip = desk.page.get_by_role("list", name="Also here").get_by_role("listitem")
    expect(chip).to_contain_text("ben-")
    expect(desk.inspector).to_be_visible()
    desk.page.wait_for_function(IS_SEEN, arg=chip.element_handle())

    expect(ben.node("stream")).to_be_visible()
    ben.add("filter")
    expect(desk.node("filter")).to_be_visible()
    desk.select("stream")
    desk.field("Topic", "combobox").fill("flights")
    expect(ben.node("stream")).to_contain_text("flights")

    # Undo takes back the own steps only
    ben.canvas.locator(".react-flow__pane").click(position={"x": 20, "y": 200})
    ben.page.keyboard.press("Control+z")
    expect(ben.node("filter")).to_have_count(0)
    expect(ben.node("stream")).to_contain_text("flights")
    expect(desk.node("filter")).to_have_count(0)
    expect(desk.saved).to_have_text("Saved")

    # a node that the other user leaves, and so renames, stays selected, with what is written about it
    ben.select("stream")
    box = ben.inspector.get_by_role("combobox", name="New comment")
    box.press_sequentially("Is this right? ")
    desk.canvas.locator(".react-flow__pane").click(position={"x": 20, "y": 200})
    expect(ben.field("Name")).to_have_value("flights")

    # and the focus stays in the field in which the user writes
    topic = ben.field("Topic", "combobox")
    topic.press("End")
    topic.press_sequentially("-e")
    desk.rename("flights", "planes")
    expect(ben.field("Name")).to_have_value("planes")
    ben.page.keyboard.type("u")
    expect(topic).to_have_value("flights-eu")
    desk.rename("planes", "flights")
    expect(ben.field("Name")).to_have_value("flights")
    for _ in "-eu":
        topic.press("Backspace")
    desk.canvas.locator(".react-flow__pane").click(position={"x": 20, "y": 200})

    # a mention leads to its node, also in the topology that is open
    box.press_sequentially("@ad")
    expect(ben.inspector.get_by_role("option", name="admin", exact=True)).to_have_attribute("aria-selected", "true")
    box.press("Enter")
    ben.inspector.get_by_role("button", name="Comment", exact=True).click()
    notice = desk.page.get_by_role("status", name="Mention")
    notice.get_by_role("link", name="flights of Together").click()
    expect(desk.field("Topic", "combobox")).to_have_value("flights")
    notice.get_by_role("button", name="Seen").click()
    expect(notice).to_have_count(0)
