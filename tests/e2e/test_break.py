"""Journey 2: things break. Nothing is lost, and the page says what happened and heals by itself."""

from __future__ import annotations

import re

import pytest
from confluent_kafka import Producer
from playwright.sync_api import expect

from runner.kafka import KafkaCluster
from tests.e2e.conftest import STARTS_WITHIN_MS
from tests.e2e.desk import EditorPage, centre
from tests.e2e.pages import MOVES, HomePage
from tests.patience import PATIENCE_SECONDS, wait_until
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def sample(home: HomePage) -> EditorPage:
    """The sample topology on the canvas, running."""
    desk = home.edit("Flight delays")
    expect(desk.status).to_have_text("Running", timeout=STARTS_WITHIN_MS)
    return desk


def test_broken_records_lie_as_dead_letters_on_their_source(sample: EditorPage, product: Product) -> None:
    break_records(product, b"not JSON")

    expect(sample.node("flights")).to_contain_text("failed", timeout=STARTS_WITHIN_MS)
    sample.node("flights").click()
    sample.open_tab("Dead letters")
    letter = sample.drawer.get_by_role("row").filter(has_text="not JSON").first
    expect(letter).to_be_visible()
    expect(letter).to_contain_text(re.compile("json", re.IGNORECASE))
    tab = sample.drawer.get_by_role("tab", name="Dead letters")
    expect(tab).to_have_text(re.compile(r"Dead letters \d"))
    sample.select("late")
    expect(sample.drawer).to_contain_text("No record has failed on late.")
    expect(tab).to_have_text(re.compile(r"^Dead letters\s*$"))
    sample.drawer.get_by_role("button", name=re.compile("^Show all nodes")).click()
    expect(letter).to_be_visible()
    sample.fold_drawer()
    for _ in range(6):
        sample.page.get_by_role("button", name="Zoom out").click()
    expect(sample.node("flights")).to_contain_text("failed")


SECONDS = """{"streamwright": "nodes", "edges": [{"source": "visits", "source_port": "result", "target": "copies",
"target_port": "stream"}], "nodes": [{"id": "visits", "operator": "stream", "position": {"x": 0, "y": 0}, "config":
{"topic": "visits-in-seconds", "timestamp_from": "field", "timestamp_field": "at"}}, {"id": "copies", "operator": "to",
"position": {"x": 300, "y": 0}, "config": {"topic": "copies"}}]}"""


def test_unlikely_times_are_marked_on_their_source_and_keep_nobody_from_deploying(
    home: HomePage, product: Product
) -> None:
    KafkaCluster(product.kafka).create("visits-in-seconds", 1)
    product.produce("visits-in-seconds", "a", {"at": 1_774_656_000})
    desk = home.new_topology("Visits")

    desk.paste(SECONDS)

    expect(desk.node("visits").get_by_role("img", name=re.compile("is before 2000"))).to_have_text(re.compile("1"))
    desk.open_tab("Problems")
    problem = desk.drawer.get_by_role("listitem").filter(has_text="is before 2000")
    expect(problem).to_contain_text("choose s as timestamp_unit")
    expect(desk.deploy()).to_be_visible()
    desk.page.keyboard.press("Escape")
    problem.get_by_role("button").click()
    unit = desk.inspector.get_by_role("radiogroup", name="Timestamp unit")
    expect(desk.inspector.get_by_role("group", name="Fields of the record")).to_be_visible()
    place = centre(unit)
    desk.field("Timestamp field").blur()
    assert centre(unit) == place, "what a pointer is about to press must not move when a field is left"
    unit.get_by_role("radio", name="s", exact=True).click()
    expect(problem).to_have_count(0)


def wait_for_flights(product: Product, count: int) -> None:
    """Returns when the feed has written so many more."""
    cluster = KafkaCluster(product.kafka)
    topic = cluster.topic("flights")
    first = sum(cluster.read_high_watermarks([topic])["flights"])
    wait_until(lambda: sum(cluster.read_high_watermarks([topic])["flights"]) >= first + count)


def test_the_records_of_a_topic_run_by_and_can_be_held(sample: EditorPage, product: Product) -> None:
    sample.node("flights").click()
    sample.open_tab("Records")
    rows = sample.drawer.get_by_role("table", name="Records").get_by_role("row")
    expect(rows.nth(3)).to_be_visible()
    first = rows.nth(1).inner_text()
    expect(rows.nth(1)).not_to_have_text(first)

    sample.drawer.get_by_role("button", name="Pause").click()
    wait_for_flights(product, 100)
    held = rows.nth(1).inner_text()
    wait_for_flights(product, 100)

    assert rows.nth(1).inner_text() == held


def test_the_rows_of_a_table_are_found_by_key_and_stand_still_while_one_is_open(sample: EditorPage) -> None:
    sample.node("delays").click()
    sample.open_tab("Tables")
    rows = sample.drawer.get_by_role("table", name="Rows of hourly-delays").get_by_role("row")
    sample.drawer.get_by_label("Find a key (string)").fill("JFK")
    expect(rows.filter(has_text="EWR")).to_have_count(0)
    expect(rows.nth(1)).to_contain_text('"JFK"')

    rows.nth(1).get_by_role("button").click()
    held = rows.nth(1).inner_text()
    expect(sample.drawer.get_by_role("button", name="Show newest rows")).to_be_visible()

    assert rows.nth(1).inner_text() == held
    sample.drawer.get_by_role("button", name="Show newest rows").click()
    expect(rows.nth(1)).not_to_have_text(held)


def test_a_killed_run_returns_by_itself_and_nothing_is_lost(sample: EditorPage, product: Product) -> None:
    panel = sample.page.get_by_role("region", name="Sample feed")
    before = sample_run(product)
    sample.open_tab("Tables")
    key = sample.drawer.get_by_label(re.compile("^Find a key"))
    for process in product.processes("-m runner.spark"):
        process.suspend()  # the question is not answered by the time the run is killed
    with sample.page.expect_request(re.compile("key=.*JFK")):
        key.fill("JFK")
    panel.get_by_role("button", name="Sample feed", exact=True).click()

    panel.get_by_role("button", name="Kill this run").click()
    sample.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Kill")).click()

    expect(sample.status).not_to_have_text("Running")
    expect(sample.drawer).to_contain_text("The table is being restored")
    expect(sample.status).to_have_text("Running", timeout=STARTS_WITHIN_MS)
    expect(key).to_have_value("JFK")
    expect(sample.node("flights")).to_contain_text(MOVES, timeout=STARTS_WITHIN_MS)
    sample.drawer.get_by_role("combobox", name="Table").select_option("hourly-delays")
    rows = sample.drawer.get_by_role("table", name="Rows of hourly-delays").get_by_role("row")
    expect(rows.nth(1)).to_be_visible()
    sample.fold_drawer()  # the panel unfolds
    assert sample_run(product) != before
    expect(panel).to_contain_text("Nothing lost", timeout=STARTS_WITHIN_MS)


def test_kafka_stops_and_starts_again(sample: EditorPage, product: Product) -> None:
    sample.node("flights").click()
    sample.open_tab("Records")
    expect(sample.drawer.get_by_role("row").nth(1)).to_be_visible()

    (kafka,) = product.processes("kafka.Kafka")
    kafka.suspend()
    try:
        expect(sample.drawer).to_contain_text("Kafka does not answer", timeout=STARTS_WITHIN_MS)
    finally:
        kafka.resume()

    expect(sample.drawer).not_to_contain_text("Kafka does not answer", timeout=STARTS_WITHIN_MS)
    expect(sample.status).to_have_text("Running", timeout=STARTS_WITHIN_MS)
    expect(sample.node("flights")).to_contain_text(MOVES, timeout=STARTS_WITHIN_MS)
    with product.feed_paused():
        expect(sample.node("flights")).to_contain_text("lag 0", timeout=STARTS_WITHIN_MS)


def test_two_tabs_edit_one_draft_and_nothing_typed_is_lost(home: HomePage) -> None:
    desk = home.new_topology("Two tabs")
    desk.drag_in("stream", 110, 110)
    desk.drag_in("to", 510, 110)
    expect(desk.saved).to_have_text("Saved")
    other = EditorPage(home.page.context.new_page())
    other.page.route_web_socket(re.compile("/presence/"), lambda _: None)  # it hears nothing of the first tab
    other.page.goto(desk.page.url)
    expect(other.node("stream")).to_be_visible()

    desk.select("stream")
    desk.field("Topic", "combobox").fill("flights")
    expect(desk.saved).to_have_text("Saved")
    other.select("to")
    other.field("Topic", "combobox").fill("copies")

    expect(other.node("stream")).to_contain_text("flights")
    expect(other.saved).to_have_text("Saved")
    expect(other.node("to")).to_contain_text("copies")
    expect(desk.node("to")).to_contain_text("copies")

    desk.select("to")
    desk.field("Topic", "combobox").fill("trains")
    expect(desk.saved).to_have_text("Saved")
    other.field("Topic", "combobox").fill("ships")

    conflict = other.page.get_by_role("status").filter(has_text="saved revision")
    expect(conflict).to_be_visible()
    expect(other.saved).to_contain_text("Conflict")
    conflict.get_by_role("button", name="Merge").click()
    expect(other.saved).to_have_text("Saved")
    expect(other.node("to")).to_contain_text("ships")
    expect(desk.node("to")).to_contain_text("ships")
    other.page.close()


def test_a_viewer_of_a_deleted_topology_keeps_what_was_drawn(home: HomePage, product: Product) -> None:
    desk = home.new_topology("Short life")
    desk.drag_in("stream", 110, 110)
    expect(desk.saved).to_have_text("Saved")
    product.delete(f"/topologies/{desk.topology}")

    desk.drag_in("filter", 310, 110)

    dialog = desk.page.get_by_role("dialog", name="This topology was deleted.")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Keep as new topology").click()
    expect(desk.node("filter")).to_be_visible()
    expect(desk.saved).to_have_text("Saved")


def test_an_edit_survives_a_restart_of_the_web(home: HomePage, product: Product) -> None:
    desk = home.new_topology("Web away")
    expect(desk.saved).to_have_text("Saved")
    (web,) = product.processes("uvicorn")
    web.kill()
    web.wait(PATIENCE_SECONDS)

    desk.drag_in("stream", 110, 110)

    expect(desk.saved).to_have_text("Saved", timeout=STARTS_WITHIN_MS)
    desk.page.reload()
    expect(desk.node("stream")).to_be_visible()


def break_records(product: Product, value: bytes) -> None:
    producer = Producer({"bootstrap.servers": product.kafka})
    for number in range(10):
        producer.produce("flights", value, str(number).encode())
    assert producer.flush(10) == 0


def sample_run(product: Product) -> int:
    """The sample job's newest run."""
    return next(int(job["run"]) for job in product.get("/jobs") if job["name"] == "flight-delays")
