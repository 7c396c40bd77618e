"""A job that divides orders, whose dead letters a test writes."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from designer.projects.services import create_topology, create_version
from runner.control.clusters import models
from runner.control.clusters.services import choose
from runner.control.jobs.models import Job
from runner.kafka import KafkaCluster
from tests.runner.control.jobs.conftest import edge, node
from tests.runner.watch.dead_letters.stage import Stage
from webapp.accounts.models import User

ORDER = {"kind": "struct", "fields": [{"name": "amount", "type": {"kind": "integer"}}]}


def dividing(source: str, share: str = "100 / amount") -> dict[str, Any]:
    """orders → shares → out, and beside it each order is counted."""
    return {
        "nodes": [
            node("orders", "stream", topic=source, key_type={"kind": "string"}, value_type=ORDER),
            node("shares", "map_values", value=share),
            node("out", "to", topic=f"{source}-out"),
            node("grouped", "group_by_key"),
            node("counted", "count", store="counts"),
        ],
        "edges": [
            edge("orders", "shares", "records"),
            edge("shares", "out"),
            edge("orders", "grouped"),
            edge("grouped", "counted", "grouped"),
        ],
    }


@pytest.fixture
def stage(user: User, cluster: KafkaCluster, client: Client, redis_url: str) -> Stage:
    name = f"orders-{uuid4().hex[:8]}"
    cluster.create(name, 4)
    cluster.create(f"{name}-job-dead-letters", 3)
    topology = create_topology(name=name, by=user, graph=dividing(name))
    place = models.Cluster.objects.get(name=cluster.name)
    choose(topology=topology, cluster=place)
    job = Job.objects.create(
        name=f"{name}-job",
        application_id=f"{name}-job",
        topology=topology,
        version=create_version(topology=topology, by=user),
        cluster=place,
        created_by_id=user.pk,
        updated_by_id=user.pk,
    )
    return Stage(job, cluster, client, name)
