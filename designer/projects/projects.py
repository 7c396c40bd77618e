"""Projects: folders of topologies, and the roles of users in them."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser, Group
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from designer.projects.models import Grant, Project
from designer.projects.roles import Role
from designer.refusals import Conflict, NotFound, Refusal

log = logging.getLogger(__name__)
DEFAULT = "default"
"""The project of a topology unless a user names another."""
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


def get_default_project() -> Project:
    return Project.objects.get_or_create(name=DEFAULT)[0]


def get_project(name: str | None) -> Project:
    """A project by its name, or the default one. Raises NotFound."""
    if name is None or name == DEFAULT:
        return get_default_project()
    project = Project.objects.filter(name=name).first()
    if project is None:
        raise NotFound(f"There is no project `{name[:80]}`.", "Name one that you see on the home page.")
    return project


def create_project(*, name: str, by: AbstractUser) -> Project:
    """A new project without users. Raises Refusal and Conflict."""
    if not NAME.fullmatch(name):
        raise Refusal(
            "A project's name has 1 to 64 small letters, digits and hyphens.", "Choose a name such as `orders`."
        )
    try:
        with transaction.atomic():
            project = Project.objects.create(name=name)
    except IntegrityError as error:
        raise Conflict(f"Project `{name}` already exists.", "Choose another name.") from error
    log.info("%s made the project %s", by, project)
    return project


def delete_project(*, project: Project, by: AbstractUser) -> None:
    """Delete a project without topologies. Raises Conflict."""
    if project.name == DEFAULT:
        raise Conflict(f"New topologies go into `{DEFAULT}`.", "Keep it.")
    try:
        project.delete()
    except ProtectedError as error:
        message = f"`{project}` has {project.topologies.count()} topologies."
        raise Conflict(message, "Delete them, or move them to another project.") from error
    log.info("%s deleted the project %s", by, project)


def set_private_fields(*, project: Project, fields: Sequence[str], by: AbstractUser) -> None:
    """Name the fields whose values become others when real records are kept as test cases."""
    project.private_fields = sorted({name.strip() for name in fields} - {""})
    project.save(update_fields=["private_fields"])
    log.info("%s set the private fields of %s: %s", by, project, ", ".join(project.private_fields) or "none")


@transaction.atomic
def give_role(*, project: Project, user: str, group: str, role: Role | None, by: AbstractUser) -> None:
    """Give a user, or a group, that role in a project instead of their present one. None takes it away.

    Example: `give_role(project=orders, user="ann", group="", role=Role.EDITOR, by=admin)`. Raises NotFound.
    """
    holder = _find_holder(user, group)
    if role is None:
        Grant.objects.filter(project=project, **holder).delete()
    else:
        Grant.objects.update_or_create(project=project, **holder, defaults={"role": role})
    log.info("%s made %s of %s: %s", by, user or group, project, role.word if role else "nothing")


def _find_holder(user: str, group: str) -> dict[str, Any]:
    if bool(user) == bool(group):
        raise Refusal("A role is given to a user or to a group.", "Name one of them.")
    if user:
        holder = get_user_model().objects.filter(username=user).first()
        if holder is not None:
            return {"user_id": holder.pk}
    elif (team := Group.objects.filter(name=group).first()) is not None:
        return {"group_id": team.pk}
    raise NotFound(f"There is no {'user' if user else 'group'} `{(user or group)[:80]}`.", "Correct the name.")
