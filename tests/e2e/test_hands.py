"""Journey: drawing as hands know it, by names, from ports and by keys."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.e2e.desk import EditorPage, centre
from tests.e2e.pages import HomePage

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_line_is_drawn_by_the_names_of_its_operators(home: HomePage) -> None:
    desk = home.new_topology("By names")
    for name in ("stream", "filter", "to"):
        desk.add(name)
    expect(desk.edge("stream", "filter")).to_have_count(1)
    expect(desk.edge("filter", "to")).to_have_count(1)

    desk.page.mouse.click(*centre(desk.edge("stream", "filter")))
    desk.add("mapValues", "map-values")
    expect(desk.edge("stream", "filter")).to_have_count(0)
    in_a_row(desk, "stream", "map-values", "filter", "to")

    desk.drag_onto_edge("peek", "map-values", "filter")
    in_a_row(desk, "stream", "map-values", "peek", "filter", "to")

    desk.select("filter")
    for number in range(2, 9):
        desk.add("filter", f"filter-{number}")
        expect(desk.node(f"filter-{number}")).to_be_in_viewport(ratio=0.99)
    expect(desk.node("stream")).not_to_be_in_viewport()


def test_what_follows_is_offered_at_each_output(home: HomePage) -> None:
    desk = home.new_topology("By ports")
    keys = desk.page.keyboard
    desk.add("stream")

    desk.port("Output", "result", "stream").click()
    likely = desk.picker.get_by_role("region", name="likely next").get_by_role("button")
    expect(likely.first).to_have_text("filter")
    expect(desk.picker.get_by_role("button", name="count", exact=True)).to_have_count(0)
    keys.press("Enter")
    expect(desk.edge("stream", "filter")).to_have_count(1)

    expect(desk.node("filter")).to_be_focused()
    keys.press("Tab")
    keys.press("Escape")
    expect(desk.picker).to_have_count(0)
    expect(desk.field("Name")).to_have_value("filter")

    follow = (("groupByKey", "group-by-key"), ("", "windowed-by"), ("", "count"), ("", "to-stream"), ("", "to"))
    before = "filter"
    for typed, node in follow:
        expect(desk.node(before)).to_be_focused()
        keys.press("Tab")
        expect(desk.picker).to_be_visible()
        keys.type(typed)
        keys.press("Enter")
        expect(desk.edge(before, node)).to_have_count(1)
        before = node


def in_a_row(desk: EditorPage, *names: str) -> None:
    """Joined one after the other, each right of the one before and beside it."""
    for before, name in pairwise(names):
        expect(desk.edge(before, name)).to_have_count(1)
        left, right = desk.node(before).bounding_box(), desk.node(name).bounding_box()
        assert left is not None
        assert right is not None
        assert right["x"] > left["x"] + left["width"]
