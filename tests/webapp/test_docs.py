"""The site of docs/ at /docs."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]
SCRIPT = "let scope = 1"


@pytest.fixture
def site(tmp_path: Path, settings: Any) -> Path:
    """A small site."""
    settings.SITE = tmp_path
    (tmp_path / "tutorial").mkdir()
    (tmp_path / "index.html").write_text(f"<h1>Streamwright</h1><script>{SCRIPT}</script>")
    (tmp_path / "tutorial" / "index.html").write_text("<h1>Tutorial</h1>")
    (tmp_path / "style.css").write_text("h1 { color: red }")
    return tmp_path


@pytest.fixture
def browser(site: Path) -> Client:
    """Someone signed in."""
    client = Client()
    client.force_login(person("ada"))
    return client


@pytest.mark.parametrize(
    ("path", "text"), [("/docs/", "Streamwright"), ("/docs/tutorial/", "Tutorial"), ("/docs/style.css", "color")]
)
def test_a_path_shows_its_file(browser: Client, path: str, text: str) -> None:
    answer = browser.get(path)

    assert answer.status_code == 200
    assert text in answer.getvalue().decode()


def test_the_short_address_leads_to_the_first_page(browser: Client) -> None:
    assert browser.get("/docs").headers["Location"] == "/docs/"


@pytest.mark.parametrize(
    ("path", "status"), [("/docs/nothing", 404), ("/docs/../manage.py", 400), ("/docs/%2e%2e/manage.py", 400)]
)
def test_what_is_not_of_the_site_is_refused(browser: Client, path: str, status: int) -> None:
    assert browser.get(path).status_code == status


def test_a_page_may_run_the_scripts_it_holds_and_no_others(browser: Client) -> None:
    policy = browser.get("/docs/").headers["Content-Security-Policy"]

    digest = b64encode(sha256(SCRIPT.encode()).digest()).decode()
    (scripts,) = re.findall(r"script-src ([^;]+)", policy)
    assert scripts.split() == ["'self'", f"'sha256-{digest}'"]


def test_a_site_that_is_not_built_says_how_to_build_it(browser: Client, site: Path) -> None:
    (site / "index.html").unlink()

    answer = browser.get("/docs/")

    assert (answer.status_code, "make docs" in answer.content.decode()) == (503, True)


def test_a_stranger_signs_in_first(site: Path) -> None:
    assert Client().get("/docs/").headers["Location"].startswith("/login")
