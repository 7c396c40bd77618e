"""The cores of a Spark cluster that a job takes, and whether they are free, from the page of its master."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import TypedDict

from runner.control.clusters.models import SparkCluster

UI_PORT = "spark.master.ui.port"
DEFAULT_PORT = "8080"
LOOK_SECONDS = 1.0
MAX_BYTES = 16 * 1_048_576
MAX_PROBE_SLOTS = 256


@dataclass(frozen=True)
class Room:
    """The cores of a Spark cluster, and the free ones for a job. The cores of its present run count as free."""

    total: int
    free: int


def ask_room(cluster: SparkCluster, application_id: str) -> Room | None:
    """The room for a job. None if the cluster's master does not say."""
    state = _ask_state(cluster)
    if state is None:
        return None
    own = sum(app["cores"] for app in state["activeapps"] if app["name"] == application_id)
    return Room(int(state["cores"]), int(state["cores"] - state["coresused"] + own))


def describe_room(cluster: SparkCluster, slots: int, room: Room | None) -> str:
    """The cores for a run with these slots and, if known, the cores of the cluster, in words."""
    takes = -(-slots // cluster.executor_cores) * cluster.executor_cores
    if room is None:
        return f"The job takes {takes} {'core' if takes == 1 else 'cores'} of Spark cluster `{cluster}`."
    total, free = room.total, room.free
    words = f"Cores of Spark cluster `{cluster}`: {total}, free: {free}. The job takes {takes}."
    if takes > total:
        return f"{words} Slots wait for each other: start more workers, or choose at most {total} slots."
    if free == 0:
        return f"{words} The job starts when other applications release their cores."
    return words if takes <= free else f"{words} Slots take turns until other applications release their cores."


def count_probe_slots(cluster: SparkCluster) -> int:
    """As many slots as free cores. The master spreads executors over hosts, so two for each host are enough."""
    state, two = _ask_state(cluster), 2 * cluster.executor_cores
    if state is None:
        return two
    free, enough = int(state["cores"] - state["coresused"]), int(state["aliveworkers"]) * two
    return max(cluster.executor_cores, min(free, enough, MAX_PROBE_SLOTS))


class _Application(TypedDict):
    name: str
    cores: int


class _MasterState(TypedDict):
    """What is read of the page `/json/` of a Spark master."""

    status: str
    cores: int
    coresused: int
    aliveworkers: int
    activeapps: list[_Application]


def _ask_state(cluster: SparkCluster) -> _MasterState | None:
    """The answer of the first active master."""
    return next(filter(None, (_ask_host(cluster, address) for address in _list_hosts(cluster.master))), None)


def _list_hosts(master: str) -> list[str]:
    """The hosts of `spark://host:port,host:port`. Empty for another kind of master."""
    addresses = master.removeprefix("spark://")
    return [] if addresses == master else [address.partition(":")[0] for address in addresses.split(",")]


def _ask_host(cluster: SparkCluster, host: str) -> _MasterState | None:
    """The answer of the master on a host, if it is active."""
    try:
        port = int(cluster.config.get(UI_PORT, DEFAULT_PORT))
        with closing(HTTPConnection(host, port, timeout=LOOK_SECONDS)) as connection:
            connection.request("GET", "/json/")
            answer: _MasterState = json.loads(connection.getresponse().read(MAX_BYTES))
            return answer if answer["status"] == "ALIVE" else None
    except (OSError, HTTPException, ValueError, LookupError, TypeError, OverflowError):
        return None  # it has no page, or is away: nothing depends on it
