"""Steps that cannot be taken back, pressed in the page: corrections are sent, and an application is adopted."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, expect

from runner.kafka import KafkaCluster
from tests.e2e.conftest import STARTS_WITHIN_MS
from tests.e2e.desk import EditorPage
from tests.e2e.pages import HomePage
from tests.proof.adopting.drawings import draw as draw_program
from tests.proof.adopting.programs import Programs
from tests.proof.product import Product
from tests.runner.watch.proving.test_prove import draw as draw_sums

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.soak]


def open_topology(home: HomePage, product: Product, topology: int) -> EditorPage:
    home.page.goto(f"{product.http.base_url}/topologies/{topology}")
    return EditorPage(home.page)


def deploy_sums(product: Product) -> tuple[str, int, int]:
    """A job that has counted each amount twice, and a draft that counts it once: topic, topology and job."""
    topic = f"orders-{uuid4().hex[:6]}"
    for name in (topic, f"{topic}-sums"):
        KafkaCluster(product.kafka).create(name, 1, {"retention.ms": "-1"})
    wrong = draw_sums(topic, add="agg + value.amount * 2")
    imported = {"streamwright": 1, "name": f"Sums of {topic}", "graph": wrong}
    topology = int(product.post("/topologies/import", imported)["id"])
    wanted = {"topology": topology, "name": topic, "settings": {"slots": 1}}
    job = int(product.post("/jobs/deploy", wanted)["id"])
    for key, amount in (("ann", 5), ("bob", 7), ("ann", 1)):
        product.produce(topic, key, {"amount": amount})
    product.wait(lambda: read_sums(product, topic) == {"ann": "12", "bob": "14"}, "the wrong sums")
    revision = product.get(f"/topologies/{topology}/draft")["revision"]
    product.send("PUT", f"/topologies/{topology}/draft", {"graph": draw_sums(topic), "revision": revision})
    return topic, topology, job


def read_sums(product: Product, topic: str) -> dict[Any, Any]:
    return {key: value for key, value, _ in product.read(f"{topic}-sums")}


def work_out(desk: EditorPage, first: int) -> Locator:
    """Work out the corrections since a batch; the button that sends them."""
    desk.open_tab("Proof")
    desk.drawer.get_by_text("Correct what was sent", exact=True).click()
    desk.drawer.get_by_role("textbox", name="since batch").fill(str(first))
    desk.drawer.get_by_role("button", name="Work out the corrections").click()
    send = desk.drawer.get_by_role("button", name="Send them")
    expect(send).to_be_disabled(timeout=STARTS_WITHIN_MS)  # the job runs
    return send


def test_corrections_are_sent_and_the_topic_is_right(home: HomePage, product: Product) -> None:
    topic, topology, job = deploy_sums(product)
    first = product.get(f"/jobs/{job}/batches")["batches"][0]["number"]
    desk = open_topology(home, product, topology)

    send = work_out(desk, first)
    counts = desk.drawer.get_by_role("list", name="Corrections by topic")
    expect(counts).to_contain_text(f"{topic}-sums 2 newest values")
    desk.press("Stop")
    expect(send).to_be_enabled(timeout=STARTS_WITHIN_MS)
    send.click()

    expect(desk.drawer).to_contain_text(re.compile(r"2 corrections of .*: sent by "), timeout=STARTS_WITHIN_MS)
    # what follows is seen: to go on with the corrected state, or why that cannot be
    expect(desk.drawer.get_by_text(re.compile("the corrected state"))).to_be_visible()
    assert read_sums(product, topic) == {"ann": "6", "bob": "7"}
    product.delete(f"/jobs/{job}")


def look_at(desk: EditorPage, application: str, job: str) -> Locator:
    """The dialog that adopts an application, after a look at it and at its results."""
    desk.deploy().get_by_role("button", name="Adopt a Kafka Streams application").click()
    dialog = desk.page.get_by_role("dialog", name=re.compile("^Adopt an application"))
    dialog.get_by_role("textbox", name="Application id of the Kafka Streams application").fill(application)
    dialog.get_by_role("textbox", name="Name of the job").fill(job)
    dialog.get_by_role("button", name="Look at it").click()
    expect(dialog.get_by_role("table", name="Stores")).to_contain_text(f"{application}-", timeout=STARTS_WITHIN_MS)
    dialog.get_by_role("button", name="Compare results").click()
    expect(dialog).to_contain_text("All keys have the same last value", timeout=STARTS_WITHIN_MS)
    return dialog


def test_an_application_is_adopted_in_the_dialog(home: HomePage, product: Product) -> None:
    programs = Programs(product.kafka, "word-count")
    drawing = draw_program("word-count", programs.left, programs.right, programs.out)
    imported = {"streamwright": 1, "name": programs.tag, "graph": drawing}
    topology = int(product.post("/topologies/import", imported)["id"])
    desk = open_topology(home, product, topology)

    dialog = look_at(desk, programs.application, f"job-{programs.tag}")
    programs.go_on()
    dialog.get_by_role("button", name="Adopt", exact=True).click()
    expect(dialog).to_have_count(0, timeout=STARTS_WITHIN_MS)
    (job,) = (int(each["id"]) for each in product.get("/jobs") if each["name"] == f"job-{programs.tag}")
    product.await_read(job, programs.left)
    desk.press("Stop")
    product.wait_for_status(job, "stopped")

    results, expected = product.read(programs.out), product.read(programs.expected)
    assert {key: value for key, value, _ in results} == {key: value for key, value, _ in expected}
    # the cache of the job leaves out counts on the way, and no count comes twice
    assert Counter(each[:2] for each in results) <= Counter(each[:2] for each in expected)
    product.delete(f"/jobs/{job}")


def test_a_value_is_explained_and_becomes_a_test_case(home: HomePage, product: Product) -> None:
    topic, topology, job = deploy_sums(product)
    desk = open_topology(home, product, topology)
    drawer = desk.drawer
    desk.select("results")
    desk.open_tab("Records")
    drawer.get_by_role("table", name="Records").get_by_role("button").first.click()

    drawer.get_by_role("button", name="Why is it ").click()
    made = drawer.get_by_role("region", name="What made it")
    expect(made).to_contain_text(re.compile(rf"made it from {topic}-0@\d"))
    expect(made.get_by_role("table", name="Records that made it")).to_contain_text(f"{topic}-0@0")
    drawer.get_by_role("button", name="Make this a test case").click()
    expect(drawer).to_contain_text(re.compile(r"-0@\d is kept\."))
    drawer.get_by_role("button", name="Show the test cases").click()

    expect(drawer.get_by_role("tab", name="Test cases")).to_have_attribute("aria-selected", "true")
    (case,) = product.get(f"/topologies/{topology}/cases")
    assert topic in case["records"]
    product.post(f"/jobs/{job}/stop")
    product.wait_for_status(job, "stopped")
    product.delete(f"/jobs/{job}")
