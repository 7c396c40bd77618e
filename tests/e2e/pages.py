"""The screens as a person finds their way on them: by role and by name."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.desk import EditorPage

COLUMNS = ("node", "operator", "rate", "in", "out", "dropped", "errors")

MOVES = re.compile(r"[1-9][\d,.]* ?/s")
"""A rate above 0. A job whose feed or host pauses shows 0 for a moment, so tests wait for it."""


def figure(place: Locator) -> float:
    """The number that is shown, "12,480 /s" as 12480.0; 0 while there is none."""
    found = re.search(r"[\d,]+(\.\d+)?", place.inner_text())
    return float(found[0].replace(",", "")) if found else 0.0


class HomePage:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.heading = page.get_by_role("heading", name="Topologies", level=1)
        self.search = page.get_by_role("searchbox", name="Search topologies and jobs")
        self.cards = page.get_by_role("article")
        self.refusal = page.get_by_role("dialog").get_by_role("alert")
        self.text_to_import = page.get_by_role("textbox", name="Text to import")

    def card(self, name: str) -> Card:
        return Card(self.page.get_by_role("article", name=name, exact=True))

    def show(self, state: str) -> None:
        self.page.get_by_role("group", name="Show").get_by_role("button", name=state).click()

    def details(self, name: str) -> JobPage:
        """Open the details of a job."""
        self.card(name).place.get_by_role("link", name=re.compile("^Details")).click()
        return JobPage(self.page)

    def edit(self, name: str) -> EditorPage:
        """Open a topology on the canvas."""
        self.page.get_by_role("link", name=name, exact=True).click()
        return EditorPage(self.page)

    def new_topology(self, name: str) -> EditorPage:
        """Make an empty topology of that name, open on the canvas."""
        self.page.get_by_role("button", name="New topology").click()
        self.page.get_by_role("button", name="Empty topology").click()
        self.page.get_by_role("button", name="Untitled", exact=True).click()
        field = self.page.get_by_role("textbox", name="Name of the topology")
        field.fill(name)
        field.press("Enter")
        expect(self.page.get_by_role("button", name=name, exact=True)).to_be_visible()
        return EditorPage(self.page)

    def clusters(self) -> ClustersPage:
        """Open the page of the Kafka clusters."""
        self.page.get_by_role("navigation", name="Main").get_by_role("link", name="Clusters").click()
        return ClustersPage(self.page)

    def import_text(self, text: str) -> None:
        """Paste a text where Import asks for one."""
        self.page.get_by_role("button", name="Import", exact=True).click()
        self.text_to_import.fill(text)
        self.page.get_by_role("button", name="Import the text").click()

    def import_file(self, path: Path) -> None:
        """Pick a file where Import asks for one."""
        self.page.get_by_role("button", name="Import", exact=True).click()
        with self.page.expect_file_chooser() as chooser:
            self.page.get_by_role("button", name="Pick a file").click()
        chooser.value.set_files(path)


class Card:
    """One topology or job on the home page."""

    def __init__(self, place: Locator) -> None:
        self.place = place
        self.throughput = place.get_by_role("definition").nth(0)
        self.numbers = place.get_by_role("definition")


class ClustersPage:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.dialog = page.get_by_role("dialog")

    def row(self, name: str) -> Locator:
        return self.page.get_by_role("row").filter(has=self.page.get_by_role("rowheader", name=name, exact=True))

    def add(self) -> None:
        """Open the form of a new one."""
        self.page.get_by_role("button", name="Add a Kafka cluster").click()

    def fill(self, **texts: str) -> None:
        """Write into fields, by their labels with underscores for blanks."""
        for label, text in texts.items():
            self.dialog.get_by_label(label.replace("_", " "), exact=True).fill(text)

    def save(self) -> None:
        self.dialog.get_by_role("button", name="Test and save").click()


class JobPage:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.status = page.get_by_role("status", name="Status of the job")
        self.nodes = page.get_by_role("region", name="Nodes")
        self.sources = page.get_by_role("region", name="Sources")
        self.runs = page.get_by_role("region", name="Runs")
        self.activity = page.get_by_role("region", name="Activity")

    def cell(self, node: str, column: str) -> Locator:
        """A node's number in one of COLUMNS."""
        named = re.compile(rf"^{re.escape(node)}( \d+ alerts?)?$")  # one may fire
        row = self.nodes.get_by_role("row").filter(has=self.page.get_by_role("rowheader", name=named))
        return row.locator("th, td").nth(COLUMNS.index(column))

    def press(self, verb: str) -> None:
        """Press a button of the job, and confirm it."""
        self.page.get_by_role("button", name=verb, exact=True).click()
        self.page.get_by_role("dialog").get_by_role("button", name=verb, exact=True).click()
        expect(self.page.get_by_role("dialog")).to_have_count(0)
