"""The first page: signing in by the printed address, live numbers, stop and restart, readable refusals."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.conftest import STARTS_WITHIN_MS
from tests.e2e.desk import EditorPage
from tests.e2e.pages import MOVES, HomePage, figure
from tests.patience import wait_until
from tests.proof.product import Product
from tests.runner.export.test_api import LARGE_ORDERS

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_printed_address_opens_signed_in(arrived: HomePage) -> None:
    expect(arrived.heading).to_be_visible()
    expect(arrived.card("Flight delays").place).to_be_visible()


def test_signing_out_leads_to_the_sign_in_page_and_keeps_strangers_out(arrived: HomePage) -> None:
    arrived.page.get_by_role("button", name="Sign out").click()

    expect(arrived.page.get_by_role("button", name="Sign in")).to_be_visible()


def test_a_stranger_is_led_to_sign_in(page: Page, product: Product) -> None:
    page.goto(f"{product.http.base_url}/jobs/1")

    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def test_a_card_shows_numbers_that_move(home: HomePage) -> None:
    card = home.card("Flight delays")
    expect(card.place).to_contain_text("Running", timeout=STARTS_WITHIN_MS)
    expect(card.throughput).to_have_text(MOVES, timeout=STARTS_WITHIN_MS)

    before = card.numbers.all_inner_texts()

    expect(card.numbers).not_to_have_text(before)
    expect(card.throughput).to_have_text(MOVES)


def test_a_job_is_stopped_from_its_page_started_on_the_canvas_and_restarted(home: HomePage) -> None:
    job = home.details("Flight delays")
    expect(job.status).to_have_text("Running", timeout=STARTS_WITHIN_MS)
    canvas = job.page.context.new_page()
    canvas.goto(urljoin(job.page.url, "/"))
    desk = HomePage(canvas).edit("Flight delays")

    events = "**/api/jobs/*/events"
    job.page.route(events, lambda route: route.abort())  # the page asks again for what it did not get
    job.press("Stop")

    expect(job.status).to_have_text("Stopped", timeout=STARTS_WITHIN_MS)
    job.page.unroute(events)
    expect(job.activity).to_contain_text("admin stopped it")
    job.page.get_by_role("button", name="Deploy").click()
    question = job.page.get_by_role("dialog", name="Deploy Flight delays?")
    expect(question).to_contain_text("The job starts again with that version.")
    question.get_by_role("button", name="Cancel").click()

    expect(desk.status).to_have_text("Stopped")
    ask_and_confirm(canvas, "Start", "Flight delays")

    steps = canvas.get_by_role("status", name="Start of the job")
    expect(steps).to_have_text(re.compile(r"^Session \d+\.\d s.* · Running$"), timeout=STARTS_WITHIN_MS)
    expect(steps).to_have_count(0)
    expect(desk.status).to_have_attribute("title", re.compile("^Started in "))
    canvas.close()
    expect(job.status).to_have_text("Running")
    expect(job.activity).to_contain_text("admin started it")
    expect(job.cell("flights", "in")).not_to_have_text("0", timeout=STARTS_WITHIN_MS)

    runs = job.runs.get_by_role("listitem")
    before = runs.count()

    job.press("Restart")

    expect(runs).to_have_count(before + 1, timeout=STARTS_WITHIN_MS)
    expect(job.activity).to_contain_text("admin restarted it")


def test_every_node_counts_while_the_job_runs(home: HomePage) -> None:
    job = home.details("Flight delays")
    expect(job.status).to_have_text("Running", timeout=STARTS_WITHIN_MS)
    flights = job.cell("flights", "in")
    expect(flights).not_to_have_text("0", timeout=STARTS_WITHIN_MS)

    before = figure(flights)

    wait_until(lambda: figure(flights) > before)
    expect(job.cell("delays-by-airport", "out")).not_to_have_text("0")
    expect(job.sources).to_contain_text("flights")


def test_a_refusal_says_what_is_wrong_and_what_to_do(home: HomePage, tmp_path: Path) -> None:
    file = tmp_path / "notes.json"
    file.write_text('{"nodes": []}')

    home.import_file(file)

    expect(home.refusal).to_contain_text("This is not an exported topology")
    expect(home.refusal).to_contain_text("Export a topology to see the shape.")


def test_a_text_that_is_refused_stays_to_be_corrected(home: HomePage) -> None:
    home.import_text("Topologies:\n  Sink: out (topic: out)")

    expect(home.refusal).to_contain_text("Line 2")
    expect(home.text_to_import).to_have_value("Topologies:\n  Sink: out (topic: out)")


def test_a_name_that_the_server_does_not_get_stays_to_be_sent_again(home: HomePage) -> None:
    page = home.new_topology("A first name").page
    page.get_by_role("button", name="A first name").click()
    name = page.get_by_role("textbox", name="Name of the topology")
    name.fill("A better name")
    page.route("**/api/topologies/*", lambda route: route.abort())

    name.press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached.")
    expect(name).to_have_value("A better name")
    page.unroute("**/api/topologies/*")
    name.press("Enter")
    expect(page.get_by_role("heading", name="A better name")).to_be_visible()


def test_enter_after_an_application_id_asks_for_its_topology(home: HomePage) -> None:
    home.page.get_by_role("button", name="Import", exact=True).click()
    dialog = home.page.get_by_role("dialog")
    line = dialog.get_by_label("Application id")
    line.fill("no-such-application")
    expect(dialog.get_by_role("button", name="Fetch its topology")).to_be_enabled()  # the clusters are known

    with home.page.expect_request("**/topology-description?application=no-such-application"):
        line.press("Enter")


def test_what_kafka_streams_describes_is_imported_and_says_what_it_leaves_open(home: HomePage) -> None:
    home.import_text(LARGE_ORDERS)

    dialog = home.page.get_by_role("dialog", name="The topology is imported")
    expect(dialog).to_contain_text("the name large-only does not say what it is")
    dialog.get_by_role("button", name="Open it").click()
    desk = EditorPage(home.page)
    expect(desk.node("orders")).to_be_visible()
    expect(desk.node("large-only")).to_be_visible()

    desk.paste(LARGE_ORDERS)

    drawn = home.page.get_by_role("dialog", name="The description was imported")
    expect(drawn).to_contain_text("the name large-only does not say what it is")
    drawn.get_by_role("button", name="Close").click()
    expect(desk.node("large-only-2")).to_be_visible()
    expect(desk.saved).to_have_text("Saved")
    delete_topology(home.page)


def test_a_card_leads_to_its_canvas_whose_edges_move_on_request(home: HomePage) -> None:
    desk = home.edit("Flight delays")

    expect(desk.node("flights")).to_be_visible()
    expect(desk.saved).to_have_text("Saved")
    expect(desk.status).to_have_text("Running", timeout=STARTS_WITHIN_MS)
    expect(desk.canvas.locator(".moving").first).to_have_css("display", "none", timeout=STARTS_WITHIN_MS)

    desk.page.get_by_role("button", name="Motion").click()

    expect(desk.canvas.locator(".moving").first).to_have_css("animation-name", "flowing")


def test_a_first_step_with_a_topic_is_drawn_and_undone_at_once(home: HomePage) -> None:
    desk = home.new_topology("First steps")
    start = desk.page.get_by_role("region", name="Start with a topic")

    start.get_by_role("searchbox", name="Search topics").fill("flights")
    start.get_by_role("button", name=re.compile("^flights ")).click()
    expect(start.get_by_role("table").get_by_role("row")).to_have_count(6)
    start.get_by_role("button", name=re.compile("^Count per key")).click()

    expect(desk.node("flights-per-key")).to_be_visible()
    expect(desk.node("count")).to_be_visible()
    expect(desk.saved).to_have_text("Saved")
    desk.page.get_by_role("button", name="Undo").click()
    expect(start).to_be_visible()
    delete_topology(desk.page)


def test_an_application_of_the_gallery_is_found_and_opens_whole(home: HomePage) -> None:
    home.page.get_by_role("button", name="New topology").click()
    dialog = home.page.get_by_role("dialog", name="New topology")
    dialog.get_by_role("searchbox", name="Search applications").fill("fraud profile")
    found = dialog.get_by_role("list", name="Applications").get_by_role("button", name="Fraud detection")
    expect(found).to_have_count(1)
    dialog.get_by_text("Example", exact=True).click()
    expect(dialog.get_by_role("heading", name="Out")).to_be_visible()

    found.click()

    desk = EditorPage(home.page)
    expect(home.page.get_by_role("button", name="Fraud detection", exact=True)).to_be_visible()
    expect(desk.node("transactions")).to_be_visible()
    expect(desk.node("place-alerts")).to_be_visible()
    expect(desk.saved).to_have_text("Saved")
    desk.choose("Save a picture")
    with home.page.expect_download() as saved:
        home.page.get_by_role("button", name="Save as SVG").click()
    assert ">transactions</text>" in saved.value.path().read_text()
    desk.choose("Save a picture")
    with home.page.expect_download() as saved:
        home.page.get_by_role("button", name="Save as PNG").click()
    picture = saved.value.path().read_bytes()
    width, height = int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])
    assert (picture[:8], width > height > 100) == (b"\x89PNG\r\n\x1a\n", True)

    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk.choose("Save a picture")
    desk.page.get_by_role("dialog").get_by_role("button", name="Copy").click()
    expect(desk.page.get_by_role("dialog")).to_have_count(0)
    copied = "async () => (await navigator.clipboard.read()).flatMap(({ types }) => types)"
    assert desk.page.evaluate(copied) == ["image/png"]
    delete_topology(home.page)


def test_words_typed_over_the_gallery_are_searched_and_begin_no_topology(home: HomePage) -> None:
    home.page.get_by_role("button", name="New topology").click()
    dialog = home.page.get_by_role("dialog", name="New topology")
    expect(dialog.get_by_role("list", name="Applications").get_by_role("listitem").first).to_be_visible()

    home.page.keyboard.type("nothing like it")
    home.page.keyboard.press("Enter")

    expect(dialog.get_by_role("searchbox", name="Search applications")).to_have_value("nothing like it")
    expect(dialog.get_by_text("No example matches.")).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    expect(home.heading).to_be_visible()


def test_an_application_runs_with_sample_data_until_all_of_it_is_removed(home: HomePage) -> None:
    home.page.get_by_role("button", name="New topology").click()
    dialog = home.page.get_by_role("dialog", name="New topology")
    dialog.get_by_role("searchbox", name="Search applications").fill("word count")
    dialog.get_by_role("button", name="Run with sample data").click()

    desk = EditorPage(home.page)
    expect(desk.node("word-counts")).to_contain_text(MOVES, timeout=STARTS_WITHIN_MS)

    home.page.get_by_role("region", name="Sample data").get_by_role("button", name="Remove").click()
    home.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(home.heading).to_be_visible()
    expect(home.card("Word count").place).to_have_count(0, timeout=STARTS_WITHIN_MS)


def test_searching_and_choosing_a_state_leave_what_fits(home: HomePage) -> None:
    home.search.fill("flight")
    expect(home.cards).to_have_count(1)

    home.show("Not deployed")

    expect(home.cards).to_have_count(0)
    expect(home.page.get_by_text("No match.")).to_be_visible()


def delete_topology(page: Page) -> None:
    """Through the menu; home again, with the sample alone."""
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name="Delete topology").click()
    page.get_by_role("dialog", name="Delete ").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("heading", name="Topologies", level=1)).to_be_visible()


def ask_and_confirm(page: Page, verb: str, name: str) -> None:
    """Press a button of the toolbar, and confirm it."""
    page.get_by_role("button", name=verb, exact=True).click()
    page.get_by_role("dialog", name=f"{verb} {name}?").get_by_role("button", name=verb, exact=True).click()


def test_home_asks_for_the_pictures_that_are_seen(home: HomePage, product: Product) -> None:
    made = [product.post("/topologies", {"name": f"Zone {number}"})["id"] for number in range(40)]
    asked: list[str] = []
    home.page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/draft") else None)

    home.page.reload()
    home.page.get_by_role("searchbox", name="Search topologies and jobs").fill("Zone")
    expect(home.card("Zone 0").place).to_contain_text("Nothing is drawn yet.")

    assert len(asked) < len(made)
    home.card("Zone 39").place.scroll_into_view_if_needed()
    expect(home.card("Zone 39").place).to_contain_text("Nothing is drawn yet.")
    for topology in made:
        product.delete(f"/topologies/{topology}")


def test_a_card_says_why_its_job_failed_before_live_numbers_and_shows_its_details_beside_long_names(
    home: HomePage,
) -> None:
    cause = {"code": "run.failed", "message": "A file is missing.", "hint": "Look for it."}
    failed = {"status": "failed", "is_blocked": True, "failure": cause, "updated_by": "maximilian" * 15}

    def fail(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=[job | failed for job in answer.json()])

    other = HomePage(home.page.context.new_page())  # a route of a socket stays with its tab
    other.page.route("**/api/jobs", fail)
    other.page.route_web_socket(re.compile("/ws/jobs/"), lambda _: None)  # it opens, and says nothing

    other.page.goto(home.page.url)

    card = other.card("Flight delays").place
    card.scroll_into_view_if_needed()
    expect(card).to_contain_text("A file is missing.")
    expect(card.get_by_role("link", name="Details of Flight delays")).to_be_in_viewport(ratio=1)


def test_what_is_chosen_is_seen_in_the_colours_of_the_system(home: HomePage) -> None:
    states = home.page.get_by_role("group", name="Show")
    expect(states).to_be_visible()
    home.page.emulate_media(forced_colors="active")

    chosen, other = (
        states.get_by_role("button", name=re.compile(f"^{word}")).evaluate(
            "one => getComputedStyle(one).backgroundColor"
        )
        for word in ("All", "Failed")
    )

    assert chosen != other
    home.page.emulate_media(forced_colors="none")


def test_the_theme_is_chosen_and_remembered_also_by_the_documentation(home: HomePage) -> None:
    home.page.get_by_role("combobox", name="Theme").select_option("Dark")
    expect(home.page.locator("body")).to_have_css("background-color", "rgb(16, 18, 22)")

    home.page.reload()
    expect(home.page.locator("body")).to_have_css("background-color", "rgb(16, 18, 22)")

    home.page.goto(f"{home.page.url}docs/")
    expect(home.page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


def test_pages_are_as_wide_as_a_window_of_600_pixels(home: HomePage) -> None:
    page, address = home.page, home.page.url
    too_wide: dict[str, int] = {}
    page.set_viewport_size({"width": 600, "height": 800})

    for path in ("", "alerts", "topics", "users"):
        page.goto(f"{address}{path}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        too_wide[path] = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    assert too_wide == dict.fromkeys(too_wide, 0)


def test_a_long_name_leaves_room_for_the_columns_beside_it(home: HomePage, product: Product) -> None:
    name = "payments-of-large-customers-with-a-very-long-topic-name-for-europe-2026"
    if name not in product.topics():
        product.post("/clusters/local/topics", {"name": name, "partitions": 1})
    home.page.set_viewport_size({"width": 600, "height": 800})
    home.page.goto(f"{home.page.url}topics")
    row = home.page.get_by_role("row").filter(has=home.page.get_by_role("link", name=name, exact=True))
    size = row.get_by_role("cell").nth(2)

    size.scroll_into_view_if_needed()

    (named, shown) = (row.get_by_role("rowheader").bounding_box(), size.bounding_box())
    assert named is not None
    assert shown is not None
    assert named["x"] + named["width"] <= shown["x"]


def test_a_bar_that_scrolls_shows_a_shadow_where_more_of_it_is(home: HomePage) -> None:
    page = home.page
    page.set_viewport_size({"width": 600, "height": 800})
    bar = page.get_by_role("navigation", name="Main")
    expect(bar.get_by_role("link", name="Audit")).to_be_attached()
    plain, shaded = corners(bar)
    assert plain != shaded

    bar.evaluate("bar => bar.scrollTo(bar.scrollWidth, 0)")

    left, right = corners(bar)
    assert right == plain
    assert left != plain


def corners(bar: Locator) -> list[list[int]]:
    """The colours above the words at both sides."""
    picture = base64.b64encode(bar.screenshot()).decode()
    found: list[list[int]] = bar.page.evaluate(
        """async (picture) => {
            const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
            const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
            const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
            canvas.drawImage(image, 0, 0);
            return [3, image.width - 4].map((x) => [...canvas.getImageData(x, 0, 1, 1).data]);
        }""",
        picture,
    )
    return found


def test_the_documentation_follows_the_system_where_no_theme_is_chosen(home: HomePage) -> None:
    page = home.page
    page.emulate_media(color_scheme="light")
    page.goto(f"{page.url}docs/")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "default")

    page.emulate_media(color_scheme="dark")

    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
