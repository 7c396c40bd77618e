"""Exported topologies that come with the product."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import orjson

FLIGHT_DELAYS = "flight_delays"


def get_sample(name: str) -> dict[str, Any]:
    """The exported topology of that name."""
    export: dict[str, Any] = orjson.loads(files(__name__).joinpath(f"{name}.json").read_bytes())
    return export
