"""axe-core finds nothing serious on any screen, light or dark, and Tab walks fields as one reads them."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import screens
from tests.e2e.axe import serious, serious_in_both_themes
from tests.e2e.conftest import STARTS_WITHIN_MS
from tests.e2e.desk import EditorPage
from tests.e2e.pages import HomePage
from tests.e2e.reading import out_of_order
from tests.e2e.screens import Screen
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TABS = ("Problems", "Trial", "Test cases", "Proof", "Metrics", "Records", "Tables", "Dead letters", "Log")
OF_EACH_LIST = ("aggregate", "cogroup", "map", "process", "split", "stream")
"""Operators whose forms have all kinds of lists: functions, inputs, fields, stores, branches, topics."""
HELD_MS = 500
"""A slow press: the answer of the checks comes while the button is down, and must not move it away."""


@pytest.mark.parametrize(
    "screen",
    [
        screens.first_page,
        screens.job_page,
        screens.dead_letters_page,
        screens.hosts_page,
        screens.alerts_page,
        screens.clusters_page,
        screens.cluster_form,
        screens.topics_page,
        screens.topic_page,
        screens.send_dialog,
        screens.new_token,
        screens.users_page,
        screens.audit_page,
        screens.gallery_example,
        screens.picture_dialog,
        screens.share_dialog,
        screens.schemas_page,
        screens.commented_node,
        screens.finder,
        screens.shortcuts,
        screens.tried_record,
        screens.rows_of_a_table,
        screens.windows_of_a_node,
        screens.empty_canvas,
        screens.selected_node,
        screens.followed_record,
        screens.why_answered,
        screens.writer_schemas,
        screens.deploy_question,
        screens.acls_dialog,
    ],
)
def test_a_screen_can_be_used_by_everybody(home: HomePage, screen: Screen) -> None:
    screen(home)

    assert (serious_in_both_themes(home.page), out_of_order(home.page)) == ([], [])


LISTEN = """() => {
  window.heard = new Set();
  window.changes = 0;
  new MutationObserver((changes) => {
    window.changes += changes.length;
    for (const { target } of changes) {
      const element = target instanceof Element ? target : target.parentElement;
      const region = element?.closest("[aria-live], [role=status], [role=alert], [role=log]");
      if (region && region.getAttribute("aria-live") !== "off") window.heard.add(region.outerHTML.slice(0, 200));
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
"""Notes from now on what a screen reader would read aloud of a page that no one touches."""
MOVED = "() => window.changes >= 6"


def test_numbers_that_move_are_not_read_aloud(home: HomePage, product: Product) -> None:
    screens.edit_running(home)
    tabs = {}

    for screen in (screens.first_page, screens.job_page, screens.selected_node, screens.metrics):
        page = tabs[screen.__name__] = home.page.context.new_page()
        page.goto(f"{product.http.base_url}/")
        screen(HomePage(page))
        page.wait_for_load_state("networkidle")
        page.evaluate(LISTEN)
    for page in tabs.values():
        page.wait_for_function(MOVED, polling=100, timeout=STARTS_WITHIN_MS)  # behind others no frame is drawn
    heard = {name: page.evaluate("() => [...heard]") for name, page in tabs.items()}
    for page in tabs.values():
        page.close()

    assert heard == {name: [] for name in tabs}


def test_each_tab_can_be_used_by_everybody(home: HomePage) -> None:
    desk = home.edit("Flight delays")
    desk.select("flights")
    found = {}

    for tab in TABS:
        desk.open_tab(tab)
        found[tab] = serious(home.page)

    assert found == {tab: [] for tab in TABS}


def test_each_form_is_walked_as_it_is_read(home: HomePage) -> None:
    """Of each kind of list two rows, so that there are buttons that move and remove one."""
    nodes = [
        {"id": operator, "operator": operator, "config": {}, "position": {"x": at % 4 * 220, "y": at // 4 * 110}}
        for at, operator in enumerate(OF_EACH_LIST)
    ]
    home.import_text(json.dumps({"streamwright": 1, "name": "Lists", "graph": {"nodes": nodes, "edges": []}}))
    desk = EditorPage(home.page)
    found = {}

    for operator in OF_EACH_LIST:
        desk.select(operator)
        if operator != "stream":  # its topics have a form of their own
            add = desk.inspector.get_by_role("button", name=re.compile("^Add "))
            add.click()
            add.click(delay=HELD_MS)
            expect(desk.inspector.get_by_role("button", name=re.compile("^Remove "))).to_have_count(2)
        found[operator] = out_of_order(home.page)

    assert {operator: places for operator, places in found.items() if places} == {}


def test_the_running_version_can_be_read_by_everybody(home: HomePage) -> None:
    screens.running_version(home)

    assert serious(home.page) == []


def test_the_sign_in_page_can_be_used_by_everybody(page: Page, product: Product) -> None:
    page.goto(f"{product.http.base_url}/login")

    assert serious(page) == []
