"""Places of checkpoints, and which of them every host sees."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings as django_settings
from django.db.migrations.recorder import MigrationRecorder

from designer.refusals import Refusal
from runner.control.clusters.models import SparkCluster
from runner.control.codes import ControlCode
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.checkpoint.owner import claim

HADOOP = "spark.hadoop."
"""Prefix of Hadoop's settings in Spark."""
SETTINGS_SECONDS = 5.0
"""How long a process may use old settings after a change."""


class NoSharedFolder(Refusal):
    """A Spark cluster has no checkpoint folder that all its hosts see."""

    code = ControlCode.SPARK_NO_SHARED_FOLDER
    status = 409


def choose_checkpoint_root(cluster: SparkCluster | None) -> str:
    """The folder of all checkpoints of jobs on a Spark cluster, or on the hosts: a path or a URI.

    Raises NoSharedFolder: executors would keep state on their own disks.
    """
    root = get_shared_root(cluster)
    if cluster is not None and not root:
        raise NoSharedFolder(
            f"Spark cluster `{cluster}` has no checkpoint folder that all its hosts see.",
            "Name one, such as hdfs://namenode:9000/streamwright or the path of a folder that they share: with "
            "SPARK_CHECKPOINTS for the cluster of SPARK_MASTER, on the page Clusters for another.",
        )
    return root or _get_root_of_this_host()


def get_shared_root(cluster: SparkCluster | None) -> str:
    """The configured folder of checkpoints, which all hosts see, or ""."""
    own = cluster.checkpoint_root if cluster is not None else ""
    return (own or django_settings.CHECKPOINTS).rstrip("/")


def list_checkpoint_roots() -> Iterator[str]:
    """All folders that may hold checkpoints, also from before STREAMWRIGHT_CHECKPOINTS was set."""
    shared_roots = map(get_shared_root, [None, *SparkCluster.objects.order_by("name")])
    yield from dict.fromkeys([_get_root_of_this_host(), *filter(None, shared_roots)])


def choose_hadoop_settings(uri: str) -> dict[str, str]:
    """Hadoop's settings for the file system of a URI, from the Spark clusters with checkpoints there."""
    place = urlsplit(uri)
    if not place.netloc:  # a path of this host
        return {}
    return _group_by_file_system(int(time.monotonic() / SETTINGS_SECONDS)).get((place.scheme, place.netloc), {})


@lru_cache(maxsize=1)
def _group_by_file_system(_: int) -> dict[tuple[str, str], dict[str, str]]:
    """Each request for a file calls this, and there are many."""
    configs: dict[tuple[str, str], dict[str, str]] = {}
    for cluster in SparkCluster.objects.order_by("name"):
        root = urlsplit(get_shared_root(cluster))
        own = {name.removeprefix(HADOOP): value for name, value in cluster.config.items() if name.startswith(HADOOP)}
        configs.setdefault((root.scheme, root.netloc), {}).update(own)
    return configs


def list_shared_roots() -> list[str]:
    """The folders that are declared as shared by all hosts."""
    roots = [django_settings.CHECKPOINTS, *SparkCluster.objects.values_list("checkpoint_root", flat=True)]
    return [root for root in roots if root]


def is_shared(checkpoint: str, roots: Iterable[str]) -> bool:
    """Whether every host sees a checkpoint: it is in a Hadoop file system, or in one of the shared `roots`."""
    below = any(checkpoint.startswith(f"{root.rstrip('/')}/") for root in roots)
    return below or not isinstance(get_file(checkpoint), Path)


def find_moved(checkpoints: Iterable[str], *, are_own: bool) -> dict[str, str]:
    """Return the new address of each checkpoint that was in this host's home folder, if that was elsewhere.

    It was restored or copied. The old place may still exist, as another product's: a copy must not write there.
    `are_own`: a run of this host has them, so one that no run has begun yet belongs in this home folder, too.
    """
    root, moved = _get_root_of_this_host(), {}
    for each in checkpoints:
        epoch = Path(each)
        folder = epoch.parent.parent  # in it are a folder for each job, and in that one for each epoch
        place = f"{root}/{epoch.parent.name}/{epoch.name}"
        if not each.startswith("/") or folder.name != "checkpoints" or str(folder) == root:
            continue
        is_unbegun = are_own and not epoch.exists()
        if Path(place).exists() or (is_unbegun and not is_shared(each, list_shared_roots())):
            moved[each] = place
    return moved


def claim_root(root: str) -> None:
    """Marks a folder of checkpoints that other products could use, too. Raises CheckpointsTaken, OSError."""
    if root != _get_root_of_this_host():
        claim(root, name_product())


def name_product() -> str:
    """Identity of this product: the creation time of its database's first table."""
    first: datetime = MigrationRecorder.Migration.objects.order_by("id").values_list("applied", flat=True)[0]
    return first.isoformat()


def _get_root_of_this_host() -> str:
    return str(Path(django_settings.HOME) / "checkpoints")
