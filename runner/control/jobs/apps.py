from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class JobsConfig(AppConfig):
    """Jobs (the wanted state) and runs (the actual state)."""

    name = "runner.control.jobs"
    label = "jobs"

    def ready(self) -> None:
        post_migrate.connect(_note_version, sender=self)


def _note_version(*, apps: Any = apps, **_: Any) -> None:
    """The code that migrates the database sets the version that hosts need."""
    from runner.control.jobs.hosts import get_our_version

    if "product" in apps.all_models["jobs"]:  # it was not migrated back to an earlier state
        apps.get_model("jobs", "Product").objects.update_or_create(id=1, defaults={"version": get_our_version()})
