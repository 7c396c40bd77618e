"""Schemas of every websocket message for the export of the API, from which the page's types are generated."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaValue

from runner.control.clusters.schemas import MessageOut
from runner.control.jobs.job_status import JobStatus
from runner.watch.live.messages import Progressed, Snapshot, StatusChanged
from runner.watch.logs.log_tail import Lines
from runner.watch.presence.consumers import CommentsChanged, DraftSaved, Peer, PeerLeft
from runner.watch.sockets.messages import Refused, Waiting
from runner.watch.topics.dead_letters import DeadLetter, DeadLetters
from runner.watch.topics.decoding import DecodedMessageOut
from runner.watch.topics.tail import Records

# TypedDicts do not check at run time, so a tick costs the same. Tests compare what is sent with them.
MESSAGES: Mapping[str, Any] = {
    "Snapshot": Snapshot,
    "LiveEvent": StatusChanged | Progressed,
    "JobStatus": JobStatus,
    "FeedMessage": Records | DeadLetters | Lines | Waiting | Refused,
    "PresenceMessage": Peer | PeerLeft | CommentsChanged | DraftSaved,
    "FeedRecord": MessageOut | DeadLetter | DecodedMessageOut,
}
"""Their names on the page: messages, unions of them, and their parts."""


@cache
def make_schemas() -> dict[str, JsonSchemaValue]:
    """JSON schemas by name, as components of an OpenAPI."""
    tops, schema = TypeAdapter.json_schemas(
        [(name, "serialization", TypeAdapter(one)) for name, one in MESSAGES.items()],
        ref_template="#/components/schemas/{model}",
    )
    schemas: dict[str, JsonSchemaValue] = schema["$defs"]
    schemas |= {name: top for (name, _), top in tops.items() if name not in schemas}
    # an event holds changes: the same members, all optional
    schemas["ChangedNumbers"] = {name: part for name, part in schemas["RunNumbers"].items() if name != "required"}
    schemas["Progressed"]["properties"]["numbers"] = {"$ref": "#/components/schemas/ChangedNumbers"}
    return schemas
