"""Every screen compared with its picture in `screens/`: small and light, and the busiest in other sizes and dark, too.

`python -m tests.soak.screens --renew` takes the pictures again, or those of the screens that are named.
What differs is kept in `.run/screens`.
"""

from __future__ import annotations

import base64
import shutil
import struct
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from runner.demo.samples.flights import TABLES
from tests.e2e import screens
from tests.e2e.conftest import ARGUMENTS, PATIENCE_MS, sign_in
from tests.e2e.pages import HomePage
from tests.e2e.screens import Screen
from tests.e2e.test_break import break_records
from tests.e2e.test_versions import graph
from tests.proof.product import ROOT, Product, make_home
from webapp.local import chromium

PICTURES = Path(__file__).with_name("screens")
DIFFERING = ROOT / ".run" / "screens"
FLIGHTS = 20_000
"""So many and no more: a job that has read them shows numbers that stay."""
TOLERATED = 75
"""Pixels that may differ, of about 300,000: less than a button's label."""
Theme = Literal["light", "dark"]
USUAL: tuple[tuple[tuple[int, int], Theme], ...] = (((1280, 720), "light"),)
"""The size and the theme in which every screen is compared."""
SETTLES_WITHIN_SECONDS = 20.0
"""For colours that fade in and for panels that still load."""
HIDDEN = (
    ".sparkline, .busy, .react-flow__minimap, .chart, .glance, .peers, .peer-selection, .peer-pointer "
    "{ visibility: hidden !important }"
)
"""Also the card of what the pointer happens to be over, and the tab of the picture before, which has just closed."""
NUMBERS_MASKED = r"""() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const moving = /\d[\d.,:]*(\s?(GiB|MiB|KiB|GB|MB|kB|ms|min|k|M|B|s|h)\b)?/g;
  const month = /(?<=0 )(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?= 0)/g;
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.parentElement.isContentEditable) continue;
    const masked = text.data.replace(moving, "0").replace(month, "Jan");
    if (masked !== text.data) text.data = masked;
  }
  for (const field of document.querySelectorAll("textarea[readonly]")) field.value = field.value.replace(moving, "0");
}"""
"""A number of another width would move what stands beside it, so that each becomes 0 instead of being covered.

A month becomes January, for the same reason.

A number in an expression stays: to write there would be an edit.
"""
PIXELS = """async (picture) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  return pen.getImageData(0, 0, image.width, image.height);
}"""
COMPARED = """async (pictures) => {
  const [{ data: taken }, { data: kept, width, height }] = await Promise.all(pictures.map(PIXELS));
  const shown = new ImageData(width, height), painted = new Uint32Array(shown.data.buffer);
  let differing = 0;
  for (let pixel = 0; pixel < painted.length; pixel++) {
    const at = 4 * pixel;
    let differs = false;
    for (let part = at; part < at + 3; part++) differs ||= Math.abs(taken[part] - kept[part]) > 24;
    painted[pixel] = differs ? 0xff0000ff : 0xff000000;
    differing += differs;
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").putImageData(shown, 0, 0);
  return [differing, new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer()).toBase64()];
}""".replace("PIXELS", PIXELS)
"""Counts the pixels of which red, green or blue is another, and paints them red on black."""


INDEXED = """async (picture) => {
  const { data, width, height } = await (PIXELS)(picture);
  const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
  const rounded = (part) => Math.min(255, (part + 4) & ~7);
  const colours = new Uint32Array(width * height), counts = new Map();
  for (let pixel = 0; pixel < colours.length; pixel++) {
    const at = 4 * pixel;
    const colour = (rounded(data[at]) << 16) | (rounded(data[at + 1]) << 8) | rounded(data[at + 2]);
    colours[pixel] = colour;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const all = [...counts].sort((one, other) => other[1] - one[1]).map(([colour]) => ({ colour, far: 256, place: 0 }));
  const kept = [];
  const keep = (chosen) => {
    const [r, g, b] = parts(chosen.colour);
    for (const each of all) {
      const [red, green, blue] = parts(each.colour);
      const far = Math.max(Math.abs(r - red), Math.abs(g - green), Math.abs(b - blue));
      if (far < each.far) Object.assign(each, { far, place: kept.length });
    }
    kept.push(chosen.colour);
  };
  all.slice(0, 128).forEach(keep);
  for (let farthest; kept.length < 256; keep(farthest)) {
    farthest = all.reduce((one, other) => (other.far > one.far ? other : one));
    if (farthest.far === 0) break;
  }
  const places = new Map(all.map(({ colour, place }) => [colour, place]));
  const pixels = Uint8Array.from(colours, (colour) => places.get(colour));
  return [width, height, new Uint8Array(kept.flatMap(parts)).toBase64(), pixels.toBase64()];
}""".replace("PIXELS", PIXELS)
"""256 colours of a picture, the commonest and those farthest from these, and which is nearest to each pixel."""


def comparison(home: HomePage) -> None:
    versions(home)
    home.page.get_by_role("button", name="Show on the canvas").click()
    expect(home.page.get_by_role("status", name="Version shown")).to_be_visible()


def versions(home: HomePage) -> None:
    home.edit("Large orders").choose("Versions")
    expect(home.page.get_by_label("Lines that differ")).to_be_visible()


def empty_canvas(home: HomePage) -> None:
    home.edit("Nothing yet")
    expect(home.page.get_by_role("region", name="Start with a topic")).to_be_visible()


SCREENS: tuple[Screen, ...] = (
    screens.first_page,
    screens.gallery,
    screens.gallery_example,
    empty_canvas,
    screens.editor,
    screens.selected_node,
    screens.windows_of_a_node,
    screens.why_answered,
    screens.running_version,
    versions,
    comparison,
    screens.finder,
    screens.shortcuts,
    screens.tried_record,
    screens.rows_of_a_table,
    screens.records_of_a_topic,
    screens.metrics,
    screens.followed_record,
    screens.picture_dialog,
    screens.deploy_dialog,
    screens.deploy_question,
    screens.acls_dialog,
    screens.job_page,
    screens.group_of_dead_letters,
    screens.topics_page,
    screens.topic_page,
    screens.send_dialog,
    screens.clusters_page,
    screens.cluster_form,
    screens.hosts_page,
    screens.alerts_page,
    screens.tokens_page,
    screens.users_page,
    screens.audit_page,
    screens.docs_page,
)
"""None of them changes what another shows."""
MORE: dict[Screen, tuple[tuple[tuple[int, int], Theme], ...]] = {
    screens.first_page: (((1024, 768), "dark"),),
    screens.editor: (((1440, 900), "dark"), ((1024, 768), "light")),
    screens.deploy_dialog: (((1024, 768), "dark"),),
    screens.job_page: (((1440, 900), "dark"),),
}
"""Screens whose layout changes with the size, and which show most colours."""


def main() -> None:
    named = [word for word in sys.argv[1:] if word != "--renew"]
    sys.exit(differing_screens(named, renew="--renew" in sys.argv))


def differing_screens(named: Sequence[str] = (), *, renew: bool = False) -> int:
    """How many pictures differ, of the screens that are named or of all. If asked to, it takes them first."""
    home = make_home("screens")
    with Product(home) as product:
        wanted = [each for each in SCREENS if each.__name__ in named] or SCREENS
        found = compare_screens(product, wanted, renew=renew)
    shutil.rmtree(home)
    return found


def compare_screens(product: Product, asked: Sequence[Screen], *, renew: bool) -> int:
    prepare(product)
    expect.set_options(timeout=PATIENCE_MS)
    shutil.rmtree(DIFFERING, ignore_errors=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find_executable(ROOT / ".run"), args=ARGUMENTS)
        judge = browser.new_page()
        found = [
            name
            for screen in asked
            for size, theme in (*USUAL, *MORE.get(screen, ()))
            for name in differing(judge, page_of(browser, product, size), screen, theme, renew=renew)
        ]
        browser.close()
    count = sum(len(USUAL) + len(MORE.get(screen, ())) for screen in asked)
    print(f"{len(found)} of {count} pictures differ", flush=True)
    return len(found)


def prepare(product: Product) -> None:
    """What the screens show: the sample with dead letters, a version and a draft that differ, an empty topology."""
    run_sample(product)
    break_records(product, b"not JSON")
    job = product.get("/jobs")[0]["id"]
    product.wait(lambda: product.get(f"/jobs/{job}/letters?search=JSON")["matched"] == 10, "the dead letters")
    made = product.post("/topologies", {"name": "Large orders", "graph": graph("amount > 10")})
    product.post(f"/topologies/{made['id']}/versions", {"note": "Only large ones"})
    out = {"id": "out", "operator": "to", "config": {"topic": "large"}, "position": {"x": 480, "y": 0}}
    product.send("PUT", f"/topologies/{made['id']}/draft", {"graph": graph("amount > 99", out), "revision": 1})
    product.post("/topologies", {"name": "Nothing yet"})


def run_sample(product: Product) -> None:
    """The sample runs and has read all its flights."""
    product.feed("--tables-only").wait()
    product.wait(lambda: product.topics() >= {"flights", *TABLES}, "the sample's topics")
    number = product.deploy_sample("flight-delays", slots=1)
    product.feed("--rate", "0", "--max", str(FLIGHTS)).wait()
    product.wait(lambda: product.batch(number) is not None and product.lag(number) == 0, "the flights to be read")


def page_of(browser: Browser, product: Product, size: tuple[int, int]) -> Page:
    """The home page in its own tab."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        device_scale_factor=0.5,
        bypass_csp=True,  # it forbids the style that hides moving parts
        reduced_motion="reduce",
        timezone_id="UTC",
        locale="en-GB",
    )
    context.add_init_script("localStorage.setItem('streamwright:tour-seen', 'true')")
    page = context.new_page()
    sign_in(page, product)
    page.goto(f"{product.http.base_url}/")
    return page


def differing(judge: Page, page: Page, screen: Screen, theme: Theme, *, renew: bool) -> Iterator[str]:
    """The picture of a screen at a size, if it is not the kept one. If asked to, that one is made anew."""
    name = f"{screen.__name__}-{page.viewport_size['width']}-{theme}"  # type: ignore[index]
    try:
        page.emulate_media(color_scheme=theme)
        screen(HomePage(page))
        if differs(judge, page, name, renew=renew):
            yield name
    except (AssertionError, Error) as error:
        print(f"{name}: {error}", flush=True)
        yield name
    finally:
        page.context.close()


def differs(judge: Page, page: Page, name: str, *, renew: bool) -> bool:
    """Whether a screen is not that of its picture, also once it has settled."""
    picture = PICTURES / f"{name}.png"
    if renew:
        picture.write_bytes(indexed(judge, settled(page)))
        print(name, flush=True)
        return False
    if not picture.exists():
        print(f"{name}: no picture is kept", flush=True)
        return True
    deadline = time.monotonic() + SETTLES_WITHIN_SECONDS
    while True:
        taken = photographed(page)
        pixels, shown = compared(judge, taken, picture.read_bytes())
        if pixels <= TOLERATED or time.monotonic() > deadline:
            break
    print(f"{name}: {pixels:,} pixels differ", flush=True)
    if pixels > TOLERATED:
        DIFFERING.mkdir(parents=True, exist_ok=True)
        (DIFFERING / f"{name}.png").write_bytes(taken)
        (DIFFERING / f"{name}-difference.png").write_bytes(shown)
    return pixels > TOLERATED


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


def indexed(judge: Page, picture: bytes) -> bytes:
    """The picture with a palette: a fifth of its size."""
    width, height, *texts = judge.evaluate(INDEXED, base64.b64encode(picture).decode())
    palette, pixels = map(base64.b64decode, texts)
    rows = b"".join(b"\0" + pixels[at : at + width] for at in range(0, len(pixels), width))
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (b"IHDR" + head, b"PLTE" + palette, b"IDAT" + zlib.compress(rows, 9), b"IEND")
    chunks = (struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part)) for part in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


if __name__ == "__main__":
    main()
