"""Exported topologies that come with the product."""

from __future__ import annotations

from importlib.resources import files

import orjson

from designer.projects.exchange import Export

FLIGHT_DELAYS = "flight_delays"


def get_sample(name: str) -> Export:
    """The exported topology of that name."""
    export: Export = orjson.loads(files(__name__).joinpath(f"{name}.json").read_bytes())
    return export
