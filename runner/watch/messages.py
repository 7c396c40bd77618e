"""Every message of our websockets as schemas in the export of the API; the page's types are generated from there."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from runner.watch.live.messages import Progressed, Snapshot, StatusChanged
from runner.watch.logs.log_tail import Lines
from runner.watch.sockets.messages import Refused, Waiting
from runner.watch.topics.letters import DeadLetters
from runner.watch.topics.tail import Records

MESSAGES: tuple[Any, ...] = (Snapshot, StatusChanged, Progressed, Records, DeadLetters, Lines, Waiting, Refused)


@cache
def make_schemas() -> dict[str, Any]:
    """JSON schemas by name, as components of an OpenAPI."""
    _, schema = TypeAdapter.json_schemas(
        [(one.__name__, "serialization", TypeAdapter(one)) for one in MESSAGES],
        ref_template="#/components/schemas/{model}",
    )
    schemas: dict[str, Any] = schema["$defs"]
    # an event holds what changed: the same members, none of which must be there
    schemas["ChangedNumbers"] = {name: part for name, part in schemas["RunNumbers"].items() if name != "required"}
    schemas["Progressed"]["properties"]["numbers"] = {"$ref": "#/components/schemas/ChangedNumbers"}
    return schemas
