"""confluent-kafka's client of a schema registry, over our own transport, with the secrets of a connection."""

from __future__ import annotations

import logging
import ssl
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import orjson

from runner.outgoing import NoAnswer
from runner.registry.refusals import RegistryNotAllowed, RegistryRefused

if TYPE_CHECKING:
    from confluent_kafka.schema_registry import SchemaRegistryClient

ISSUER = "bearer.auth.issuer.endpoint.url"
Call = Callable[[str, str, Mapping[str, str], bytes | None], tuple[int, bytes]]
"""Sends a request of this method, address, headers and body. Returns status and body. Raises NoAnswer."""


def make_client(url: str, config: Mapping[str, str], name: str, call: Call) -> SchemaRegistryClient:
    """Return confluent-kafka's client. Its session is replaced, because it has no setting for another transport."""
    import httpx2
    from confluent_kafka.schema_registry import SchemaRegistryClient

    settings: dict[str, Any] = {"url": url, "max.retries": 1, "retries.wait.ms": 200}
    if "basic.auth.user" in config:
        login = config["basic.auth.user"], config["basic.auth.password"]
        settings["basic.auth.user.info"] = ":".join(login)
    if "bearer.auth.client.id" in config:
        settings |= {
            "bearer.auth.credentials.source": "CUSTOM",
            "bearer.auth.custom.provider.function": _Tokens(config, name, call),
            "bearer.auth.custom.provider.config": {},
        }
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # otherwise each request is a line of the log
    client = SchemaRegistryClient(settings)
    rest = client._rest_client
    rest.session.close()
    rest.session = httpx2.Client(transport=_make_transport(call), auth=rest.auth, trust_env=False)
    return client


def make_tls(config: Mapping[str, str], name: str) -> ssl.SSLContext | None:
    """Return the registry's own authority and our certificate. None: what every program trusts.

    Raises RegistryRefused if they cannot be read.
    """
    authority, certificate = config.get("ssl.ca.pem"), config.get("ssl.certificate.pem")
    if authority is None and certificate is None:
        return None
    try:
        context = ssl.create_default_context(cadata=authority)
        if certificate is not None:
            _load_certificate(context, certificate, config)
    except (ssl.SSLError, ValueError) as error:
        raise RegistryRefused(
            f"The certificates of the schema registry of `{name}` cannot be read.",
            "Check that each is complete PEM text, that the key fits the certificate, and its password.",
        ) from error
    return context


class _Tokens:
    """Tokens of the client-credentials grant (RFC 6749, 4.4), asked for again before they end."""

    def __init__(self, settings: Mapping[str, str], name: str, call: Call) -> None:
        self.settings = settings
        self.name = name
        self.call = call
        self.token = ""
        self.ends_at = 0.0

    def __call__(self, config: object) -> dict[str, str]:
        if time.monotonic() >= self.ends_at:
            self._fetch()
        fields = {"bearer.auth.token": self.token, "bearer.auth.logical.cluster": ""}
        for name in ("bearer.auth.logical.cluster", "bearer.auth.identity.pool.id"):
            if name in self.settings:
                fields[name] = self.settings[name]
        return fields

    def _fetch(self) -> None:
        settings = self.settings
        form = {
            "grant_type": "client_credentials",
            "client_id": settings["bearer.auth.client.id"],
            "client_secret": settings["bearer.auth.client.secret"],
        }
        form |= {"scope": settings["bearer.auth.scope"]} if "bearer.auth.scope" in settings else {}
        url, headers = settings[ISSUER], {"Content-Type": "application/x-www-form-urlencoded"}
        status, body = self.call("POST", url, headers, urlencode(form).encode())
        if status >= 500:
            raise NoAnswer(f"the token endpoint answered {status}.")
        try:
            answer = orjson.loads(body)
            self.token, seconds = str(answer["access_token"]), float(answer.get("expires_in", 60))
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            raise RegistryNotAllowed(
                f"The token endpoint of the schema registry of `{self.name}` gave no token: it answered {status}.",
                "Check the client, its secret and the scope.",
            ) from error
        self.ends_at = time.monotonic() + 0.8 * seconds


def _make_transport(call: Call) -> Any:
    """A transport of httpx that sends each request with `call`."""
    import httpx2

    class Transport(httpx2.BaseTransport):
        def handle_request(self, request: httpx2.Request) -> httpx2.Response:
            # http.client sets these itself, and a compressed answer could be larger than it looks
            skipped = {"host", "accept-encoding", "connection", "content-length"}
            headers = {name: value for name, value in request.headers.items() if name not in skipped}
            try:
                status, body = call(request.method, str(request.url), headers, request.read())
            except NoAnswer as error:
                raise httpx2.ConnectError(str(error), request=request) from error
            return httpx2.Response(status, content=body, request=request)

    return Transport()


def _load_certificate(context: ssl.SSLContext, certificate: str, config: Mapping[str, str]) -> None:
    """Python reads a certificate only from a file. It is gone when this returns."""
    with tempfile.TemporaryDirectory() as folder:  # readable by its owner only
        path = Path(folder) / "client.pem"
        path.write_text(f"{certificate}\n{config['ssl.key.pem']}\n")
        context.load_cert_chain(path, password=config.get("ssl.key.password", ""))
