"""The websocket of everybody who has one topology open: names, pointers and selections. Nothing of it is stored.

The server also says on it what changed in the topology: its comments and its draft.

1. A page says where its user is: `{"type": "here", "x": 10, "y": 20, "selection": ["orders"]}`, in px of the canvas.
2. The server adds the name and a number of the page, and passes it to all other pages of the topology.
3. A page that joins asks the others, which say again where they are. A page that leaves says so. One that vanishes
   without a word is forgotten by the others after `FORGET_SECONDS`, because each page repeats itself before that.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from secrets import token_hex
from typing import Annotated, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from redis.exceptions import RedisError
from typing_extensions import TypedDict

from designer.projects.models import Draft
from designer.projects.roles import VIEWER
from designer.topology.graph import MAX_NODE_ID_LENGTH
from runner.watch.sockets.viewer import Viewer

FORGET_SECONDS = 30
"""After this time without a word, a page is gone."""
REPEAT_SECONDS = 10.0
MAX_A_SECOND = 20
"""Messages of a page that are passed on. The repetition says where it was last."""
MAX_SELECTED = 50
NodeId = Annotated[str, Field(max_length=MAX_NODE_ID_LENGTH)]


class Peer(TypedDict):
    """Where another user of the topology is. Without `x` and `y` the pointer is not on the canvas."""

    type: Literal["peer"]
    page: str
    name: str
    x: float | None
    y: float | None
    selection: list[str]


class PeerLeft(TypedDict):
    """Another page was closed, or shows something else."""

    type: Literal["peer_left"]
    page: str


class CommentsChanged(TypedDict):
    """There is a new comment, or one was resolved: ask for them again."""

    type: Literal["comments_changed"]


class DraftSaved(TypedDict):
    """The draft has this revision. A page that joins hears it too: it may have been saved since the page read it."""

    type: Literal["draft_saved"]
    revision: int


class Asked(TypedDict):
    """A page has joined the group of a topology, and asks the others where they are."""

    type: Literal["presence.asked"]
    by: str
    """The page. Empty: the server."""


class Said(TypedDict):
    """A message for all other pages of the group."""

    type: Literal["presence.said"]
    by: str
    message: Peer | PeerLeft | CommentsChanged | DraftSaved


def name_group(topology_id: int | str) -> str:
    """The Channels group for all pages that show a topology."""
    return f"presence-{topology_id}"


class Here(BaseModel):
    """What a page says of its user."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["here"]
    x: float | None = Field(None, ge=-1e6, le=1e6, allow_inf_nan=False)
    y: float | None = Field(None, ge=-1e6, le=1e6, allow_inf_nan=False)
    selection: list[NodeId] = Field(default_factory=list, max_length=MAX_SELECTED)


class PresenceConsumer(Viewer):
    """Passes on what each page of a topology says to all others."""

    address = "/ws/topologies/{topology_id}/presence/"
    needs = VIEWER

    async def begin(self) -> None:
        self.page, self.last, self.sent_at = token_hex(8), Here(type="here", x=None, y=None), [0.0] * MAX_A_SECOND
        self.name = self.scope["user"].get_username()
        await self._join()
        await self._send_to_group({"type": "presence.asked", "by": self.page})
        await self._say_revision()
        self.work(self._repeat())

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await super().receive(text_data, bytes_data)
        try:
            here = Here.model_validate_json(text_data or "")
        except ValidationError:
            return
        self.last = here
        now = time.monotonic()
        if not self.is_closed and now - self.sent_at[0] >= 1:
            self.sent_at = [*self.sent_at[1:], now]
            await self._say_where()

    async def disconnect(self, code: int) -> None:
        if not hasattr(self, "page"):
            return
        left = PeerLeft(type="peer_left", page=self.page)
        await self._send_to_group({"type": "presence.said", "by": self.page, "message": left})
        with contextlib.suppress(OSError, RedisError):
            await self.channel_layer.group_discard(self._group, self.channel_name)

    async def presence_asked(self, event: Asked) -> None:
        """A page has joined."""
        if event["by"] != self.page:
            await self._say_where()

    async def presence_said(self, event: Said) -> None:
        """A page says something."""
        if event["by"] != self.page:
            await self.send(text_data=orjson.dumps(event["message"]).decode())

    @property
    def _group(self) -> str:
        return name_group(self.arguments["topology_id"])

    async def _say_where(self) -> None:
        at = self.last
        peer = Peer(type="peer", page=self.page, name=self.name, x=at.x, y=at.y, selection=at.selection)
        await self._send_to_group({"type": "presence.said", "by": self.page, "message": peer})

    async def _say_revision(self) -> None:
        """Tell this page. What is saved from now on, the group hears."""
        drafts = Draft.objects.filter(topology_id=self.arguments["topology_id"])
        if (revision := await drafts.values_list("revision", flat=True).afirst()) is not None:
            await self.tell(DraftSaved(type="draft_saved", revision=revision))

    async def _send_to_group(self, event: Asked | Said) -> None:
        """Without Redis nobody hears it. The next repetition heals that."""
        with contextlib.suppress(OSError, RedisError):
            await self.channel_layer.group_send(self._group, event)

    async def _join(self) -> None:
        with contextlib.suppress(OSError, RedisError):
            await self.channel_layer.group_add(self._group, self.channel_name)

    async def _repeat(self) -> None:
        """Joining again is cheap, and restores the group after a flush of Redis."""
        while True:
            await asyncio.sleep(REPEAT_SECONDS)
            await self._join()
            await self._say_where()
