"""Signing in with Keycloak, a provider that shares no code with our client of OpenID Connect."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.test import Client

from designer.projects.models import Grant
from designer.projects.projects import get_default_project
from designer.projects.roles import Role
from tests.openid.keycloak import Keycloak, pass_keycloak
from tests.webapp.test_provider import configure, said
from webapp.accounts.models import User

pytestmark = [pytest.mark.soak, pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]


@pytest.fixture
def team(keycloak: Keycloak, settings: Any) -> Group:
    """The group `team`, whose members are operators, and settings that name Keycloak."""
    cache.clear()
    configure(settings, keycloak.issuer)
    settings.OIDC_GROUPS_CLAIM = "groups"
    settings.OIDC_ADMINISTRATORS = "bosses"
    group = Group.objects.create(name="team")
    Grant.objects.create(project=get_default_project(), group=group, role=Role.OPERATOR)
    return group


def sign_in(client: Client, name: str, then: str = "") -> Any:
    begun = client.get("/login/provider", {"next": then} if then else {})
    assert begun.status_code == 302, begun.content.decode()
    back = urlsplit(pass_keycloak(begun.headers["Location"], name))
    return client.get(f"{back.path}?{back.query}")


def test_keycloak_signs_in_a_new_user_with_the_roles_of_their_groups(client: Client, team: Group) -> None:
    answer = sign_in(client, "ada", then="/jobs/7")

    rights = client.get("/api/rights").json()
    assert (answer.status_code, answer.headers["Location"]) == (302, "/jobs/7")
    assert (rights["user"], rights["has_password"]) == ("ada", False)
    assert [(each["name"], each["role"]) for each in rights["projects"]] == [("default", "operator")]


def test_the_same_person_signs_in_again_as_the_same_user(client: Client, team: Group) -> None:
    sign_in(client, "ada")
    sign_in(Client(), "ada")

    assert [user.username for user in User.objects.all()] == ["ada"]


def test_the_group_of_administrators_of_keycloak_administers_the_product(client: Client, team: Group) -> None:
    sign_in(client, "carol")

    assert client.get("/api/rights").json()["is_product_administrator"]


def test_who_is_in_no_known_group_of_keycloak_is_told_so(client: Client, team: Group) -> None:
    answer = sign_in(client, "eve")

    assert answer.status_code == 403
    assert said(answer).startswith("None of your groups is known here: `strangers`.")
    assert not User.objects.exists()


def test_an_answer_of_keycloak_is_taken_once_and_only_by_the_browser_that_asked(client: Client, team: Group) -> None:
    begun = client.get("/login/provider")
    back = urlsplit(pass_keycloak(begun.headers["Location"], "ada"))

    stolen = Client().get(f"{back.path}?{back.query}")
    first = client.get(f"{back.path}?{back.query}")
    again = client.get(f"{back.path}?{back.query}")

    assert (stolen.status_code >= 400, first.status_code, again.status_code >= 400) == (True, 302, True)
