"""Journey 1: part (b) of "Flight delays" drawn from an empty canvas, deployed, changed while it keeps its state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast
from zipfile import ZipFile

import polars as pl
import pytest
from confluent_kafka import Consumer, TopicPartition
from playwright.sync_api import Locator, Request, expect

from tests.e2e.conftest import STARTS_WITHIN_MS
from tests.e2e.desk import EditorPage, centre
from tests.e2e.pages import HomePage
from tests.proof import oracle
from tests.proof.compare import delays_equal
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]
OPERATORS = {
    "stream": (110, 110),
    "filter": (310, 110),
    "select_key": (510, 110),
    "group_by_key": (710, 110),
    "windowed_by": (110, 300),
    "aggregate": (310, 300),
    "to_stream": (510, 300),
    "to": (710, 300),
}
EDGES = [
    ("stream", "filter", "records"),
    ("filter", "select-key", "stream"),
    ("select-key", "group-by-key", "stream"),
    ("group-by-key", "windowed-by", "grouped"),
    ("windowed-by", "aggregate", "grouped"),
    ("aggregate", "to-stream", "table"),
    ("to-stream", "to", "stream"),
]
LATE = """{"topic": "flights", "value": {"origin": "LGA", "dep_delay": 7}, "timestamp": 180000000}
{"topic": "flights", "value": {"origin": "LGA", "dep_delay": 9}, "timestamp": 0}
"""
CASE = "late flights are left out"
FUNCTIONS = [("flights", "count", None), ("average_delay", "avg", "dep_delay"), ("longest_delay", "max", "dep_delay")]


def test_a_topology_is_drawn_deployed_changed_and_stopped(home: HomePage, product: Product) -> None:
    desk = home.new_topology("Delays by airport")
    draw_nodes(desk)

    desk.draw("aggregate", "to", "stream")
    expect(desk.why_not).to_contain_text("A KTable cannot go into to")
    expect(desk.why_not).to_contain_text("Put to_stream between them.")
    for source, target, port in EDGES:
        desk.draw(source, target, port)
        expect(desk.edge(source, target)).to_have_count(1)

    set_up(desk)
    the_inspector_waits_for_the_end_of_a_drag(desk)
    mend_the_misspelt_field(desk)
    try_it(desk)
    with desk.page.expect_download() as saved:
        desk.choose("Export as Python")
    assert 'windowed_by = group_by_key.windowed_by("windowed-by"' in saved.value.path().read_text()
    with desk.page.expect_download() as saved:
        desk.choose("Export as Java")
    assert any(name.endswith("/pom.xml") for name in ZipFile(saved.value.path()).namelist())
    expect(desk.saved).to_have_text("Saved")

    dialog = desk.deploy()
    expect(dialog).to_contain_text("drawn-delays")
    choose_one_slot(dialog)
    with another_tab(desk) as elsewhere:
        desk.confirm("Deploy")
        expect(desk.status).to_have_text("Running", timeout=STARTS_WITHIN_MS)
        expect(elsewhere.status).to_have_text("Running")  # it was not there before
    expect(desk.node("to")).to_contain_text(re.compile(r"[1-9][\d,.]*/s"), timeout=STARTS_WITHIN_MS)
    with product.feed_paused():
        expect(desk.node("flights")).to_contain_text("lag 0", timeout=STARTS_WITHIN_MS)

    desk.drag_onto_edge("filter", "filter", "select-key")
    desk.select("filter-2")
    desk.write("Predicate", "carrier = 'UA'")
    expect(desk.node("filter-2")).to_contain_text("New")
    expect(desk.saved).to_have_text("Saved")

    dialog = desk.deploy()
    expect(dialog).to_contain_text(re.compile("Kept.*aggregate.*State kept.*Slots: 1", re.DOTALL))
    expect(dialog).to_contain_text(f"The test case fails: {CASE}.")
    desk.confirm("Deploy")
    expect(desk.node("filter-2")).not_to_contain_text("New", timeout=STARTS_WITHIN_MS)
    expect(desk.status).to_have_text("Running", timeout=STARTS_WITHIN_MS)
    expect(desk.node("filter-2")).to_contain_text(re.compile(r"[1-9][\d,.]*/s"), timeout=STARTS_WITHIN_MS)
    with product.feed_paused():
        expect(desk.node("flights")).to_contain_text("lag 0", timeout=STARTS_WITHIN_MS)
    desk.press("Stop")
    expect(desk.status).to_have_text("Stopped", timeout=STARTS_WITHIN_MS)

    the_output_equals_the_recomputation(product, desk.topology)
    desk.choose("Delete topology")
    desk.confirm("Delete")
    expect(home.heading).to_be_visible()
    expect(home.card("Delays by airport").place).to_have_count(0)


@contextmanager
def another_tab(desk: EditorPage) -> Iterator[EditorPage]:
    """The same topology, open for another user too, who sees no job."""
    page = desk.page.context.new_page()
    page.goto(desk.page.url)
    other = EditorPage(page)
    expect(other.node("flights")).to_be_visible()
    expect(other.status).to_have_count(0)
    yield other
    page.close()


def choose_one_slot(dialog: Locator) -> None:
    dialog.get_by_text("Settings", exact=True).click()
    slots = dialog.get_by_role("spinbutton", name="Slots", exact=True)
    slots.fill("1000")
    expect(dialog).to_contain_text("Slots (slots) must be at most 256.")
    expect(dialog.get_by_role("button", name="Deploy", exact=True)).to_be_disabled()
    slots.fill("1")
    expect(dialog).not_to_contain_text("must be at most")
    expect(dialog).to_contain_text("Slots: 1")


def draw_nodes(desk: EditorPage) -> None:
    for operator, (x, y) in OPERATORS.items():
        desk.drag_in(operator, x, y)
        expect(desk.node(operator.replace("_", "-"))).to_be_visible()


def the_inspector_waits_for_the_end_of_a_drag(desk: EditorPage) -> None:
    desk.select("select-key")
    expect(desk.field("Key")).to_be_visible()
    x, y = centre(desk.node("filter"))
    desk.hold((x, y), (x + 8, y + 8))
    expect(desk.node("filter")).to_have_class(re.compile(r"\bselected\b"))
    expect(desk.field("Key")).to_be_visible()
    desk.page.mouse.up()
    expect(desk.field("Predicate")).to_be_visible()


def set_up(desk: EditorPage) -> None:
    """Everything right but one: `dep_dely`."""
    desk.select("stream")
    desk.field("Topic", "combobox").fill("flights")
    desk.select("filter")
    desk.write("Predicate", "dep_dely IS NOT NULL")
    desk.select("select-key")
    desk.write("Key", "origin")
    desk.select("windowed-by")
    desk.span("Size", 1, "h")
    desk.span("Grace", 24, "h")
    desk.select("aggregate")
    for number, (name, function, expression) in enumerate(FUNCTIONS, start=1):
        desk.inspector.get_by_role("button", name="Add function").click()
        desk.field(f"Name {number}").fill(name)
        desk.field(f"Function {number}", "combobox").select_option(function)
        if expression is not None:
            desk.write(f"Expression {number}", expression)
    desk.select("to")
    desk.field("Topic", "combobox").fill("drawn-delays")


def mend_the_misspelt_field(desk: EditorPage) -> None:
    desk.open_tab("Problems")
    problem = desk.drawer.get_by_role("listitem").filter(has_text="dep_dely")
    expect(problem).to_contain_text("Did you mean")
    problem.get_by_role("button", name=re.compile("dep_delay")).last.click()

    expect(problem).to_have_count(0)
    expect(desk.drawer).to_contain_text("No problems.")
    desk.fold_drawer()


def try_it(desk: EditorPage) -> None:
    """Before anything runs; an edit is tried at once. The newest flights may be those of a day when none departed."""
    desk.open_tab("Trial")
    tried = desk.drawer.get_by_role("table", name="Tried records")
    desk.select("flights")
    expect(tried.get_by_role("row").nth(1)).to_contain_text(re.compile(r"dep_delay.*flights-\d@\d+"))

    desk.select("filter")
    expect(desk.drawer).to_contain_text("Output of filter")
    desk.write("Predicate", "dep_delay > 100000")
    expect(desk.drawer).to_contain_text("None of the tried records reaches this point.")
    desk.write("Predicate", "flight > 0")
    expect(tried).to_contain_text("dep_delay")
    desk.write("Predicate", "dep_delay IS NOT NULL")

    records = desk.drawer.get_by_role("combobox", name="for")
    records.select_option("my own records")
    own = desk.drawer.get_by_role("textbox", name="Your records, one per line")
    expect(own).to_have_value(re.compile(r'^{"topic": "flights", "key": .*"dep_delay"'))
    own.fill('{"topic": "flights", "value": {"origin": "LGA", "dep_delay": 7}, "timestamp": 90000000}\n{')
    expect(desk.drawer).to_contain_text("Line 2 is not valid JSON")
    own.fill(LATE)
    desk.select("aggregate")
    expect(tried.get_by_role("row").nth(1)).to_contain_text('"longest_delay":7')
    tried.get_by_role("row").nth(1).get_by_role("button").first.click()
    desk.drawer.get_by_role("button", name="Edit and send").click()
    send = desk.page.get_by_role("dialog", name="Send to flights")
    expect(send.get_by_role("textbox", name="Value")).to_have_value(re.compile('"dep_delay": 7'))
    send.get_by_role("button", name="Close").click()
    expect(desk.drawer).to_contain_text("Dropped at aggregate: late 1.")
    keep_it(desk)
    desk.open_tab("Trial")
    records.select_option("the newest records")
    desk.select("flights")
    expect(tried.get_by_role("row").nth(1)).to_contain_text(re.compile(r"dep_delay.*flights-\d@\d+"))
    tried.get_by_role("row").nth(1).get_by_role("button").first.click()
    expect(desk.drawer.get_by_role("button", name="Send again")).to_be_visible()
    desk.fold_drawer()


def keep_it(desk: EditorPage) -> None:
    """What leaves the topology is expected of the records from now on; an edit that changes it shows."""
    desk.drawer.get_by_role("button", name="Keep as test case").click()
    name = desk.page.get_by_role("textbox", name="Name of the test case")
    name.fill(CASE)
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(f"{request.method} {request.url.rsplit('/', 1)[1]}")

    desk.page.on("request", note)
    name.press("Enter")
    case = desk.drawer.get_by_role("listitem").filter(has_text=CASE)
    expect(case).to_contain_text("Passed")
    desk.page.remove_listener("request", note)
    assert asked.count("POST cases") == 1

    desk.select("filter")
    desk.write("Predicate", "dep_delay > 8")
    expect(case).to_contain_text("Failed")
    expect(desk.drawer).to_contain_text(re.compile('Expected.*"longest_delay":7.*Got.*"longest_delay":9', re.DOTALL))
    desk.write("Predicate", "dep_delay IS NOT NULL")
    expect(case).to_contain_text("Passed")


def the_output_equals_the_recomputation(product: Product, topology: int) -> None:
    """All flights the first version read, those of United behind them, none twice and none left out."""
    job = next(job for job in product.get("/jobs") if job["topology"] == topology)
    runs = sorted(product.get(f"/jobs/{job['id']}/runs"), key=lambda run: int(run["generation"]))
    first = [run for run in runs if run["version"] == runs[0]["version"]][-1]
    last = runs[-1]
    all_read = numbers_up_to(product, last["offsets"]["flights"])
    first_read = numbers_up_to(product, first["offsets"]["flights"])
    among = pl.col("row").is_in(first_read) | (pl.col("row").is_in(all_read) & (pl.col("carrier") == "UA"))

    delays_equal(product.read("drawn-delays"), oracle.delays_by_airport(among=among))


def numbers_up_to(product: Product, ends: list[int]) -> list[int]:
    """The numbers of the flights before these offsets, by partition."""
    reader = Consumer({"bootstrap.servers": product.kafka, "group.id": "tests", "enable.auto.commit": False})
    reader.assign([TopicPartition("flights", partition, 0) for partition in range(len(ends))])
    read = [0] * len(ends)
    found: list[int] = []
    while read != ends:
        for message in reader.consume(10_000, timeout=0.2):
            partition, offset = int(message.partition() or 0), int(message.offset() or 0)
            if offset < ends[partition]:
                read[partition] = offset + 1
                headers = cast(list[tuple[str, bytes]], message.headers() or [])
                found += [int(value) for name, value in headers if name == "feed.seq"]
    reader.close()
    return found
