"""Versions of a topology in the browser: what changed, and going back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.axe import serious
from tests.e2e.desk import EditorPage
from tests.e2e.pages import HomePage
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def graph(predicate: str, *more: dict[str, Any]) -> dict[str, Any]:
    orders = {"id": "orders", "operator": "stream", "config": {"topic": "orders"}, "position": {"x": 0, "y": 0}}
    large = {"id": "large", "operator": "filter", "config": {"predicate": predicate}, "position": {"x": 240, "y": 0}}
    edge = {"source": "orders", "source_port": "result", "target": "large", "target_port": "records"}
    return {"nodes": [orders, large, *more], "edges": [edge]}


def test_a_version_is_compared_with_the_draft_taken_back_and_deployed(home: HomePage, product: Product) -> None:
    made = product.post("/topologies", {"name": "Large orders", "graph": graph("amount > 10")})
    of_it = f"/topologies/{made['id']}"
    product.post(f"{of_it}/versions", {"note": "Only large ones"})
    out = {"id": "out", "operator": "to", "config": {"topic": "large"}, "position": {"x": 480, "y": 0}}
    product.send("PUT", f"{of_it}/draft", {"graph": graph("amount > 99", out), "revision": 1})
    home.page.reload()
    desk = home.edit("Large orders")
    page = desk.page

    desk.choose("Versions")

    versions = page.get_by_role("dialog", name="Versions of Large orders")
    expect(versions.get_by_role("radio", name="Version 1")).to_be_checked()
    expect(versions).to_contain_text("Only large ones")
    expect(versions.get_by_label("Lines that differ")).to_have_text(
        '+ out (to)\n+   topic: "large"\n~ large (filter)\n-   predicate: "amount > 10"\n+   predicate: "amount > 99"\n'
    )

    versions.get_by_role("button", name="Show on the canvas").click()

    bar = desk.canvas.get_by_role("status", name="Version shown")
    expect(bar).to_contain_text("The draft, compared with version 1: 1 added, 1 changed")
    expect(desk.node("out")).to_contain_text("Added")
    expect(desk.node("large")).to_contain_text("Changed")
    expect(desk.inspector.get_by_role("deletion")).to_have_text("10")
    expect(desk.inspector.get_by_role("insertion")).to_have_text("99")
    desk.inspector.get_by_role("button", name="large").click()
    expect(desk.inspector.get_by_role("region", name="Before and after")).to_contain_text("amount > 1099")
    assert serious(page) == []
    bar.get_by_role("button", name="Back to the draft").click()
    expect(bar).to_have_count(0)

    desk.choose("Versions")
    versions.get_by_role("button", name="Restore into the draft").click()

    expect(desk.node("out")).to_have_count(0)
    expect(desk.saved).to_have_text("Saved")
    assert product.get(f"{of_it}/draft")["graph"]["nodes"][1]["config"] == {"predicate": "amount > 10"}

    page.get_by_role("button", name="Undo").click()

    expect(desk.node("out")).to_be_visible()
    expect(desk.saved).to_have_text("Saved")

    desk.choose("Versions")
    versions.get_by_role("button", name="Deploy version 1").click()

    deploy = page.get_by_role("dialog", name="Deploy version 1 of Large orders?")
    expect(deploy.get_by_role("alert")).to_contain_text("topology")
    deploy.get_by_role("button", name="Cancel").click()

    desk.choose("Duplicate")

    expect(page.get_by_role("button", name="Large orders copy", exact=True)).to_be_visible()
    expect(desk.node("out")).to_be_visible()
    for topology in (made["id"], desk.topology):
        product.delete(f"/topologies/{topology}")


def test_the_deployed_version_is_seen_below_many_newer_ones(home: HomePage) -> None:
    def add_newer(route: Route) -> None:
        answer = route.fetch()
        known = answer.json()
        newer = [known[0] | {"id": 100_000 + n, "number": 1_000 + n, "note": "A later one"} for n in range(40, 0, -1)]
        route.fulfill(response=answer, json=newer + known)

    home.page.route(re.compile(r"/api/topologies/\d+/versions$"), add_newer)
    home.edit("Flight delays").choose("Versions")

    versions = home.page.get_by_role("dialog", name="Versions of Flight delays")
    expect(versions.get_by_role("radio")).not_to_have_count(0)
    expect(versions.get_by_role("radio", checked=True)).to_be_in_viewport(ratio=1)
    home.page.unroute_all()


def test_all_of_the_shown_version_is_selected(home: HomePage, product: Product) -> None:
    out = {"id": "out", "operator": "to", "config": {"topic": "large"}, "position": {"x": 480, "y": 0}}
    made = product.post("/topologies", {"name": "Once larger", "graph": graph("amount > 10", out)})
    of_it = f"/topologies/{made['id']}"
    product.post(f"{of_it}/versions", {})
    product.send("PUT", f"{of_it}/draft", {"graph": graph("amount > 10"), "revision": 1})
    home.page.goto(f"{product.http.base_url}{of_it}?version=1")
    desk = EditorPage(home.page)
    expect(desk.node("out")).to_be_visible()
    desk.canvas.locator(".react-flow__pane").focus()

    desk.page.keyboard.press("Control+a")

    expect(desk.inspector.get_by_role("heading", name="3 nodes selected")).to_be_visible()
    product.delete(of_it)


def test_two_quick_steps_back_end_at_the_second_place(home: HomePage, product: Product) -> None:
    made = product.post("/topologies", {"name": "Quick steps", "graph": graph("amount > 10")})
    of_it = f"/topologies/{made['id']}"
    product.post(f"{of_it}/versions", {})
    product.send("PUT", f"{of_it}/draft", {"graph": graph("amount > 99"), "revision": 1})
    newer = product.post(f"{of_it}/versions", {})
    page = home.page
    address = f"{page.evaluate('location.origin')}{of_it}"
    page.goto(f"{address}?version=1")
    version = page.get_by_role("status", name="Version shown")
    expect(version).to_contain_text("Version 1")
    for number in (2, 1):
        page.evaluate(f"history.pushState(null, '', '{address}?version={number}')")
    held = list[Route]()
    page.route(f"**/api/versions/{newer['id']}", lambda route: held.append(route))

    with page.expect_request(f"**/api/versions/{newer['id']}"):
        page.go_back()
    page.go_back()
    expect(version).to_contain_text("Version 1")
    with page.expect_response(f"**/api/versions/{newer['id']}"):
        held[0].continue_()
    page.wait_for_timeout(500)

    expect(version).to_contain_text("Version 1")
    expect(page).to_have_url(re.compile(r"\?version=1$"))
    product.delete(f"/topologies/{made['id']}")
