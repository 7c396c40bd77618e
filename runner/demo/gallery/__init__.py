"""Applications that Kafka Streams users build first, as exported topologies that anybody may begin with."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import orjson

Application = dict[str, Any]
"""An exported topology with `about`: what it does, in a user's words, and where it differs from its printed form."""


@cache
def gallery() -> dict[str, Application]:
    """Every application by its id, in order."""
    documents = (file for file in files(__name__).iterdir() if file.name.endswith(".json"))
    found = {file.name.removesuffix(".json"): orjson.loads(file.read_bytes()) for file in documents}
    return dict(sorted(found.items()))


def application(application_id: str) -> Application:
    """The application of that id, such as `e27-orders-by-region`."""
    return gallery()[application_id]
