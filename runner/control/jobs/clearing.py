"""Removes the remains of jobs: checkpoints, state and logs on this host, and their groups on the broker."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from django.conf import settings as django_settings

from designer.refusals import Refusal
from runner import kafka
from runner.control.clusters.checkpoints import list_checkpoint_roots
from runner.control.clusters.models import Cluster
from runner.control.jobs.cut_overs import find_kept_epochs
from runner.control.jobs.models import Job, JobEvent, Run
from runner.control.jobs.statuses import Act
from runner.plan import MARKER_TOPIC
from runner.spark.checkpoint.hadoop import File, get_file, remove_tree
from runner.spark.proving.scratch import remove_left

log = logging.getLogger(__name__)


def clear_away(application_id: str, epoch: int, runs: Iterable[int], cluster: str) -> None:
    """Remove a deleted job's epochs up to `epoch` from here, the logs of its `runs`, and its consumer groups.

    An epoch's number is never reused, so a job deployed under the same name since then keeps its own.
    """
    clear_here(application_id, epoch)
    _clear(find_remote_roots(), application_id, epoch, _find_kept(application_id))
    home = Path(django_settings.HOME)
    for run in runs:
        (home / "logs" / f"run-{run}.log").unlink(missing_ok=True)
    place = Cluster.objects.filter(name=cluster).first()
    if place is not None and not Job.objects.filter(application_id=application_id).exists():
        _forget_groups(place.connect(), application_id, epoch)


def clear_here(application_id: str, newest: int) -> None:
    """Remove a job's epochs up to `newest` from this host's files, because a later one has taken over.

    Checkpoints that a way back needs stay.
    """
    _clear(_list_roots_here(), application_id, newest, _find_kept(application_id))
    _clear([str(Path(django_settings.HOME) / "state")], application_id, newest)


def _find_kept(application_id: str) -> frozenset[int]:
    job = Job.objects.filter(application_id=application_id).first()
    return frozenset() if job is None else frozenset(find_kept_epochs(job))


def clear_orphans() -> None:
    """Remove what this host keeps for nobody: checkpoints and state of deleted jobs, state of epochs before the newest,
    logs of runs that Postgres no longer has, and state of replays that were killed.
    """
    home = Path(django_settings.HOME)
    for root in _list_roots_here():
        _clear_deleted(root)
    folders = [*(home / "state").glob("*")]  # before Postgres is asked: a new job has its row before its folder
    epochs = dict(Job.objects.values_list("application_id", "epoch"))
    for folder in folders:
        if folder.name in epochs:
            _clear([str(home / "state")], folder.name, epochs[folder.name] - 1)
        else:
            _remove(folder)
    for folder in (home / "compared", *folders):
        remove_left(folder)
    names = {log.stem.removeprefix("run-"): log for log in (home / "logs").glob("run-*.log")}
    logs = {int(name): log for name, log in names.items() if name.isdecimal()}
    for run in logs.keys() - set(Run.objects.filter(id__in=logs).values_list("id", flat=True)):
        _remove(logs[run])


def _remove(path: Path) -> None:
    """Remove a file, or a folder with its content. One that cannot be removed, as `lost+found`, holds up no others."""
    try:
        remove_tree(path) if path.is_dir() else path.unlink(missing_ok=True)
    except OSError as error:
        log.warning("%s is not needed, but could not be deleted: %s", path, error)


def _clear_deleted(root: str) -> None:
    """Remove the checkpoints of deleted jobs. Unlike state, a checkpoint goes only if Postgres has the job's deletion:

    of a job that is merely not known here, as after Postgres was set up anew, it is all that is left.
    """
    names = [folder.name for folder in Path(root).glob("*")]
    deletions = JobEvent.objects.filter(what=Act.DELETE, before__application_id__in=names).order_by("id")
    epochs = {event.before["application_id"]: event.before.get("epoch", 0) for event in deletions}
    for application_id, epoch in epochs.items():
        _clear([root], application_id, epoch, _find_kept(application_id))


def _list_roots_here() -> list[str]:
    return [root for root in list_checkpoint_roots() if isinstance(get_file(root), Path)]


def find_remote_roots() -> list[str]:
    """Return the roots of checkpoints in Hadoop file systems. A Celery worker clears them, because that takes a JVM."""
    return [root for root in list_checkpoint_roots() if not isinstance(get_file(root), Path)]


def _clear(roots: Iterable[str], application_id: str, newest: int, kept: frozenset[int] = frozenset()) -> None:
    for root in roots:
        folder = get_file(f"{root}/{application_id}")
        try:
            _remove_epochs(folder, newest, kept)
        except OSError as error:
            log.warning("Epochs up to %d in %s are not needed, but could not be deleted: %s", newest, folder, error)


def _remove_epochs(folder: File, newest: int, kept: frozenset[int]) -> None:
    folders: list[File] = list(folder.glob("epoch-*"))
    for path in folders:
        number = path.name.removeprefix("epoch-")
        # numbers are never used again, so a late call cannot hit an epoch that has begun since it was asked for
        if number.isdigit() and int(number) <= newest and int(number) not in kept:
            remove_tree(path)
    with suppress(OSError):  # it is missing, or not empty
        folder.rmdir()


def _forget_groups(cluster: kafka.KafkaCluster, application_id: str, newest: int) -> None:
    """Forget the offsets of a deleted job, and the markers of its epochs. Only these: another application may have a
    group of such a name.
    """
    is_of_epoch = re.compile(rf"{re.escape(application_id)}\.(\d+)(\.slots|\.corrections|\.slot-\d+)?").fullmatch
    try:
        matches = [match for name in cluster.list_group_names() if (match := is_of_epoch(name))]
        groups = [match[0] for match in matches if int(match[1]) <= newest and _has_only_markers(cluster, match[0])]
        cluster.forget(application_id, *groups)
    except Refusal as error:
        log.warning("Groups of the deleted job %s could not be deleted: %s", application_id, error.message)


def _has_only_markers(cluster: kafka.KafkaCluster, group: str) -> bool:
    topics = cluster.find_committed_topics(group)
    return bool(topics) and all(topic.endswith(MARKER_TOPIC) for topic in topics)
