"""Time zones by their IANA names, from the pinned package `tzdata`: every host gives the same answers."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field

from designer.issues import Issue
from designer.messages import IssueCode
from designer.topology.forms import make_error

TZDATA = files("tzdata")


@cache
def list_zones() -> tuple[str, ...]:
    """All zones, `Africa/Abidjan` first."""
    return tuple((TZDATA / "zones").read_text().split())


@cache
def get_zone(name: str) -> ZoneInfo:
    """The zone of that name. Raises LookupError."""
    if name not in list_zones():
        raise LookupError(name)
    with (TZDATA / "zoneinfo").joinpath(*name.split("/")).open("rb") as data:
        return ZoneInfo.from_file(data, key=name)


def _check_zone(name: str) -> str:
    if name not in list_zones():
        suggestion = next(iter(get_close_matches(name[:60], list_zones(), n=1)), None)
        raise make_error(Issue(IssueCode.ZONE_UNKNOWN, {"zone": name[:60], "meant": suggestion}))
    return name


ZoneName = Annotated[
    str, AfterValidator(_check_zone), Field(max_length=60, json_schema_extra={"examples": list(list_zones())})
]
