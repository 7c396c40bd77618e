"""Which Spark clusters there are, and where jobs keep their checkpoints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings as django_settings

from designer.refusals import NotFound
from runner.control.clusters.models import SparkCluster

DEFAULT = "default"
"""The Spark cluster of SPARK_MASTER."""
THIS_HOST = ""
"""What names no Spark cluster: all processes of a run are on the host of its agent."""


def default_spark() -> SparkCluster | None:
    """The Spark cluster of SPARK_MASTER, kept up to date; None where the variable is empty."""
    master, root = django_settings.SPARK_MASTER, django_settings.SPARK_CHECKPOINTS
    if not master:
        return None
    given = {"master": master, "checkpoint_root": root}
    cluster, _ = SparkCluster.objects.get_or_create(name=DEFAULT, defaults=given)
    if (cluster.master, cluster.checkpoint_root) != (master, root):
        SparkCluster.objects.filter(id=cluster.id).update(**given)
        cluster.refresh_from_db()
    return cluster


def spark_named(name: str) -> SparkCluster | None:
    """A Spark cluster by its name; None for THIS_HOST. Raises NotFound."""
    if name == THIS_HOST:
        return None
    default_spark()
    cluster = SparkCluster.objects.filter(name=name).first()
    if cluster is None:
        names = ", ".join(SparkCluster.objects.order_by("name").values_list("name", flat=True)) or "none yet"
        raise NotFound(f"There is no Spark cluster `{name}`.", f"Spark clusters: {names}.")
    return cluster


def checkpoint_root(cluster: SparkCluster | None) -> str:
    """The folder of all checkpoints of jobs on a Spark cluster, or on this host: a path or a URI."""
    if cluster is not None and cluster.checkpoint_root:
        return cluster.checkpoint_root.rstrip("/")
    return str(Path(django_settings.HOME) / "checkpoints")


def checkpoint_roots() -> Iterator[str]:
    """All folders in which checkpoints may lie."""
    yield from dict.fromkeys(map(checkpoint_root, [None, *SparkCluster.objects.order_by("name")]))
