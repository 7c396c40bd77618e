"""Addresses of a Spark cluster's master and checkpoint folder, also in the server's variables."""

from __future__ import annotations

import re

from designer.refusal_codes import RefusalCode
from designer.refusals import Refusal

MASTER = re.compile(
    r"spark://[A-Za-z0-9._-]+:\d{1,5}(,[A-Za-z0-9._-]+:\d{1,5})*|k8s://(https?://)?[A-Za-z0-9._-]+(:\d{1,5})?"
)
ROOT = re.compile(r"hdfs://[^/\s]+(/.*)?|s3a://[a-z0-9][a-z0-9.-]+(/.*)?|(file://)?/[^/].*")
"""On HDFS or S3, or in a folder that hosts share. Others are untested, and may replace files in other ways."""
OTHER = re.compile(r"(?!hdfs:|s3a:|file:)[A-Za-z][A-Za-z0-9+.-]*://")


class BadSparkCluster(Refusal, ValueError):
    """A part of a Spark cluster's description is malformed. `field` names it."""

    code = RefusalCode.SPARK_BAD_CLUSTER
    status = 422

    def __str__(self) -> str:
        return f"{self.message} {self.hint}"


def check_master(master: str) -> str:
    """Returns the address of a master. Raises BadSparkCluster."""
    if not MASTER.fullmatch(master):
        raise BadSparkCluster(
            f"`{master[:80]}` is not the address of a Spark master.",
            "Write spark://host:7077, and separate several hosts with commas, or k8s://https://host:443.",
            field="master",
        )
    return master


def check_root(root: str) -> str:
    """Returns a checkpoint folder. Raises BadSparkCluster."""
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
