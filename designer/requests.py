"""What every HTTP API takes from a request: who asks, and which topology is meant."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest

from designer.models import Topology
from designer.refusals import NotFound


def user_of(request: HttpRequest) -> AbstractUser:
    """Who is signed in; the API answers nobody else."""
    assert isinstance(request.user, AbstractUser)
    return request.user


def topology_of(topology_id: int) -> Topology:
    """A topology with its draft, by its id; raises NotFound."""
    topology = Topology.objects.select_related("draft").filter(id=topology_id).first()
    if topology is None:
        raise NotFound(f"There is no topology {topology_id}.", "It may have been deleted: open the list.")
    return topology
