"""Names the things of audit entries that are still there, and where the page shows them.

An entry keeps its request, such as `POST /api/jobs/7/proof`. Nobody knows a job by its number.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from designer.projects.models import AuditEntry, Topology, Version
from runner.control.jobs.models import Job
from webapp.accounts.models import User

REQUEST = re.compile(r"^[A-Z]+ /api/")
BY_ID = re.compile(r"^[A-Z]+ /api/(topologies|versions|jobs|users)/(\d+)(?:/|$)")
TOPIC = re.compile(r"^[A-Z]+ /api/clusters/([^/]+)/topics/([^/]+)")
BY_NAME = re.compile(r"^[A-Z]+ /api/(clusters|spark-clusters|hosts|projects|groups)/([^/]+)")
KINDS = {
    "clusters": ("Kafka cluster", "/clusters"),
    "spark-clusters": ("Spark cluster", "/clusters"),
    "hosts": ("host", "/hosts"),
    "projects": ("project", "/users"),
    "groups": ("group", "/users"),
}


@dataclass(frozen=True, slots=True)
class Thing:
    """What an entry is about: `job orders`, and its address on the page."""

    name: str
    address: str


def find_things(entries: Iterable[AuditEntry]) -> dict[int, Thing]:
    """The things of entries, by the ids of these.

    A request that names none, such as `POST /api/jobs/deploy`, is about what it changed first. A deleted thing is named
    by its number, and has no address.
    """
    entries = list(entries)
    requests = {entry.pk: entry.about for entry in entries}
    things = {pk: thing for pk, about in requests.items() if (thing := _read_name(about)) is not None}
    wanted: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for pk, about in requests.items():
        if found := BY_ID.match(about):
            wanted[found[1]][int(found[2])].append(pk)
    for kind, by_id in wanted.items():
        found_things = FINDERS[kind](by_id)
        for number, pks in by_id.items():
            gone = Thing(f"{SINGULAR[kind]} {number}, which was deleted", "")
            things |= dict.fromkeys(pks, found_things.get(number, gone))
    changed = {entry.pk: _list_changed(entry) for entry in entries if entry.pk not in things}
    return things | _find_changed({pk: names for pk, names in changed.items() if names})


def _list_changed(entry: AuditEntry) -> list[str]:
    """What a request over HTTP changed, a job or a topology first. A command says itself what it is about."""
    if not REQUEST.match(entry.about):
        return []
    names = [str(change["of"]) for change in entry.changes]
    return sorted(names, key=lambda name: not name.startswith(("job ", "topology ")))


def _find_changed(changed: Mapping[int, list[str]]) -> dict[int, Thing]:
    first = {pk: names[0] for pk, names in changed.items()}
    jobs = Job.objects.filter(name__in=[name.removeprefix("job ") for name in first.values()])
    topologies = Topology.objects.filter(name__in=[name.removeprefix("topology ") for name in first.values()])
    places = {f"topology {name}": f"/topologies/{pk}" for pk, name in topologies.values_list("id", "name")}
    places |= {f"job {name}": f"/jobs/{pk}" for pk, name in jobs.values_list("id", "name")}
    return {pk: Thing(name, places.get(name, "")) for pk, name in first.items()}


def _read_name(about: str) -> Thing | None:
    """A thing whose name is in the request."""
    if found := TOPIC.match(about):
        cluster, topic = map(unquote, found.groups())
        return Thing(f"topic {topic}", f"/topics/{quote(cluster, safe='')}/{quote(topic, safe='')}")
    if found := BY_NAME.match(about):
        kind, address = KINDS[found[1]]
        return Thing(f"{kind} {unquote(found[2])}", address)
    return None


def _find_topologies(ids: Iterable[int]) -> dict[int, Thing]:
    rows = Topology.objects.filter(id__in=list(ids)).values_list("id", "name")
    return {pk: Thing(f"topology {name}", f"/topologies/{pk}") for pk, name in rows}


def _find_versions(ids: Iterable[int]) -> dict[int, Thing]:
    rows = Version.objects.filter(id__in=list(ids)).values_list("id", "number", "topology", "topology__name")
    return {
        pk: Thing(f"version {number} of topology {name}", f"/topologies/{topology}?version={number}")
        for pk, number, topology, name in rows
    }


def _find_jobs(ids: Iterable[int]) -> dict[int, Thing]:
    rows = Job.objects.filter(id__in=list(ids)).values_list("id", "name")
    return {pk: Thing(f"job {name}", f"/jobs/{pk}") for pk, name in rows}


def _find_users(ids: Iterable[int]) -> dict[int, Thing]:
    rows = User.objects.filter(id__in=list(ids)).values_list("id", "username")
    return {pk: Thing(f"user {name}", "/users") for pk, name in rows}


FINDERS: Mapping[str, Callable[[Iterable[int]], dict[int, Thing]]] = {
    "topologies": _find_topologies,
    "versions": _find_versions,
    "jobs": _find_jobs,
    "users": _find_users,
}
SINGULAR = {"topologies": "topology", "versions": "version", "jobs": "job", "users": "user"}
