"""A cluster of one's own: added once it answers, and drawn with."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from runner.kafka import KafkaCluster
from tests.e2e.pages import HomePage
from tests.secured import CONFIG, PASSWORD, USER

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_cluster_is_added_once_kafka_accepts_the_password_and_its_topics_are_drawn_with(home: HomePage, secured: str):
    KafkaCluster(secured, CONFIG).create("orders-of-ada", 3)
    clusters = home.clusters()

    clusters.add()
    clusters.fill(Name="adas", Bootstrap_servers=secured)
    clusters.dialog.get_by_label("Security protocol").select_option("SASL_PLAINTEXT")
    clusters.fill(User=USER, Password="guessed")
    clusters.save()
    expect(clusters.dialog.get_by_role("alert")).to_contain_text("Invalid username or password")

    clusters.fill(Password=PASSWORD)
    clusters.save()
    expect(clusters.row("adas")).to_contain_text(f"SASL_PLAINTEXT as {USER}")
    clusters.row("adas").get_by_role("button", name="Test").click()
    expect(clusters.row("adas").get_by_role("status")).to_contain_text("Answers: 1 broker")

    # a test that goes on after its dialog was left closes no other one
    held: list[Route] = []
    home.page.route("**/api/clusters/adas", lambda route: held.append(route))
    clusters.row("adas").get_by_role("button", name="Change").click()
    with home.page.expect_request("**/api/clusters/adas"):
        clusters.save()
    home.page.keyboard.press("Escape")
    clusters.add()
    clusters.fill(Name="eves")
    with home.page.expect_response("**/api/clusters"):
        held[0].continue_()
    expect(clusters.dialog.get_by_label("Name", exact=True)).to_have_value("eves")
    home.page.keyboard.press("Escape")
    home.page.unroute("**/api/clusters/adas")

    home.page.get_by_role("link", name="Home").click()
    desk = home.new_topology("Of Ada")
    desk.show_inspector()
    desk.inspector.get_by_role("combobox", name="Cluster").select_option("adas")
    expect(desk.page.get_by_role("list", name="Topics")).to_contain_text("orders-of-ada")
