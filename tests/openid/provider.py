"""An OpenID Connect provider to sign in with, as a process of its own (tests/openid/__main__.py)."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.openid.people import CLIENT, PASSWORD, SECRET
from tests.parts import HOME
from webapp.local.parts import run_part
from webapp.local.places import ROOT
from webapp.local.ports import choose_port, is_open
from webapp.local.process import ChildProcess


class OpenId:
    """The provider on a port of 127.0.0.1."""

    name = "openid"

    def __init__(self, home: Path) -> None:
        self.home = home
        self.port = choose_port(home, self.name)
        self.child: ChildProcess | None = None

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def token_url(self) -> str:
        """Where clients ask for tokens."""
        return f"{self.issuer}/identity/o/api/token"

    @property
    def keys_url(self) -> str:
        """Where the public keys of its tokens are."""
        return f"{self.issuer}/.well-known/jwks.json"

    @property
    def variables(self) -> dict[str, str]:
        """What an administrator sets for Streamwright."""
        return {
            "OIDC_ISSUER": self.issuer,
            "OIDC_CLIENT_ID": CLIENT,
            "OIDC_CLIENT_SECRET": SECRET,
            "OIDC_NAME": "Acme ID",
            "OIDC_GROUPS_CLAIM": "groups",
            "OIDC_ADMINISTRATORS": "bosses",
        }

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.openid", str(self.port), tempfile.mkdtemp(dir=self.home)]
        self.child = ChildProcess(self.name, command, self.home / "logs" / "openid.log", cwd=ROOT, is_tied=True)
        self.child.start()

    def is_ready(self) -> bool:
        return is_open(self.port)

    def stop(self) -> None:
        if self.child:
            self.child.stop()


@pytest.fixture(scope="session")
def openid() -> Iterator[OpenId]:
    """A running provider."""
    provider = OpenId(HOME)
    with run_part(provider):
        yield provider


def pass_provider(address: str, name: str) -> str:
    """Signs someone in at the provider, as a browser does that was sent there; gives where it sends them back to."""
    with httpx.Client(follow_redirects=True) as browser:
        form = browser.get(address)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form.text)
        assert token, form.text
        answers = {"login": name, "password": PASSWORD, "csrfmiddlewaretoken": token[1]}
        answer = browser.post(form.url, data=answers, follow_redirects=False)
        while "code=" not in answer.headers["Location"]:
            answer = browser.get(answer.url.join(answer.headers["Location"]), follow_redirects=False)
        return answer.headers["Location"]
