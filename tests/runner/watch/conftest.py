"""A signed-in person, a job on a real cluster, and topics of a test's own."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client

from designer.projects.services import create_topology, create_version
from runner.control.clusters import models
from runner.control.jobs.models import Job, Run
from runner.control.jobs.statuses import Status
from runner.kafka import KafkaCluster
from tests.people import person
from webapp.accounts.models import User


@pytest.fixture
def user(transactional_db: None) -> User:
    return person("ada")


@pytest.fixture
def client(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def cluster(transactional_db: None, kafka_servers: str) -> KafkaCluster:
    return models.Cluster.objects.create(name="orders", bootstrap_servers=kafka_servers).connect()


@pytest.fixture
def topic() -> str:
    return f"orders-{uuid4().hex[:8]}"


@pytest.fixture
def job(user: User, cluster: KafkaCluster) -> Job:
    version = create_version(topology=create_topology(name="Flight delays", by=user), by=user)
    name = f"flight-delays-{uuid4().hex[:8]}"
    return Job.objects.create(
        name=name,
        application_id=name,
        topology=version.topology,
        version=version,
        cluster=models.Cluster.objects.get(name=cluster.name),
        created_by_id=user.pk,
        updated_by_id=user.pk,
    )


@pytest.fixture
def run_of(job: Job) -> Callable[..., Run]:
    """Begins the next run of the job, the one before having failed."""

    def _run_of(host: str | None = None) -> Run:
        job.runs.update(status=Status.FAILED)
        return Run.objects.create(
            job=job,
            version=job.version,
            revision=1,
            generation=job.runs.count() + 1,
            epoch=1,
            plan={},
            host=host or settings.HOST,
        )

    return _run_of
