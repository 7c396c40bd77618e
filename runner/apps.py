"""Django's apps of the runner. An app with tables keeps the label that its tables and migrations have."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class RunnerConfig(AppConfig):
    """Fills the catalogue of operators. Home of the commands."""

    name = "runner"

    def ready(self) -> None:
        import runner.engine.operators  # noqa: F401  (importing it registers them)


class ClustersConfig(AppConfig):
    """Kafka clusters: their connections, and the choice of one for a topology."""

    name = "runner.control.clusters"
    label = "clusters"

    def ready(self) -> None:
        """Gives the checkpoints' file systems the settings of their Spark clusters."""
        from runner.control.clusters.checkpoints import choose_hadoop_settings
        from runner.spark.checkpoint.hadoop import use_settings

        use_settings(choose_hadoop_settings)


class JobsConfig(AppConfig):
    """Jobs (the wanted state) and runs (the actual state)."""

    name = "runner.control.jobs"
    label = "jobs"

    def ready(self) -> None:
        post_migrate.connect(_note_version, sender=self)


def _note_version(*, apps: Any = apps, **_: Any) -> None:
    """Set the version that hosts need: that of the code which migrates the database."""
    from runner.control.jobs.hosts import get_our_version

    if "product" in apps.all_models["jobs"]:  # it was not migrated back to an earlier state
        apps.get_model("jobs", "Product").objects.update_or_create(id=1, defaults={"version": get_our_version()})


class WatchConfig(AppConfig):
    """What users see of running jobs. Connects it to the signals of runs and comments."""

    name = "runner.watch"

    def ready(self) -> None:
        from runner.watch.live import receivers as live  # noqa: F401  (importing them connects them)
        from runner.watch.logs import receivers as logs  # noqa: F401
        from runner.watch.presence import receivers as presence  # noqa: F401
        from runner.watch.queries import receivers as queries  # noqa: F401


class AlertsConfig(AppConfig):
    """Rules, what fires, and the messages about it."""

    name = "runner.watch.alerts"
    label = "alerts"


class DeadLettersConfig(AppConfig):
    """Dead letters, and the redrives that users asked for."""

    name = "runner.watch.dead_letters"
    label = "letters"


class ProvingConfig(AppConfig):
    """Proofs of changed versions beside running ones."""

    name = "runner.watch.proving"
    label = "proving"


class BreakpointsConfig(AppConfig):
    """Conditions that are watched in the batches of jobs."""

    name = "runner.watch.breakpoints"
    label = "breakpoints"


class PastConfig(AppConfig):
    """The kept past of jobs, in which breakpoints are looked for."""

    name = "runner.watch.past"
    label = "past"


class HistoryConfig(AppConfig):
    """Numbers of jobs for more than the last hour."""

    name = "runner.watch.history"
    label = "history"


class LineageConfig(AppConfig):
    """Events for collectors of lineage."""

    name = "runner.watch.lineage"
    label = "lineage"


class TopicsConfig(AppConfig):
    """What users see of topics and subjects; and the versions of subjects that the guard has judged."""

    name = "runner.watch.topics"
    label = "topics"


class SamplesConfig(AppConfig):
    """Content of the product for a start: a topology, and its feed, which users control."""

    name = "runner.demo.samples"
    label = "samples"
