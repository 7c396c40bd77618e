"""The migrations say what the models are."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from designer.models import Grant, Project, Topology
from designer.projects import get_default_project


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
