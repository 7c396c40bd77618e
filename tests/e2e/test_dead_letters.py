"""Dead letters of a job: looked at by group, and sent back to the topic they came from."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Request, expect

from tests.e2e.pages import HomePage
from tests.e2e.test_break import break_records
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]


BROKEN = "[1, 2"


def test_a_group_of_dead_letters_is_chosen_and_sent_back(home: HomePage, product: Product) -> None:
    job = next(each["id"] for each in product.get("/jobs") if each["name"] == "flight-delays")
    break_records(product, BROKEN.encode())
    product.wait(lambda: product.get(f"/jobs/{job}/letters?search={BROKEN}")["matched"] == 10, "the dead letters")
    expect(home.card("Flight delays").place.get_by_role("link", name=re.compile(r"^\d+$"))).to_be_visible()
    page = home.details("Flight delays").page
    page.get_by_role("link", name="Group, try and redrive").click()
    letters = page.get_by_role("table", name="Dead letters").get_by_role("row").filter(has_text=BROKEN)

    page.get_by_role("searchbox", name="Search dead letters").fill(BROKEN)
    expect(letters).to_have_count(10)
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    page.get_by_role("combobox", name="Failed").select_option("Last hour")
    expect(letters).to_have_count(10)
    page.remove_listener("request", note)
    assert sum("since=" in url for url in asked) == 1  # each reads the topic
    letters.first.get_by_role("button").first.click()
    for act in ("Edit and redrive", "Send again", "Edit and send"):
        expect(page.get_by_role("button", name=act)).to_be_visible()
    choose = page.get_by_role("table", name="Groups").get_by_role("button", name="Choose")
    expect(choose).to_have_count(1)
    choose.click()
    # until the letters of the choice are read, the number that a redrive would name is that of another choice
    with page.expect_response("**/api/jobs/*/letters*"):
        page.get_by_role("searchbox", name="Search dead letters").fill(BROKEN[:-1])
        expect(page.get_by_role("button", name="Redrive", exact=True)).to_be_disabled()
    expect(page.get_by_role("button", name="Redrive", exact=True)).to_be_enabled()
    page.get_by_role("searchbox", name="Search dead letters").fill(BROKEN)
    page.get_by_role("button", name="Redrive", exact=True).click()
    dialog = page.get_by_role("dialog", name="Redrive 10 dead letters?")
    expect(dialog).to_contain_text("go back to flights, each once")
    dialog.get_by_role("button", name="Redrive").click()

    expect(page.get_by_text("sent 10 of 10 records back")).to_be_visible()
    product.wait(lambda: product.get(f"/jobs/{job}/letters?search={BROKEN}")["matched"] == 20, "what fails again")
    page.get_by_role("button", name="Read again").click()
    page.get_by_role("checkbox", name="Not sent back yet").check()
    expect(letters).to_have_count(10)
