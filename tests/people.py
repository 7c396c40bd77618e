"""People of the tests."""

from __future__ import annotations

from django.test import Client

from designer.projects.models import Grant, Project
from designer.projects.projects import get_default_project
from designer.projects.roles import Role
from webapp.accounts.models import User


def person(name: str = "ada", role: Role | None = Role.ADMINISTRATOR, project: Project | None = None) -> User:
    """A user with a role in a project, `default` unless another is given; without a role for None."""
    user = User.objects.create_user(name, password="difference engine")
    if role is not None:
        Grant.objects.create(project=project or get_default_project(), user=user, role=role)
    return user


def browser_of(user: User) -> Client:
    """A browser in which the user is signed in."""
    client = Client()
    client.force_login(user)
    return client
