"""Executes a write to its end, with its entry in the audit, even if its browser leaves."""

from __future__ import annotations

import asyncio
from typing import Any

READS = ("GET", "HEAD", "OPTIONS")


class ToTheEnd:
    """ASGI application around Django's, which would give up a request when its client leaves.

    Django's threads then continue anyway, and only the code around them is skipped.
    """

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["method"] in READS:
            await self.app(scope, receive, send)
            return
        is_whole = False

        async def receive_request() -> Any:
            nonlocal is_whole
            if is_whole:  # Django listens for the client's leaving until it has answered
                await asyncio.Future()
            message = await receive()
            is_whole = message["type"] == "http.request" and not message.get("more_body", False)
            return message

        await self.app(scope, receive_request, send)
