"""A client of the HTTP API, for commands and agents on machines without the server's files."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any

from runner.outgoing import describe_error

SECONDS = 60.0
"""How long one answer may take."""


class Refused(Exception):
    """The server or this command refuses something, in a sentence with the next step."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follow none: it could lead elsewhere, and the token would go along."""

    def redirect_request(self, *args: Any) -> None:
        return None


OPENER = urllib.request.build_opener(_NoRedirects)


class Server:
    """A server and the token for it.

    Example: `Server("https://streams.example.com", "sw_…").ask("GET", "/jobs")` gives all jobs.
    """

    def __init__(self, url: str, token: str) -> None:
        if not url.startswith(("http://", "https://")):
            raise Refused(f"`{url}` is not an address. Write --url https://host.")
        if not token:
            raise Refused("No token is set. Make one on the page Tokens, and set STREAMWRIGHT_TOKEN.")
        self.url = url.rstrip("/")
        self.token = token

    def ask(self, method: str, path: str, body: Any = None, *, seconds: float = SECONDS) -> Any:
        """The answer's JSON, within so many seconds; raises Refused."""
        request = urllib.request.Request(
            f"{self.url}/api{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        try:
            with OPENER.open(request, timeout=seconds) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Refused(_read_refusal(error)) from error
        except (OSError, ValueError) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            text = describe_error(reason, self.url) if isinstance(reason, OSError) else f"{self.url} is not an address."
            raise Refused(f"{text} Check the address and the network.") from error

    def topology(self, name: str) -> Mapping[str, Any]:
        """The topology of that slug, name or id."""
        return _find_named("topology", name, self.ask("GET", "/topologies"), ("slug", "name", "id"))

    def job(self, name: str) -> Mapping[str, Any]:
        return _find_named("job", name, self.ask("GET", "/jobs"), ("name", "application_id"))


def _find_named(
    what: str, name: str, candidates: Sequence[Mapping[str, Any]], members: Sequence[str]
) -> Mapping[str, Any]:
    """The first with that name in one of its members, in the members' order."""
    for member in members:
        for each in candidates:
            if str(each[member]) == name:
                return each
    names = ", ".join(str(each[members[0]]) for each in candidates) or "none yet"
    raise Refused(f"There is no {what} `{name}`. Known: {names}.")


def _read_refusal(error: urllib.error.HTTPError) -> str:
    """The server's message, or its status if the message is not ours."""
    if target := error.headers.get("Location"):
        return f"The server answers {error.code} and leads to {target}. Write the address of Streamwright after --url."
    try:
        answer = json.load(error)
        issues = [f"  {each.get('node') or ''}: {each['message']} {each['hint']}" for each in answer.get("issues", ())]
        return "\n".join([f"{answer['message']} {answer['hint']}".strip(), *issues])
    except (ValueError, KeyError, TypeError):
        return f"The server answers {error.code}. Check that --url is the address of Streamwright."
