"""The page Alerts: a rule of one job fires, is seen everywhere, and is silenced."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import HomePage

pytestmark = pytest.mark.browser
TOLD_MS = 30_000


def test_alerts_are_not_said_to_be_none_before_the_server_has_said_so_and_come_once_it_answers(home: HomePage) -> None:
    page = home.page
    page.route("**/api/alerts**", lambda route: route.fulfill(status=502, body="<html>Bad gateway</html>"))
    page.goto(urljoin(page.url, "/alerts"))
    expect(page.get_by_text("The server answered 502 without a reason.")).to_be_visible()
    now = page.get_by_role("region", name="Now")
    expect(now).to_contain_text("Loading …")
    expect(now).not_to_contain_text("No alert is firing.")

    page.unroute_all()

    expect(now).not_to_contain_text("Loading …")
    expect(page.get_by_role("region", name="Rules")).to_be_visible()


def test_a_rule_fires_is_seen_where_it_matters_and_is_silenced(home: HomePage) -> None:
    page = home.page
    alerts = page.get_by_role("navigation", name="Main").get_by_role("link", name=re.compile("^Alerts"))
    alerts.click()
    rules = page.get_by_role("region", name="Rules")
    rules.get_by_role("button", name="Change Memory of a job").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Of").select_option("flight-delays")
    dialog.get_by_label("On", exact=True).check()
    dialog.get_by_label(re.compile("More than")).fill("1")
    dialog.get_by_label("For, in s").fill("0")
    dialog.get_by_role("button", name="Save").click()
    expect(rules.get_by_role("row").filter(has_text="flight-delays")).to_contain_text("more than 1 MiB")

    now = page.get_by_role("region", name="Now")
    ours = now.get_by_role("row").filter(has_text="Memory of a job")
    expect(ours).to_contain_text("Firing", timeout=TOLD_MS)
    expect(alerts).to_have_accessible_name(re.compile(r"Alerts\s*[1-9]\d*\s*firing"))  # others may fire as well
    page.get_by_role("link", name="Home").click()
    expect(home.card("Flight delays").place).to_contain_text(re.compile(r"[1-9]\d* alert"))
    job = home.details("Flight delays")
    expect(job.page.get_by_role("region", name="Alerts")).to_contain_text("of memory.")

    alerts.click()
    ours.get_by_role("button", name="Silence").click()
    dialog.get_by_label("Which").select_option("All rules")
    dialog.get_by_role("button", name="Silence").click()
    expect(ours).to_contain_text("Silenced")
    expect(page.get_by_role("region", name="Silences")).to_contain_text("All alerts of flight-delays")

    silences = page.get_by_role("region", name="Silences")
    page.route("**/silences/*", lambda route: route.abort())
    silences.get_by_role("button", name="End").click()
    expect(silences).to_contain_text("The server cannot be reached.")
    page.unroute("**/silences/*")
    silences.get_by_role("button", name="End").click()
    rules.get_by_role("row").filter(has_text="flight-delays").get_by_role("button").click()
    dialog.get_by_role("button", name="Remove").click()
    expect(ours).to_have_count(0, timeout=TOLD_MS)
    expect(page.get_by_role("region", name="Before")).to_contain_text("Ended")


def test_an_alert_of_a_host_is_on_the_page_hosts_and_a_project_has_a_rule_of_its_own(home: HomePage) -> None:
    page, main = home.page, home.page.get_by_role("navigation", name="Main")
    main.get_by_role("link", name=re.compile("^Alerts")).click()
    rules, dialog = page.get_by_role("region", name="Rules"), page.get_by_role("dialog")
    rules.get_by_role("button", name="Change Memory of a host").click()
    dialog.get_by_label(re.compile("More than")).fill("1")
    dialog.get_by_label("For, in s").fill("0")
    dialog.get_by_role("button", name="Save").click()
    rules.get_by_role("button", name="Change Lag").click()
    dialog.get_by_label("Of").select_option("default")
    dialog.get_by_role("button", name="Save").click()
    of_project = rules.get_by_role("row").filter(has_text="project default")
    expect(of_project).to_have_count(1)

    main.get_by_role("link", name="Hosts").click()
    expect(page.get_by_role("row").filter(has_text="Running")).to_contain_text("% full.", timeout=TOLD_MS)

    main.get_by_role("link", name=re.compile("^Alerts")).click()
    of_project.get_by_role("button").click()
    dialog.get_by_role("button", name="Remove").click()
    expect(of_project).to_have_count(0)
    rules.get_by_role("button", name="Change Memory of a host").click()
    dialog.get_by_role("button", name="Use the default").click()
    expect(rules).not_to_contain_text("more than 1 %")


def test_a_channel_into_the_own_network_needs_a_word_and_a_dead_one_says_so(home: HomePage) -> None:
    page = home.page
    page.get_by_role("navigation", name="Main").get_by_role("link", name=re.compile("^Alerts")).click()
    page.get_by_role("button", name="Add a channel").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("on call")
    dialog.get_by_label("Address", exact=True).fill("http://127.0.0.1:9/hook")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_role("alert")).to_contain_text("127.0.0.1 is an address of an internal network.")

    dialog.get_by_label("Allow an address of an internal network").check()
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_role("textbox", name="Key")).to_have_value(re.compile(r"^[\w-]{40,}$"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dialog.get_by_role("button", name="Copy").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == dialog.get_by_role("textbox", name="Key").input_value()
    dialog.get_by_role("button", name="Close").click()

    channels = page.get_by_role("region", name="Channels")
    channels.get_by_role("button", name="Test").click()
    expect(page.get_by_role("region", name="Messages")).to_contain_text(
        "127.0.0.1 refuses connections on this port.", timeout=TOLD_MS
    )
    channels.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(channels).to_contain_text("Alerts are shown here only.")
