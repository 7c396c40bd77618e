"""A real Chromium before the whole product: the sample topology is deployed and fed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, ViewportSize, expect, sync_playwright

from runner.demo.samples.flights import TABLES
from tests.e2e.pages import HomePage
from tests.openid.provider import OpenId
from tests.patience import PATIENCE_SECONDS
from tests.proof.product import OF_THE_TESTS, ROOT, Product
from webapp.local import chromium

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZE: ViewportSize = {"width": 1366, "height": 768}
PATIENCE_MS = 45_000
STARTS_WITHIN_MS = PATIENCE_SECONDS * 1_000
"""For what a start of a run brings."""


@pytest.fixture(scope="package")
def product(tmp_path_factory: pytest.TempPathFactory, openid: OpenId) -> Iterator[Product]:
    """A started Streamwright whose sample job reads 40 flights a second, by batches seldom enough for two cores.

    Users may sign in with the provider of the tests.
    """
    product = Product(tmp_path_factory.mktemp("e2e") / "home", variables=openid.variables)
    product.start()
    feed = product.feed("--loop", "--rate", "40")
    try:
        product.wait(lambda: product.topics() >= {"flights", *TABLES}, "the sample's topics")
        product.deploy_sample("flight-delays", slots=1, batch_interval_ms=3_000)
        yield product
    finally:
        feed.terminate()
        feed.wait()
        product.stop()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Of the package, not the session: Playwright's event loop runs in this thread, where others bring their own."""
    expect.set_options(timeout=PATIENCE_MS)
    executable = chromium.find_executable(ROOT / ".run")
    assert executable, "No Chromium: `make test` installs one; or name yours in CHROMIUM."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh, signed-out tab."""
    with open_tab(browser) as page, quiet(page):
        yield page


@contextmanager
def open_tab(browser: Browser) -> Iterator[Page]:
    """A tab of its own context.

    Nothing is animated. Without a GPU that takes a fifth of a processor.
    A view that glides would move under the pointer.
    """
    context = browser.new_context(viewport=SIZE, reduced_motion="reduce")
    context.add_init_script("localStorage.setItem('streamwright:tour-seen', 'true')")
    yield context.new_page()
    context.close()


@contextmanager
def quiet(page: Page) -> Iterator[None]:
    """Fails if a script of the page does meanwhile, or anything of ours is in the console."""
    errors: list[str] = []

    def fail(error: Error) -> None:
        errors.append(str(error))

    def complain(message: ConsoleMessage) -> None:
        errors.extend(complaints(message))

    page.on("pageerror", fail)
    page.on("console", complain)
    yield
    page.remove_listener("pageerror", fail)
    page.remove_listener("console", complain)
    assert errors == []


def complaints(message: ConsoleMessage) -> list[str]:
    """Errors in the console, but for what the browser itself says of the network: refusals, and a web that is away."""
    of_the_network = message.text.startswith(("Failed to load resource", "WebSocket connection to"))
    return [message.text] if message.type == "error" and not of_the_network else []


@pytest.fixture
def one_time_url(product: Product) -> str:
    """An address such as `make run` prints."""
    base = str(product.http.base_url).rstrip("/")
    environment = {name: value for name, value in os.environ.items() if name not in OF_THE_TESTS}
    command = [sys.executable, str(ROOT / "manage.py"), "login_url", base]
    env = environment | {"STREAMWRIGHT_HOME": str(product.home)}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def arrived(page: Page, one_time_url: str) -> HomePage:
    """The home page, signed in by the printed address: its own session, which may be ended."""
    page.goto(f"{one_time_url}&next=/")
    return HomePage(page)


@pytest.fixture(scope="package")
def signed_in(browser: Browser, product: Product) -> Iterator[Page]:
    """One tab for all tests: each new one would load and compile the scripts again, for a second and more."""
    with open_tab(browser) as page:
        sign_in(page, product)
        yield page


@pytest.fixture
def home(signed_in: Page, product: Product) -> Iterator[HomePage]:
    """The home page in the session that the product's start signed in; the browser remembers nothing of before."""
    signed_in.set_viewport_size(SIZE)
    signed_in.goto(f"{product.http.base_url}/health")
    signed_in.evaluate("localStorage.clear(), sessionStorage.clear()")
    with quiet(signed_in):
        signed_in.goto(f"{product.http.base_url}/")
        yield HomePage(signed_in)
    for other in signed_in.context.pages[1:]:
        other.close()


def sign_in(page: Page, product: Product) -> None:
    """Give the tab the session that the printed address opened."""
    address = str(product.http.base_url)
    page.context.add_cookies(
        [{"name": name, "value": value, "url": address} for name, value in product.http.cookies.items()]
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say what was on the page of a failed test: a snapshot is cut off, and a notice may have gone."""
    report = yield
    page = getattr(item, "funcargs", {}).get("signed_in") or getattr(item, "funcargs", {}).get("page")
    if report.failed and report.when == "call" and isinstance(page, Page):
        report.sections.append(("page", describe_page(page)))
    return report


def describe_page(page: Page) -> str:
    """The address, the focused element, and the texts of dialogs, notices and the drawer."""
    texts: str = page.evaluate(
        """() => [
            location.href,
            `focus: ${document.activeElement?.outerHTML.slice(0, 300)}`,
            ...[...document.querySelectorAll("dialog, .notice, .drawer, [role=alert]")].map((one) => one.innerText),
        ].join("\\n")"""
    )
    return texts
