"""The main screens in both themes, compared with the pictures of them in `screens/`.

`python -m tests.soak.screens --renew` takes the pictures again. What differs is kept in `.run/screens`.
"""

from __future__ import annotations

import base64
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from runner.demo.samples.flights import TABLES
from tests.e2e.conftest import ARGUMENTS, PATIENCE_MS, sign_in
from tests.e2e.pages import HomePage
from tests.proof.product import ROOT, Product
from webapp.local import chromium

PICTURES = Path(__file__).with_name("screens")
DIFFERING = ROOT / ".run" / "screens"
FLIGHTS = 20_000
"""So many and no more: a job that has read them shows numbers that stay."""
TOLERATED = 75
"""Pixels that may differ, of 324,000: less than a button's label."""
SETTLES_WITHIN_SECONDS = 20.0
"""For colours that fade in and for panels that still load."""
HIDDEN = ".sparkline, .busy, .react-flow__minimap { visibility: hidden !important }"
NUMBERS_MASKED = r"""() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const moving = /\d[\d.,:]*(\s?(GiB|MiB|KiB|GB|MB|kB|ms|min|k|M|B|s|h)\b)?/g;
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.parentElement.isContentEditable) continue;
    const masked = text.data.replace(moving, "0");
    if (masked !== text.data) text.data = masked;
  }
}"""
"""A number of another width would move what stands beside it, so that each becomes 0 instead of being covered.

A number in an expression stays: to write there would be an edit.
"""
COMPARED = """async pictures => {
  const [taken, kept] = await Promise.all(pictures.map(async (picture) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, image.width, image.height);
  }));
  const shown = new ImageData(kept.width, kept.height), painted = new Uint32Array(shown.data.buffer);
  let differing = 0;
  for (let pixel = 0; pixel < painted.length; pixel++) {
    const parts = [0, 1, 2].map((part) => Math.abs(taken.data[4 * pixel + part] - kept.data[4 * pixel + part]));
    const differs = !parts.every((part) => part <= 24);
    painted[pixel] = differs ? 0xff0000ff : 0xff000000;
    differing += differs;
  }
  const canvas = new OffscreenCanvas(kept.width, kept.height);
  canvas.getContext("2d").putImageData(shown, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  return [differing, btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))];
}"""
"""Counts the pixels of which red, green or blue is another, and paints them red on black."""


def home(page: HomePage) -> None:
    expect(page.card("Flight delays").place).to_be_visible()


def editor(page: HomePage) -> None:
    desk = page.edit("Flight delays")
    desk.select("late")
    expect(desk.inspector).to_contain_text("→ boolean")


def job(page: HomePage) -> None:
    expect(page.details("Flight delays").cell("flights", "in")).to_contain_text(re.compile(r"\d"))


def clusters(page: HomePage) -> None:
    expect(page.clusters().row("local")).to_be_visible()


def deploy(page: HomePage) -> None:
    expect(page.edit("Flight delays").deploy()).to_be_visible()


def docs(page: HomePage) -> None:
    page.page.goto(f"{page.page.url}docs/")
    expect(page.page.get_by_role("heading", level=1)).to_be_visible()


SCREENS: tuple[Callable[[HomePage], None], ...] = (home, editor, job, clusters, deploy, docs)


def main() -> None:
    sys.exit(differing_screens(renew="--renew" in sys.argv))


def differing_screens(*, renew: bool = False) -> int:
    """How many screens differ from their pictures. If asked to, it takes the pictures first."""
    folder = Path(tempfile.mkdtemp(prefix="screens-", dir=ROOT / ".run"))
    folder.chmod(0o755)
    product = Product(folder / "home")
    product.start()
    try:
        return compare_screens(product, renew=renew)
    finally:
        product.stop()
        shutil.rmtree(folder)


def compare_screens(product: Product, *, renew: bool) -> int:
    run_sample(product)
    expect.set_options(timeout=PATIENCE_MS)
    shutil.rmtree(DIFFERING, ignore_errors=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.executable(ROOT / ".run"), args=ARGUMENTS)
        judge = browser.new_page()
        found = [
            differs(judge, page_of(browser, product, theme), screen, theme, renew=renew)
            for theme in ("light", "dark")
            for screen in SCREENS
        ]
        browser.close()
    return sum(found)


def run_sample(product: Product) -> None:
    """The sample runs and has read all its flights."""
    product.feed("--tables-only").wait()
    product.wait(lambda: product.topics() >= {"flights", *TABLES}, "the sample's topics")
    number = product.deploy_sample("flight-delays", slots=1)
    product.feed("--rate", "0", "--max", str(FLIGHTS)).wait()
    product.wait(lambda: product.batch(number) is not None and product.lag(number) == 0, "the flights to be read")


def page_of(browser: Browser, product: Product, theme: str) -> Page:
    """The home page in a tab of its own."""
    context = browser.new_context(
        viewport={"width": 1440, "height": 900},
        device_scale_factor=0.5,
        bypass_csp=True,  # it forbids the style that hides moving parts
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
        timezone_id="UTC",
        locale="en-GB",
    )
    context.add_init_script("localStorage.setItem('streamwright:tour-seen', 'true')")
    page = context.new_page()
    sign_in(page, product)
    page.goto(f"{product.http.base_url}/")
    return page


def differs(judge: Page, page: Page, screen: Callable[[HomePage], None], theme: str, *, renew: bool) -> bool:
    """Whether a screen is not that of its picture, also once it has settled; if asked to, the picture is made anew."""
    name = f"{screen.__name__}-{theme}.png"
    picture = PICTURES / name
    screen(HomePage(page))
    if renew:
        picture.write_bytes(settled(page))
    deadline = time.monotonic() + SETTLES_WITHIN_SECONDS
    while True:
        taken = photographed(page)
        differing, shown = compared(judge, taken, picture.read_bytes())
        if differing <= TOLERATED or time.monotonic() > deadline:
            break
    page.context.close()
    print(f"{name}: {differing:,} pixels differ", flush=True)
    if differing > TOLERATED:
        DIFFERING.mkdir(parents=True, exist_ok=True)
        (DIFFERING / name).write_bytes(taken)
        (DIFFERING / f"difference-{name}").write_bytes(shown)
    return differing > TOLERATED


def settled(page: Page) -> bytes:
    """The picture of a screen once two in a row are the same."""
    page.wait_for_load_state("networkidle")
    before, taken = b"", photographed(page)
    while before != taken:
        before, taken = taken, photographed(page)
    return taken


def photographed(page: Page) -> bytes:
    page.evaluate(NUMBERS_MASKED)
    return page.screenshot(animations="disabled", caret="hide", style=HIDDEN)


def compared(judge: Page, taken: bytes, kept: bytes) -> tuple[int, bytes]:
    """How many pixels differ, and a picture of where."""
    differing, shown = judge.evaluate(COMPARED, [base64.b64encode(each).decode() for each in (taken, kept)])
    return differing, base64.b64decode(shown)


if __name__ == "__main__":
    main()
