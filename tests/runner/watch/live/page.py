"""A browser's page that holds a websocket to the whole application: origin and login are checked as for anyone."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.db import connections
from django.test import Client

from tests.patience import PATIENCE_SECONDS
from webapp.asgi import application  # before a connection is made: it lets them be shared


class Page:
    """What the page hears and says."""

    def __init__(self, path: str, client: Client | None) -> None:
        path, _, question = path.partition("?")
        headers = [(b"origin", b"http://localhost"), (b"host", b"localhost")]
        if client is not None:
            headers.append((b"cookie", f"sessionid={client.cookies['sessionid'].value}".encode()))
        scope = {
            "type": "websocket",
            "path": path,
            "headers": headers,
            "subprotocols": [],
            "query_string": question.encode(),
        }
        self.socket = ApplicationCommunicator(application, scope)

    async def hear(self, seconds: float = PATIENCE_SECONDS) -> dict[str, Any]:
        """The next message, within so long."""
        answer = await self.socket.receive_output(seconds)
        if answer["type"] == "websocket.accept":
            answer = await self.socket.receive_output(seconds)
        found: dict[str, Any] = json.loads(answer["text"])
        return found

    async def hear_all(self, seconds: float) -> list[dict[str, Any]]:
        """Everything that is said in so long."""
        await asyncio.sleep(seconds)
        heard = []
        while not self.socket.output_queue.empty():
            heard.append(await self.hear())
        return heard

    async def closed_with(self, seconds: float = PATIENCE_SECONDS) -> int:
        """The code with which the socket is closed, whatever is said before."""
        while (answer := await self.socket.receive_output(seconds))["type"] != "websocket.close":
            continue
        code: int = answer["code"]
        return code

    async def say(self, what: str, **members: Any) -> None:
        text = json.dumps({"type": what, **members})
        await self.socket.send_input({"type": "websocket.receive", "text": text})


@asynccontextmanager
async def page(path: str, client: Client | None) -> AsyncIterator[Page]:
    """A page that is open for as long as the block lasts."""
    opened = Page(path, client)
    await opened.socket.send_input({"type": "websocket.connect"})
    try:
        yield opened
    finally:
        await opened.socket.send_input({"type": "websocket.disconnect", "code": 1000})
        await opened.socket.wait(PATIENCE_SECONDS)
        await sync_to_async(connections.close_all)()
