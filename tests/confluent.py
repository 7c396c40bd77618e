"""A server with the answers of Confluent's schema registry 8, which gives schemas GUIDs. Apicurio has none.

Confluent's registry is on no package registry, so the paths and fields are taken from its sources
(confluentinc/schema-registry 794611bd: `SchemasResource`, `SchemaString`, `ContextId` and `RegisterSchemaResponse`).
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote
from uuid import UUID


class Confluent:
    """The schemas by id. Each has one subject and one version."""

    def __init__(self) -> None:
        self.schemas: dict[int, dict[str, Any]] = {}
        self.asked: list[str] = []
        self.url = ""

    def add(self, subject: str, body: dict[str, Any]) -> dict[str, Any]:
        digits = hashlib.md5(body["schema"].encode()).hexdigest()[:16]
        guid = str(UUID(bytes=digits.encode()))  # of bytes that are text, as headers of conformance cases are
        known = next((each for each in self.schemas.values() if each["guid"] == guid), None)
        number = len(self.schemas) + 1
        schema = known or {"subject": subject, "version": 1, "id": number, "guid": guid, "schemaType": "AVRO", **body}
        return self.schemas.setdefault(schema["id"], schema)

    def find(self, kind: str, name: str, what: str = "") -> Any:
        """`schemas/ids/7`, `schemas/ids/7/versions`, `schemas/guids/…`, `schemas/guids/…/ids` and `subjects/…`"""
        of_kind = {"ids": "id", "guids": "guid", "versions": "subject"}.get(kind, "")
        found = next((each for each in self.schemas.values() if str(each.get(of_kind)) == name), None)
        if found is None or what == "":
            return found
        if what == "ids":
            return [{"context": ".dev", "id": 100_000}, {"context": ".", "id": found["id"]}]
        return [{"subject": found["subject"], "version": found["version"]}]


@contextmanager
def confluent() -> Iterator[Confluent]:
    """Serves until the end of the block."""
    held = Confluent()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            first, *rest = map(unquote, self.path.partition("?")[0].strip("/").split("/"))
            self._answer(held.find(*(("versions", rest[0]) if first == "subjects" else rest[:3])))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._answer(held.add(unquote(self.path.split("/")[2]), body))

        def _answer(self, found: Any) -> None:
            held.asked.append(f"{self.command} {self.path}")
            content = json.dumps(found or {"error_code": 40403, "message": "Schema not found"}).encode()
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "application/vnd.schemaregistry.v1+json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    held.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield held
    finally:
        server.shutdown()
        server.server_close()
