"""A team: an administrator adds someone with a role, who sees and may only that, until it is taken away."""

from __future__ import annotations

from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.desk import EditorPage
from tests.e2e.pages import HomePage
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PASSWORD = "difference engine"


def test_a_viewer_sees_and_does_not_touch_until_the_role_is_taken_away(home: HomePage, product: Product):
    page, name = home.page, f"vera-{uuid4().hex[:6]}"
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Users").click()
    page.get_by_role("button", name="New user").click()
    page.get_by_role("dialog").get_by_label("Name").fill(name)
    page.get_by_role("dialog").get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("button", name=f"Change {name}")).to_be_visible()
    project = page.get_by_role("region", name="Project default")
    added = page.get_by_label("User or group to add to default")
    added.fill(f"{name}-misspelled")
    project.get_by_role("button", name="Add").click()
    expect(project.get_by_role("alert")).to_be_visible()
    expect(added).to_have_value(f"{name}-misspelled")
    added.fill(name)
    project.get_by_role("button", name="Add").click()
    expect(page.get_by_label(f"Role of {name}")).to_have_value("viewer")

    assert page.context.browser is not None
    context = page.context.browser.new_context()
    vera = context.new_page()
    sign_in(vera, f"{product.http.base_url}", name)
    vera.get_by_role("link", name="Flight delays", exact=True).first.click()
    expect(
        vera.get_by_text("Read only. Only an editor of the project default can do this, and you are a viewer there.")
    ).to_be_visible()
    deploy = vera.get_by_role("button", name="Deploy", exact=True)
    expect(deploy).to_be_disabled()
    expect(deploy).to_have_attribute(
        "title",
        "Only an operator of the project default can do this, and you are a viewer there. Ask admin to make you one.",
    )
    desk = EditorPage(vera)
    desk.node("late").click(button="right")
    desk.node("late").locator("strong").dblclick()
    expect(vera.get_by_role("menu")).to_have_count(0)
    expect(desk.canvas.get_by_role("textbox")).to_have_count(0)
    vera.get_by_role("tab", name="Test cases").click()
    expect(vera.get_by_role("button", name="New test case")).to_be_disabled()
    vera.goto(f"{product.http.base_url}/alerts")
    expect(vera.get_by_role("button", name="Change Lag").first).to_be_disabled()
    expect(vera.get_by_role("button", name="Change Disk").first).to_be_disabled()

    page.get_by_role("button", name=f"Remove {name}").click()
    expect(page.get_by_label(f"Role of {name}")).to_have_count(0)
    vera.goto(f"{product.http.base_url}/")
    expect(vera.get_by_role("heading", name="No topologies yet")).to_be_visible()
    context.close()

    page.get_by_role("navigation", name="Main").get_by_role("link", name="Audit").click()
    row = page.get_by_role("row").filter(has_text="change roles").first
    expect(row).to_contain_text(f"{name} is viewer of default")


def test_an_administrator_of_two_projects_moves_a_topology(home: HomePage, product: Product):
    page, team, name = home.page, f"team-{uuid4().hex[:6]}", f"Moved {uuid4().hex[:6]}"
    product.post("/projects", {"name": team})
    made = product.post("/topologies", {"name": name, "project": "default"})
    page.goto(f"{product.http.base_url}/topologies/{made['id']}")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name="Move to another project").click()
    dialog = page.get_by_role("dialog", name=f"Move {name}")
    dialog.get_by_label("Project").select_option(team)

    dialog.get_by_role("button", name="Move").click()

    expect(dialog).to_have_count(0)
    page.goto(f"{product.http.base_url}/")
    expect(page.get_by_role("article", name=name)).to_contain_text(f"in {team}")


def test_the_provider_signs_in_a_member_of_a_group_with_its_role(page: Page, product: Product):
    product.post("/groups", {"name": "team"})
    product.send("PUT", "/projects/default/roles", {"group": "team", "role": "viewer"})
    # the provider takes the address of this machine with any port
    page.goto(f"{product.http.base_url.copy_with(host='127.0.0.1')}/login?next=/hosts")
    page.get_by_role("link", name="Sign in with Acme ID").click()
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)

    page.get_by_role("button", name="Sign In").click()

    expect(page.get_by_role("heading", name="Hosts")).to_be_visible()
    expect(page.get_by_title("Acme ID signs you in")).to_have_text("ada")
    page.get_by_role("link", name="Home").click()
    expect(page.get_by_role("link", name="Flight delays", exact=True).first).to_be_visible()


def sign_in(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/login")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Topologies", exact=True)).to_be_visible()
