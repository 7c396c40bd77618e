"""What jobs leave behind: checkpoints, state and logs on this host, and their groups on the broker."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from django.conf import settings as django_settings

from designer.refusals import Refusal
from runner import kafka
from runner.control.clusters.models import Cluster
from runner.control.jobs.models import Job

log = logging.getLogger(__name__)


def clear_away(application_id: str, epoch: int, runs: Iterable[int], cluster: str) -> None:
    """Remove what is here of a deleted job's epochs up to `epoch`, the logs of its `runs`, and its consumer group.

    An epoch's number is never given twice, so a job that was deployed under the same name since keeps what is its own.
    """
    clear_epochs(application_id, epoch)
    home = Path(django_settings.HOME)
    for run in runs:
        (home / "logs" / f"run-{run}.log").unlink(missing_ok=True)
    place = Cluster.objects.filter(name=cluster).first()
    if place is not None and not Job.objects.filter(application_id=application_id).exists():
        _forget_group(place.connect(), application_id)


def clear_epochs(application_id: str, newest: int) -> None:
    """Remove what is here of a job's epochs up to `newest`: it was deleted, or a later one has taken over."""
    home = Path(django_settings.HOME)
    for folder in (home / "checkpoints" / application_id, home / "state" / application_id):
        _remove_epochs(folder, newest)


def _remove_epochs(folder: Path, newest: int) -> None:
    for path in folder.glob("epoch-*"):
        number = path.name.removeprefix("epoch-")
        if number.isdigit() and int(number) <= newest:
            _remove(path)
    with suppress(OSError):  # not there, or not empty
        folder.rmdir()


def _remove(path: Path) -> None:
    try:
        shutil.rmtree(path)
    except OSError as error:
        log.warning("%s stays, though nothing needs it: %s", path, error)


def _forget_group(cluster: kafka.Cluster, group: str) -> None:
    try:
        cluster.forget(group)
    except Refusal as error:
        log.warning("Group %s of a deleted job stays: %s", group, error.message)
