"""Keycloak, an OpenID Connect provider that shares no code with us. The other one is of the library we sign in with.

It is one archive of 155 MB, fetched by its coordinates when a test of the lane `soak` asks for it.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import zipfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.java import FOLDER, ONE_COMPILER
from tests.openid.people import CLIENT, PASSWORD, PEOPLE, SECRET
from tests.parts import HOME
from tests.patience import PATIENCE_SECONDS
from webapp.local import jars
from webapp.local.java import find_java
from webapp.local.ports import choose_port
from webapp.local.process import ChildProcess
from webapp.local.up import find_ivy

ARCHIVE = jars.Jar(
    "keycloak",
    "org.keycloak",
    "keycloak-quarkus-dist",
    "26.4.7",
    "dd9834c023460be856f731423d86228c23b5d002194a2064642bec0cc6573eaa",
    extension="zip",
)
REALM = "acme"
REDIRECT = "http://testserver/login/provider/callback"


class Keycloak:
    """Keycloak with the people of the tests in a realm, on a port of 127.0.0.1. Its database is in memory."""

    name = "keycloak"

    def __init__(self, home: Path, folder: Path) -> None:
        self.home = home
        self.folder = folder
        self.child: ChildProcess | None = None

    @cached_property
    def port(self) -> int:
        return choose_port(self.home, self.name)

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}/realms/{REALM}"

    def start(self) -> None:
        realm = self.folder / "data" / "import" / "realm.json"
        realm.parent.mkdir(parents=True, exist_ok=True)
        realm.write_text(json.dumps(make_realm()))
        command = ["bash", str(self.folder / "bin" / "kc.sh"), "start-dev", "--db=dev-mem", "--import-realm"]
        command += ["--http-host=127.0.0.1", f"--http-port={self.port}"]
        variables = os.environ | {
            "JAVA": str(find_java()),
            "JAVA_OPTS_KC_HEAP": "-Xms64m -Xmx512m",
            "JAVA_OPTS_APPEND": ONE_COMPILER,
        }
        log = self.home / "logs" / "keycloak.log"
        self.child = ChildProcess(self.name, command, log, cwd=self.folder, env=variables, is_tied=True)
        self.child.start()

    def is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.issuer}/.well-known/openid-configuration", timeout=5).status_code == 200
        except httpx.TransportError:
            return False

    def stop(self) -> None:
        if self.child:
            self.child.stop()


def make_realm() -> dict[str, Any]:
    """People, groups and the client, as Keycloak's administration exports them."""
    people = {name: groups for name, groups in PEOPLE.items() if name != "nameless"}
    mapper = {
        "name": "groups",
        "protocol": "openid-connect",
        "protocolMapper": "oidc-group-membership-mapper",
        "config": {
            "claim.name": "groups",
            "full.path": "true",
            "id.token.claim": "true",
            "userinfo.token.claim": "true",
        },
    }
    return {
        "realm": REALM,
        "enabled": True,
        "sslRequired": "none",
        "groups": [{"name": name} for name in sorted({group for groups in people.values() for group in groups})],
        "users": [
            {
                "username": name,
                "enabled": True,
                "email": f"{name}@example.com",
                "emailVerified": True,
                "firstName": name.title(),
                "lastName": "Lovelace",
                "groups": [f"/{group}" for group in groups],
                "credentials": [{"type": "password", "value": PASSWORD, "temporary": False}],
            }
            for name, groups in people.items()
        ],
        "clients": [
            {
                "clientId": CLIENT,
                "secret": SECRET,
                "redirectUris": [REDIRECT],
                "protocolMappers": [mapper],
                "attributes": {"pkce.code.challenge.method": "S256"},
            }
        ],
    }


@pytest.fixture(scope="session")
def keycloak() -> Iterator[Keycloak]:
    """A running Keycloak."""
    provider = Keycloak(HOME, install())
    provider.start()
    try:
        assert provider.child is not None
        provider.child.wait_until(provider.is_ready, PATIENCE_SECONDS)
        yield provider
    finally:
        provider.stop()


def install() -> Path:
    """Fetches and unpacks Keycloak unless it is there, and returns its folder."""
    place = FOLDER / ARCHIVE.folder / f"keycloak-{ARCHIVE.version}"
    if not place.exists():
        jars.fetch([ARCHIVE], FOLDER, find_ivy())
        archive, unpacked = place.with_name(ARCHIVE.file), place.with_name("unpacked")
        shutil.rmtree(unpacked, ignore_errors=True)
        with zipfile.ZipFile(archive) as files:
            files.extractall(unpacked)
        (unpacked / place.name).replace(place)
        archive.unlink()
    return place


def pass_keycloak(address: str, name: str) -> str:
    """Signs someone in at Keycloak, as a browser does that was sent there; gives where it sends them back to."""
    with httpx.Client(follow_redirects=True) as browser:
        form = browser.get(address)
        action = re.search(r'action="([^"]+)"', form.text)
        assert action, form.text
        # its cookies are for HTTPS only, but browsers also send them to this machine
        cookies = "; ".join(f"{each.name}={each.value}" for each in browser.cookies.jar)
        answers = {"username": name, "password": PASSWORD}
        answer = httpx.post(html.unescape(action[1]), data=answers, headers={"Cookie": cookies})
        assert answer.status_code == 302, answer.text
        return answer.headers["Location"]
