"""The page: its own nonce in every answer, for the style sheet of the expression editor."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]
FRONTEND = Path(__file__).parents[2] / "frontend"
INDEX = FRONTEND / "index.html"
DIST = FRONTEND / "dist"


@pytest.fixture
def browser(tmp_path: Path, settings: Any) -> Client:
    """Someone signed in, before a page as it is when built."""
    (tmp_path / "index.html").write_text(INDEX.read_text())
    settings.FRONTEND_DIST = tmp_path
    client = Client()
    client.force_login(person("ada"))
    return client


def test_the_policy_allows_the_nonce_of_the_page(browser: Client) -> None:
    response = browser.get("/topologies/1")

    (nonce,) = re.findall(r'property="csp-nonce" nonce="([^"]+)"', response.content.decode())
    assert f"style-src 'self' 'nonce-{nonce}'" in response.headers["Content-Security-Policy"]


def test_no_two_answers_have_the_same_nonce(browser: Client) -> None:
    policies = {browser.get("/").headers["Content-Security-Policy"] for _ in range(2)}

    assert len(policies) == 2


def test_browsers_keep_what_has_a_hash_in_its_name_and_get_it_as_gzip() -> None:
    script = next((DIST / "assets").glob("index-*.js"))
    client = Client(headers={"accept-encoding": "gzip"})

    answer = client.get(f"/static/assets/{script.name}")
    icon = client.get("/static/favicon.svg")

    assert gzip.decompress(answer.getvalue()) == script.read_bytes()
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["Cache-Control"].endswith("immutable")
    assert not icon.headers["Cache-Control"].endswith("immutable")


def test_a_probe_asks_for_health_without_tls(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    client = Client()

    assert client.get("/health").status_code == 200
    assert client.get("/login").status_code == 301
