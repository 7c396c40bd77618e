"""The canvas as hands feel it: input to paint, and frames while a node of 1,000 is dragged under live numbers."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

from playwright.sync_api import Page, sync_playwright

from tests.e2e.conftest import ARGUMENTS
from tests.e2e.desk import EditorPage
from tests.e2e.journey import Journey, walk_to_live_results
from tests.proof.product import ROOT, Product
from webapp.local import chromium

BRANCHES, LENGTH = 37, 26
"""With the source, 37 branches of 26 filters and a sink each make 1,000 nodes, the most a topology holds."""
STEPS = 240
STEP = {"x": 224, "y": 96}

WATCH_FRAMES = """() => {
  window.frames_seen = []; window.stop_frames = false;
  const look = (at) => { window.frames_seen.push(at); if (!window.stop_frames) requestAnimationFrame(look); };
  requestAnimationFrame(look);
}"""
WATCH_INPUT = """() => {
  window.paints = [];
  for (const type of ["pointermove", "keydown", "click"]) {
    window.addEventListener(type, (event) => {
      const began = event.timeStamp;
      requestAnimationFrame(() => {
        const after = new MessageChannel();
        after.port1.onmessage = () => window.paints.push([type, performance.now() - began]);
        after.port2.postMessage(null);
      });
    }, { capture: true });
  }
}"""
"""From the time stamp of an input to the first task after the frame that shows it."""


SCRIPT_BYTES = """() => performance.getEntriesByType("resource")
  .filter(({ name }) => name.endsWith(".js")).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""


class Frames(NamedTuple):
    """Frames per second, and the longest frame."""

    a_second: float
    longest_ms: float


class Felt(NamedTuple):
    """Milliseconds from input to paint; the frames of a drag, and of a walk over the graph by the wheel; and Fit."""

    paints: list[float]
    dragged: Frames
    panned: Frames
    fit_ms: float
    """From the key to the frame that shows all nodes."""
    fitted: Frames
    """The frames of the second from the key on."""

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.paints, n=20)[18]


def wide_topology() -> dict[str, Any]:
    """Filters in branches behind one source: as many nodes as a topology may have."""
    nodes = [node("flights", "stream", {"topic": "flights"}, 0, BRANCHES // 2)]
    edges = []
    for branch in range(BRANCHES):
        before, port = "flights", "records"
        for place in range(1, LENGTH + 1):
            name = f"keep-{branch}-{place}"
            nodes.append(node(name, "filter", {"predicate": "dep_delay > 0"}, place, branch))
            edges.append(edge(before, name, port))
            before = name
        nodes.append(node(f"out-{branch}", "to", {"topic": f"bench-{branch}"}, LENGTH + 1, branch))
        edges.append(edge(before, f"out-{branch}", "stream"))
    return {"nodes": nodes, "edges": edges}


def feel(product: Product) -> Felt:
    """Deploy the wide topology, open it, move and type. The feed must run, and the product have a standby."""
    topology = product.post("/topologies", {"name": "Wide", "graph": wide_topology()})["id"]
    job = product.post("/jobs/deploy", {"topology": topology})["id"]
    product.wait(lambda: product.batch(job) is not None, "the wide topology's first batch")
    product.wait(product.standby_is_ready, "the next standby, whose start takes a core")
    with page_of(product) as page:
        found = felt(page, f"/topologies/{topology}")
    product.post(f"/jobs/{job}/stop")
    product.wait_for_status(job, "stopped")
    return found


def walk(product: Product) -> Journey:
    """The way of a stranger, whose job is stopped at the end. The feed must run."""
    topology = product.post("/topologies", {"name": "Late flights"})["id"]
    with page_of(product) as page:
        page.goto(f"{product.http.base_url}/topologies/{topology}")
        page.get_by_role("region", name="Start with a topic").wait_for()
        journey = walk_to_live_results(EditorPage(page))
    job = next(job["id"] for job in product.get("/jobs") if job["topology"] == topology)
    product.post(f"/jobs/{job}/stop")
    product.wait_for_status(job, "stopped")
    return journey


def script_bytes(product: Product) -> int:
    """Bytes of the scripts that Home loads, for itself and ahead."""
    with page_of(product) as page:
        page.wait_for_load_state("networkidle")
        return int(page.evaluate(SCRIPT_BYTES))


def felt(page: Page, path: str) -> Felt:
    page.goto(page.url.split("/topologies")[0].rstrip("/") + path)
    canvas = page.get_by_role("region", name="Canvas")
    canvas.get_by_role("group", name="keep-3-2: filter").wait_for()
    page.wait_for_timeout(3_000)
    page.evaluate(WATCH_INPUT)
    dragged = drag(page, canvas.get_by_role("group", name="keep-3-2: filter").bounding_box())
    canvas.get_by_role("group", name="keep-3-3: filter").click()
    typed(page)
    paints = [took for _, took in page.evaluate("window.paints")]
    panned = pan(page, canvas.bounding_box())
    return Felt(paints, dragged, panned, *fit(page))


def drag(page: Page, box: Any) -> Frames:
    """Drag a node to and fro, a step a frame."""
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    with frames_of(page) as gaps:
        for step in range(STEPS):
            page.mouse.move(x + (step % 80 if step % 160 < 80 else 80 - step % 80), y + step % 40)
    page.mouse.up()
    take_away(page)
    return frames(gaps)


def take_away(page: Page) -> None:
    """Move the pointer off the canvas: where it rests on a node that runs, a card opens and may cover the next one."""
    page.mouse.move(0, 0)


def pan(page: Page, box: Any) -> Frames:
    """Walk over the graph and back, so that nodes come into view and leave it."""
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    with frames_of(page) as gaps:
        for step in range(STEPS):
            page.mouse.wheel(*((16, 10) if step < STEPS / 2 else (-16, -10)))
    take_away(page)
    return frames(gaps)


def fit(page: Page) -> tuple[float, Frames]:
    """Show all nodes by the key of Fit, from a view that shows a few."""
    page.get_by_role("region", name="Canvas").get_by_role("group", name="keep-3-3: filter").click()
    page.evaluate("window.paints.length = 0")
    with frames_of(page) as gaps:
        page.keyboard.press("1")
        page.wait_for_timeout(1_000)
    took = next(took for kind, took in page.evaluate("window.paints") if kind == "keydown")
    return took, frames(gaps)


@contextmanager
def frames_of(page: Page) -> Iterator[list[float]]:
    """Milliseconds between the frames of a block, there when it ends."""
    gaps: list[float] = []
    page.evaluate(WATCH_FRAMES)
    yield gaps
    page.evaluate("window.stop_frames = true")
    gaps += [after - before for before, after in pairwise(page.evaluate("window.frames_seen"))]


def frames(gaps: list[float]) -> Frames:
    return Frames(1_000 / statistics.fmean(gaps), max(gaps))


def typed(page: Page) -> None:
    field = page.get_by_role("complementary", name="Inspector").get_by_role("textbox", name="Predicate")
    field.click()
    field.press("End")
    page.keyboard.type(" AND dep_delay < 1000", delay=40)


@contextmanager
def page_of(product: Product) -> Iterator[Page]:
    """A signed-in tab of a real Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find_executable(ROOT / ".run"), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        for name, value in product.http.cookies.items():
            page.context.add_cookies([{"name": name, "value": value, "url": str(product.http.base_url)}])
        page.goto(str(product.http.base_url))
        yield page
        browser.close()


def node(name: str, operator: str, config: dict[str, Any], column: int, row: int) -> dict[str, Any]:
    position = {"x": column * STEP["x"], "y": row * STEP["y"]}
    return {"id": name, "operator": operator, "config": config, "position": position}


def edge(source: str, target: str, port: str) -> dict[str, str]:
    return {"source": source, "source_port": "result", "target": target, "target_port": port}
