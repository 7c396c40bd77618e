"""Journey: drawing as hands know it, by names, from ports and by keys."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.desk import EditorPage, centre
from tests.e2e.pages import HomePage
from tests.proof.product import Product

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


def test_whatever_adds_nodes_shows_them_whole(home: HomePage, product: Product) -> None:
    """By the palette, with a node between, by paste, by undo, and by a choice in the inspector."""
    home.page.set_viewport_size({"width": 1280, "height": 720})
    desk = home.new_topology("Whole")
    topology = desk.topology
    keys = desk.page.keyboard
    for operator, name in (("table", "table"), ("filter", "filter"), ("filter", "filter-2"), ("to", "to")):
        desk.add(operator, name)
    desk.wait_until_whole("to-stream", "to")

    keys.press("Escape")
    keys.press("Escape")
    desk.node("filter-2").click()
    keys.press("Control+c")
    for corner in ((0.98, 0.97), (0.02, 0.03), (0.02, 0.97)):
        box = desk.canvas.bounding_box()
        assert box is not None
        desk.page.mouse.move(box["x"] + corner[0] * box["width"], box["y"] + corner[1] * box["height"])
        keys.press("Control+v")
        expect(desk.canvas.locator(".react-flow__node.selected")).to_have_count(1)
        copy = str(desk.canvas.locator(".react-flow__node.selected").get_attribute("data-id"))
        desk.wait_until_whole(copy)

    desk.node(copy).press("Delete")
    desk.page.mouse.move(*centre(desk.canvas))
    desk.page.mouse.wheel(3_000, 0)
    expect(desk.node("to")).not_to_be_in_viewport()
    keys.press("Control+z")
    desk.wait_until_whole(copy)
    product.delete(f"/topologies/{topology}")


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

    expect(desk.field("Predicate")).to_be_focused()
    keys.press("Escape")
    expect(desk.node("filter")).to_be_focused()
    keys.type("user_id")
    expect(desk.node("filter")).not_to_contain_text("Bypassed")
    keys.press("Tab")
    keys.press("Escape")
    expect(desk.picker).to_have_count(0)
    expect(desk.field("Name")).to_have_value("filter")


def test_the_selection_is_changed_found_and_left_by_keys(home: HomePage) -> None:
    desk = home.new_topology("By keys")
    keys = desk.page.keyboard
    for name in ("stream", "filter", "to"):
        desk.add(name)

    desk.node("stream").click()
    desk.node("filter").click(modifiers=["Shift"])
    expect(desk.inspector).to_contain_text("2")
    keys.press("Escape")
    expect(desk.canvas.locator(".react-flow__node.selected")).to_have_count(0)
    keys.press("Control+a")
    expect(desk.canvas.locator(".react-flow__node.selected")).to_have_count(3)

    finder = desk.page.get_by_role("dialog", name="Find")
    keys.press("Control+k")
    expect(finder).to_be_visible()
    keys.press("Escape")
    keys.press("Control+f")
    keys.type("filt")
    keys.press("Enter")
    expect(finder).to_have_count(0)
    expect(desk.field("Name")).to_have_value("filter")

    desk.node("filter").get_by_text("filter").first.dblclick()
    rename_in_place(desk, "late")
    keys.press("F2")
    rename_in_place(desk, "later")
    expect(desk.edge("later", "to")).to_have_count(1)

    keys.press("?")
    expect(desk.page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("Alt+drag")
    keys.press("Escape")
    expect(desk.page.get_by_role("dialog")).to_have_count(0)


def test_keys_of_other_editors_walk_select_move_and_insert(home: HomePage) -> None:
    desk = home.new_topology("By the keys of others")
    keys, selected = desk.page.keyboard, desk.canvas.locator(".react-flow__node.selected")
    for name in ("stream", "filter", "to"):
        desk.add(name)

    desk.node("stream").click()
    keys.press("ArrowRight")
    expect(desk.node("filter")).to_be_focused()
    keys.press("Shift+ArrowRight")
    expect(selected).to_have_count(2)
    keys.press("Escape")
    desk.select("filter")
    keys.press("Shift+ArrowLeft")
    expect(selected).to_have_count(2)
    keys.press("Escape")

    for letter, count in (("u", 2), ("d", 2), ("c", 3)):
        desk.select("filter")
        keys.press("Alt+s")
        expect(desk.canvas.get_by_role("status").filter(has_text="Also select")).to_be_visible()
        keys.press(letter)
        expect(selected).to_have_count(count)
        keys.press("Escape")
    expect(desk.canvas.get_by_text("Bypassed")).to_have_count(0)

    desk.node("to").click()
    _, y = centre(desk.node("to"))
    keys.press("Control+Shift+ArrowDown")
    assert centre(desk.node("to"))[1] > y
    keys.press("Control+z")
    assert centre(desk.node("to"))[1] == y

    desk.page.mouse.move(*centre(desk.edge("filter", "to")))
    desk.canvas.get_by_role("button", name="Insert a node between filter and to").click()
    keys.type("peek")
    keys.press("Enter")
    in_a_row(desk, "stream", "filter", "peek", "to")

    keys.press("Control+Enter")
    expect(desk.drawer.get_by_role("tab", name=re.compile("^Trial"), selected=True)).to_be_visible()


def test_menus_and_copies_work_where_the_pointer_is(home: HomePage) -> None:
    desk = home.new_topology("By the right button")
    for name in ("stream", "filter", "to"):
        desk.add(name)
    item = desk.page.get_by_role("menuitem", name=re.compile("^(Delete|Insert a node|See all|Bypass|Align in a row)"))

    desk.page.mouse.click(*centre(desk.edge("stream", "filter")), button="right")
    item.filter(has_text="Insert a node").click()
    desk.page.keyboard.type("peek")
    desk.page.keyboard.press("Enter")
    expect(desk.edge("peek", "filter")).to_have_count(1)

    desk.node("peek").click(button="right")
    item.filter(has_text="Delete").click()
    expect(desk.edge("stream", "filter")).to_have_count(1)

    desk.node("filter").click(button="right")
    item.filter(has_text="Bypass").click()
    expect(desk.node("filter")).to_contain_text("Bypassed")
    desk.inspector.get_by_role("button", name="Use again").click()
    expect(desk.node("filter")).not_to_contain_text("Bypassed")

    x, y = centre(desk.node("filter"))
    before = desk.node("filter").bounding_box()
    desk.page.keyboard.down("Alt")
    desk.hold((x, y), (x, y + 160))
    desk.page.mouse.up()
    desk.page.keyboard.up("Alt")
    expect(desk.node("filter-2")).to_be_visible()
    assert desk.node("filter").bounding_box() == before

    desk.node("filter").click(modifiers=["Shift"])
    desk.node("filter").click(button="right")
    item.filter(has_text="Align in a row").click()
    (one, other) = (centre(desk.node(name)) for name in ("filter", "filter-2"))
    assert one[1] == other[1]
    assert one[0] < other[0]

    desk.canvas.locator(".react-flow__pane").click(button="right", position={"x": 40, "y": 400})
    item.filter(has_text="See all").click()
    expect(desk.page.get_by_role("menu")).to_have_count(0)


def test_a_link_leads_to_a_node_and_back_follows(home: HomePage) -> None:
    desk = home.new_topology("By link")
    for name in ("stream", "filter"):
        desk.add(name)
    expect(desk.page).to_have_url(re.compile(r"\?node=filter$"))
    desk.select("stream")
    expect(desk.page).to_have_url(re.compile(r"\?node=stream$"))

    desk.page.go_back()
    expect(desk.field("Name")).to_have_value("filter")
    desk.page.go_forward()
    expect(desk.field("Name")).to_have_value("stream")

    expect(desk.saved).to_have_text("Saved")
    desk.page.reload()
    expect(desk.field("Name")).to_have_value("stream")


def rename_in_place(desk: EditorPage, name: str) -> None:
    field = desk.canvas.get_by_role("textbox", name="Name")
    field.fill(name)
    field.press("Enter")
    expect(desk.node(name)).to_be_focused()


def in_a_row(desk: EditorPage, *names: str) -> None:
    """Joined one after the other, each right of the one before and beside it."""
    for before, name in pairwise(names):
        expect(desk.edge(before, name)).to_have_count(1)
        left, right = desk.node(before).bounding_box(), desk.node(name).bounding_box()
        assert left is not None
        assert right is not None
        assert right["x"] > left["x"] + left["width"]


def test_edges_are_drawn_wherever_one_zooms_into_a_large_topology(home: HomePage, product: Product) -> None:
    """Its nodes are first seen from very far, where no port is drawn."""
    made = product.post("/topologies", {"name": "Large", "graph": wide(branches=5, length=25)})
    home.page.goto(f"{product.http.base_url}/topologies/{made['id']}")
    desk = EditorPage(home.page)
    expect(desk.node("keep-2-1")).to_be_visible()

    home.page.keyboard.press("1")
    expect(desk.node("keep-2-25")).to_be_visible()
    home.page.keyboard.press("0")

    # which branch is in the middle depends on what covers the canvas
    between = re.compile(r"^Edge from keep-\d-1\d to keep-\d-1\d$")
    expect(home.page.get_by_role("group", name=between).first).to_be_attached()
    product.delete(f"/topologies/{made['id']}")


def wide(*, branches: int, length: int) -> dict[str, Any]:
    """Filters in branches behind one source."""
    nodes = [{"id": "flights", "operator": "stream", "config": {"topic": "flights"}, "position": {"x": 0, "y": 192}}]
    edges = []
    for branch in range(branches):
        for place in range(1, length + 1):
            name, before = f"keep-{branch}-{place}", f"keep-{branch}-{place - 1}" if place > 1 else "flights"
            config, position = {"predicate": "dep_delay > 0"}, {"x": place * 240, "y": branch * 96}
            nodes.append({"id": name, "operator": "filter", "config": config, "position": position})
            edges.append({"source": before, "source_port": "result", "target": name, "target_port": "records"})
    return {"nodes": nodes, "edges": edges}
