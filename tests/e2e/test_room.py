"""Journey: room for the graph in windows of every size, and nothing that covers it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.e2e.conftest import STARTS_WITHIN_MS, sign_in
from tests.e2e.desk import IS_WHOLE, EditorPage, centre
from tests.e2e.pages import HomePage
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NODES = (
    "flights", "airlines", "planes", "departed", "with-airline", "with-plane", "late", "late-flights", "by-origin",
    "grouped", "hourly", "delays", "updates", "delays-by-airport",
)  # fmt: skip

COVERED = """() => {
  const overview = document.querySelector(".react-flow__minimap")?.getBoundingClientRect();
  const meets = (other) => overview.left < other.right && other.left < overview.right
    && overview.top < other.bottom && other.top < overview.bottom;
  const others = [...document.querySelectorAll(".react-flow__node, .canvas-controls")];
  return overview ? others.filter((one) => meets(one.getBoundingClientRect())).map((one) => one.textContent) : [];
}"""
"""What lies below the overview, which is there only while the view moves."""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Waits until the page has drawn what came before."""


def test_panels_are_dragged_to_size_folded_and_remembered(home: HomePage) -> None:
    home.page.set_viewport_size({"width": 1280, "height": 720})
    desk = home.edit("Flight delays")
    desk.select("late")
    page = desk.page
    assert width(desk.canvas) >= 640

    drag(desk, page.get_by_role("separator", name="Width of the palette"), 400, 0)
    drag(desk, page.get_by_role("separator", name="Width of the inspector"), -400, 0)
    assert width(desk.canvas) >= 640 - 1
    widest = width(desk.inspector)
    assert widest > 370

    page.get_by_role("button", name="Fold palette").click()
    desk.open_tab("Problems")
    drag(desk, page.get_by_role("separator", name="Height of the drawer"), 0, -90)
    height = box(desk.drawer)[3]
    assert height > 330
    page.reload()

    desk.open_tab("Problems")
    desk.select("late")
    expect(desk.palette).to_have_count(0)
    assert width(desk.inspector) == widest
    assert box(desk.drawer)[3] == height
    page.get_by_role("button", name="Show palette").click()
    expect(desk.palette).to_be_visible()


def test_a_small_window_shows_all_controls_and_a_smaller_one_is_for_watching(home: HomePage) -> None:
    page = home.page
    page.set_viewport_size({"width": 1024, "height": 768})
    desk = home.edit("Flight delays")
    desk.select("late")
    assert width(desk.canvas) >= 512
    for place in (
        page.get_by_role("button", name="Deploy", exact=True),
        page.get_by_role("button", name="Stop", exact=True),
        page.get_by_role("button", name="Fit", exact=True),
        desk.drawer.get_by_role("tab", name="Problems"),
        desk.drawer.get_by_role("tab", name="Log"),
    ):
        expect(place).to_be_in_viewport(ratio=0.99)
    assert right(desk.drawer.get_by_role("tab", name="Log")) <= right(desk.canvas)

    for name in ("Records", "Tables", "Trial"):
        desk.open_tab(name)
        assert right(desk.drawer.get_by_role("tabpanel", name=name)) <= right(desk.drawer)
    page.keyboard.press("Escape")

    page.set_viewport_size({"width": 800, "height": 700})

    expect(desk.palette).to_be_hidden()
    expect(desk.inspector).to_be_hidden()
    assert width(desk.canvas) == 800
    expect(desk.node("flights")).to_contain_text("/s")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_in_viewport(ratio=0.99)

    page.set_viewport_size({"width": 600, "height": 700})

    deploy = page.get_by_role("button", name="Deploy", exact=True).bounding_box()
    assert deploy is not None
    assert right(desk.status.get_by_text("Running")) <= deploy["x"]


LETTERS = """() => {
  const canvas = document.querySelector(".canvas");
  const zoom = new DOMMatrix(getComputedStyle(canvas.querySelector(".react-flow__viewport")).transform).a;
  const walker = document.createTreeWalker(canvas.querySelector(".react-flow__nodes"), NodeFilter.SHOW_TEXT);
  const heights = [];
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const holder = text.parentElement;
    const isSeen = text.data.trim() !== "" && holder.getClientRects().length > 0 && !holder.closest("svg");
    if (isSeen) heights.push([parseFloat(getComputedStyle(holder).fontSize) * zoom, text.data]);
  }
  return heights.filter(([height]) => height < 11).map(([height, text]) => `${text}: ${height} at ${zoom}`);
}"""
"""The texts of nodes that are smaller than 11 pixels on the screen."""
ZOOM = "() => new DOMMatrix(getComputedStyle(document.querySelector('.canvas .react-flow__viewport')).transform).a"
LEAST_ZOOM = 0.58


def test_a_view_that_one_asked_for_stays_when_the_room_changes(home: HomePage) -> None:
    page = home.page
    page.set_viewport_size({"width": 1440, "height": 900})
    desk = home.edit("Flight delays")
    expect(page.get_by_role("region", name="Sample feed")).to_be_visible()
    expect(desk.node("late")).to_be_visible()

    page.keyboard.press("0")
    page.wait_for_function(f"() => ({ZOOM})() === 1")
    page.set_viewport_size({"width": 1024, "height": 768})
    page.evaluate(PAINTED)

    assert page.evaluate(ZOOM) == 1


def test_the_view_stays_while_a_node_is_dragged(home: HomePage) -> None:
    home.page.set_viewport_size({"width": 1440, "height": 900})
    desk = home.edit("Flight delays")
    page, (x, y) = desk.page, centre(desk.node("late"))
    desk.hold((x, y), (x + 40, y + 30))
    before = box(desk.node("departed"))

    page.set_viewport_size({"width": 1240, "height": 760})
    for step in range(5):
        page.mouse.move(x + 40 + step, y + 30)
        page.evaluate(PAINTED)

    assert box(desk.node("departed")) == before
    page.mouse.up()
    page.keyboard.press("Control+z")


def test_beside_the_inspector_a_node_and_its_neighbours_are_whole_and_then_the_view_is_as_before(
    home: HomePage,
) -> None:
    page = home.page
    page.set_viewport_size({"width": 1024, "height": 768})
    desk = home.edit("Flight delays")
    desk.wait_until_whole(*NODES)
    before = page.evaluate(VIEW)
    for name, neighbours in (("flights", ["departed"]), ("late", ["with-plane", "late-flights"])):
        desk.select(name)
        desk.wait_until_whole(name, *neighbours)
        assert page.evaluate(CUT) == []
        page.keyboard.press("Escape")
        page.wait_for_function(f"(before) => ({VIEW})() === before", arg=before)

    desk.select("hourly")
    desk.wait_until_whole("grouped", "hourly", "delays")
    desk.inspector.get_by_role("button", name="green").click()
    expect(desk.saved).to_have_text("Saved")
    desk.canvas.locator(".react-flow__pane").click(position={"x": 340, "y": 430})

    page.wait_for_function(f"(before) => ({VIEW})() === before", arg=before)
    page.keyboard.press("Control+z")
    expect(desk.saved).to_have_text("Saved")
    desk.select("late")
    desk.wait_until_whole("with-plane", "late", "late-flights")


VIEW = "() => document.querySelector('.canvas .react-flow__viewport').style.transform"
CUT = """() => {
  const canvas = document.querySelector(".canvas").getBoundingClientRect();
  const end = document.querySelector(".of-inspector").getBoundingClientRect().left;
  const cuts = ({ left, right }) => (left < canvas.left && right > canvas.left) || (left < end && right > end);
  const nodes = [...document.querySelectorAll(".react-flow__node-operator")];
  return nodes.filter((node) => cuts(node.getBoundingClientRect())).map((node) => node.dataset.id);
}"""
"""The nodes that the left edge of the canvas or the inspector cuts through."""


@pytest.mark.parametrize("size", [(1920, 1080), (1440, 900), (1280, 720), (1024, 768)])
def test_the_first_view_covers_no_node_and_is_legible(home: HomePage, size: tuple[int, int]) -> None:
    home.page.set_viewport_size({"width": size[0], "height": size[1]})
    desk = home.edit("Flight delays")
    expect(desk.page.get_by_role("region", name="Sample feed")).to_be_visible()
    expect(desk.node("late")).to_contain_text("/s", timeout=STARTS_WITHIN_MS)
    centre(desk.node("late"))

    whole = [name for name in NODES if desk.node(name).evaluate(IS_WHOLE)]
    beyond = [name for name in NODES if right(desk.node(name)) > right(desk.canvas)]

    assert [name for name in NODES if name not in [*whole, *beyond]] == []
    assert len(beyond) <= (0 if size[0] >= 1280 else 4)
    assert desk.page.evaluate(LETTERS) == []


def test_nodes_are_legible_at_each_zoom_of_a_first_view(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    zoom = desk.canvas.get_by_title("Zoom to 100 % (0)")
    expect(desk.node("late")).to_contain_text("/s", timeout=STARTS_WITHIN_MS)
    zoom.click()
    expect(zoom).to_have_text("100 %")
    small: list[str] = []
    while desk.page.evaluate(ZOOM) >= LEAST_ZOOM:
        small += desk.page.evaluate(LETTERS)
        before = zoom.inner_text()
        desk.page.mouse.move(*centre(desk.canvas))
        desk.page.keyboard.down("Control")
        desk.page.mouse.wheel(0, 12)
        desk.page.keyboard.up("Control")
        expect(zoom).not_to_have_text(before)

    assert small == []


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720), (1024, 768)])
def test_nothing_covers_a_node_or_a_control(home: HomePage, size: tuple[int, int]) -> None:
    home.page.set_viewport_size({"width": size[0], "height": size[1]})
    desk = home.edit("Flight delays")
    page = desk.page
    page.get_by_role("button", name="Fit", exact=True).click()
    expect(desk.node("late")).to_be_visible()
    centre(desk.node("late"))
    feed, controls = page.get_by_role("region", name="Sample feed"), page.locator(".canvas-controls")
    nodes = [each for each in map(desk.node, NODES) if meet(each, desk.canvas)]
    assert len(nodes) > 6
    assert [name_of(each) for each in nodes if meet(each, feed) or meet(each, controls)] == []
    assert not meet(feed, controls)

    page.mouse.move(*centre(desk.canvas))
    for _ in range(4):
        page.mouse.wheel(40, 0)
        page.evaluate(PAINTED)
        assert page.evaluate(COVERED) == []


def test_the_tour_begins_on_an_empty_first_visit_and_never_again(browser: Browser, product: Product) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    sign_in(page, product)
    page.goto(f"{product.http.base_url}/")
    desk, tour = HomePage(page).edit("Flight delays"), page.get_by_role("dialog", name="Drag a node onto the canvas")
    expect(desk.node("late")).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(tour).to_have_count(0)

    page.goto(f"{product.http.base_url}/")
    page.get_by_role("button", name="New topology").click()
    page.get_by_role("button", name="Empty topology").click()
    tour.get_by_role("button", name="Skip").click()
    page.reload()
    expect(desk.palette).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(tour).to_have_count(0)
    product.delete(f"/topologies/{desk.topology}")
    context.close()


def test_the_tour_waits_for_a_dialog_to_close(browser: Browser, product: Product) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    page.clock.install()
    sign_in(page, product)
    page.goto(f"{product.http.base_url}/")
    page.get_by_role("button", name="New topology").click()
    empty = page.get_by_role("button", name="Empty topology")
    expect(empty).to_be_visible()
    page.clock.pause_at(datetime.now() + timedelta(hours=1))
    empty.click()
    desk, tour = EditorPage(page), page.get_by_role("dialog", name="Drag a node onto the canvas")
    expect(desk.palette).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()

    page.clock.run_for(5_000)
    expect(tour).to_have_count(0)
    page.keyboard.press("Escape")
    page.clock.run_for(2_000)
    expect(tour).to_be_visible()
    product.delete(f"/topologies/{desk.topology}")
    context.close()


def box(place: Locator) -> tuple[float, float, float, float]:
    found = place.bounding_box()
    assert found is not None, f"{place} is not to be seen"
    return found["x"], found["y"], found["width"], found["height"]


def width(place: Locator) -> float:
    return box(place)[2]


def right(place: Locator) -> float:
    return box(place)[0] + box(place)[2]


def meet(one: Locator, other: Locator) -> bool:
    (left, top, across, down), (x, y, wide, high) = box(one), box(other)
    return left < x + wide and x < left + across and top < y + high and y < top + down


def name_of(node: Locator) -> str:
    return str(node.get_attribute("aria-label"))


def drag(desk: EditorPage, handle: Locator, x: float, y: float) -> None:
    start = centre(handle)
    desk.hold(start, (start[0] + x, start[1] + y))
    desk.page.mouse.up()
