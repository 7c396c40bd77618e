"""A gate in front of a schema registry: a proxy that asks for a certificate, a password or a token, and can be away."""

from __future__ import annotations

import base64
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import jwt

from tests.guarded import make_certificate


class Gate:
    """Forwards each request that `password`, `keys_url` (of tokens) and `certificate` allow to the registry at `url`.

    `requests` are the paths below `url` that came through. While `is_away`, it answers 503; `redirect` answers with
    that address.
    """

    def __init__(self, url: str, *, password: str | None = None, keys_url: str | None = None) -> None:
        self.url = url
        self.base = urlsplit(url).path
        self.password = password
        self.keys_url = keys_url
        self.denied: set[tuple[str, str]] = set()
        """Methods and beginnings of paths that are forbidden."""
        self.recorded: dict[str, tuple[int, str]] = {}
        """Status and body of answers by method and beginning of path, in place of the registry's own."""
        self.is_away = False
        self.redirect: str | None = None
        self.requests: list[str] = []
        self.port = 0
        self.scheme = "http"

    @property
    def address(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}{self.base}"

    def find_status(self, method: str, path: str, sign_in: str) -> int:
        """Why a request does not come through; 0 if it does."""
        if self.is_away:
            return 503
        if self.password is not None and sign_in != f"Basic {base64.b64encode(self.password.encode()).decode()}":
            return 401
        if self.keys_url is not None and not self._is_signed(sign_in):
            return 401
        return 403 if any(method == verb and path.startswith(begin) for verb, begin in self.denied) else 0

    def _is_signed(self, sign_in: str) -> bool:
        token = sign_in.removeprefix("Bearer ")
        try:
            key = jwt.PyJWKClient(self.keys_url or "").get_signing_key_from_jwt(token)
            jwt.decode(token, key.key, ["RS256"], options={"verify_aud": False})
        except jwt.PyJWTError:
            return False
        return True


@contextmanager
def open_gate(gate: Gate, folder: Path, *, tls: bool = False) -> Iterator[tuple[Gate, str, str]]:
    """The gate on a port, with the certificate and the key that it shows, and that it asks of clients."""

    class Handler(BaseHTTPRequestHandler):
        def handle_one(self) -> None:
            path = self.path.removeprefix(gate.base)
            gate.requests.append(f"{self.command} {path}")
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
            if gate.redirect is not None:
                self.answer(302, b"", {"Location": gate.redirect})
                return
            if status := gate.find_status(self.command, path, self.headers.get("Authorization", "")):
                self.answer(status, b'{"error_code": %d, "message": "the gate is closed"}' % status)
                return
            asked = gate.requests[-1]
            if recorded := next((gate.recorded[begin] for begin in gate.recorded if asked.startswith(begin)), None):
                self.answer(recorded[0], recorded[1].encode())
                return
            headers = {name: value for name, value in self.headers.items() if name.lower() == "content-type"}
            url = gate.url.removesuffix(gate.base) + self.path
            request = urllib.request.Request(url, body, headers, method=self.command)
            try:
                with urllib.request.urlopen(request) as answer:
                    self.answer(answer.status, answer.read())
            except urllib.error.HTTPError as error:
                self.answer(error.code, error.read())

        do_GET = do_POST = do_PUT = do_DELETE = handle_one

        def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            """Says nothing."""

    certificate, key = make_certificate() if tls else ("", "")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if tls:
        pem = folder / "gate.pem"
        pem.write_text(certificate + key)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cadata=certificate)
        context.load_cert_chain(pem)
        context.verify_mode = ssl.CERT_REQUIRED
        server.socket = context.wrap_socket(server.socket, server_side=True)
        gate.scheme = "https"
    gate.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield gate, certificate, key
    finally:
        server.shutdown()
        server.server_close()
