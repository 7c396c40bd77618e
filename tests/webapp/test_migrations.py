"""The migrations say what the models are."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from designer.projects.models import Grant, Project, Topology
from designer.projects.projects import get_default_project
from runner.control.jobs.models import Job


@pytest.mark.django_db
def test_no_model_lacks_a_migration() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_users_of_before_there_were_projects_keep_their_rights() -> None:
    before = [("designer", "0004_slugs_follow_names"), ("accounts", "0002_api_tokens")]
    executor = MigrationExecutor(connection)
    executor.migrate(before[:1])
    old = executor.loader.project_state(before).apps
    old.get_model("accounts", "User").objects.create(username="ada")
    old.get_model("designer", "Topology").objects.create(name="Orders", slug="orders")

    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())

    assert Topology.objects.get().project == get_default_project()
    assert [str(grant) for grant in Grant.objects.all()] == ["ada is administrator of default"]
    assert Project.objects.create(name="orders").id > get_default_project().id


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("message", "last_batch", "is_blocked"),
    [
        ("FileNotFoundError: [Errno 2] No such file or directory: '/checkpoints/orders/epoch-1/state'", 40, False),
        ("FileNotFoundError: [Errno 2] No such file or directory: '/checkpoints/orders/epoch-1/state'", None, True),
        ("The disk is full.", 40, True),
    ],
)
def test_jobs_that_looked_for_the_used_state_of_an_older_epoch_start_again(
    message: str, last_batch: int | None, is_blocked: bool
) -> None:
    executor = MigrationExecutor(connection)
    leaves = executor.loader.graph.leaf_nodes()
    others = [leaf for leaf in leaves if leaf[0] in ("designer", "accounts", "clusters")]
    before = [("jobs", "0014_lost_executors"), *others]
    executor.migrate(before[:1])
    old = executor.loader.project_state(before).apps
    user = old.get_model("accounts", "User").objects.create(username="ada")
    topology = old.get_model("designer", "Topology").objects.create(
        name="Orders", slug="orders", project_id=get_default_project().id
    )
    version = old.get_model("designer", "Version").objects.create(
        topology=topology, number=1, graph={}, schemas={}, created_by=user
    )
    job = old.get_model("jobs", "Job").objects.create(
        name="orders",
        application_id="orders",
        topology=topology,
        version=version,
        cluster=old.get_model("clusters", "Cluster").objects.create(name="local"),
        desired="running",
        blocked=True,
        problem={"message": message},
        revision=2,
        epoch=2,
        created_by=user,
        updated_by=user,
    )
    for generation, batch in ((2, last_batch), (3, None)):
        old.get_model("jobs", "Run").objects.create(
            job=job,
            version=version,
            revision=2,
            generation=generation,
            epoch=2,
            status="failed",
            plan={"seed": {"checkpoint": "/checkpoints/orders/epoch-1", "plan": {}, "stores": ["counts"]}},
            host="here",
            last_batch=batch,
        )

    executor = MigrationExecutor(connection)
    executor.migrate(leaves)

    now = Job.objects.get(id=job.id)
    assert (now.blocked, now.problem is None, now.revision) == (is_blocked, not is_blocked, 2 if is_blocked else 3)
