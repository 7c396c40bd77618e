"""Addresses of a Spark cluster's master and checkpoint folder, also in the server's variables."""

from __future__ import annotations

import re
from os.path import normpath, realpath
from pathlib import Path

from designer.refusals import Refusal
from runner.control.codes import ControlCode

MASTER = re.compile(
    r"spark://[A-Za-z0-9._-]+:\d{1,5}(,[A-Za-z0-9._-]+:\d{1,5})*|k8s://(https?://)?[A-Za-z0-9._-]+(:\d{1,5})?"
)
ROOT = re.compile(r"hdfs://[^/\s]+(/.*)?|s3a://[a-z0-9][a-z0-9.-]+(/.*)?|(file://)?/[^/].*")
"""On HDFS or S3, or in a folder that hosts share. Others are untested, and may replace files in other ways."""
SYSTEM_FOLDERS = (
    *map(Path, ("/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/run", "/sbin")),
    *map(Path, ("/sys", "/usr", "/var/lib", "/var/run")),
)
"""Folders of the operating system and of services. A run makes, replaces and removes files in its folder."""
OTHER = re.compile(r"(?!hdfs:|s3a:|file:)[A-Za-z][A-Za-z0-9+.-]*://")


class BadSparkCluster(Refusal, ValueError):
    """A part of a Spark cluster's description is malformed. `field` names it."""

    code = ControlCode.SPARK_BAD_CLUSTER
    status = 422

    def __str__(self) -> str:
        return f"{self.message} {self.hint}"


def check_master(master: str) -> str:
    """Returns the address of a master. Raises BadSparkCluster."""
    if not MASTER.fullmatch(master):
        raise BadSparkCluster(
            f"`{master[:80]}` is not the address of a Spark master."
            if master
            else "The address of the master is missing.",
            "Write spark://host:7077, and separate several hosts with commas, or k8s://https://host:443.",
            field="master",
        )
    return master


def check_root(root: str) -> str:
    """Returns a checkpoint folder. Raises BadSparkCluster."""
    _refuse_system_folder(root)
    if ROOT.fullmatch(root):
        return root
    other = OTHER.match(root)
    raise BadSparkCluster(
        f"`{root[:80]}` is on `{other[0]}`, which cannot hold checkpoints."
        if other
        else f"`{root[:80]}` is not a folder that all hosts can see.",
        "Name a folder on HDFS, such as hdfs://namenode:9000/streamwright, or in a bucket, such as "
        "s3a://bucket/streamwright. You can also name the absolute path of a folder that all hosts share.",
        field="checkpoint_root",
    )


def _refuse_system_folder(root: str) -> None:
    """Raises BadSparkCluster for a folder of this host that belongs to the system, however it is written."""
    path = root.removeprefix("file://")
    if not path.startswith("/"):
        if ".." in path.split("/"):
            raise BadSparkCluster(f"`{root[:80]}` has `..` in it.", "Write the whole path.", field="checkpoint_root")
        return
    for each in (Path(normpath(path)), Path(realpath(path))):
        folder = next((system for system in SYSTEM_FOLDERS if each == system or system in each.parents), None)
        if folder is not None or (each == Path("/") and path.strip("/")):  # a link to the root, too
            raise BadSparkCluster(
                f"`{root[:80]}` is in `{folder or '/'}`, which belongs to the system.",
                "Name a folder for checkpoints alone, such as /shared/streamwright.",
                field="checkpoint_root",
            )
