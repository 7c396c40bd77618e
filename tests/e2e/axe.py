"""What axe-core says of a page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.proof.product import ROOT

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
FADED_IN = """() => Promise.race([
    Promise.allSettled(document.getAnimations()
        .filter(one => one.effect.getComputedTiming().endTime < 2_000).map(one => one.finished)),
    new Promise(ended => setTimeout(ended, 2_000)),
])"""
"""Waits for colours that fade in: half-way they have too little contrast.

Chromium does not always say that a change of the theme has faded in, so 2 s end it: nothing looked at lasts longer.
"""


def serious_in_both_themes(page: Page) -> list[str]:
    """What axe finds serious or worse: themes differ in nothing but colours, so the dark one is checked for these."""
    light = serious(page)
    page.emulate_media(color_scheme="dark")
    dark = serious(page, runOnly=["color-contrast"])
    page.emulate_media(color_scheme="light")
    return light + dark


def serious(page: Page, **options: Any) -> list[str]:
    """What axe finds serious or worse, by its own options: the rule and the first place."""
    page.evaluate(FADED_IN)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found = page.evaluate("options => axe.run(options)", {"resultTypes": ["violations"], **options})
    return [
        f"{violation['id']}: {violation['nodes'][0]['html'][:200]} {violation['nodes'][0]['failureSummary'][:300]}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
