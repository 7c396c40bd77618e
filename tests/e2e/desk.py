"""The editor as a person uses it: by dragging, by role and by name."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Literal
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

STILL_MS = 100
"""What has not moved for so long stands still."""

IS_WHOLE = """(node) => {
  const { left, top, right, bottom } = node.getBoundingClientRect();
  const [across, down] = [[left + 4, (left + right) / 2, right - 4], [top + 4, (top + bottom) / 2, bottom - 4]];
  const drawing = node.closest(".react-flow__viewport");
  return across.every((x) => down.every((y) => drawing.contains(document.elementFromPoint(x, y))));
}"""
"""Whether nothing but the drawing lies over a node, and no edge of the window cuts it off."""


class EditorPage:
    """One topology on the canvas."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.palette = page.get_by_role("complementary", name="Palette")
        self.canvas = page.get_by_role("region", name="Canvas")
        self.inspector = page.get_by_role("complementary", name="Inspector")
        self.drawer = page.get_by_role("region", name="Drawer")
        self.saved = page.get_by_role("status", name="Saved state")
        self.status = page.get_by_role("status", name="Status of the job")
        self.picker = page.get_by_role("dialog", name="Add a node")
        self.why_not = page.get_by_role("status", name="Why not")

    @property
    def topology(self) -> int:
        """Its number, from the address."""
        return int(urlsplit(self.page.url).path.rsplit("/", 1)[1])

    def node(self, name: str) -> Locator:
        return self.canvas.get_by_role("group", name=re.compile(f"^{re.escape(name)}: "))

    def list_covered(self) -> list[str]:
        """The names of the nodes that something covers or cuts off."""
        nodes = self.canvas.locator(".react-flow__node-operator").all()
        return [str(node.get_attribute("data-id")) for node in nodes if not node.evaluate(IS_WHOLE)]

    def wait_until_whole(self, *names: str) -> None:
        """Wait until nodes are seen from edge to edge: the view follows what was added."""
        for name in names:
            self.page.wait_for_function(IS_WHOLE, arg=self.node(name).element_handle())

    def select(self, name: str) -> None:
        """Click a node, and wait for its form: until then that of another one stands there, maybe with equal fields.

        After a drop the view may still move the node from under the pointer. A person clicks again, too.
        """
        for _ in range(3):
            self.node(name).click()
            with suppress(AssertionError):
                expect(self.field("Name")).to_have_value(name, timeout=10_000)
                return
        expect(self.field("Name")).to_have_value(name)

    def show_inspector(self) -> None:
        """Open it although nothing is selected."""
        self.page.get_by_role("button", name="Show inspector").click()
        expect(self.inspector).to_be_visible()

    def ask_why(self, name: str) -> None:
        """Ask by the menu of a node from which nothing comes while its job runs."""
        self.node(name).click(button="right")
        self.page.get_by_role("menuitem", name="Why is nothing coming out?").click()

    def port(self, side: str, port: str, node: str) -> Locator:
        return self.canvas.get_by_role("img", name=f"{side} {port} of {node}", exact=True)

    def edge(self, source: str, target: str) -> Locator:
        return self.canvas.get_by_role("group", name=f"Edge from {source} to {target}", exact=True)

    def drag_in(self, operator: str, x: float, y: float) -> None:
        """Drag an operator from the palette to a point of the canvas (pixels from its upper left corner)."""
        item = self.palette.get_by_role("button", name=operator, exact=True)
        item.drag_to(self.canvas, target_position={"x": x, "y": y})

    def add(self, operator: str, node: str | None = None) -> None:
        """Add the first operator that the palette finds: behind or into what is selected."""
        search = self.palette.get_by_role("searchbox", name="Search operators")
        search.fill(operator)
        search.press("Enter")
        expect(self.node(node or operator)).to_have_class(re.compile(r"\bselected\b"))

    def draw(self, source: str, target: str, port: str, *, output: str = "result") -> None:
        """Drag an edge from a node's output to an input port of another."""
        start = centre(self.port("Output", output, source))
        end = centre(self.port("Input", port, target))
        self.hold(start, end)
        self.page.mouse.up()

    def hold(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press at one point and move to another, in steps as a hand does."""
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=8)
        mouse.move(*end, steps=8)

    def drag_onto_edge(self, operator: str, source: str, target: str) -> None:
        """Drop an operator in the middle of an edge, so that it comes into it."""
        edge = self.edge(source, target)
        (x, y), box = centre(edge), self.canvas.bounding_box()
        assert box is not None
        self.drag_in(operator, x - box["x"], y - box["y"])
        expect(edge).to_have_count(0)
        centre(self.node(operator))

    def field(self, name: str, role: Literal["textbox", "combobox"] = "textbox") -> Locator:
        return self.inspector.get_by_role(role, name=name, exact=True)

    def span(self, name: str, amount: int, unit: str) -> None:
        """Set a time span."""
        self.inspector.get_by_role("combobox", name=f"Unit of {name}").select_option(unit)
        self.inspector.get_by_role("spinbutton", name=name, exact=True).fill(str(amount))

    def write(self, name: str, text: str) -> None:
        """Replace an expression by keys, as a person does: its editor may not know yet what `fill` has selected."""
        field = self.field(name)
        field.press("Control+a")
        self.page.keyboard.insert_text(text)
        expect(field).to_have_text(text)

    def deploy(self) -> Locator:
        """Press Deploy; the dialog that says what it will do."""
        self.page.get_by_role("button", name="Deploy", exact=True).click()
        return self.page.get_by_role("dialog", name=re.compile("^Deploy "))

    def confirm(self, verb: str) -> None:
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_role("button", name=verb, exact=True).click()
        expect(dialog).to_have_count(0)

    def choose(self, word: str) -> None:
        """Choose what is wanted less often."""
        self.page.get_by_role("button", name="More", exact=True).click()
        self.page.get_by_role("menuitem", name=word).click()

    def press(self, verb: str) -> None:
        """Press a button of the toolbar, and confirm it."""
        self.page.get_by_role("button", name=verb, exact=True).click()
        self.confirm(verb)

    def rename(self, name: str, to: str) -> None:
        self.node(name).click()
        field = self.inspector.get_by_role("textbox", name="Name")
        field.fill(to)
        field.press("Enter")
        expect(self.node(to)).to_be_visible()

    def paste(self, text: str) -> None:
        """Paste a text onto the canvas."""
        self.page.evaluate(
            """text => {
                const held = new DataTransfer();
                held.setData("text/plain", text);
                window.dispatchEvent(new ClipboardEvent("paste", { clipboardData: held, cancelable: true }));
            }""",
            text,
        )

    def fold_drawer(self) -> None:
        self.drawer.get_by_role("button", name="Fold drawer").click()

    def open_tab(self, name: str) -> None:
        self.drawer.get_by_role("tab", name=re.compile(f"^{name}")).click()


def centre(place: Locator) -> tuple[float, float]:
    """The middle of what is on the screen, once it stands still: the view follows what was added."""
    box, before = place.bounding_box(), None
    while box != before:
        place.page.wait_for_timeout(STILL_MS)
        box, before = place.bounding_box(), box
    assert box is not None, f"{place} is not to be seen"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
