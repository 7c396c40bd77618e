"""The screens of the product, each opened as a person opens it, from the home page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from uuid import uuid4

from playwright.sync_api import expect

from tests.e2e.conftest import STARTS_WITHIN_MS
from tests.e2e.desk import EditorPage
from tests.e2e.pages import HomePage

Screen = Callable[[HomePage], None]


def first_page(home: HomePage) -> None:
    expect(home.card("Flight delays").place).to_be_visible()


def job_page(home: HomePage) -> None:
    expect(home.details("Flight delays").nodes).to_be_visible()


def dead_letters_page(home: HomePage) -> None:
    home.details("Flight delays").page.get_by_role("link", name="Group, try and redrive").click()
    read = re.compile("dead letters? of flight-delays|no record has failed|holds no dead letter")
    expect(home.page.get_by_text(read)).to_be_visible()


def empty_canvas(home: HomePage) -> None:
    desk = home.new_topology("Nothing yet")
    expect(desk.page.get_by_role("region", name="Start with a topic")).to_be_visible()


def group_of_dead_letters(home: HomePage) -> None:
    """A dead letter with its record open."""
    dead_letters_page(home)
    home.page.get_by_role("table", name="Dead letters").get_by_role("button").first.click()
    expect(home.page.get_by_role("button", name="Edit and redrive")).to_be_visible()


def hosts_page(home: HomePage) -> None:
    home.page.get_by_role("navigation", name="Main").get_by_role("link", name="Hosts").click()
    expect(home.page.get_by_role("rowheader").first).to_be_visible()


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


def tokens_page(home: HomePage) -> None:
    home.page.get_by_role("navigation", name="Main").get_by_role("link", name="Tokens").click()
    expect(home.page.get_by_role("button", name="New token")).to_be_visible()


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
    expect(home.page.get_by_role("heading", name="Out", exact=True)).to_be_visible()


def docs_page(home: HomePage) -> None:
    home.page.goto(f"{home.page.url}docs/")
    expect(home.page.get_by_role("heading", level=1)).to_be_visible()


def editor(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.select("late")
    expect(desk.inspector).to_contain_text("→ boolean")


def running_version(home: HomePage) -> None:
    home.edit("Flight delays").page.get_by_role("radio", name="Running").click()


def finder(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    expect(desk.node("late")).to_be_visible()
    desk.page.keyboard.press("Control+f")
    desk.page.keyboard.type("delay")
    expect(desk.page.get_by_role("dialog", name="Find").get_by_text("delays", exact=True).first).to_be_visible()


def shortcuts(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    expect(desk.node("late")).to_be_visible()
    desk.page.keyboard.press("?")
    expect(desk.page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def tried_record(home: HomePage) -> None:
    """A trial with one of its records open."""
    desk = home.edit("Flight delays")
    desk.select("departed")
    desk.open_tab("Trial")
    desk.drawer.get_by_role("table", name="Tried records").get_by_role("row").nth(1).get_by_role("button").first.click()
    expect(desk.drawer.get_by_role("button", name="Edit and send")).to_be_visible()


def rows_of_a_table(home: HomePage) -> None:
    desk = edit_running(home)
    desk.drawer.get_by_role("table", name=re.compile("^Rows of ")).get_by_role("button").first.click()
    expect(desk.drawer.get_by_role("button", name="Follow", exact=True)).to_be_visible()


def records_of_a_topic(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.select("flights")
    desk.open_tab("Records")
    expect(desk.drawer.get_by_role("table", name="Records")).to_be_visible()


def metrics(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.select("late")
    desk.open_tab("Metrics")


def picture_dialog(home: HomePage) -> None:
    home.edit("Flight delays").choose("Save a picture")


def share_dialog(home: HomePage) -> None:
    """With a link that was just made."""
    home.edit("Flight delays").choose("Share by link")
    home.page.get_by_role("dialog").get_by_role("button", name="Create link").click()
    expect(home.page.get_by_role("textbox", name="Link")).to_have_value(re.compile("/shared#sh_"))


def schemas_page(home: HomePage) -> None:
    """The cluster of the tests has no registry, so that the page says so."""
    home.page.goto(f"{home.page.url}schemas/local")
    expect(home.page.get_by_role("heading", name="Schemas", level=1)).to_be_visible()
    expect(home.page.get_by_text("Cluster local has no schema registry.")).to_be_visible()


def commented_node(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.select("departed")
    comments = desk.inspector.get_by_role("region", name="Comments")
    if comments.get_by_role("article").count() == 0:
        comments.get_by_role("combobox", name="New comment").fill("Why are cancelled flights left out?")
        comments.get_by_role("button", name="Comment", exact=True).click()
    expect(comments.get_by_role("article").first).to_be_visible()


def windows_of_a_node(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.select("hourly")
    expect(desk.inspector.get_by_role("img", name=re.compile("would be late"))).to_be_visible()


def selected_node(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.select("delays")
    expect(desk.field("Name")).to_be_visible()


def edit_running(home: HomePage) -> EditorPage:
    """The sample's job has done a batch: its table has rows."""
    desk = home.edit("Flight delays")
    desk.select("delays")
    desk.open_tab("Tables")
    rows = desk.drawer.get_by_role("table", name=re.compile("^Rows of "))
    expect(rows).to_be_visible(timeout=STARTS_WITHIN_MS)
    return desk


def followed_record(home: HomePage) -> None:
    desk = edit_running(home)
    desk.page.goto(f"{desk.page.url.partition('?')[0]}?follow=flights:0:0")
    expect(desk.drawer.get_by_role("region", name="Step at flights")).to_be_visible()
    desk.page.keyboard.press("End")


def why_answered(home: HomePage) -> None:
    desk = edit_running(home)
    desk.ask_why("planes")
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


def deploy_dialog(home: HomePage) -> None:
    expect(home.edit("Flight delays").deploy()).to_contain_text("All topics exist.")


def deploy_question(home: HomePage) -> None:
    dialog = home.edit("Flight delays").deploy()
    for fold in ("State", "Topology", "Replication", "Settings"):
        dialog.locator("summary", has_text=re.compile(f"^{fold}")).click()


def acls_dialog(home: HomePage) -> None:
    """The cluster of the tests asks no one who they are, so that nothing is missing."""
    page = home.edit("Flight delays").page
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name="Kafka ACLs").click()
    dialog = page.get_by_role("dialog", name="Kafka ACLs")
    dialog.get_by_label("Kafka user").fill("User:job")
    expect(dialog.get_by_label("Commands")).to_have_value(re.compile("--allow-principal User:job --operation Read"))
    dialog.get_by_role("button", name="Check").click()
    expect(dialog.get_by_role("status")).to_have_text("The user of the cluster local has them all.")
