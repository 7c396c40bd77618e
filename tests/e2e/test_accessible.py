"""axe-core finds nothing serious on any screen, light or dark."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import serious
from tests.e2e.desk import EditorPage
from tests.e2e.pages import HomePage
from tests.e2e.test_follow import edit_running
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TABS = ("Problems", "Trial", "Test cases", "Metrics", "Records", "Tables", "Dead letters", "Log")
Screen = Callable[[HomePage], None]


def first_page(home: HomePage) -> None:
    expect(home.heading).to_be_visible()


def job_page(home: HomePage) -> None:
    expect(home.details("Flight delays").nodes).to_be_visible()


def letters_page(home: HomePage) -> None:
    home.details("Flight delays").page.get_by_role("link", name="Group, try and redrive").click()
    expect(home.page.get_by_text(re.compile("dead letters? of flight-delays|no record has failed"))).to_be_visible()


def empty_canvas(home: HomePage) -> None:
    desk = home.new_topology("Nothing yet")
    expect(desk.page.get_by_role("region", name="Start with a topic")).to_be_visible()


def clusters_page(home: HomePage) -> None:
    expect(home.clusters().row("local")).to_be_visible()


def cluster_form(home: HomePage) -> None:
    clusters = home.clusters()
    clusters.add()
    clusters.dialog.get_by_label("Security protocol").select_option("SASL_SSL")


def alerts_page(home: HomePage) -> None:
    page = home.page
    page.get_by_role("navigation", name="Main").get_by_role("link", name=re.compile("^Alerts")).click()
    page.get_by_role("button", name="Change Lag").click()
    expect(page.get_by_role("dialog", name="Lag")).to_be_visible()


def topics_page(home: HomePage) -> None:
    page = home.page
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Topics").click()
    expect(page.get_by_role("table", name="Topics").get_by_role("link", name="flights", exact=True)).to_be_visible()


def topic_page(home: HomePage) -> None:
    topics_page(home)
    home.page.get_by_role("link", name="flights", exact=True).click()
    home.page.get_by_role("table", name="Records").get_by_role("button").first.click()


def send_dialog(home: HomePage) -> None:
    topic_page(home)
    home.page.get_by_role("button", name="Edit and send").click()
    for fold in ("Fill in the fields", "Headers, partition and time"):
        home.page.get_by_text(fold).click()


def new_token(home: HomePage) -> None:
    """Makes one, so that the table is seen behind the dialog with its text."""
    page = home.page
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Tokens").click()
    page.get_by_role("button", name="New token").click()
    page.get_by_role("textbox", name="Name").fill(f"ci {uuid4().hex[:8]}")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("textbox", name="Token")).to_have_value(re.compile("^sw_"))


def users_page(home: HomePage) -> None:
    page = home.page
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Users").click()
    expect(page.get_by_role("region", name="Project default")).to_be_visible()
    page.get_by_role("button", name="New user").click()


def audit_page(home: HomePage) -> None:
    page = home.page
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Audit").click()
    expect(page.get_by_role("rowheader").first).to_be_visible()


def gallery(home: HomePage) -> None:
    home.page.get_by_role("button", name="New topology").click()
    expect(home.page.get_by_role("list", name="Applications").get_by_role("listitem")).not_to_have_count(0)


def gallery_example(home: HomePage) -> None:
    gallery(home)
    home.page.get_by_role("group", name="Purpose").get_by_role("button", name="Join").click()
    home.page.get_by_text("Example", exact=True).first.click()
    expect(home.page.get_by_role("heading", name="Out")).to_be_visible()


def picture_dialog(home: HomePage) -> None:
    home.edit("Flight delays").choose("Save a picture")


def windows_of_a_node(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.select("hourly")
    expect(desk.inspector.get_by_role("img", name=re.compile("would be late"))).to_be_visible()


def selected_node(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.select("delays")
    expect(desk.field("Name")).to_be_visible()


def followed_record(home: HomePage) -> None:
    desk = edit_running(home)
    desk.page.goto(f"{desk.page.url.partition('?')[0]}?follow=flights:0:0")
    expect(desk.drawer.get_by_role("region", name="Step at flights")).to_be_visible()
    desk.page.keyboard.press("End")


def why_answered(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.select("delays")
    desk.inspector.get_by_role("button", name="Why is nothing coming out?").click()
    expect(desk.inspector.get_by_role("button", name="Ask again")).to_be_visible()


def writer_schemas(home: HomePage) -> None:
    schema = {"type": "record", "name": "Person", "fields": [{"name": "first", "type": "string"}]}
    text = json.dumps(schema)
    config = {
        "topic": "flights",
        "value_format": "avro",
        "value_header": "confluent",
        "value_schema": text,
        "value_schema_id": 1,
        "value_writer_schemas": [{"id": 7, "avro_schema": text}],
    }
    node = {"id": "people", "operator": "stream", "config": config, "position": {"x": 0, "y": 0}}
    home.import_text(json.dumps({"streamwright": 1, "name": "People", "graph": {"nodes": [node], "edges": []}}))
    desk = EditorPage(home.page)
    desk.select("people")
    expect(desk.inspector.get_by_role("spinbutton", name="Id 1")).to_have_value("7")


def deploy_question(home: HomePage) -> None:
    dialog = home.edit("Flight delays").deploy()
    for fold in ("State", "Topology", "Replication", "Settings"):
        dialog.locator("summary", has_text=re.compile(f"^{fold}")).click()


def acls_dialog(home: HomePage) -> None:
    """The cluster of the tests asks nobody who they are, so that nothing is missing."""
    page = home.edit("Flight delays").page
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Kafka ACLs").click()
    dialog = page.get_by_role("dialog", name="Kafka ACLs")
    dialog.get_by_label("Kafka user").fill("User:job")
    expect(dialog.get_by_label("Commands")).to_have_value(re.compile("--allow-principal User:job --operation Read"))
    dialog.get_by_role("button", name="Check").click()
    expect(dialog.get_by_role("status")).to_have_text("The user of the cluster local has them all.")


@pytest.mark.parametrize(
    "screen",
    [
        first_page,
        job_page,
        letters_page,
        alerts_page,
        clusters_page,
        cluster_form,
        topics_page,
        topic_page,
        send_dialog,
        new_token,
        users_page,
        audit_page,
        gallery_example,
        picture_dialog,
        windows_of_a_node,
        empty_canvas,
        selected_node,
        followed_record,
        why_answered,
        writer_schemas,
        deploy_question,
        acls_dialog,
    ],
)
def test_a_screen_can_be_used_by_everybody(home: HomePage, screen: Screen) -> None:
    screen(home)

    light = serious(home.page)
    home.page.emulate_media(color_scheme="dark")

    assert (light, serious(home.page)) == ([], [])


def test_each_tab_can_be_used_by_everybody(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.select("flights")
    found = {}

    for tab in TABS:
        desk.open_tab(tab)
        found[tab] = serious(home.page)

    assert found == {tab: [] for tab in TABS}


def test_the_running_version_can_be_read_by_everybody(home: HomePage) -> None:
    desk: EditorPage = home.edit("Flight delays")

    desk.page.get_by_role("radio", name="Running").click()

    assert serious(home.page) == []


def test_the_sign_in_page_can_be_used_by_everybody(page: Page, product: Product) -> None:
    page.goto(f"{product.http.base_url}/login")

    assert serious(page) == []
