"""Projects: the folders that topologies lie in. Roles are given in them."""

from __future__ import annotations

from designer.models import Project
from designer.refusals import NotFound

DEFAULT = "default"
"""Where a topology lies unless somebody says otherwise."""


def default_project() -> Project:
    return Project.objects.get_or_create(name=DEFAULT)[0]


def project_named(name: str | None) -> Project:
    """A project by its name, the default one without; raises NotFound."""
    if name is None or name == DEFAULT:
        return default_project()
    project = Project.objects.filter(name=name).first()
    if project is None:
        raise NotFound(f"There is no project `{name[:80]}`.", "Name one that you see on the home page.")
    return project
