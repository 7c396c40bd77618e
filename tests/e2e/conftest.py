"""A real Chromium before a real server. `base_url` and `one_time_url` come from tests/conftest.py."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tests.e2e.pages import HomePage

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 15_000


def chromium() -> str:
    """Where Chromium is: CHROMIUM, or on the path."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert found, "No Chromium: install it (Debian: apt-get install chromium) or name it in CHROMIUM."
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    # Playwright keeps an event loop running in this thread, which Django would take for an asynchronous caller.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page(browser: Browser, base_url: str) -> Iterator[Page]:
    """A fresh, signed-out tab. The test fails if a script of the page does."""
    context = browser.new_context(base_url=base_url, viewport={"width": 1366, "height": 768})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.extend(blocked(message)))
    yield page
    context.close()
    assert not errors, errors


def blocked(message: ConsoleMessage) -> list[str]:
    """What the content security policy refused; a refusal of the API is no error of the page."""
    return [message.text] if "Content Security Policy" in message.text else []


@pytest.fixture
def home(page: Page, one_time_url: str) -> HomePage:
    """The home page, signed in by the address that `make run` prints."""
    page.goto(one_time_url)
    return HomePage(page)
