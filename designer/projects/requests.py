"""Common parts of all requests over HTTP: the user, and the topology."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest

from designer.projects.models import Topology, Version
from designer.refusals import NotFound


def get_user(request: HttpRequest) -> AbstractUser:
    """The signed-in user. The API answers no one else."""
    assert isinstance(request.user, AbstractUser)
    return request.user


def get_topology(topology_id: int) -> Topology:
    """A topology with its draft, by its id. Raises NotFound."""
    topology = Topology.objects.select_related("draft").filter(id=topology_id).first()
    if topology is None:
        raise NotFound(f"There is no topology {topology_id}.", "It may have been deleted. Open the list of topologies.")
    return topology


def find_topologies() -> QuerySet[Topology]:
    """Every topology for the list: with its author and its newest version, without the graph."""
    versions = Version.objects.filter(topology=OuterRef("pk")).order_by("-number")
    return (
        Topology.objects.select_related("owner", "project", "draft__updated_by")
        .defer("draft__graph", "draft__schemas")
        .annotate(newest_version=Subquery(versions.values("number")[:1]))
    )


def get_listed_topology(topology_id: int) -> Topology:
    """One of them, by its id. Raises NotFound."""
    topology = find_topologies().filter(id=topology_id).first()
    if topology is None:
        raise NotFound(f"There is no topology {topology_id}.", "It may have been deleted. Open the list of topologies.")
    return topology
