"""Limits and closed lists that the page needs at run time, where types do not help. `make types` writes them.

The page imports them from `frontend/src/api/values.ts`. A test fails while that file is stale.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from designer.expressions.lexis import MAX_CHARACTERS
from designer.projects import cases, services
from designer.projects.roles import ROLE_NAMES
from designer.topology.graph import COLOURS, MAX_NODE_ID_LENGTH, MAX_NOTE_LENGTH
from designer.values.decimals import MAX_PRECISION
from runner.control.clusters.connection import MECHANISMS, PROTOCOLS
from runner.control.jobs.api import MAX_PRINCIPAL_LENGTH
from runner.control.jobs.schemas import DeployIn
from runner.demo.gallery import PURPOSES
from runner.demo.samples.api import MAX_RATE
from runner.watch.alerts.schemas import ChannelIn, SilenceIn
from runner.watch.dead_letters.schemas import MAX_CHOICE
from runner.watch.live.snapshot import STALE_MS
from webapp.accounts.api import TokenIn
from webapp.accounts.people_api import UserIn
from webapp.accounts.tokens import MAX_DAYS

Value = int | Sequence[str] | Mapping[str, int]
COMMENT = "/** Limits and closed lists as the server states them. `make types` writes this file. */"


def find_max_length(model: type[BaseModel], field: str) -> int:
    """Maximum characters of a text in a request's body. Raises LookupError if it has no limit.

    >>> find_max_length(UserIn, "name")
    150
    """
    for each in model.model_fields[field].metadata:
        if hasattr(each, "max_length"):
            return int(each.max_length)
    raise LookupError(f"{model.__name__}.{field} has no limit of length.")


MAX_LENGTHS: Mapping[str, int] = {
    "caseName": cases.MAX_NAME_LENGTH,
    "channelAddress": find_max_length(ChannelIn, "address"),
    "channelName": find_max_length(ChannelIn, "name"),
    "deployMessage": find_max_length(DeployIn, "message"),
    "expression": MAX_CHARACTERS,
    "nodeId": MAX_NODE_ID_LENGTH,
    "note": MAX_NOTE_LENGTH,
    "principal": MAX_PRINCIPAL_LENGTH,
    "silenceReason": find_max_length(SilenceIn, "why"),
    "tokenName": find_max_length(TokenIn, "name"),
    "topologyName": services.MAX_NAME_LENGTH,
    "userName": find_max_length(UserIn, "name"),
}
"""Maximum characters of a text, by kind."""
VALUES: Mapping[str, Value] = {
    "MAX_LENGTHS": MAX_LENGTHS,
    "MAX_FEED_RATE": MAX_RATE,
    "MAX_DEAD_LETTERS_CHOICE": MAX_CHOICE,
    "MAX_PRECISION": MAX_PRECISION,
    "MAX_TOKEN_DAYS": MAX_DAYS,
    "STALE_MS": STALE_MS,
    "COLOURS": COLOURS,
    "MECHANISMS": tuple(MECHANISMS),
    "PROTOCOLS": PROTOCOLS,
    "PURPOSES": tuple(PURPOSES),
    "ROLES": ROLE_NAMES[:-1],
}
"""By the name of the constant in TypeScript."""


def write_typescript() -> str:
    """The whole of `frontend/src/api/values.ts`."""
    lines = [f"export const {name} = {_write_value(value)} as const;" for name, value in VALUES.items()]
    return "\n".join([COMMENT, *lines, ""])


def _write_value(value: Value) -> str:
    if isinstance(value, Mapping):
        return "\n".join(["{", *(f"  {name}: {number}," for name, number in value.items()), "}"])
    return json.dumps(value)
