"""The way of a stranger from an empty canvas to live results, counted in actions, as the benchmark measures it too."""

from __future__ import annotations

import re
import time
from typing import NamedTuple

from playwright.sync_api import Locator, expect

from tests.e2e.conftest import STARTS_WITHIN_MS
from tests.e2e.desk import EditorPage, centre
from tests.e2e.pages import MOVES

MAX_ACTIONS, AIM_SECONDS = 20, 90.0


class Journey(NamedTuple):
    """Clicks, keys and texts that a person gave, and the seconds of it all; then those after the last action."""

    actions: int
    seconds: float
    waited_s: float


class Hand:
    """Acts as a person does, and counts: a text is one action, and so is each key and click."""

    def __init__(self, desk: EditorPage) -> None:
        self.desk = desk
        self.count = 0

    def click(self, place: Locator) -> None:
        self.count += 1
        place.click()

    def click_at(self, place: Locator) -> None:
        """Click what is only there under the pointer."""
        self.count += 1
        self.desk.page.mouse.move(*centre(place))
        self.desk.page.mouse.down()
        self.desk.page.mouse.up()

    def press(self, key: str) -> None:
        self.count += 1
        self.desk.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.count += 1
        self.desk.page.keyboard.type(text)


def walk_to_live_results(desk: EditorPage) -> Journey:
    """From an empty canvas: count the late flights of each carrier or airport, deploy it, and read results.

    Each step goes on when the page shows what the last one did, so a wrong turn fails the journey.
    """
    hand, began = Hand(desk), time.monotonic()
    start = desk.page.get_by_role("region", name="Start with a topic")
    hand.click(start.get_by_role("button", name=re.compile("^flights")))
    hand.click(start.get_by_role("button", name=re.compile("^Count per (?!key)")))
    source, target = desk.node("flights"), desk.canvas.get_by_role("group", name=re.compile("^Edge from flights to "))
    expect(source).to_be_visible()
    desk.page.mouse.move(*centre(target))
    hand.click_at(desk.canvas.get_by_role("button", name=re.compile("^Insert a node between flights and ")))
    expect(desk.picker).to_be_visible()
    hand.type("filter")
    hand.press("Enter")
    expect(desk.field("Predicate")).to_be_focused()
    hand.type("dep_delay > 15")
    hand.click(desk.page.get_by_role("button", name="Deploy", exact=True))
    question = desk.page.get_by_role("dialog", name=re.compile("^Deploy "))
    hand.click(question.get_by_role("button", name="Deploy", exact=True))
    acted_at = time.monotonic()
    expect(desk.node("filter")).to_contain_text(MOVES, timeout=STARTS_WITHIN_MS)
    ended_at = time.monotonic()
    return Journey(hand.count, ended_at - began, ended_at - acted_at)
