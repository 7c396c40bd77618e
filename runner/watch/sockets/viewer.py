"""Common parts of all our websockets: rights, checked again while the socket is open, and work that ends with it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, ClassVar
from urllib.parse import parse_qsl

import orjson
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.contrib.auth import HASH_SESSION_KEY, get_user_model
from django.contrib.auth.models import AbstractUser
from redis.exceptions import RedisError

from designer.projects.permissions import RoleMissing, refuse
from designer.projects.roles import Need
from designer.refusals import NotFound, Refusal

Send = Callable[[Any], Awaitable[None]]
log = logging.getLogger(__name__)
LOGIN_SECONDS = 15.0
"""Seconds between checks of the user and their rights: a revoked right ends within 30 s."""
MAX_FRAME = 65_536
WENT_WRONG, NOT_SIGNED_IN, NOT_PERMITTED, NOT_FOUND, TOO_LARGE, TOO_MANY = 1011, 4401, 4403, 4404, 4413, 4429


def to_whoever_stays(send: Send) -> Send:
    """`send` that stays silent if the browser just left.

    uvicorn raises an OSError for every kind of sending: a message, an accept or a close.
    """

    async def send_on(message: Any) -> None:
        with contextlib.suppress(OSError):
            await send(message)

    return send_on


class Viewer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """Lets in users with what it `needs`, then calls `begin`, which raises NotFound if there is nothing to
    show.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.works: list[asyncio.Task[None]] = []
        self.is_closed = False
        try:
            await super().__call__(scope, receive, to_whoever_stays(send))
        except RedisError as error:  # of Channels, which waits there for messages of a group: one line for each socket
            self._note_outage(error)
            if not self.is_closed:
                await to_whoever_stays(send)({"type": "websocket.close", "code": WENT_WRONG})
        finally:
            self.end()

    @abstractmethod
    async def begin(self) -> None:
        """Show the socket's content. Long work goes to `work`."""

    def refuse_further(self, user: AbstractUser) -> None:
        """Raises RoleMissing if the user may not look at this one, though the role is enough for others."""

    def end(self) -> None:
        """Called however the socket ends."""
        for work in self.works:
            work.cancel()

    def work(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Continue beside the socket until it ends."""
        self.works.append(asyncio.create_task(self._run(coroutine)))

    address: ClassVar[str]
    needs: ClassVar[Need]

    @property
    def arguments(self) -> dict[str, str]:
        """The values in the address."""
        arguments: dict[str, str] = self.scope["url_route"]["kwargs"]
        return arguments

    @property
    def question(self) -> dict[str, str]:
        """The query of the address. The last value of each name counts."""
        return dict(parse_qsl(self.scope["query_string"].decode(errors="replace")))

    async def connect(self) -> None:
        await self.accept()
        if (code := await self.explain_refusal()) is not None:
            await self.close(code)
            return
        try:
            await self.begin()
        except NotFound:
            await self.close(NOT_FOUND)
            return
        except Refusal as refusal:  # such as a cluster whose secrets are lost: the page shows why
            await self.tell({"type": "refused", **refusal.to_json()})
            await self.close(WENT_WRONG)
            return
        self.work(self._keep_looking())

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Disconnects a client that sends a lot."""
        if len(text_data or bytes_data or "") > MAX_FRAME:
            await self.close(TOO_LARGE)

    async def tell(self, message: Mapping[str, Any]) -> None:
        await self.send(text_data=orjson.dumps(message).decode())

    async def send(self, text_data: str | None = None, bytes_data: bytes | None = None, close: bool = False) -> None:
        """Sends nothing after a close, which a browser may take seconds to confirm."""
        if not self.is_closed:
            await super().send(text_data, bytes_data, close)

    async def close(self, code: int | None = None, reason: str | None = None) -> None:
        if not self.is_closed:
            self.is_closed = True
            await super().close(code, reason)

    async def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """No one waits for the work: its error is logged, and the page reconnects after the socket closes."""
        try:
            await coroutine
        except NotFound:
            await self.close(NOT_FOUND)
        except RedisError as error:
            self._note_outage(error)
            await self.close(WENT_WRONG)
        except Exception:
            log.exception("A websocket ends: %s", self.scope["path"])
            await self.close(WENT_WRONG)

    def _note_outage(self, error: RedisError) -> None:
        log.warning("A websocket ends, because Redis does not answer: %s: %s", self.scope["path"], error)

    async def _keep_looking(self) -> None:
        code = None
        while code is None:
            await asyncio.sleep(LOGIN_SECONDS)
            code = await self.explain_refusal()
        await self.close(code)

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def explain_refusal(self) -> int | None:
        """The code for closing the socket. None if its viewer may look now."""
        user, session = self.scope.get("user"), self.scope.get("session")
        if user is None or not user.is_authenticated:
            return NOT_SIGNED_IN
        now = get_user_model().objects.filter(pk=user.pk, is_active=True).first()
        if not isinstance(now, AbstractUser) or not _lasts(session, now):
            return NOT_SIGNED_IN
        try:
            refuse(now, self.needs, self.arguments.items())
            self.refuse_further(now)
        except NotFound:
            return NOT_FOUND
        except RoleMissing:
            return NOT_PERMITTED
        return None


def _lasts(session: Any, user: AbstractUser) -> bool:
    """Whether a session still exists, with the same password of its user as at sign-in."""
    if session is None:
        return True
    is_same: bool = session.get(HASH_SESSION_KEY) == user.get_session_auth_hash()
    return is_same and session.exists(session.session_key)
